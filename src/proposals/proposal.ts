/** A proposal from a supplier to a buyer: its states, its table of moves, and who acts for which side. */
import type { Action, HumanDecision, Role } from "../access/actions.ts"
import { digestOf } from "../canonical/digest.ts"
import type { TermsInput } from "../projects/new-project.ts"
import type { Terms } from "../projects/terms.ts"

export const proposalStates = ["DRAFT", "PUBLISHED", "CHANGES_REQUESTED", "ACCEPTED", "DECLINED", "WITHDRAWN"] as const
export type ProposalState = (typeof proposalStates)[number]

interface Move {
  readonly by: Role
  readonly from: ReadonlyArray<ProposalState>
  readonly to: ProposalState
  /** The action under which grants and hints name it. */
  readonly action: Action
  /** The decision by which a subject requirement reserves it for people. */
  readonly humanDecisions?: ReadonlyArray<HumanDecision>
  /** True for a move that ends the proposal: the last events of the history are reserved for it. */
  readonly ends?: true
}

const answer = { by: "BUYER", from: ["PUBLISHED"], action: "RESPOND_PROPOSAL", humanDecisions: ["RESPOND"] } as const

const open = ["DRAFT", "PUBLISHED", "CHANGES_REQUESTED"] as const

/** Every move of a proposal (decisions, "Drafts, proposals, jobs, discovery"): one row says everything about it. */
export const proposalMoves = {
  UPDATE: { by: "SUPPLIER", from: open, to: "DRAFT", action: "UPDATE_PROPOSAL" },
  PUBLISH: { by: "SUPPLIER", from: ["DRAFT"], to: "PUBLISHED", action: "PUBLISH_PROPOSAL" },
  WITHDRAW: { by: "SUPPLIER", from: open, to: "WITHDRAWN", action: "WITHDRAW_PROPOSAL", ends: true },
  ACCEPT: { ...answer, to: "ACCEPTED", ends: true },
  REQUEST_CHANGES: { ...answer, to: "CHANGES_REQUESTED" },
  DECLINE: { ...answer, to: "DECLINED", ends: true }
} as const satisfies { readonly [name: string]: Move }
export type ProposalMove = keyof typeof proposalMoves

/** A row, with every column that rows can have. */
export const proposalMoveNamed = (name: ProposalMove): Move => proposalMoves[name]

export const canMoveProposal = (state: ProposalState, name: ProposalMove): boolean =>
  proposalMoveNamed(name).from.includes(state)

/** One exact version. The digest covers this document, and the recipient answers it. */
export interface ProposalDocument {
  readonly schema: "service.proposal/v1"
  readonly proposalId: string
  readonly version: number
  readonly supplier: { readonly organizationId: string; readonly actorId: string }
  readonly recipient: { readonly actorId: string }
  readonly terms: ProposalTerms
}

/** The fields of a version that a list shows. */
export interface VersionSummary {
  readonly digest: string
  readonly title: string
  readonly supplierActorId: string
  readonly recipientActorId: string
  /** The author's own reference for the recipient. */
  readonly recipientReference: string
}

/** Creation terms with their documents and their supplier: an acceptance makes an agreement of them. */
export interface ProposalTerms extends Terms {
  readonly supplierActorId: string
}

/** One whole version, as the author sends it. */
export interface ProposalInput {
  readonly recipientActorId: string
  /** The author's own reference for the recipient; the recipient never sees it. */
  readonly recipientReference: string
  readonly terms: TermsInput
}

/** The digest that an answer must name (2.8). */
export const proposalDigest = (document: ProposalDocument): string => digestOf(document)

/** A grant whose scope contains the proposal, and the side for which it acts. */
export interface ProposalHolder {
  readonly grantId: string
  readonly role: Role
  readonly personId: string
}

/** The grants that an acceptance can link to the agreement: the supplier's, and the current recipient's. */
export const acceptanceHolders = ({
  holders,
  recipientActorId
}: {
  readonly holders: ReadonlyArray<ProposalHolder>
  readonly recipientActorId: string | null
}): ReadonlyArray<ProposalHolder> =>
  holders.filter(({ role, personId }) => role === "SUPPLIER" || personId === recipientActorId)

/** A person as a member of one organization; both decide the side. */
export interface OrganizationMember {
  readonly personId: string
  readonly organizationId: string
}

export interface ProposalPartyIds {
  readonly organizationId: string
  /** The recipient of the last published version; null before the first publication. */
  readonly recipientActorId: string | null
  /** The organization for which the recipient accepted; null before the acceptance. */
  readonly buyerOrganizationId: string | null
}

/**
 * The recipient acts for the buyer, with any organization but the author's, and after the acceptance only with the
 * accepting one. Every member of the author's organization acts for the supplier, unless recorded for the buyer.
 */
export const sideOfProposal = (
  proposal: ProposalPartyIds,
  by: OrganizationMember,
  recordedSide: Role | undefined
): Role | undefined => {
  const isAuthorOrganization = by.organizationId === proposal.organizationId
  if (by.personId === proposal.recipientActorId) {
    const isOtherOrganization = by.organizationId !== (proposal.buyerOrganizationId ?? by.organizationId)
    return isAuthorOrganization || isOtherOrganization || recordedSide === "SUPPLIER" ? undefined : "BUYER"
  }
  return isAuthorOrganization && recordedSide !== "BUYER" ? "SUPPLIER" : undefined
}
