/** What was committed reaches whoever listens, and an acknowledgement is not lost (spec 6.1, 6.4). */
import { addMilliseconds, never, type Instant } from "../../src/vocabulary/instant.ts"
import { WebhookDeliveries, WebhookEvents } from "../../src/webhooks/store.ts"
import type { Observed } from "../observation.ts"
import { type Broken, broken, invariant, type Moment, rowsUnder } from "./invariant.ts"
import { noWorker, type Working, workingAfter } from "./support/working.ts"
import { changesTo } from "./support/commits.ts"
import { sorted } from "./support/sorted.ts"

interface Arriving extends Working {
  /** When a receiver took each of these; that was not written down yet. */
  readonly taken: { readonly [delivery: string]: Instant }
}

export const everyCallbackArrives = invariant<Arriving>({
  name: "every callback arrives",
  kind: "eventually",
  says: "What is committed is numbered for whoever listens, and what a receiver took is written down as delivered.",
  begins: { ...noWorker, taken: {} },
  sees: (arriving, moment) => {
    const { observed } = moment
    switch (observed.kind) {
      case "reply":
        return { ...arriving, taken: takenAfter(arriving.taken, observed) }
      case "worker":
        return { ...workingAfter(arriving, observed), taken: {} }
      case "fault":
        // What the store did not take down is sent once more.
        return observed.actor === arriving.worker ? { ...arriving, taken: {} } : arriving
      case "commit":
        return settled(arriving, moment)
      default:
        return workingAfter(arriving, observed)
    }
  },
  ends: ({ worker, isClockOff, taken }, { observed, rows }) => {
    if (worker === null || isClockOff) return undefined
    const isLongAgo = (moment: Instant) => addMilliseconds(moment, workMost) < observed.at
    const unwritten = Object.entries(taken).find(([, at]) => isLongAgo(at))
    if (unwritten !== undefined) return broken(`${unwritten[0]} was taken by its receiver, and nobody wrote that down`)
    const unnumbered = rowsUnder(rows, WebhookEvents, []).find(
      ({ dueAt, leasedUntil }) => dueAt !== never && isLongAgo(dueAt) && isLongAgo(leasedUntil)
    )
    return unnumbered === undefined
      ? undefined
      : broken(`${unnumbered.eventId} was committed, and nobody is told of it`)
  }
})

/** A worker looks every fifteen seconds, and a lease of one that died lasts thirty. */
const workMost = 60_000

type Reply = Extract<Observed, { readonly kind: "reply" }>

const takenAfter = (taken: Arriving["taken"], { delivery, answer, at }: Reply): Arriving["taken"] => {
  const { [delivery]: _, ...others } = taken
  const isTaken = typeof answer === "number" && answer >= 200 && answer < 300
  return isTaken ? sorted({ ...others, [delivery]: at }) : others
}

const settled = (arriving: Arriving, moment: Moment): Arriving | Broken => {
  let { taken } = arriving
  for (const { key, was, is } of changesTo(moment, WebhookDeliveries)) {
    const id = String(key[0])
    if (taken[id] === undefined || is === undefined || was?.leaseToken === is.leaseToken) continue
    // Given back by the one who had the answer.
    if (is.leaseToken === "" && is.state !== "DELIVERED")
      return broken(`${id} was taken by its receiver and is ${is.state}`)
    const { [id]: _, ...others } = taken
    taken = others
  }
  return { ...arriving, taken }
}
