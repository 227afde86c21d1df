/**
 * What stands between somebody and a move whatever they would send: whose move it is, the room left, the state, a hold,
 * a date, a signature, a decision kept for people. Commands refuse with these and hints explain with them, so that the
 * two cannot differ. Pure; each answers with the first refusal of its kind or nothing.
 */
import type { HumanDecision, Role } from "../access/actions.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refusal, type Refused } from "../vocabulary/refusals.ts"
import { canMove, isForPeople, isForSide, type MoveName, type Project } from "./project.ts"
import { hasSigned, signerFor } from "./signing.ts"

/** Who acts: a person for a side, or an agent in that person's name. */
export interface Acting {
  readonly personId: string
  readonly side: Role
  readonly isPerson: boolean
}

/** What a move is judged by, beside the project. */
export interface Moment {
  readonly by: Acting
  readonly now: Instant
  /** True where the record of the current confirmation was asked for already. */
  readonly isIssuanceAsked: boolean
  readonly circumstances: Circumstances
}

/** What stands elsewhere: in the versions before and after a project, and among the supplier's members. */
export interface Circumstances {
  /** A revision of these agreed terms waits for its answer. */
  readonly hasOpenRevision: boolean
  /** The agreed project that this revision would supersede is represented by another person now. */
  readonly isRepresentedByAnother: boolean
  /** The sides that paused the agreed project that this revision would supersede. */
  readonly agreedPausedBy: ReadonlyArray<Role>
  /** Who is to sign here for the supplier is no member of the organization that would answer. */
  readonly isSignerMissing: boolean
}

/** Nothing stands elsewhere. */
export const ordinary: Circumstances = {
  hasOpenRevision: false,
  isRepresentedByAnother: false,
  agreedPausedBy: [],
  isSignerMissing: false
}

type Obstacle = Refused | undefined

/** 403: the move is this side's, and this actor's on that side. */
export const partyObstacle = (project: Project, move: MoveName, by: Acting): Obstacle => {
  if (!isForSide(move, by.side) || (isForPeople(move) && !by.isPerson)) return forbidden(by)
  const { signing } = project.agreement.terms
  if (move === "SIGN_AGREEMENT" && signing?.method === "NATIVE") {
    return signerFor(project, by.side) === by.personId ? undefined : forbidden(by)
  }
  // Whoever manages the supplier's members names another representative; everything else is the representative's.
  return move === "CHANGE_REPRESENTATIVE" ? undefined : speakerObstacle(project, by)
}

/** 403: for the supplier its representative acts and nobody else, and that person never for the buyer. */
export const speakerObstacle = ({ supplier }: Project, by: Acting): Obstacle =>
  (by.personId === supplier.actorId) === (by.side === "SUPPLIER") ? undefined : forbidden(by)

const forbidden = ({ isPerson }: Acting): Refused => refusal(isPerson ? "FORBIDDEN" : "FORBIDDEN_AGENT_ACTION")

/** A pause stops agents: on the project, and on the one that its acceptance would end. */
export const pauseObstacle = (
  isPaused: boolean,
  move: MoveName | undefined,
  { by, circumstances }: Pick<Moment, "by" | "circumstances">
): Obstacle => {
  const stops = isPaused || (move === "RESPOND_ACCEPT" && circumstances.agreedPausedBy.length > 0)
  return !by.isPerson && stops ? refusal("AGENT_PAUSED", { requiredHumanAction: "RESUME_AGENTS" }) : undefined
}

/** The last two of the 100 places are kept: the 99th for the record, both for what ends a project. */
export const roomObstacle = (project: Project, move: MoveName): Obstacle => {
  const kept = limits.eventsReserved - (endings.has(move) ? 2 : move === "ISSUE" ? 1 : 0)
  const isRoom = project.events.length < limits.eventsPerProject - kept
  return isRoom || move === "OFFER_REVISION"
    ? undefined
    : refusal("DELIVERY_HISTORY_LIMIT_REACHED", { requiredHumanAction: "REVIEW_CONTINUATION" })
}

const endings: ReadonlySet<MoveName> = new Set([
  "SUPERSEDE",
  "REPLACE_TERMS",
  "WITHDRAW_CONFIRMATION",
  "UPHOLD_CONCERN"
])

/** State, hold and date, in this order. */
export const placeObstacle = (project: Project, move: MoveName, moment: Moment): Obstacle =>
  stateObstacle(project, move, moment) ?? holdObstacle(project, move) ?? dateObstacle(project, move, moment.now)

const stateObstacle = (project: Project, move: MoveName, { by, isIssuanceAsked, circumstances }: Moment): Obstacle => {
  const conflict = (detail: string) => refusal("STATE_CONFLICT", { detail })
  if (!canMove(project.state, move)) return conflict(`A project in ${project.state} does not allow this.`)
  switch (move) {
    case "ACCEPT_INVITATION":
      return project.supplier.actorId === null ? undefined : conflict("The agreement has a supplier already.")
    case "RESPOND_ACCEPT":
      return circumstances.isRepresentedByAnother
        ? conflict("The agreed project has another representative now; the supplier names that person here too.")
        : undefined
    case "OFFER_REVISION":
      return circumstances.hasOpenRevision
        ? conflict("A revision is open already; revise that one, or wait for its answer.")
        : undefined
    case "ISSUE":
      return project.recordId === null && !isIssuanceAsked
        ? undefined
        : conflict("The record of this confirmation was already asked for.")
    case "DISMISS_CONCERN":
      return project.concern?.raisedBy === by.side
        ? undefined
        : refusal("FORBIDDEN", { detail: "A concern is dismissed by the side that raised it." })
    case "LIFT_HOLD":
      return project.hold === null ? conflict("No date revision was asked for.") : undefined
    case "SIGN_AGREEMENT":
      if (project.agreement.terms.signing === undefined) return conflict("The agreement asks for no signatures.")
      return hasSigned(project, by.side) ? conflict("This side has signed the agreement already.") : undefined
    case "CHANGE_REPRESENTATIVE":
      return project.supplier.organizationId === null
        ? conflict("The supplier's organization is not known before its first answer.")
        : undefined
    default:
      return undefined
  }
}

const heldMoves: ReadonlySet<MoveName> = new Set([
  "SUBMIT",
  "REVIEW_ACCEPT",
  "REVIEW_REJECT",
  "REVIEW_REQUEST_CHANGES",
  "REVIEW_REQUEST_EVIDENCE",
  "HOLD_DELIVERY",
  "HOLD_REVIEW"
])

const holdObstacle = ({ hold }: Project, move: MoveName): Obstacle =>
  hold !== null && heldMoves.has(move)
    ? refusal("DATE_REVISION_PENDING", { requiredHumanAction: "REVISE_OR_LIFT_HOLD" })
    : undefined

/** A date includes its own millisecond. */
const dateObstacle = (project: Project, move: MoveName, now: Instant): Obstacle => {
  const { deadline, reviewDeadline } = project.agreement.terms
  const passed = (dueAt: Instant) => now > dueAt
  switch (move) {
    case "RESPOND_ACCEPT":
      if (passed(deadline)) return refusal("DELIVERY_DEADLINE_PASSED", { dueAt: deadline })
      // What can no longer be signed is not agreed on either.
      return signingDateObstacle(project, now)
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
      return signingDateObstacle(project, now)
    default:
      return undefined
  }
}

const signingDateObstacle = ({ agreement }: Project, now: Instant): Obstacle => {
  const dueAt = agreement.terms.signing?.agreementSignBy
  return dueAt !== undefined && now > dueAt ? refusal("SIGNATURE_DATE_PASSED", { dueAt }) : undefined
}

/** The first submission is due by the deadline; an answer to a review by the review deadline. */
export const submissionDueAt = ({ submission, agreement }: Project): Instant =>
  submission === null ? agreement.terms.deadline : agreement.terms.reviewDeadline

/** A signature that is missing, then a decision that is kept for people. */
export const personObstacle = (project: Project, move: MoveName, moment: Moment): Obstacle =>
  signatureObstacle(project, move, moment) ?? keptObstacle(project, move, moment.by)

const signatureObstacle = (project: Project, move: MoveName, { by, now, circumstances }: Moment): Obstacle => {
  const { signing } = project.agreement.terms
  if (signing === undefined) return undefined
  if (move === "RESPOND_ACCEPT" && circumstances.isSignerMissing) {
    const detail = "The person who is to sign for the supplier is no member of the organization that answers."
    return refusal("UNKNOWN_SIGNER", { detail })
  }
  if (move === "SUBMIT") {
    const isSigned = hasSigned(project, "BUYER") && hasSigned(project, "SUPPLIER")
    if (isSigned) return undefined
    return signingDateObstacle(project, now) ?? refusal("WAIT_FOR_HUMAN", { requiredHumanAction: "SIGN_AGREEMENT" })
  }
  if (move !== "REVIEW_ACCEPT") return undefined
  if (now > signing.acceptanceSignBy) return refusal("SIGNATURE_DATE_PASSED", { dueAt: signing.acceptanceSignBy })
  const maySign = by.isPerson && (signing.method === "EXTERNAL" || by.personId === signing.principal)
  return maySign ? undefined : refusal("WAIT_FOR_HUMAN", { requiredHumanAction: "SIGN_ACCEPTANCE" })
}

const keptObstacle = (project: Project, move: MoveName, { isPerson }: Acting): Obstacle => {
  if (isPerson) return undefined
  const decisions = decisionsOf(move)
  const kept = project.agreement.terms.subjectRequirements.find((one) =>
    one.humanDecisions.some((decision) => decisions.includes(decision))
  )
  return kept === undefined ? undefined : refusal("HUMAN_DECISION_REQUIRED", { requiredHumanAction: kept.statement })
}

/** The decisions that a subject requirement can keep for people, by the move that makes them. */
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
