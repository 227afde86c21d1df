/** The orders that wait for a person, where a person is a member of both sides or has more orders than are examined. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { ResultOrders } from "../../src/commerce/store.ts"
import { listOrdersWaiting } from "../../src/commerce/waiting.ts"
import { membershipsOf } from "../../src/people/acting-person.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { payableResult, paying } from "../support/orders.ts"
import { uuid } from "../support/parties.ts"
import { atProvider } from "../support/payments.ts"
import { freshTestService } from "../support/service.ts"
import type { SignedInPerson } from "../support/sessions.ts"

const stores = [
  ["in memory", memoryTestService],
  ["on Postgres", freshTestService]
] as const

const readMemberships = ({ personId }: SignedInPerson) =>
  Effect.flatMap(Storage, (storage) => storage.view((reader) => membershipsOf(reader, personId)))

/** An order of which an attempt was paid after its end. */
const paidLate = Effect.gen(function* () {
  const open = yield* paying(yield* payableResult)
  const { commerceOrderId } = open
  yield* atProvider({ act: "decline", commerceOrderId })
  yield* atProvider({ act: "expire", commerceOrderId })
  yield* captureAttempt(commerceOrderId)
  yield* atProvider({ act: "pay", commerceOrderId })
  yield* captureAttempt(commerceOrderId)
  return open
})

/** Newer orders of both organizations that were paid. */
const addPaidOrders = Effect.fnUntraced(function* (resultOrderId: string, count: number) {
  const storage = yield* Storage
  const row = (yield* storage.view((reader) => reader.get(ResultOrders, [resultOrderId])))!
  yield* storage.transaction({ locks: [exclusive("project", row.projectId)] }, (transaction) =>
    Effect.forEach(Array.from({ length: count }), (_, index) =>
      transaction.insert(ResultOrders, {
        ...row,
        resultOrderId: `order_${uuid()}`,
        recordId: `record_${uuid()}`,
        state: "PAID",
        offeredAt: addMilliseconds(row.offeredAt, index + 1)
      })
    )
  )
})

describe.each(stores)("orders that wait for a person %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect("An order whose attempts were not examined is never named as one to pay, and the list says so.", () =>
      Effect.gen(function* () {
        const { buyer, order } = yield* paidLate
        const { resultOrderId } = order
        const memberships = yield* readMemberships(buyer)
        const reasons = Effect.map(listOrdersWaiting(memberships), ({ orders, isTruncated }) => ({
          orders: orders.map(({ resultOrderId, reason }) => [resultOrderId, reason]),
          isTruncated
        }))
        yield* addPaidOrders(resultOrderId, limits.resultOrdersOnPage - 1)
        assert.deepStrictEqual(yield* reasons, { orders: [[resultOrderId, "LATE_PAYMENT"]], isTruncated: false })
        yield* addPaidOrders(resultOrderId, 1)
        assert.deepStrictEqual(yield* reasons, { orders: [], isTruncated: true })
      })
    )

    it.effect("A member of both organizations sees a payment that needs attention, on the side that is theirs.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, order } = yield* paidLate
        const { personId } = supplier
        const { organizationId } = buyer
        const validUntil = addMilliseconds(yield* now, 86_400_000)
        yield* createMembership({ personId, organizationId, authorities: ["FINANCIAL_READ"], validUntil })
        const memberships = yield* readMemberships(supplier)
        assert.lengthOf(memberships, 2)
        for (const listed of [memberships, memberships.toReversed()]) {
          const { orders } = yield* listOrdersWaiting(listed)
          assert.deepStrictEqual(
            orders.map(({ resultOrderId, reason, otherParty }) => [resultOrderId, reason, otherParty]),
            [[order.resultOrderId, "LATE_PAYMENT", order.terms.buyer.name]]
          )
        }
      })
    )
  })
})
