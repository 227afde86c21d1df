/** A proposal from a supplier to a buyer: its states, the one table of its moves, and who stands on which side of it. */
import type { Role } from "../access/actions.ts"
import { digestOf } from "../canonical/digest.ts"
import type { OpenTerms } from "../projects/new-project.ts"
import type { Terms } from "../projects/agreement.ts"

export const proposalStates = ["DRAFT", "PUBLISHED", "CHANGES_REQUESTED", "ACCEPTED", "DECLINED", "WITHDRAWN"] as const
export type ProposalState = (typeof proposalStates)[number]

interface Move {
  readonly by: Role
  readonly from: ReadonlyArray<ProposalState>
  readonly to: ProposalState
}

const move = (by: Role, from: ReadonlyArray<ProposalState>, to: ProposalState): Move => ({ by, from, to })

/** Every move of a proposal (decisions, "Drafts, proposals, jobs, discovery"). */
export const proposalMoves = {
  UPDATE: move("SUPPLIER", ["DRAFT", "PUBLISHED", "CHANGES_REQUESTED"], "DRAFT"),
  PUBLISH: move("SUPPLIER", ["DRAFT"], "PUBLISHED"),
  WITHDRAW: move("SUPPLIER", ["DRAFT", "PUBLISHED", "CHANGES_REQUESTED"], "WITHDRAWN"),
  ACCEPT: move("BUYER", ["PUBLISHED"], "ACCEPTED"),
  REQUEST_CHANGES: move("BUYER", ["PUBLISHED"], "CHANGES_REQUESTED"),
  DECLINE: move("BUYER", ["PUBLISHED"], "DECLINED")
} as const satisfies { readonly [name: string]: Move }
export type ProposalMove = keyof typeof proposalMoves

export const canMoveProposal = (state: ProposalState, name: ProposalMove): boolean => {
  const { from }: Move = proposalMoves[name]
  return from.includes(state)
}

/** One exact version: what the recipient answers, and what its digest covers. */
export interface ProposalDocument {
  readonly schema: "service.proposal/v1"
  readonly proposalId: string
  readonly version: number
  readonly supplier: { readonly organizationId: string; readonly actorId: string }
  readonly recipient: { readonly actorId: string }
  readonly terms: ProposedTerms
}

/** What a list shows of a version. */
export interface VersionSummary {
  readonly digest: string
  readonly title: string
  readonly supplierActorId: string
  readonly recipientActorId: string
  /** The author's own word for the recipient. */
  readonly recipientReference: string
}

/** Creation terms with their documents and their supplier: what an acceptance makes an agreement of. */
export interface ProposedTerms extends Terms {
  readonly supplierActorId: string
}

/** What an author sends: one whole version. */
export interface ProposalInput {
  readonly recipientActorId: string
  /** The author's own name for the recipient; it never reaches them. */
  readonly recipientReference: string
  readonly terms: OpenTerms
}

/** The digest that an answer names (2.8). */
export const proposalDigest = (document: ProposalDocument): string => digestOf(document)

/** A grant that reaches a proposal, on the side of which it does. */
export interface Holder {
  readonly grantId: string
  readonly role: Role
  readonly personId: string
}

/** The grants that an acceptance can open the agreement to: the supplier's, and those of whom it is published to. */
export const acceptanceHolders = ({
  holders,
  recipientActorId
}: {
  readonly holders: ReadonlyArray<Holder>
  readonly recipientActorId: string | null
}): ReadonlyArray<Holder> =>
  holders.filter(({ role, personId }) => role === "SUPPLIER" || personId === recipientActorId)

/** What decides on which side somebody stands. */
export interface Stand {
  readonly personId: string
  readonly organizationId: string
}

export interface Sides {
  readonly organizationId: string
  /** The recipient of the last version that was published; nobody before. */
  readonly recipientActorId: string | null
  /** The one for which the recipient accepted; null before. */
  readonly buyerOrganizationId: string | null
}

/**
 * The recipient stands for the buyer, with any organization but the author's, once they accepted with that one alone;
 * every member of the author's organization for the supplier, unless they once stood on the other side.
 */
export const sideOfProposal = (proposal: Sides, by: Stand, taken: Role | undefined): Role | undefined => {
  const isAuthors = by.organizationId === proposal.organizationId
  if (by.personId === proposal.recipientActorId) {
    const isAnothers = by.organizationId !== (proposal.buyerOrganizationId ?? by.organizationId)
    return isAuthors || isAnothers || taken === "SUPPLIER" ? undefined : "BUYER"
  }
  return isAuthors && taken !== "BUYER" ? "SUPPLIER" : undefined
}
