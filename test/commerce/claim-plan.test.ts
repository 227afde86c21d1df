import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { claimRows } from "../../src/adapters/postgres-storage/statements.ts"
import { CommerceOrders } from "../../src/commerce/store.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { fillAttempts } from "../bench/payment-history.ts"
import { genericPlanOf, planOf } from "../bench/plans.ts"
import { migratedDatabase } from "../support/postgres.ts"

describe("the query plan of a claim of payment attempts", () => {
  it.live("A claim reads due attempts by an index, in its order, and reads no attempt that is never due.", () =>
    Effect.gen(function* () {
      const database = yield* migratedDatabase
      yield* fillAttempts(database, { finished: 5_000, due: 200 })
      const dueBy = yield* now
      const leaseUntil = addMilliseconds(dueBy, limits.paymentLease)
      const statement = claimRows(CommerceOrders, { dueBy, leaseUntil, token: "token", limit: limits.paymentBatch })
      const plan = yield* planOf(database, statement)
      const index = "commerce_orders_by_due"
      assert.strictEqual(plan.find((node) => node.index === index)?.rows, limits.paymentBatch)
      assert.strictEqual(Math.max(...plan.map(({ dropped }) => dropped)), 0)
      for (const nodes of [plan, yield* genericPlanOf(database, statement)]) {
        assert.notMatch(nodes.map(({ type }) => type).join(" > "), /Seq Scan|Sort/)
        assert.include(
          nodes.map((node) => node.index),
          index
        )
      }
    })
  )
})
