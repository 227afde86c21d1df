/** An order has at most one attempt that can still be paid, and takes one payment. */
import { CommerceComponents, CommerceOrders, type CommerceOrderRow } from "../../../src/commerce/store.ts"
import { addMilliseconds } from "../../../src/vocabulary/instant.ts"
import { type Moment, monitoredProperty, rowIn, type Rows, rowsWithPrefix, violation } from "../property.ts"
import { bindingOf, entriesOf, eventsOf, type Facts } from "../support/commerce.ts"
import { isPaidAsBound } from "../support/commerce-labels.ts"
import { changesTo } from "../support/commits.ts"

export const onePaymentPerOrder = monitoredProperty<null>({
  name: "one payment per order",
  kind: "always",
  says: "A Result Order has at most one live payment attempt and takes one payment; an attempt frees that place only by an end that was captured of its checkout together with its payment, or that no checkout of it can be paid any more.",
  judges: { kinds: [], commitsTo: [CommerceOrders] },
  initial: null,
  next: (_, moment) => {
    for (const { key, was, is } of changesTo(moment, CommerceOrders)) {
      if (is === undefined) return violation(`the payment attempt ${key[0]} was removed`)
      const wrong = was === undefined ? placeProblem(is, moment.rows) : stateProblem(was, is, moment)
      if (wrong !== undefined) return violation(`${is.commerceOrderId} ${wrong}`)
    }
    return null
  }
})

/** No other attempt of the order is live, and none has paid. */
const placeProblem = ({ commerceOrderId, resultOrderId }: CommerceOrderRow, rows: Rows): string | undefined => {
  const others = rowsWithPrefix(rows, CommerceOrders, [resultOrderId], "byOrder").filter(
    (one) => one.commerceOrderId !== commerceOrderId
  )
  const live = others.find(({ state }) => state !== "RELEASED")
  if (live !== undefined) return `opened beside ${live.commerceOrderId}, which is ${live.state}`
  return eventsOf(rows, resultOrderId).some(({ kind }) => kind === "ATTEMPT_PAID")
    ? "opened on an order that was paid"
    : undefined
}

/** The latest captured facts of a component. */
type LatestFacts = (component: string) => Facts | undefined

const stateProblem = (was: CommerceOrderRow, is: CommerceOrderRow, moment: Moment): string | undefined => {
  if (was.binding !== is.binding || was.orderRecord !== is.orderRecord) return "was bound to something else"
  if (was.checkoutId !== null && was.checkoutId !== is.checkoutId) return "lost its checkout"
  if (was.captureRevision >= is.captureRevision && was.state !== is.state) return "changed without another revision"
  const { rows } = moment
  const latest: LatestFacts = (component) =>
    entriesOf(rows, is.commerceOrderId).findLast((entry) => entry.component === component)?.facts
  const payment = latest("PAYMENT")
  const isPaid = payment !== undefined && isPaidAsBound(bindingOf(is), payment)
  if (is.state === "PAID" && !isPaid) return "is PAID without a payment as it was agreed"
  if (is.state === "UNVERIFIED" && (isPaid || payment?.["state"] !== "SUCCEEDED")) return "is UNVERIFIED without cause"
  if (is.state === "OPEN" && is.checkoutId === null) return "is OPEN without a checkout"
  if (is.state === "OPENING" && is.checkoutId !== null) return "is OPENING although its checkout is known"
  if (was.state === "RELEASED" && (is.state === "OPENING" || is.state === "OPEN")) return "opened again"
  if (is.state === "RELEASED" && was.state !== "RELEASED") return releaseProblem(is, moment, latest)
  const paid = eventsOf(rows, is.resultOrderId).filter(({ kind }) => kind === "ATTEMPT_PAID")
  return paid.length > 1 ? `is one of ${paid.length} attempts that paid their order` : undefined
}

/** The end that was captured of the checkout, with its payment read at the same time; without a checkout a refusal of the provider, or the time after which none opens. */
const releaseProblem = (attempt: CommerceOrderRow, { observed, rows }: Moment, latest: LatestFacts) => {
  const { commerceOrderId, resultOrderId, checkoutId, expiresAt } = attempt
  const [checkout, payment] = [latest("CHECKOUT")?.["state"], latest("PAYMENT")?.["state"]]
  if (checkoutId !== null) {
    const mayStillPay = payment === "PROCESSING" || payment === "REQUIRES_CAPTURE" || payment === "SUCCEEDED"
    const isOver = checkout === "EXPIRED" || (checkout === "COMPLETE" && payment === "CANCELED")
    const read = rowIn(rows, CommerceComponents, [commerceOrderId, "PAYMENT"])
    if (read?.failure !== null) return "was released although its payment was not read"
    return isOver && !mayStillPay ? undefined : `was released although its checkout is ${String(checkout ?? "unread")}`
  }
  const reason = eventsOf(rows, resultOrderId).findLast(({ payload }) => payload["commerceOrderId"] === commerceOrderId)
    ?.payload["reason"]
  const isRefused = reason === "PROVIDER_REFUSED"
  return isRefused || addMilliseconds(expiresAt, unknownFor - clockOffsetMax) <= observed.at
    ? undefined
    : "was released while a checkout of it could still be paid"
}

/** How long after its expiry an unknown checkout cannot be paid, and the tolerated clock offset, in milliseconds. */
const unknownFor = 300_000
const clockOffsetMax = 1000
