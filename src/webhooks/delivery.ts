/** One event for one subscription: what an attempt came to, and when the next one is due (6.4). Pure. */
import { sha256Hex } from "../canonical/digest.ts"
import { addMilliseconds, never, type Instant } from "../vocabulary/instant.ts"
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

/** The newest attempt, as the owner sees it. Without an outcome it is under way, or its worker died. */
export interface LastAttempt {
  readonly at: Instant
  readonly outcome: Outcome | null
  readonly statusCode: number | null
  readonly durationMs: number | null
  readonly envelopeDigest: string | null
}

/** What a status of the receiver means: only 2xx acknowledges, and nobody is followed elsewhere. */
export const outcomeOf = (statusCode: number) => {
  if (statusCode >= 200 && statusCode < 300) return "ACKNOWLEDGED" as const
  return statusCode >= 300 && statusCode < 400 ? ("REDIRECT" as const) : ("HTTP_STATUS" as const)
}

type Counts = Pick<DeliveryRow, "scheduledAttempts" | "totalAttempts">

/** True where another attempt is allowed; else it waits for somebody to look at it. */
export const hasAttemptLeft = ({ scheduledAttempts, totalAttempts }: Counts): boolean =>
  scheduledAttempts < limits.callbackAttempts && totalAttempts < limits.callbackAttemptsTotal

/** What an attempt that was counted leaves of a delivery. */
export const afterAttempt = (
  counts: Counts,
  outcome: Outcome,
  at: Instant,
  backoff: number
): Pick<DeliveryRow, "state" | "dueAt"> => {
  if (outcome === "ACKNOWLEDGED") return { state: "DELIVERED", dueAt: never }
  if (!hasAttemptLeft(counts)) return { state: "EXHAUSTED", dueAt: never }
  return { state: "PENDING", dueAt: addMilliseconds(at, waitAfter(counts.scheduledAttempts, backoff)) }
}

/** After the nth failure in a row: the backoff times 2^(n-1), at most an hour. */
export const waitAfter = (attempt: number, backoff: number): number =>
  Math.min(backoff * 2 ** (attempt - 1), limits.callbackBackoffMost)

/** Where a reader of the history stands: behind this delivery, or at the beginning. */
export const checkpointOf = (subscriptionId: string, deliveryId: string | undefined): string =>
  `whc1_whd_${sha256Hex(`${subscriptionId}.${deliveryId ?? ""}`)}`
