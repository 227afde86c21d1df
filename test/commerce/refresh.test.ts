/** Refreshes of payment attempts by people. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { refreshCommerceOrder } from "../../src/commerce/refresh.ts"
import { endMembership } from "../../src/people/memberships.ts"
import { endSession } from "../../src/people/sessions.ts"
import { Payments } from "../../src/ports/payments.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { changeAttempt, during, runBeforeAnswer, rowOf, withProvider } from "../support/attempts.ts"
import { ageObservations, componentsOf, refresh } from "../support/commerce-status.ts"
import { joinOrganization } from "../support/issued-records.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { approved, commandOrder, paid, payableResult, paying, readOrder } from "../support/orders.ts"
import { uuid } from "../support/parties.ts"
import { atProvider, testProvider } from "../support/payments.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody, outcome } from "../support/workspace.ts"

const stores = [
  ["in memory", memoryTestService],
  ["on Postgres", freshTestService]
] as const

describe.each(stores)("refreshes of payment attempts %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect("A refresh asks the provider now, and says what it added to the journal.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, order, commerceOrderId } = yield* paying(yield* payableResult)
        yield* atProvider({ act: "pay", commerceOrderId })
        const answer = createdBody(yield* refresh(supplier, commerceOrderId))
        assert.deepInclude(answer, { commerceOrderId, coalesced: false })
        assert.deepStrictEqual(
          answer.components.map((one: any) => [one.component, one.outcome, one.newEntries]),
          [
            ["CHECKOUT", "READ", 1],
            ["PAYMENT", "READ", 1],
            ["REFUND", "READ", 0],
            ["DISPUTE", "READ", 0],
            ["TRANSFER", "READ", 1],
            ["PAYOUT", "READ", 0]
          ]
        )
        for (const { lastObservedAt } of answer.components) assert.strictEqual(lastObservedAt, answer.observedAt)
        assert.strictEqual(answer.journal.count, 3)
        assert.strictEqual((yield* readOrder(buyer, order)).state, "PAID")
      })
    )

    it.effect("A second refresh within ten seconds is answered from the store, and a later one is not.", () =>
      Effect.gen(function* () {
        const { buyer, commerceOrderId } = yield* paid(yield* payableResult)
        yield* ageObservations(commerceOrderId, limits.refreshCoalescing)
        const first = createdBody(yield* refresh(buyer, commerceOrderId))
        yield* atProvider({ act: "refund", commerceOrderId, amountMinor: 25_000 })
        const second = createdBody(yield* refresh(buyer, commerceOrderId))
        assert.deepStrictEqual([first.coalesced, second], [false, { ...first, coalesced: true }])
        yield* ageObservations(commerceOrderId, limits.refreshCoalescing)
        const third = createdBody(yield* refresh(buyer, commerceOrderId))
        assert.deepStrictEqual([third.coalesced, third.components[2].newEntries], [false, 1])
      })
    )

    it.effect("Two refreshes at once give one capture, and the other is answered from it.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, commerceOrderId } = yield* paying(yield* payableResult)
        yield* atProvider({ act: "pay", commerceOrderId })
        const answers = yield* Effect.all([refresh(buyer, commerceOrderId), refresh(supplier, commerceOrderId)], {
          concurrency: "unbounded"
        })
        const bodies = answers.map(createdBody)
        assert.deepStrictEqual(new Set(bodies.map((body) => body.journal.count)), new Set([3]))
        const added = bodies.map((body) => body.components.reduce((sum: number, one: any) => sum + one.newEntries, 0))
        assert.deepStrictEqual(added.toSorted(), [0, 3])
      })
    )

    it.effect("With one component failing the others are renewed; with all of them the answer is 503.", () =>
      Effect.gen(function* () {
        const { buyer, commerceOrderId } = yield* paid(yield* payableResult)
        yield* ageObservations(commerceOrderId, limits.refreshCoalescing)
        const before = yield* componentsOf(commerceOrderId)
        const provider = yield* testProvider
        provider.condition = { availability: "WORKING", readbacks: { fault: "component-fails", component: "DISPUTE" } }
        const partly = createdBody(yield* refresh(buyer, commerceOrderId))
        provider.condition = { availability: "WORKING" }
        const dispute = partly.components.find((one: any) => one.component === "DISPUTE")
        const { lastObservedAt } = before.find(({ component }) => component === "DISPUTE")!
        assert.deepStrictEqual(dispute, { component: "DISPUTE", outcome: "FAILED", lastObservedAt, newEntries: 0 })
        assert.lengthOf(
          partly.components.filter((one: any) => one.lastObservedAt === partly.observedAt),
          5
        )
        yield* ageObservations(commerceOrderId, limits.refreshCoalescing)
        const aged = yield* componentsOf(commerceOrderId)
        const down = yield* during({ availability: "DOWN" }, refresh(buyer, commerceOrderId))
        assert.deepStrictEqual(outcome(down), [503, "TEMPORARILY_UNAVAILABLE"])
        assert.deepStrictEqual(
          (yield* componentsOf(commerceOrderId)).map((one) => one.lastObservedAt),
          aged.map((one) => one.lastObservedAt)
        )
      })
    )

    it.effect("A capture that could read nothing answers no refresh, however recent the one before it is.", () =>
      Effect.gen(function* () {
        const { buyer, commerceOrderId } = yield* paid(yield* payableResult)
        const down = yield* during(
          { availability: "DOWN" },
          Effect.andThen(captureAttempt(commerceOrderId), refresh(buyer, commerceOrderId))
        )
        assert.deepStrictEqual(outcome(down), [503, "TEMPORARILY_UNAVAILABLE"])
        assert.isFalse(createdBody(yield* refresh(buyer, commerceOrderId)).coalesced)
      })
    )

    it.effect("Without a provider, or with that of another environment, a refresh is refused.", () =>
      Effect.gen(function* () {
        const { buyer, commerceOrderId } = yield* paid(yield* payableResult)
        const refused = Effect.flip(refreshCommerceOrder(buyer, commerceOrderId))
        const without = yield* Effect.provideService(refused, Payments, { kind: "NONE" })
        const other = yield* refused.pipe(withProvider(() => ({ environment: "LIVE" })))
        assert.deepStrictEqual([without.code, other.code], ["PAYMENTS_NOT_CONFIGURED", "PAYMENTS_NOT_CONFIGURED"])
      })
    )

    it.effect("An attempt without a known checkout has nothing to refresh.", () =>
      Effect.gen(function* () {
        const { buyer, order } = yield* approved(yield* payableResult)
        const opening = yield* during({ availability: "DOWN" }, commandOrder(buyer, order, "payments"))
        const { commerceOrderId } = createdBody(opening).attempts[0]
        assert.deepStrictEqual(outcome(yield* refresh(buyer, commerceOrderId)), [409, "STATE_CONFLICT"])
      })
    )

    it.effect("A refresh is for readers of one of the sides, and another body is refused.", () =>
      Effect.gen(function* () {
        const { buyer, commerceOrderId } = yield* paying(yield* payableResult)
        const before = yield* rowOf(commerceOrderId)
        const reviewer = yield* joinOrganization(buyer, "Rev", ["DELIVERY_REVIEW"])
        assert.deepStrictEqual(outcome(yield* refresh(reviewer, commerceOrderId)), [403, "FORBIDDEN"])
        const stranger = yield* signInNewPerson("Fay")
        assert.deepStrictEqual(outcome(yield* refresh(stranger, commerceOrderId)), [404, "NOT_FOUND"])
        assert.deepStrictEqual(outcome(yield* refresh(buyer, `commerce_${uuid()}`)), [404, "NOT_FOUND"])
        assert.deepStrictEqual(outcome(yield* refresh(buyer, commerceOrderId, { now: true })), [400, "INVALID_REQUEST"])
        assert.deepStrictEqual(yield* rowOf(commerceOrderId), before)
      })
    )

    it.effect("A person whose membership or session ended while the provider was asked gets no answer.", () =>
      Effect.gen(function* () {
        const { buyer, commerceOrderId } = yield* paying(yield* payableResult)
        const clerk = yield* joinOrganization(buyer, "Clerk", ["FINANCIAL_READ"])
        const refused = yield* runBeforeAnswer(
          endMembership("OPERATOR", clerk),
          Effect.flip(refreshCommerceOrder(clerk, commerceOrderId))
        )
        assert.strictEqual(refused.code, "NOT_FOUND")
        assert.isAbove((yield* rowOf(commerceOrderId)).journalCount, 0)
        yield* ageObservations(commerceOrderId, limits.refreshCoalescing)
        const ended = yield* runBeforeAnswer(
          endSession(buyer),
          Effect.flip(refreshCommerceOrder(buyer, commerceOrderId))
        )
        assert.strictEqual(ended.code, "SIGN_IN_REQUIRED")
      })
    )

    it.effect("A refresh that other changes keep overtaking ends with 503.", () =>
      Effect.gen(function* () {
        const { buyer, commerceOrderId } = yield* paying(yield* payableResult)
        const overtaking = Effect.flatMap(rowOf(commerceOrderId), ({ captureRevision }) =>
          changeAttempt(commerceOrderId, { captureRevision: captureRevision + 1 })
        )
        const refused = yield* runBeforeAnswer(overtaking, Effect.flip(refreshCommerceOrder(buyer, commerceOrderId)))
        assert.strictEqual(refused.code, "TEMPORARILY_UNAVAILABLE")
        assert.isDefined(yield* captureAttempt(commerceOrderId))
      })
    )
  })
})
