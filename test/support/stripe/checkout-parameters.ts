/** The parameters of a checkout session: one line of a fixed price, as a destination charge. */
import type Stripe from "stripe"
import { flag, integer, list, metadata, object, oneOf, optional, parameters, text, url } from "./parameters.ts"

type Create = Stripe.Checkout.SessionCreateParams

const enabled = optional(object<{ enabled: boolean }>()({ enabled: flag }))

const lineItem = object<Stripe.Checkout.SessionCreateParams.LineItem>()({
  price_data: object<Stripe.Checkout.SessionCreateParams.LineItem.PriceData>()({
    currency: text(3),
    product_data: object<Stripe.Checkout.SessionCreateParams.LineItem.PriceData.ProductData>()({
      name: text(),
      description: optional(text())
    }),
    // Stripe takes sums of up to eight digits.
    unit_amount: integer(1, 99_999_999)
  }),
  quantity: integer(1, 1)
})

export const readCheckoutParameters = parameters<Create>()({
  mode: oneOf("payment"),
  ui_mode: optional(oneOf("hosted_page")),
  line_items: list(lineItem, 1, 1),
  // The machine keeps payments by this reference, and by the digest beside it.
  client_reference_id: text(200),
  metadata,
  payment_intent_data: object<Stripe.Checkout.SessionCreateParams.PaymentIntentData>()({
    metadata,
    transfer_data: object<Stripe.Checkout.SessionCreateParams.PaymentIntentData.TransferData>()({
      destination: text()
    })
  }),
  allowed_payment_method_types: optional(list(oneOf("card"), 1, 1)),
  expires_at: integer(0),
  success_url: url,
  cancel_url: optional(url),
  adaptive_pricing: enabled,
  allow_promotion_codes: optional(flag),
  automatic_tax: enabled,
  managed_payments: enabled,
  submit_type: optional(oneOf("auto", "pay"))
})
export type CheckoutParameters = ReturnType<typeof readCheckoutParameters>
