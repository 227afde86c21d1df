/** Leases expire after thirty seconds, and a worker polls every fifteen (spec 6.4). */
import { addMilliseconds, never, type Instant } from "../../../src/vocabulary/instant.ts"
import { WebhookDeliveries, WebhookEvents, WebhookSubscriptions } from "../../../src/webhooks/store.ts"
import { violation, monitoredProperty, rowIn, type Rows, rowsWithPrefix } from "../property.ts"
import { isDeliverable } from "../support/subscription-authority.ts"
import { noWorker, type WorkerState, workerStateAfter } from "../support/worker-state.ts"

interface CrashedLeases extends WorkerState {
  /** The time since which a worker runs with a correct clock. */
  readonly since: Instant
  /** By event or delivery: the lease token of a crashed worker. */
  readonly held: { readonly [id: string]: string }
}

export const expiredLeaseIsReclaimed = monitoredProperty<CrashedLeases>({
  name: "expired lease is reclaimed",
  kind: "eventually",
  says: "A running worker reclaims the leases of a crashed worker within one minute.",
  judges: { kinds: ["worker", "act"] },
  initial: { ...noWorker, since: never, held: {} },
  next: (state, { observed, rows }) => {
    if (observed.kind !== "worker" && observed.kind !== "act") return state
    const working = workerStateAfter(state, observed)
    const isUnchanged = working.worker === state.worker && working.isClockOff === state.isClockOff
    const crashed = observed.kind === "worker" && observed.did === "CRASHED"
    return {
      ...working,
      since: isUnchanged ? state.since : observed.at,
      held: crashed ? { ...state.held, ...leasesIn(rows) } : state.held
    }
  },
  atEnd: ({ worker, isClockOff, since, held }, { observed, rows, delayed }) => {
    if (worker === null || isClockOff || observed.at < addMilliseconds(since, reclaimedWithin + delayed))
      return undefined
    const now = leasesIn(rows, observed.at)
    const unreclaimed = Object.entries(held).find(([id, token]) => now[id] === token)
    return unreclaimed === undefined ? undefined : violation(`${unreclaimed[0]} is still leased to a crashed worker`)
  }
})

/** The rest of a lease, one poll interval, and time for retries. */
const reclaimedWithin = 60_000

/** Lease tokens of unfinished events and deliveries; with `at`, only of those that are deliverable then. */
const leasesIn = (rows: Rows, at?: Instant): { readonly [id: string]: string } => ({
  ...Object.fromEntries(
    rowsWithPrefix(rows, WebhookEvents, [])
      .filter(({ dueAt, leaseToken }) => dueAt !== never && leaseToken !== "")
      .map(({ eventId, leaseToken }) => [eventId, leaseToken])
  ),
  ...Object.fromEntries(
    rowsWithPrefix(rows, WebhookDeliveries, [])
      .filter(({ state, leaseToken }) => state === "PENDING" && leaseToken !== "")
      .filter(({ subscriptionId }) => at === undefined || isSubscriptionDeliverable(subscriptionId, rows, at))
      .map(({ deliveryId, leaseToken }) => [deliveryId, leaseToken])
  )
})

const isSubscriptionDeliverable = (subscriptionId: string, rows: Rows, at: Instant): boolean => {
  const subscription = rowIn(rows, WebhookSubscriptions, [subscriptionId])
  return subscription !== undefined && isDeliverable(subscription, rows, at)
}
