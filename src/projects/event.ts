/** The events of a project's history, as they are signed. */
import type { Role } from "../access/actions.ts"
import type { Instant } from "../vocabulary/instant.ts"

export interface Actor {
  readonly id: string
  readonly organizationId: string
  readonly role: Role
  /** The grant under which an agent acted and the head of its authority chain then; null for a person. */
  readonly execution: { readonly grantId: string; readonly agentId: string; readonly authorityHead: string } | null
}

/** An agent acts for the person who authorized it, under the grant as of its authority head. */
export const agentActor = (grant: {
  readonly personId: string
  readonly organizationId: string
  readonly role: Role
  readonly grantId: string
  readonly agentId: string
  readonly authorityHead: string
}): Actor => ({
  id: grant.personId,
  organizationId: grant.organizationId,
  role: grant.role,
  execution: { grantId: grant.grantId, agentId: grant.agentId, authorityHead: grant.authorityHead }
})

/** A person acts by themselves. */
export const personActor = (person: Omit<Actor, "execution">): Actor => ({
  id: person.id,
  organizationId: person.organizationId,
  role: person.role,
  execution: null
})

export interface CreatePayload {
  readonly agreementDigest: string
  readonly confirmationDigest: string
  /** The proposal whose acceptance made the agreement, and the organization that had made it. */
  readonly proposalDigest?: string
  readonly supplierOrganizationId?: string
}

/** A person who was invited becomes the named supplier representative. */
export interface InvitationAcceptedPayload {
  readonly agreementDigest: string
  readonly invitationId: string
  readonly supplierActorId: string
}

export const responses = ["ACCEPT", "REQUEST_CHANGES", "DECLINE"] as const
export interface RespondPayload {
  readonly agreementDigest: string
  readonly action: (typeof responses)[number]
  readonly actorRole: Role
  readonly authorityAttested: true
  readonly reason: string
  readonly confirmationDigest?: string
}

export interface SubmittedFile {
  readonly name: string
  readonly reference: string
  readonly size: number
  readonly sha256: string
}

export interface SubmittedItem {
  readonly criterionId: string
  readonly summary: string
  readonly references: ReadonlyArray<string>
  readonly files: ReadonlyArray<SubmittedFile>
}

export interface SubmitPayload {
  readonly submissionId: string
  readonly agreementDigest: string
  readonly previousSubmissionId: string | null
  readonly respondsToReviewId: string | null
  readonly summary: string
  readonly items: ReadonlyArray<SubmittedItem>
}

export const reviewActions = ["ACCEPT", "REQUEST_CHANGES", "REQUEST_EVIDENCE", "REJECT"] as const
export const criterionDecisions = ["MET", "NOT_MET", "EVIDENCE_NEEDED"] as const

export interface CriterionDecision {
  readonly criterionId: string
  readonly decision: (typeof criterionDecisions)[number]
  readonly note?: string
}

export interface CheckedFile {
  readonly criterionId: string
  readonly name: string
  readonly sha256: string
}

export interface ReviewPayload {
  readonly reviewId: string
  readonly agreementDigest: string
  readonly submissionId: string
  readonly submissionDigest: string
  readonly action: (typeof reviewActions)[number]
  readonly reason: string
  readonly nextAction: string
  readonly decisions: ReadonlyArray<CriterionDecision>
  /** The three members below belong to ACCEPT alone. */
  readonly checkedFiles?: ReadonlyArray<CheckedFile>
  readonly confirmationId?: string
  readonly confirmationDigest?: string
  /** The buyer's signature under the acceptance, where the agreement asks for one. */
  readonly signature?: Signature
}

/** Where a document was signed elsewhere, as a person says; nobody here has checked it. */
export interface ExternalEvidence {
  readonly provider: string
  readonly reference: string
  readonly fileName: string
  readonly sha256: string
  readonly signedAt: Instant
}

/** NATIVE: this person signed this digest here. EXTERNAL: a person recorded that it was signed elsewhere. */
export type Signature =
  | {
      readonly method: "NATIVE"
      readonly personId: string
      readonly digest: string
      readonly statement: string
    }
  | {
      readonly method: "EXTERNAL"
      readonly digest: string
      readonly evidence: ExternalEvidence
      readonly label: "RECORDED_NOT_VERIFIED"
    }

/** One party signs the agreement. */
export interface SignPayload {
  readonly agreementDigest: string
  readonly party: Role
  readonly signature: Signature
}

export const datePurposes = ["DELIVERY", "REVIEW"] as const
export interface DateRevisionPayload {
  readonly agreementDigest: string
  readonly purpose: (typeof datePurposes)[number]
  readonly reason: string
}

export interface LiftHoldPayload {
  readonly agreementDigest: string
  readonly purpose: (typeof datePurposes)[number]
  readonly reason: string
}

export const concernKinds = ["AUTHORITY", "MATERIALS", "CRITERIA", "OTHER"] as const
export interface ConcernPayload {
  readonly agreementDigest: string
  readonly confirmationId: string
  readonly kind: (typeof concernKinds)[number]
  readonly reason: string
}

export const resolutions = ["DISMISSED", "UPHELD"] as const
export interface ResolveConcernPayload {
  readonly agreementDigest: string
  readonly confirmationId: string
  readonly resolution: (typeof resolutions)[number]
  readonly reason: string
}

export interface WithdrawConfirmationPayload {
  readonly agreementDigest: string
  readonly confirmationId: string
  readonly reason: string
}

export interface ChangeRepresentativePayload {
  readonly agreementDigest: string
  readonly previousActorId: string
  readonly supplierActorId: string
  readonly reason: string
}

/** Another exact project takes the place of this one. */
export interface SupersedePayload {
  readonly agreementDigest: string
  readonly successor: { readonly projectId: string; readonly digest: string }
  readonly reason: string
}

export interface IssuePayload {
  readonly recordId: string
  readonly recordDigest: string
  readonly confirmationId: string
  readonly agreementDigest: string
}

/** What happened, before it has its place in the chain. */
export type Happening =
  | { readonly kind: "CREATE"; readonly payload: CreatePayload }
  | { readonly kind: "INVITATION_ACCEPTED"; readonly payload: InvitationAcceptedPayload }
  | { readonly kind: "RESPOND"; readonly payload: RespondPayload }
  | { readonly kind: "SUBMIT"; readonly payload: SubmitPayload }
  | { readonly kind: "REVIEW"; readonly payload: ReviewPayload }
  | { readonly kind: "ISSUE"; readonly payload: IssuePayload }
  | { readonly kind: "SIGN"; readonly payload: SignPayload }
  | { readonly kind: "DATE_REVISION"; readonly payload: DateRevisionPayload }
  | { readonly kind: "LIFT_HOLD"; readonly payload: LiftHoldPayload }
  | { readonly kind: "CONCERN"; readonly payload: ConcernPayload }
  | { readonly kind: "RESOLVE_CONCERN"; readonly payload: ResolveConcernPayload }
  | { readonly kind: "WITHDRAW_CONFIRMATION"; readonly payload: WithdrawConfirmationPayload }
  | { readonly kind: "CHANGE_REPRESENTATIVE"; readonly payload: ChangeRepresentativePayload }
  | { readonly kind: "SUPERSEDE"; readonly payload: SupersedePayload }

/** An event in its chain; `hash` covers everything but `issuedAt`, which equals `occurredAt`. */
export type ProjectEvent = Happening & {
  readonly schema: "service.project-event/v1"
  readonly projectId: string
  readonly sequence: number
  readonly previous: string
  readonly requestId: string
  readonly actor: Actor
  readonly occurredAt: Instant
  readonly issuedAt: Instant
  readonly hash: string
}
