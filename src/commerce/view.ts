/** Result Orders as people see them. */
import { components } from "../vocabulary/payments.ts"
import { attentionOf, isCheckoutPayable } from "./attempt.ts"
import { availableOrderActions } from "./guards.ts"
import type { PaymentAttempt, RefreshedCommerceOrder, ResultOrderView } from "./person-wire.ts"
import type { OrderReadModel } from "./reading.ts"
import type { RefreshedAttempt } from "./refresh.ts"
import type { CommerceComponentRow, CommerceOrderRow } from "./store.ts"

export const viewResultOrder = ({
  stored: { row, order },
  attempts,
  projectState,
  side,
  mayManage,
  payments,
  replayed
}: OrderReadModel & { readonly replayed?: boolean }): typeof ResultOrderView.Type => {
  const rows = attempts.map((attempt) => attempt.row)
  // Available actions are a hint, for which the provider is not asked.
  const facts = { projectState, attempts: rows, isRecipientPayable: true, payments }
  return {
    resultOrderId: row.resultOrderId,
    projectId: row.projectId,
    side,
    state: row.state,
    terms: order.terms,
    termsDigest: order.termsDigest,
    financialHead: order.financialHead,
    financialEvents: order.events,
    attempts: attempts.map((attempt) => viewAttempt(attempt, side, rows)),
    attention: attentionOf(order, rows),
    availableActions: mayManage ? availableOrderActions(order, side, facts) : [],
    ...(replayed === true ? { replayed } : {})
  }
}

/** The checkout is for the buyer, as long as it can be paid. */
const viewAttempt = (
  { row, components: read }: OrderReadModel["attempts"][number],
  side: OrderReadModel["side"],
  attempts: ReadonlyArray<CommerceOrderRow>
): typeof PaymentAttempt.Type => ({
  commerceOrderId: row.commerceOrderId,
  number: row.number,
  state: row.state,
  expiresAt: row.expiresAt,
  checkoutUrl: side === "BUYER" && isCheckoutPayable(row, attempts) ? row.checkoutUrl : null,
  journal: { count: row.journalCount, head: row.journalHead },
  components: components.map((component) => viewComponent(component, read))
})

const viewComponent = (
  component: (typeof components)[number],
  read: ReadonlyArray<CommerceComponentRow>
): (typeof PaymentAttempt.Type)["components"][number] => {
  const found = read.find((one) => one.component === component)
  return { component, lastObservedAt: found?.lastObservedAt ?? null, failure: found?.failure ?? null }
}

export const viewOrders = ({
  orders,
  mayOffer
}: {
  readonly orders: ReadonlyArray<OrderReadModel>
  readonly mayOffer: boolean
}) => {
  const availableActions: ReadonlyArray<"OFFER_RESULT_ORDER"> = mayOffer ? ["OFFER_RESULT_ORDER"] : []
  return { resultOrders: orders.map(viewResultOrder), availableActions }
}

export const viewOrderPage = ({
  orders,
  next
}: {
  readonly orders: ReadonlyArray<OrderReadModel>
  readonly next: string | null
}) => ({
  resultOrders: orders.map(viewResultOrder),
  next
})

/** The reason of a failure is in the view of the order. */
export const viewRefreshed = ({
  components: read,
  ...refreshed
}: RefreshedAttempt): typeof RefreshedCommerceOrder.Type => ({
  ...refreshed,
  components: read.map(({ component, outcome, lastObservedAt, newEntries }) => ({
    component,
    outcome,
    lastObservedAt,
    newEntries
  }))
})
