/** The commands of people on a Result Order: approve, decline, withdraw, pay. */
import { Effect, Result } from "effect"
import { requireSession, type ActingPerson } from "../people/acting-person.ts"
import { Installation } from "../ports/installation.ts"
import { Payments } from "../ports/payments.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import type { Transaction } from "../ports/storage.ts"
import type { ProjectRow } from "../projects/project-row.ts"
import { readStoredRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { neverRefused, refuse } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import { commitFinancialCommand } from "./commit.ts"
import type { OrderFacts } from "./conditions.ts"
import { decideOrder, type OrderCommand } from "./decide.ts"
import type { FinancialEventContent, Occurrence } from "./financial-event.ts"
import { findOrderAsParty, managingSide } from "./financial-side.ts"
import { orderActions, type OrderPreconditions } from "./guards.ts"
import { orderMoves } from "./moves.ts"
import { insertAttempt, readIsPayable } from "./new-attempt.ts"
import { openCheckout } from "./opening.ts"
import { readCommandedOrder, type OrderReadModel } from "./reading.ts"
import { baseUrlOf, orderPage } from "./site-addresses.ts"
import { appendFinancialEvent, readOrderWithAttempts, type StoredOrder } from "./stored-order.ts"

/** A command on an order, with the terms and the head that it was prepared with. */
export interface OrderInput extends OrderPreconditions {
  readonly resultOrderId: string
}

/** Approves exactly these terms, for the buyer. */
export const approveResultOrder = traced("commerce.approve")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  input: OrderInput
) {
  return yield* commandWithoutRecord(by, request, input, { action: "APPROVE_RESULT_ORDER" })
})

export const declineResultOrder = traced("commerce.decline")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  { reason, ...input }: OrderInput & { readonly reason: string }
) {
  return yield* commandWithoutRecord(by, request, input, { action: "DECLINE_RESULT_ORDER", reason })
})

/** Effective once acknowledged: no attempt opens afterwards. */
export const withdrawResultOrder = traced("commerce.withdraw")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  { reason, ...input }: OrderInput & { readonly reason: string }
) {
  return yield* commandWithoutRecord(by, request, input, { action: "WITHDRAW_RESULT_ORDER", reason })
})

/**
 * Opens a payment attempt: one transaction, then the provider, then a transaction that keeps its answer. A replay opens
 * the checkout too where the first request was lost before it did. The provider takes seconds: a person whose session or
 * authority to pay has ended meanwhile gets the committed order without the address of its checkout.
 */
export const payResultOrder = traced("commerce.pay")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  input: OrderInput
) {
  const { opening, ...committed } = yield* commandOrder(by, request, input, { action: "PAY_RESULT_ORDER" })
  if (opening !== undefined) yield* openCheckout(opening)
  const order = yield* readCommandedOrder(committed)
  // Last: an end of the authority that was acknowledged before takes the address from the answer.
  const mayPay = opening === undefined || (yield* isPayer(by, input.resultOrderId))
  return mayPay ? order : { ...order, attempts: order.attempts.map(withoutCheckout) }
})

const isPayer = Effect.fnUntraced(function* (by: ActingPerson, resultOrderId: string) {
  const now = yield* currentTime
  const side = inView(function* (reader) {
    yield* requireSession(reader, by, now)
    const { project, membership } = yield* findOrderAsParty(reader, by, resultOrderId, now)
    return managingSide(project, membership, now)
  })
  return yield* Effect.match(side, { onFailure: () => false, onSuccess: (found) => found === "BUYER" })
})

const withoutCheckout = (attempt: OrderReadModel["attempts"][number]) => ({
  ...attempt,
  row: { ...attempt.row, checkoutUrl: null }
})

/** Commands that sign no record and ask no provider: all but a payment. */
const commandWithoutRecord = <C extends OrderCommand>(
  by: ActingPerson,
  request: IdempotentRequest,
  input: OrderInput,
  command: C
) =>
  commandOrder(by, request, input, command).pipe(
    neverRefused("ISSUER_NOT_CONFIGURED", "PAYMENTS_NOT_CONFIGURED"),
    Effect.flatMap(readCommandedOrder)
  )

const commandOrder = Effect.fnUntraced(function* <C extends OrderCommand>(
  by: ActingPerson,
  request: IdempotentRequest,
  input: OrderInput,
  command: C
) {
  const ids = yield* idSeed
  for (let plans = 0; plans < limits.orderPlans; plans++) {
    const plan = yield* planCommand(by, request, input, command)
    const committed = yield* commitOnOrder(by, request, { input, command, plan, ids })
    if (committed !== undefined) return committed
  }
  return yield* refuse("TEMPORARILY_UNAVAILABLE")
})

interface CommandPlan {
  readonly projectId: string
  readonly membershipId: string
  /** What the provider says about the recipient's account; undefined where it was not asked. */
  readonly isRecipientPayable: boolean | undefined
}

/** The provider is asked only for a payment that nothing else refuses. */
const planCommand = Effect.fnUntraced(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  input: OrderInput,
  command: OrderCommand
) {
  const now = yield* currentTime
  const payments = yield* Payments
  const { siteUrl } = yield* Installation
  const { projectId, membershipId, account } = yield* inView(function* (reader) {
    const { row, project, membership } = yield* findOrderAsParty(reader, by, input.resultOrderId, now)
    const { projectId } = row
    const { membershipId } = membership
    if (command.action !== "PAY_RESULT_ORDER" || payments.kind === "NONE") {
      return { projectId, membershipId, account: undefined }
    }
    const [subject, earlier] = yield* readTogether([
      readOrderWithAttempts(reader, input.resultOrderId),
      readStoredRequest(reader, request)
    ])
    const mayPay = managingSide(project, membership, now) === "BUYER"
    if (!mayPay || subject === undefined || earlier !== undefined) {
      return { projectId, membershipId, account: undefined }
    }
    const facts = { projectState: project.state, attempts: subject.attempts, payments, isRecipientPayable: true }
    const decided = decideOrder(subject.stored.order, command, {
      preconditions: input,
      facts,
      now,
      commerceOrderId: "",
      baseUrl: baseUrlOf(siteUrl)
    })
    const account = Result.isSuccess(decided) ? subject.stored.order.terms.recipientAccount : undefined
    return { projectId, membershipId, account }
  })
  const isRecipientPayable =
    account === undefined || payments.kind === "NONE"
      ? undefined
      : yield* readIsPayable(payments, account, orderPage(siteUrl, input.resultOrderId))
  return { projectId, membershipId, isRecipientPayable } satisfies CommandPlan
})

interface PlannedCommand<C extends OrderCommand> {
  readonly input: OrderInput
  readonly command: C
  readonly plan: CommandPlan
  readonly ids: Effect.Success<typeof idSeed>
}

const commitOnOrder = Effect.fnUntraced(function* <C extends OrderCommand>(
  by: ActingPerson,
  request: IdempotentRequest,
  { input, command, plan, ids }: PlannedCommand<C>
) {
  const payments = yield* Payments
  const { siteUrl } = yield* Installation
  const { projectId, membershipId, isRecipientPayable } = plan
  const side = orderMoves[orderActions[command.action]].by
  const committed = yield* commitFinancialCommand(by, request, {
    projectId,
    membershipId,
    side,
    urgent: command.action === "WITHDRAW_RESULT_ORDER",
    read: (transaction) => readOrderWithAttempts(transaction, input.resultOrderId),
    notBefore: ({ stored }) => stored.order.events.at(-1)!.occurredAt,
    isPlanCurrent: () => true,
    decide: ({ stored, attempts }, { row, at }) => {
      const facts: OrderFacts = {
        projectState: row.state,
        attempts,
        payments,
        isRecipientPayable: isRecipientPayable ?? true
      }
      const decided = decideOrder(stored.order, command, {
        preconditions: input,
        facts,
        now: at,
        commerceOrderId: ids("attempt").next("commerce"),
        baseUrl: baseUrlOf(siteUrl)
      })
      const isUnasked = command.action === "PAY_RESULT_ORDER" && isRecipientPayable === undefined
      return Result.map(decided, (content) => (isUnasked ? undefined : content))
    },
    apply: applyContent
  })
  if (committed === undefined) return undefined
  const { resultOrderId, replayed } = committed
  const opening = replayed
    ? committed.subject.attempts.find(({ state }) => state === "OPENING")
    : committed.applied.opening
  return { resultOrderId, side, replayed, opening }
})

interface DecidedContent {
  readonly subject: { readonly stored: StoredOrder }
  readonly row: ProjectRow
  readonly decision: FinancialEventContent
  readonly occurrence: Occurrence
}

/** Appends the event, and with an opening the attempt. */
const applyContent = Effect.fnUntraced(function* (
  transaction: Transaction,
  { subject: { stored }, row, decision, occurrence }: DecidedContent
) {
  const { resultOrderId } = stored.row
  const after = yield* appendFinancialEvent(transaction, stored, decision, occurrence)
  if (decision.kind !== "ATTEMPT_OPENED") return { resultOrderId, opening: undefined }
  const opening = yield* insertAttempt(transaction, { before: stored, after, project: row, opened: decision })
  return { resultOrderId, opening }
})
