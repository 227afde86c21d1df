/** The Result Order record: the terms and the financial events up to a payment attempt, signed when the attempt opens. */
import { Schema } from "effect"
import { later, type Instant } from "../vocabulary/instant.ts"
import { commerceOrderId, digest, name, resultOrderId, signed } from "../vocabulary/record-schemas.ts"
import { FinancialEvent } from "./financial-event.ts"
import { orderPreconditions } from "./guards.ts"
import type { ResultOrder } from "./result-order.ts"
import { acceptedSourceDigest } from "./source.ts"
import { OrderTerms } from "./terms.ts"

export const ResultOrderRecord = Schema.Struct({
  ...signed("service.result-order/v1"),
  issuer: name,
  environment: name,
  baseUrl: name,
  resultOrderId,
  commerceOrderId,
  terms: OrderTerms,
  termsDigest: digest,
  financialEvents: Schema.Array(FinancialEvent).check(Schema.isMinLength(1)).annotate({
    description:
      "The events before the attempt, oldest first; a later attempt's hold the opening and release of the earlier."
  }),
  financialHead: digest,
  acceptedSourceDigest: digest
})
export type ResultOrderRecord = typeof ResultOrderRecord.Type

export interface RecordIssuer {
  readonly issuer: string
  readonly environment: string
}

/** The record of an attempt that is about to open, over the order before it; not earlier than the last event. */
export const resultOrderPayload = (
  order: ResultOrder,
  attempt: { readonly commerceOrderId: string; readonly baseUrl: string },
  { issuer, environment }: RecordIssuer,
  now: Instant
): ResultOrderRecord => {
  const [first, ...others] = order.events
  if (first === undefined) throw new Error("a Result Order has an offer")
  return {
    schema: "service.result-order/v1",
    issuedAt: order.events.reduce((latest, { occurredAt }) => later(latest, occurredAt), now),
    issuer,
    environment,
    baseUrl: attempt.baseUrl,
    resultOrderId: order.resultOrderId,
    commerceOrderId: attempt.commerceOrderId,
    terms: order.terms,
    ...orderPreconditions(order),
    financialEvents: [first, ...others],
    acceptedSourceDigest: acceptedSourceDigest(order, attempt.baseUrl)
  }
}
