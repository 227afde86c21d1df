/** The routes of the forms on an order's page. Each carries the terms and the head that the page showed. */
import { Effect, Layer, Result } from "effect"
import {
  approveResultOrder,
  declineResultOrder,
  payResultOrder,
  withdrawResultOrder,
  type OrderInput
} from "../../commerce/operations.ts"
import { readOrderForPage } from "../../commerce/page-reading.ts"
import { refuse, statusOf, type Refusal } from "../../vocabulary/refusals.ts"
import type { IdempotentRequest } from "../../replay/idempotency.ts"
import { isHead } from "../commands/command-page.ts"
import type { FormAnswer } from "../kit/acknowledgement.ts"
import { decodeFields, enteredTexts } from "../kit/form-field.ts"
import { idempotentFormPage } from "../kit/form-page.ts"
import { foreignFormDetail, type FormSubmission } from "../kit/form.ts"
import { requestOf } from "../kit/idempotent-form.ts"
import { nextStepOf } from "../kit/next-steps.ts"
import { page } from "../kit/page.ts"
import { linkTo, paragraph, section } from "../kit/parts.ts"
import { refusedResponse } from "../kit/response.ts"
import type { Visitor } from "../kit/visitor.ts"
import { outdatedNotice } from "../commands/outcome-pages.ts"
import { decisionsSince } from "./decisions.ts"
import { orderFacts, showOrder } from "./detail.ts"
import { orderForms, type OrderFormName } from "./forms.ts"
import { orderPath, orderRoute, requestedOrder } from "./path.ts"
import { refusalText } from "./refusal-text.ts"

type Person = Visitor["person"]

/** The form of one act: what it sends besides the order with its preconditions. */
const orderCommand = <R>(
  name: OrderFormName,
  run: (
    person: Person,
    request: IdempotentRequest,
    input: OrderInput,
    reason: string
  ) => Effect.Effect<unknown, Refusal, R>
) => {
  const { operation, acknowledgement } = orderForms[name]
  return idempotentFormPage(
    { path: `${orderRoute}/${name}`, shownAt: orderRoute },
    {
      read: () => requestedOrder,
      decode: (sent) => decodeOrderForm(name, sent),
      show: (visitor, orderId, form) => showOrder(visitor, orderId, { failed: { name, ...form } }),
      run: ({ visitor, subject: resultOrderId, requestId, values: { preconditions, reason }, form }) => {
        const values = { ...preconditions, ...(reason === undefined ? {} : { reason }) }
        const request = requestOf(visitor, requestId, operation, { pathIds: [resultOrderId], values })
        return run(visitor.person, request, { resultOrderId, ...preconditions }, reason ?? "").pipe(
          Effect.as<FormAnswer>(acknowledgement),
          Effect.catchTag("Refusal", (refused) =>
            refusedOrder(visitor, resultOrderId, { name, refused, form, shownHead: preconditions.financialHead })
          )
        )
      }
    }
  )
}

const decodeOrderForm = Effect.fnUntraced(function* (name: OrderFormName, sent: FormSubmission) {
  const { termsDigest, financialHead, ...fields } = sent.fields
  if (!isHead(termsDigest) || !isHead(financialHead)) {
    return yield* refuse("INVALID_REQUEST", { detail: foreignFormDetail })
  }
  return Result.map(yield* decodeFields(orderForms[name].fields, { ...sent, fields }), (values) => ({
    preconditions: { termsDigest, financialHead },
    reason: "reason" in values ? values.reason : undefined
  }))
})

interface RefusedForm {
  readonly name: OrderFormName
  readonly refused: Refusal
  readonly form: FormSubmission
  /** The head of the page on which the person decided. */
  readonly shownHead: string
}

/** A refusal with the order as it is now, what happened since, and the entered text; others get a page of their own. */
const refusedOrder = Effect.fnUntraced(function* (
  visitor: Visitor,
  resultOrderId: string,
  { name, refused, form, shownHead }: RefusedForm
) {
  const isShown = [403, 409].includes(statusOf(refused)) || refused.code === "PAYMENTS_NOT_CONFIGURED"
  if (!isShown) return yield* Effect.fail(refused)
  // A person who may not read the order is told the refusal alone.
  const order = yield* Effect.mapError(readOrderForPage(visitor.person, resultOrderId), () => refused)
  const { action, label } = orderForms[name]
  const isOutdated = refused.code === "STALE_FINANCIAL_HEAD"
  const html = page(
    {
      title: isOutdated ? "The order has changed meanwhile" : "This could not be done",
      viewer: visitor.viewer,
      place: "projects"
    },
    isOutdated ? outdatedNotice : [paragraph(label, ": ", refusalText(refused, order, action)), nextStepOf(refused)],
    section("Current state", orderFacts(order)),
    decisionsSince(order, shownHead),
    enteredTexts(orderForms[name].fields, form.fields),
    paragraph(linkTo(orderPath(resultOrderId), "Go to the Result Order"))
  )
  return refusedResponse(html, refused)
})

export const orderCommands = Layer.mergeAll(
  orderCommand("approve", approveResultOrder),
  orderCommand("decline", (person, request, input, reason) =>
    declineResultOrder(person, request, { ...input, reason })
  ),
  orderCommand("withdraw", (person, request, input, reason) =>
    withdrawResultOrder(person, request, { ...input, reason })
  ),
  orderCommand("payments", payResultOrder)
)
