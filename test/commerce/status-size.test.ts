/** The longest status that is signed: a verifier still reads it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import type { Readback } from "../../src/ports/payments.ts"
import { Signer } from "../../src/ports/signer.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import type { Facts } from "../../src/vocabulary/payment-facts.ts"
import { rowOf, withProvider } from "../support/attempts.ts"
import { requestClosureStatus } from "../support/closures.ts"
import { requestStatus, statusIn } from "../support/commerce-status.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { exportRecord, paid, payableResult } from "../support/orders.ts"
import { createdBody, outcome } from "../support/workspace.ts"

/** As many reversals as a transfer has, with the shortest values: the most values for their bytes. */
const reversed = (facts: Facts<"TRANSFER">): Facts<"TRANSFER"> => ({
  ...facts,
  amountReversedMinor: limits.paymentEntities,
  reversals: Array.from({ length: limits.paymentEntities }, (_, index) => ({
    id: String(index),
    amountMinor: 1,
    refundId: null,
    createdAt: facts.createdAt
  }))
})

/** The readback with further transfers of the payment. */
const withTransfers = (readback: Readback, count: number): Readback => {
  const { TRANSFER: read } = readback
  if (read.outcome === "FAILED") return readback
  const [own] = read.entities
  const more = Array.from({ length: count }, (_, index) => ({
    ...own!,
    entity: `tr_further_${index}`,
    facts: reversed(own!.facts)
  }))
  return { ...readback, TRANSFER: { ...read, entities: [own!, ...more] } }
}

const captureTransfers = (commerceOrderId: string, count: number) =>
  captureAttempt(commerceOrderId).pipe(
    withProvider((payments) => ({
      readBack: (request) => Effect.map(payments.readBack(request), (readback) => withTransfers(readback, count))
    }))
  )

layer(memoryTestService, { excludeTestServices: true })("the size of a status", (it) => {
  it.effect(
    "The longest status that is signed is read by the verifier, and a longer one is refused before it is signed.",
    () =>
      Effect.gen(function* () {
        const { buyer, order, commerceOrderId } = yield* paid(yield* payableResult)
        const record = yield* exportRecord(buyer, commerceOrderId)
        const payloadBytes = Effect.map(requestStatus(buyer, commerceOrderId), (answer) =>
          Buffer.byteLength(canonicalText(statusIn(createdBody(answer))))
        )
        yield* captureTransfers(commerceOrderId, 1)
        const one = yield* payloadBytes
        yield* captureTransfers(commerceOrderId, 2)
        const each = (yield* payloadBytes) - one
        const most = 1 + Math.floor((limits.commerceStatusBytes - one) / (each + 10))
        yield* captureTransfers(commerceOrderId, most)
        const longest = yield* requestStatus(buyer, commerceOrderId)
        assert.strictEqual(longest.status, 200, longest.text.slice(0, 200))
        assert.isAbove(Buffer.byteLength(longest.text), 0.9 * limits.canonicalExportBytes)
        const ofClosure = yield* requestClosureStatus(buyer, order.resultOrderId)
        assert.strictEqual(ofClosure.status, 200)
        for (const { text } of [longest, ofClosure]) {
          assert.isBelow(Buffer.byteLength(text), limits.canonicalExportBytes)
        }
        const { keys } = yield* Signer
        const report = verifyResultFiles({
          artifact: new TextEncoder().encode(record.text),
          trust: new TextEncoder().encode(JSON.stringify(keys)),
          status: new TextEncoder().encode(longest.text),
          checkedAt: yield* now
        })
        assert.deepStrictEqual([report.exit, report.currentStatus.outcome], [0, "PROVEN"])
        yield* captureTransfers(commerceOrderId, most + 2)
        assert.strictEqual((yield* rowOf(commerceOrderId)).journalCount, most + 5, "capturing continues")
        for (const refused of [
          yield* requestStatus(buyer, commerceOrderId),
          yield* requestClosureStatus(buyer, order.resultOrderId)
        ]) {
          assert.deepStrictEqual(outcome(refused), [409, "COMMERCE_EXPORT_LIMIT"])
          assert.include(refused.body.detail, `${limits.commerceStatusBytes} bytes`)
          assert.strictEqual(refused.body.nextAction, "REREAD_ORDER")
        }
      })
  )
})
