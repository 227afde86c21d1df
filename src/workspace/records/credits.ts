/** The credits of a person's organizations: balance and ledger. Credits cannot be created here. */
import { Effect, Schema } from "effect"
import { h } from "preact"
import { readCredits } from "../../records/credits.ts"
import { idOf } from "../../vocabulary/ids.ts"
import { limits } from "../../vocabulary/limits.ts"
import { confers } from "../../people/membership.ts"
import { readQueryParameters } from "../kit/url-parameters.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { facts, linkTo, paragraph, section, table, time, aboveId } from "../kit/parts.ts"
import { signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { readMemberships, type Membership } from "../organization/own-membership.ts"

const path = "/workspace/funding"

export const creditPages = signedInPage(path, function* ({ person, viewer }) {
  const { organizationId, before } = yield* requestedPage
  const sections = yield* Effect.forEach(yield* readMemberships(person), (membership) =>
    Effect.map(
      readLedger(person, membership, membership.organizationId === organizationId ? before : undefined),
      (ledger) => organizationSection(membership, ledger)
    )
  )
  return page(
    { title: "Credits", viewer, place: "funding" },
    "Each record that is issued uses one credit of the buyer’s organization. A record that waits for a credit is issued once there is one.",
    sections.length === 0 ? "You are a member of no organization." : sections
  )
})

/** The requested older page of one organization's ledger. */
const requestedPage = Effect.map(readQueryParameters, (query) => {
  const organizationId = query("organizationId")
  const before = query("before") ?? ""
  return {
    organizationId: isOrganization(organizationId) ? organizationId : undefined,
    before: /^[1-9]\d{0,14}$/.test(before) ? Number(before) : undefined
  }
})

const isOrganization = Schema.is(idOf("organization"))

/** Undefined where the membership does not permit reading it. */
const readLedger = Effect.fnUntraced(function* (
  person: Visitor["person"],
  { organizationId, authorities }: Membership,
  before: number | undefined
) {
  if (!confers(authorities, "FINANCIAL_READ") && !confers(authorities, "RECORD_ISSUE")) return undefined
  return yield* readCredits(person, organizationId, before === undefined ? {} : { before })
})

type Ledger = Effect.Success<ReturnType<typeof readCredits>>

const organizationSection = ({ organizationId, organizationName }: Membership, ledger: Ledger | undefined): Element =>
  ledger === undefined
    ? section(
        untrusted(organizationName),
        "Your membership here permits neither seeing credits nor issuing result records, so the balance is not shown. A member who manages the members of the organization can change that."
      )
    : section(
        untrusted(organizationName),
        facts([
          ["Balance", ledger.balance === 1 ? "1 credit" : `${ledger.balance} credits`],
          ["Organization", h("code", null, organizationId)]
        ]),
        entries(ledger),
        grantingCredits(organizationId)
      )

const entries = ({ organizationId, entries }: Ledger): Content => {
  const last = entries.at(-1)
  return [
    table({
      caption: "Credits granted and used, newest first",
      columns: ["Entry", "When", "Change", "Balance after", "For"],
      rows: entries.map(({ sequence, at, change, balance, reference, confirmationId }) => [
        String(sequence),
        time(at),
        change > 0 ? `+${change}` : String(change),
        String(balance),
        aboveId(untrusted(reference), confirmationId)
      ]),
      empty: "No credits were granted or used yet."
    }),
    last === undefined || last.sequence === 1 || entries.length < limits.creditEntriesListed
      ? null
      : paragraph(
          linkTo(
            `${path}?organizationId=${organizationId}&before=${last.sequence}`,
            "Older entries",
            `Older entries than ${last.sequence}`
          )
        )
  ]
}

const grantingCredits = (organizationId: string): Element =>
  h(
    "details",
    null,
    h("summary", null, "How to get more"),
    paragraph(
      "Credits cannot be bought here. Ask the operator of this site, who grants them at the command line of the installation, with the number of credits and a reference:"
    ),
    paragraph(
      h(
        "code",
        null,
        `countersign admin grant-credits --organization ${organizationId} --credits 1 --reference "grant 1"`
      )
    )
  )
