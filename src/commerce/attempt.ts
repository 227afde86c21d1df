/** A payment attempt: its state, which follows from its journal alone, and what that means for its order. Pure. */
import { addMilliseconds, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import type { CommerceBinding } from "../vocabulary/payments.ts"
import type { FinancialEventContent, JournalPosition, ReleaseReason } from "./financial-event.ts"
import type { Observation } from "./journal.ts"
import { isVerifiedPayment } from "./labels.ts"
import type { ResultOrder } from "./result-order.ts"

export const attemptStates = ["OPENING", "OPEN", "PAID", "UNVERIFIED", "RELEASED"] as const
export type AttemptState = (typeof attemptStates)[number]

/** An order has at most one attempt whose end is not captured. */
export const isLiveAttempt = (state: AttemptState): boolean => state !== "RELEASED"

/** The latest facts of one entity, and the entry that has them. */
export type LatestObservation = Observation & { readonly sequence: number }

/** Everything from which the state of an attempt follows. */
export interface AttemptEvidence {
  readonly state: AttemptState
  readonly binding: CommerceBinding
  /** Null while the answer to its opening is unknown. */
  readonly checkoutId: string | null
  readonly expiresAt: Instant
  /** The latest facts of every entity. */
  readonly observations: ReadonlyArray<LatestObservation>
  /** True if the readback with which this evidence ends read the payment: nothing that it could have said is missing. */
  readonly isPaymentRead: boolean
}

export type AttemptOutcome =
  | { readonly state: Exclude<AttemptState, "RELEASED"> }
  | { readonly state: "RELEASED"; readonly reason: ReleaseReason }

/** The state that follows; undefined if it is unchanged. */
export const attemptOutcome = (attempt: AttemptEvidence, now: Instant): AttemptOutcome | undefined => {
  const outcome = outcomeOf(attempt, now)
  return outcome?.state === attempt.state ? undefined : outcome
}

/**
 * Only a captured end releases an attempt of which a checkout was learned; time never does. An end of the checkout is one
 * only together with its payment: a payment that was not read may have been made before.
 */
const outcomeOf = (attempt: AttemptEvidence, now: Instant): AttemptOutcome | undefined => {
  const payments = attempt.observations.filter((one) => one.component === "PAYMENT")
  const latestPayment = latestOf(payments)
  if (latestPayment !== undefined && isVerifiedPayment(attempt.binding, latestPayment.facts)) return { state: "PAID" }
  if (latestPayment?.facts.state === "SUCCEEDED") return { state: "UNVERIFIED" }
  const checkout = latestOf(attempt.observations.filter((one) => one.component === "CHECKOUT"))
  const mayStillPay = !attempt.isPaymentRead || payments.some(({ facts }) => payingStates.has(facts.state))
  if (checkout?.facts.state === "EXPIRED" && !mayStillPay) return { state: "RELEASED", reason: "CHECKOUT_EXPIRED" }
  if (checkout?.facts.state === "COMPLETE" && latestPayment?.facts.state === "CANCELED" && !mayStillPay) {
    return { state: "RELEASED", reason: "PAYMENT_FAILED" }
  }
  if (attempt.checkoutId !== null) return attempt.state === "OPENING" ? { state: "OPEN" } : undefined
  return now >= addMilliseconds(attempt.expiresAt, limits.checkoutUnknown)
    ? { state: "RELEASED", reason: "CHECKOUT_NOT_OPENED" }
    : undefined
}

/** The states of a payment that can end, or has ended, in money received. */
const payingStates: ReadonlySet<string> = new Set(["PROCESSING", "REQUIRES_CAPTURE", "SUCCEEDED"])

const latestOf = <O extends LatestObservation>(observations: ReadonlyArray<O>): O | undefined =>
  observations.reduce<O | undefined>(
    (latest, one) => (latest === undefined || one.sequence > latest.sequence ? one : latest),
    undefined
  )

/** The event that an outcome appends to the order; none unless the order awaits the end of this attempt. */
export const eventOfOutcome = (
  order: Pick<ResultOrder, "openAttemptId">,
  commerceOrderId: string,
  outcome: AttemptOutcome | undefined,
  journal: JournalPosition
): FinancialEventContent<"ATTEMPT_PAID" | "ATTEMPT_RELEASED"> | undefined => {
  if (order.openAttemptId !== commerceOrderId) return undefined
  switch (outcome?.state) {
    case "PAID":
      return { kind: "ATTEMPT_PAID", payload: { commerceOrderId, journal } }
    case "RELEASED":
      return { kind: "ATTEMPT_RELEASED", payload: { commerceOrderId, reason: outcome.reason, journal } }
    default:
      return undefined
  }
}

/** True while the buyer can pay at a checkout: it is open, and no other attempt of the order was paid meanwhile. */
export const isCheckoutPayable = (
  { state }: { readonly state: AttemptState },
  attempts: ReadonlyArray<{ readonly state: AttemptState }>
): boolean => state === "OPEN" && !attempts.some((one) => one.state === "PAID")

export interface Attention {
  readonly commerceOrderId: string
  readonly reason: "UNVERIFIED" | "LATE_PAYMENT"
}

/** What people have to look at: a payment with other values than the terms, and one that the order no longer awaited. */
export const attentionOf = (
  { paidAttemptId }: Pick<ResultOrder, "paidAttemptId">,
  attempts: ReadonlyArray<{ readonly commerceOrderId: string; readonly state: AttemptState }>
): ReadonlyArray<Attention> =>
  attempts.flatMap(({ commerceOrderId, state }): ReadonlyArray<Attention> => {
    if (state === "UNVERIFIED") return [{ commerceOrderId, reason: "UNVERIFIED" }]
    return state === "PAID" && commerceOrderId !== paidAttemptId ? [{ commerceOrderId, reason: "LATE_PAYMENT" }] : []
  })
