/** Queues of webhooks and issuance: what is due is claimed, and what was sent is counted. */
import type { IssuanceRow } from "../projects/store.ts"
import { addMilliseconds, later, never, type Instant } from "../vocabulary/instant.ts"
import type { DeliveryRow, SubscriptionRow } from "../webhooks/store.ts"

interface AttemptRow {
  readonly attempt: number
  readonly outcome: string | null
  readonly statusCode: number | null
}

/** A delivery is pending, delivered, exhausted or cancelled with its authority: never lost. */
export const deliveryProblem = (delivery: DeliveryRow, last: AttemptRow | undefined): string | undefined => {
  const { state, dueAt, leasedUntil, leaseToken, lastAttempt } = delivery
  if (state === "PENDING" && leasedUntil === never) return "is leased without an end"
  if (state === "PENDING") return dueAt === never ? "is pending without a due time" : undefined
  if (dueAt !== never || leaseToken !== "") return `is ${state} and still scheduled or leased`
  switch (state) {
    case "DELIVERED":
      return wasAcknowledged(delivery, last) ? undefined : "is delivered without an acknowledgement"
    case "EXHAUSTED":
      return delivery.scheduledAttempts >= most.scheduled || delivery.totalAttempts >= most.total
        ? undefined
        : "was exhausted too early"
    case "CANCELLED":
      return lastAttempt?.outcome === "AUTHORITY_ENDED" ? undefined : "was cancelled without a recorded reason"
  }
}

/** True if the last attempt was acknowledged with a 2xx status. */
const wasAcknowledged = ({ lastAttempt }: DeliveryRow, last: AttemptRow | undefined): boolean => {
  const status = last?.statusCode ?? 0
  const is2xx = status >= 200 && status < 300
  return last?.outcome === "ACKNOWLEDGED" && is2xx && lastAttempt?.outcome === "ACKNOWLEDGED"
}

/** The limits of the specification: eight since a delivery was queued or queued again, eighty in all, five at a time. */
const most = { scheduled: 8, total: 80, flights: 5 }

/** `attempts` are all of the delivery, in order. */
export const attemptsProblem = (
  { deliveryId, totalAttempts, scheduledAttempts }: DeliveryRow,
  attempts: ReadonlyArray<Pick<AttemptRow, "attempt">>
): string | undefined => {
  const gap = attempts.find(({ attempt }, index) => attempt !== index + 1)
  if (gap !== undefined) return `attempt ${gap.attempt} of ${deliveryId} is numbered out of order`
  if (totalAttempts !== attempts.length)
    return `${deliveryId} counts ${totalAttempts} attempts and has ${attempts.length}`
  const isWithin = scheduledAttempts <= Math.min(totalAttempts, most.scheduled) && totalAttempts <= most.total
  return isWithin ? undefined : `${deliveryId} was attempted ${scheduledAttempts} times, ${totalAttempts} in all`
}

export const concurrencyProblem = ({ subscriptionId, flights }: SubscriptionRow): string | undefined => {
  const isTwice = new Set(flights.map(({ deliveryId }) => deliveryId)).size < flights.length
  if (isTwice) return `a delivery of ${subscriptionId} is in flight twice`
  return flights.length > most.flights ? `${flights.length} deliveries of ${subscriptionId} are in flight` : undefined
}

/** The deliveries of a subscription in the order of their numbers. */
export interface DeliverySum {
  readonly deliveries: number
  readonly exhausted: number
  readonly hasGap: boolean
}

export const noDeliveries: DeliverySum = { deliveries: 0, exhausted: 0, hasGap: false }

export const addDelivery = (sum: DeliverySum, { number, state }: DeliveryRow): DeliverySum => ({
  deliveries: sum.deliveries + 1,
  exhausted: sum.exhausted + (state === "EXHAUSTED" ? 1 : 0),
  hasGap: sum.hasGap || number !== sum.deliveries + 1
})

/** An active subscription is scheduled, at the latest for its expiry, and exhausted deliveries are counted. */
export const subscriptionProblem = (row: SubscriptionRow, sum: DeliverySum, at: Instant): string | undefined => {
  const { revokedAt, isPaused, expiresAt, dueAt, exhausted, deliveryCount } = row
  if (sum.exhausted !== exhausted) return `counts ${exhausted} exhausted deliveries and has ${sum.exhausted}`
  if (sum.hasGap || deliveryCount !== sum.deliveries) return "has a gap in its delivery numbers"
  const isActive = revokedAt === null && !isPaused && at < expiresAt
  return isActive && expiresAt < dueAt ? "is active and not scheduled" : undefined
}

/** The rows that decide about the authority of a subscription; without an owning grant the grant is undefined. */
export interface SubscriptionAuthority {
  readonly grant: { readonly revokedAt: Instant | null; readonly expiresAt: Instant } | undefined
  readonly membership: { readonly endedAt: Instant | null; readonly validUntil: Instant } | undefined
}

/** The time at which the authority ended; `never` while it is in force. */
export const authorityEnd = ({ grant, membership }: SubscriptionAuthority): Instant => {
  const ends = [grant?.revokedAt, membership?.endedAt, membership?.validUntil].flatMap((end) => end ?? [])
  return ends.reduce((one, other) => (one < other ? one : other), never)
}

/** True if pending deliveries of the subscription may be sent at this time. */
export const isDeliverable = (row: SubscriptionRow, authority: SubscriptionAuthority, at: Instant): boolean =>
  row.revokedAt === null &&
  !row.isPaused &&
  at < row.expiresAt &&
  at < authorityEnd(authority) &&
  (authority.grant === undefined || at < authority.grant.expiresAt)

/** True if a deliverable subscription is scheduled much later than its next pending delivery is due. */
export const isScheduledLate = (
  row: Pick<SubscriptionRow, "dueAt">,
  next: Pick<DeliveryRow, "dueAt"> | undefined,
  at: Instant
): boolean => next !== undefined && addMilliseconds(later(next.dueAt, at), overdueAfter) < row.dueAt

/** The poll interval is fifteen seconds, the lease of a crashed worker thirty, and a postponement one minute. */
export const overdueAfter = 120_000

/** A pending issuance request is due again, and an issued one has its record. */
export const issuanceProblem = (
  { status, dueAt, recordId, confirmationId }: IssuanceRow,
  record: { readonly recordId: string } | undefined
): string | undefined => {
  if (status === "PENDING") return dueAt === never ? "is pending without a due time" : undefined
  if (dueAt !== never) return `is ${status} and still scheduled`
  if (status === "STOPPED") return undefined
  return record !== undefined && record.recordId === recordId
    ? undefined
    : `is ISSUED and the record of ${confirmationId} is missing`
}
