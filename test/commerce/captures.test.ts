import { assert, describe, layer } from "@effect/vitest"
import { Effect, Exit, Logger, Metric } from "effect"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { offerResultOrder } from "../../src/commerce/offering.ts"
import { openCheckout } from "../../src/commerce/opening.ts"
import { payResultOrder } from "../../src/commerce/operations.ts"
import { openRecipientAccount, readRecipientAccount } from "../../src/commerce/recipient-account.ts"
import { paymentPass } from "../../src/commerce/worker.ts"
import { Payments } from "../../src/ports/payments.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { agreementWithRecord, joinOrganization } from "../support/issued-records.ts"
import { memoryTestService } from "../support/memory-service.ts"
import {
  approved,
  commandOrder,
  exportRecord,
  offered,
  offerOf,
  paid,
  payableResult,
  paying,
  readOrder,
  type Order
} from "../support/orders.ts"
import { changeAttempt, during, entriesOf, passOver, purchasesOf, rowOf, withProvider } from "../support/attempts.ts"
import { atProvider, testProvider } from "../support/payments.ts"
import { freshTestService } from "../support/service.ts"
import { createdBody, outcome } from "../support/workspace.ts"

const stores = [
  ["in memory", memoryTestService],
  ["on Postgres", freshTestService]
] as const

/** The metric by which an operator learns of attempts that were put off. */
const deferredCount = Effect.map(Metric.snapshot, (all) =>
  all
    .filter(({ id }) => id === "countersign_payment_deferred_total")
    .reduce((sum, { state }) => sum + ("count" in state ? Number(state.count) : 0), 0)
)

describe.each(stores)("payment attempts %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect("While the provider is down an attempt is OPENING, and the worker opens its one checkout.", () =>
      Effect.gen(function* () {
        const { buyer, order } = yield* approved(yield* payableResult)
        const down = yield* during({ availability: "DOWN" }, commandOrder(buyer, order, "payments"))
        assert.strictEqual(down.status, 201, down.text)
        const [attempt] = down.body.attempts
        assert.deepInclude(attempt, { state: "OPENING", checkoutUrl: null })
        yield* passOver(attempt.commerceOrderId)
        const open = yield* readOrder(buyer, order)
        assert.strictEqual(open.attempts[0].state, "OPEN")
        assert.lengthOf(yield* purchasesOf(open), 1)
      })
    )

    it.effect("A lost answer to an opening is repeated with the same parameters, and gives one checkout.", () =>
      Effect.gen(function* () {
        const { buyer, order } = yield* approved(yield* payableResult)
        const requestId = (yield* nonIdempotentRequest(buyer.personId)).requestId
        const pay = commandOrder(buyer, order, "payments", { requestId })
        const lost = createdBody(yield* during({ availability: "WORKING", losesOpenings: true }, pay))
        assert.strictEqual(lost.attempts[0].state, "OPENING")
        const replayed = createdBody(yield* pay)
        assert.deepInclude(replayed, { replayed: true, state: "PAYING" })
        assert.strictEqual(replayed.attempts[0].state, "OPEN")
        assert.lengthOf(yield* purchasesOf(replayed), 1)
      })
    )

    it.effect("A crash before or after the call of the provider leaves one attempt with one checkout.", () =>
      Effect.gen(function* () {
        for (const isCalled of [false, true]) {
          const { buyer, order } = yield* approved(yield* payableResult)
          const request = yield* nonIdempotentRequest(buyer.personId)
          const crash = Effect.die(new Error("crash"))
          const crashed = payResultOrder(buyer, request, order as Order).pipe(
            withProvider((payments) => ({
              openCheckout: (parameters) =>
                isCalled ? Effect.andThen(payments.openCheckout(parameters), crash) : crash
            })),
            Effect.exit
          )
          assert.isTrue(Exit.isFailure(yield* crashed))
          const opening = yield* readOrder(buyer, order)
          assert.deepStrictEqual([opening.state, opening.attempts[0].state], ["PAYING", "OPENING"])
          yield* passOver(opening.attempts[0].commerceOrderId)
          const open = yield* readOrder(buyer, order)
          assert.strictEqual(open.attempts[0].state, "OPEN")
          assert.lengthOf(yield* purchasesOf(open), 1)
        }
      })
    )

    it.effect("An attempt that the provider refuses is released, and the order takes another one.", () =>
      Effect.gen(function* () {
        const { buyer, order } = yield* approved(yield* payableResult)
        const pay = commandOrder(buyer, order, "payments").pipe(withProvider(() => ({})))
        const provider = yield* testProvider
        provider.condition = { availability: "DOWN" }
        const opening = createdBody(yield* pay)
        provider.condition = { availability: "REFUSING" }
        yield* passOver(opening.attempts[0].commerceOrderId)
        provider.condition = { availability: "WORKING" }
        const released = yield* readOrder(buyer, order)
        assert.deepStrictEqual([released.state, released.attempts[0].state], ["APPROVED", "RELEASED"])
        assert.deepInclude(released.financialEvents.at(-1).payload, { reason: "PROVIDER_REFUSED" })
        const second = createdBody(yield* commandOrder(buyer, released, "payments"))
        assert.deepStrictEqual(
          second.attempts.map(({ state }: { readonly state: string }) => state),
          ["RELEASED", "OPEN"]
        )
        assert.notStrictEqual(second.attempts[0].commerceOrderId, second.attempts[1].commerceOrderId)
      })
    )

    it.effect("A lost opening is not repeated once 30 minutes are left, and is released 5 minutes after its end.", () =>
      Effect.gen(function* () {
        const { buyer, order } = yield* approved(yield* payableResult)
        const opening = createdBody(yield* during({ availability: "DOWN" }, commandOrder(buyer, order, "payments")))
        const { commerceOrderId } = opening.attempts[0]
        const late = addMilliseconds(yield* now, limits.checkoutNotReopened - 1_000)
        const openedAt = addMilliseconds(late, -limits.checkoutLifetime)
        yield* changeAttempt(commerceOrderId, { expiresAt: late, openedAt })
        yield* passOver(commerceOrderId)
        assert.lengthOf(yield* purchasesOf(opening), 0)
        assert.strictEqual((yield* rowOf(commerceOrderId)).state, "OPENING")
        yield* changeAttempt(commerceOrderId, { expiresAt: addMilliseconds(yield* now, -limits.checkoutUnknown) })
        yield* passOver(commerceOrderId)
        const released = yield* readOrder(buyer, order)
        assert.strictEqual(released.state, "APPROVED")
        assert.deepInclude(released.financialEvents.at(-1).payload, { reason: "CHECKOUT_NOT_OPENED" })
        assert.isTrue((yield* rowOf(commerceOrderId)).dueAt > "9999")
      })
    )

    it.effect(
      "An expired checkout is released by what was captured, and its order can be paid by another attempt.",
      () =>
        Effect.gen(function* () {
          const { buyer, order, commerceOrderId } = yield* paying(yield* payableResult)
          yield* changeAttempt(commerceOrderId, { expiresAt: addMilliseconds(yield* now, 1) })
          yield* passOver(commerceOrderId)
          assert.strictEqual((yield* readOrder(buyer, order)).state, "PAYING")
          yield* atProvider({ act: "expire", commerceOrderId })
          yield* passOver(commerceOrderId)
          const released = yield* readOrder(buyer, order)
          assert.deepStrictEqual([released.state, released.attempts[0].state], ["APPROVED", "RELEASED"])
          const open = createdBody(yield* commandOrder(buyer, released, "payments"))
          const second = open.attempts[1].commerceOrderId
          yield* atProvider({ act: "pay", commerceOrderId: second })
          yield* passOver(second)
          assert.strictEqual((yield* readOrder(buyer, order)).state, "PAID")
        })
    )

    it.effect("If two people pay concurrently, one opens an attempt and the other is refused.", () =>
      Effect.gen(function* () {
        const { buyer, order } = yield* approved(yield* payableResult)
        const other = yield* joinOrganization(buyer, "Pia")
        const answers = yield* Effect.all(
          [commandOrder(buyer, order, "payments"), commandOrder(other, order, "payments")],
          { concurrency: "unbounded" }
        )
        const codes = answers.map((answer) => outcome(answer).join(" ")).toSorted()
        assert.deepStrictEqual(codes, ["201", "409 STALE_FINANCIAL_HEAD"])
        assert.lengthOf(yield* purchasesOf(yield* readOrder(buyer, order)), 1)
      })
    )

    it.effect("If an approval and a withdrawal race, one commits and the other has a stale head.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, order } = yield* offered(yield* payableResult)
        const answers = yield* Effect.all(
          [commandOrder(buyer, order, "approve"), commandOrder(supplier, order, "withdraw")],
          { concurrency: "unbounded" }
        )
        const codes = answers.map((answer) => outcome(answer).join(" ")).toSorted()
        assert.deepStrictEqual(codes, ["200", "409 STALE_FINANCIAL_HEAD"])
        assert.lengthOf((yield* readOrder(buyer, order)).financialEvents, 2)
      })
    )

    it.effect("If two readbacks overlap, an older answer that arrives last is discarded.", () =>
      Effect.gen(function* () {
        const { commerceOrderId } = yield* paying(yield* payableResult)
        const newer = Effect.andThen(atProvider({ act: "pay", commerceOrderId }), captureAttempt(commerceOrderId))
        const context = yield* Effect.context<Effect.Services<typeof newer>>()
        const older = yield* captureAttempt(commerceOrderId).pipe(
          withProvider((payments) => ({
            readBack: (request) => Effect.tap(payments.readBack(request), () => Effect.provide(newer, context))
          }))
        )
        assert.isUndefined(older)
        const entries = yield* entriesOf(commerceOrderId)
        assert.deepStrictEqual(
          entries.map(({ component }) => component),
          ["CHECKOUT", "PAYMENT", "TRANSFER"]
        )
        assert.strictEqual((yield* rowOf(commerceOrderId)).state, "PAID")
      })
    )

    it.effect("A request and the worker at one opening leave one checkout and one update of the attempt.", () =>
      Effect.gen(function* () {
        const { buyer, order } = yield* approved(yield* payableResult)
        const opening = createdBody(yield* during({ availability: "DOWN" }, commandOrder(buyer, order, "payments")))
        const row = yield* rowOf(opening.attempts[0].commerceOrderId)
        const worker = passOver(row.commerceOrderId)
        const context = yield* Effect.context<Effect.Services<typeof worker>>()
        yield* openCheckout(row).pipe(
          withProvider((payments) => ({
            openCheckout: (parameters) =>
              Effect.tap(payments.openCheckout(parameters), () => Effect.provide(worker, context))
          }))
        )
        const after = yield* rowOf(row.commerceOrderId)
        assert.deepStrictEqual([after.state, after.captureRevision], ["OPEN", row.captureRevision + 1])
        assert.lengthOf(yield* purchasesOf(opening), 1)
      })
    )

    it.effect("Two concurrent first exports give the same bytes.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, commerceOrderId } = yield* paid(yield* payableResult)
        const [one, other] = yield* Effect.all(
          [exportRecord(buyer, commerceOrderId), exportRecord(supplier, commerceOrderId)],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual([one.status, other.status], [200, 200])
        assert.strictEqual(one.text, other.text)
      })
    )

    it.effect("Unchanged readbacks append nothing and leave the record's bytes as they are.", () =>
      Effect.gen(function* () {
        const { buyer, commerceOrderId } = yield* paid(yield* payableResult)
        const record = yield* exportRecord(buyer, commerceOrderId)
        const before = yield* rowOf(commerceOrderId)
        for (let count = 0; count < 10; count++) yield* passOver(commerceOrderId)
        const after = yield* rowOf(commerceOrderId)
        assert.strictEqual(after.captureRevision, before.captureRevision + 10)
        assert.strictEqual(after.journalHead, before.journalHead)
        assert.strictEqual((yield* exportRecord(buyer, commerceOrderId)).text, record.text)
        yield* atProvider({ act: "refund", commerceOrderId, amountMinor: 1 })
        yield* passOver(commerceOrderId)
        const extended = yield* exportRecord(buyer, commerceOrderId)
        assert.notStrictEqual(extended.body.recordDigest, record.body.recordDigest)
      })
    )

    it.effect("A failed component keeps its facts, is repeated after 15 seconds, and shows its reason.", () =>
      Effect.gen(function* () {
        const { buyer, order, commerceOrderId } = yield* paid(yield* payableResult)
        const before = yield* rowOf(commerceOrderId)
        yield* changeAttempt(commerceOrderId, { dueAt: yield* now })
        yield* during({ availability: "DOWN" }, paymentPass)
        const after = yield* rowOf(commerceOrderId)
        assert.deepStrictEqual([after.journalHead, after.state, after.failures], [before.journalHead, "PAID", 1])
        assert.isTrue(after.dueAt < addMilliseconds(yield* now, limits.readbackRetry + 1))
        const { components } = (yield* readOrder(buyer, order)).attempts[0]
        for (const one of components) {
          assert.strictEqual(one.failure, "PROVIDER_UNAVAILABLE")
          assert.isNotNull(one.lastObservedAt)
        }
        yield* passOver(commerceOrderId)
        assert.strictEqual((yield* rowOf(commerceOrderId)).failures, 0)
      })
    )

    it.effect("An attempt of another environment is put off for an hour and reported; no provider is asked.", () =>
      Effect.gen(function* () {
        const { commerceOrderId } = yield* paying(yield* payableResult)
        yield* changeAttempt(commerceOrderId, { dueAt: yield* now })
        const asked = { count: 0 }
        const logged: Array<string> = []
        const deferredBefore = yield* deferredCount
        yield* paymentPass.pipe(
          Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(JSON.stringify(message)))])),
          withProvider((payments) => ({
            environment: "LIVE",
            readBack: (request) =>
              Effect.andThen(
                Effect.sync(() => void asked.count++),
                payments.readBack(request)
              )
          }))
        )
        assert.strictEqual(asked.count, 0)
        const reported = logged.filter((line) => line.includes(commerceOrderId))
        assert.lengthOf(reported, 1)
        assert.include(reported[0], '"provider":"SIMULATED","environment":"TEST"')
        assert.isAbove(yield* deferredCount, deferredBefore)
        const { dueAt, leaseToken, journalCount } = yield* rowOf(commerceOrderId)
        assert.deepStrictEqual([leaseToken, journalCount], ["", 0])
        assert.isTrue(dueAt > addMilliseconds(yield* now, limits.paymentDeferral - 60_000))
      })
    )

    it.effect("Without a provider no account is opened and nothing is offered or paid.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, projectId, order } = yield* approved(yield* payableResult)
        const request = yield* nonIdempotentRequest(buyer.personId)
        const another = yield* agreementWithRecord({ buyer, supplier })
        const { requestId: _, ...terms } = yield* offerOf(another)
        const { organizationId } = supplier
        const refusals = yield* Effect.all([
          Effect.flip(payResultOrder(buyer, request, order as Order)),
          Effect.flip(offerResultOrder(supplier, request, { projectId: another, ...terms })),
          Effect.flip(openRecipientAccount(supplier, organizationId)),
          Effect.flip(readRecipientAccount(supplier, organizationId))
        ]).pipe(Effect.provideService(Payments, { kind: "NONE" }))
        for (const { code } of refusals) assert.strictEqual(code, "PAYMENTS_NOT_CONFIGURED")
        assert.lengthOf((yield* readOrder(buyer, order)).attempts, 0)
        assert.isString(projectId)
      })
    )

    it.effect("An order has at most 20 payment attempts.", () =>
      Effect.gen(function* () {
        const { buyer, order } = yield* approved(yield* payableResult)
        let current = order
        for (let count = 0; count < limits.paymentAttempts; count++) {
          const open = createdBody(yield* commandOrder(buyer, current, "payments"))
          const { commerceOrderId } = open.attempts.at(-1)
          yield* atProvider({ act: "expire", commerceOrderId })
          yield* captureAttempt(commerceOrderId)
          current = yield* readOrder(buyer, order)
        }
        assert.lengthOf(current.attempts, limits.paymentAttempts)
        assert.notInclude(current.availableActions, "PAY_RESULT_ORDER")
        const refused = yield* commandOrder(buyer, current, "payments")
        assert.deepStrictEqual(outcome(refused), [409, "ATTEMPT_LIMIT"])
      })
    )

    it.effect(
      "A payment with other values than the terms is UNVERIFIED, and the supplier can withdraw the order.",
      () =>
        Effect.gen(function* () {
          const { buyer, supplier, order, commerceOrderId } = yield* paying(yield* payableResult)
          yield* atProvider({ act: "pay", commerceOrderId })
          const provider = yield* testProvider
          provider.condition = { availability: "WORKING", readbacks: { fault: "wrong-amount" } }
          yield* passOver(commerceOrderId)
          provider.condition = { availability: "WORKING" }
          const unverified = yield* readOrder(buyer, order)
          assert.deepStrictEqual([unverified.state, unverified.attempts[0].state], ["PAYING", "UNVERIFIED"])
          assert.deepStrictEqual(unverified.attention, [{ commerceOrderId, reason: "UNVERIFIED" }])
          const withdrawn = createdBody(yield* commandOrder(supplier, unverified, "withdraw"))
          assert.strictEqual(withdrawn.state, "WITHDRAWN")
        })
    )

    it.effect(
      "A record of more than 1,000 entries, or of more bytes than fit, is refused, and capturing continues.",
      () =>
        Effect.gen(function* () {
          const { buyer, commerceOrderId } = yield* paid(yield* payableResult)
          const before = yield* rowOf(commerceOrderId)
          const texts = (yield* entriesOf(commerceOrderId)).map((entry) => canonicalText(entry))
          assert.strictEqual(before.journalBytes, Buffer.byteLength(texts.join("")))
          yield* changeAttempt(commerceOrderId, { journalCount: limits.commerceEntries + 1 })
          assert.deepStrictEqual(outcome(yield* exportRecord(buyer, commerceOrderId)), [409, "COMMERCE_EXPORT_LIMIT"])
          const { journalBytes } = before
          yield* changeAttempt(commerceOrderId, { journalCount: 3, journalBytes: limits.commerceEntryBytes + 1 })
          const tooLong = yield* exportRecord(buyer, commerceOrderId)
          assert.deepStrictEqual(outcome(tooLong), [409, "COMMERCE_EXPORT_LIMIT"])
          assert.include(tooLong.body.detail, `${limits.commerceEntryBytes} bytes`)
          yield* changeAttempt(commerceOrderId, { journalCount: limits.commerceEntries + 1, journalBytes })
          yield* atProvider({ act: "refund", commerceOrderId, amountMinor: 1 })
          yield* passOver(commerceOrderId)
          assert.isAbove((yield* rowOf(commerceOrderId)).journalCount, limits.commerceEntries + 1)
        })
    )
  })
})
