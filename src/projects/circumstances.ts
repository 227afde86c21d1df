/** What stands elsewhere and decides here too: other versions of the agreement, and the supplier's members. */
import { Effect } from "effect"
import { membershipIn } from "../people/human.ts"
import type { Reader } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { Terms } from "./agreement.ts"
import type { Stored } from "./history.ts"
import type { Circumstances } from "./obstacles.ts"
import { canMove, type State } from "./project.ts"
import { Projects, type ProjectRow } from "./store.ts"

/** A revision is open until the supplier agreed or declined, or other terms replaced it. */
export const isOpenRevision = (state: State): boolean => canMove(state, "REPLACE_TERMS")

/** For whoever looks. Other rows are read only where there are other versions, or somebody named to sign. */
export const readCircumstances = Effect.fnUntraced(function* (
  reader: Reader,
  { row, project }: Stored,
  onlooker: Answering,
  now: Instant
) {
  const [revision, agreed, isSignerMissing] = yield* Effect.all(
    [
      readVersion(reader, row.revisionProjectId),
      readVersion(reader, row.supersedesProjectId),
      project.state === "AWAITING_SUPPLIER"
        ? readIsSignerMissing(reader, project.agreement.terms, onlooker, now)
        : Effect.succeed(false)
    ],
    { concurrency: "unbounded" }
  )
  return {
    hasOpenRevision: revision !== undefined && isOpenRevision(revision.state),
    ...agreedCircumstances(agreed, row.supplierActorId),
    isSignerMissing
  } satisfies Circumstances
})

const readVersion = (reader: Reader, projectId: string | null) =>
  projectId === null ? Effect.undefined : reader.get(Projects, [projectId])

/** What the agreed project says about the revision that would supersede it; nothing once it has ended. */
export const agreedCircumstances = (
  agreed: Pick<ProjectRow, "state" | "supplierActorId" | "pauses"> | undefined,
  supplierActorId: string | null
) => {
  const holds = agreed !== undefined && canMove(agreed.state, "SUPERSEDE")
  return {
    isRepresentedByAnother: holds && agreed.supplierActorId !== supplierActorId,
    agreedPausedBy: holds ? agreed.pauses.map(({ side }) => side) : []
  }
}

/** Who would answer the terms, and for which organization. */
export interface Answering {
  readonly personId: string
  readonly organizationId: string
}

/** True where somebody else is to sign here for the supplier and is no member of the organization that answers. */
export const readIsSignerMissing = Effect.fnUntraced(function* (
  reader: Reader,
  { signing }: Terms,
  { personId, organizationId }: Answering,
  now: Instant
) {
  const signer = signing?.method === "NATIVE" ? signing.counterparty : undefined
  if (signer === undefined || signer === personId) return false
  return (yield* membershipIn(reader, signer, organizationId, now)) === undefined
})
