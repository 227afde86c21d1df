import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Signer } from "../../src/ports/signer.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { passOver, rowOf } from "../support/attempts.ts"
import { growJournal } from "../support/journals.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { exportRecord, paid, payableResult } from "../support/orders.ts"
import { atProvider } from "../support/payments.ts"
import { freshTestService } from "../support/service.ts"
import { outcome } from "../support/workspace.ts"

const stores = [
  ["in memory", memoryTestService],
  ["on Postgres", freshTestService]
] as const

describe.each(stores)("long journals %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect(
      "A journal of 1,000 entries is exported and verifies, and one of 1,001 is refused and still captured.",
      () =>
        Effect.gen(function* () {
          const { buyer, commerceOrderId } = yield* paid(yield* payableResult)
          yield* growJournal(commerceOrderId, limits.commerceEntries)
          const exported = yield* exportRecord(buyer, commerceOrderId)
          assert.strictEqual(exported.status, 200, exported.text)
          const { keys } = yield* Signer
          const report = verifyResultFiles({
            artifact: new TextEncoder().encode(exported.text),
            trust: new TextEncoder().encode(JSON.stringify(keys)),
            checkedAt: yield* now
          })
          assert.deepInclude(report, { verdict: "VERIFIED_WITH_LIMITATIONS", exit: 0 })
          assert.strictEqual(report.commerce?.journal.count, limits.commerceEntries)
          yield* growJournal(commerceOrderId, limits.commerceEntries + 1)
          assert.deepStrictEqual(outcome(yield* exportRecord(buyer, commerceOrderId)), [409, "COMMERCE_EXPORT_LIMIT"])
          yield* atProvider({ act: "refund", commerceOrderId, amountMinor: 1 })
          yield* passOver(commerceOrderId)
          assert.isAbove((yield* rowOf(commerceOrderId)).journalCount, limits.commerceEntries + 1)
        })
    )
  })
})
