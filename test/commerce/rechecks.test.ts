/** What a transaction checks again under its locks, and exports beside captures. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { exportCommerceRecord } from "../../src/commerce/export.ts"
import { approveResultOrder, payResultOrder } from "../../src/commerce/operations.ts"
import { CommerceExports } from "../../src/commerce/store.ts"
import { endMembership } from "../../src/people/memberships.ts"
import { Signer } from "../../src/ports/signer.ts"
import { Storage } from "../../src/ports/storage.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { entriesOf, rowOf } from "../support/attempts.ts"
import { beforeTransaction } from "../support/commit-faults.ts"
import { joinOrganization } from "../support/issued-records.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { approved, exportRecord, offered, paid, payableResult, readOrder, type Order } from "../support/orders.ts"
import { atProvider } from "../support/payments.ts"
import { freshTestService } from "../support/service.ts"

const stores = [
  ["in memory", memoryTestService],
  ["on Postgres", freshTestService]
] as const

describe.each(stores)("rechecks of payments %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect("A membership that ends before the transaction approves nothing and opens no checkout.", () =>
      Effect.gen(function* () {
        const first = yield* offered(yield* payableResult)
        const member = yield* joinOrganization(first.buyer, "Pia")
        const request = yield* nonIdempotentRequest(member.personId)
        const end = endMembership("OPERATOR", member)
        const approval = yield* Effect.flip(
          beforeTransaction(end, approveResultOrder(member, request, first.order as Order))
        )
        assert.strictEqual(approval.code, "FORBIDDEN")
        assert.strictEqual((yield* readOrder(first.buyer, first.order)).state, "OFFERED")
        const second = yield* approved(yield* payableResult)
        const payer = yield* joinOrganization(second.buyer, "Pau")
        const payment = yield* Effect.flip(
          beforeTransaction(
            endMembership("OPERATOR", payer),
            payResultOrder(payer, yield* nonIdempotentRequest(payer.personId), second.order as Order)
          )
        )
        assert.strictEqual(payment.code, "FORBIDDEN")
        assert.deepStrictEqual((yield* readOrder(second.buyer, second.order)).attempts, [])
      })
    )

    it.effect("A membership that ends before a first export is signed stores no record.", () =>
      Effect.gen(function* () {
        const { buyer, commerceOrderId } = yield* paid(yield* payableResult)
        const member = yield* joinOrganization(buyer, "Rea", ["FINANCIAL_READ"])
        const end = endMembership("OPERATOR", member)
        const refused = yield* Effect.flip(beforeTransaction(end, exportCommerceRecord(member, commerceOrderId)))
        assert.strictEqual(refused.code, "FORBIDDEN")
        const storage = yield* Storage
        const { journalCount } = yield* rowOf(commerceOrderId)
        const stored = yield* storage.view((reader) => reader.get(CommerceExports, [commerceOrderId, journalCount]))
        assert.isUndefined(stored)
      })
    )

    it.effect("A refund that is captured beside a first export is in the record or follows it.", () =>
      Effect.gen(function* () {
        const { buyer, commerceOrderId } = yield* paid(yield* payableResult)
        yield* atProvider({ act: "refund", commerceOrderId, amountMinor: 25_000 })
        const text = yield* beforeTransaction(
          captureAttempt(commerceOrderId),
          exportCommerceRecord(buyer, commerceOrderId)
        )
        assert.strictEqual((yield* exportRecord(buyer, commerceOrderId)).text, text)
        const { journalHead, journalCount } = yield* rowOf(commerceOrderId)
        const entries = yield* entriesOf(commerceOrderId)
        assert.deepStrictEqual([journalCount, journalHead], [entries.length, entries.at(-1)!.hash])
      })
    )

    it.effect("A later export of the same journal signs nothing, whatever key the installation has by then.", () =>
      Effect.gen(function* () {
        const { buyer, commerceOrderId } = yield* paid(yield* payableResult)
        const first = yield* exportRecord(buyer, commerceOrderId)
        const signer = yield* Signer
        const without = { ...signer, sign: () => Effect.die(new Error("nothing is signed")) }
        const later = exportCommerceRecord(buyer, commerceOrderId)
        assert.strictEqual(yield* Effect.provideService(later, Signer, without), first.text)
      })
    )
  })
})
