/** What happens next with the payment of an order: the checkout, the form that opens one, and payments to settle. */
import { isCheckoutPayable } from "../../commerce/attempt.ts"
import type { OrderForPage } from "../../commerce/page-reading.ts"
import type { OrderState } from "../../commerce/moves.ts"
import { limits } from "../../vocabulary/limits.ts"
import { externalLink } from "../kit/external-link.ts"
import type { Content, Element } from "../kit/html.ts"
import type { Viewer } from "../kit/page.ts"
import { linkTo, notice, paragraph, time } from "../kit/parts.ts"
import { orderForm, type OrderFormStates } from "./forms.ts"
import { attemptPath, recipientAccountPath } from "./path.ts"
import { refusalText } from "./refusal-text.ts"

export const paymentPart = (order: OrderForPage, viewer: Viewer, forms: OrderFormStates): Content => [
  checkoutPart(order),
  orderForm(order, "payments", viewer, forms),
  whyNotPaid(order),
  accountLink(order)
]

/** The checkout of the last attempt: for the buyer as a plain link, since no form leaves this site. */
const checkoutPart = ({ attempts, side }: OrderForPage): Content => {
  const last = attempts.at(-1)
  if (last?.state !== "OPEN") return null
  if (!isCheckoutPayable(last, attempts)) {
    return `Do not pay at the open checkout of attempt ${last.number}: the provider reports the payment of an earlier attempt. It is shown here no more, and it ends at the provider by itself.`
  }
  const until = paragraph("The checkout can be paid until ", time(last.expiresAt), ".")
  if (side === "SUPPLIER" || last.checkoutUrl === null) return until
  return [
    externalLink(last.checkoutUrl, "Go to the checkout"),
    until,
    `If you have paid: this page shows it once the service has asked the provider, which it does about every ${limits.readbackOpen / 60_000} minutes. Load the page again then.`
  ]
}

const whyNotPaid = (order: OrderForPage): Content => {
  const { side, mayManage, stored, paymentRefusal } = order
  if (side !== "BUYER" || stored.row.state !== "APPROVED") return null
  if (!mayManage) return "Paying requires a membership of the buyer that permits paying orders."
  return paymentRefusal === undefined
    ? null
    : paragraph("It cannot be paid now: ", refusalText(paymentRefusal, order, "PAY_RESULT_ORDER"))
}

/** A provider is asked about an account only on its own page. */
const accountLink = ({ side, stored: { row } }: OrderForPage): Content =>
  side === "SUPPLIER" && (row.state === "OFFERED" || row.state === "APPROVED")
    ? paragraph(
        linkTo(recipientAccountPath(row.supplierOrganizationId), "See whether your account can receive the payment")
      )
    : null

/** Why this person cannot decide on the terms, while another one can. */
export const whyNoDecision = ({ side, mayManage, stored, attempts }: OrderForPage): Content => {
  const { state } = stored.row
  if (side === "BUYER") {
    return state === "OFFERED" && !mayManage
      ? "Approving or declining them requires a membership of the buyer that permits paying orders."
      : null
  }
  if (state !== "OFFERED" && state !== "APPROVED" && state !== "PAYING") return null
  if (!mayManage) {
    return "Withdrawing them requires the supplier’s representative, with a membership that permits offering orders."
  }
  return state === "PAYING" && attempts.at(-1)?.state !== "UNVERIFIED"
    ? "They cannot be withdrawn while the buyer may pay: until the provider reports the end of the attempt."
    : null
}

/** What a payment with other values leaves to be done with its order. */
const unverifiedTexts: { readonly [S in OrderState]: string } = {
  OFFERED: "The supplier can withdraw this order, and offer the result again.",
  APPROVED: "The supplier can withdraw this order, and offer the result again.",
  PAYING: "The supplier can withdraw this order once no checkout of it is open, and offer the result again.",
  PAID: "The order was paid by another attempt, which this does not change.",
  DECLINED: "The order has ended, which this does not change.",
  WITHDRAWN: "The supplier has withdrawn this order, and can offer the result again."
}

const lateTexts: { readonly [S in Exclude<OrderState, "PAID">]: string } = {
  OFFERED: "takes no other payment",
  APPROVED: "takes no other payment",
  PAYING: "takes no further attempt",
  DECLINED: "had ended",
  WITHDRAWN: "was withdrawn"
}

/** Payments that people have to settle outside of this service, before everything else on the page. */
export const attentionNotices = ({ attention, attempts, stored: { row } }: OrderForPage): ReadonlyArray<Element> =>
  attention.map(({ commerceOrderId, reason }) => {
    const number = attempts.find((one) => one.commerceOrderId === commerceOrderId)?.number
    const name = `payment attempt ${number}`
    return notice(
      "warning",
      ...(reason === "UNVERIFIED"
        ? [
            `The provider reports a payment of ${name}, but with other values than the terms. The order does not count as paid by it.`,
            `Compare both, below. A payment goes back at the provider, not here: agree on it with the other party. ${unverifiedTexts[row.state]}`
          ]
        : [
            row.state === "PAID"
              ? `The provider reports a second payment of this order: that of ${name}, which had ended before.`
              : `The provider reports a payment of ${name}, which had ended before. The order does not count as paid by it, and ${lateTexts[row.state]}.`,
            "Agree with the other party whether the money stays or goes back. It goes back at the provider, not here."
          ]),
      paragraph(linkTo(attemptPath(row.resultOrderId, commerceOrderId), `See what the provider said about ${name}`))
    )
  })
