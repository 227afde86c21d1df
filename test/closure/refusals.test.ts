/** Refusals of closures and their statuses, and their order. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { exportClosure } from "../../src/closure/export.ts"
import { readClosureStatus } from "../../src/closure/status.ts"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { ExportBytes } from "../../src/records/portable-export.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { bothStores } from "../support/both-stores.ts"
import { closureOf, requestClosure, requestClosureStatus } from "../support/closures.ts"
import { beforeTransaction } from "../support/commit-faults.ts"
import { assertRefusal } from "../support/errors.ts"
import { joinOrganization } from "../support/issued-records.ts"
import { growJournal } from "../support/journals.ts"
import { withoutKey } from "../support/missing-key.ts"
import { approved, offered, paid, payableResult } from "../support/orders.ts"
import { uuid } from "../support/parties.ts"
import { atProvider } from "../support/payments.ts"
import { everyRow } from "../support/rows.ts"
import { send } from "../support/service.ts"
import { options, outcome } from "../support/workspace.ts"

describe.each(bothStores)("refusals of closures %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect("An unknown or malformed id is 404, and an unknown query or a malformed digest 400.", () =>
      Effect.gen(function* () {
        const { buyer, order } = yield* paid(yield* payableResult)
        const { resultOrderId } = order
        for (const id of ["order_1", `commerce_${uuid()}`, `order_${uuid()}`, resultOrderId.toUpperCase()]) {
          assert.deepStrictEqual(outcome(yield* requestClosure(buyer, id)), [404, "NOT_FOUND"])
          assert.deepStrictEqual(outcome(yield* requestClosureStatus(buyer, id)), [404, "NOT_FOUND"])
        }
        const malformed = [
          yield* requestClosure(buyer, resultOrderId, { query: "?more=1" }),
          yield* requestClosure(buyer, resultOrderId, { query: `?recordDigest=${"0".repeat(64)}` }),
          yield* requestClosure(buyer, resultOrderId, { raw: "{}" }),
          yield* requestClosureStatus(buyer, resultOrderId, "?more=1"),
          yield* requestClosureStatus(buyer, resultOrderId, "?recordDigest=abc"),
          yield* requestClosureStatus(buyer, resultOrderId, "?recordDigest=")
        ]
        for (const answer of malformed) {
          assert.deepStrictEqual(outcome(answer), [400, "INVALID_REQUEST"])
          assertRefusal(answer)
        }
        const path = `/api/commerce/result-orders/${resultOrderId}/closure`
        const posted = yield* send("POST", `${path}/status`, options(buyer, { body: {} }))
        assert.deepStrictEqual(outcome(posted), [404, "NOT_FOUND"])
      })
    )

    it.effect("An order without an attempt has no closure, which persons without the record gate do not learn.", () =>
      Effect.gen(function* () {
        const result = yield* payableResult
        const reader = yield* joinOrganization(result.buyer, "Rea", ["FINANCIAL_READ"])
        const open = yield* offered(result)
        for (const person of [result.buyer, result.supplier]) {
          for (const answer of [
            yield* requestClosure(person, open.order.resultOrderId),
            yield* requestClosureStatus(person, open.order.resultOrderId)
          ]) {
            assert.deepStrictEqual(outcome(answer), [409, "PAYMENT_ATTEMPT_MISSING"])
            assertRefusal(answer)
          }
        }
        const refused = yield* requestClosure(reader, open.order.resultOrderId)
        assert.deepStrictEqual(outcome(refused), [403, "FORBIDDEN"])
        const agreed = yield* approved(yield* payableResult)
        const missing = yield* requestClosure(agreed.buyer, agreed.order.resultOrderId)
        assert.deepStrictEqual(outcome(missing), [409, "PAYMENT_ATTEMPT_MISSING"])
      })
    )

    it.effect("A closure needs keys for Commerce Records and closures, and without one nothing is stored.", () =>
      Effect.gen(function* () {
        const { buyer, order } = yield* paid(yield* payableResult)
        const rows = yield* everyRow
        const exported = exportClosure(buyer, order.resultOrderId)
        for (const purpose of ["COMMERCE", "CLOSURE"] as const) {
          const refused = Effect.flip(exported.pipe(withoutKey(purpose)))
          assert.strictEqual((yield* refused).code, "ISSUER_NOT_CONFIGURED")
          const tooLarge = Effect.provideService(refused, ExportBytes, 1)
          assert.strictEqual((yield* tooLarge).code, "ISSUER_NOT_CONFIGURED")
          assert.deepStrictEqual(yield* everyRow, rows)
        }
        yield* exported
        // The export of the same journal is stored by now, and is not signed again.
        yield* exported.pipe(withoutKey("COMMERCE"))
        for (const purpose of ["COMMERCE", "STATUS"] as const) {
          const status = readClosureStatus(buyer, order.resultOrderId, {}).pipe(withoutKey(purpose))
          assert.strictEqual((yield* Effect.flip(status)).code, "ISSUER_NOT_CONFIGURED")
        }
      })
    )

    it.effect("A closure over 2 MiB is refused with its parts, after every gate, and stores nothing.", () =>
      Effect.gen(function* () {
        const { buyer, order } = yield* paid(yield* payableResult)
        const reader = yield* joinOrganization(buyer, "Rea", ["FINANCIAL_READ"])
        const rows = yield* everyRow
        const bounded = (bound: number) =>
          Effect.provideService(exportClosure(buyer, order.resultOrderId), ExportBytes, bound)
        const refused = yield* Effect.flip(bounded(10_000))
        assert.strictEqual(refused.code, "EXPORT_TOO_LARGE")
        assert.match(
          refused.facts.detail ?? "",
          /^Limit reached: 10000 bytes in the canonical form of one closure\. This one has \d+: its Result Package \d+, its Commerce Record \d+\./u
        )
        assert.strictEqual(refused.facts.nextAction, "EXPORT_COMMERCE_RECORD")
        assert.deepStrictEqual(yield* everyRow, rows)
        const gated = Effect.provideService(exportClosure(reader, order.resultOrderId), ExportBytes, 1)
        assert.strictEqual((yield* Effect.flip(gated)).code, "FORBIDDEN")
        const size = Buffer.byteLength(yield* bounded(limits.canonicalExportBytes))
        assert.strictEqual(Buffer.byteLength(yield* bounded(size)), size)
        assert.strictEqual((yield* Effect.flip(bounded(size - 1))).code, "EXPORT_TOO_LARGE")
      })
    )

    it.effect("A journal of 1,001 entries is refused, and an earlier closure keeps its status.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, order, commerceOrderId } = yield* paid(yield* payableResult)
        const { references } = (yield* closureOf(buyer, order.resultOrderId)).body.data
        yield* growJournal(commerceOrderId, limits.commerceEntries + 1)
        const refused = yield* requestClosure(buyer, order.resultOrderId)
        assert.deepStrictEqual(outcome(refused), [409, "COMMERCE_EXPORT_LIMIT"])
        const digest = `?recordDigest=${references.commerce.digest}`
        assert.strictEqual((yield* requestClosureStatus(supplier, order.resultOrderId, digest)).status, 200)
      })
    )

    it.effect("A refund that is captured beside an export is in the closure or follows it.", () =>
      Effect.gen(function* () {
        const { buyer, order, commerceOrderId } = yield* paid(yield* payableResult)
        yield* atProvider({ act: "refund", commerceOrderId, amountMinor: 25_000 })
        const text = yield* beforeTransaction(
          captureAttempt(commerceOrderId),
          exportClosure(buyer, order.resultOrderId)
        )
        const { data } = JSON.parse(text).body
        assert.strictEqual(data.assurance.refundedMinor, 25_000)
        assert.deepStrictEqual((yield* closureOf(buyer, order.resultOrderId)).body.data, data)
      })
    )
  })
})
