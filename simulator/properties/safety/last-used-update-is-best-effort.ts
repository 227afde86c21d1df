/** A storage failure outside the requested operation does not fail the request (spec 7). */
import { Credentials } from "../../../src/access/store.ts"
import { violation, monitoredProperty, type Moment } from "../property.ts"
import { callerOf, isAgentRequest } from "../support/caller.ts"

/** Agents whose last-used update failed. */
type FailedUpdates = ReadonlyArray<string>

export const lastUsedUpdateIsBestEffort = monitoredProperty<FailedUpdates>({
  name: "last-used update is best-effort",
  kind: "always",
  says: "A failure to update the last-used time of a credential that was used before does not fail the request.",
  judges: { kinds: ["request", "fault", "response"] },
  initial: [],
  next: (failed, moment) => {
    const { observed } = moment
    switch (observed.kind) {
      case "request":
        // The caller is resolved while the presented token is still valid.
        callerOf(moment)
        return without(failed, observed.actor)
      case "fault": {
        const others = without(failed, observed.actor)
        const isLastUsedUpdate = observed.where === "write" && observed.what.join() === Credentials.name
        return isLastUsedUpdate && !failed.includes(observed.actor) ? [...others, observed.actor].sort() : others
      }
      case "response":
        return observed.status === 503 && failed.includes(observed.actor) && wasUsedBefore(moment)
          ? violation(`${observed.actor} got 503 because the last-used time could not be updated`)
          : without(failed, observed.actor)
      default:
        return failed
    }
  }
})

/** The first use must be stored: after it the token is not returned again. */
const wasUsedBefore = (moment: Moment): boolean => {
  const { request, rows } = moment
  const presented = request !== undefined && isAgentRequest(request) ? callerOf(moment)?.credential : undefined
  return rows
    .of(Credentials)
    .some(
      (one) => one.grantId === presented?.grantId && one.generation === presented.generation && one.firstUsedAt !== null
    )
}

const without = (failed: FailedUpdates, actor: string): FailedUpdates =>
  failed.includes(actor) ? failed.filter((one) => one !== actor) : failed
