/** The forms on an order's page: approve, decline, withdraw, and open a checkout. */
import { h } from "preact"
import type { OrderAction } from "../../commerce/guards.ts"
import type { OrderForPage } from "../../commerce/page-reading.ts"
import type { PageForm } from "../commands/subject.ts"
import { form, hidden } from "../kit/fields.ts"
import { controlsOf } from "../kit/form-field.ts"
import type { Content } from "../kit/html.ts"
import { requestIdField } from "../kit/idempotent-form.ts"
import type { Viewer } from "../kit/page.ts"
import { orderFields, type OrderForm } from "./fields.ts"
import { actionLabels } from "./labels.ts"
import { orderPath } from "./path.ts"

/** The form of each act. */
export const formActions: { readonly [F in OrderForm]: OrderAction } = {
  approve: "APPROVE_RESULT_ORDER",
  decline: "DECLINE_RESULT_ORDER",
  withdraw: "WITHDRAW_RESULT_ORDER",
  payments: "PAY_RESULT_ORDER"
}

export type OrderForms = { readonly [F in OrderForm]: PageForm }

interface FormText {
  /** What the act means, and whether it can be taken back. */
  readonly about: string
  readonly submitLabel: string
  readonly isDangerous?: boolean
}

const texts: { readonly [F in OrderForm]: FormText } = {
  approve: {
    about: "Your approval covers exactly the terms above, which the digest identifies. It pays nothing yet.",
    submitLabel: "Approve the terms"
  },
  decline: {
    about: "It cannot be taken back. The supplier can offer the result again, with other terms.",
    submitLabel: "Decline the terms",
    isDangerous: true
  },
  withdraw: {
    about:
      "It cannot be taken back. Afterwards these terms can neither be approved nor paid; you can offer the result again.",
    submitLabel: "Withdraw the order",
    isDangerous: true
  },
  payments: {
    about:
      "The service asks the payment provider for a checkout with exactly these terms, which can be paid for an hour. Nothing is paid until you pay there.",
    submitLabel: "Open a checkout"
  }
}

/** The form with its heading; null where the person does not have the act now. */
export const orderForm = (order: OrderForPage, name: OrderForm, viewer: Viewer, forms: OrderForms): Content => {
  if (!order.availableActions.includes(formActions[name])) return null
  const { resultOrderId, termsDigest, financialHead } = order.stored.order
  const { about, ...options } = texts[name]
  const { state, requestId } = forms[name]
  return [
    h("h3", null, actionLabels[formActions[name]]),
    about,
    form(
      { action: `${orderPath(resultOrderId)}/${name}`, formToken: viewer.formToken, ...options },
      requestIdField(requestId),
      hidden("termsDigest", termsDigest),
      hidden("financialHead", financialHead),
      Object.values(controlsOf(orderFields[name], state))
    )
  ]
}
