/** What somebody never learns of (spec 4.3): a search that loses nothing says nothing about losses. */
import { RequestKeys } from "../../src/replay/store.ts"
import { askerOf, requestIdOf } from "./support/asker.ts"
import { askedBy, invariant, reached, rowIn } from "./invariant.ts"

export const anAnswerIsLost = invariant<null>({
  name: "an answer is lost after its commit",
  kind: "sometimes",
  says: "Something was committed and answered, and the answer never arrived.",
  begins: null,
  sees: (_, { observed, request }) =>
    observed.kind === "response" && observed.lost && observed.status < 300 && request?.method === "POST"
      ? reached
      : null
})

export const aCommitGoesUnnoticed = invariant<null>({
  name: "a commit goes unnoticed",
  kind: "sometimes",
  says: "Something was committed, and whoever did it never learned of it.",
  begins: null,
  sees: (_, { observed }) =>
    observed.kind === "fault" && (observed.fault === "commit-lost-unknown" || observed.fault === "after-commit")
      ? reached
      : null
})

export const aReplayIsAnswered = invariant<ReadonlyArray<string>>({
  name: "a replay is answered",
  kind: "sometimes",
  says: "A request that had its effect before is sent again, and answered as the first time.",
  // Requests that nobody has answered yet and whose ids had had their effect when they were sent.
  begins: [],
  sees: (again, moment) => {
    const { observed, request, rows } = moment
    if (request === undefined || observed.kind === "commit") return again
    const place = askedBy(request)
    const others = again.includes(place) ? again.filter((one) => one !== place) : again
    if (observed.kind === "response") return again.includes(place) && observed.status < 300 ? reached : others
    const owner = askerOf(moment)?.owner
    const requestId = requestIdOf(request)
    const isKnown =
      owner !== undefined && requestId !== undefined && rowIn(rows, RequestKeys, [owner, requestId]) !== undefined
    return isKnown ? [...others, place].sort() : others
  }
})
