/** Requests of people that are repeated, raced or continued: accounts, pages of orders, and idempotency keys. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { openRecipientAccount } from "../../src/commerce/recipient-account.ts"
import { RecipientAccounts, ResultOrders } from "../../src/commerce/store.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { commitFaults, withCommitFault } from "../support/commit-faults.ts"
import { joinOrganization } from "../support/issued-records.ts"
import { memoryTestService } from "../support/memory-service.ts"
import {
  commandOrder,
  offer,
  offered,
  payableResult,
  payableResultOf,
  readOrder,
  type Order
} from "../support/orders.ts"
import { uuid } from "../support/parties.ts"
import { testProvider } from "../support/payments.ts"
import { everyRow } from "../support/rows.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { createdBody, outcome, post, read } from "../support/workspace.ts"

const stores = [
  ["in memory", memoryTestService],
  ["on Postgres", freshTestService]
] as const

const accountOf = ({ organizationId }: Pick<SignedInPerson, "organizationId">) =>
  Effect.flatMap(Storage, (storage) =>
    storage.view((reader) => reader.get(RecipientAccounts, [organizationId, "SIMULATED", "TEST"]))
  )

const accountsAtProvider = ({ organizationId }: Pick<SignedInPerson, "organizationId">) =>
  Effect.map(testProvider, ({ state }) => state.accounts.filter((one) => one.organizationId === organizationId))

/** Newer orders of the same parties. */
const addOrders = Effect.fnUntraced(function* (resultOrderId: string, count: number) {
  const storage = yield* Storage
  const row = (yield* storage.view((reader) => reader.get(ResultOrders, [resultOrderId])))!
  yield* storage.transaction({ locks: [exclusive("project", row.projectId)] }, (transaction) =>
    Effect.forEach(Array.from({ length: count }), (_, index) =>
      transaction.insert(ResultOrders, {
        ...row,
        resultOrderId: `order_${uuid()}`,
        recordId: `record_${uuid()}`,
        offeredAt: addMilliseconds(row.offeredAt, index + 1)
      })
    )
  )
})

const idsOf = ({ resultOrders }: { readonly resultOrders: ReadonlyArray<Order> }) =>
  resultOrders.map(({ resultOrderId }) => resultOrderId)

describe.each(stores)("requests about orders %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect("Two first requests for a recipient account at once give one account.", () =>
      Effect.gen(function* () {
        const supplier = yield* signInNewPerson("Sam")
        const colleague = yield* joinOrganization(supplier, "Cleo")
        const path = `/organizations/${supplier.organizationId}/recipient-account`
        const answers = yield* Effect.all([post(supplier, path), post(colleague, path)], { concurrency: "unbounded" })
        const [account, ...others] = yield* accountsAtProvider(supplier)
        assert.deepStrictEqual(others, [])
        for (const answer of answers) assert.strictEqual(createdBody(answer).accountId, account!.accountId)
        assert.strictEqual((yield* accountOf(supplier))!.accountId, account!.accountId)
      })
    )

    it.effect.each(commitFaults)(
      "A first request for a recipient account whose transaction is %s and lost gives one account when repeated.",
      (fault) =>
        Effect.gen(function* () {
          const supplier = yield* signInNewPerson("Sam")
          const open = openRecipientAccount(supplier, supplier.organizationId)
          assert.isTrue(Exit.isFailure(yield* Effect.exit(withCommitFault(1, fault, open))))
          assert.strictEqual((yield* accountOf(supplier)) !== undefined, fault === "COMMITTED")
          const { accountId } = yield* open
          assert.deepStrictEqual(
            (yield* accountsAtProvider(supplier)).map((one) => one.accountId),
            [accountId]
          )
          assert.strictEqual((yield* accountOf(supplier))!.accountId, accountId)
        })
    )

    it.effect("The orders of an organization continue on a second page, and a cursor of others is refused.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, order } = yield* offered(yield* payableResult)
        yield* addOrders(order.resultOrderId, limits.resultOrdersOnPage + 4)
        for (const person of [buyer, supplier]) {
          const path = `/result-orders?organizationId=${person.organizationId}`
          const first = createdBody(yield* read(person, path))
          assert.lengthOf(first.resultOrders, limits.resultOrdersOnPage)
          assert.strictEqual(first.next, idsOf(first).at(-1))
          const second = createdBody(yield* read(person, `${path}&after=${first.next}`))
          assert.lengthOf(second.resultOrders, 5)
          assert.isNull(second.next)
          assert.strictEqual(idsOf(second).at(-1), order.resultOrderId)
          assert.strictEqual(new Set([...idsOf(first), ...idsOf(second)]).size, limits.resultOrdersOnPage + 5)
          const other = yield* offered(yield* payableResult)
          for (const after of [other.order.resultOrderId as string, `order_${uuid()}`]) {
            const refused = yield* read(person, `${path}&after=${after}`)
            assert.deepStrictEqual(outcome(refused), [400, "INVALID_REQUEST"])
            assert.strictEqual(refused.body.issues[0].path, "after")
          }
        }
      })
    )

    it.effect("Another body under the request id of an earlier command on an order is refused.", () =>
      Effect.gen(function* () {
        const requestId = uuid()
        const { buyer, supplier, projectId, order } = yield* offered(yield* payableResult, { requestId })
        const cheaper = yield* offer(supplier, projectId, { requestId, amountMinor: 1 })
        assert.deepStrictEqual(outcome(cheaper), [409, "REQUEST_ID_CONFLICT"])
        const cases = [
          [buyer, "approve", { financialHead: "0".repeat(64) }],
          [buyer, "decline", { reason: "Another reason." }],
          [supplier, "withdraw", { reason: "Another reason." }]
        ] as const
        for (const [by, operation, changes] of cases) {
          const own =
            operation === "approve" ? order : (yield* offered(yield* payableResultOf({ buyer, supplier }))).order
          const repeated = { requestId: uuid() }
          createdBody(yield* commandOrder(by, own, operation, repeated))
          const after = yield* readOrder(by, own)
          const rows = yield* everyRow
          const conflict = yield* commandOrder(by, own, operation, { ...repeated, ...changes })
          assert.deepStrictEqual(outcome(conflict), [409, "REQUEST_ID_CONFLICT"], operation)
          const replay = createdBody(yield* commandOrder(by, own, operation, repeated))
          assert.deepStrictEqual(replay, { ...after, replayed: true }, operation)
          assert.deepStrictEqual((yield* everyRow).financial_events, rows.financial_events)
        }
      })
    )
  })
})
