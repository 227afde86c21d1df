/**
 * The moves of a Result Order: one row says everything about a move. Guards, available actions and the fold of its events
 * are derived from this table. Refunds and disputes are no states of an order.
 */
import type { Role } from "../access/actions.ts"
import * as conditions from "./conditions.ts"
import type { FinancialEventKind } from "./financial-event.ts"

export const orderStates = ["OFFERED", "APPROVED", "PAYING", "PAID", "DECLINED", "WITHDRAWN"] as const
export type OrderState = (typeof orderStates)[number]

export interface OrderMove {
  /** `SERVICE`: no command makes the move; it follows from what was captured. */
  readonly by: Role | "SERVICE"
  /** Empty for the offer, which has no order before it. */
  readonly from: ReadonlyArray<OrderState>
  readonly to: OrderState
  /** In the order of their refusals, after the state. */
  readonly conditions?: ReadonlyArray<conditions.OrderCondition>
}

/** By the kind of the event that a move appends. */
export const orderMoves = {
  OFFERED: { by: "SUPPLIER", from: [], to: "OFFERED" },
  APPROVED: { by: "BUYER", from: ["OFFERED"], to: "APPROVED" },
  DECLINED: { by: "BUYER", from: ["OFFERED"], to: "DECLINED" },
  WITHDRAWN: {
    by: "SUPPLIER",
    from: ["OFFERED", "APPROVED", "PAYING"],
    to: "WITHDRAWN",
    conditions: [conditions.openAttemptIsUnverified]
  },
  ATTEMPT_OPENED: {
    by: "BUYER",
    // From `PAYING` never: the open attempt refuses it, with a code of its own.
    from: ["APPROVED", "PAYING"],
    to: "PAYING",
    conditions: [
      conditions.projectIsConfirmed,
      conditions.noAttemptIsLive,
      conditions.attemptsAreLeft,
      conditions.recipientIsPayable,
      conditions.paymentsAreConfigured
    ]
  },
  ATTEMPT_RELEASED: { by: "SERVICE", from: ["PAYING"], to: "APPROVED" },
  ATTEMPT_PAID: { by: "SERVICE", from: ["PAYING"], to: "PAID" }
} as const satisfies { readonly [K in FinancialEventKind]: OrderMove }
export type OrderMoveName = keyof typeof orderMoves

/** A row, with every column that rows can have. */
export const orderMoveNamed = (name: OrderMoveName): OrderMove => orderMoves[name]

/** The states in which another order for the same record is refused. */
export const isLiveOrder = (state: OrderState): boolean => state !== "DECLINED" && state !== "WITHDRAWN"
