/** Steps back: changes of an entity that cannot have occurred, since an end, a payment or a sum would have been taken back. */
import type { ChargeFacts, Facts } from "../vocabulary/payment-facts.ts"
import type { Observation } from "./journal.ts"

type Successors<S extends string> = { readonly [State in S]: ReadonlyArray<S> }

const checkoutStates: Successors<Facts<"CHECKOUT">["state"]> = {
  OPEN: ["COMPLETE", "EXPIRED"],
  COMPLETE: [],
  EXPIRED: []
}

const checkoutPayments: Successors<Facts<"CHECKOUT">["paymentState"]> = {
  UNPAID: ["PAID", "NOT_REQUIRED"],
  PAID: [],
  NOT_REQUIRED: []
}

// A declined payment requires an action again.
const paymentStates: Successors<Facts<"PAYMENT">["state"]> = {
  REQUIRES_ACTION: ["PROCESSING", "REQUIRES_CAPTURE", "SUCCEEDED", "CANCELED"],
  PROCESSING: ["REQUIRES_ACTION", "REQUIRES_CAPTURE", "SUCCEEDED", "CANCELED"],
  REQUIRES_CAPTURE: ["PROCESSING", "SUCCEEDED", "CANCELED"],
  SUCCEEDED: [],
  CANCELED: []
}

const chargeStates: Successors<ChargeFacts["state"]> = { PENDING: ["SUCCEEDED", "FAILED"], SUCCEEDED: [], FAILED: [] }

// The bank of the payer can return a refund that had succeeded.
const refundStates: Successors<Facts<"REFUND">["state"]> = {
  PENDING: ["REQUIRES_ACTION", "SUCCEEDED", "FAILED", "CANCELED"],
  REQUIRES_ACTION: ["PENDING", "SUCCEEDED", "FAILED", "CANCELED"],
  SUCCEEDED: ["FAILED"],
  FAILED: [],
  CANCELED: []
}

// The bank of the recipient can return a payout that was marked paid.
const payoutStates: Successors<Facts<"PAYOUT">["state"]> = {
  PENDING: ["IN_TRANSIT", "PAID", "FAILED", "CANCELED"],
  IN_TRANSIT: ["PAID", "FAILED", "CANCELED"],
  PAID: ["FAILED"],
  FAILED: [],
  CANCELED: []
}

/** True if the entity cannot have come from its earlier facts to its later ones. `refundsReturned`: of refunds that failed. */
export const isStepBack = (earlier: Observation, later: Observation, refundsReturned: number): boolean => {
  if (earlier.component === "CHECKOUT" && later.component === "CHECKOUT") {
    return isCheckoutBack(earlier.facts, later.facts)
  }
  if (earlier.component === "PAYMENT" && later.component === "PAYMENT") {
    return isPaymentBack(earlier.facts, later.facts, refundsReturned)
  }
  if (earlier.component === "REFUND" && later.component === "REFUND") {
    return isRefundBack(earlier.facts, later.facts)
  }
  if (earlier.component === "DISPUTE" && later.component === "DISPUTE") {
    return later.facts.amountMinor < earlier.facts.amountMinor
  }
  if (earlier.component === "TRANSFER" && later.component === "TRANSFER") {
    return isTransferBack(earlier.facts, later.facts)
  }
  return earlier.component === "PAYOUT" && later.component === "PAYOUT"
    ? !isReachable(payoutStates, earlier.facts.state, later.facts.state)
    : false
}

const isReachable = <S extends string>(successors: Successors<S>, from: S, to: S): boolean =>
  from === to || successors[from].includes(to)

const isCheckoutBack = (earlier: Facts<"CHECKOUT">, later: Facts<"CHECKOUT">): boolean =>
  !isReachable(checkoutStates, earlier.state, later.state) ||
  !isReachable(checkoutPayments, earlier.paymentState, later.paymentState) ||
  (earlier.amountMinor !== null && (later.amountMinor ?? 0) < earlier.amountMinor) ||
  (earlier.paymentId !== null && later.paymentId === null)

const isPaymentBack = (earlier: Facts<"PAYMENT">, later: Facts<"PAYMENT">, refundsReturned: number): boolean =>
  !isReachable(paymentStates, earlier.state, later.state) ||
  later.amountMinor < earlier.amountMinor ||
  later.amountReceivedMinor < earlier.amountReceivedMinor ||
  isChargeBack(earlier.charge, later.charge, refundsReturned)

/** A failed charge is followed by another one; one that succeeded stays. */
const isChargeBack = (earlier: ChargeFacts | null, later: ChargeFacts | null, refundsReturned: number): boolean => {
  if (earlier === null) return false
  if (later === null) return true
  if (later.id !== earlier.id) return earlier.state === "SUCCEEDED"
  return (
    !isReachable(chargeStates, earlier.state, later.state) ||
    (earlier.paid && !later.paid) ||
    (earlier.captured && !later.captured) ||
    later.amountMinor < earlier.amountMinor ||
    later.amountCapturedMinor < earlier.amountCapturedMinor ||
    later.amountRefundedMinor < earlier.amountRefundedMinor - refundsReturned ||
    (earlier.transferId !== null && later.transferId === null)
  )
}

const isRefundBack = (earlier: Facts<"REFUND">, later: Facts<"REFUND">): boolean =>
  !isReachable(refundStates, earlier.state, later.state) || later.amountMinor < earlier.amountMinor

const isTransferBack = (earlier: Facts<"TRANSFER">, later: Facts<"TRANSFER">): boolean =>
  later.amountMinor < earlier.amountMinor ||
  later.amountReversedMinor < earlier.amountReversedMinor ||
  earlier.reversals.some(
    ({ id, amountMinor }) => !later.reversals.some((one) => one.id === id && one.amountMinor >= amountMinor)
  )
