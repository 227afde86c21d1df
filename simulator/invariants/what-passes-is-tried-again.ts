/** A conflict or a lost connection of the store is tried again where it is met once, and is no answer (spec 7). */
import { type Json, valueAt } from "../script/json.ts"
import { broken, invariant } from "./invariant.ts"

/** Who met failures that pass in what they ask for now, each as often as that: the store tries once, and then gives up. */
type Met = ReadonlyArray<string>

export const whatPassesIsTriedAgain = invariant<Met>({
  name: "what passes is tried again",
  kind: "always",
  says: "A conflict or a lost connection of the store reaches nobody, and nothing that the store does is answered with 500.",
  begins: [],
  sees: (met, { observed }) => {
    switch (observed.kind) {
      case "request":
        return without(met, observed.actor)
      case "fault": {
        return passing.has(observed.fault) ? [...met, observed.actor].sort() : without(met, observed.actor)
      }
      case "response":
        if (observed.status === 500) return broken(`${observed.actor} was answered with 500`)
        return isUnavailable(observed.body) && met.filter((one) => one === observed.actor).length === 1
          ? broken(`${observed.actor} was answered with 503 because of what passes`)
          : without(met, observed.actor)
      default:
        return met
    }
  }
})

/** An issuer without a key is answered with 503 as well: that is not the store. */
const isUnavailable = (body: Json | undefined): boolean => valueAt(body ?? null, "error") === "TEMPORARILY_UNAVAILABLE"

/** What the store asks to be tried again, and a COMMIT whose outcome was found out. */
const passing: ReadonlySet<string> = new Set([
  "40001",
  "40P01",
  "connection-lost",
  "commit-lost-committed",
  "commit-lost-running",
  "commit-lost-aborted"
])

const without = (met: Met, actor: string): Met => (met.includes(actor) ? met.filter((one) => one !== actor) : met)
