/** The order of events: the states of a project, the moves between them, and what a hold keeps from moving. */
import type { History } from "./history.ts"
import { fail, pass, same, type Finding } from "./ledger.ts"
import type { ProjectEvent } from "./shapes.ts"

const delivering = "LOCKED,CHANGES_REQUESTED,AWAITING_EVIDENCE"
const deliveringOrReviewed = `${delivering},SUBMITTED`
const unanswered = "AWAITING_SUPPLIER,AGREEMENT_CHANGES_REQUESTED"
const unended = `${unanswered},${deliveringOrReviewed},BUYER_CONFIRMED,CONFIRMATION_CONTESTED`

/** The states from which each move starts, and the one to which it leads; without that one the state stays. */
const moves: Readonly<Record<string, readonly [from: string, to?: string]>> = {
  CREATE: ["NONE", "AWAITING_SUPPLIER"],
  INVITATION_ACCEPTED: ["AWAITING_SUPPLIER"],
  "RESPOND ACCEPT": ["AWAITING_SUPPLIER", "LOCKED"],
  "RESPOND REQUEST_CHANGES": ["AWAITING_SUPPLIER", "AGREEMENT_CHANGES_REQUESTED"],
  "RESPOND DECLINE": ["AWAITING_SUPPLIER", "SUPPLIER_DECLINED"],
  SIGN: ["LOCKED"],
  SUBMIT: [delivering, "SUBMITTED"],
  "REVIEW REQUEST_CHANGES": ["SUBMITTED", "CHANGES_REQUESTED"],
  "REVIEW REQUEST_EVIDENCE": ["SUBMITTED", "AWAITING_EVIDENCE"],
  "REVIEW ACCEPT": ["SUBMITTED", "BUYER_CONFIRMED"],
  "REVIEW REJECT": ["SUBMITTED", "BUYER_REJECTED"],
  ISSUE: ["BUYER_CONFIRMED"],
  "DATE_REVISION DELIVERY": [delivering],
  "DATE_REVISION REVIEW": ["SUBMITTED"],
  LIFT_HOLD: [deliveringOrReviewed],
  CONCERN: ["BUYER_CONFIRMED", "CONFIRMATION_CONTESTED"],
  "RESOLVE_CONCERN DISMISSED": ["CONFIRMATION_CONTESTED", "BUYER_CONFIRMED"],
  "RESOLVE_CONCERN UPHELD": ["CONFIRMATION_CONTESTED", "CONFIRMATION_WITHDRAWN"],
  WITHDRAW_CONFIRMATION: ["BUYER_CONFIRMED", "CONFIRMATION_WITHDRAWN"],
  CHANGE_REPRESENTATIVE: [unended],
  SUPERSEDE: [unended, "SUPERSEDED"]
}

/** Every state is one to which some move leads. Another word must not be interpreted. */
export const knownStates: ReadonlySet<string> = new Set(Object.values(moves).flatMap(([, to]) => to ?? []))

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

/** The events happened in an order that states and holds allow. */
export const checkMoves = (history: History): Finding<null> => {
  let state = "NONE"
  let hold: string | null = null
  let confirmationId: string | null = null
  for (const [index, { content: event }] of history.entries()) {
    const at = `events[${index}]`
    const [from, to = state]: readonly [string, string?] = moves[moveOf(event)]!
    if (!from.split(",").includes(state)) return fail("JOURNAL_MOVE", { at, expected: from, actual: state })
    const { kind, payload } = event
    // Delivery, review and a further date wait while a date is asked for; only the hold that stands is lifted.
    const free: string | null = kind === "LIFT_HOLD" ? payload.purpose : isHeld(kind) ? null : hold
    if (hold !== free) return fail("JOURNAL_MOVE", { at, expected: free, actual: hold })
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
  return pass(null, { actual: state })
}

const isHeld = (kind: string): boolean => kind === "SUBMIT" || kind === "REVIEW" || kind === "DATE_REVISION"
