/** The worker polls every fifteen seconds, and leases expire after thirty, also after a crash (spec 6.4). */
import { isScheduledLate, overdueAfter } from "../../../src/integrity/queues.ts"
import { WebhookDeliveries, WebhookSubscriptions, type SubscriptionRow } from "../../../src/webhooks/store.ts"
import { addMilliseconds, type Instant } from "../../../src/vocabulary/instant.ts"
import { violation, monitoredProperty, type Moment, rowIn, type Rows, rowsWithPrefix } from "../property.ts"
import { isDeliverable } from "../support/subscription-authority.ts"
import { noWorker, type WorkerState, workerStateAfter } from "../support/worker-state.ts"
import { firstKeysOf } from "../support/commits.ts"

export const dueDeliveryIsAttempted = monitoredProperty<WorkerState>({
  name: "due delivery is attempted",
  kind: "eventually",
  says: "A due delivery is attempted: its subscription is scheduled shortly after it is due, and at the end of a run no deliverable one is long overdue.",
  judges: { kinds: ["worker", "act"], commitsTo: [WebhookSubscriptions] },
  initial: noWorker,
  next: (state, moment) => {
    if (moment.observed.kind !== "commit") return workerStateAfter(state, moment.observed)
    const delayed = firstKeysOf(moment.observed, WebhookSubscriptions).find((id) => isDelayed(id, moment))
    return delayed === undefined ? state : violation(`${delayed} is scheduled long after its next delivery is due`)
  },
  atEnd: ({ worker, isClockOff }, { observed, rows }) => {
    if (worker === null || isClockOff) return undefined
    for (const subscription of rowsWithPrefix(rows, WebhookSubscriptions, [])) {
      if (!isDeliverable(subscription, rows, observed.at)) continue
      const overdue = overdueDelivery(subscription, rows, observed.at)
      if (overdue !== undefined) return violation(`${overdue} was due long before the end, and no worker holds it`)
    }
    return undefined
  }
})

/** True if the subscription is scheduled much later than its next delivery is due, although it is deliverable. */
const isDelayed = (subscriptionId: string, { observed, rows }: Moment): boolean => {
  const row = rowIn(rows, WebhookSubscriptions, [subscriptionId])
  if (row === undefined || !isDeliverable(row, rows, observed.at)) return false
  const next = rowsWithPrefix(rows, WebhookDeliveries, [subscriptionId], "byDue").find(
    ({ state }) => state === "PENDING"
  )
  return isScheduledLate(row, next, observed.at)
}

const overdueDelivery = (row: SubscriptionRow, rows: Rows, now: Instant): string | undefined => {
  const { subscriptionId, dueAt, leasedUntil, flights } = row
  const isLeased = now < leasedUntil || flights.some(({ until }) => now < until)
  // A delivery that waits for a free slot is polled repeatedly.
  if (isLeased || now < addMilliseconds(dueAt, overdueAfter)) return undefined
  const due = rowsWithPrefix(rows, WebhookDeliveries, [subscriptionId], "byDue")
  return due.find((one) => one.state === "PENDING" && addMilliseconds(one.dueAt, overdueAfter) < now)?.deliveryId
}
