/** The state of a delivery: outcomes of attempts, and backoff (6.4). Pure. */
import { addMilliseconds, later, never, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import type { DeliveryRow } from "./store.ts"

export const deliveryStates = ["PENDING", "DELIVERED", "EXHAUSTED", "CANCELLED"] as const
export type DeliveryState = (typeof deliveryStates)[number]

export const outcomes = [
  "ACKNOWLEDGED",
  "HTTP_STATUS",
  "REDIRECT",
  "TIMEOUT",
  "CONNECTION",
  "TLS",
  "DNS_REJECTED",
  "DNS_FAILURE",
  "AUTHORITY_ENDED"
] as const
export type Outcome = (typeof outcomes)[number]

/** The newest attempt. Its outcome is null while it is in progress, and if its worker died. */
export interface LastAttempt {
  readonly at: Instant
  readonly outcome: Outcome | null
  readonly statusCode: number | null
  readonly durationMs: number | null
  readonly envelopeDigest: string | null
}

/** A recorded attempt by its number, with the newest attempt before it. */
export interface NumberedAttempt {
  readonly attempt: number
  readonly previous: LastAttempt | null
}

/** The outcome of a response status: only 2xx acknowledges, and redirects are not followed. */
export const outcomeOf = (statusCode: number) => {
  if (statusCode >= 200 && statusCode < 300) return "ACKNOWLEDGED" as const
  return statusCode >= 300 && statusCode < 400 ? ("REDIRECT" as const) : ("HTTP_STATUS" as const)
}

type Counts = Pick<DeliveryRow, "scheduledAttempts" | "totalAttempts">

/** True if another attempt is allowed; otherwise the delivery is exhausted. */
export const hasAttemptLeft = ({ scheduledAttempts, totalAttempts }: Counts): boolean =>
  scheduledAttempts < limits.webhookAttempts && totalAttempts < limits.webhookAttemptsTotal

/** When a worker may claim it: once it is due, and no worker holds its lease. */
export const claimableAt = ({ dueAt, leasedUntil }: Pick<DeliveryRow, "dueAt" | "leasedUntil">): Instant =>
  later(dueAt, leasedUntil)

/** The state and the due time of a delivery after a counted attempt. */
export const afterAttempt = (
  counts: Counts,
  outcome: Outcome,
  at: Instant,
  backoff: number
): Pick<DeliveryRow, "state" | "dueAt"> => {
  if (outcome === "ACKNOWLEDGED") return { state: "DELIVERED", dueAt: never }
  if (!hasAttemptLeft(counts)) return { state: "EXHAUSTED", dueAt: never }
  return { state: "PENDING", dueAt: addMilliseconds(at, backoffAfter(counts.scheduledAttempts, backoff)) }
}

/** Exponential backoff after the nth consecutive failure: the base times 2^(n-1), at most an hour. */
export const backoffAfter = (attempt: number, backoff: number): number =>
  Math.min(backoff * 2 ** (attempt - 1), limits.webhookBackoffMost)
