/**
 * The moves of a project (3, decisions "Agreement and project"): one row says everything about a move. Guards, hints,
 * acts, authorities and webhook events are derived from this table; `commands/` has the decisions.
 */
import type { Action, HumanDecision, Role } from "../access/actions.ts"
import type { Authority } from "../people/membership.ts"
import type { EventType } from "../vocabulary/event-types.ts"
import * as conditions from "./conditions.ts"
import { states, type State } from "./project.ts"

/** The acts that cannot be granted to agents. */
export const personActs = [
  "SIGN_AGREEMENT",
  "LIFT_HOLD",
  "DISMISS_CONCERN",
  "UPHOLD_CONCERN",
  "WITHDRAW_CONFIRMATION",
  "CHANGE_REPRESENTATIVE",
  "REVISE_AGREEMENT"
] as const
export type PersonAct = (typeof personActs)[number]

/** A grantable action or an act reserved for people. */
export type Act = Action | PersonAct

export type Move = Transition & (AgentAct | ReservedAct | WithoutAct)

interface Transition {
  readonly by: Role | "EITHER"
  /** Every member of the side, or its named signer; absent for the representative. */
  readonly actor?: "MEMBER" | "SIGNER"
  readonly from: ReadonlyArray<State>
  /** Absent if the state is unchanged. */
  readonly to?: State
  readonly emits: EventType
  /** False if the project's history has no event of it. */
  readonly appends?: false
  /** The condition besides the state. */
  readonly condition?: conditions.Condition
  /** The reason in hints if the event that the move answers has not occurred. */
  readonly withoutTrigger?: string
  readonly stoppedByHold?: true
  /** In the order of the checks. */
  readonly deadlines?: ReadonlyArray<conditions.Deadline>
  /** The signatures that it requires if the agreement is signed. */
  readonly signatures?: conditions.Condition
  /** The decisions by which a subject requirement reserves it for people. */
  readonly humanDecisions?: ReadonlyArray<HumanDecision>
  /** How many of a history's last events are reserved for it; the first of them also for issuance. */
  readonly reservedEvents?: 1 | 2
}

/** An act of agents and people; `access/actions.ts` has its authority. */
interface AgentAct {
  readonly act: Action
  /** The decision of the act that is this move; absent if the act has no decisions. */
  readonly decision?: string
  readonly personOnly?: never
  readonly authority?: never
}

interface ReservedAct {
  readonly act: PersonAct
  readonly decision?: never
  /** No agent makes the move, whatever its grant. */
  readonly personOnly: true
  /** The authority that it requires of a membership. */
  readonly authority: Authority | { readonly [R in Role]: Authority }
}

/** A move that no command names; another operation makes it. */
interface WithoutAct {
  readonly act?: never
  readonly personOnly?: true
  readonly authority?: never
}

/** The states in which the supplier may deliver. */
const delivering = ["LOCKED", "CHANGES_REQUESTED", "AWAITING_EVIDENCE"] as const

const agreed = [...delivering, "SUBMITTED", "BUYER_CONFIRMED", "CONFIRMATION_CONTESTED"] as const

const ofEitherSide = { BUYER: "DELIVERY_REVIEW", SUPPLIER: "MATERIALS_SUBMIT" } as const

const ofPeople = { personOnly: true, emits: "record.changed" } as const

const response = {
  by: "SUPPLIER",
  act: "RESPOND_TERMS",
  from: ["AWAITING_SUPPLIER"],
  emits: "record.changed",
  humanDecisions: ["RESPOND"]
} as const

const review = {
  by: "BUYER",
  act: "REVIEW_DELIVERY",
  from: ["SUBMITTED"],
  stoppedByHold: true,
  deadlines: [conditions.reviewDeadline],
  humanDecisions: ["REVIEW"]
} as const

const hold = { by: "EITHER", act: "REQUEST_DATE_CHANGE", emits: "record.changed", stoppedByHold: true } as const

const resolution = {
  ...ofPeople,
  from: ["CONFIRMATION_CONTESTED"],
  withoutTrigger: "No concern was raised."
} as const

const revision = { ...ofPeople, by: "BUYER", act: "REVISE_AGREEMENT", authority: "AGREEMENT_CREATE" } as const

/** In the order of the hints. */
export const moves = {
  ACCEPT_INVITATION: {
    ...ofPeople,
    by: "SUPPLIER",
    from: ["AWAITING_SUPPLIER"],
    condition: conditions.isWithoutSupplier
  },
  RESPOND_ACCEPT: {
    ...response,
    decision: "ACCEPT",
    to: "LOCKED",
    emits: "agreement.confirmed",
    condition: conditions.isRepresentedAsAgreed,
    // Terms cannot be accepted after the deadline for signing them.
    deadlines: [conditions.deliveryDeadline, conditions.signingDeadline],
    signatures: conditions.isSignerKnown
  },
  RESPOND_REQUEST_CHANGES: { ...response, decision: "REQUEST_CHANGES", to: "AGREEMENT_CHANGES_REQUESTED" },
  RESPOND_DECLINE: { ...response, decision: "DECLINE", to: "SUPPLIER_DECLINED" },
  SIGN_AGREEMENT: {
    ...ofPeople,
    by: "EITHER",
    actor: "SIGNER",
    act: "SIGN_AGREEMENT",
    authority: { BUYER: "AGREEMENT_CREATE", SUPPLIER: "TERMS_RESPOND" },
    from: ["LOCKED"],
    condition: conditions.isUnsigned,
    deadlines: [conditions.signingDeadline]
  },
  SUBMIT: {
    by: "SUPPLIER",
    act: "SUBMIT_MATERIALS",
    from: delivering,
    to: "SUBMITTED",
    emits: "delivery.submitted",
    stoppedByHold: true,
    deadlines: [conditions.submissionDeadline],
    signatures: conditions.isAgreementSigned
  },
  REVIEW_REQUEST_CHANGES: {
    ...review,
    decision: "REQUEST_CHANGES",
    to: "CHANGES_REQUESTED",
    emits: "changes.requested"
  },
  REVIEW_REQUEST_EVIDENCE: {
    ...review,
    decision: "REQUEST_EVIDENCE",
    to: "AWAITING_EVIDENCE",
    emits: "changes.requested"
  },
  REVIEW_REJECT: { ...review, decision: "REJECT", to: "BUYER_REJECTED", emits: "acceptance.decided" },
  /** REVIEW_DELIVERY does not include acceptance. */
  REVIEW_ACCEPT: {
    ...review,
    act: "CONFIRM_COMPLETION",
    decision: "ACCEPT",
    to: "BUYER_CONFIRMED",
    emits: "acceptance.decided",
    signatures: conditions.isAcceptanceSigner,
    humanDecisions: ["REVIEW", "ACCEPT"]
  },
  ISSUE: {
    by: "BUYER",
    act: "ISSUE_RESULT_RECORD",
    from: ["BUYER_CONFIRMED"],
    emits: "record.changed",
    condition: conditions.isRecordNotRequested,
    humanDecisions: ["ISSUE"],
    reservedEvents: 1
  },
  HOLD_DELIVERY: { ...hold, from: delivering },
  HOLD_REVIEW: { ...hold, from: ["SUBMITTED"] },
  LIFT_HOLD: {
    ...ofPeople,
    by: "EITHER",
    act: "LIFT_HOLD",
    authority: ofEitherSide,
    from: [...delivering, "SUBMITTED"],
    condition: conditions.isOnHold,
    withoutTrigger: "No other date was asked for."
  },
  CONCERN: {
    by: "EITHER",
    act: "RAISE_CONCERN",
    from: ["BUYER_CONFIRMED"],
    to: "CONFIRMATION_CONTESTED",
    emits: "record.changed"
  },
  DISMISS_CONCERN: {
    ...resolution,
    by: "EITHER",
    act: "DISMISS_CONCERN",
    authority: ofEitherSide,
    to: "BUYER_CONFIRMED",
    condition: conditions.isOwnConcern
  },
  UPHOLD_CONCERN: {
    ...resolution,
    by: "BUYER",
    act: "UPHOLD_CONCERN",
    authority: "COMPLETION_CONFIRM",
    to: "CONFIRMATION_WITHDRAWN",
    reservedEvents: 2
  },
  WITHDRAW_CONFIRMATION: {
    ...ofPeople,
    by: "BUYER",
    act: "WITHDRAW_CONFIRMATION",
    authority: "COMPLETION_CONFIRM",
    from: ["BUYER_CONFIRMED"],
    to: "CONFIRMATION_WITHDRAWN",
    reservedEvents: 2
  },
  /** Revised terms replace terms that are not agreed. */
  REPLACE_TERMS: {
    ...revision,
    from: ["AWAITING_SUPPLIER", "AGREEMENT_CHANGES_REQUESTED"],
    to: "SUPERSEDED",
    reservedEvents: 2
  },
  /** Revised terms are offered; the agreed ones stay in force until the supplier accepts. */
  OFFER_REVISION: { ...revision, from: agreed, appends: false, condition: conditions.isWithoutOpenRevision },
  CHANGE_REPRESENTATIVE: {
    ...ofPeople,
    by: "SUPPLIER",
    actor: "MEMBER",
    act: "CHANGE_REPRESENTATIVE",
    authority: "MEMBERS_MANAGE",
    from: ["AWAITING_SUPPLIER", "AGREEMENT_CHANGES_REQUESTED", ...agreed],
    condition: conditions.isSupplierOrganizationKnown
  },
  /** The supplier accepts the revised project. */
  SUPERSEDE: { by: "SUPPLIER", from: agreed, to: "SUPERSEDED", emits: "record.changed", reservedEvents: 2 }
} as const satisfies { readonly [move: string]: Move }
export type MoveName = keyof typeof moves
type Moves = typeof moves

/** The refusal codes of a move's state, condition, hold and deadlines. */
export type StateCode<Move extends MoveName> = {
  readonly [M in Move]:
    | "STATE_CONFLICT"
    | (Moves[M] extends { readonly condition: infer Condition } ? conditions.CodeOf<Condition> : never)
    | (Moves[M] extends { readonly stoppedByHold: true } ? "DATE_REVISION_PENDING" : never)
    | (Moves[M] extends { readonly deadlines: ReadonlyArray<conditions.Deadline<infer Code>> } ? Code : never)
}[Move]

/** The refusal codes of a move's signatures and reserved decisions. */
export type PersonCode<Move extends MoveName> = {
  readonly [M in Move]:
    | (Moves[M] extends { readonly signatures: infer Condition } ? conditions.CodeOf<Condition> : never)
    | (Moves[M] extends { readonly humanDecisions: unknown } ? "HUMAN_DECISION_REQUIRED" : never)
}[Move]

/** A row, with every column that rows can have. */
export const moveNamed = (name: MoveName): Move => moves[name]

/** The next action that ends a hold. */
export const endOfHold = "REVISE_OR_LIFT_HOLD"

/** The next actions of a project, each with the acts that are it. */
export const nextActions = {
  INVITE_SUPPLIER: [],
  RESPOND: ["RESPOND_TERMS"],
  CHANGE_REPRESENTATIVE: ["CHANGE_REPRESENTATIVE"],
  SIGN_AGREEMENT: ["SIGN_AGREEMENT"],
  SUBMIT: ["SUBMIT_MATERIALS"],
  REVIEW: ["REVIEW_DELIVERY"],
  ISSUE_RECORD: ["ISSUE_RESULT_RECORD"],
  RESOLVE_CONCERN: ["DISMISS_CONCERN", "UPHOLD_CONCERN"],
  REVISE_AGREEMENT: ["REVISE_AGREEMENT"],
  [endOfHold]: ["REVISE_AGREEMENT", "LIFT_HOLD"],
  WAIT_FOR_RECORD: [],
  NONE: []
} as const satisfies { readonly [action: string]: ReadonlyArray<Act> }
export type NextAction = keyof typeof nextActions

/** True if the table allows the move from that state. */
export const canMove = (state: State, name: MoveName): boolean => moveNamed(name).from.includes(state)

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
  const { by } = moveNamed(name)
  return by === "EITHER" || by === side
}

/** True if only a person can make the move. */
export const isPersonOnly = (name: MoveName): boolean => moveNamed(name).personOnly === true
