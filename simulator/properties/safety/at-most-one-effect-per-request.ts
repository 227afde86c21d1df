/** Idempotency: a retry with the same request id creates no second business event (spec 4.3). */
import { isObject } from "../../vocabulary/json.ts"
import { idempotencyKeyOf, callerOf, bodyOf } from "../support/caller.ts"
import { pendingRequestKey, violation, monitoredProperty, type RequestObservation } from "../property.ts"
import { type CommitObservation, hasEffect, isOpeningOutcome } from "../support/commits.ts"

type Effects = {
  /** Committed requests without a response so far, by actor and step. */
  readonly pending: ReadonlyArray<string>
  /** Committed request ids with their owners. */
  readonly committed: ReadonlyArray<string>
}

export const atMostOneEffectPerRequest = monitoredProperty<Effects>({
  name: "at most one effect per request",
  kind: "always",
  says: "A request takes effect at most once, and so do all requests with the same id, under any losses and retries.",
  judges: { kinds: ["request", "commit", "response"] },
  initial: { pending: [], committed: [] },
  next: (effects, moment) => {
    const { observed, request } = moment
    if (request === undefined) return effects
    const place = pendingRequestKey(request)
    if (observed.kind === "request") callerOf(moment)
    if (observed.kind === "request" || observed.kind === "response") return without(effects, place)
    if (observed.kind !== "commit" || !hasEffect(observed) || isAdditionalCommit(request, observed)) return effects
    if (effects.pending.includes(place)) return violation(`${request.method} ${request.path} took effect twice`)
    const id = idempotencyKeyOf(moment)
    if (id !== undefined && effects.committed.includes(id)) {
      return violation(`${request.method} ${request.path} took effect under an already used request id`)
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
const isAdditionalCommit = ({ path, ...request }: RequestObservation, commit: CommitObservation): boolean => {
  // A member who joined right before the removal of a workspace is removed by a separate commit.
  if (path === "/api/workspace/account/remove") return commit.writes.length === 1
  // The provider is asked between the opening of an attempt and the commit of its answer.
  if (path.endsWith("/payments")) return isOpeningOutcome(commit)
  // Subscriptions whose authority has ended are removed before a new one is added.
  const makesSubscription = path.endsWith("webhooks") && isObject(bodyOf({ ...request, path }))
  return makesSubscription && commit.writes.every(({ change }) => change !== "insert")
}
