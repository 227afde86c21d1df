/** The operation of the payment provider. It has no credential: the provider signs what it sends. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { BodyBytes, StrictBody } from "../http/body.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { limits } from "../vocabulary/limits.ts"

export class PaymentNotifications extends HttpApiGroup.make("paymentNotifications", { topLevel: true })
  .add(
    HttpApiEndpoint.post("receivePaymentNotification", "/notifications", {
      success: HttpApiSchema.NoContent,
      error: refuses("NOTIFICATION_INVALID", "PAYMENTS_NOT_CONFIGURED")
    })
      .annotate(BodyBytes, limits.paymentNotificationBytes)
      .annotateMerge(
        titled(
          "Take a notification of the payment provider, with its signature in the provider's header",
          "The body is the bytes that the provider signed. It makes a readback of the payment attempt due, and nothing of its content is stored. An authentic notification is answered alike whether or not its object is known. A signature is accepted for five minutes before and after its timestamp."
        )
      )
  )
  // Refuses a query. The handler reads the bytes itself, so that this never parses them.
  .middleware(StrictBody)
  .prefix("/api/payments") {}
