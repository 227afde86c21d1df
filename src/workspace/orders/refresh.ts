/** The form that has the payment provider asked about one attempt, instead of when it is due. */
import { Effect } from "effect"
import { refreshCommerceOrder } from "../../commerce/refresh.ts"
import { formPage } from "../kit/form-page.ts"
import { decodeNoFields } from "../kit/form.ts"
import { seeOther } from "../kit/response.ts"
import { pathId } from "../kit/url-parameters.ts"
import { attemptPath, attemptRoute, refreshRoute, requestedOrder } from "./path.ts"

export const refreshPage = formPage(
  { path: refreshRoute, shownAt: attemptRoute },
  {
    read: () => Effect.all({ orderId: requestedOrder, commerceOrderId: pathId("commerceOrderId", "commerce") }),
    decode: decodeNoFields,
    run: ({ visitor: { person }, subject: { orderId, commerceOrderId } }) =>
      Effect.as(refreshCommerceOrder(person, commerceOrderId), seeOther(attemptPath(orderId, commerceOrderId)))
  }
)
