/** Vacuity checks: at least one schedule must lose a response, a commit's outcome, and replay a request (spec 4.3). */
import { RequestKeys } from "../../src/replay/store.ts"
import { askerOf, requestIdOf } from "./support/asker.ts"
import { askedBy, invariant, reached, rowIn } from "./invariant.ts"

export const anAnswerIsLost = invariant<null>({
  name: "an answer is lost after its commit",
  kind: "sometimes",
  says: "The response to a committed request is lost.",
  begins: null,
  sees: (_, { observed, request }) =>
    observed.kind === "response" && observed.lost && observed.status < 300 && request?.method === "POST"
      ? reached
      : null
})

export const aCommitGoesUnnoticed = invariant<null>({
  name: "a commit goes unnoticed",
  kind: "sometimes",
  says: "A transaction commits and its process does not learn the outcome.",
  begins: null,
  sees: (_, { observed }) =>
    observed.kind === "fault" && (observed.fault === "commit-lost-unknown" || observed.fault === "after-commit")
      ? reached
      : null
})

export const aReplayIsAnswered = invariant<ReadonlyArray<string>>({
  name: "a replay is answered",
  kind: "sometimes",
  says: "A repeated request gets the response of its first execution.",
  // Requests without a response so far whose ids had already committed when they were sent.
  begins: [],
  sees: (replays, moment) => {
    const { observed, request, rows } = moment
    if (request === undefined || observed.kind === "commit") return replays
    const place = askedBy(request)
    const others = replays.includes(place) ? replays.filter((one) => one !== place) : replays
    if (observed.kind === "response") return replays.includes(place) && observed.status < 300 ? reached : others
    const owner = askerOf(moment)?.owner
    const requestId = requestIdOf(request)
    const isKnown =
      owner !== undefined && requestId !== undefined && rowIn(rows, RequestKeys, [owner, requestId]) !== undefined
    return isKnown ? [...others, place].sort() : others
  }
})
