/** What stands behind a subscription, worked out from its rows: not by the code that asks it before each send. */
import { Grants } from "../../../src/access/store.ts"
import { Memberships } from "../../../src/people/store.ts"
import { never, type Instant } from "../../../src/vocabulary/instant.ts"
import type { SubscriptionRow } from "../../../src/webhooks/store.ts"
import { rowIn, type Rows } from "../invariant.ts"

type Owned = Pick<SubscriptionRow, "grantId" | "membershipId">

/** When the authority behind a subscription ended for good; `never` while it stands. */
export const endOf = ({ grantId, membershipId }: Owned, rows: Rows): Instant => {
  const grant = grantId === null ? undefined : rowIn(rows, Grants, [grantId])
  const membership = rowIn(rows, Memberships, [membershipId])
  const ends = [grant?.revokedAt, membership?.endedAt, membership?.validUntil].flatMap((end) => end ?? [])
  return ends.reduce((one, other) => (one < other ? one : other), never)
}

/** True where something is sent for it at this moment, as soon as there is something to send. */
export const isSending = (row: SubscriptionRow, rows: Rows, now: Instant): boolean => {
  const grant = row.grantId === null ? undefined : rowIn(rows, Grants, [row.grantId])
  const isHeld = grant !== undefined && grant.expiresAt <= now
  return row.revokedAt === null && !row.isPaused && now < row.expiresAt && now < endOf(row, rows) && !isHeld
}
