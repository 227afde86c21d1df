/** The forms on an order's page: approve, decline, withdraw, and open a checkout. */
import { h } from "preact"
import type { OrderAction } from "../../commerce/guards.ts"
import type { OrderForPage } from "../../commerce/page-reading.ts"
import { limits } from "../../vocabulary/limits.ts"
import { form, hidden } from "../kit/fields.ts"
import { controlsOf, linesField, requiredField, type FormFields } from "../kit/form-field.ts"
import type { Content } from "../kit/html.ts"
import { requestIdField, type PageForm } from "../kit/idempotent-form.ts"
import type { Acknowledgement, Viewer } from "../kit/page.ts"
import { orderPath } from "./path.ts"

const reasonOf = (label: string) =>
  linesField({
    what: "The reason",
    label,
    hint: "The other party reads it, and it stays with the order.",
    rows: 2,
    characters: limits.textCharacters
  })

/** The forms by the last segment of their addresses: each is one act. */
export const orderForms = {
  approve: {
    action: "APPROVE_RESULT_ORDER",
    operation: "approveResultOrder",
    label: "Approve the terms",
    about: "Your approval covers exactly the terms above, which the digest identifies. It pays nothing yet.",
    isDangerous: false,
    fields: {
      approvedTerms: requiredField(
        "I approve, for the buyer, exactly the terms that are shown here.",
        "Tick the box to approve the terms."
      )
    },
    acknowledgement: {
      did: "You approved the terms.",
      next: "A member of your organization who may pay opens a checkout next."
    }
  },
  decline: {
    action: "DECLINE_RESULT_ORDER",
    operation: "declineResultOrder",
    label: "Decline the terms",
    about: "It cannot be taken back. The supplier can offer the result again, with other terms.",
    isDangerous: true,
    fields: { reason: reasonOf("Reason for declining") },
    acknowledgement: {
      did: "You declined the terms.",
      next: "The order has ended; the supplier can offer the result again."
    }
  },
  withdraw: {
    action: "WITHDRAW_RESULT_ORDER",
    operation: "withdrawResultOrder",
    label: "Withdraw the order",
    about:
      "It cannot be taken back. Afterwards these terms can neither be approved nor paid; you can offer the result again.",
    isDangerous: true,
    fields: { reason: reasonOf("Reason for the withdrawal") },
    acknowledgement: { did: "You withdrew the order.", next: "It has ended; you can offer the result again." }
  },
  payments: {
    action: "PAY_RESULT_ORDER",
    operation: "payResultOrder",
    label: "Open a checkout",
    about:
      "The service asks the payment provider for a checkout with exactly these terms, which can be paid for an hour. Nothing is paid until you pay there.",
    isDangerous: false,
    fields: {},
    acknowledgement: {
      did: "You asked for a checkout.",
      next: "It opens at the payment provider: load this page again in a minute, and pay there."
    }
  }
} as const satisfies { readonly [name: string]: OrderFormRow }
export type OrderFormName = keyof typeof orderForms
export const orderFormNames = Object.keys(orderForms) as ReadonlyArray<OrderFormName>

interface OrderFormRow {
  readonly action: OrderAction
  /** The operation in the fingerprint of idempotent requests. */
  readonly operation: string
  readonly label: string
  /** What the act means, and whether it can be taken back. */
  readonly about: string
  readonly isDangerous: boolean
  readonly fields: FormFields
  readonly acknowledgement: Acknowledgement
}

export type OrderFormStates = { readonly [F in OrderFormName]: PageForm }

/** The form with its heading; null where the person does not have the act now. */
export const orderForm = (
  order: OrderForPage,
  name: OrderFormName,
  viewer: Viewer,
  forms: OrderFormStates
): Content => {
  const { action, label, about, isDangerous, fields } = orderForms[name]
  if (!order.availableActions.includes(action)) return null
  const { resultOrderId, termsDigest, financialHead } = order.stored.order
  const { state, requestId } = forms[name]
  return [
    h("h3", null, label),
    about,
    form(
      {
        action: `${orderPath(resultOrderId)}/${name}`,
        formToken: viewer.formToken,
        submitLabel: label,
        isDangerous
      },
      requestIdField(requestId),
      hidden("termsDigest", termsDigest),
      hidden("financialHead", financialHead),
      Object.values(controlsOf(fields, state))
    )
  ]
}
