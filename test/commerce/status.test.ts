/** The status of payment attempts, as people request it. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { digestOf } from "../../src/canonical/digest.ts"
import { parseSigned } from "../../src/canonical/jws.ts"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { readCommerceStatus } from "../../src/commerce/status.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import { withProvider } from "../support/attempts.ts"
import { ageObservations, requestStatus, statusIn, statusOf } from "../support/commerce-status.ts"
import { joinOrganization } from "../support/issued-records.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { commandOrder, exportRecord, paid, payableResult, paying, readOrder } from "../support/orders.ts"
import { uuid } from "../support/parties.ts"
import { atProvider, testProvider } from "../support/payments.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody, outcome } from "../support/workspace.ts"

const stores = [
  ["in memory", memoryTestService],
  ["on Postgres", freshTestService]
] as const

const notReplayed = "RECORDER_ATTESTATION_NOT_REPLAYED"

describe.each(stores)("the status of payment attempts %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect("A status is a signed file beside the longest export, with every entity as it was last observed.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, commerceOrderId } = yield* paid(yield* payableResult)
        const exported = createdBody(yield* exportRecord(buyer, commerceOrderId))
        const record = parseSigned<any>(exported.record)
        const answer = yield* requestStatus(supplier, commerceOrderId)
        assert.strictEqual(answer.status, 200, answer.text)
        assert.strictEqual(answer.headers["cache-control"], "no-store")
        assert.strictEqual(answer.headers["content-disposition"], 'attachment; filename="commerce-status.json"')
        assert.deepStrictEqual(Object.keys(answer.body), ["schema", "status"])
        const status = statusIn(answer.body)
        const { count, head, entries } = record.journal
        assert.deepStrictEqual(status.binding, record.binding)
        assert.deepStrictEqual(status.record, { digest: exported.recordDigest, count, head })
        assert.deepStrictEqual([status.latest, status.historyExtension], [{ count, head }, null])
        const { observedAt } = entries[0]
        for (const { lastObservedAt, expiresAt } of status.components) {
          assert.deepStrictEqual([lastObservedAt, expiresAt], [observedAt, addMilliseconds(observedAt, 3_600_000)])
        }
        assert.deepStrictEqual(
          status.components.map(({ component, observations }) => [component, observations.length]),
          [
            ["CHECKOUT", 1],
            ["PAYMENT", 1],
            ["REFUND", 0],
            ["DISPUTE", 0],
            ["TRANSFER", 1],
            ["PAYOUT", 0]
          ]
        )
        const { entity, sequence, hash, facts } = entries[1]
        const label = "PROVIDER_VERIFIED_PAYMENT" as const
        const observation = { entity, sequence, hash, observedAt, facts, label, statusObservation: null }
        assert.deepStrictEqual(status.components[1].observations, [observation])
      })
    )

    it.effect("Signing a status again moves no time of a component, and the provider is not asked.", () =>
      Effect.gen(function* () {
        const { buyer, commerceOrderId } = yield* paid(yield* payableResult)
        createdBody(yield* exportRecord(buyer, commerceOrderId))
        yield* ageObservations(commerceOrderId, 2 * 3_600_000)
        const asked = { count: 0 }
        const status = readCommerceStatus(buyer, commerceOrderId, {}).pipe(
          Effect.map((text) => statusIn(JSON.parse(text))),
          withProvider((payments) => ({
            readBack: (request) =>
              Effect.andThen(
                Effect.sync(() => void asked.count++),
                payments.readBack(request)
              )
          }))
        )
        const first = yield* status
        const second = yield* status
        assert.deepStrictEqual(second.components, first.components)
        assert.isTrue(first.components.every(({ expiresAt }) => expiresAt! < first.issuedAt))
        assert.strictEqual(asked.count, 0)
      })
    )

    it.effect("An unchanged readback renews the times, and says that the record does not show it.", () =>
      Effect.gen(function* () {
        const { buyer, commerceOrderId } = yield* paid(yield* payableResult)
        createdBody(yield* exportRecord(buyer, commerceOrderId))
        const before = yield* statusOf(buyer, commerceOrderId)
        yield* Effect.sleep("5 millis")
        yield* captureAttempt(commerceOrderId)
        const after = yield* statusOf(buyer, commerceOrderId)
        assert.isTrue(after.components[1].lastObservedAt! > before.components[1].lastObservedAt!)
        assert.isNull(after.historyExtension)
        assert.deepStrictEqual(after.components[1].observations, [
          { ...before.components[1].observations[0]!, statusObservation: notReplayed }
        ])
      })
    )

    it.effect("A component that cannot be read keeps its time, while the others are renewed.", () =>
      Effect.gen(function* () {
        const { buyer, commerceOrderId } = yield* paid(yield* payableResult)
        createdBody(yield* exportRecord(buyer, commerceOrderId))
        const before = yield* statusOf(buyer, commerceOrderId)
        yield* Effect.sleep("5 millis")
        const provider = yield* testProvider
        provider.condition = { availability: "WORKING", readbacks: { fault: "component-fails", component: "DISPUTE" } }
        yield* captureAttempt(commerceOrderId)
        provider.condition = { availability: "WORKING" }
        const after = yield* statusOf(buyer, commerceOrderId)
        const renewed = after.components.flatMap(({ component, lastObservedAt }, index) =>
          lastObservedAt! > before.components[index]!.lastObservedAt! ? [component] : []
        )
        assert.deepStrictEqual(renewed, ["CHECKOUT", "PAYMENT", "REFUND", "TRANSFER", "PAYOUT"])
      })
    )

    it.effect("After an export the journal goes on, and each export keeps a status of its own.", () =>
      Effect.gen(function* () {
        const { buyer, commerceOrderId } = yield* paid(yield* payableResult)
        const early = createdBody(yield* exportRecord(buyer, commerceOrderId))
        yield* atProvider({ act: "refund", commerceOrderId, amountMinor: 25_000 })
        yield* captureAttempt(commerceOrderId)
        const beyond = yield* statusOf(buyer, commerceOrderId)
        assert.strictEqual(beyond.record.digest, early.recordDigest)
        assert.isAbove(beyond.latest.count, beyond.record.count)
        assert.strictEqual(beyond.historyExtension, notReplayed)
        const [refund] = beyond.components[2].observations
        assert.deepInclude(refund, { label: "PROVIDER_VERIFIED_REFUND", statusObservation: notReplayed })
        const late = createdBody(yield* exportRecord(buyer, commerceOrderId))
        const longest = yield* statusOf(buyer, commerceOrderId)
        assert.deepStrictEqual([longest.record.digest, longest.historyExtension], [late.recordDigest, null])
        const named = yield* statusOf(buyer, commerceOrderId, `?recordDigest=${early.recordDigest}`)
        assert.deepStrictEqual(named.record, beyond.record)
        assert.deepStrictEqual(named.latest, longest.latest)
      })
    )

    it.effect("The digest of an earlier attempt answers on that attempt alone, after another has replaced it.", () =>
      Effect.gen(function* () {
        const { buyer, order, commerceOrderId: first } = yield* paying(yield* payableResult)
        yield* captureAttempt(first)
        const saved = createdBody(yield* exportRecord(buyer, first))
        yield* atProvider({ act: "expire", commerceOrderId: first })
        yield* captureAttempt(first)
        const again = createdBody(yield* commandOrder(buyer, yield* readOrder(buyer, order), "payments"))
        const second = again.attempts.at(-1).commerceOrderId
        createdBody(yield* exportRecord(buyer, second))
        const digest = `?recordDigest=${saved.recordDigest}`
        const status = yield* statusOf(buyer, first, digest)
        assert.strictEqual(status.binding.commerceOrderId, first)
        const [checkout] = status.components[0].observations
        assert.deepInclude(checkout, { label: "PAYMENT_NOT_CONFIRMED", statusObservation: notReplayed })
        assert.strictEqual(checkout!.facts.state, "EXPIRED")
        assert.deepStrictEqual(outcome(yield* requestStatus(buyer, second, digest)), [404, "NOT_FOUND"])
      })
    )

    it.effect("A status beside a record without entries says that no component was read.", () =>
      Effect.gen(function* () {
        const { buyer, commerceOrderId } = yield* paying(yield* payableResult)
        createdBody(yield* exportRecord(buyer, commerceOrderId))
        const { components, record, binding } = yield* statusOf(buyer, commerceOrderId)
        assert.deepInclude(record, { count: 0, head: digestOf(binding) })
        for (const { lastObservedAt, expiresAt, observations } of components) {
          assert.deepStrictEqual([lastObservedAt, expiresAt, observations], [null, null, []])
        }
      })
    )

    it.effect("A status needs an export of this attempt, and a reader of one of its sides.", () =>
      Effect.gen(function* () {
        const { buyer, commerceOrderId } = yield* paid(yield* payableResult)
        const other = yield* paid(yield* payableResult)
        const refused = (by: typeof buyer, id: string, query = "") => Effect.map(requestStatus(by, id, query), outcome)
        assert.deepStrictEqual(yield* refused(buyer, commerceOrderId), [409, "COMMERCE_RECORD_NOT_EXPORTED"])
        createdBody(yield* exportRecord(buyer, commerceOrderId))
        const { recordDigest } = createdBody(yield* exportRecord(other.buyer, other.commerceOrderId))
        const foreign = `?recordDigest=${recordDigest}`
        assert.deepStrictEqual(yield* refused(buyer, commerceOrderId, foreign), [404, "NOT_FOUND"])
        assert.deepStrictEqual(yield* refused(buyer, other.commerceOrderId, foreign), [404, "NOT_FOUND"])
        const unknown = `?recordDigest=${"0".repeat(64)}`
        assert.deepStrictEqual(yield* refused(buyer, commerceOrderId, unknown), [404, "NOT_FOUND"])
        for (const malformed of ["", "x", "0".repeat(63), "A".repeat(64)]) {
          const query = `?recordDigest=${malformed}`
          assert.deepStrictEqual(yield* refused(buyer, commerceOrderId, query), [400, "INVALID_REQUEST"])
        }
        const stranger = yield* signInNewPerson("Fay")
        const reviewer = yield* joinOrganization(buyer, "Rev", ["DELIVERY_REVIEW"])
        assert.deepStrictEqual(yield* refused(stranger, commerceOrderId), [404, "NOT_FOUND"])
        assert.deepStrictEqual(yield* refused(reviewer, commerceOrderId), [403, "FORBIDDEN"])
        assert.deepStrictEqual(yield* refused(buyer, `commerce_${uuid()}`), [404, "NOT_FOUND"])
        assert.deepStrictEqual(yield* refused(buyer, "commerce_1"), [404, "NOT_FOUND"])
      })
    )
  })
})
