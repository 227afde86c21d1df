/** The authority of a subscription, computed from rows and independent of the check before each send. */
import { Grants } from "../../../src/access/store.ts"
import { authorityEnd, isDeliverable as isDeliverableUnder } from "../../../src/integrity/queues.ts"
import { Memberships } from "../../../src/people/store.ts"
import type { Instant } from "../../../src/vocabulary/instant.ts"
import type { SubscriptionRow } from "../../../src/webhooks/store.ts"
import { rowIn, type Rows } from "../property.ts"

type SubscriptionOwner = Pick<SubscriptionRow, "grantId" | "membershipId">

const authorityIn = (rows: Rows, { grantId, membershipId }: SubscriptionOwner) => ({
  grant: grantId === null ? undefined : rowIn(rows, Grants, [grantId]),
  membership: rowIn(rows, Memberships, [membershipId])
})

/** The time at which the authority of a subscription ended; `never` while it is in force. */
export const authorityEndOf = (owner: SubscriptionOwner, rows: Rows): Instant => authorityEnd(authorityIn(rows, owner))

/** True if pending deliveries of the subscription may be sent at this time. */
export const isDeliverable = (row: SubscriptionRow, rows: Rows, now: Instant): boolean =>
  isDeliverableUnder(row, authorityIn(rows, row), now)
