/** Result Orders of issued results at the simulated provider, and the requests of people on them. */
import { Effect } from "effect"
import { readStoredProject } from "../../src/projects/history.ts"
import { Storage } from "../../src/ports/storage.ts"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { agreementWithRecord } from "./issued-records.ts"
import { uuid } from "./parties.ts"
import { atProvider } from "./payments.ts"
import { send } from "./service.ts"
import { signInNewPerson, type SignedInPerson } from "./sessions.ts"
import { createdBody, options, post, read } from "./workspace.ts"

interface Pair {
  readonly buyer: SignedInPerson
  readonly supplier: SignedInPerson
}

/** A result whose supplier has an account that can take payments. */
export interface PayableResult extends Pair {
  readonly projectId: string
  readonly accountId: string
}

/** Opens and completes the supplier's account. */
export const openAccount = Effect.fnUntraced(function* (supplier: SignedInPerson) {
  const path = `/organizations/${supplier.organizationId}/recipient-account`
  const { accountId } = createdBody(yield* post(supplier, path))
  yield* atProvider({ act: "onboard", accountId })
  return accountId as string
})

export const payableResultOf = Effect.fnUntraced(function* (pair: Pair) {
  const accountId = yield* openAccount(pair.supplier)
  return { ...pair, accountId, projectId: yield* agreementWithRecord(pair) } satisfies PayableResult
})

export const payableResult = Effect.gen(function* () {
  return yield* payableResultOf({ buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") })
})

export const offerOf = Effect.fnUntraced(function* (projectId: string, changes: object = {}) {
  const storage = yield* Storage
  const { project } = (yield* storage.view((reader) => readStoredProject(reader, projectId)))!
  const { agreementDigest, recordId } = project
  return {
    requestId: uuid(),
    agreementDigest,
    recordId: recordId ?? `record_${uuid()}`,
    currency: "EUR",
    amountMinor: 125_000,
    ...changes
  }
})

export const offer = Effect.fnUntraced(function* (by: SignedInPerson, projectId: string, changes: object = {}) {
  return yield* post(by, `/projects/${projectId}/result-orders`, yield* offerOf(projectId, changes))
})

/** An order as its view names it. */
export interface Order {
  readonly resultOrderId: string
  readonly termsDigest: string
  readonly financialHead: string
}

export type OrderOperation = "approve" | "decline" | "withdraw" | "payments"

export const orderBody = (
  { termsDigest, financialHead }: Omit<Order, "resultOrderId">,
  operation: OrderOperation,
  changes: object = {}
) => ({
  requestId: uuid(),
  termsDigest,
  financialHead,
  ...(operation === "decline" || operation === "withdraw" ? { reason: "Not agreed." } : {}),
  ...changes
})

/** A command on an order as it was read. */
export const commandOrder = (by: SignedInPerson, order: Order, operation: OrderOperation, changes: object = {}) =>
  post(by, `/result-orders/${order.resultOrderId}/${operation}`, orderBody(order, operation, changes))

export const readOrder = (by: SignedInPerson, { resultOrderId }: Pick<Order, "resultOrderId">) =>
  Effect.map(read(by, `/result-orders/${resultOrderId}`), createdBody)

export const offered = Effect.fnUntraced(function* (result: PayableResult, changes: object = {}) {
  const order = createdBody(yield* offer(result.supplier, result.projectId, changes))
  return { ...result, order }
})

export const approved = Effect.fnUntraced(function* (result: PayableResult, changes: object = {}) {
  const { order } = yield* offered(result, changes)
  return { ...result, order: createdBody(yield* commandOrder(result.buyer, order, "approve")) }
})

/** An approved order with an open payment attempt. */
export const paying = Effect.fnUntraced(function* (result: PayableResult) {
  const { order } = yield* approved(result)
  const opened = createdBody(yield* commandOrder(result.buyer, order, "payments"))
  return { ...result, order: opened, commerceOrderId: opened.attempts.at(-1).commerceOrderId as string }
})

/** A paid order, as far as it is captured. */
export const paid = Effect.fnUntraced(function* (result: PayableResult) {
  const open = yield* paying(result)
  yield* atProvider({ act: "pay", commerceOrderId: open.commerceOrderId })
  yield* captureAttempt(open.commerceOrderId)
  return { ...open, order: yield* readOrder(result.buyer, open.order) }
})

export const exportRecord = (by: SignedInPerson, commerceOrderId: string) =>
  send("GET", `/api/commerce/orders/${commerceOrderId}/record`, options(by, {}))

/** One valid request of every operation of people on orders, accounts, Commerce Records and closures. */
export const commerceRequests = Effect.fnUntraced(function* (buyer: SignedInPerson, supplier: SignedInPerson) {
  const first = yield* payableResultOf({ buyer, supplier })
  const another = Effect.map(agreementWithRecord({ buyer, supplier }), (projectId) => ({ ...first, projectId }))
  const { order: toApprove } = yield* offered(yield* another)
  const { order: toDecline } = yield* offered(yield* another)
  const { order: toWithdraw } = yield* offered(yield* another)
  const { order: toPay } = yield* approved(yield* another)
  const { order: open, commerceOrderId } = yield* paying(yield* another)
  const { order: exportedOrder, commerceOrderId: exported } = yield* paying(yield* another)
  createdBody(yield* exportRecord(buyer, exported))
  const { organizationId } = supplier
  const command = (order: Order, operation: OrderOperation) => ({
    ids: { orderId: order.resultOrderId },
    body: orderBody(order, operation)
  })
  return [
    ["openRecipientAccount", buyer, { ids: { organizationId: buyer.organizationId } }],
    ["readRecipientAccount", supplier, { ids: { organizationId } }],
    [
      "offerResultOrder",
      supplier,
      { ids: { id: first.projectId }, body: yield* offerOf(first.projectId), status: 201 }
    ],
    ["listProjectResultOrders", buyer, { ids: { id: open.projectId as string } }],
    ["listResultOrders", buyer, { query: `?organizationId=${buyer.organizationId}` }],
    ["readResultOrder", supplier, { ids: { orderId: open.resultOrderId as string } }],
    ["approveResultOrder", buyer, command(toApprove, "approve")],
    ["declineResultOrder", buyer, command(toDecline, "decline")],
    ["withdrawResultOrder", supplier, command(toWithdraw, "withdraw")],
    ["payResultOrder", buyer, { ...command(toPay, "payments"), status: 201 }],
    ["exportCommerceRecord", buyer, { ids: { commerceOrderId } }],
    ["readCommerceStatus", supplier, { ids: { commerceOrderId: exported } }],
    ["exportClosure", buyer, { ids: { resultOrderId: open.resultOrderId as string } }],
    ["readClosureStatus", supplier, { ids: { resultOrderId: exportedOrder.resultOrderId as string } }],
    ["refreshCommerceOrder", supplier, { ids: { commerceOrderId }, body: {} }]
  ] as const
})
