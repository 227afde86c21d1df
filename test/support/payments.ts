/** The simulated payment providers of services under test, and what people and banks do there. */
import { Effect, Result } from "effect"
import type { ProviderAct } from "../../simulator/payments/acts.ts"
import { simulatedPayments, SimulatedProvider } from "../../simulator/payments/layer.ts"
import { Payments, type PaymentProvider } from "../../src/ports/payments.ts"
import { now } from "../../src/vocabulary/instant.ts"

const providers = new WeakMap<object, SimulatedProvider>()

export const newSimulatedPayments = (): PaymentProvider => {
  const provider = new SimulatedProvider()
  const payments = simulatedPayments(provider)
  providers.set(payments, provider)
  return payments
}

/** The provider behind the payments of the service in context. */
export const testProvider = Effect.map(Payments, (payments) => {
  const provider = providers.get(payments)
  if (provider === undefined) throw new Error("these payments are not of a test provider")
  return provider
})

/** Performs an act at the provider; fails the test if it is impossible. */
export const atProvider = Effect.fnUntraced(function* (act: ProviderAct) {
  const provider = yield* testProvider
  Result.getOrThrow(provider.perform(act, yield* now))
})
