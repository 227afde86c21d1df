/** What closures and their statuses ask of Postgres. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { requestClosure, requestClosureStatus } from "../support/closures.ts"
import { Counted, countingService, statementsOf } from "../support/counting-service.ts"
import { growJournal } from "../support/journals.ts"
import { paid, payableResult } from "../support/orders.ts"
import { atProvider } from "../support/payments.ts"

/** The statements of each transaction and view of a request, its session first. */
const observedIn = Effect.fnUntraced(function* <A extends { readonly status: number }, E, R>(
  request: Effect.Effect<A, E, R>
) {
  const { observed } = yield* Counted
  observed.length = 0
  assert.strictEqual((yield* request).status, 200)
  return statementsOf(observed)
})

layer(countingService, { excludeTestServices: true })("the statements of closures", (it) => {
  it.effect("A closure is one view and one transaction, whatever the length of the history and the journal.", () =>
    Effect.gen(function* () {
      const { buyer, order, commerceOrderId } = yield* paid(yield* payableResult)
      const { resultOrderId } = order
      const first = yield* observedIn(requestClosure(buyer, resultOrderId))
      const later = yield* observedIn(requestClosure(buyer, resultOrderId))
      const status = yield* observedIn(requestClosureStatus(buyer, resultOrderId))
      yield* atProvider({ act: "refund", commerceOrderId })
      yield* captureAttempt(commerceOrderId)
      yield* growJournal(commerceOrderId, 100)
      const grown = yield* observedIn(requestClosure(buyer, resultOrderId))
      assert.deepStrictEqual({ first, later, grown }, { first: [2, 5, 9], later: [2, 5, 7], grown: [2, 5, 9] })
      // Reads whose answers arrive together share statements.
      assert.lengthOf(status, 2)
      assert.isAtMost(status[1]!, 12)
    })
  )
})
