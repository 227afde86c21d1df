/** Words for the states of Result Orders and payment attempts, and for what a payment provider states. */
import type { AttemptState } from "../../commerce/attempt.ts"
import type { ReleaseReason } from "../../commerce/financial-event.ts"
import type { Label } from "../../commerce/labels.ts"
import type { OrderState } from "../../commerce/moves.ts"
import type { WaitingReason } from "../../commerce/waiting.ts"
import type { ReadFailure } from "../../ports/payments.ts"
import type { Component, PaymentEnvironment, Provider } from "../../vocabulary/payments.ts"
import type { Element } from "../kit/html.ts"
import { badge } from "../kit/parts.ts"

interface StateLabel {
  readonly kind: Parameters<typeof badge>[0]
  readonly name: string
  readonly meaning: string
}

export const orderStateLabels: { readonly [S in OrderState]: StateLabel } = {
  OFFERED: {
    kind: "waiting",
    name: "offered",
    meaning: "The supplier offered these terms; the buyer has not decided."
  },
  APPROVED: { kind: "waiting", name: "approved", meaning: "The buyer approved these terms; no payment is under way." },
  PAYING: { kind: "waiting", name: "being paid", meaning: "A payment attempt is under way." },
  PAID: { kind: "good", name: "paid", meaning: "The payment provider reported the payment with exactly these terms." },
  DECLINED: { kind: "ended", name: "declined", meaning: "The buyer declined these terms." },
  WITHDRAWN: { kind: "ended", name: "withdrawn", meaning: "The supplier withdrew these terms." }
}

export const orderBadge = (state: OrderState): Element =>
  badge(orderStateLabels[state].kind, orderStateLabels[state].name)

export const attemptStateBadges: { readonly [S in AttemptState]: Parameters<typeof badge> } = {
  OPENING: ["waiting", "opening"],
  OPEN: ["waiting", "open"],
  PAID: ["good", "paid"],
  UNVERIFIED: ["waiting", "needs attention"],
  RELEASED: ["ended", "ended without payment"]
}

/** Whose turn it is, unless a payment needs attention. `attempt` is the state of the last one. */
export const turnText = (state: OrderState, attempt: AttemptState | undefined): string => {
  switch (state) {
    case "OFFERED":
      return "The buyer approves or declines the terms; the supplier can withdraw them."
    case "APPROVED":
      return "The buyer opens a checkout, and pays there."
    case "PAYING":
      return attempt === undefined ? "The buyer pays." : attemptTurns[attempt]
    case "PAID":
      return "Nothing is left to do: the order is paid."
    case "DECLINED":
    case "WITHDRAWN":
      return "Nothing is left to do: the order has ended. The supplier can offer the result again."
  }
}

export const settleText = "Both parties settle a payment that needs attention."

const attemptTurns: { readonly [S in AttemptState]: string } = {
  OPENING: "The service opens the checkout. Load this page again in a minute.",
  OPEN: "The buyer pays at the checkout.",
  PAID: "Nothing is left to do: the payment was reported.",
  UNVERIFIED: settleText,
  RELEASED: "The buyer opens another checkout."
}

export const releaseTexts: { readonly [R in ReleaseReason]: string } = {
  CHECKOUT_EXPIRED: "the checkout expired without a payment",
  PAYMENT_FAILED: "the payment failed",
  CHECKOUT_NOT_OPENED: "the provider never answered the request for a checkout",
  PROVIDER_REFUSED: "the provider refused to open a checkout"
}

export const waitingTexts: { readonly [R in WaitingReason]: string } = {
  APPROVE: "Approve or decline the terms",
  PAY: "Open a checkout, and pay there",
  CHECKOUT: "Pay at the open checkout",
  UNVERIFIED: "Settle a payment with other values than the terms",
  LATE_PAYMENT: "Settle a payment that the order no longer awaited"
}

export const providerLabels: { readonly [P in Provider]: string } = {
  STRIPE: "Stripe",
  SIMULATED: "the simulated provider"
}

export const environmentLabels: { readonly [E in PaymentEnvironment]: string } = {
  TEST: "test environment, in which no money moves",
  LIVE: "live environment, in which money moves"
}

export const componentLabels: { readonly [C in Component]: string } = {
  CHECKOUT: "Checkout",
  PAYMENT: "Payment",
  REFUND: "Refunds",
  DISPUTE: "Disputes",
  TRANSFER: "Transfer to the supplier",
  PAYOUT: "Payouts to the supplier’s bank"
}

/** What follows from the facts of one entity. */
export const labelTexts: { readonly [L in Label]: string } = {
  PAYMENT_NOT_CONFIRMED: "No payment is confirmed by it.",
  PROVIDER_VERIFIED_PAYMENT: "The provider verified the payment: every value is that of the terms.",
  PROVIDER_VERIFIED_REFUND: "The provider verified a refund of this payment.",
  DISPUTED: "The payment is disputed.",
  PROVIDER_VERIFIED_TRANSFER: "The provider verified the transfer to the supplier’s account.",
  PROVIDER_OBSERVED_PAYOUT: "The provider paid out a sum that includes this transfer."
}

export const failureTexts: { readonly [F in ReadFailure]: string } = {
  PROVIDER_UNAVAILABLE: "the provider did not answer",
  PROVIDER_REFUSED: "the provider refused to answer",
  FACTS_UNKNOWN: "the answer had a word or a value that this service does not know",
  LIST_INCONSISTENT: "the answer contradicted itself",
  ENTITY_ABSENT: "something that the provider had stated before was missing",
  STEP_BACK: "the answer took back what the provider had stated before",
  TOO_MANY_ENTITIES: "the answer had more items than this service takes",
  DEPENDENCY_FAILED: "something on which it depends could not be read"
}
