import { Effect, Result } from "effect"
import { simulatedPayments, SimulatedProvider } from "../../simulator/payments/layer.ts"
import { notificationAbout } from "../../simulator/payments/notification.ts"
import { purchaseOf } from "../../simulator/payments/provider.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { checkoutEvent, signed } from "../support/stripe/notifications.ts"
import { paymentsOver } from "../support/stripe/payments.ts"
import { startStripeServer } from "../support/stripe/server.ts"
import { paymentsContract } from "./payments.ts"

paymentsContract(
  "the simulated provider",
  Effect.sync(() => {
    const provider = new SimulatedProvider()
    return {
      payments: simulatedPayments(provider),
      perform: (act) => Effect.map(now, (at) => Result.getOrThrow(provider.perform(act, at))),
      setCondition: (condition) => Effect.sync(() => void (provider.condition = condition)),
      notificationAbout: (commerceOrderId, at) =>
        Effect.sync(() => notificationAbout(purchaseOf(provider.state, commerceOrderId)!, at))
    }
  })
)

paymentsContract(
  "Stripe's package over a server of its form",
  Effect.gen(function* () {
    const server = yield* startStripeServer()
    const payments = yield* paymentsOver(server)
    const { provider } = server
    return {
      payments,
      perform: (act) => Effect.map(now, (at) => Result.getOrThrow(provider.perform(act, at))),
      setCondition: (condition) => Effect.sync(() => void (provider.condition = condition)),
      notificationAbout: (commerceOrderId, at) =>
        Effect.sync(() => signed(checkoutEvent(server, purchaseOf(provider.state, commerceOrderId)!, at), at))
    }
  })
)
