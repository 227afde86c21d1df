/** What the operations on Result Orders ask of Postgres. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { signedNotification } from "../../simulator/payments/notification.ts"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { ageObservations, notificationOf, notify, refresh, requestStatus } from "../support/commerce-status.ts"
import { Counted, countingService, statementsOf } from "../support/counting-service.ts"
import { orderPage } from "../support/order-pages.ts"
import {
  approved,
  commandOrder,
  exportRecord,
  offer,
  offered,
  payableResult,
  paid,
  payableResultOf,
  paying,
  readOrder
} from "../support/orders.ts"
import { readPage } from "../support/page-forms.ts"
import { atProvider } from "../support/payments.ts"
import { projectPage } from "../support/project-pages.ts"
import { createdBody } from "../support/workspace.ts"

/** The statements of each transaction and view of a request. */
const observedIn = Effect.fnUntraced(function* <A, E, R>(request: Effect.Effect<A, E, R>) {
  const { observed } = yield* Counted
  observed.length = 0
  yield* request
  return statementsOf(observed)
})

/** The statements and round trips of each transaction and view of a request, without BEGIN and COMMIT. */
const viewsOf = Effect.fnUntraced(function* <A, E, R>(request: Effect.Effect<A, E, R>) {
  const { observed } = yield* Counted
  observed.length = 0
  yield* request
  return observed.map(({ statements, roundTrips }) => [statements - 2, roundTrips] as const)
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
      const { observed } = yield* Counted
      // The order, its project, the organizations of the person, and the memberships; all else is read beside these.
      assert.isAtMost(observed.at(-1)!.roundTrips, 4)
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
          payment: [2, 8, 9, 3, 5, 6],
          reading: [2, 8],
          unchanged: [3, 3],
          changed: [3, 6],
          first: [2, 7, 8],
          later: [2, 7]
        }
      )
    })
  )

  it.effect("A status, a refresh and a notification have a fixed number of statements.", () =>
    Effect.gen(function* () {
      const { buyer, commerceOrderId } = yield* paid(yield* payableResult)
      createdBody(yield* exportRecord(buyer, commerceOrderId))
      const status = yield* observedIn(requestStatus(buyer, commerceOrderId))
      yield* atProvider({ act: "refund", commerceOrderId, amountMinor: 25_000 })
      yield* captureAttempt(commerceOrderId)
      const beyond = yield* observedIn(requestStatus(buyer, commerceOrderId))
      const coalesced = yield* observedIn(refresh(buyer, commerceOrderId))
      yield* ageObservations(commerceOrderId, limits.refreshCoalescing)
      const refreshed = yield* observedIn(refresh(buyer, commerceOrderId))
      const notification = yield* observedIn(notify(yield* notificationOf(commerceOrderId)))
      const at = yield* now
      const unknown = yield* observedIn(notify(signedNotification(JSON.stringify({ entity: "pi_unknown" }), at)))
      const forged = yield* observedIn(notify({ rawBody: Buffer.from("{}"), headers: {} }))
      // First the session of a person, then the views and transactions; a refresh captures between two reads of its person.
      assert.deepStrictEqual(
        { status, beyond, coalesced, refreshed, notification, unknown, forged },
        {
          status: [2, 9],
          // The entries beyond the record are read by their numbers, in one statement.
          beyond: [2, 10],
          coalesced: [2, 8],
          refreshed: [2, 8, 3, 3, 8],
          notification: [2, 3],
          unknown: [1],
          forged: []
        }
      )
    })
  )

  it.effect("Each page about orders has a bounded number of statements, whatever the length of a journal.", () =>
    Effect.gen(function* () {
      const result = yield* payableResult
      const { buyer, supplier, projectId } = result
      const project = yield* viewsOf(readPage(buyer, projectPage(projectId)))
      const { order } = yield* offered(result)
      const decided = yield* viewsOf(readPage(buyer, orderPage(order.resultOrderId)))
      const home = yield* viewsOf(readPage(buyer, "/workspace/"))
      const open = yield* paid(yield* payableResultOf({ buyer, supplier }))
      const path = orderPage(open.order.resultOrderId)
      const followed = yield* viewsOf(readPage(supplier, path))
      yield* atProvider({ act: "refund", commerceOrderId: open.commerceOrderId })
      yield* captureAttempt(open.commerceOrderId)
      const refunded = yield* viewsOf(readPage(supplier, path))
      // The last view of each page; reads whose answers arrive together share statements.
      assert.deepStrictEqual(project.at(-1), [2, 1])
      const statements = [home, decided, followed, refunded].map((views) => views.at(-1)![0])
      for (const [index, most] of [4, 8, 11, 11].entries()) assert.isAtMost(statements[index]!, most)
    })
  )
})
