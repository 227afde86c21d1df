/** The section of a project's page about the payment of its result, with the form that offers it. */
import { h } from "preact"
import type { OrdersOfParty } from "../../commerce/page-reading.ts"
import { isLiveOrder } from "../../commerce/moves.ts"
import { isAccepted } from "../../publications/publication.ts"
import { limits } from "../../vocabulary/limits.ts"
import { amountText } from "../../vocabulary/money.ts"
import { form, hidden } from "../kit/fields.ts"
import { controlsOf } from "../kit/form-field.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { requestIdField, type PageForm } from "../kit/idempotent-form.ts"
import type { Viewer } from "../kit/page.ts"
import { facts, linkTo, nextStep, paragraph, section, table, time } from "../kit/parts.ts"
import { projectPath } from "../projects/path.ts"
import type { ProjectPageModel } from "../projects/read-model.ts"
import { offerFields } from "./fields.ts"
import { environmentLabels, orderBadge, orderStateLabels, providerLabels, turnText } from "./labels.ts"
import { orderPath, recipientAccountPath } from "./path.ts"

interface SectionContext {
  readonly model: ProjectPageModel
  readonly viewer: Viewer
}

/** `orders` is undefined for a person who may not see payments. */
export const paymentSection = (
  context: SectionContext,
  orders: OrdersOfParty | undefined,
  offer: PageForm
): Element => {
  if (orders === undefined) {
    return section(
      "Payment",
      "Seeing the Result Orders of this result requires a membership that permits seeing payments."
    )
  }
  const live = orderInForce(orders)
  const former = orders.orders.filter(({ state }) => !isLiveOrder(state))
  return section(
    "Payment",
    "With a Result Order the supplier offers this result for a fixed total. The buyer approves exactly its terms, and pays at a payment provider.",
    live === undefined ? offerPart(context, orders, offer) : liveOrder(live),
    former.length === 0
      ? null
      : table({
          caption: "Declined and withdrawn orders, the newest first",
          columns: ["Total", "Offered", "State", "Order"],
          rows: former.map((one) => [
            amountText(one.amountMinor, one.currency),
            time(one.offeredAt),
            orderBadge(one.state),
            linkTo(orderPath(one.resultOrderId), h("code", null, one.resultOrderId))
          ]),
          empty: ""
        })
  )
}

type ListedOrder = OrdersOfParty["orders"][number]

/** The order that was neither declined nor withdrawn. */
export const orderInForce = (orders: OrdersOfParty | undefined): ListedOrder | undefined =>
  orders?.orders.find(({ state }) => isLiveOrder(state))

/** Attempts are on the order's own page. */
const liveOrder = ({ resultOrderId, state, offeredAt, currency, amountMinor }: ListedOrder): Content => [
  facts([
    ["State of the order", [orderBadge(state), " ", orderStateLabels[state].meaning]],
    ["Total, taxes and fees included", amountText(amountMinor, currency)],
    ["Offered", time(offeredAt)],
    ["Whose turn it is", turnText(state, undefined)]
  ]),
  nextStep(orderPath(resultOrderId), "Go to the Result Order")
]

const offerPart = (context: SectionContext, orders: OrdersOfParty, offer: PageForm): Content => {
  const { isOfferer, offerRefusal } = orders
  if (offerRefusal === undefined) return isOfferer ? offerForm(context, orders, offer) : whoOffers(context.model)
  switch (offerRefusal.code) {
    case "PAYMENTS_NOT_CONFIGURED":
      return "No Result Order can be offered: this installation has no payment provider. Ask its operator."
    case "RESULT_ORDER_LIMIT":
      return `Limit reached: ${limits.resultOrders} Result Orders of one project, including declined and withdrawn ones. Agree on the payment outside of this service.`
    case "RECIPIENT_NOT_PAYABLE":
      return isOfferer ? openAccountFirst(orders) : whoOffers(context.model)
    default:
      return isAccepted(context.model.project.state)
        ? "No Result Order can be offered now."
        : "The acceptance is not valid now: no Result Order can be offered."
  }
}

const whoOffers = ({ side }: ProjectPageModel): string =>
  side === "BUYER"
    ? "The supplier has not offered this result yet. You approve or decline an offer."
    : "This result has not been offered yet. Only the supplier’s representative can offer it, with a membership that permits offering orders."

const openAccountFirst = ({ supplierOrganizationId }: OrdersOfParty): Content =>
  supplierOrganizationId === null
    ? null
    : [
        "Before you offer this result, your organization needs an account at the payment provider, which receives the payment.",
        nextStep(recipientAccountPath(supplierOrganizationId), "Open the recipient account")
      ]

const offerForm = (
  { model: { projectId, project }, viewer }: SectionContext,
  { payments, recipientAccount, supplierOrganizationId }: OrdersOfParty,
  { state, requestId }: PageForm
): Content => {
  if (payments.kind === "NONE" || recipientAccount === null || supplierOrganizationId === null) return null
  const { offeredCurrency, offeredAmount } = controlsOf(offerFields(payments.currencies), state)
  return [
    h("h3", null, "Offer the result for a fixed total"),
    "The buyer approves the terms or declines them. They cannot be changed afterwards, only withdrawn. The signed package of the result is kept with the offer.",
    facts([
      ["Payment provider", `${providerLabels[payments.provider]}, ${environmentLabels[payments.environment]}`],
      [
        "Account that receives the payment",
        [
          untrusted(recipientAccount),
          ". ",
          linkTo(recipientAccountPath(supplierOrganizationId), "See whether it can receive payments")
        ]
      ]
    ]),
    form(
      {
        action: `${projectPath(projectId)}/result-orders`,
        formToken: viewer.formToken,
        submitLabel: "Offer the result to the buyer"
      },
      requestIdField(requestId),
      hidden("offeredAgreementDigest", project.agreementDigest),
      hidden("offeredRecordId", project.recordId ?? ""),
      offeredCurrency,
      offeredAmount
    ),
    paragraph("You can withdraw it as long as no payment is under way.")
  ]
}
