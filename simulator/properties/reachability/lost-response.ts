/** Vacuity checks: at least one schedule must lose a response, a commit's outcome, and replay a request (spec 4.3). */
import { RequestKeys } from "../../../src/replay/store.ts"
import { callerOf, requestIdOf } from "../support/caller.ts"
import { pendingRequestKey, monitoredProperty, witness, rowIn } from "../property.ts"

export const responseLostAfterCommit = monitoredProperty<null>({
  name: "response lost after commit",
  kind: "sometimes",
  says: "The response to a committed request is lost.",
  initial: null,
  next: (_, { observed, request }) =>
    observed.kind === "response" && observed.lost && observed.status < 300 && request?.method === "POST"
      ? witness
      : null
})

export const commitWithUnknownOutcome = monitoredProperty<null>({
  name: "commit with unknown outcome",
  kind: "sometimes",
  says: "A transaction commits and its process does not learn the outcome.",
  initial: null,
  next: (_, { observed }) =>
    observed.kind === "fault" && (observed.fault === "commit-lost-unknown" || observed.fault === "after-commit")
      ? witness
      : null
})

export const replayAnswered = monitoredProperty<ReadonlyArray<string>>({
  name: "replay answered",
  kind: "sometimes",
  says: "A repeated request gets the response of its first execution.",
  // Requests without a response so far whose ids had already committed when they were sent.
  initial: [],
  next: (replays, moment) => {
    const { observed, request, rows } = moment
    if (request === undefined || observed.kind === "commit") return replays
    const place = pendingRequestKey(request)
    const others = replays.includes(place) ? replays.filter((one) => one !== place) : replays
    if (observed.kind === "response") return replays.includes(place) && observed.status < 300 ? witness : others
    const owner = callerOf(moment)?.owner
    const requestId = requestIdOf(request)
    const isKnown =
      owner !== undefined && requestId !== undefined && rowIn(rows, RequestKeys, [owner, requestId]) !== undefined
    return isKnown ? [...others, place].sort() : others
  }
})
