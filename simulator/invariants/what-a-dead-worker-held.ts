/** A lease of thirty seconds recovers what a crash left lying, and a worker looks every fifteen (spec 6.4). */
import { addMilliseconds, never, type Instant } from "../../src/vocabulary/instant.ts"
import { WebhookDeliveries, WebhookEvents, WebhookSubscriptions } from "../../src/webhooks/store.ts"
import { broken, invariant, rowIn, type Rows, rowsUnder } from "./invariant.ts"
import { isSending } from "./support/subscriptions.ts"
import { noWorker, type Working, workingAfter } from "./support/working.ts"

interface Left extends Working {
  /** Since when a worker runs by a clock that is right. */
  readonly since: Instant
  /** Under which token a worker that crashed held what: events and deliveries. */
  readonly held: { readonly [id: string]: string }
}

export const whatADeadWorkerHeld = invariant<Left>({
  name: "what a dead worker held is taken over",
  kind: "eventually",
  says: "Within a minute a worker that runs has taken over what another held when it crashed.",
  begins: { ...noWorker, since: never, held: {} },
  sees: (left, { observed, rows }) => {
    if (observed.kind !== "worker" && observed.kind !== "act") return left
    const working = workingAfter(left, observed)
    const isAsBefore = working.worker === left.worker && working.isClockOff === left.isClockOff
    const crashed = observed.kind === "worker" && observed.did === "CRASHED"
    return {
      ...working,
      since: isAsBefore ? left.since : observed.at,
      held: crashed ? { ...left.held, ...heldIn(rows) } : left.held
    }
  },
  ends: ({ worker, isClockOff, since, held }, { observed, rows }) => {
    if (worker === null || isClockOff || observed.at < addMilliseconds(since, takenOverWithin)) return undefined
    const now = heldIn(rows, observed.at)
    const left = Object.entries(held).find(([id, token]) => now[id] === token)
    return left === undefined ? undefined : broken(`${left[0]} was held by a worker that crashed, and still is`)
  }
})

/** The rest of a lease, a look, and some time for what fails on the way. */
const takenOverWithin = 60_000

/** What is not done, by whoever holds it; at a moment, only what could be sent then. */
const heldIn = (rows: Rows, at?: Instant): { readonly [id: string]: string } => ({
  ...Object.fromEntries(
    rowsUnder(rows, WebhookEvents, [])
      .filter(({ dueAt, leaseToken }) => dueAt !== never && leaseToken !== "")
      .map(({ eventId, leaseToken }) => [eventId, leaseToken])
  ),
  ...Object.fromEntries(
    rowsUnder(rows, WebhookDeliveries, [])
      .filter(({ state, leaseToken }) => state === "PENDING" && leaseToken !== "")
      .filter(({ subscriptionId }) => at === undefined || isSent(subscriptionId, rows, at))
      .map(({ deliveryId, leaseToken }) => [deliveryId, leaseToken])
  )
})

const isSent = (subscriptionId: string, rows: Rows, at: Instant): boolean => {
  const subscription = rowIn(rows, WebhookSubscriptions, [subscriptionId])
  return subscription !== undefined && isSending(subscription, rows, at)
}
