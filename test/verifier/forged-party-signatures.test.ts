/** Forgeries of the parties' signatures. */
import { describe } from "vitest"
import { hex, refuseEach, refuseEachAlone, type ForgeryRow } from "./forgeries.ts"
import { acceptanceSigned, buyer, dan, mia, signing, signs, supplier, composeForgeries } from "./sample-steps.ts"
import { ids } from "./sample-ids.ts"
import type { Forgery } from "./sample.ts"
import { at, type Members, uuid } from "./signing.ts"

const check = ["history-signatures", "SIGNING_MISMATCH"] as const
const parties = ["history-parties", "PARTY_MISMATCH"] as const
const stranger = `person_${uuid(88)}`

/** An agreement with all signatures, except those that the test replaces. */
const native = ({
  terms = {},
  accepted = acceptanceSigned("NATIVE"),
  bought = signs(buyer, "NATIVE"),
  supplied = signs(supplier, "NATIVE")
}: {
  readonly terms?: Members
  readonly accepted?: Forgery
  readonly bought?: Forgery
  readonly supplied?: Forgery
}): Forgery => composeForgeries(signing("NATIVE", terms), accepted, bought, supplied)

const elsewhere = (accepted: Members, bought: Members): Forgery =>
  composeForgeries(
    signing("EXTERNAL"),
    acceptanceSigned("EXTERNAL", accepted),
    signs(buyer, "EXTERNAL", bought),
    signs(supplier, "EXTERNAL")
  )

const evidence = { provider: "Sign & Co", reference: "S-1", fileName: "signed.pdf", sha256: hex("1") }
const decidedBy = (actor: Members): Forgery => ({ history: (events) => void (events[5]!["actor"] = actor) })

/** Moves the last signature on the agreement after the first submission. */
const late: Forgery = {
  history: (events) => {
    const index = events.findLastIndex(({ kind }) => kind === "SIGN")
    const [signed] = events.splice(index, 1)
    const { occurredAt } = events[index]!
    events.splice(index + 1, 0, { ...signed, occurredAt, issuedAt: occurredAt })
  }
}

const exchanged: Forgery = {
  history: (events) => {
    for (const { kind, payload, actor } of events as ReadonlyArray<Members>) {
      if (kind === "SIGN") payload.party = actor.role === "BUYER" ? "SUPPLIER" : "BUYER"
    }
  }
}

const signatures: ReadonlyArray<ForgeryRow> = [
  ["a delivery without signatures", native({ bought: {}, supplied: {} }), ...check],
  ["a delivery without the buyer's signature", native({ bought: {} }), ...check],
  ["a delivery without the supplier's signature", native({ supplied: {} }), ...check],
  ["a signature under terms that require none", signs(buyer, "NATIVE"), ...check],
  ["a signed acceptance under terms that require none", acceptanceSigned("NATIVE"), ...check],
  ["an acceptance without a signature", native({ accepted: {} }), ...check],
  ["an agreement signed twice by one side", composeForgeries(native({}), signs(buyer, "NATIVE")), ...check],
  ["a signature by another method", native({ bought: signs(buyer, "EXTERNAL") }), ...check],
  ["an acceptance by another method", native({ accepted: acceptanceSigned("EXTERNAL") }), ...check],
  ["a signature over another text", native({ bought: signs(buyer, "NATIVE", { digest: hex("1") }) }), ...check],
  [
    "an acceptance signed over another text",
    native({ accepted: acceptanceSigned("NATIVE", { digest: hex("1") }) }),
    ...check
  ],
  ["a recorded signature over another text", elsewhere({}, { digest: hex("1") }), ...check],
  ["a recorded acceptance of another text", elsewhere({ digest: hex("1") }, {}), ...check],
  ["a signature of another person", native({ bought: signs(buyer, "NATIVE", { personId: dan.id }) }), ...check],
  [
    "an acceptance signed by another person",
    native({ accepted: acceptanceSigned("NATIVE", { personId: dan.id }) }),
    ...check
  ],
  [
    "a signature recorded before it was given",
    elsewhere({}, { evidence: { ...evidence, signedAt: at(11, 1) } }),
    ...check
  ],
  [
    "an acceptance recorded before it was signed",
    elsewhere({ evidence: { ...evidence, signedAt: at(15, 1) } }, {}),
    ...check
  ],
  ["an agreement signed after its date", native({ terms: { agreementSignBy: at(10, 59_999) } }), ...check],
  ["an acceptance signed after its date", native({ terms: { acceptanceSignBy: at(14, 59_999) } }), ...check],
  ["a signature of the buyer who is not the principal", native({ bought: signs(dan, "NATIVE") }), ...parties],
  ["an acceptance of the buyer who is not the principal", composeForgeries(decidedBy(dan), native({})), ...parties],
  [
    "a signature of the representative in place of the counterparty",
    native({ terms: { counterparty: mia.id } }),
    ...parties
  ],
  ["a signature of the supplier who is not the representative", native({ supplied: signs(mia, "NATIVE") }), ...parties],
  [
    "a counterparty of another organization",
    native({
      terms: { counterparty: mia.id },
      supplied: signs({ ...mia, organizationId: `organization_${uuid(88)}` }, "NATIVE")
    }),
    ...parties
  ],
  [
    "a signature recorded by another of the supplier's people",
    composeForgeries(
      signing("EXTERNAL"),
      acceptanceSigned("EXTERNAL"),
      signs(buyer, "EXTERNAL"),
      signs(mia, "EXTERNAL")
    ),
    ...parties
  ],
  ["signatures of each side for the other one", composeForgeries(elsewhere({}, {}), exchanged), ...parties],
  ["terms that name no principal", native({ terms: { principal: "Dana" } }), "package-form", "FIELD_TYPE"],
  ["terms with an invalid date", native({ terms: { agreementSignBy: "soon" } }), "package-form", "FIELD_TYPE"],
  [
    "a signature with an unknown member",
    native({ bought: signs(buyer, "NATIVE", { note: "x" }) }),
    "event-form",
    "UNKNOWN_MEMBER"
  ],
  ["a recorded signature that claims to be verified", elsewhere({}, { label: "VERIFIED" }), "event-form", "FIELD_TYPE"],
  [
    "evidence with an unknown member",
    elsewhere({}, { evidence: { ...evidence, signedAt: at(5), page: "x" } }),
    "event-form",
    "UNKNOWN_MEMBER"
  ]
]

const others: ReadonlyArray<ForgeryRow> = [
  [
    "a signature before the terms were agreed",
    composeForgeries(native({}), {
      history: (events) => {
        const index = events.findIndex(({ kind }) => kind === "SIGN")
        const [signed] = events.splice(index, 1)
        const { occurredAt } = events[0]!
        events.splice(1, 0, { ...signed, occurredAt, issuedAt: occurredAt })
      }
    }),
    "history-moves",
    "JOURNAL_MOVE"
  ],
  ["a signature after the delivery", composeForgeries(native({}), late), "history-moves", "JOURNAL_MOVE"],
  [
    "an agreement signed by an agent",
    composeForgeries(native({}), {
      history: (events, agents) => void (events.find(({ kind }) => kind === "SIGN")!["actor"] = agents.supplier)
    }),
    ...parties
  ],
  [
    "a signed acceptance by an agent",
    composeForgeries({ history: (events, agents) => void (events[5]!["actor"] = agents.buyer) }, native({})),
    ...parties
  ],
  ["an acceptance signed by the supplier", composeForgeries(decidedBy(supplier), native({})), ...parties],
  ["a signature of an unrelated person", native({ bought: signs({ ...buyer, id: stranger }, "NATIVE") }), ...parties],
  [
    "a signed review in the package that was not signed",
    { content: (content) => void (content["review"] = { ...content["review"], signature: {} }) },
    "package-form",
    "MISSING_MEMBER"
  ],
  ["terms whose principal did not sign", native({ terms: { principal: ids.supplier } }), ...parties]
]

describe("a forged signature", () => refuseEachAlone(signatures))
describe("a signature out of its place", () => refuseEach(others))
