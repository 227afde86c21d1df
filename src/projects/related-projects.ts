/** Facts from related projects and memberships that guards need. */
import { Effect } from "effect"
import { membershipIn } from "../people/acting-person.ts"
import { readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { Terms } from "./terms.ts"
import type { StoredProject } from "./history.ts"
import type { RelatedFacts } from "./guard-context.ts"
import type { State } from "./project.ts"
import { canMove } from "./moves.ts"
import { Projects, type ProjectRow } from "./store.ts"

/** A revision is open until the supplier accepts or declines it or other terms replace it. */
export const isOpenRevision = (state: State): boolean => canMove(state, "REPLACE_TERMS")

/** Reads the facts for a viewer. Other rows are read only if there are other versions or a named signer. */
export const readRelatedFacts = Effect.fnUntraced(function* (
  reader: Reader,
  { row, project }: StoredProject,
  respondent: Respondent,
  now: Instant
) {
  const [revision, agreed, isSignerMissing] = yield* readTogether([
    readVersion(reader, row.revisionProjectId),
    readVersion(reader, row.supersedesProjectId),
    project.state === "AWAITING_SUPPLIER"
      ? readIsSignerMissing(reader, project.agreement.terms, respondent, now)
      : Effect.succeed(false)
  ])
  return {
    hasOpenRevision: revision !== undefined && isOpenRevision(revision.state),
    ...agreedProjectFacts(agreed, row.supplierActorId),
    isSignerMissing
  } satisfies RelatedFacts
})

const readVersion = (reader: Reader, projectId: string | null) =>
  projectId === null ? Effect.undefined : reader.get(Projects, [projectId])

/** The facts of the agreed project for the revision that would supersede it; the defaults once it has ended. */
export const agreedProjectFacts = (
  agreed: Pick<ProjectRow, "state" | "supplierActorId" | "pauses"> | undefined,
  supplierActorId: string | null
) => {
  const isInForce = agreed !== undefined && canMove(agreed.state, "SUPERSEDE")
  return {
    isRepresentedByAnother: isInForce && agreed.supplierActorId !== supplierActorId,
    agreedPausedBy: isInForce ? agreed.pauses.map(({ side }) => side) : []
  }
}

/** The person who would respond to the terms, and their organization. */
export interface Respondent {
  readonly personId: string
  readonly organizationId: string
}

/** True if another person is named to sign natively for the supplier and is not a member of the responding organization. */
export const readIsSignerMissing = Effect.fnUntraced(function* (
  reader: Reader,
  { signing }: Terms,
  { personId, organizationId }: Respondent,
  now: Instant
) {
  const signer = signing?.method === "NATIVE" ? signing.counterparty : undefined
  if (signer === undefined || signer === personId) return false
  return (yield* membershipIn(reader, signer, organizationId, now)) === undefined
})
