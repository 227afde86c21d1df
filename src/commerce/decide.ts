/** The commands on a Result Order: the event of each, or its refusal. Pure; time and ids are arguments. */
import { Result } from "effect"
import { addMilliseconds, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import type { Refusal } from "../vocabulary/refusals.ts"
import type { OrderFacts } from "./conditions.ts"
import type { FinancialEventContent } from "./financial-event.ts"
import {
  moveGuard,
  orderActions,
  preconditionGuard,
  type MoveCode,
  type OrderAction,
  type OrderPreconditions
} from "./guards.ts"
import type { ResultOrder } from "./result-order.ts"
import { acceptedSourceDigest } from "./source.ts"

export type OrderCommand =
  | { readonly action: "APPROVE_RESULT_ORDER" }
  | { readonly action: "DECLINE_RESULT_ORDER" | "WITHDRAW_RESULT_ORDER"; readonly reason: string }
  | { readonly action: "PAY_RESULT_ORDER" }

export interface OrderDecisionContext {
  readonly preconditions: OrderPreconditions
  readonly facts: OrderFacts
  readonly now: Instant
  /** The id of the attempt that a payment opens. */
  readonly commerceOrderId: string
  /** The base address of the agents' API, which the source of a payment names. */
  readonly baseUrl: string
}

type CodeOfAction<A extends OrderAction> =
  | "TERMS_DIGEST_MISMATCH"
  | "STALE_FINANCIAL_HEAD"
  | MoveCode<(typeof orderActions)[A]>

/** The event of a command: first its preconditions, then the guards of its move. */
export const decideOrder = <C extends OrderCommand>(
  order: ResultOrder,
  command: C,
  context: OrderDecisionContext
): Result.Result<FinancialEventContent, Refusal<CodeOfAction<C["action"]>>> => {
  const refused: Refusal | undefined =
    preconditionGuard(order, context.preconditions) ?? moveGuard(order, orderActions[command.action], context.facts)
  return refused === undefined
    ? Result.succeed(contentOf(order, command, context))
    : Result.fail(refused as Refusal<CodeOfAction<C["action"]>>)
}

const contentOf = (
  order: ResultOrder,
  command: OrderCommand,
  { commerceOrderId, baseUrl, now }: OrderDecisionContext
): FinancialEventContent => {
  switch (command.action) {
    case "APPROVE_RESULT_ORDER":
      return { kind: "APPROVED", payload: { termsDigest: order.termsDigest } }
    case "DECLINE_RESULT_ORDER":
      return { kind: "DECLINED", payload: { reason: command.reason } }
    case "WITHDRAW_RESULT_ORDER":
      return { kind: "WITHDRAWN", payload: { reason: command.reason } }
    case "PAY_RESULT_ORDER":
      return {
        kind: "ATTEMPT_OPENED",
        payload: {
          commerceOrderId,
          number: order.attempts + 1,
          // Of the head before this attempt, which the Result Order record encloses.
          acceptedSourceDigest: acceptedSourceDigest(order, baseUrl),
          expiresAt: addMilliseconds(now, limits.checkoutLifetime)
        }
      }
  }
}
