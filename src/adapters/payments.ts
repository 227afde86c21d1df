/** Payments by Stripe where a key is set; its package is loaded only then. Without one no Result Order can be offered or paid. */
import { Effect, Layer } from "effect"
import { Payments } from "../ports/payments.ts"
import { Configuration } from "./configuration.ts"
import { paymentSettingsOf } from "./payment-settings.ts"

export const layer = Layer.effect(
  Payments,
  Effect.gen(function* () {
    const settings = paymentSettingsOf(yield* Configuration)
    if (settings === undefined) return { kind: "NONE" }
    const { stripePayments } = yield* Effect.promise(() => import("./stripe/layer.ts"))
    return yield* stripePayments(settings)
  })
)
