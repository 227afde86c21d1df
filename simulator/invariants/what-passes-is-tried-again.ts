/** A conflict or a lost connection of the store is tried again where it is met once, and is no answer (spec 7). */
import { type Json, type JsonObject, valueAt } from "../script/json.ts"
import { broken, invariant } from "./invariant.ts"

interface Met extends JsonObject {
  /** Who met failures that pass in what they ask for now, each as often as that: the store tries once, and then gives up. */
  readonly met: ReadonlyArray<string>
  /** Who waits for an answer, each as often as that: which of their requests was struck nobody says. */
  readonly waiting: ReadonlyArray<string>
}

export const whatPassesIsTriedAgain = invariant<Met>({
  name: "what passes is tried again",
  kind: "always",
  says: "A conflict or a lost connection of the store reaches nobody, and nothing that the store does is answered with 500.",
  begins: { met: [], waiting: [] },
  sees: (seen, { observed }) => {
    const { met, waiting } = seen
    switch (observed.kind) {
      case "request": {
        const { actor } = observed
        return { met: waiting.includes(actor) ? met : without(met, actor), waiting: [...waiting, actor].sort() }
      }
      case "fault": {
        const { actor, fault } = observed
        if (passing.has(fault)) return { met: [...met, actor].sort(), waiting }
        // One that lasts is answered with 503, whichever of several requests it has struck.
        const areSeveral = timesOf(actor, waiting) > 1
        return { met: areSeveral ? [...met, actor, actor].sort() : without(met, actor), waiting }
      }
      case "response": {
        const { actor, status, body } = observed
        if (status === 500) return broken(`${actor} was answered with 500`)
        if (isUnavailable(body) && timesOf(actor, met) === 1) {
          return broken(`${actor} was answered with 503 because of what passes`)
        }
        const position = waiting.indexOf(actor)
        const left = position < 0 ? waiting : waiting.toSpliced(position, 1)
        return { met: left.includes(actor) ? met : without(met, actor), waiting: left }
      }
      case "process":
        // Whoever waited for it hears nothing.
        return observed.did === "CRASHED" ? { met: [], waiting: [] } : seen
      default:
        return seen
    }
  }
})

const timesOf = (actor: string, names: ReadonlyArray<string>): number => names.filter((one) => one === actor).length

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

const without = (met: ReadonlyArray<string>, actor: string): ReadonlyArray<string> =>
  met.includes(actor) ? met.filter((one) => one !== actor) : met
