/** The payment adapter over a server of Stripe's form. */
import { Effect, Redacted } from "effect"
import { stripePayments } from "../../../src/adapters/stripe/layer.ts"
import { webhookSecret } from "./notifications.ts"
import { startStripeServer, testKey, type StripeServer, type StripeServerOptions } from "./server.ts"

/** Of a test environment; the key is that of the platform unless another is named. */
export const adapterOver = ({ origin }: StripeServer, key = testKey) =>
  stripePayments({
    secretKey: Redacted.make(key),
    environment: "TEST",
    apiOrigin: origin,
    webhookSecrets: [Redacted.make(webhookSecret)],
    currencies: ["EUR", "USD", "JPY"]
  })

export const serverWithAdapter = Effect.fnUntraced(function* (options?: StripeServerOptions) {
  const server = yield* startStripeServer(options)
  return { server, payments: yield* adapterOver(server) }
})
