/** The financial events of a Result Order: a hash chain from the digest of its terms to its financial head. */
import { Schema } from "effect"
import { digestOf } from "../canonical/digest.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import {
  commerceOrderId,
  digest,
  instant,
  name,
  ordinal,
  organizationId,
  personId,
  resultOrderId,
  text
} from "../vocabulary/record-schemas.ts"

/** The end of an attempt's journal when the service judged it. */
export const JournalPosition = Schema.Struct({
  count: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
  head: digest
}).annotate({ identifier: "JournalPosition" })
export type JournalPosition = typeof JournalPosition.Type

/** Why an attempt was released, so that its order takes another one. */
export const releaseReasons = ["CHECKOUT_EXPIRED", "PAYMENT_FAILED", "CHECKOUT_NOT_OPENED", "PROVIDER_REFUSED"] as const
export type ReleaseReason = (typeof releaseReasons)[number]

const termsPayload = Schema.Struct({ termsDigest: digest })
const reasonPayload = Schema.Struct({ reason: text })

const payloads = {
  OFFERED: termsPayload,
  APPROVED: termsPayload,
  DECLINED: reasonPayload,
  WITHDRAWN: reasonPayload,
  ATTEMPT_OPENED: Schema.Struct({
    commerceOrderId,
    number: ordinal,
    acceptedSourceDigest: digest,
    expiresAt: instant
  }),
  ATTEMPT_RELEASED: Schema.Struct({
    commerceOrderId,
    reason: Schema.Literals(releaseReasons),
    journal: JournalPosition
  }),
  ATTEMPT_PAID: Schema.Struct({ commerceOrderId, journal: JournalPosition })
} as const

export type FinancialEventKind = keyof typeof payloads
type Payload<K extends FinancialEventKind> = (typeof payloads)[K]["Type"]

export type FinancialEventContent<Kind extends FinancialEventKind = FinancialEventKind> = {
  readonly [K in Kind]: { readonly kind: K; readonly payload: Payload<K> }
}[Kind]

export const FinancialActor = Schema.Struct({ personId, organizationId })
export type FinancialActor = typeof FinancialActor.Type

const eventSchema = <const K extends FinancialEventKind>(kind: K) =>
  Schema.Struct({
    resultOrderId,
    sequence: ordinal,
    previous: digest,
    kind: Schema.Literal(kind),
    requestId: Schema.NullOr(name),
    actor: Schema.NullOr(FinancialActor).annotateKey({ description: "Null for the service itself." }),
    payload: payloads[kind],
    occurredAt: instant,
    hash: digest
  })

/** An event with its hash, as a Result Order record encloses it. */
export const FinancialEvent = Schema.Union([
  eventSchema("OFFERED"),
  eventSchema("APPROVED"),
  eventSchema("DECLINED"),
  eventSchema("WITHDRAWN"),
  eventSchema("ATTEMPT_OPENED"),
  eventSchema("ATTEMPT_RELEASED"),
  eventSchema("ATTEMPT_PAID")
]).annotate({ identifier: "FinancialEvent" })
export type FinancialEvent = typeof FinancialEvent.Type

/** The end of an order's chain. */
export interface FinancialChain {
  readonly resultOrderId: string
  readonly financialHead: string
  readonly events: ReadonlyArray<{ readonly occurredAt: Instant }>
}

/** Who caused an event, and when. A person names a request, the service none. */
export interface Occurrence {
  readonly by: { readonly requestId: string; readonly actor: FinancialActor } | "SERVICE"
  readonly now: Instant
}

/** The next event of the chain. `occurredAt` is monotonic. */
export const nextFinancialEvent = (
  { resultOrderId, financialHead, events }: FinancialChain,
  content: FinancialEventContent,
  { by, now }: Occurrence
): FinancialEvent => {
  const last = events.at(-1)
  const event = {
    resultOrderId,
    sequence: events.length + 1,
    previous: financialHead,
    ...content,
    ...(by === "SERVICE" ? { requestId: null, actor: null } : { requestId: by.requestId, actor: by.actor }),
    occurredAt: last === undefined ? now : later(now, last.occurredAt)
  }
  return { ...event, hash: digestOf(event) }
}
