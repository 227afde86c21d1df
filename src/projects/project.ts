/**
 * A project: one exact agreement version and its history. The state machine: the states and the table of moves, with the
 * side, the states from and to, and the event type of each (3, decisions "Agreement and project").
 */
import type { Role } from "../access/actions.ts"
import type { EventType } from "../vocabulary/event-types.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { Agreement } from "./agreement.ts"
import type {
  ConcernPayload,
  DateRevisionPayload,
  ProjectEvent,
  ReviewPayload,
  Signature,
  SubmitPayload,
  SupersedePayload
} from "./event.ts"

export const states = [
  "AWAITING_SUPPLIER",
  "LOCKED",
  "SUBMITTED",
  "CHANGES_REQUESTED",
  "AWAITING_EVIDENCE",
  "AGREEMENT_CHANGES_REQUESTED",
  "SUPPLIER_DECLINED",
  "BUYER_REJECTED",
  "BUYER_CONFIRMED",
  "CONFIRMATION_CONTESTED",
  "CONFIRMATION_WITHDRAWN",
  "SUPERSEDED"
] as const
export type State = (typeof states)[number]

interface Move {
  readonly by: Role | "EITHER"
  /** True if no agent makes the move, whatever its grant. */
  readonly personOnly?: true
  readonly from: ReadonlyArray<State>
  /** Absent if the state is unchanged. */
  readonly to?: State
  readonly emits: EventType
}

/** The states in which the supplier may deliver. */
const delivering = ["LOCKED", "CHANGES_REQUESTED", "AWAITING_EVIDENCE"] as const

const agreed = [...delivering, "SUBMITTED", "BUYER_CONFIRMED", "CONFIRMATION_CONTESTED"] as const

export const moves = {
  ACCEPT_INVITATION: { by: "SUPPLIER", personOnly: true, from: ["AWAITING_SUPPLIER"], emits: "record.changed" },
  RESPOND_ACCEPT: { by: "SUPPLIER", from: ["AWAITING_SUPPLIER"], to: "LOCKED", emits: "agreement.confirmed" },
  RESPOND_REQUEST_CHANGES: {
    by: "SUPPLIER",
    from: ["AWAITING_SUPPLIER"],
    to: "AGREEMENT_CHANGES_REQUESTED",
    emits: "record.changed"
  },
  RESPOND_DECLINE: { by: "SUPPLIER", from: ["AWAITING_SUPPLIER"], to: "SUPPLIER_DECLINED", emits: "record.changed" },
  SIGN_AGREEMENT: { by: "EITHER", personOnly: true, from: ["LOCKED"], emits: "record.changed" },
  SUBMIT: { by: "SUPPLIER", from: delivering, to: "SUBMITTED", emits: "delivery.submitted" },
  REVIEW_REQUEST_CHANGES: { by: "BUYER", from: ["SUBMITTED"], to: "CHANGES_REQUESTED", emits: "changes.requested" },
  REVIEW_REQUEST_EVIDENCE: { by: "BUYER", from: ["SUBMITTED"], to: "AWAITING_EVIDENCE", emits: "changes.requested" },
  REVIEW_ACCEPT: { by: "BUYER", from: ["SUBMITTED"], to: "BUYER_CONFIRMED", emits: "acceptance.decided" },
  REVIEW_REJECT: { by: "BUYER", from: ["SUBMITTED"], to: "BUYER_REJECTED", emits: "acceptance.decided" },
  ISSUE: { by: "BUYER", from: ["BUYER_CONFIRMED"], emits: "record.changed" },
  HOLD_DELIVERY: { by: "EITHER", from: delivering, emits: "record.changed" },
  HOLD_REVIEW: { by: "EITHER", from: ["SUBMITTED"], emits: "record.changed" },
  LIFT_HOLD: { by: "EITHER", personOnly: true, from: [...delivering, "SUBMITTED"], emits: "record.changed" },
  CONCERN: { by: "EITHER", from: ["BUYER_CONFIRMED"], to: "CONFIRMATION_CONTESTED", emits: "record.changed" },
  /** Only for the side that raised it. */
  DISMISS_CONCERN: {
    by: "EITHER",
    personOnly: true,
    from: ["CONFIRMATION_CONTESTED"],
    to: "BUYER_CONFIRMED",
    emits: "record.changed"
  },
  UPHOLD_CONCERN: {
    by: "BUYER",
    personOnly: true,
    from: ["CONFIRMATION_CONTESTED"],
    to: "CONFIRMATION_WITHDRAWN",
    emits: "record.changed"
  },
  WITHDRAW_CONFIRMATION: {
    by: "BUYER",
    personOnly: true,
    from: ["BUYER_CONFIRMED"],
    to: "CONFIRMATION_WITHDRAWN",
    emits: "record.changed"
  },
  CHANGE_REPRESENTATIVE: {
    by: "SUPPLIER",
    personOnly: true,
    from: ["AWAITING_SUPPLIER", "AGREEMENT_CHANGES_REQUESTED", ...agreed],
    emits: "record.changed"
  },
  /** Revised terms replace terms that are not agreed. */
  REPLACE_TERMS: {
    by: "BUYER",
    personOnly: true,
    from: ["AWAITING_SUPPLIER", "AGREEMENT_CHANGES_REQUESTED"],
    to: "SUPERSEDED",
    emits: "record.changed"
  },
  /** Revised terms are offered; the agreed ones stay in force until the supplier accepts. */
  OFFER_REVISION: { by: "BUYER", personOnly: true, from: agreed, emits: "record.changed" },
  /** The supplier accepts the revised project. */
  SUPERSEDE: { by: "SUPPLIER", from: agreed, to: "SUPERSEDED", emits: "record.changed" }
} as const satisfies { readonly [move: string]: Move }
export type MoveName = keyof typeof moves

/** True if the table allows the move from that state. */
export const canMove = (state: State, name: MoveName): boolean => {
  const move: Move = moves[name]
  return move.from.includes(state)
}

/** True for a terminal state. */
export const isEnded = (state: State): boolean => movesFrom(state).length === 0

/** True if a state that allows the move is reachable. */
export const canStillMove = (state: State, name: MoveName): boolean =>
  reachableStates[state].some((one) => canMove(one, name))

const movesFrom = (state: State): ReadonlyArray<Move> =>
  Object.values<Move>(moves).filter(({ from }) => from.includes(state))

const addReachable = (state: State, reachable: Set<State> = new Set()): Set<State> => {
  if (reachable.has(state)) return reachable
  reachable.add(state)
  for (const { to } of movesFrom(state)) if (to !== undefined) addReachable(to, reachable)
  return reachable
}

/** Each state with the states reachable from it, including itself. */
const reachableStates = Object.fromEntries(states.map((state) => [state, [...addReachable(state)]])) as unknown as {
  readonly [S in State]: ReadonlyArray<State>
}

/** The move of a revision, selected by the state. */
export const revisionMoveFrom = (state: State): "REPLACE_TERMS" | "OFFER_REVISION" =>
  canMove(state, "REPLACE_TERMS") ? "REPLACE_TERMS" : "OFFER_REVISION"

/** True if the move belongs to that side. */
export const isForSide = (name: MoveName, side: Role): boolean => {
  const { by }: Move = moves[name]
  return by === "EITHER" || by === side
}

/** True if only a person can make the move. */
export const isPersonOnly = (name: MoveName): boolean => {
  const { personOnly }: Move = moves[name]
  return personOnly === true
}

export interface Submission extends SubmitPayload {
  readonly requestId: string
  readonly digest: string
  readonly occurredAt: Instant
}

export type Review = ReviewPayload & {
  readonly requestId: string
  readonly digest: string
  readonly occurredAt: Instant
}

export interface AcceptanceDecision {
  readonly confirmationId: string
  readonly reviewId: string
  readonly submissionId: string
  readonly occurredAt: Instant
}

/** A requested date revision: it stops people too, and extends no deadline. */
export interface Hold {
  readonly purpose: DateRevisionPayload["purpose"]
  readonly requestedBy: Role
  readonly reason: string
  readonly occurredAt: Instant
}

/** A concern that pauses reliance on the confirmation. */
export interface Concern {
  readonly kind: ConcernPayload["kind"]
  readonly raisedBy: Role
  readonly reason: string
  readonly occurredAt: Instant
}

/** A party's recorded signature. */
export interface RecordedSignature {
  readonly subject: "AGREEMENT" | "ACCEPTANCE"
  readonly party: Role
  readonly signature: Signature
  readonly occurredAt: Instant
}

export interface Project {
  readonly agreement: Agreement
  readonly agreementDigest: string
  readonly state: State
  readonly head: string
  readonly events: ReadonlyArray<ProjectEvent>
  readonly supplier: { readonly actorId: string | null; readonly organizationId: string | null }
  readonly submission: Submission | null
  readonly review: Review | null
  readonly confirmation: AcceptanceDecision | null
  readonly hold: Hold | null
  readonly concern: Concern | null
  readonly signatures: ReadonlyArray<RecordedSignature>
  readonly successor: SupersedePayload["successor"] | null
  readonly recordId: string | null
}
