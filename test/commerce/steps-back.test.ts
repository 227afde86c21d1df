/** Which later facts of an entity are impossible after its earlier ones. */
import { assert, describe, it } from "@effect/vitest"
import type { Observation } from "../../src/commerce/journal.ts"
import { isStepBack } from "../../src/commerce/steps-back.ts"
import type { Component } from "../../src/vocabulary/payments.ts"
import {
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

/** The states of a component, with those that can follow each. */
const successors: { readonly [component: string]: { readonly [state: string]: string } } = {
  CHECKOUT: { OPEN: "COMPLETE EXPIRED", COMPLETE: "", EXPIRED: "" },
  PAYMENT: {
    REQUIRES_ACTION: "PROCESSING REQUIRES_CAPTURE SUCCEEDED CANCELED",
    PROCESSING: "REQUIRES_ACTION REQUIRES_CAPTURE SUCCEEDED CANCELED",
    REQUIRES_CAPTURE: "PROCESSING SUCCEEDED CANCELED",
    SUCCEEDED: "",
    CANCELED: ""
  },
  REFUND: {
    PENDING: "REQUIRES_ACTION SUCCEEDED FAILED CANCELED",
    REQUIRES_ACTION: "PENDING SUCCEEDED FAILED CANCELED",
    SUCCEEDED: "FAILED",
    FAILED: "",
    CANCELED: ""
  },
  PAYOUT: {
    PENDING: "IN_TRANSIT PAID FAILED CANCELED",
    IN_TRANSIT: "PAID FAILED CANCELED",
    PAID: "FAILED",
    FAILED: "",
    CANCELED: ""
  }
}

const some: { readonly [component: string]: object } = {
  CHECKOUT: checkout(),
  PAYMENT: payment(),
  REFUND: refund(),
  PAYOUT: payout()
}

const inState = (component: string, state: string): Observation =>
  ({ component, entity: "x", facts: { ...some[component], state } }) as unknown as Observation

describe("the states of an entity", () => {
  for (const [component, states] of Object.entries(successors)) {
    it.each(Object.entries(states))(`A ${component} in %s can only become one of: %s.`, (from, to) => {
      for (const state of Object.keys(states)) {
        const isPossible = state === from || to.split(" ").includes(state)
        assert.strictEqual(isStepBack(inState(component, from), inState(component, state), 0), !isPossible, state)
      }
    })
  }
})

const withCharge = (changes: Parameters<typeof charge>[0]) => observed("PAYMENT", payment({ charge: charge(changes) }))

describe("the sums and marks of an entity", () => {
  it.each<[string, Observation, Observation]>([
    [
      "a paid checkout unpaid",
      observed("CHECKOUT", paidCheckout()),
      observed("CHECKOUT", { ...paidCheckout(), paymentState: "UNPAID" })
    ],
    ["a smaller checkout", observed("CHECKOUT", checkout()), observed("CHECKOUT", checkout({ amountMinor: 1 }))],
    [
      "a checkout without its sum",
      observed("CHECKOUT", checkout()),
      observed("CHECKOUT", checkout({ amountMinor: null }))
    ],
    [
      "a checkout without its payment",
      observed("CHECKOUT", checkout({ paymentId: "a" })),
      observed("CHECKOUT", checkout())
    ],
    ["a smaller payment", observed("PAYMENT", payment()), observed("PAYMENT", payment({ amountMinor: 1 }))],
    ["less received", observed("PAYMENT", payment()), observed("PAYMENT", payment({ amountReceivedMinor: 1 }))],
    ["no charge after one", observed("PAYMENT", payment()), observed("PAYMENT", payment({ charge: null }))],
    ["another charge after one that succeeded", withCharge({}), withCharge({ id: "other" })],
    ["a charge that succeeded pending", withCharge({}), withCharge({ state: "PENDING" })],
    ["a paid charge unpaid", withCharge({}), withCharge({ paid: false })],
    ["a captured charge not captured", withCharge({}), withCharge({ captured: false })],
    ["a smaller charge", withCharge({}), withCharge({ amountMinor: 1 })],
    ["less captured", withCharge({}), withCharge({ amountCapturedMinor: 1 })],
    ["less refunded", withCharge({ amountRefundedMinor: 2 }), withCharge({ amountRefundedMinor: 1 })],
    ["a charge without its transfer", withCharge({ transferId: "t" }), withCharge({})],
    ["a smaller refund", observed("REFUND", refund()), observed("REFUND", refund({ amountMinor: 1 }))],
    ["a smaller dispute", observed("DISPUTE", dispute()), observed("DISPUTE", dispute({ amountMinor: 1 }))],
    ["a smaller transfer", observed("TRANSFER", transfer()), observed("TRANSFER", transfer({ amountMinor: 1 }))],
    ["less reversed", observed("TRANSFER", transfer({ amountReversedMinor: 2 })), observed("TRANSFER", transfer())],
    ["a missing reversal", observed("TRANSFER", transfer({ reversals: [reversal] })), observed("TRANSFER", transfer())],
    [
      "a smaller reversal",
      observed("TRANSFER", transfer({ reversals: [reversal] })),
      observed("TRANSFER", transfer({ reversals: [{ ...reversal, amountMinor: 1 }] }))
    ]
  ])("A report of %s is a step back; the reverse and an unchanged report are none.", (_, earlier, later) => {
    assert.isTrue(isStepBack(earlier, later, 0))
    assert.isFalse(isStepBack(earlier, earlier, 0))
    assert.isFalse(isStepBack(later, later, 0))
  })

  it.each<[string, Observation, Observation, number]>([
    ["another charge after a failed one", withCharge({ id: "a", state: "FAILED" }), withCharge({}), 0],
    ["a first charge", observed("PAYMENT", unpaid()), withCharge({}), 0],
    [
      "as much less refunded as came back",
      withCharge({ amountRefundedMinor: 3 }),
      withCharge({ amountRefundedMinor: 1 }),
      2
    ],
    ["a closed dispute", observed("DISPUTE", dispute()), observed("DISPUTE", dispute({ status: "won" })), 0]
  ])("A report of %s is no step back.", (_, earlier, later, returned) => {
    assert.isFalse(isStepBack(earlier, later, returned))
  })

  it("Entities of different components are not compared.", () => {
    const one = (component: Component) => ({ ...inState("REFUND", "FAILED"), component }) as Observation
    assert.isFalse(isStepBack(one("REFUND"), one("PAYOUT"), 0))
  })
})
