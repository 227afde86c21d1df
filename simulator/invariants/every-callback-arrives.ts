/** Committed events reach their subscribers, and acknowledgements are not lost (spec 6.1, 6.4). */
import { addMilliseconds, never, type Instant } from "../../src/vocabulary/instant.ts"
import { WebhookDeliveries, WebhookEvents } from "../../src/webhooks/store.ts"
import type { Observed } from "../observation.ts"
import { type Broken, broken, invariant, type Moment, rowsUnder } from "./invariant.ts"
import { noWorker, type Working, workingAfter } from "./support/working.ts"
import { changesTo } from "./support/commits.ts"
import { sorted } from "./support/sorted.ts"

interface DeliveryProgress extends Working {
  /** By delivery: the time of an acknowledgement that is not recorded so far. */
  readonly acknowledged: { readonly [delivery: string]: Instant }
}

export const everyCallbackArrives = invariant<DeliveryProgress>({
  name: "every callback arrives",
  kind: "eventually",
  says: "Each committed event becomes a delivery for its subscriptions, and each acknowledged delivery is recorded as delivered.",
  begins: { ...noWorker, acknowledged: {} },
  sees: (state, moment) => {
    const { observed } = moment
    switch (observed.kind) {
      case "reply":
        return { ...state, acknowledged: acknowledgedAfter(state.acknowledged, observed) }
      case "worker":
        return { ...workingAfter(state, observed), acknowledged: {} }
      case "fault":
        // A delivery whose outcome could not be stored is sent again.
        return observed.actor === state.worker ? { ...state, acknowledged: {} } : state
      case "commit":
        return afterCommit(state, moment)
      default:
        return workingAfter(state, observed)
    }
  },
  ends: ({ worker, isClockOff, acknowledged }, { observed, rows }) => {
    if (worker === null || isClockOff) return undefined
    const isLongAgo = (moment: Instant) => addMilliseconds(moment, overdueAfter) < observed.at
    const unrecorded = Object.entries(acknowledged).find(([, at]) => isLongAgo(at))
    if (unrecorded !== undefined)
      return broken(`${unrecorded[0]} was acknowledged by its receiver and not recorded as delivered`)
    const unnumbered = rowsUnder(rows, WebhookEvents, []).find(
      ({ dueAt, leasedUntil }) => dueAt !== never && isLongAgo(dueAt) && isLongAgo(leasedUntil)
    )
    return unnumbered === undefined ? undefined : broken(`${unnumbered.eventId} was committed without deliveries`)
  }
})

/** The poll interval is fifteen seconds, and the lease of a crashed worker lasts thirty. */
const overdueAfter = 60_000

type Reply = Extract<Observed, { readonly kind: "reply" }>

const acknowledgedAfter = (
  acknowledged: DeliveryProgress["acknowledged"],
  { delivery, answer, at }: Reply
): DeliveryProgress["acknowledged"] => {
  const { [delivery]: _, ...others } = acknowledged
  const isAcknowledged = typeof answer === "number" && answer >= 200 && answer < 300
  return isAcknowledged ? sorted({ ...others, [delivery]: at }) : others
}

const afterCommit = (state: DeliveryProgress, moment: Moment): DeliveryProgress | Broken => {
  let { acknowledged } = state
  for (const { key, was, is } of changesTo(moment, WebhookDeliveries)) {
    const id = String(key[0])
    if (acknowledged[id] === undefined || is === undefined || was?.leaseToken === is.leaseToken) continue
    // Released by the process that got the response.
    if (is.leaseToken === "" && is.state !== "DELIVERED")
      return broken(`${id} was acknowledged by its receiver and is ${is.state}`)
    const { [id]: _, ...others } = acknowledged
    acknowledged = others
  }
  return { ...state, acknowledged }
}
