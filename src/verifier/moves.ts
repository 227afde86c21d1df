/** The state machine of a project: its states, the moves between them with whose they are, and the moves that a hold blocks. */
import { fail, pass, same, type Finding } from "./ledger.ts"
import type { CheckInputs } from "./check-inputs.ts"
import { knownWords } from "./printable.ts"
import type { ProjectEvent } from "./schemas.ts"

const awaiting = "AWAITING_SUPPLIER"
const changing = "AGREEMENT_CHANGES_REQUESTED"
const submitted = "SUBMITTED"
const confirmed = "BUYER_CONFIRMED"
const contested = "CONFIRMATION_CONTESTED"
const withdrawn = "CONFIRMATION_WITHDRAWN"

const delivering = ["LOCKED", "CHANGES_REQUESTED", "AWAITING_EVIDENCE"]
const deliveringOrReviewed = [...delivering, submitted]
const unended = [awaiting, changing, ...deliveringOrReviewed, confirmed, contested]

/** A move: the states from which it starts and the one to which it leads, and who may make it. */
interface Move {
  readonly from: ReadonlyArray<string>
  /** Absent where the state does not change. */
  readonly to?: string
  readonly by: MoveParty
  /** True where no grant allows an agent to cause it, besides signatures. */
  readonly isPersonOnly?: true
}

/**
 * Whose move it is. EITHER: of both parties. SIGNER: of the one that its payload names. RAISER: of the one that raised the
 * concern. REPLACER: of the supplier, who accepts other terms; of the buyer, who replaces terms that are not agreed on.
 */
type MoveParty = "BUYER" | "SUPPLIER" | "EITHER" | "SIGNER" | "RAISER" | "REPLACER"

const moves = {
  CREATE: { from: ["NONE"], to: awaiting, by: "BUYER" },
  INVITATION_ACCEPTED: { from: [awaiting], by: "SUPPLIER", isPersonOnly: true },
  "RESPOND ACCEPT": { from: [awaiting], to: "LOCKED", by: "SUPPLIER" },
  "RESPOND REQUEST_CHANGES": { from: [awaiting], to: changing, by: "SUPPLIER" },
  "RESPOND DECLINE": { from: [awaiting], to: "SUPPLIER_DECLINED", by: "SUPPLIER" },
  SIGN: { from: ["LOCKED"], by: "SIGNER" },
  SUBMIT: { from: delivering, to: submitted, by: "SUPPLIER" },
  "REVIEW REQUEST_CHANGES": { from: [submitted], to: "CHANGES_REQUESTED", by: "BUYER" },
  "REVIEW REQUEST_EVIDENCE": { from: [submitted], to: "AWAITING_EVIDENCE", by: "BUYER" },
  "REVIEW ACCEPT": { from: [submitted], to: confirmed, by: "BUYER" },
  "REVIEW REJECT": { from: [submitted], to: "BUYER_REJECTED", by: "BUYER" },
  ISSUE: { from: [confirmed], by: "BUYER" },
  "DATE_REVISION DELIVERY": { from: delivering, by: "EITHER" },
  "DATE_REVISION REVIEW": { from: [submitted], by: "EITHER" },
  LIFT_HOLD: { from: deliveringOrReviewed, by: "EITHER", isPersonOnly: true },
  CONCERN: { from: [confirmed], to: contested, by: "EITHER" },
  "RESOLVE_CONCERN DISMISSED": { from: [contested], to: confirmed, by: "RAISER", isPersonOnly: true },
  "RESOLVE_CONCERN UPHELD": { from: [contested], to: withdrawn, by: "BUYER", isPersonOnly: true },
  WITHDRAW_CONFIRMATION: { from: [confirmed], to: withdrawn, by: "BUYER", isPersonOnly: true },
  CHANGE_REPRESENTATIVE: { from: unended, by: "SUPPLIER", isPersonOnly: true },
  SUPERSEDE: { from: unended, to: "SUPERSEDED", by: "REPLACER" }
} as const satisfies Readonly<Record<string, Move>>

/** The reliance of each state; in every other state it is NONE. */
export const reliances: ReadonlyMap<string, string> = new Map([
  [confirmed, "CURRENT"],
  [contested, "PAUSED"],
  [withdrawn, "STOPPED"],
  ["SUPERSEDED", "STOPPED"]
])

/** All states to which a move leads. An unknown state must not be interpreted. */
export const knownStates: ReadonlySet<string> = new Set(Object.values<Move>(moves).flatMap(({ to }) => to ?? []))
for (const state of knownStates) knownWords.add(state)

/** The states that only a project has whose supplier accepted its agreement; a superseded one may have. */
export const confirmedStates: ReadonlySet<string> = new Set(
  [...knownStates].filter((state) => ![awaiting, changing, "SUPPLIER_DECLINED"].includes(state))
)

/** The move of an event, whose kind and payload are of the schema. */
export const moveOf = ({ kind, payload }: ProjectEvent): Move => {
  switch (kind) {
    case "RESPOND":
      return moves[`${kind} ${payload.action}`]
    case "REVIEW":
      return moves[`${kind} ${payload.action}`]
    case "DATE_REVISION":
      return moves[`${kind} ${payload.purpose}`]
    case "RESOLVE_CONCERN":
      return moves[`${kind} ${payload.resolution}`]
    default:
      return moves[kind]
  }
}

/** The states and holds allow the order of the events. Returns the final state. */
export const checkMoves = ({ history }: CheckInputs<"history">): Finding<string> => {
  let state = "NONE"
  let hold: string | null = null
  let confirmationId: string | null = null
  for (const [index, { content: event }] of history.entries()) {
    const at = `events[${index}]`
    const { from, to = state }: Move = moveOf(event)
    if (!from.includes(state)) return fail("JOURNAL_MOVE", at, from.join(), state)
    const { kind, payload } = event
    // A hold blocks deliveries, reviews and further holds; only a current hold is lifted.
    const required: string | null = kind === "LIFT_HOLD" ? payload.purpose : isBlockedByHold(kind) ? null : hold
    if (hold !== required) return fail("JOURNAL_MOVE", at, required, hold)
    if (kind === "DATE_REVISION") hold = payload.purpose
    if (kind === "LIFT_HOLD") hold = null
    if (kind === "REVIEW" && payload.action === "ACCEPT") confirmationId = payload.confirmationId
    if (kind === "CONCERN" || kind === "RESOLVE_CONCERN" || kind === "WITHDRAW_CONFIRMATION") {
      const path = `${at}.payload.confirmationId`
      const current = same("CONFIRMATION_MISMATCH", path, confirmationId, payload.confirmationId)
      if (!current.ok) return current
    }
    state = to
  }
  return pass(state, state)
}

const isBlockedByHold = (kind: string): boolean => kind === "SUBMIT" || kind === "REVIEW" || kind === "DATE_REVISION"
