/** Whether a webhook subscriber still represents a side of a project. */
import { Effect } from "effect"
import { readMembership } from "../people/acting-person.ts"
import { readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
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
