/** The records that others share with a person: each is opened by a button, and every opening is recorded. */
import { Effect, Layer } from "effect"
import { h } from "preact"
import { listSharedRecords, openSharedRecord } from "../../records/shared-records.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { pathId } from "../address.ts"
import { form, idOf } from "../fields.ts"
import { untrusted, type Content, type Element } from "../html.ts"
import { page } from "../page.ts"
import { badge, facts, linkTo, notice, paragraph, section, table, time } from "../parts.ts"
import { pageResponse } from "../response.ts"
import { signedInForm, signedInPage } from "../signed-in.ts"
import type { Visitor } from "../visitor.ts"
import { stateWords } from "../words.ts"

const path = "/workspace/shared-records"
const address = `${path}/:shareId` as const

const list = signedInPage(path, ({ person, viewer }) =>
  Effect.gen(function* () {
    const shares = yield* listSharedRecords(person)
    return pageResponse(
      page(
        { title: "Records shared with me", viewer, place: "shared" },
        table({
          caption: "Records that you may open, newest first",
          columns: ["Record", "Shared by", "For the recipient", "Shared"],
          rows: shares.map(({ shareId, sharerName, recipient, sharedAt }) => [
            [
              linkTo(`${path}/${shareId}`, "Read what it is", `Read what ${shareId} is`),
              h("br", null),
              h("code", null, shareId)
            ],
            untrusted(sharerName),
            untrusted(recipient),
            time(sharedAt)
          ]),
          empty: "Nobody shares a record with you now."
        })
      )
    )
  })
)

const show = signedInPage(address, (visitor) =>
  Effect.gen(function* () {
    const share = yield* readShare(visitor, yield* pathId("shareId", "share"))
    return pageResponse(closedPage(visitor, share))
  })
)

/** Unknown, somebody else's and taken back are all the same here. */
const readShare = Effect.fnUntraced(function* ({ person }: Visitor, shareId: string) {
  const shares = yield* listSharedRecords(person)
  const found = shares.find((share) => share.shareId === shareId)
  return found ?? (yield* refuse("NOT_FOUND", { detail: "No record is shared with you here, or it was taken back." }))
})

type Share = Effect.Success<ReturnType<typeof listSharedRecords>>[number]

const closedPage = ({ viewer }: Visitor, share: Share): string =>
  page(
    { title: "A record is shared with you", viewer, place: "shared" },
    shareFacts(share),
    paragraph("It is not open yet. Opening it is recorded, and whoever shared it sees when you did."),
    form({ action: `${path}/${share.shareId}`, formToken: viewer.formToken, submitLabel: "Open the record" }),
    paragraph(linkTo(path, "All records shared with me"))
  )

const shareFacts = ({ sharerName, sharedBy, recipient, sharedAt }: Share): Element =>
  facts([
    ["Shared by", [untrusted(sharerName), ", ", h("code", null, sharedBy)]],
    ["For the recipient", untrusted(recipient)],
    ["Shared", time(sharedAt)]
  ])

const open = signedInForm(address, (visitor) =>
  Effect.gen(function* () {
    const opened = yield* openSharedRecord(visitor.person, yield* pathId("shareId", "share"))
    return pageResponse(openedPage(visitor, opened))
  })
)

type Opened = Effect.Success<ReturnType<typeof openSharedRecord>>

const openedPage = ({ viewer }: Visitor, opened: Opened): string =>
  page(
    { title: "The shared record", viewer, place: "shared" },
    relianceNotice(opened),
    shareFacts(opened),
    section("What the record says", recordFacts(opened)),
    section("The record itself", savedRecord(opened)),
    paragraph(linkTo(path, "All records shared with me"))
  )

const relianceNotice = ({ current: { state, reliance, at } }: Opened): Element => {
  const { name, meaning } = stateWords[state]
  return notice(
    reliance === "CURRENT" ? "done" : "warning",
    paragraph(
      badge(reliance === "CURRENT" ? "good" : "ended", relianceWords[reliance].name),
      " ",
      relianceWords[reliance].meaning
    ),
    paragraph("The agreement is ", name, " as of ", time(at), ". ", meaning)
  )
}

const relianceWords: {
  readonly [R in Opened["current"]["reliance"]]: { readonly name: string; readonly meaning: string }
} = {
  CURRENT: { name: "stands", meaning: "The acceptance stands as the record says." },
  PAUSED: {
    name: "contested",
    meaning: "The acceptance is contested: do not rely on the record until that is resolved."
  },
  STOPPED: { name: "stopped", meaning: "The acceptance stands no more: do not rely on the record." },
  NONE: { name: "no acceptance", meaning: "There is no acceptance to rely on." }
}

const recordFacts = ({ facts: said }: Opened): Content => [
  paragraph("This is read from the record. The names are the agreement’s own words; nobody here has verified them."),
  facts([
    ["Record", h("code", null, said.recordId)],
    ["Issuer", [untrusted(said.issuer), ", ", untrusted(said.environment)]],
    ["Issued", time(said.issuedAt)],
    ["Accepted", time(said.acceptedAt)],
    ["Buyer", [untrusted(said.parties.buyer.name), h("br", null), h("code", null, said.parties.buyer.organizationId)]],
    [
      "Supplier",
      [
        untrusted(said.parties.supplier.name),
        said.parties.supplier.actorId === null ? null : [h("br", null), h("code", null, said.parties.supplier.actorId)]
      ]
    ],
    ["Agreement", [`version ${said.agreement.version}, `, h("code", null, said.agreement.digest)]],
    ["Submission", [h("code", null, said.submission.id), h("br", null), h("code", null, said.submission.digest)]],
    ["Review", [h("code", null, said.review.id), h("br", null), h("code", null, said.review.digest)]],
    ["Acceptance", h("code", null, said.confirmation.id)]
  ])
]

/** To be copied into a file by hand: nothing here runs a script. */
const savedRecord = ({ record, current }: Opened): Content => [
  paragraph(
    "Save this text as a file, such as record.jws, without changing anything, and verify it offline with the issuer’s keys, which you get by another way than this page:"
  ),
  paragraph(h("code", null, `verify-result record.jws keys.json ${current.at}`)),
  h("label", { for: idOf("record") }, "The record as it was issued"),
  h("textarea", { id: idOf("record"), readOnly: true, rows: 8, spellcheck: false }, record)
]

export const receivedSharePages = Layer.mergeAll(list, show, open)
