/** The worker looks every fifteen seconds, and a lease of thirty recovers what a crash left lying (spec 6.4). */
import { WebhookDeliveries, WebhookSubscriptions, type SubscriptionRow } from "../../src/webhooks/store.ts"
import { addMilliseconds, later, type Instant } from "../../src/vocabulary/instant.ts"
import { broken, invariant, type Moment, rowIn, type Rows, rowsUnder } from "./invariant.ts"
import { isSending } from "./support/subscriptions.ts"
import { noWorker, type Working, workingAfter } from "./support/working.ts"
import { firstKeysOf } from "./support/commits.ts"

export const aDueDeliveryMovesOn = invariant<Working>({
  name: "a due delivery moves on",
  kind: "eventually",
  says: "What waits is looked at once it is due, and at the end nothing that could have been sent has been due for long.",
  begins: noWorker,
  sees: (working, moment) => {
    if (moment.observed.kind !== "commit") return workingAfter(working, moment.observed)
    const asleep = firstKeysOf(moment.observed, WebhookSubscriptions).find((id) => isAsleep(id, moment))
    return asleep === undefined
      ? working
      : broken(`${asleep} has something to send, and is looked at long after that is due`)
  },
  ends: ({ worker, isClockOff }, { observed, rows }) => {
    if (worker === null || isClockOff) return undefined
    for (const subscription of rowsUnder(rows, WebhookSubscriptions, [])) {
      if (!isSending(subscription, rows, observed.at)) continue
      const forgotten = forgottenOf(subscription, rows, observed.at)
      if (forgotten !== undefined) return broken(`${forgotten} was due long before the end, and nobody has it`)
    }
    return undefined
  }
})

/** True where the next look comes much later than the next delivery is due, though nothing keeps a worker from it. */
const isAsleep = (subscriptionId: string, { observed, rows }: Moment): boolean => {
  const row = rowIn(rows, WebhookSubscriptions, [subscriptionId])
  if (row === undefined || !isSending(row, rows, observed.at)) return false
  const next = rowsUnder(rows, WebhookDeliveries, [subscriptionId], "byDue").find(({ state }) => state === "PENDING")
  return next !== undefined && addMilliseconds(later(next.dueAt, observed.at), lookMost) < row.dueAt
}

const forgottenOf = (row: SubscriptionRow, rows: Rows, now: Instant): string | undefined => {
  const { subscriptionId, dueAt, leasedUntil, flights } = row
  const isAt = now < leasedUntil || flights.some(({ until }) => now < until)
  // What has to wait for places that are taken is looked at again and again.
  if (isAt || now < addMilliseconds(dueAt, lookMost)) return undefined
  const due = rowsUnder(rows, WebhookDeliveries, [subscriptionId], "byDue")
  return due.find((one) => one.state === "PENDING" && addMilliseconds(one.dueAt, lookMost) < now)?.deliveryId
}

/** A worker looks every fifteen seconds, a lease of one that died lasts thirty, and what waits is put off by a minute. */
const lookMost = 120_000
