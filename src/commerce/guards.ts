/**
 * Guards of the commands on a Result Order, after authority and replays and in the documented order. Commands and available
 * actions use the same ones. Pure; each returns the first refusal or undefined.
 */
import type { Role } from "../access/actions.ts"
import type { CodeOf } from "../projects/conditions.ts"
import { refusal, type Refusal } from "../vocabulary/refusals.ts"
import type { OrderFacts } from "./conditions.ts"
import { orderMoveNamed, orderMoves, type OrderMoveName } from "./moves.ts"
import type { ResultOrder } from "./result-order.ts"

/** The preconditions that every command names. */
export interface OrderPreconditions {
  readonly termsDigest: string
  readonly financialHead: string
}

/** The preconditions that the next command must name. */
export const orderPreconditions = ({ termsDigest, financialHead }: ResultOrder): OrderPreconditions => ({
  termsDigest,
  financialHead
})

/** The acts of people on an order, each with its move. */
export const orderActions = {
  APPROVE_RESULT_ORDER: "APPROVED",
  DECLINE_RESULT_ORDER: "DECLINED",
  WITHDRAW_RESULT_ORDER: "WITHDRAWN",
  PAY_RESULT_ORDER: "ATTEMPT_OPENED"
} as const satisfies { readonly [action: string]: OrderMoveName }
export type OrderAction = keyof typeof orderActions

/** 403 unless the move belongs to this side. */
export const sideGuard = (move: OrderMoveName, side: Role) =>
  orderMoveNamed(move).by === side ? undefined : refusal("FORBIDDEN")

/** The terms and the head that the command was prepared with. */
export const preconditionGuard = (order: ResultOrder, named: OrderPreconditions) => {
  const current = orderPreconditions(order)
  if (named.termsDigest !== current.termsDigest) return refusal("TERMS_DIGEST_MISMATCH", { current })
  return named.financialHead === current.financialHead ? undefined : refusal("STALE_FINANCIAL_HEAD", { current })
}

/** The state, then the conditions of the move's row. */
export const moveGuard = <Move extends OrderMoveName>(order: ResultOrder, move: Move, facts: OrderFacts) =>
  moveRefusal(order, move, facts) as Refusal<MoveCode<Move>> | undefined

/** The refusal codes of a move's state and conditions. */
export type MoveCode<Move extends OrderMoveName> = {
  readonly [M in Move]:
    | "STATE_CONFLICT"
    | ((typeof orderMoves)[M] extends { readonly conditions: ReadonlyArray<infer Condition> }
        ? CodeOf<Condition>
        : never)
}[Move]

const moveRefusal = (order: ResultOrder, move: OrderMoveName, facts: OrderFacts): Refusal | undefined => {
  const { from, conditions = [] } = orderMoveNamed(move)
  if (order.state === null || !from.includes(order.state)) {
    return refusal("STATE_CONFLICT", {
      detail: `A Result Order in ${order.state} does not allow this; read the order again.`,
      nextAction: "REREAD_ORDER"
    })
  }
  for (const condition of conditions) {
    const refused = condition(order, facts)
    if (refused !== undefined) return refused
  }
  return undefined
}

/** The acts that a person of this side with financial authority can make now. */
export const availableOrderActions = (
  order: ResultOrder,
  side: Role,
  facts: OrderFacts
): ReadonlyArray<OrderAction> => {
  const actions = Object.keys(orderActions) as ReadonlyArray<OrderAction>
  return actions.filter((action) => {
    const move = orderActions[action]
    return sideGuard(move, side) === undefined && moveGuard(order, move, facts) === undefined
  })
}
