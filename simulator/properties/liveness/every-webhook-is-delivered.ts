/** Committed events reach their subscribers, and acknowledgements are not lost (spec 6.1, 6.4). */
import { addMilliseconds, never, type Instant } from "../../../src/vocabulary/instant.ts"
import { WebhookDeliveries, WebhookEvents } from "../../../src/webhooks/store.ts"
import type { TimedObservation } from "../../observation/observation.ts"
import { type PropertyViolation, violation, monitoredProperty, type Moment, rowsWithPrefix } from "../property.ts"
import { noWorker, type WorkerState, workerStateAfter } from "../support/worker-state.ts"
import { changesTo } from "../support/commits.ts"
import { sorted } from "../support/sorted.ts"

interface DeliveryProgress extends WorkerState {
  /** By delivery: the time of an acknowledgement that is not recorded so far. */
  readonly acknowledged: { readonly [delivery: string]: Instant }
}

export const everyWebhookIsDelivered = monitoredProperty<DeliveryProgress>({
  name: "every webhook is delivered",
  kind: "eventually",
  says: "Each committed event becomes a delivery for its subscriptions, and each acknowledged delivery is recorded as delivered.",
  judges: { kinds: ["reply", "worker", "fault", "act"], commitsTo: [WebhookDeliveries] },
  initial: { ...noWorker, acknowledged: {} },
  next: (state, moment) => {
    const { observed } = moment
    switch (observed.kind) {
      case "reply":
        return { ...state, acknowledged: acknowledgedAfter(state.acknowledged, observed) }
      case "worker":
        return { ...workerStateAfter(state, observed), acknowledged: {} }
      case "fault":
        // A delivery whose outcome could not be stored is sent again.
        return observed.actor === state.worker ? { ...state, acknowledged: {} } : state
      case "commit":
        return afterCommit(state, moment)
      default:
        return workerStateAfter(state, observed)
    }
  },
  atEnd: ({ worker, isClockOff, acknowledged }, { observed, rows }) => {
    if (worker === null || isClockOff) return undefined
    const isLongAgo = (moment: Instant) => addMilliseconds(moment, overdueAfter) < observed.at
    const unrecorded = Object.entries(acknowledged).find(([, at]) => isLongAgo(at))
    if (unrecorded !== undefined)
      return violation(`${unrecorded[0]} was acknowledged by its receiver and not recorded as delivered`)
    const unnumbered = rowsWithPrefix(rows, WebhookEvents, []).find(
      ({ dueAt, leasedUntil }) => dueAt !== never && isLongAgo(dueAt) && isLongAgo(leasedUntil)
    )
    return unnumbered === undefined ? undefined : violation(`${unnumbered.eventId} was committed without deliveries`)
  }
})

/** The poll interval is fifteen seconds, and the lease of a crashed worker lasts thirty. */
const overdueAfter = 60_000
const leaseLength = 30_000

type Reply = Extract<TimedObservation, { readonly kind: "reply" }>

const acknowledgedAfter = (
  acknowledged: DeliveryProgress["acknowledged"],
  { delivery, answer, at }: Reply
): DeliveryProgress["acknowledged"] => {
  const { [delivery]: _, ...others } = acknowledged
  const isAcknowledged = typeof answer === "number" && answer >= 200 && answer < 300
  return isAcknowledged ? sorted({ ...others, [delivery]: at }) : others
}

const afterCommit = (state: DeliveryProgress, moment: Moment): DeliveryProgress | PropertyViolation => {
  let { acknowledged } = state
  for (const { key, was, is } of changesTo(moment, WebhookDeliveries)) {
    const id = String(key[0])
    if (acknowledged[id] === undefined || is === undefined || was?.leaseToken === is.leaseToken) continue
    // Released by the process that got the response, unless it was delayed until its lease had ended.
    const isLate = moment.delayed >= leaseLength && addMilliseconds(acknowledged[id], leaseLength) <= moment.observed.at
    if (is.leaseToken === "" && is.state !== "DELIVERED" && !isLate)
      return violation(`${id} was acknowledged by its receiver and is ${is.state}`)
    const { [id]: _, ...others } = acknowledged
    acknowledged = others
  }
  return { ...state, acknowledged }
}
