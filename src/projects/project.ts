/**
 * A project: one exact agreement version and what has happened to it. The states, and the table of moves between them:
 * who may do what from which state, and where it leads (3, decisions "Agreement and project").
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
  /** True where an agent never does it, whatever it was granted. */
  readonly personOnly?: true
  readonly from: ReadonlyArray<State>
  /** Absent where the state stays. */
  readonly to?: State
  readonly emits: EventType
}

/** A state in which the agreement holds and the supplier may deliver. */
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
  /** For the side that raised it alone. */
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
  /** Revised terms take the place of terms that nobody has agreed on. */
  REPLACE_TERMS: {
    by: "BUYER",
    personOnly: true,
    from: ["AWAITING_SUPPLIER", "AGREEMENT_CHANGES_REQUESTED"],
    to: "SUPERSEDED",
    emits: "record.changed"
  },
  /** Revised terms are offered; the agreed ones hold until the supplier accepts. */
  OFFER_REVISION: { by: "BUYER", personOnly: true, from: agreed, emits: "record.changed" },
  /** The supplier accepts the revised project. */
  SUPERSEDE: { by: "SUPPLIER", from: agreed, to: "SUPERSEDED", emits: "record.changed" }
} as const satisfies { readonly [move: string]: Move }
export type MoveName = keyof typeof moves

/** True where the table lets the move start from that state. */
export const canMove = (state: State, name: MoveName): boolean => {
  const move: Move = moves[name]
  return move.from.includes(state)
}

/** True where no move is left. */
export const isEnded = (state: State): boolean => movesFrom(state).length === 0

/** True where moves lead from the state to one that allows this move. */
export const canStillMove = (state: State, name: MoveName): boolean =>
  statesAfter[state].some((one) => canMove(one, name))

const movesFrom = (state: State): ReadonlyArray<Move> =>
  Object.values<Move>(moves).filter(({ from }) => from.includes(state))

const reach = (state: State, reached: Set<State> = new Set()): Set<State> => {
  if (reached.has(state)) return reached
  reached.add(state)
  for (const { to } of movesFrom(state)) if (to !== undefined) reach(to, reached)
  return reached
}

/** Each state with all that can follow it, itself among them. */
const statesAfter = Object.fromEntries(states.map((state) => [state, [...reach(state)]])) as unknown as {
  readonly [S in State]: ReadonlyArray<State>
}

/** What revised terms do: the state chooses. */
export const revisionMoveFrom = (state: State): "REPLACE_TERMS" | "OFFER_REVISION" =>
  canMove(state, "REPLACE_TERMS") ? "REPLACE_TERMS" : "OFFER_REVISION"

/** True where the move is that side's to make. */
export const isForSide = (name: MoveName, side: Role): boolean => {
  const { by }: Move = moves[name]
  return by === "EITHER" || by === side
}

/** True where only a person makes the move. */
export const isForPeople = (name: MoveName): boolean => {
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

export interface Confirmation {
  readonly confirmationId: string
  readonly reviewId: string
  readonly submissionId: string
  readonly occurredAt: Instant
}

/** A date revision was asked for: it binds people too, and stops no deadline. */
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

/** What a party signed, as it was recorded. */
export interface Signed {
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
  readonly confirmation: Confirmation | null
  readonly hold: Hold | null
  readonly concern: Concern | null
  readonly signatures: ReadonlyArray<Signed>
  readonly successor: SupersedePayload["successor"] | null
  readonly recordId: string | null
}
