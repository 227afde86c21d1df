/** Invalid values of a provider: none becomes a fact, and none makes the service fail. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { AnswerFault } from "../../simulator/payments/answers.ts"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { componentReadback } from "../../src/ports/payment-readback.ts"
import type { Readback } from "../../src/ports/payments.ts"
import type { Component } from "../../src/vocabulary/payments.ts"
import { parseSigned } from "../../src/canonical/jws.ts"
import { entriesOf, passOver, rowOf, withProvider } from "../support/attempts.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { commandOrder, exportRecord, payableResult, paying, readOrder } from "../support/orders.ts"
import { atProvider, testProvider } from "../support/payments.ts"
import { freshTestService } from "../support/service.ts"
import { createdBody, outcome } from "../support/workspace.ts"

const stores = [
  ["in memory", memoryTestService],
  ["on Postgres", freshTestService]
] as const

/** A capture in which each entity of a component has these values. */
const captureWith = (commerceOrderId: string, component: Component, changes: object) =>
  captureAttempt(commerceOrderId).pipe(
    withProvider((payments) => ({
      readBack: (request) =>
        Effect.map(payments.readBack(request), (readback): Readback => {
          const read = readback[component]
          if (read.outcome === "FAILED") return readback
          const entities = read.entities.map(({ entity, facts }) => ({ entity, facts: { ...facts, ...changes } }))
          return { ...readback, [component]: componentReadback(component, entities) }
        })
    }))
  )

/** An attempt whose payment is made, and not yet captured. */
const paidAtProvider = Effect.gen(function* () {
  const open = yield* paying(yield* payableResult)
  yield* atProvider({ act: "pay", commerceOrderId: open.commerceOrderId })
  return open
})

describe.each(stores)("values of a provider %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect.each<[string, Component, object]>([
      ["a sum beyond 2^53", "PAYMENT", { amountMinor: 2 ** 53 }],
      ["an unknown word", "PAYMENT", { state: "RESTING" }],
      ["NUL in a text", "PAYMENT", { recipientAccount: "acct\u0000" }],
      ["a lone surrogate in a text", "PAYMENT", { commerceOrderId: "\ud800" }],
      ["a text of 201 characters", "PAYMENT", { acceptedSourceDigest: "x".repeat(201) }],
      ["an unknown member", "PAYMENT", { card: "4242" }]
    ])("%s fails its component alone, and the next readback captures it.", ([, component, changes]) =>
      Effect.gen(function* () {
        const { buyer, order, commerceOrderId } = yield* paidAtProvider
        yield* captureWith(commerceOrderId, component, changes)
        const captured = (yield* entriesOf(commerceOrderId)).map((entry) => entry.component)
        assert.deepStrictEqual(captured, ["CHECKOUT"])
        const [attempt] = (yield* readOrder(buyer, order)).attempts
        assert.strictEqual(attempt.state, "OPEN")
        const failures = attempt.components.map((one: { readonly failure: string | null }) => one.failure)
        const dependent = "DEPENDENCY_FAILED"
        assert.deepStrictEqual(failures, [null, "FACTS_UNKNOWN", dependent, dependent, dependent, dependent])
        yield* captureAttempt(commerceOrderId)
        assert.strictEqual((yield* rowOf(commerceOrderId)).state, "PAID")
      })
    )

    it.effect.each<AnswerFault["fault"]>(["wrong-amount", "wrong-currency", "wrong-account", "wrong-reference"])(
      "A payment with a %s is UNVERIFIED without a label, and the supplier can withdraw the order.",
      (fault) =>
        Effect.gen(function* () {
          const { buyer, supplier, order, commerceOrderId } = yield* paidAtProvider
          const provider = yield* testProvider
          provider.condition = { availability: "WORKING", readbacks: { fault } as AnswerFault }
          yield* passOver(commerceOrderId)
          provider.condition = { availability: "WORKING" }
          const unverified = yield* readOrder(buyer, order)
          assert.deepStrictEqual([unverified.state, unverified.attempts[0].state], ["PAYING", "UNVERIFIED"])
          assert.deepStrictEqual(unverified.attention, [{ commerceOrderId, reason: "UNVERIFIED" }])
          const { labels } = parseSigned<any>((yield* exportRecord(buyer, commerceOrderId)).body.record)
          assert.notInclude(labels, "PROVIDER_VERIFIED_PAYMENT")
          const again = yield* commandOrder(buyer, unverified, "payments")
          assert.deepStrictEqual(outcome(again), [409, "PAYMENT_ATTEMPT_OPEN"])
          assert.strictEqual(createdBody(yield* commandOrder(supplier, unverified, "withdraw")).state, "WITHDRAWN")
        })
    )

    it.effect("The payment of another attempt is never a verified one, and its checkout is not read.", () =>
      Effect.gen(function* () {
        const { commerceOrderId: another } = yield* paidAtProvider
        const { checkoutId } = yield* rowOf(another)
        const { buyer, order, commerceOrderId } = yield* paying(yield* payableResult)
        yield* captureAttempt(commerceOrderId).pipe(
          withProvider((payments) => ({
            readBack: (request) => payments.readBack({ ...request, checkoutId: checkoutId! })
          }))
        )
        const [attempt] = (yield* readOrder(buyer, order)).attempts
        assert.strictEqual(attempt.state, "UNVERIFIED")
        assert.strictEqual(attempt.components[0].failure, "LIST_INCONSISTENT")
        const { labels, journal } = parseSigned<any>((yield* exportRecord(buyer, commerceOrderId)).body.record)
        assert.notInclude(labels, "PROVIDER_VERIFIED_PAYMENT")
        assert.notInclude(JSON.stringify(journal), checkoutId!)
      })
    )
  })
})
