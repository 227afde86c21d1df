/** The events of a project's history, as they are signed: their types and their published schema have this one source. */
import { Schema } from "effect"
import { roles, type Role } from "../access/actions.ts"
import {
  agentId,
  confirmationId,
  digest,
  grantId,
  instant,
  invitationId,
  name,
  ordinal,
  organizationId,
  personId,
  projectId,
  recordId,
  reviewId,
  signed,
  submissionId,
  text
} from "../vocabulary/record-schemas.ts"

const role = Schema.Literals(roles)
const agreementDigest = digest
const reasoned = { agreementDigest, reason: text }
const onConfirmation = { ...reasoned, confirmationId }

const Actor = Schema.Struct({
  id: personId,
  organizationId,
  role,
  execution: Schema.NullOr(Schema.Struct({ grantId, agentId, authorityHead: digest })).annotate({
    description: "The grant under which an agent acted and the head of its authority chain then; null for a person."
  })
}).annotate({ identifier: "Actor" })
export type Actor = typeof Actor.Type

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

/** A person acts without an agent. */
export const personActor = (person: Omit<Actor, "execution">): Actor => ({
  id: person.id,
  organizationId: person.organizationId,
  role: person.role,
  execution: null
})

const CreatePayload = Schema.Struct({
  agreementDigest,
  confirmationDigest: digest,
  proposalDigest: Schema.optionalKey(digest).annotateKey({
    description: "The proposal whose acceptance made the agreement."
  }),
  supplierOrganizationId: Schema.optionalKey(organizationId).annotateKey({
    description: "The organization that had made the proposal."
  })
})

/** A person who was invited becomes the named supplier representative. */
const InvitationAcceptedPayload = Schema.Struct({
  agreementDigest,
  invitationId,
  supplierActorId: personId
})

export const responses = ["ACCEPT", "REQUEST_CHANGES", "DECLINE"] as const
const RespondPayload = Schema.Struct({
  ...reasoned,
  action: Schema.Literals(responses),
  actorRole: text,
  authorityAttested: Schema.Literal(true),
  confirmationDigest: Schema.optionalKey(digest)
})
export type RespondPayload = typeof RespondPayload.Type

const SubmittedFile = Schema.Struct({
  name,
  reference: text,
  size: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
  sha256: digest
})
export type SubmittedFile = typeof SubmittedFile.Type

const SubmittedItem = Schema.Struct({
  criterionId: name,
  summary: text,
  references: Schema.Array(text),
  files: Schema.Array(SubmittedFile)
})
export type SubmittedItem = typeof SubmittedItem.Type

export const SubmitPayload = Schema.Struct({
  submissionId,
  agreementDigest,
  previousSubmissionId: Schema.NullOr(submissionId),
  respondsToReviewId: Schema.NullOr(reviewId),
  summary: text,
  items: Schema.Array(SubmittedItem)
}).annotate({ identifier: "Submission" })
export type SubmitPayload = typeof SubmitPayload.Type

/** Evidence of an external signature as recorded by a person; the service does not verify it. */
const ExternalEvidence = Schema.Struct({
  provider: text,
  reference: text,
  fileName: text,
  sha256: digest,
  signedAt: instant
})
export type ExternalEvidence = typeof ExternalEvidence.Type

const Signature = Schema.Union([
  Schema.Struct({ method: Schema.Literal("NATIVE"), personId, digest, statement: text }),
  Schema.Struct({
    method: Schema.Literal("EXTERNAL"),
    digest,
    evidence: ExternalEvidence,
    label: Schema.Literal("RECORDED_NOT_VERIFIED")
  })
]).annotate({
  identifier: "Signature",
  description:
    "NATIVE: this person signed this digest at the service. EXTERNAL: a person recorded that it was signed elsewhere."
})
export type Signature = typeof Signature.Type

export const criterionDecisions = ["MET", "NOT_MET", "EVIDENCE_NEEDED"] as const
const CriterionDecision = Schema.Struct({
  criterionId: name,
  decision: Schema.Literals(criterionDecisions),
  note: Schema.optionalKey(text)
})
export type CriterionDecision = typeof CriterionDecision.Type

const CheckedFile = Schema.Struct({ criterionId: name, name, sha256: digest })
export type CheckedFile = typeof CheckedFile.Type

const reviewMembers = {
  ...reasoned,
  reviewId,
  submissionId,
  submissionDigest: digest,
  nextAction: text,
  decisions: Schema.Array(CriterionDecision)
}

/** The completion decision. It carries the buyer's signature if the agreement requires one. */
export const AcceptancePayload = Schema.Struct({
  ...reviewMembers,
  action: Schema.Literal("ACCEPT"),
  checkedFiles: Schema.Array(CheckedFile),
  confirmationId,
  confirmationDigest: Schema.optionalKey(digest),
  signature: Schema.optionalKey(Signature)
}).annotate({ identifier: "Acceptance" })
export type AcceptancePayload = typeof AcceptancePayload.Type

const otherReviews = ["REQUEST_CHANGES", "REQUEST_EVIDENCE", "REJECT"] as const
export const reviewActions = ["ACCEPT", ...otherReviews] as const
const ReviewPayload = Schema.Union([
  AcceptancePayload,
  Schema.Struct({ ...reviewMembers, action: Schema.Literals(otherReviews) })
])
export type ReviewPayload = typeof ReviewPayload.Type

/** One party signs the agreement. */
const SignPayload = Schema.Struct({ agreementDigest, party: role, signature: Signature })

export const datePurposes = ["DELIVERY", "REVIEW"] as const
const DateRevisionPayload = Schema.Struct({ ...reasoned, purpose: Schema.Literals(datePurposes) })
export type DateRevisionPayload = typeof DateRevisionPayload.Type

export const concernKinds = ["AUTHORITY", "MATERIALS", "CRITERIA", "OTHER"] as const
const ConcernPayload = Schema.Struct({ ...onConfirmation, kind: Schema.Literals(concernKinds) })
export type ConcernPayload = typeof ConcernPayload.Type

export const resolutions = ["DISMISSED", "UPHELD"] as const
const ResolveConcernPayload = Schema.Struct({ ...onConfirmation, resolution: Schema.Literals(resolutions) })
export type ResolveConcernPayload = typeof ResolveConcernPayload.Type

const WithdrawConfirmationPayload = Schema.Struct(onConfirmation)
export type WithdrawConfirmationPayload = typeof WithdrawConfirmationPayload.Type

const ChangeRepresentativePayload = Schema.Struct({ ...reasoned, previousActorId: personId, supplierActorId: personId })

/** Another exact project replaces this one. */
const SupersedePayload = Schema.Struct({
  ...reasoned,
  successor: Schema.Struct({ projectId, digest })
})
export type SupersedePayload = typeof SupersedePayload.Type

const IssuePayload = Schema.Struct({
  recordId,
  recordDigest: digest,
  confirmationId,
  agreementDigest
})

const event = <const K extends string, P extends Schema.Constraint>(kind: K, payload: P) =>
  Schema.Struct({
    ...signed("service.project-event/v1"),
    projectId,
    sequence: ordinal,
    previous: digest,
    kind: Schema.Literal(kind),
    requestId: name,
    actor: Actor,
    payload,
    occurredAt: instant
  })

/** The signed payload; `issuedAt` equals `occurredAt`. */
export const SignedEvent = Schema.Union([
  event("CREATE", CreatePayload),
  event("INVITATION_ACCEPTED", InvitationAcceptedPayload),
  event("RESPOND", RespondPayload),
  event("SUBMIT", SubmitPayload),
  event("REVIEW", ReviewPayload),
  event("ISSUE", IssuePayload),
  event("SIGN", SignPayload),
  event("DATE_REVISION", DateRevisionPayload),
  event("LIFT_HOLD", DateRevisionPayload),
  event("CONCERN", ConcernPayload),
  event("RESOLVE_CONCERN", ResolveConcernPayload),
  event("WITHDRAW_CONFIRMATION", WithdrawConfirmationPayload),
  event("CHANGE_REPRESENTATIVE", ChangeRepresentativePayload),
  event("SUPERSEDE", SupersedePayload)
])
export type SignedEvent = typeof SignedEvent.Type

/** The kind and payload of an event before it is chained. */
export type EventContent = ContentOf<SignedEvent>
type ContentOf<E> = E extends SignedEvent ? Pick<E, "kind" | "payload"> : never

/** An event in its chain; `hash` covers everything but `issuedAt`. */
export type ProjectEvent = SignedEvent & { readonly hash: string }
