/**
 * What moves require besides their state: conditions, deadlines and signatures, to which the rows of `moves.ts` refer.
 * Pure; each returns its refusal or undefined.
 */
import type { Instant } from "../vocabulary/instant.ts"
import { refusal, type Refusal } from "../vocabulary/refusals.ts"
import type { GuardContext } from "./guard-context.ts"
import type { Project } from "./project.ts"
import { hasSigned } from "./signing.ts"

export type Condition = (project: Project, context: GuardContext) => Refusal | undefined

export type CodeOf<C> = C extends (...input: never) => infer Refused
  ? Refused extends Refusal<infer Code>
    ? Code
    : never
  : never

const conflict = (detail: string) => refusal("STATE_CONFLICT", { detail })

export const isWithoutSupplier = ({ supplier }: Project) =>
  supplier.actorId === null ? undefined : conflict("The agreement already names a supplier.")

export const isRepresentedAsAgreed = (_: Project, { relatedFacts }: GuardContext) =>
  relatedFacts.isRepresentedByAnother
    ? conflict("The agreed project has another representative now; the supplier names that person here too.")
    : undefined

export const isWithoutOpenRevision = (_: Project, { relatedFacts }: GuardContext) =>
  relatedFacts.hasOpenRevision
    ? conflict("A revision is already open; revise that one, or wait for the supplier's response.")
    : undefined

export const isRecordNotRequested = ({ recordId }: Project, { isIssuanceRequested }: GuardContext) =>
  recordId === null && !isIssuanceRequested
    ? undefined
    : conflict("The record of this confirmation was already requested.")

export const isOwnConcern = ({ concern }: Project, { by }: GuardContext) =>
  concern?.raisedBy === by.side
    ? undefined
    : refusal("FORBIDDEN", { detail: "A concern can be dismissed only by the side that raised it." })

export const isOnHold = ({ hold }: Project) => (hold === null ? conflict("No date revision was requested.") : undefined)

export const isUnsigned = (project: Project, { by }: GuardContext) => {
  if (project.agreement.terms.signing === undefined) return conflict("The agreement requires no signatures.")
  return hasSigned(project, by.side) ? conflict("This side has already signed the agreement.") : undefined
}

export const isSupplierOrganizationKnown = ({ supplier }: Project) =>
  supplier.organizationId === null
    ? conflict("The supplier's organization is unknown before its first response.")
    : undefined

/** A deadline of the agreement, and the code of the refusal after it; undefined if the agreement has none. */
export interface Deadline<Code extends DeadlineCode = DeadlineCode> {
  readonly code: Code
  readonly dueAt: (project: Project) => Instant | undefined
}
type DeadlineCode = "DELIVERY_DEADLINE_PASSED" | "REVIEW_DEADLINE_PASSED" | "SIGNATURE_DATE_PASSED"

const deadline = <const Code extends DeadlineCode>(code: Code, dueAt: Deadline["dueAt"]): Deadline<Code> => ({
  code,
  dueAt
})

/** The first submission is due by the deadline, a correction by the review deadline. */
export const submissionDueAt = ({ state, agreement: { terms } }: Pick<Project, "state" | "agreement">): Instant =>
  state === "CHANGES_REQUESTED" || state === "AWAITING_EVIDENCE" ? terms.reviewDeadline : terms.deadline

export const deliveryDeadline = deadline("DELIVERY_DEADLINE_PASSED", ({ agreement: { terms } }) => terms.deadline)
export const submissionDeadline = deadline("DELIVERY_DEADLINE_PASSED", submissionDueAt)
export const reviewDeadline = deadline("REVIEW_DEADLINE_PASSED", ({ agreement: { terms } }) => terms.reviewDeadline)
export const signingDeadline = deadline(
  "SIGNATURE_DATE_PASSED",
  ({ agreement: { terms } }) => terms.signing?.agreementSignBy
)

/** Deadlines are inclusive. */
export const refusalAfter = <Code extends DeadlineCode>(
  { code, dueAt }: Deadline<Code>,
  project: Project,
  now: Instant
) => {
  const due = dueAt(project)
  return due !== undefined && now > due ? refusal(code, { dueAt: due }) : undefined
}

/** An acceptance of terms to sign requires that their signer can sign them. */
export const isSignerKnown = ({ agreement }: Project, { relatedFacts }: GuardContext) =>
  agreement.terms.signing !== undefined && relatedFacts.isSignerMissing
    ? refusal("UNKNOWN_SIGNER", {
        detail: "The person named to sign for the supplier is not a member of the responding organization."
      })
    : undefined

/** A delivery requires the signatures of both sides. */
export const isAgreementSigned = (project: Project, { now }: GuardContext) => {
  const isSigned = hasSigned(project, "BUYER") && hasSigned(project, "SUPPLIER")
  return project.agreement.terms.signing === undefined || isSigned
    ? undefined
    : (refusalAfter(signingDeadline, project, now) ??
        refusal("WAIT_FOR_HUMAN", { requiredHumanAction: "SIGN_AGREEMENT" }))
}

/** An acceptance to sign requires the person who is to sign it, in time. */
export const isAcceptanceSigner = ({ agreement }: Project, { by, now }: GuardContext) => {
  const { signing } = agreement.terms
  if (signing === undefined) return undefined
  if (now > signing.acceptanceSignBy) return refusal("SIGNATURE_DATE_PASSED", { dueAt: signing.acceptanceSignBy })
  const maySign = by.isPerson && (signing.method === "EXTERNAL" || by.personId === signing.principal)
  return maySign ? undefined : refusal("WAIT_FOR_HUMAN", { requiredHumanAction: "SIGN_ACCEPTANCE" })
}
