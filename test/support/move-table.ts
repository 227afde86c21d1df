/**
 * Every command in every state by every caller, written by hand from the specification and not from the code, as an
 * independent expectation.
 */
import type { State } from "../../src/projects/project.ts"

export const callers = [
  "buyer's agent",
  "supplier's agent",
  "buyer",
  "representative",
  /** Another member of the supplier's organization. */
  "member",
  /** A member of the supplier's organization who acted for the buyer before. */
  "turncoat"
] as const
export type CallerName = (typeof callers)[number]

export interface Row {
  readonly from: ReadonlyArray<State>
  /** Absent if the state does not change. */
  readonly to?: State
  /** Null if no event is appended to this project. */
  readonly emits: string | null
  readonly by: ReadonlyArray<CallerName>
  /** Callers that are refused because of the state and not of their rights; absent if these are the same. */
  readonly refusedByState?: ReadonlyArray<CallerName>
}

const everywhere = [
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
const delivering = ["LOCKED", "CHANGES_REQUESTED", "AWAITING_EVIDENCE"] as const
const agreed = [...delivering, "SUBMITTED", "BUYER_CONFIRMED", "CONFIRMATION_CONTESTED"] as const

const supplier = ["supplier's agent", "representative"] as const
const buyer = ["buyer's agent", "buyer"] as const
const people = ["buyer", "representative", "member"] as const

/** A concern of the buyer and one of the supplier are dismissed by different people. */
const dismissal = {
  from: ["CONFIRMATION_CONTESTED"],
  to: "BUYER_CONFIRMED",
  emits: "record.changed",
  refusedByState: ["buyer", "representative"]
} as const

export const table = {
  RESPOND_ACCEPT: { from: ["AWAITING_SUPPLIER"], to: "LOCKED", emits: "agreement.confirmed", by: supplier },
  RESPOND_REQUEST_CHANGES: {
    from: ["AWAITING_SUPPLIER"],
    to: "AGREEMENT_CHANGES_REQUESTED",
    emits: "record.changed",
    by: supplier
  },
  RESPOND_DECLINE: { from: ["AWAITING_SUPPLIER"], to: "SUPPLIER_DECLINED", emits: "record.changed", by: supplier },
  SIGN_AGREEMENT: { from: ["LOCKED"], emits: "record.changed", by: ["buyer", "representative"] },
  SUBMIT: { from: delivering, to: "SUBMITTED", emits: "delivery.submitted", by: supplier },
  REVIEW_REQUEST_CHANGES: { from: ["SUBMITTED"], to: "CHANGES_REQUESTED", emits: "changes.requested", by: buyer },
  REVIEW_REQUEST_EVIDENCE: { from: ["SUBMITTED"], to: "AWAITING_EVIDENCE", emits: "changes.requested", by: buyer },
  REVIEW_ACCEPT: { from: ["SUBMITTED"], to: "BUYER_CONFIRMED", emits: "acceptance.decided", by: buyer },
  REVIEW_REJECT: { from: ["SUBMITTED"], to: "BUYER_REJECTED", emits: "acceptance.decided", by: buyer },
  ISSUE: { from: ["BUYER_CONFIRMED"], emits: "record.changed", by: buyer },
  HOLD_DELIVERY: { from: delivering, emits: "record.changed", by: [...buyer, ...supplier] },
  HOLD_REVIEW: { from: ["SUBMITTED"], emits: "record.changed", by: [...buyer, ...supplier] },
  LIFT_HOLD: { from: [...delivering, "SUBMITTED"], emits: "record.changed", by: ["buyer", "representative"] },
  CONCERN: {
    from: ["BUYER_CONFIRMED"],
    to: "CONFIRMATION_CONTESTED",
    emits: "record.changed",
    by: [...buyer, ...supplier]
  },
  DISMISS_CONCERN_OF_BUYER: { ...dismissal, by: ["buyer"] },
  DISMISS_CONCERN_OF_SUPPLIER: { ...dismissal, by: ["representative"] },
  UPHOLD_CONCERN: {
    from: ["CONFIRMATION_CONTESTED"],
    to: "CONFIRMATION_WITHDRAWN",
    emits: "record.changed",
    by: ["buyer"]
  },
  WITHDRAW_CONFIRMATION: {
    from: ["BUYER_CONFIRMED"],
    to: "CONFIRMATION_WITHDRAWN",
    emits: "record.changed",
    by: ["buyer"]
  },
  CHANGE_REPRESENTATIVE: {
    from: ["AWAITING_SUPPLIER", "AGREEMENT_CHANGES_REQUESTED", ...agreed],
    emits: "record.changed",
    by: ["representative", "member"]
  },
  /** Revised terms replace terms that are not agreed yet. */
  REPLACE_TERMS: {
    from: ["AWAITING_SUPPLIER", "AGREEMENT_CHANGES_REQUESTED"],
    to: "SUPERSEDED",
    emits: "record.changed",
    by: ["buyer"]
  },
  /** Revised terms are offered beside the agreed ones. */
  OFFER_REVISION: { from: agreed, emits: null, by: ["buyer"] },
  /** The supplier accepts the revision of this project. */
  SUPERSEDE: { from: agreed, to: "SUPERSEDED", emits: "record.changed", by: supplier },
  HANDOFF: { from: everywhere, emits: null, by: ["buyer's agent", "supplier's agent"] },
  PAUSE: { from: everywhere, emits: null, by: people },
  RESUME: { from: everywhere, emits: null, by: people }
} as const satisfies { readonly [command: string]: Row }

export type RowName = keyof typeof table

export const rowNames = Object.keys(table) as ReadonlyArray<RowName>

/** The expected result of one command in one state by one caller: the next state, or the refusal. */
export const expectedOf = (
  name: RowName,
  state: State,
  caller: CallerName
): { readonly to: State; readonly emits: string | null } | string => {
  const row: Row = table[name]
  const isFrom = row.from.includes(state)
  if (isFrom && row.by.includes(caller)) return { to: row.to ?? state, emits: row.emits }
  if (!isFrom && (row.refusedByState ?? row.by).includes(caller)) return "STATE_CONFLICT"
  return caller.endsWith("agent") ? "FORBIDDEN_AGENT_ACTION" : "FORBIDDEN"
}

/** Every move of the table. */
export const movesOfTable = rowNames.flatMap((name) => {
  const row: Row = table[name]
  return row.from.flatMap((state) => row.by.map((caller) => ({ name, state, caller })))
})
