/** Whether a webhook subscriber still represents a side of a project. */
import { Effect } from "effect"
import { readMembership } from "../people/acting-person.ts"
import { hasEnded } from "../people/membership.ts"
import { readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { readRecordedSide } from "./side-exclusivity.ts"
import { sideOfMember } from "./representation.ts"
import { Projects } from "./store.ts"

/**
 * The side that a membership represents on the project; undefined for none, or once it has ended. A membership before its
 * `validFrom` has its side already: a subscription would lose the project permanently.
 */
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
  if (row === undefined || membership === undefined || hasEnded(membership, now)) return undefined
  const side = sideOfMember(row, membership)
  const recordedSide = yield* readRecordedSide(reader, projectId, membership.personId)
  return recordedSide === undefined || recordedSide === side ? side : undefined
})
