/** The authority of a subscription, computed from rows and independent of the check before each send. */
import { Grants } from "../../../src/access/store.ts"
import { Memberships } from "../../../src/people/store.ts"
import { never, type Instant } from "../../../src/vocabulary/instant.ts"
import type { SubscriptionRow } from "../../../src/webhooks/store.ts"
import { rowIn, type Rows } from "../property.ts"

type SubscriptionOwner = Pick<SubscriptionRow, "grantId" | "membershipId">

/** The time at which the authority of a subscription ended; `never` while it is in force. */
export const authorityEndOf = ({ grantId, membershipId }: SubscriptionOwner, rows: Rows): Instant => {
  const grant = grantId === null ? undefined : rowIn(rows, Grants, [grantId])
  const membership = rowIn(rows, Memberships, [membershipId])
  const ends = [grant?.revokedAt, membership?.endedAt, membership?.validUntil].flatMap((end) => end ?? [])
  return ends.reduce((one, other) => (one < other ? one : other), never)
}

/** True if pending deliveries of the subscription may be sent at this time. */
export const isDeliverable = (row: SubscriptionRow, rows: Rows, now: Instant): boolean => {
  const grant = row.grantId === null ? undefined : rowIn(rows, Grants, [row.grantId])
  const isGrantExpired = grant !== undefined && grant.expiresAt <= now
  return (
    row.revokedAt === null && !row.isPaused && now < row.expiresAt && now < authorityEndOf(row, rows) && !isGrantExpired
  )
}
