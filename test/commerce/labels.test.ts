/** The label of every kind of entry: given where each rule holds, and null where any one value differs. */
import { assert, describe, it } from "@effect/vitest"
import type { Observation } from "../../src/commerce/journal.ts"
import { labelsOf, labelsOfLatest } from "../../src/commerce/labels.ts"
import { uuidOf } from "../support/project-people.ts"
import {
  binding,
  charge,
  checkout,
  dispute,
  observed,
  payment,
  payout,
  refund,
  transfer
} from "../support/payment-facts.ts"

/** The label of the last of these entries. */
const lastLabel = (...entries: ReadonlyArray<Observation>) => labelsOf(binding, entries).at(-1)

const paid = observed("PAYMENT", payment())
const transferred = observed("TRANSFER", transfer())
const other = `commerce_${uuidOf(9)}`

describe("the label of a checkout", () => {
  it.each([
    ["OPEN", "PAYMENT_NOT_CONFIRMED"],
    ["EXPIRED", "PAYMENT_NOT_CONFIRMED"],
    ["COMPLETE", null]
  ] as const)("A checkout that is %s is labelled %s.", (state, label) => {
    assert.strictEqual(lastLabel(observed("CHECKOUT", checkout({ state }))), label)
  })
})

describe("the label of a payment", () => {
  it("A payment with exactly the bound values is PROVIDER_VERIFIED_PAYMENT.", () => {
    assert.strictEqual(lastLabel(paid), "PROVIDER_VERIFIED_PAYMENT")
  })

  it("A payment keeps its label after a refund, dispute or transfer of its charge.", () => {
    const later = charge({ amountRefundedMinor: 1, disputed: true, transferId: "tr_sim_1" })
    assert.strictEqual(lastLabel(observed("PAYMENT", payment({ charge: later }))), "PROVIDER_VERIFIED_PAYMENT")
  })

  it.each([
    { state: "PROCESSING" },
    { state: "REQUIRES_CAPTURE" },
    { state: "CANCELED" },
    { amountMinor: 125_001 },
    { amountReceivedMinor: 124_999 },
    { currency: "USD" },
    { commerceOrderId: other },
    { commerceOrderId: null },
    { acceptedSourceDigest: "0".repeat(64) },
    { acceptedSourceDigest: null },
    { recipientAccount: "acct_sim_2" },
    { recipientAccount: null },
    { environment: "LIVE" },
    { charge: null }
  ] as const)("A payment with %o has no label.", (changes) => {
    assert.isNull(lastLabel(observed("PAYMENT", payment(changes))))
  })

  it.each([
    { state: "PENDING" },
    { state: "FAILED" },
    { amountMinor: 124_999 },
    { amountCapturedMinor: 124_999 },
    { currency: "USD" },
    { paid: false },
    { captured: false }
  ] as const)("A payment whose charge has %o has no label.", (changes) => {
    assert.isNull(lastLabel(observed("PAYMENT", payment({ charge: charge(changes) }))))
  })
})

describe("the labels of what follows a payment", () => {
  it.each([1, 25_000, 125_000])("A succeeded refund of %i is PROVIDER_VERIFIED_REFUND.", (amountMinor) => {
    assert.strictEqual(lastLabel(paid, observed("REFUND", refund({ amountMinor }))), "PROVIDER_VERIFIED_REFUND")
  })

  it.each([
    { state: "PENDING" },
    { state: "FAILED" },
    { amountMinor: 0 },
    { amountMinor: 125_001 },
    { currency: "USD" },
    { chargeId: "ch_sim_2" },
    { chargeId: null }
  ] as const)("A refund with %o has no label.", (changes) => {
    assert.isNull(lastLabel(paid, observed("REFUND", refund(changes))))
  })

  it("A refund or dispute is compared with the charge of the latest earlier payment.", () => {
    const later = observed("PAYMENT", payment({ charge: charge({ id: "ch_sim_2" }) }))
    assert.isNull(lastLabel(paid, later, observed("REFUND", refund())))
    assert.isNull(lastLabel(observed("REFUND", refund()), paid, observed("DISPUTE", dispute({ chargeId: "x" }))))
    assert.isNull(lastLabel(observed("REFUND", refund())))
    assert.strictEqual(lastLabel(later, paid, observed("DISPUTE", dispute())), "DISPUTED")
  })

  it("A dispute has a label only while the charge is flagged.", () => {
    assert.strictEqual(lastLabel(paid, observed("DISPUTE", dispute({ status: "won" }))), "DISPUTED")
    assert.isNull(lastLabel(paid, observed("DISPUTE", dispute({ disputed: false }))))
  })

  it.each([{}, { amountMinor: 1 }, { amountReversedMinor: 125_000 }])(
    "A transfer with %o to the bound account is PROVIDER_VERIFIED_TRANSFER.",
    (changes) => {
      assert.strictEqual(lastLabel(paid, observed("TRANSFER", transfer(changes))), "PROVIDER_VERIFIED_TRANSFER")
    }
  )

  it.each([
    { destinationAccount: "acct_sim_2" },
    { currency: "USD" },
    { environment: "LIVE" },
    { amountMinor: 0 },
    { amountMinor: 125_001 },
    { amountReversedMinor: 125_001 },
    { chargeId: "ch_sim_2" },
    { chargeId: null }
  ] as const)("A transfer with %o has no label.", (changes) => {
    assert.isNull(lastLabel(paid, observed("TRANSFER", transfer(changes))))
  })

  it("A paid payout with the destination of a captured transfer is PROVIDER_OBSERVED_PAYOUT.", () => {
    assert.strictEqual(lastLabel(paid, transferred, observed("PAYOUT", payout())), "PROVIDER_OBSERVED_PAYOUT")
    assert.isNull(lastLabel(paid, observed("PAYOUT", payout())))
  })

  it.each([
    { state: "IN_TRANSIT" },
    { state: "FAILED" },
    { account: "acct_sim_2" },
    { environment: "LIVE" },
    { destinationPaymentId: "py_sim_2" }
  ] as const)("A payout with %o has no label.", (changes) => {
    assert.isNull(lastLabel(paid, transferred, observed("PAYOUT", payout(changes))))
  })
})

describe("the labels of the latest facts", () => {
  const numbered = (...observations: ReadonlyArray<Observation>) =>
    observations.map((one, index) => ({ ...one, sequence: index + 1 }))

  it("The latest facts have the labels of their entries, also if a later entry repeats the payment.", () => {
    const entries = [
      observed("CHECKOUT", checkout()),
      paid,
      transferred,
      observed("REFUND", refund()),
      observed("PAYOUT", payout())
    ]
    const latest = numbered(...entries)
    assert.deepStrictEqual(labelsOfLatest(binding, latest), labelsOf(binding, entries))
    const again = latest.map((one) => (one.component === "PAYMENT" ? { ...one, sequence: 6 } : one))
    assert.deepStrictEqual(labelsOfLatest(binding, again), labelsOf(binding, entries))
  })

  it("A refund is judged by the charge of the latest payment, whatever the order of the list.", () => {
    const other = observed("PAYMENT", payment({ charge: charge({ id: "ch_sim_9" }) }), "pi_sim_9")
    const [refunded, earlier, late] = numbered(observed("REFUND", refund()), paid, other)
    assert.strictEqual(labelsOfLatest(binding, [earlier!, refunded!, late!])[1], null)
    const again = { ...earlier!, sequence: 4 }
    assert.strictEqual(labelsOfLatest(binding, [late!, refunded!, again])[1], "PROVIDER_VERIFIED_REFUND")
  })
})
