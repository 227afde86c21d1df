/**
 * Guards of moves that depend on the project and the actor, not on the payload: party, history limit, state, hold,
 * deadline, signature, reserved decision. Commands and hints use the same guards, so that they cannot differ. Pure; each
 * returns the first refusal of its kind or undefined.
 */
import type { HumanDecision, Role } from "../access/actions.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refusal, type Refusal } from "../vocabulary/refusals.ts"
import { canMove, isPersonOnly, isForSide, type MoveName, type Project } from "./project.ts"
import { hasSigned, signerFor } from "./signing.ts"

/** The actor of a move: a person for a side, or an agent in that person's name. */
export interface PartyActor {
  readonly personId: string
  readonly side: Role
  readonly isPerson: boolean
}

/** The inputs of a guard besides the project. */
export interface GuardContext {
  readonly by: PartyActor
  readonly now: Instant
  /** True if issuance of the current confirmation's record was requested. */
  readonly isIssuanceRequested: boolean
  readonly relatedFacts: RelatedFacts
}

/** Facts from the versions before and after a project and from the supplier's memberships. */
export interface RelatedFacts {
  /** A revision of these agreed terms waits for the supplier's response. */
  readonly hasOpenRevision: boolean
  /** The agreed project that this revision would supersede is represented by another person now. */
  readonly isRepresentedByAnother: boolean
  /** The sides that paused the agreed project that this revision would supersede. */
  readonly agreedPausedBy: ReadonlyArray<Role>
  /** The supplier's native signer is not a member of the organization that would respond. */
  readonly isSignerMissing: boolean
}

/** The facts of a project without related projects. */
export const noRelatedFacts: RelatedFacts = {
  hasOpenRevision: false,
  isRepresentedByAnother: false,
  agreedPausedBy: [],
  isSignerMissing: false
}

type GuardResult = Refusal | undefined

/** 403 unless the move belongs to this side and, on it, to this actor. */
export const partyGuard = (project: Project, move: MoveName, by: PartyActor): GuardResult => {
  if (!isForSide(move, by.side) || (isPersonOnly(move) && !by.isPerson)) return forbidden(by)
  const { signing } = project.agreement.terms
  if (move === "SIGN_AGREEMENT" && signing?.method === "NATIVE") {
    return signerFor(project, by.side) === by.personId ? undefined : forbidden(by)
  }
  // A change of representative is for managers of the supplier's members, every other move for the representative.
  return move === "CHANGE_REPRESENTATIVE" ? undefined : representativeGuard(project, by)
}

/** 403 unless the representative, and only that person, acts for the supplier. */
export const representativeGuard = ({ supplier }: Project, by: PartyActor): GuardResult =>
  (by.personId === supplier.actorId) === (by.side === "SUPPLIER") ? undefined : forbidden(by)

const forbidden = ({ isPerson }: PartyActor): Refusal => refusal(isPerson ? "FORBIDDEN" : "FORBIDDEN_AGENT_ACTION")

/** A pause of the project, or of the agreed project that its acceptance would supersede, stops agents. */
export const pauseGuard = (
  isPaused: boolean,
  move: MoveName | undefined,
  { by, relatedFacts }: Pick<GuardContext, "by" | "relatedFacts">
): GuardResult => {
  const stops = isPaused || (move === "RESPOND_ACCEPT" && relatedFacts.agreedPausedBy.length > 0)
  return !by.isPerson && stops ? refusal("AGENT_PAUSED", { requiredHumanAction: "RESUME_AGENTS" }) : undefined
}

/** Of 100 events the last two are reserved: the 99th for issuance, both for events that end a project. */
export const historyLimitGuard = (project: Project, move: MoveName): GuardResult => {
  const reserved = limits.eventsReserved - (endingMoves.has(move) ? 2 : move === "ISSUE" ? 1 : 0)
  const isBelowLimit = project.events.length < limits.eventsPerProject - reserved
  return isBelowLimit || move === "OFFER_REVISION"
    ? undefined
    : refusal("DELIVERY_HISTORY_LIMIT_REACHED", { requiredHumanAction: "REVIEW_CONTINUATION" })
}

const endingMoves: ReadonlySet<MoveName> = new Set([
  "SUPERSEDE",
  "REPLACE_TERMS",
  "WITHDRAW_CONFIRMATION",
  "UPHOLD_CONCERN"
])

/** State, hold and deadline, in this order. */
export const stateGuard = (project: Project, move: MoveName, moment: GuardContext): GuardResult =>
  transitionGuard(project, move, moment) ?? holdGuard(project, move) ?? deadlineGuard(project, move, moment.now)

const transitionGuard = (
  project: Project,
  move: MoveName,
  { by, isIssuanceRequested, relatedFacts }: GuardContext
): GuardResult => {
  const conflict = (detail: string) => refusal("STATE_CONFLICT", { detail })
  if (!canMove(project.state, move)) return conflict(`A project in ${project.state} does not allow this.`)
  switch (move) {
    case "ACCEPT_INVITATION":
      return project.supplier.actorId === null ? undefined : conflict("The agreement already names a supplier.")
    case "RESPOND_ACCEPT":
      return relatedFacts.isRepresentedByAnother
        ? conflict("The agreed project has another representative now; the supplier names that person here too.")
        : undefined
    case "OFFER_REVISION":
      return relatedFacts.hasOpenRevision
        ? conflict("A revision is already open; revise that one, or wait for the supplier's response.")
        : undefined
    case "ISSUE":
      return project.recordId === null && !isIssuanceRequested
        ? undefined
        : conflict("The record of this confirmation was already requested.")
    case "DISMISS_CONCERN":
      return project.concern?.raisedBy === by.side
        ? undefined
        : refusal("FORBIDDEN", { detail: "A concern can be dismissed only by the side that raised it." })
    case "LIFT_HOLD":
      return project.hold === null ? conflict("No date revision was requested.") : undefined
    case "SIGN_AGREEMENT":
      if (project.agreement.terms.signing === undefined) return conflict("The agreement requires no signatures.")
      return hasSigned(project, by.side) ? conflict("This side has already signed the agreement.") : undefined
    case "CHANGE_REPRESENTATIVE":
      return project.supplier.organizationId === null
        ? conflict("The supplier's organization is unknown before its first response.")
        : undefined
    default:
      return undefined
  }
}

const movesStoppedByHold: ReadonlySet<MoveName> = new Set([
  "SUBMIT",
  "REVIEW_ACCEPT",
  "REVIEW_REJECT",
  "REVIEW_REQUEST_CHANGES",
  "REVIEW_REQUEST_EVIDENCE",
  "HOLD_DELIVERY",
  "HOLD_REVIEW"
])

const holdGuard = ({ hold }: Project, move: MoveName): GuardResult =>
  hold !== null && movesStoppedByHold.has(move)
    ? refusal("DATE_REVISION_PENDING", { requiredHumanAction: "REVISE_OR_LIFT_HOLD" })
    : undefined

/** Deadlines are inclusive. */
const deadlineGuard = (project: Project, move: MoveName, now: Instant): GuardResult => {
  const { deadline, reviewDeadline } = project.agreement.terms
  const passed = (dueAt: Instant) => now > dueAt
  switch (move) {
    case "RESPOND_ACCEPT":
      if (passed(deadline)) return refusal("DELIVERY_DEADLINE_PASSED", { dueAt: deadline })
      // Terms cannot be accepted after the deadline for signing them.
      return signingDeadlineGuard(project, now)
    case "SUBMIT": {
      const dueAt = submissionDueAt(project)
      return passed(dueAt) ? refusal("DELIVERY_DEADLINE_PASSED", { dueAt }) : undefined
    }
    case "REVIEW_ACCEPT":
    case "REVIEW_REJECT":
    case "REVIEW_REQUEST_CHANGES":
    case "REVIEW_REQUEST_EVIDENCE":
      return passed(reviewDeadline) ? refusal("REVIEW_DEADLINE_PASSED", { dueAt: reviewDeadline }) : undefined
    case "SIGN_AGREEMENT":
      return signingDeadlineGuard(project, now)
    default:
      return undefined
  }
}

const signingDeadlineGuard = ({ agreement }: Project, now: Instant): GuardResult => {
  const dueAt = agreement.terms.signing?.agreementSignBy
  return dueAt !== undefined && now > dueAt ? refusal("SIGNATURE_DATE_PASSED", { dueAt }) : undefined
}

/** The first submission is due by the deadline, a correction by the review deadline. */
export const submissionDueAt = ({ submission, agreement }: Project): Instant =>
  submission === null ? agreement.terms.deadline : agreement.terms.reviewDeadline

/** A missing signature, then a decision reserved for people. */
export const personGuard = (project: Project, move: MoveName, moment: GuardContext): GuardResult =>
  signatureGuard(project, move, moment) ?? reservedDecisionGuard(project, move, moment.by)

const signatureGuard = (project: Project, move: MoveName, { by, now, relatedFacts }: GuardContext): GuardResult => {
  const { signing } = project.agreement.terms
  if (signing === undefined) return undefined
  if (move === "RESPOND_ACCEPT" && relatedFacts.isSignerMissing) {
    const detail = "The person named to sign for the supplier is not a member of the responding organization."
    return refusal("UNKNOWN_SIGNER", { detail })
  }
  if (move === "SUBMIT") {
    const isSigned = hasSigned(project, "BUYER") && hasSigned(project, "SUPPLIER")
    if (isSigned) return undefined
    return signingDeadlineGuard(project, now) ?? refusal("WAIT_FOR_HUMAN", { requiredHumanAction: "SIGN_AGREEMENT" })
  }
  if (move !== "REVIEW_ACCEPT") return undefined
  if (now > signing.acceptanceSignBy) return refusal("SIGNATURE_DATE_PASSED", { dueAt: signing.acceptanceSignBy })
  const maySign = by.isPerson && (signing.method === "EXTERNAL" || by.personId === signing.principal)
  return maySign ? undefined : refusal("WAIT_FOR_HUMAN", { requiredHumanAction: "SIGN_ACCEPTANCE" })
}

const reservedDecisionGuard = (project: Project, move: MoveName, { isPerson }: PartyActor): GuardResult => {
  if (isPerson) return undefined
  const decisions = decisionsOf(move)
  const requirement = project.agreement.terms.subjectRequirements.find((one) =>
    one.humanDecisions.some((decision) => decisions.includes(decision))
  )
  return requirement === undefined
    ? undefined
    : refusal("HUMAN_DECISION_REQUIRED", { requiredHumanAction: requirement.statement })
}

/** The decisions of each move that a subject requirement can reserve for people. */
const decisionsOf = (move: MoveName): ReadonlyArray<HumanDecision> => {
  switch (move) {
    case "RESPOND_ACCEPT":
    case "RESPOND_REQUEST_CHANGES":
    case "RESPOND_DECLINE":
      return ["RESPOND"]
    case "REVIEW_ACCEPT":
      return ["REVIEW", "ACCEPT"]
    case "REVIEW_REJECT":
    case "REVIEW_REQUEST_CHANGES":
    case "REVIEW_REQUEST_EVIDENCE":
      return ["REVIEW"]
    case "ISSUE":
      return ["ISSUE"]
    default:
      return []
  }
}
