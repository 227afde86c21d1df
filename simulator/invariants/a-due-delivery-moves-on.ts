/** The worker polls every fifteen seconds, and leases expire after thirty, also after a crash (spec 6.4). */
import { WebhookDeliveries, WebhookSubscriptions, type SubscriptionRow } from "../../src/webhooks/store.ts"
import { addMilliseconds, later, type Instant } from "../../src/vocabulary/instant.ts"
import { broken, invariant, type Moment, rowIn, type Rows, rowsUnder } from "./invariant.ts"
import { isSending } from "./support/subscriptions.ts"
import { noWorker, type Working, workingAfter } from "./support/working.ts"
import { firstKeysOf } from "./support/commits.ts"

export const aDueDeliveryMovesOn = invariant<Working>({
  name: "a due delivery moves on",
  kind: "eventually",
  says: "A due delivery is attempted: its subscription is scheduled shortly after it is due, and at the end of a run no deliverable one is long overdue.",
  begins: noWorker,
  sees: (state, moment) => {
    if (moment.observed.kind !== "commit") return workingAfter(state, moment.observed)
    const delayed = firstKeysOf(moment.observed, WebhookSubscriptions).find((id) => isDelayed(id, moment))
    return delayed === undefined ? state : broken(`${delayed} is scheduled long after its next delivery is due`)
  },
  ends: ({ worker, isClockOff }, { observed, rows }) => {
    if (worker === null || isClockOff) return undefined
    for (const subscription of rowsUnder(rows, WebhookSubscriptions, [])) {
      if (!isSending(subscription, rows, observed.at)) continue
      const overdue = overdueDelivery(subscription, rows, observed.at)
      if (overdue !== undefined) return broken(`${overdue} was due long before the end, and no worker holds it`)
    }
    return undefined
  }
})

/** True if the subscription is scheduled much later than its next delivery is due, although it is deliverable. */
const isDelayed = (subscriptionId: string, { observed, rows }: Moment): boolean => {
  const row = rowIn(rows, WebhookSubscriptions, [subscriptionId])
  if (row === undefined || !isSending(row, rows, observed.at)) return false
  const next = rowsUnder(rows, WebhookDeliveries, [subscriptionId], "byDue").find(({ state }) => state === "PENDING")
  return next !== undefined && addMilliseconds(later(next.dueAt, observed.at), overdueAfter) < row.dueAt
}

const overdueDelivery = (row: SubscriptionRow, rows: Rows, now: Instant): string | undefined => {
  const { subscriptionId, dueAt, leasedUntil, flights } = row
  const isLeased = now < leasedUntil || flights.some(({ until }) => now < until)
  // A delivery that waits for a free slot is polled repeatedly.
  if (isLeased || now < addMilliseconds(dueAt, overdueAfter)) return undefined
  const due = rowsUnder(rows, WebhookDeliveries, [subscriptionId], "byDue")
  return due.find((one) => one.state === "PENDING" && addMilliseconds(one.dueAt, overdueAfter) < now)?.deliveryId
}

/** The poll interval is fifteen seconds, the lease of a crashed worker thirty, and a postponement one minute. */
const overdueAfter = 120_000
