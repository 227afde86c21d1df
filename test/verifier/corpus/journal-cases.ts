/** Cases on the journal of a Commerce Record: its entries, their facts, their chain and its head. */
import { chainOf, observedAt, opened, paidObservations, sampleBinding, allObservations } from "../sample-commerce.ts"
import { at, digest, type Members, uuid } from "../signing.ts"
import type { Case } from "./case.ts"
import { commerceFail, type CommerceInputs, commerceOk, facts, record } from "./commerce-inputs.ts"

const formFail = (name: string, why: string, code: string, inputs: CommerceInputs): Case =>
  commerceFail(`journal/${name}_fail`, why, "commerce-form", code, inputs)

/** Edits one entry before it is hashed, so that the chain after it fits. */
const entry = (index: number, edit: (entry: Members) => unknown): CommerceInputs => ({
  entry: (one, at) => void (at === index && edit(one))
})

/** Edits the chained entries. */
const entries = (edit: (entries: Array<Members>) => unknown): CommerceInputs => ({ entries: (all) => void edit(all) })

/** The observations of `allObservations`, with changes in the facts of the one at this index. */
const wholeWith = (index: number, changes: Members): CommerceInputs => ({
  observations: () => {
    const all = [...allObservations()]
    Object.assign(all[index]!.facts, changes)
    return all
  }
})

const [checkout, payment, transfer, refund, dispute, payout] = [0, 2, 3, 5, 8, 9] as const

const words: ReadonlyArray<Case> = (
  [
    ["checkout-state", checkout, { state: "PAID" }, "The checkout is in a state that the format does not have."],
    ["checkout-payment-state", checkout, { paymentState: "PARTLY" }, "The checkout has an unknown state of payment."],
    ["payment-state", payment, { state: "PAID" }, "The payment is in a state that the format does not have."],
    ["payment-environment", payment, { environment: "SANDBOX" }, "The payment is of an unknown environment."],
    ["refund-state", refund, { state: "DONE" }, "The refund is in a state that the format does not have."],
    ["dispute-flag", dispute, { disputed: "yes" }, "The flag of the dispute is a text."],
    ["dispute-status-too-long", dispute, { status: "é".repeat(201) }, "The dispute's status has 201 characters."],
    ["transfer-amount-negative", transfer, { amountMinor: -1 }, "The transfer is of a negative sum."],
    ["transfer-reversals-null", transfer, { reversals: null }, "The reversals are null and not an empty list."],
    ["payout-state", payout, { state: "ARRIVED" }, "The payout is in a state that the format does not have."],
    ["payout-date", payout, { arrivalDate: "2026-01-05" }, "The payout arrives on a date that is not an instant."]
  ] as const
).map(([name, index, changes, why]) => formFail(name, why, "FIELD_TYPE", wholeWith(index, changes)))

const members: ReadonlyArray<Case> = [
  ...(
    [
      ["checkout", checkout, { customerEmail: "buyer@example.org" }],
      ["payment", payment, { card: "4242" }],
      ["refund", refund, { reason: "requested" }],
      ["dispute", dispute, { evidence: "a letter" }],
      ["transfer", transfer, { description: "a result" }],
      ["payout", payout, { amountMinor: 125_000 }]
    ] as const
  ).map(([name, index, changes]) =>
    formFail(
      `${name}-unknown-member`,
      `The facts of the ${name} have one member more; the format is closed.`,
      "UNKNOWN_MEMBER",
      wholeWith(index, changes)
    )
  ),
  formFail("charge-member-missing", "The charge does not say whether it was captured.", "MISSING_MEMBER", {
    observations: (all) => void delete all[2]!["facts"].charge.captured
  }),
  formFail("reversal-member-missing", "A reversal of the transfer has no sum.", "MISSING_MEMBER", {
    observations: () => {
      const all = [...allObservations()]
      delete all[6]!.facts["reversals"][0].amountMinor
      return all
    }
  }),
  formFail("facts-of-another-component", "The facts of a transfer stand under a payment.", "MISSING_MEMBER", {
    observations: (all) => void (all[3]!["component"] = "PAYMENT")
  }),
  formFail("unknown-component", "An entry is of a component that the format does not have.", "FIELD_TYPE", {
    observations: (all) => void (all[3]!["component"] = "INVOICE")
  }),
  formFail(
    "entry-unknown-member",
    "An entry has a member beside its facts.",
    "UNKNOWN_MEMBER",
    entry(1, (one) => (one["note"] = "checked"))
  ),
  formFail(
    "entity-empty",
    "An entry names no entity of the provider.",
    "FIELD_TYPE",
    entry(1, (one) => (one["entity"] = ""))
  ),
  formFail("reversals-too-many", "The transfer has 201 reversals.", "LIMIT_SIZE", {
    observations: (all) => {
      const reversal = { id: "trr_sim_1", amountMinor: 1, refundId: null, createdAt: observedAt(0) }
      all[3]!["facts"].reversals = Array.from({ length: 201 }, () => reversal)
    }
  }),
  commerceOk("journal/dispute-texts_ok", "The dispute's status has 200 characters outside the BMP, its reason none.", {
    ...wholeWith(dispute, { status: "💶".repeat(200), reason: "" })
  })
]

const chainFail = (name: string, why: string, code: string, inputs: CommerceInputs): Case =>
  commerceFail(`journal/${name}_fail`, why, "entry-chain", code, inputs)

const another = { ...sampleBinding(), commerceOrderId: `commerce_${uuid(9)}` }

const chains: ReadonlyArray<Case> = [
  chainFail(
    "first-removed",
    "The first entry is missing, so that the journal does not start with the binding.",
    "JOURNAL_SEQUENCE",
    entries((all) => all.shift())
  ),
  chainFail(
    "middle-removed",
    "An entry in the middle is missing.",
    "JOURNAL_SEQUENCE",
    entries((all) => all.splice(1, 1))
  ),
  chainFail(
    "renumbered",
    "An entry is missing, and those after it are numbered and hashed again, but not linked again.",
    "JOURNAL_PREV",
    entries((all) => {
      all.splice(1, 1)
      for (const one of all.slice(1)) {
        one["sequence"]--
        const { hash: _, ...content } = one
        one["hash"] = digest(content)
      }
    })
  ),
  chainFail(
    "doubled",
    "An entry stands in the journal twice.",
    "JOURNAL_SEQUENCE",
    entries((all) => all.splice(1, 0, all[1]!))
  ),
  chainFail(
    "exchanged",
    "Two entries are in each other's place.",
    "JOURNAL_SEQUENCE",
    entries((all) => all.splice(1, 2, all[2]!, all[1]!))
  ),
  chainFail(
    "spliced",
    "An entry is taken from the journal of another payment attempt.",
    "JOURNAL_PREV",
    entries((all) => (all[2] = chainOf(another, paidObservations())[2]!))
  ),
  chainFail(
    "journal-of-another-binding",
    "The whole journal is that of another payment attempt.",
    "JOURNAL_PREV",
    entries((all) => all.splice(0, 4, ...chainOf(another, paidObservations())))
  ),
  chainFail(
    "binding-exchanged",
    "The record is signed with another buyer in its binding; the journal starts with the original.",
    "JOURNAL_PREV",
    record((one) => (one["binding"] = { ...one["binding"], buyerScope: `organization_${uuid(88)}` }))
  ),
  chainFail(
    "amount-of-binding-edited",
    "The record is signed with a lower amount in its binding than the journal starts with.",
    "JOURNAL_PREV",
    record((one) => (one["binding"] = { ...one["binding"], amountMinor: 100_000 }))
  ),
  chainFail(
    "edited",
    "The facts of an entry were changed and its hash was not.",
    "DIGEST_MISMATCH",
    entries((all) => (all[1]!["facts"] = { ...all[1]!["facts"], state: "EXPIRED" }))
  ),
  chainFail(
    "edited-and-hashed",
    "The facts of an entry were changed with its hash; the next entry names the original.",
    "JOURNAL_PREV",
    entries((all) => {
      const { hash: _, ...content } = all[1]!
      const edited = { ...content, observedAt: observedAt(3) }
      all[1] = { ...edited, hash: digest(edited) }
    })
  ),
  chainFail(
    "hash-over-facts",
    "The hash of an entry covers its facts alone.",
    "DIGEST_MISMATCH",
    entries((all) => (all[3]!["hash"] = digest(all[3]!["facts"])))
  ),
  chainFail(
    "numbered-from-zero",
    "The entries are numbered from zero on.",
    "JOURNAL_SEQUENCE",
    entry(1, (one) => (one["sequence"] = 5))
  ),
  chainFail(
    "out-of-time",
    "An entry was observed one millisecond before the one that it follows.",
    "JOURNAL_TIME",
    entry(2, (one) => (one["observedAt"] = "2026-01-02T09:04:04.999Z"))
  )
]

const headFail = (name: string, why: string, code: string, inputs: CommerceInputs): Case =>
  commerceFail(`journal/${name}_fail`, why, "journal-head", code, inputs)

const heads: ReadonlyArray<Case> = [
  headFail("last-removed", "The last entry is missing; the head is that of the whole journal.", "JOURNAL_COUNT", {
    entries: (all) => void all.pop(),
    record: (one) => void (one["journal"].count = 4)
  }),
  headFail(
    "last-removed-and-counted",
    "The last entry is missing and not counted; the head still names it.",
    "JOURNAL_HEAD",
    { entries: (all) => void all.pop(), record: (one) => void one["labels"].pop() }
  ),
  headFail("all-removed", "Every entry is missing; the head still names the last one.", "JOURNAL_HEAD", {
    entries: (all) => void all.splice(0),
    record: (one) => void Object.assign(one, { labels: [], firstCapturedAt: null })
  }),
  headFail(
    "head-of-empty-journal",
    "The journal has entries, and its head is the binding, as if it had none.",
    "JOURNAL_HEAD",
    record((one) => (one["journal"].head = digest(one["binding"])))
  ),
  headFail(
    "count-too-large",
    "The record counts one entry more than it holds.",
    "JOURNAL_COUNT",
    record((one) => one["journal"].count++)
  ),
  headFail(
    "label-missing",
    "The record holds one label fewer than entries.",
    "JOURNAL_COUNT",
    record((one) => one["labels"].pop())
  ),
  headFail("label-without-entry", "An empty journal has the label of a payment.", "JOURNAL_COUNT", {
    observations: () => [],
    record: (one) => void (one["labels"] = ["PROVIDER_VERIFIED_PAYMENT"])
  }),
  headFail(
    "first-captured-later",
    "The record states a later first capture than its first entry.",
    "JOURNAL_TIME",
    record((one) => (one["firstCapturedAt"] = observedAt(4)))
  ),
  headFail(
    "first-captured-absent",
    "The record states no first capture, and has entries.",
    "JOURNAL_TIME",
    record((one) => (one["firstCapturedAt"] = null))
  ),
  headFail("first-captured-without-entry", "An empty journal has a first capture.", "JOURNAL_TIME", {
    observations: () => [],
    record: (one) => void (one["firstCapturedAt"] = observedAt(0))
  }),
  headFail(
    "observed-after-signing",
    "The last entry was observed one millisecond after the record was signed.",
    "JOURNAL_TIME",
    entry(3, (one) => (one["observedAt"] = at(20, 1)))
  )
]

const changeFail = (name: string, why: string, inputs: CommerceInputs): Case =>
  commerceFail(`journal/${name}_fail`, why, "entry-change", "ENTRY_UNCHANGED", inputs)

const changes: ReadonlyArray<Case> = [
  changeFail("unchanged", "A second entry repeats the facts of the first; a readback without news adds none.", {
    observations: (all) => void all.splice(1, 0, { ...opened, observedAt: observedAt(2) })
  }),
  changeFail("unchanged-after-others", "An entry repeats the facts of its entity after entries on others.", {
    observations: (all) => void all.push({ ...all[2]!, observedAt: observedAt(9) })
  }),
  commerceOk("journal/changed-back_ok", "An entity has its earlier facts again, after others in between.", {
    observations: (all) => {
      all.splice(0, 4, opened, { ...all[1]!, component: "CHECKOUT" }, { ...opened, observedAt: observedAt(9) })
    }
  }),
  commerceOk("journal/same-facts-of-two-entities_ok", "Two refunds of the same sum have the same facts.", {
    observations: () => {
      const all = allObservations()
      return [...all, { ...all[5]!, entity: "re_sim_2", observedAt: observedAt(40) }]
    }
  }),
  commerceOk("journal/same-id-in-two-components_ok", "A refund and a dispute have the same id at the provider.", {
    observations: () =>
      allObservations().map((one) => (one.component === "DISPUTE" ? { ...one, entity: "re_sim_1" } : one))
  }),
  commerceOk("journal/nothing-known-of-checkout_ok", "The provider states no sum, currency or reference.", {
    ...facts(0, { amountMinor: null, currency: null, commerceOrderId: null, acceptedSourceDigest: null })
  })
]

export const journalCases: ReadonlyArray<Case> = [words, members, chains, heads, changes].flat()
