/** The view of a webhook subscriber: whether it still represents a side, and its next action. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { readMembership } from "../people/acting-person.ts"
import { readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { readRelatedFacts, type Respondent } from "./related-projects.ts"
import { readStoredProject } from "./history.ts"
import { hasIssuanceRequest, readIssuance } from "./issuance.ts"
import { nextActionFor } from "./next-action.ts"
import { readRecordedSide } from "./side-exclusivity.ts"
import { sideOfMembership } from "./representation.ts"
import { Projects } from "./store.ts"

/** The side that a membership represents on the project now; undefined for none. */
export const readMemberSide = Effect.fnUntraced(function* (
  reader: Reader,
  membershipId: string,
  projectId: string,
  now: Instant
) {
  const [row, membership] = yield* readTogether([
    reader.get(Projects, [projectId]),
    readMembership(reader, membershipId)
  ])
  if (row === undefined || membership === undefined) return undefined
  const side = sideOfMembership(row, membership, now)
  const recordedSide = yield* readRecordedSide(reader, projectId, membership.personId)
  return recordedSide === undefined || recordedSide === side ? side : undefined
})

/** The next action of that side; undefined for an unknown project. */
export const readNextAction = Effect.fnUntraced(function* (
  reader: Reader,
  projectId: string,
  { side, ...respondent }: Respondent & { readonly side: Role },
  now: Instant
) {
  const [stored, issuance] = yield* readTogether([
    readStoredProject(reader, projectId),
    readIssuance(reader, projectId)
  ])
  if (stored === undefined) return undefined
  const relatedFacts = yield* readRelatedFacts(reader, stored, respondent, now)
  const { project } = stored
  return nextActionFor({ project, isIssuanceRequested: hasIssuanceRequest(issuance), relatedFacts, now }, side)
})
