/** What the operations on Result Orders ask of Postgres. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { Counted, countingService, statementsOf } from "../support/counting-service.ts"
import {
  approved,
  commandOrder,
  exportRecord,
  offer,
  offered,
  payableResult,
  paying,
  readOrder
} from "../support/orders.ts"
import { atProvider } from "../support/payments.ts"

/** The statements of each transaction and view of a request. */
const observedIn = Effect.fnUntraced(function* <A, E, R>(request: Effect.Effect<A, E, R>) {
  const { observed } = yield* Counted
  observed.length = 0
  yield* request
  return statementsOf(observed)
})

layer(countingService, { excludeTestServices: true })("the statements of orders", (it) => {
  it.effect("Each operation on an order has a fixed number of statements.", () =>
    Effect.gen(function* () {
      const result = yield* payableResult
      const offering = yield* observedIn(offer(result.supplier, result.projectId))
      const one = yield* offered(yield* payableResult)
      const approval = yield* observedIn(commandOrder(one.buyer, one.order, "approve"))
      const two = yield* approved(yield* payableResult)
      const payment = yield* observedIn(commandOrder(two.buyer, two.order, "payments"))
      const open = yield* paying(yield* payableResult)
      const reading = yield* observedIn(readOrder(open.buyer, open.order))
      yield* captureAttempt(open.commerceOrderId)
      const unchanged = yield* observedIn(captureAttempt(open.commerceOrderId))
      yield* atProvider({ act: "pay", commerceOrderId: open.commerceOrderId })
      const changed = yield* observedIn(captureAttempt(open.commerceOrderId))
      const first = yield* observedIn(exportRecord(open.buyer, open.commerceOrderId))
      const later = yield* observedIn(exportRecord(open.buyer, open.commerceOrderId))
      // First the session of each request, then its views and transactions; a capture has no session.
      assert.deepStrictEqual(
        { offering, approval, payment, reading, unchanged, changed, first, later },
        {
          offering: [2, 2, 8, 10, 4],
          approval: [2, 5, 9, 4],
          payment: [2, 8, 9, 3, 5],
          reading: [2, 9],
          unchanged: [3, 3],
          changed: [3, 6],
          first: [2, 7, 8],
          later: [2, 7]
        }
      )
    })
  )
})
