/** Leases are for crashes (spec 6.4): a worker releases its leases during a graceful stop. */
import { WebhookDeliveries, WebhookEvents } from "../../../src/webhooks/store.ts"
import { violation, monitoredProperty, type Moment } from "../property.ts"
import { changesTo } from "../support/commits.ts"
import { sorted } from "../support/sorted.ts"
import { stoppedWorker, noStop, type GracefulStop, gracefulStopAfter } from "../support/graceful-stop.ts"

interface LeaseState extends GracefulStop {
  /** By event or delivery: the worker with an unreleased lease. */
  readonly holders: { readonly [id: string]: string }
  /** The worker whose next COMMIT succeeds with an unknown outcome, or null. */
  readonly unaware: string | null
}

export const gracefulStopReleasesLeases = monitoredProperty<LeaseState>({
  name: "graceful stop releases leases",
  kind: "always",
  says: "A worker that stopped gracefully and without a storage failure holds no lease.",
  judges: { kinds: ["commit", "fault", "act", "worker", "answer"] },
  initial: { ...noStop, holders: {}, unaware: null },
  next: (state, moment) => {
    const { observed } = moment
    const { holders, unaware } = state
    switch (observed.kind) {
      case "commit": {
        const now = holdersAfter(holders, observed.actor, moment)
        // A worker cannot release a lease whose grant it did not learn.
        return observed.actor === unaware
          ? { ...state, holders: without(now, observed.actor), unaware: null }
          : { ...state, holders: now }
      }
      case "fault": {
        // After a storage failure a worker cannot release.
        const isUnaware = observed.fault === "commit-lost-unknown"
        return {
          ...state,
          holders: without(holders, observed.actor),
          unaware: isUnaware ? observed.actor : unaware
        }
      }
      default: {
        const ended = stoppedWorker(state, observed)
        const held = Object.entries(holders).find(([, holder]) => holder === ended)
        if (held !== undefined) return violation(`${ended} was stopped and still holds ${held[0]}`)
        const stops = gracefulStopAfter(state, observed)
        return observed.kind === "worker" && observed.did === "CRASHED"
          ? { ...stops, holders: without(holders, observed.actor) }
          : stops
      }
    }
  }
})

type Holders = LeaseState["holders"]

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
