/** Closures and their statuses as the service exports them, verified offline. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { Signer } from "../../src/ports/signer.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { requestClosure, requestClosureStatus } from "../support/closures.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { commandOrder, paid, payableResult, paying, readOrder } from "../support/orders.ts"
import { atProvider } from "../support/payments.ts"
import { contest } from "../support/publications.ts"
import type { SignedInPerson } from "../support/sessions.ts"
import { createdBody } from "../support/workspace.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Exports the closure and its status; fails the test if either does not verify. */
const verifyExports = Effect.fnUntraced(function* (by: SignedInPerson, resultOrderId: string) {
  const { keys } = yield* Signer
  const [closure, status] = [yield* requestClosure(by, resultOrderId), yield* requestClosureStatus(by, resultOrderId)]
  assert.deepStrictEqual([closure.status, status.status], [200, 200], closure.text + status.text)
  const report = verifyResultFiles({
    artifact: bytes(closure.text),
    trust: bytes(JSON.stringify(keys)),
    status: bytes(status.text),
    checkedAt: yield* now
  })
  assert.deepStrictEqual(
    report.checks.filter(({ outcome }) => outcome === "fail"),
    []
  )
  assert.strictEqual(report.verdict, "VERIFIED_WITH_LIMITATIONS")
  return report
})

layer(memoryTestService, { excludeTestServices: true })("the exported closure", (it) => {
  it.effect("The closure of a paid order verifies with its status, for both sides.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, order } = yield* paid(yield* payableResult)
      for (const by of [buyer, supplier]) {
        const report = yield* verifyExports(by, order.resultOrderId)
        assert.strictEqual(
          report.closure?.version === 2 && report.closure.assurance.payment,
          "PROVIDER_VERIFIED_PAYMENT"
        )
        assert.strictEqual(report.currentStatus.state, "BUYER_CONFIRMED")
      }
    })
  )

  it.effect("The closure of an unpaid attempt verifies before and after its checkout was read.", () =>
    Effect.gen(function* () {
      const { buyer, order, commerceOrderId } = yield* paying(yield* payableResult)
      const early = yield* verifyExports(buyer, order.resultOrderId)
      assert.include(early.limits, "NO_CAPTURED_PAYMENT")
      yield* captureAttempt(commerceOrderId)
      const open = yield* verifyExports(buyer, order.resultOrderId)
      assert.strictEqual(open.closure?.version === 2 && open.closure.assurance.payment, "PAYMENT_NOT_CONFIRMED")
    })
  )

  it.effect("The closure of a second attempt verifies, with the release of the first.", () =>
    Effect.gen(function* () {
      const { buyer, order, commerceOrderId: first } = yield* paying(yield* payableResult)
      for (const act of ["decline", "expire"] as const) yield* atProvider({ act, commerceOrderId: first })
      yield* captureAttempt(first)
      const again = createdBody(yield* commandOrder(buyer, yield* readOrder(buyer, order), "payments"))
      const second = again.attempts.at(-1).commerceOrderId
      yield* atProvider({ act: "pay", commerceOrderId: second })
      yield* captureAttempt(second)
      const report = yield* verifyExports(buyer, order.resultOrderId)
      assert.strictEqual(report.closure?.version === 2 && report.closure.attempt.commerceOrderId, second)
    })
  )

  it.effect("The closure of a refunded and disputed payment verifies, and states both.", () =>
    Effect.gen(function* () {
      const { buyer, order, commerceOrderId } = yield* paid(yield* payableResult)
      yield* atProvider({ act: "refund", commerceOrderId, amountMinor: 25_000 })
      yield* atProvider({ act: "dispute", commerceOrderId })
      yield* captureAttempt(commerceOrderId)
      const { closure } = yield* verifyExports(buyer, order.resultOrderId)
      assert.deepInclude(closure?.version === 2 && closure.assurance, { refundedMinor: 25_000, disputed: true })
    })
  )

  it.effect("The closure of a contested result verifies, and its status says so.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId, order } = yield* paid(yield* payableResult)
      yield* contest({ buyer, supplier, projectId })
      const { currentStatus } = yield* verifyExports(supplier, order.resultOrderId)
      assert.strictEqual(currentStatus.state, "CONFIRMATION_CONTESTED")
    })
  )
})
