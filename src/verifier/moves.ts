/** The state machine of a project: its states, the moves between them, and the moves that a hold blocks. */
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

/** The states from which each move starts, and the state to which it leads; without one the state does not change. */
const moves: Readonly<Record<string, readonly [from: ReadonlyArray<string>, to?: string]>> = {
  CREATE: [["NONE"], awaiting],
  INVITATION_ACCEPTED: [[awaiting]],
  "RESPOND ACCEPT": [[awaiting], "LOCKED"],
  "RESPOND REQUEST_CHANGES": [[awaiting], changing],
  "RESPOND DECLINE": [[awaiting], "SUPPLIER_DECLINED"],
  SIGN: [["LOCKED"]],
  SUBMIT: [delivering, submitted],
  "REVIEW REQUEST_CHANGES": [[submitted], "CHANGES_REQUESTED"],
  "REVIEW REQUEST_EVIDENCE": [[submitted], "AWAITING_EVIDENCE"],
  "REVIEW ACCEPT": [[submitted], confirmed],
  "REVIEW REJECT": [[submitted], "BUYER_REJECTED"],
  ISSUE: [[confirmed]],
  "DATE_REVISION DELIVERY": [delivering],
  "DATE_REVISION REVIEW": [[submitted]],
  LIFT_HOLD: [deliveringOrReviewed],
  CONCERN: [[confirmed], contested],
  "RESOLVE_CONCERN DISMISSED": [[contested], confirmed],
  "RESOLVE_CONCERN UPHELD": [[contested], withdrawn],
  WITHDRAW_CONFIRMATION: [[confirmed], withdrawn],
  CHANGE_REPRESENTATIVE: [unended],
  SUPERSEDE: [unended, "SUPERSEDED"]
}

/** The reliance of each state; in every other state it is NONE. */
export const reliances: ReadonlyMap<string, string> = new Map([
  [confirmed, "CURRENT"],
  [contested, "PAUSED"],
  [withdrawn, "STOPPED"],
  ["SUPERSEDED", "STOPPED"]
])

/** All states to which a move leads. An unknown state must not be interpreted. */
export const knownStates: ReadonlySet<string> = new Set(Object.values(moves).flatMap(([, to]) => to ?? []))
for (const state of knownStates) knownWords.add(state)

/** The states that only a project has whose supplier accepted its agreement; a superseded one may have. */
export const confirmedStates: ReadonlySet<string> = new Set(
  [...knownStates].filter((state) => ![awaiting, changing, "SUPPLIER_DECLINED"].includes(state))
)

const moveOf = ({ kind, payload }: ProjectEvent): string => {
  switch (kind) {
    case "RESPOND":
    case "REVIEW":
      return `${kind} ${payload.action}`
    case "DATE_REVISION":
      return `${kind} ${payload.purpose}`
    case "RESOLVE_CONCERN":
      return `${kind} ${payload.resolution}`
    default:
      return kind
  }
}

/** The states and holds allow the order of the events. Returns the final state. */
export const checkMoves = ({ history }: CheckInputs<"history">): Finding<string> => {
  let state = "NONE"
  let hold: string | null = null
  let confirmationId: string | null = null
  for (const [index, { content: event }] of history.entries()) {
    const at = `events[${index}]`
    const [from, to = state]: readonly [ReadonlyArray<string>, string?] = moves[moveOf(event)]!
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
