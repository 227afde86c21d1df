import { PgConnection } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fillAttempts } from "../bench/payment-history.ts"
import { migratedDatabase } from "../support/postgres.ts"

describe("the live attempt of an order", () => {
  it.live("The database takes a second attempt of an order only once the first one is released.", () =>
    Effect.gen(function* () {
      const database = yield* migratedDatabase
      yield* fillAttempts(database, { finished: 1, due: 0 })
      const session = yield* PgConnection.make(database)
      // Without the order that they refer to.
      yield* session.query("set session_replication_role = replica")
      const second = session.query(
        `insert into commerce_orders select another.* from commerce_orders as first,
           jsonb_populate_record(first, '{"commerce_order_id": "commerce_2", "number": 2}') as another`
      )
      const refused = yield* Effect.flip(second)
      assert.include(`${JSON.stringify(refused)} ${String(refused.cause)}`, "commerce_orders_live")
      yield* session.query("update commerce_orders set state = 'RELEASED', released_at = now()")
      yield* session.query(
        `insert into commerce_orders select another.* from commerce_orders as first,
           jsonb_populate_record(first, '{"commerce_order_id": "commerce_2", "number": 2, "released_at": null, "state": "PAID"}') as another`
      )
      const [row] = yield* session.queryValues("select count(*)::int from commerce_orders")
      assert.deepStrictEqual(row, [2])
    }).pipe(Effect.scoped)
  )
})
