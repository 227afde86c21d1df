/** A retry with the same request id creates no second business event (spec 4.3). */
import { isObject } from "../script/json.ts"
import { askedUnder, askerOf, bodyOf } from "./support/asker.ts"
import { askedBy, broken, invariant, type RequestSeen } from "./invariant.ts"
import { type CommitSeen, hasEffect } from "./support/commits.ts"

type Effects = {
  /** Requests that nobody has answered yet and that had their effect: who sent each, and in which step. */
  readonly underWay: ReadonlyArray<string>
  /** Request ids that had their effect, with whose they are. */
  readonly done: ReadonlyArray<string>
}

export const oneRequestOneEffect = invariant<Effects>({
  name: "one request, one effect",
  kind: "always",
  says: "An HTTP request has at most one effect, and so have all requests with one id, whatever was lost or tried again.",
  begins: { underWay: [], done: [] },
  sees: (effects, moment) => {
    const { observed, request } = moment
    if (request === undefined) return effects
    const place = askedBy(request)
    if (observed.kind === "request") askerOf(moment)
    if (observed.kind === "request" || observed.kind === "response") return without(effects, place)
    if (observed.kind !== "commit" || !hasEffect(observed) || goesAlong(request, observed)) return effects
    if (effects.underWay.includes(place)) return broken(`${request.method} ${request.path} had a second effect`)
    const id = askedUnder(moment)
    if (id !== undefined && effects.done.includes(id)) {
      return broken(`${request.method} ${request.path} had an effect under the request id of an earlier effect`)
    }
    return {
      underWay: [...effects.underWay, place].sort(),
      done: id === undefined ? effects.done : [...effects.done, id].sort()
    }
  }
})

const without = (effects: Effects, place: string): Effects =>
  effects.underWay.includes(place) ? { ...effects, underWay: effects.underWay.filter((one) => one !== place) } : effects

/** What one request commits one after the other, beside its effect. */
const goesAlong = ({ path, ...request }: RequestSeen, commit: CommitSeen): boolean => {
  // Whoever joined a workspace in the moment before it is removed is let go by a commit of their own.
  if (path === "/api/workspace/account/remove") return commit.writes.length === 1
  // Subscriptions whose authority is gone make room for a new one.
  const makesSubscription = path.endsWith("webhooks") && isObject(bodyOf({ ...request, path }))
  return makesSubscription && commit.writes.every(({ change }) => change !== "insert")
}
