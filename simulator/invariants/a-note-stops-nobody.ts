/** A failure of the store that is not about what was asked for is no answer to it (spec 7). */
import { Credentials } from "../../src/access/store.ts"
import { broken, invariant, type Moment } from "./invariant.ts"
import { askerOf, isOfAgents } from "./support/asker.ts"

/** Agents for whom it could not be noted that they asked. */
type Unnoted = ReadonlyArray<string>

export const aNoteStopsNobody = invariant<Unnoted>({
  name: "a note stops nobody",
  kind: "always",
  says: "An agent whose token was used before is answered, whether or not it can be noted that it was used again.",
  begins: [],
  sees: (unnoted, moment) => {
    const { observed } = moment
    switch (observed.kind) {
      case "request":
        // Who asks is found out while the token that is shown is still theirs.
        askerOf(moment)
        return without(unnoted, observed.actor)
      case "fault": {
        const others = without(unnoted, observed.actor)
        const isOfNote = observed.where === "write" && observed.what.join() === Credentials.name
        return isOfNote && !unnoted.includes(observed.actor) ? [...others, observed.actor].sort() : others
      }
      case "response":
        return observed.status === 503 && unnoted.includes(observed.actor) && wasUsedBefore(moment)
          ? broken(`${observed.actor} was answered with 503 because it could not be noted that it asked`)
          : without(unnoted, observed.actor)
      default:
        return unnoted
    }
  }
})

/** The first use has to be written: it ends every way to be shown the token again. */
const wasUsedBefore = (moment: Moment): boolean => {
  const { request, rows } = moment
  const shown = request !== undefined && isOfAgents(request) ? askerOf(moment)?.credential : undefined
  return rows
    .of(Credentials)
    .some((one) => one.grantId === shown?.grantId && one.generation === shown.generation && one.firstUsedAt !== null)
}

const without = (unnoted: Unnoted, actor: string): Unnoted =>
  unnoted.includes(actor) ? unnoted.filter((one) => one !== actor) : unnoted
