/** Crashes and lost answers around every transaction beside a call of the provider, and around a first export. */
import { assert, describe, layer } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { digestOf } from "../../src/canonical/digest.ts"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { exportCommerceRecord } from "../../src/commerce/export.ts"
import { openCheckout } from "../../src/commerce/opening.ts"
import { payResultOrder } from "../../src/commerce/operations.ts"
import { CommerceExports } from "../../src/commerce/store.ts"
import { paymentPass } from "../../src/commerce/worker.ts"
import { Storage } from "../../src/ports/storage.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { changeAttempt, during, entriesOf, passOver, purchasesOf, rowOf, withProvider } from "../support/attempts.ts"
import { commitFaults, withCommitFault, withoutViews } from "../support/commit-faults.ts"
import { memoryTestService } from "../support/memory-service.ts"
import {
  approved,
  commandOrder,
  exportRecord,
  paid,
  payableResult,
  paying,
  readOrder,
  type Order
} from "../support/orders.ts"
import { atProvider } from "../support/payments.ts"
import { freshTestService } from "../support/service.ts"
import { createdBody } from "../support/workspace.ts"

const stores = [
  ["in memory", memoryTestService],
  ["on Postgres", freshTestService]
] as const

/** Runs the effect, which must fail. */
const failing = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(effect), (exit) => assert.isTrue(Exit.isFailure(exit)))

/** The order has one attempt, with one checkout, which is open. */
const assertOneCheckout = Effect.fnUntraced(function* (order: any) {
  assert.deepStrictEqual(
    order.attempts.map(({ state }: { readonly state: string }) => state),
    ["OPEN"]
  )
  assert.lengthOf(yield* purchasesOf(order), 1)
  const kinds = order.financialEvents.map(({ kind }: { readonly kind: string }) => kind)
  assert.deepStrictEqual(kinds, ["OFFERED", "APPROVED", "ATTEMPT_OPENED"])
})

/** The journal of a paid attempt: each entry once, in a chain that ends at the head of the row. */
const assertPaidOnce = Effect.fnUntraced(function* (commerceOrderId: string) {
  const entries = yield* entriesOf(commerceOrderId)
  assert.deepStrictEqual(
    entries.map(({ sequence, component }) => `${sequence} ${component}`),
    ["1 CHECKOUT", "2 PAYMENT", "3 TRANSFER"]
  )
  let previousHash = entries[0]!.previousHash
  for (const { hash, ...content } of entries) {
    assert.deepStrictEqual([content.previousHash, digestOf(content)], [previousHash, hash])
    previousHash = hash
  }
  const row = yield* rowOf(commerceOrderId)
  assert.deepStrictEqual([row.state, row.journalCount, row.journalHead], ["PAID", 3, previousHash])
})

describe.each(stores)("lost commits of payments %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect.each(commitFaults.flatMap((fault) => [1, 2].map((transaction) => ({ fault, transaction }))))(
      "A request to pay whose transaction $transaction is $fault and lost gives one checkout when it is repeated.",
      ({ fault, transaction }) =>
        Effect.gen(function* () {
          const { buyer, order } = yield* approved(yield* payableResult)
          const request = yield* nonIdempotentRequest(buyer.personId)
          const pay = payResultOrder(buyer, request, order as Order)
          yield* failing(withCommitFault(transaction, fault, pay))
          yield* pay
          yield* assertOneCheckout(yield* readOrder(buyer, order))
        })
    )

    it.effect.each(commitFaults)(
      "An opening of the worker whose transaction is %s and lost is finished by the next pass.",
      (fault) =>
        Effect.gen(function* () {
          const { buyer, order } = yield* approved(yield* payableResult)
          const opening = createdBody(yield* during({ availability: "DOWN" }, commandOrder(buyer, order, "payments")))
          const { commerceOrderId } = opening.attempts[0]
          yield* failing(withCommitFault(1, fault, openCheckout(yield* rowOf(commerceOrderId))))
          yield* passOver(commerceOrderId)
          yield* assertOneCheckout(yield* readOrder(buyer, order))
        })
    )

    it.effect("A capture that crashes before or during its view, or while it asks the provider, changes nothing.", () =>
      Effect.gen(function* () {
        const { commerceOrderId } = yield* paying(yield* payableResult)
        yield* atProvider({ act: "pay", commerceOrderId })
        const before = yield* rowOf(commerceOrderId)
        const crash = Effect.die(new Error("crash"))
        yield* failing(withoutViews(captureAttempt(commerceOrderId)))
        yield* failing(captureAttempt(commerceOrderId).pipe(withProvider(() => ({ readBack: () => crash }))))
        const crashing = captureAttempt(commerceOrderId).pipe(
          withProvider((payments) => ({ readBack: (request) => Effect.andThen(payments.readBack(request), crash) }))
        )
        yield* failing(crashing)
        assert.deepStrictEqual(yield* rowOf(commerceOrderId), before)
        assert.deepStrictEqual(yield* entriesOf(commerceOrderId), [])
        yield* captureAttempt(commerceOrderId)
        yield* assertPaidOnce(commerceOrderId)
      })
    )

    it.effect.each(commitFaults)(
      "A capture whose transaction is %s and lost is repeated, and no entry doubles.",
      (fault) =>
        Effect.gen(function* () {
          const { buyer, order, commerceOrderId } = yield* paying(yield* payableResult)
          yield* atProvider({ act: "pay", commerceOrderId })
          yield* failing(withCommitFault(1, fault, captureAttempt(commerceOrderId)))
          yield* passOver(commerceOrderId)
          yield* assertPaidOnce(commerceOrderId)
          const { state, financialEvents } = yield* readOrder(buyer, order)
          assert.deepStrictEqual([state, financialEvents.length], ["PAID", 4])
        })
    )

    it.effect("The attempt of a worker that crashed is read back once its lease has expired.", () =>
      Effect.gen(function* () {
        const { commerceOrderId } = yield* paying(yield* payableResult)
        yield* atProvider({ act: "pay", commerceOrderId })
        yield* changeAttempt(commerceOrderId, { dueAt: yield* now })
        const interrupted = paymentPass.pipe(withProvider(() => ({ readBack: () => Effect.die(new Error("crash")) })))
        yield* interrupted
        const { leaseToken, leasedUntil } = yield* rowOf(commerceOrderId)
        assert.notStrictEqual(leaseToken, "")
        yield* paymentPass
        assert.strictEqual((yield* rowOf(commerceOrderId)).leasedUntil, leasedUntil)
        yield* changeAttempt(commerceOrderId, { leasedUntil: yield* now })
        yield* paymentPass
        yield* assertPaidOnce(commerceOrderId)
      })
    )

    it.effect.each(commitFaults)(
      "A first export whose transaction is %s and lost leaves at most one signed record.",
      (fault) =>
        Effect.gen(function* () {
          const { buyer, commerceOrderId } = yield* paid(yield* payableResult)
          const lost = yield* Effect.exit(withCommitFault(1, fault, exportCommerceRecord(buyer, commerceOrderId)))
          assert.isTrue(Exit.isFailure(lost) && Cause.hasDies(lost.cause))
          const storage = yield* Storage
          const { journalCount } = yield* rowOf(commerceOrderId)
          const stored = yield* storage.view((reader) => reader.get(CommerceExports, [commerceOrderId, journalCount]))
          assert.strictEqual(stored !== undefined, fault === "COMMITTED")
          const exported = yield* exportRecord(buyer, commerceOrderId)
          if (stored !== undefined) assert.strictEqual(exported.body.record, stored.record)
          assert.strictEqual((yield* exportRecord(buyer, commerceOrderId)).text, exported.text)
        })
    )
  })
})
