/** Result Orders in every state, made of events only, for tests of decisions; not stored. */
import { Result } from "effect"
import type { AttemptState } from "../../src/commerce/attempt.ts"
import type { OrderFacts } from "../../src/commerce/conditions.ts"
import { decideOrder, type OrderCommand } from "../../src/commerce/decide.ts"
import { nextFinancialEvent, type FinancialEventContent, type Occurrence } from "../../src/commerce/financial-event.ts"
import { orderPreconditions } from "../../src/commerce/guards.ts"
import type { OrderState } from "../../src/commerce/moves.ts"
import { evolveOrder, orderFrom, type ResultOrder } from "../../src/commerce/result-order.ts"
import { orderTerms, type OrderTerms } from "../../src/commerce/terms.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { binding } from "./payment-facts.ts"
import { agreement, projectIn } from "./project.ts"
import { digestOfCharacter, sam, uuidOf } from "./project-people.ts"

export const orderTime = "2026-02-01T09:00:00.000Z" as Instant
export const baseUrl = "https://example.org/api/agents/v1"
export const resultOrderId = `order_${uuidOf(1)}`
export const attemptId = (number: number): string => `commerce_${uuidOf(number)}`

export const terms: OrderTerms = orderTerms(projectIn("BUYER_CONFIRMED"), {
  record: { id: `record_${uuidOf(1)}`, digest: digestOfCharacter("5") },
  packageDigest: digestOfCharacter("6"),
  provider: "SIMULATED",
  environment: "TEST",
  recipientAccount: binding.recipientAccount,
  currency: "EUR",
  amountMinor: 125_000
})

export const buyer: Occurrence["by"] = {
  requestId: uuidOf(1),
  actor: { personId: agreement.buyer.actorId, organizationId: agreement.buyer.organizationId }
}
export const supplier: Occurrence["by"] = {
  requestId: uuidOf(2),
  actor: { personId: sam.personId, organizationId: terms.supplier.organizationId }
}

export const append = (
  order: ResultOrder,
  content: FinancialEventContent,
  by: Occurrence["by"],
  now: Instant = orderTime
): ResultOrder => evolveOrder(order, nextFinancialEvent(order, content, { by, now }))

export const offered = (): ResultOrder => {
  const before = orderFrom(resultOrderId, terms, [])
  return append(before, { kind: "OFFERED", payload: { termsDigest: before.termsDigest } }, supplier)
}

/** Facts under which every move that the state allows is made. */
export const factsWith = (changes: Partial<OrderFacts> = {}): OrderFacts => ({
  projectState: "BUYER_CONFIRMED",
  attempts: [],
  isRecipientPayable: true,
  payments: { kind: "PROVIDER", provider: "SIMULATED", environment: "TEST" },
  ...changes
})

/** The order after a command; fails if it is refused. */
export const afterOrderCommand = (order: ResultOrder, command: OrderCommand, now: Instant = orderTime): ResultOrder => {
  const content = Result.getOrThrow(
    decideOrder(order, command, {
      preconditions: orderPreconditions(order),
      facts: factsWith(),
      now,
      commerceOrderId: attemptId(order.attempts + 1),
      baseUrl
    })
  )
  return append(order, content, command.action === "WITHDRAW_RESULT_ORDER" ? supplier : buyer, now)
}

const journal = { count: 1, head: digestOfCharacter("7") }

/** The order after the release of its open attempt. */
export const released = (order: ResultOrder): ResultOrder =>
  append(
    order,
    {
      kind: "ATTEMPT_RELEASED",
      payload: { commerceOrderId: order.openAttemptId!, reason: "CHECKOUT_EXPIRED", journal }
    },
    "SERVICE"
  )

const approve: OrderCommand = { action: "APPROVE_RESULT_ORDER" }
export const pay: OrderCommand = { action: "PAY_RESULT_ORDER" }

export const orderIn = (state: OrderState): ResultOrder => {
  const approved = () => afterOrderCommand(offered(), approve)
  switch (state) {
    case "OFFERED":
      return offered()
    case "APPROVED":
      return approved()
    case "DECLINED":
      return afterOrderCommand(offered(), { action: "DECLINE_RESULT_ORDER", reason: "Too much." })
    case "WITHDRAWN":
      return afterOrderCommand(offered(), { action: "WITHDRAW_RESULT_ORDER", reason: "A mistake." })
    case "PAYING":
      return afterOrderCommand(approved(), pay)
    case "PAID": {
      const paying = afterOrderCommand(approved(), pay)
      const payload = { commerceOrderId: paying.openAttemptId!, journal }
      return append(paying, { kind: "ATTEMPT_PAID", payload }, "SERVICE")
    }
  }
}

/** The open attempt of an order, in a state. */
export const openAttempts = ({ openAttemptId }: ResultOrder, state: AttemptState): OrderFacts["attempts"] =>
  openAttemptId === null ? [] : [{ commerceOrderId: openAttemptId, state }]
