/** Records shared with a person: each is opened by a button, and each opening is recorded. */
import { Effect, Layer } from "effect"
import { h } from "preact"
import { listSharedRecordPage, openSharedRecord, readSharedRecord } from "../../records/shared-records.ts"
import { limits } from "../../vocabulary/limits.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { pathId } from "../kit/url-parameters.ts"
import { form, idOf } from "../kit/fields.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { listPage, type List } from "../kit/list.ts"
import { page } from "../kit/page.ts"
import { badge, facts, linkTo, notice, paragraph, section, time, aboveId } from "../kit/parts.ts"
import { signedInForm, signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { stateLabels } from "../kit/labels.ts"
import { verifierLink } from "../kit/verifier-link.ts"

const path = "/workspace/shared-records"
const address = `${path}/:shareId` as const
const readShareId = pathId("shareId", "share")

const showShared = signedInPage(path, ({ person, viewer }) =>
  listPage({
    title: "Records shared with me",
    viewer,
    place: "shared",
    list: sharedList,
    read: ({ turn }) => listSharedRecordPage(person, { ...turn, limit: limits.itemsOnPage })
  })
)

const sharedList: List<Share> = {
  name: "shared-records",
  path,
  caption: "Records that you may open, newest first",
  columns: [
    {
      heading: "Record",
      cell: ({ shareId }) =>
        aboveId(linkTo(`${path}/${shareId}`, "Read what it is", `Read what ${shareId} is`), shareId)
    },
    { heading: "Shared by", cell: ({ sharerName }) => untrusted(sharerName) },
    { heading: "For the recipient", cell: ({ recipient }) => untrusted(recipient) },
    { heading: "Shared", cell: ({ sharedAt }) => time(sharedAt) }
  ],
  empty: "No record is shared with you now."
}

const show = signedInPage(address, (visitor) => Effect.map(readShare(visitor), (share) => closedPage(visitor, share)))

/** Unknown, revoked and other persons' shares are not distinguished. */
const readShare = Effect.fnUntraced(function* ({ person }: Visitor) {
  return yield* readSharedRecord(person, yield* readShareId).pipe(
    Effect.catchTag("Refusal", () =>
      refuse("NOT_FOUND", { detail: "No record is shared with you here, or the share was revoked." })
    )
  )
})

type Share = Effect.Success<ReturnType<typeof readSharedRecord>>

const closedPage = ({ viewer }: Visitor, share: Share): string =>
  page(
    { title: "A record is shared with you", viewer, place: "shared" },
    shareFacts(share),
    "It is not open yet. Opening it is recorded and shown to the party that shared it.",
    form({ action: `${path}/${share.shareId}`, formToken: viewer.formToken, submitLabel: "Open the record" }),
    paragraph(linkTo(path, "All records shared with me"))
  )

const shareFacts = ({ sharerName, sharedBy, recipient, sharedAt }: Share): Element =>
  facts([
    ["Shared by", [untrusted(sharerName), ", ", h("code", null, sharedBy)]],
    ["For the recipient", untrusted(recipient)],
    ["Shared", time(sharedAt)]
  ])

const open = signedInForm(address, function* (visitor) {
  return openedPage(visitor, yield* openSharedRecord(visitor.person, yield* readShareId))
})

type OpenedRecord = Effect.Success<ReturnType<typeof openSharedRecord>>

const openedPage = ({ viewer }: Visitor, opened: OpenedRecord): string =>
  page(
    { title: "The shared record", viewer, place: "shared" },
    relianceNotice(opened),
    shareFacts(opened),
    section("What the record says", recordFacts(opened)),
    section("The record itself", savedRecord(opened)),
    paragraph(linkTo(path, "All records shared with me"))
  )

const relianceNotice = ({ current: { state, reliance, at } }: OpenedRecord): Element => {
  const { name, meaning } = stateLabels[state]
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
  readonly [R in OpenedRecord["current"]["reliance"]]: { readonly name: string; readonly meaning: string }
} = {
  CURRENT: { name: "valid", meaning: "The acceptance is valid as the record states." },
  PAUSED: {
    name: "contested",
    meaning: "The acceptance is contested: do not rely on the record until that is resolved."
  },
  STOPPED: { name: "stopped", meaning: "The acceptance is no longer valid: do not rely on the record." },
  NONE: { name: "no acceptance", meaning: "There is no acceptance to rely on." }
}

const recordFacts = ({ facts: record }: OpenedRecord): Content => {
  const { buyer, supplier } = record.parties
  return [
    paragraph(
      "This is read from the record. The names are the agreement’s own text; this service has not verified them."
    ),
    facts([
      ["Record", h("code", null, record.recordId)],
      ["Issuer", [untrusted(record.issuer), ", ", untrusted(record.environment)]],
      ["Issued", time(record.issuedAt)],
      ["Accepted", time(record.acceptedAt)],
      ["Buyer", aboveId(untrusted(buyer.name), buyer.organizationId)],
      ["Supplier", aboveId(untrusted(supplier.name), supplier.actorId)],
      ["Agreement", [`version ${record.agreement.version}, `, h("code", null, record.agreement.digest)]],
      ["Submission", aboveId(h("code", null, record.submission.id), record.submission.digest)],
      ["Review", aboveId(h("code", null, record.review.id), record.review.digest)],
      ["Acceptance", h("code", null, record.confirmation.id)]
    ])
  ]
}

/** The record is copied into a file manually, which also works without script. */
const savedRecord = ({ record, current }: OpenedRecord): Content => [
  paragraph(
    "Save this text as a file, such as record.jws, without changing anything, and verify it offline with the issuer’s keys, which you must obtain separately from this page:"
  ),
  paragraph(h("code", null, `verify-result record.jws keys.json ${current.at}`)),
  verifierLink(),
  h("label", { for: idOf("record") }, "The record as it was issued"),
  h("textarea", { id: idOf("record"), readOnly: true, rows: 8, spellcheck: false }, record)
]

export const receivedSharePages = Layer.mergeAll(showShared, show, open)
