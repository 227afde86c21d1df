/** What an update of a project and a closed issuance request write beside the row. */
import { assert, it } from "@effect/vitest"
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { startProject } from "../support/parties.ts"
import { execute, migratedDatabase } from "../support/postgres.ts"
import { postgresStorage, testService } from "../support/service.ts"

const projects = 200

it.live("A project has room on its page for an update, which then writes no index.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* migratedDatabase
      yield* startProject().pipe(Effect.provide(testService(postgresStorage(connection))))
      yield* execute(connection, [
        `insert into projects select copy.* from (select projects as real from projects limit 1) as model,
           generate_series(1, ${projects}) as number,
           lateral jsonb_populate_record(real, jsonb_build_object('project_id', 'delivery_' || number)) as copy`
      ])
      const session = yield* PgConnection.make(connection)
      yield* session.query("begin")
      // One project of each page but the last, which is not full.
      yield* session.query(
        `update projects set automation_revision = automation_revision + 1 where ctid in (
           select min(ctid) from projects group by (ctid::text::point)[0]
           having (ctid::text::point)[0] < (select max((ctid::text::point)[0]) from projects))`
      )
      const [[updates, hot] = []] = yield* session.queryValues(
        "select n_tup_upd, n_tup_hot_upd from pg_stat_xact_user_tables where relname = 'projects'"
      )
      yield* session.query("rollback")
      assert.isAbove(Number(updates), 20)
      assert.strictEqual(hot, updates)
    })
  )
)

it.live("The index by which issuance requests are claimed has no entry of a closed request.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const session = yield* PgConnection.make(yield* migratedDatabase)
      const [[condition] = []] = yield* session.queryValues(
        "select pg_get_expr(indpred, indrelid) from pg_index where indexrelid = 'issuances_due'::regclass"
      )
      assert.strictEqual(condition, "(due_at < '9999-12-31 23:59:59.999+00'::timestamp with time zone)")
    })
  )
)
