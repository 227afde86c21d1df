/** The page of one Result Order, to which a checkout returns too: nothing in its address but the order is read. */
import { Effect, Layer } from "effect"
import { readOrderForPage, type OrderForPage } from "../../commerce/page-reading.ts"
import { amountText } from "../../vocabulary/money.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { page, type Viewer } from "../kit/page.ts"
import { facts, linkTo, notice, paragraph, section } from "../kit/parts.ts"
import { signedInPage } from "../kit/signed-in.ts"
import { pathId } from "../kit/url-parameters.ts"
import type { Visitor } from "../kit/visitor.ts"
import { projectPath } from "../projects/path.ts"
import { pageForms, type PageForm } from "../kit/idempotent-form.ts"
import { attemptsSection, observationsSection } from "./attempts.ts"
import { closureSection } from "./closure.ts"
import { decisionsSection } from "./decisions.ts"
import { orderForm, orderFormNames, orderForms, type OrderFormName, type OrderFormStates } from "./forms.ts"
import { orderBadge, orderStateLabels, settleText, turnText } from "./labels.ts"
import { attemptRoute, orderRoute, requestedOrder } from "./path.ts"
import { attentionNotices, paymentPart, whyNoDecision } from "./payment-part.ts"
import { termsContent } from "./terms.ts"

const orderDetail = signedInPage(orderRoute, (visitor) =>
  Effect.flatMap(requestedOrder, (orderId) => showOrder(visitor, orderId))
)

const attemptDetail = signedInPage(attemptRoute, function* (visitor) {
  const commerceOrderId = yield* pathId("commerceOrderId", "commerce")
  return yield* showOrder(visitor, yield* requestedOrder, { commerceOrderId })
})

export const orderDetails = Layer.mergeAll(orderDetail, attemptDetail)

interface ShownParts {
  /** The attempt whose observations are shown, instead of the last one. */
  readonly commerceOrderId?: string
  /** The submitted form of this page, with its problems. */
  readonly failed?: PageForm & { readonly name: OrderFormName }
}

export const showOrder = Effect.fnUntraced(function* (
  { person, viewer }: Visitor,
  orderId: string,
  { commerceOrderId, failed }: ShownParts = {}
) {
  const order = yield* readOrderForPage(person, orderId, commerceOrderId)
  const forms = yield* pageForms(orderFormNames, failed)
  const isShown = failed !== undefined && order.availableActions.includes(orderForms[failed.name].action)
  return page(
    {
      title: `Payment of ${order.title}`,
      viewer,
      place: "projects",
      problems: isShown ? failed.state.problems : []
    },
    failed === undefined || isShown
      ? null
      : notice("warning", "Nothing was done: the order has changed meanwhile, and the form is no longer possible."),
    orderContents(order, viewer, forms)
  )
})

/** The price and whose turn it is, the terms with the decisions on them, then the payment. */
const orderContents = (order: OrderForPage, viewer: Viewer, forms: OrderFormStates): Content => {
  const { projectId } = order.stored.row
  return [
    attentionNotices(order),
    section("What is next", orderFacts(order), paymentPart(order, viewer, forms)),
    section(
      "The terms",
      "The supplier offered exactly these terms. They never change.",
      termsContent(order.stored.order.terms, order.stored.order.termsDigest),
      orderForm(order, "approve", viewer, forms),
      orderForm(order, "decline", viewer, forms),
      orderForm(order, "withdraw", viewer, forms),
      whyNoDecision(order)
    ),
    attemptsSection(order),
    observationsSection(order, viewer),
    closureSection(order),
    decisionsSection(order),
    paragraph(linkTo(projectPath(projectId), "Go to the project"))
  ]
}

/** The price, the state, and whose turn it is. */
export const orderFacts = ({ stored: { order, row }, attempts, attention, title }: OrderForPage): Element =>
  facts([
    ["Result", untrusted(title)],
    ["Total, taxes and fees included", amountText(order.terms.amountMinor, order.terms.currency)],
    ["State", [orderBadge(row.state), " ", orderStateLabels[row.state].meaning]],
    ["Whose turn it is", attention.length > 0 ? settleText : turnText(row.state, attempts.at(-1)?.state)]
  ])
