/** The payment adapter over a server of Stripe's form, and an attempt whose checkout is open there. */
import { Effect, Redacted, Result } from "effect"
import type { ProviderAct } from "../../../simulator/payments/acts.ts"
import { stripePayments } from "../../../src/adapters/stripe/layer.ts"
import type { CheckoutRequest } from "../../../src/ports/payments.ts"
import { addMilliseconds } from "../../../src/vocabulary/instant.ts"
import type { CommerceBinding } from "../../../src/vocabulary/payments.ts"
import { binding } from "../payment-facts.ts"
import { webhookSecret } from "./notifications.ts"
import { startStripeServer, testKey, type StripeServer, type StripeServerOptions } from "./server.ts"

/** `secretKey`: the one of the server, unless a test has another. */
export const paymentsOver = ({ origin }: StripeServer, secretKey = testKey) =>
  stripePayments({
    secretKey: Redacted.make(secretKey),
    environment: "TEST",
    apiOrigin: origin,
    webhookSecrets: [Redacted.make(webhookSecret)],
    currencies: ["EUR", "USD", "JPY"]
  })

const returnUrl = "https://example.org/workspace/orders/1"

export const performAt = (server: StripeServer, act: ProviderAct): void =>
  Result.getOrThrow(server.provider.perform(act, server.now()))

/** An open checkout to an account that takes payments. */
export const openedAttempt = Effect.fnUntraced(function* (options: StripeServerOptions = {}) {
  const server = yield* startStripeServer(options)
  const payments = yield* paymentsOver(server)
  const { accountId } = yield* payments.openRecipientAccount(binding.recipientScope, returnUrl)
  performAt(server, { act: "onboard", accountId })
  const request: CheckoutRequest = {
    commerceOrderId: binding.commerceOrderId,
    acceptedSourceDigest: binding.acceptedSourceDigest,
    currency: "EUR",
    amountMinor: binding.amountMinor,
    recipientAccount: accountId,
    title: "A logo",
    expiresAt: addMilliseconds(server.now(), 3_600_000),
    returnUrl
  }
  const { checkoutId } = yield* payments.openCheckout(request)
  const own: CommerceBinding = { ...binding, provider: "STRIPE", recipientAccount: accountId }
  return { server, payments, request, accountId, checkoutId, readback: { checkoutId, known: [], binding: own } }
})
