/** Publications as people and the public see them. */
import type { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import type { State } from "../projects/project.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { listPublications } from "./operations.ts"
import type { Publication } from "./person-wire.ts"
import { availableActs, isDisclosed } from "./publication.ts"
import type { PublicationRow } from "./store.ts"
import { decodeSummary } from "./summary.ts"

interface ViewedPublication {
  readonly publication: PublicationRow & { readonly nameOf: (personId: string) => string }
  readonly projectState: State
  /** The side for which the viewer may act; undefined for none. */
  readonly side: Role | undefined
  readonly replayed?: boolean
}

export const viewPublication = ({
  publication,
  projectState,
  side,
  replayed
}: ViewedPublication): typeof Publication.Type => {
  const { withdrawnBy, withdrawnAt, withdrawnSide, withdrawnReason, nameOf } = publication
  const actOf = (personId: string | null, at: Instant | null) =>
    personId === null || at === null ? null : { personId, name: nameOf(personId), at }
  const withdrawal = actOf(withdrawnBy, withdrawnAt)
  return {
    publicationId: publication.publicationId,
    projectId: publication.projectId,
    state: publication.state,
    disclosed: isDisclosed(publication, projectState),
    publicationDigest: publication.digest,
    projection: decodeSummary(publication.summary),
    proposedBy: actOf(publication.proposedBy, publication.proposedAt)!,
    approvedBy: actOf(publication.approvedBy, publication.approvedAt),
    withdrawn:
      withdrawal === null || withdrawnSide === null || withdrawnReason === null
        ? null
        : { ...withdrawal, side: withdrawnSide, reason: withdrawnReason },
    availableActions: side === undefined ? [] : availableActs(publication, side, projectState),
    ...(replayed === true ? { replayed } : {})
  }
}

export const viewPublications = ({
  publications,
  availableActions
}: Effect.Success<ReturnType<typeof listPublications>>) => ({
  publications: publications.map(viewPublication),
  availableActions
})
