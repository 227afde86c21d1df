/** The form that has the payment provider asked about one attempt, instead of when it is due. */
import { Effect } from "effect"
import { refreshCommerceOrder } from "../../commerce/refresh.ts"
import { formPage } from "../kit/form-page.ts"
import { decodeNoFields } from "../kit/form.ts"
import { pathId } from "../kit/url-parameters.ts"
import { attemptPath, attemptRoute, refreshRoute, requestedOrder } from "./path.ts"
import { acknowledge } from "../kit/acknowledgement.ts"

export const refreshPage = formPage(
  { path: refreshRoute, shownAt: attemptRoute },
  {
    read: () => Effect.all({ orderId: requestedOrder, commerceOrderId: pathId("commerceOrderId", "commerce") }),
    decode: decodeNoFields,
    run: ({ visitor, subject: { orderId, commerceOrderId } }) =>
      Effect.andThen(
        refreshCommerceOrder(visitor.person, commerceOrderId),
        acknowledge(visitor, attemptPath(orderId, commerceOrderId), {
          did: "You had the payment provider asked.",
          next: "Its answer is below once it has arrived; load this page again in a minute."
        })
      )
  }
)
