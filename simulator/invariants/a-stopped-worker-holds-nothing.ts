/** A lease is for crashes (spec 6.4): whoever is stopped in good order gives back what it holds before it has ended. */
import { WebhookDeliveries, WebhookEvents } from "../../src/webhooks/store.ts"
import type { JsonObject } from "../script/json.ts"
import { broken, invariant, type Moment } from "./invariant.ts"
import { changesTo } from "./support/commits.ts"
import { sorted } from "./support/sorted.ts"

interface Holding extends JsonObject {
  /** Who took an event or a delivery, and has not given it back. */
  readonly holders: { readonly [id: string]: string }
  /** Who stops a worker, and whom. */
  readonly stopping: { readonly by: string; readonly worker: string } | null
}

export const aStoppedWorkerHoldsNothing = invariant<Holding>({
  name: "a stopped worker holds nothing",
  kind: "always",
  says: "A worker that was stopped in good order, and met no failure of the store, holds no event and no delivery.",
  begins: { holders: {}, stopping: null },
  sees: (holding, moment) => {
    const { observed } = moment
    switch (observed.kind) {
      case "commit":
        return { ...holding, holders: holdersAfter(holding.holders, observed.actor, moment) }
      case "fault":
        // What it could not write down it cannot give back.
        return { ...holding, holders: without(holding.holders, observed.actor) }
      case "act":
        return observed.operation === "stopWorker"
          ? { ...holding, stopping: { by: observed.actor, worker: "" } }
          : holding
      case "worker": {
        if (observed.did === "CRASHED") return { ...holding, holders: without(holding.holders, observed.actor) }
        if (observed.did !== "STOPPED" || holding.stopping === null) return holding
        return { ...holding, stopping: { ...holding.stopping, worker: observed.actor } }
      }
      case "answer": {
        const { holders, stopping } = holding
        if (stopping?.by !== observed.actor) return holding
        const held = Object.entries(holders).find(([, holder]) => holder === stopping.worker)
        return held === undefined
          ? { ...holding, stopping: null }
          : broken(`${stopping.worker} was stopped, and still holds ${held[0]}`)
      }
      default:
        return holding
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
