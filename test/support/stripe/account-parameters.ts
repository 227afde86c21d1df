/** The parameters of connected accounts and of links to their onboarding. */
import type Stripe from "stripe"
import { flag, metadata, object, oneOf, optional, parameters, text, url } from "./parameters.ts"

const requested = optional(object<{ requested?: boolean }>()({ requested: optional(flag) }))

export const readAccountParameters = parameters<Stripe.AccountCreateParams>()({
  type: optional(oneOf("express", "standard")),
  controller: optional(
    object<Stripe.AccountCreateParams.Controller>()({
      fees: optional(object<Stripe.AccountCreateParams.Controller.Fees>()({ payer: oneOf("account", "application") })),
      losses: optional(
        object<Stripe.AccountCreateParams.Controller.Losses>()({ payments: oneOf("application", "stripe") })
      ),
      requirement_collection: optional(oneOf("application", "stripe")),
      stripe_dashboard: optional(
        object<Stripe.AccountCreateParams.Controller.StripeDashboard>()({ type: oneOf("express", "full", "none") })
      )
    })
  ),
  capabilities: optional(
    object<Stripe.AccountCreateParams.Capabilities>()({ card_payments: requested, transfers: requested })
  ),
  country: optional(text(2)),
  email: optional(text()),
  metadata: optional(metadata)
})
export type AccountParameters = ReturnType<typeof readAccountParameters>

export const readAccountLinkParameters = parameters<Stripe.AccountLinkCreateParams>()({
  account: text(),
  type: oneOf("account_onboarding"),
  refresh_url: url,
  return_url: url,
  collection_options: optional(
    object<Stripe.AccountLinkCreateParams.CollectionOptions>()({
      fields: optional(oneOf("currently_due", "eventually_due"))
    })
  )
})
