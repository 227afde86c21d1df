/** Payment attempts as they are stored, passes of their worker, and providers whose answers a test changes. */
import { Effect } from "effect"
import type { AnswerFault } from "../../simulator/payments/answers.ts"
import { parseCanonical } from "../../src/canonical/jcs.ts"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { CommerceEntries, CommerceOrders } from "../../src/commerce/store.ts"
import { paymentPass } from "../../src/commerce/worker.ts"
import { Payments, type PaymentProvider } from "../../src/ports/payments.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { testProvider } from "./payments.ts"

export const rowOf = (commerceOrderId: string) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(
      storage.view((reader) => reader.get(CommerceOrders, [commerceOrderId])),
      (row) => row!
    )
  )

/** Changes columns of an attempt, as time or an operator would. */
export const changeAttempt = Effect.fnUntraced(function* (
  commerceOrderId: string,
  changes: Partial<Effect.Success<ReturnType<typeof rowOf>>>
) {
  const { projectId } = yield* rowOf(commerceOrderId)
  const storage = yield* Storage
  yield* storage.transaction({ locks: [exclusive("project", projectId)] }, (transaction) =>
    transaction.update(CommerceOrders, [commerceOrderId], changes)
  )
})

/** A pass of the worker in which this attempt is due. */
export const passOver = Effect.fnUntraced(function* (commerceOrderId: string) {
  yield* changeAttempt(commerceOrderId, { dueAt: yield* now })
  yield* paymentPass
})

export const entriesOf = (commerceOrderId: string) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(
      storage.view((reader) => reader.range(CommerceEntries, "key", { prefix: [commerceOrderId], limit: 100 })),
      (rows) => rows.map(({ entry }) => parseCanonical(entry))
    )
  )

export const purchasesOf = (order: { readonly attempts: ReadonlyArray<{ readonly commerceOrderId: string }> }) =>
  Effect.map(testProvider, ({ state }) =>
    state.purchases.filter(({ request }) =>
      order.attempts.some(({ commerceOrderId }) => commerceOrderId === request.commerceOrderId)
    )
  )

export const during = Effect.fnUntraced(function* <A, E, R>(
  condition: { readonly availability: "WORKING" | "DOWN" | "REFUSING"; readonly losesOpenings?: boolean },
  effect: Effect.Effect<A, E, R>
) {
  const provider = yield* testProvider
  provider.condition = condition
  const result = yield* effect
  provider.condition = { availability: "WORKING" }
  return result
})

/** Captures while the provider answers with this fault. */
export const captureWith = Effect.fnUntraced(function* (commerceOrderId: string, fault: AnswerFault) {
  const provider = yield* testProvider
  provider.condition = { availability: "WORKING", readbacks: fault }
  yield* captureAttempt(commerceOrderId)
  provider.condition = { availability: "WORKING" }
})

/** The effect with a provider whose answers pass through this. */
export const withProvider = <A, E, R>(change: (payments: PaymentProvider) => Partial<PaymentProvider>) =>
  Effect.fnUntraced(function* (effect: Effect.Effect<A, E, R>) {
    const payments = (yield* Payments) as PaymentProvider
    return yield* Effect.provideService(effect, Payments, { ...payments, ...change(payments) })
  })

/** The effect, with another one run after each answer of the provider's and before it arrives. */
export const runBeforeAnswer = Effect.fnUntraced(function* <A, E, R, B, F, S>(
  other: Effect.Effect<B, F, S>,
  effect: Effect.Effect<A, E, R>
) {
  const context = yield* Effect.context<S>()
  return yield* effect.pipe(
    withProvider((payments) => ({
      readBack: (request) =>
        Effect.tap(payments.readBack(request), () => Effect.orDie(Effect.provideContext(other, context)))
    }))
  )
})
