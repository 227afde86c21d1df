/** Idempotency: a retry with the same request id creates no second business event (spec 4.3). */
import { isObject } from "../script/json.ts"
import { askedUnder, askerOf, bodyOf } from "./support/asker.ts"
import { askedBy, broken, invariant, type RequestSeen } from "./invariant.ts"
import { type CommitSeen, hasEffect } from "./support/commits.ts"

type Effects = {
  /** Committed requests without a response so far, by actor and step. */
  readonly pending: ReadonlyArray<string>
  /** Committed request ids with their owners. */
  readonly committed: ReadonlyArray<string>
}

export const oneRequestOneEffect = invariant<Effects>({
  name: "one request, one effect",
  kind: "always",
  says: "A request takes effect at most once, and so do all requests with the same id, under any losses and retries.",
  begins: { pending: [], committed: [] },
  sees: (effects, moment) => {
    const { observed, request } = moment
    if (request === undefined) return effects
    const place = askedBy(request)
    if (observed.kind === "request") askerOf(moment)
    if (observed.kind === "request" || observed.kind === "response") return without(effects, place)
    if (observed.kind !== "commit" || !hasEffect(observed) || isAdditionalCommit(request, observed)) return effects
    if (effects.pending.includes(place)) return broken(`${request.method} ${request.path} took effect twice`)
    const id = askedUnder(moment)
    if (id !== undefined && effects.committed.includes(id)) {
      return broken(`${request.method} ${request.path} took effect under an already used request id`)
    }
    return {
      pending: [...effects.pending, place].sort(),
      committed: id === undefined ? effects.committed : [...effects.committed, id].sort()
    }
  }
})

const without = (effects: Effects, place: string): Effects =>
  effects.pending.includes(place) ? { ...effects, pending: effects.pending.filter((one) => one !== place) } : effects

/** Additional commits of a request beside its effect. */
const isAdditionalCommit = ({ path, ...request }: RequestSeen, commit: CommitSeen): boolean => {
  // A member who joined right before the removal of a workspace is removed by a separate commit.
  if (path === "/api/workspace/account/remove") return commit.writes.length === 1
  // Subscriptions whose authority has ended are removed before a new one is added.
  const makesSubscription = path.endsWith("webhooks") && isObject(bodyOf({ ...request, path }))
  return makesSubscription && commit.writes.every(({ change }) => change !== "insert")
}
