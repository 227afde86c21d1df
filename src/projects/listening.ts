/** The view of a webhook subscriber: whether it still represents a side, and its next action. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { readMembership } from "../people/human.ts"
import type { Reader } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { readCircumstances, type Answering } from "./circumstances.ts"
import { readStored } from "./history.ts"
import { isAsked, readIssuance } from "./issuance.ts"
import { nextActionFor } from "./next-action.ts"
import { readTakenSide } from "./one-side.ts"
import { standingOf } from "./speaker.ts"
import { Projects } from "./store.ts"

/** The side that a membership represents on the project now; undefined for none. */
export const readStanding = Effect.fnUntraced(function* (
  reader: Reader,
  membershipId: string,
  projectId: string,
  now: Instant
) {
  const [row, membership] = yield* Effect.all(
    [reader.get(Projects, [projectId]), readMembership(reader, membershipId)],
    { concurrency: "unbounded" }
  )
  if (row === undefined || membership === undefined) return undefined
  const side = standingOf(row, membership, now)
  const recordedSide = yield* readTakenSide(reader, projectId, membership.personId)
  return recordedSide === undefined || recordedSide === side ? side : undefined
})

/** The next action of that side; undefined for an unknown project. */
export const readNextAction = Effect.fnUntraced(function* (
  reader: Reader,
  projectId: string,
  { side, ...respondent }: Answering & { readonly side: Role },
  now: Instant
) {
  const [stored, issuance] = yield* Effect.all([readStored(reader, projectId), readIssuance(reader, projectId)], {
    concurrency: "unbounded"
  })
  if (stored === undefined) return undefined
  const relatedFacts = yield* readCircumstances(reader, stored, respondent, now)
  const { project } = stored
  return nextActionFor({ project, isIssuanceAsked: isAsked(issuance), circumstances: relatedFacts, now }, side)
})
