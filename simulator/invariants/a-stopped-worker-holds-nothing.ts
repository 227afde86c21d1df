/** A lease is for crashes (spec 6.4): whoever is stopped in good order gives back what it holds before it has ended. */
import { WebhookDeliveries, WebhookEvents } from "../../src/webhooks/store.ts"
import { broken, invariant, type Moment } from "./invariant.ts"
import { changesTo } from "./support/commits.ts"
import { sorted } from "./support/sorted.ts"
import { endedBy, nobodyStops, type Stopping, stoppingAfter } from "./support/stopping.ts"

interface Holding extends Stopping {
  /** Who took an event or a delivery, and has not given it back. */
  readonly holders: { readonly [id: string]: string }
  /** Whose next commit goes through without its knowing; null where nobody's does. */
  readonly unaware: string | null
}

export const aStoppedWorkerHoldsNothing = invariant<Holding>({
  name: "a stopped worker holds nothing",
  kind: "always",
  says: "A worker that was stopped in good order, and met no failure of the store, holds no event and no delivery.",
  begins: { ...nobodyStops, holders: {}, unaware: null },
  sees: (holding, moment) => {
    const { observed } = moment
    const { holders, unaware } = holding
    switch (observed.kind) {
      case "commit": {
        const now = holdersAfter(holders, observed.actor, moment)
        // What it was never told that it has taken it cannot give back either.
        return observed.actor === unaware
          ? { ...holding, holders: without(now, observed.actor), unaware: null }
          : { ...holding, holders: now }
      }
      case "fault": {
        // What it could not write down it cannot give back.
        const isUnaware = observed.fault === "commit-lost-unknown"
        return {
          ...holding,
          holders: without(holders, observed.actor),
          unaware: isUnaware ? observed.actor : unaware
        }
      }
      default: {
        const ended = endedBy(holding, observed)
        const held = Object.entries(holders).find(([, holder]) => holder === ended)
        if (held !== undefined) return broken(`${ended} was stopped, and still holds ${held[0]}`)
        const stops = stoppingAfter(holding, observed)
        return observed.kind === "worker" && observed.did === "CRASHED"
          ? { ...stops, holders: without(holders, observed.actor) }
          : stops
      }
    }
  }
})

type Holders = Holding["holders"]

const holdersAfter = (holders: Holders, actor: string, moment: Moment): Holders => {
  const changed = [...changesTo(moment, WebhookEvents), ...changesTo(moment, WebhookDeliveries)]
  if (changed.length === 0) return holders
  const now = { ...holders }
  for (const { key, was, is } of changed) {
    if (is === undefined || is.leaseToken === "") delete now[String(key[0])]
    else if (was?.leaseToken !== is.leaseToken) now[String(key[0])] = actor
  }
  return sorted(now)
}

const without = (holders: Holders, actor: string): Holders =>
  Object.fromEntries(Object.entries(holders).filter(([, holder]) => holder !== actor))
