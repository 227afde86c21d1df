import { assert, describe, it } from "@effect/vitest"
import { paymentAssurance, type PaymentAssurance } from "../../src/closure/assurance.ts"
import { commerceRecordPayload } from "../../src/commerce/commerce-record.ts"
import { appendEntries, emptyJournal, type Observation } from "../../src/commerce/journal.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import {
  binding,
  charge,
  checkout,
  dispute,
  observed,
  paidCheckout,
  payment,
  payout,
  refund,
  reversal,
  transfer,
  unpaid
} from "../support/payment-facts.ts"

const at = "2026-01-02T09:00:05.000Z" as Instant
const open = observed("CHECKOUT", checkout())
const complete = observed("CHECKOUT", paidCheckout())
const verified = observed("PAYMENT", payment())
const paid = [open, complete, verified]
const nothing: PaymentAssurance = { payment: null, refundedMinor: 0, reversedMinor: 0, disputed: false }
const verifiedPayment = { ...nothing, payment: "PROVIDER_VERIFIED_PAYMENT" } as const

const table: ReadonlyArray<readonly [string, ReadonlyArray<Observation>, PaymentAssurance]> = [
  ["an empty journal", [], nothing],
  ["an open checkout", [open], { ...nothing, payment: "PAYMENT_NOT_CONFIRMED" }],
  [
    "an expired checkout",
    [observed("CHECKOUT", checkout({ state: "EXPIRED" }))],
    { ...nothing, payment: "PAYMENT_NOT_CONFIRMED" }
  ],
  ["a complete checkout without a payment", [open, complete], nothing],
  ["a payment in the making", [open, observed("PAYMENT", unpaid())], nothing],
  ["a verified payment", paid, verifiedPayment],
  ["a payment of another amount", [complete, observed("PAYMENT", payment({ amountMinor: 1 }))], nothing],
  ["a second payment that is not verified", [...paid, observed("PAYMENT", unpaid(), "pi_sim_2")], nothing],
  [
    "a second payment that is verified",
    [open, observed("PAYMENT", unpaid()), observed("PAYMENT", payment(), "pi_sim_2")],
    verifiedPayment
  ],
  ["a refund", [...paid, observed("REFUND", refund())], { ...verifiedPayment, refundedMinor: 25_000 }],
  [
    "two refunds",
    [...paid, observed("REFUND", refund()), observed("REFUND", refund({ amountMinor: 100_000 }), "re_sim_2")],
    { ...verifiedPayment, refundedMinor: 125_000 }
  ],
  ["a pending refund", [...paid, observed("REFUND", refund({ state: "PENDING" }))], verifiedPayment],
  [
    "a refund that failed after it had succeeded",
    [...paid, observed("REFUND", refund()), observed("REFUND", refund({ state: "FAILED" }))],
    verifiedPayment
  ],
  ["a refund of another charge", [...paid, observed("REFUND", refund({ chargeId: "ch_sim_2" }))], verifiedPayment],
  ["a transfer", [...paid, observed("TRANSFER", transfer())], verifiedPayment],
  [
    "a transfer that was reversed twice",
    [
      ...paid,
      observed("TRANSFER", transfer({ amountReversedMinor: 25_000, reversals: [reversal] })),
      observed("TRANSFER", transfer({ amountReversedMinor: 40_000, reversals: [reversal] }))
    ],
    { ...verifiedPayment, reversedMinor: 40_000 }
  ],
  [
    "a reversed transfer to another account",
    [...paid, observed("TRANSFER", transfer({ destinationAccount: "acct_sim_2", amountReversedMinor: 25_000 }))],
    verifiedPayment
  ],
  ["a dispute", [...paid, observed("DISPUTE", dispute())], { ...verifiedPayment, disputed: true }],
  [
    "a dispute that ended",
    [...paid, observed("DISPUTE", dispute()), observed("DISPUTE", dispute({ disputed: false }))],
    verifiedPayment
  ],
  [
    "one of two disputes ended",
    [...paid, observed("DISPUTE", dispute({ disputed: false })), observed("DISPUTE", dispute(), "dp_sim_2")],
    { ...verifiedPayment, disputed: true }
  ],
  ["a payout", [...paid, observed("TRANSFER", transfer()), observed("PAYOUT", payout())], verifiedPayment],
  [
    "a refund in full that the charge shows too",
    [
      ...paid,
      observed("PAYMENT", payment({ charge: charge({ amountRefundedMinor: 125_000 }) })),
      observed("REFUND", refund({ amountMinor: 125_000 }))
    ],
    { ...verifiedPayment, refundedMinor: 125_000 }
  ]
]

describe("the assurance of a closure", () => {
  it.each(table)(
    "The assurance over %s states what the latest entries with a label show.",
    (_, observations, expected) => {
      const entries = appendEntries(emptyJournal(binding), at, observations)
      const record = commerceRecordPayload(binding, entries, { issuer: "https://example.org", environment: "test" }, at)
      assert.deepStrictEqual(paymentAssurance(record), expected)
    }
  )
})
