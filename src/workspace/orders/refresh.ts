/** The form that has the payment provider asked about one attempt, instead of when it is due. */
import { Effect } from "effect"
import { refreshCommerceOrder } from "../../commerce/refresh.ts"
import { formPage } from "../kit/form-page.ts"
import { decodeNoFields } from "../kit/form.ts"
import { pathId } from "../kit/url-parameters.ts"
import { attemptRoute, refreshRoute, requestedOrder } from "./path.ts"

export const refreshPage = formPage(
  { path: refreshRoute, shownAt: attemptRoute },
  {
    read: () => Effect.all({ orderId: requestedOrder, commerceOrderId: pathId("commerceOrderId", "commerce") }),
    decode: decodeNoFields,
    run: ({ visitor, subject: { commerceOrderId } }) =>
      Effect.as(refreshCommerceOrder(visitor.person, commerceOrderId), {
        did: "You had the payment provider asked.",
        next: "Its answer is below once it has arrived; load this page again in a minute."
      })
  }
)
