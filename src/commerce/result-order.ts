/** A Result Order: its terms, its financial events, and the state that follows from them. Pure: no clock, ids or I/O. */
import type { FinancialEvent } from "./financial-event.ts"
import { orderMoves, type OrderState } from "./moves.ts"
import { termsDigest, type OrderTerms } from "./terms.ts"

export interface ResultOrder {
  readonly resultOrderId: string
  readonly terms: OrderTerms
  readonly termsDigest: string
  /** Null before the offer. */
  readonly state: OrderState | null
  readonly financialHead: string
  readonly events: ReadonlyArray<FinancialEvent>
  /** The attempts that were opened, including released ones. */
  readonly attempts: number
  /** The attempt whose end the order awaits; null unless `PAYING`. */
  readonly openAttemptId: string | null
  /** The attempt that paid the order; null unless `PAID`. */
  readonly paidAttemptId: string | null
}

/** The order after its events, the first of which is the offer. */
export const orderFrom = (
  resultOrderId: string,
  terms: OrderTerms,
  events: ReadonlyArray<FinancialEvent>
): ResultOrder => {
  const digest = termsDigest(terms)
  return events.reduce(evolveOrder, {
    resultOrderId,
    terms,
    termsDigest: digest,
    state: null,
    financialHead: digest,
    events: [],
    attempts: 0,
    openAttemptId: null,
    paidAttemptId: null
  })
}

/** The order after one more event: the state of its move, and its effect on the attempts. */
export const evolveOrder = (order: ResultOrder, event: FinancialEvent): ResultOrder => ({
  ...order,
  state: orderMoves[event.kind].to,
  financialHead: event.hash,
  events: [...order.events, event],
  attempts: order.attempts + (event.kind === "ATTEMPT_OPENED" ? 1 : 0),
  openAttemptId: event.kind === "ATTEMPT_OPENED" ? event.payload.commerceOrderId : null,
  paidAttemptId: event.kind === "ATTEMPT_PAID" ? event.payload.commerceOrderId : order.paidAttemptId
})
