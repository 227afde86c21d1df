/** The drill of growth in a short form, without its measurement: a thousand projects. */
import * as os from "node:os"
import { assert, it } from "@effect/vitest"
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { startCluster, valuesOf } from "./growth/cluster.ts"
import { filledDatabase, flawsOf, readPlans } from "./growth/measure.ts"

const projects = 1_000

it.live(
  "No statement on a thousand projects reads a table in sequence that grows with them, nor more than a page.",
  () =>
    Effect.gen(function* () {
      const cluster = yield* startCluster(os.tmpdir())
      const database = yield* filledDatabase(cluster, projects)

      // Rows that are copied side by side refer to each other as those of their models do.
      const session = yield* PgConnection.make(database)
      const references = yield* session.queryValues(
        "select conrelid::regclass::text, conname from pg_constraint where contype = 'f' and not convalidated"
      )
      assert.isAbove(references.length, 20)
      for (const [table, name] of references) yield* session.query(`alter table ${table} validate constraint ${name}`)
      assert.deepStrictEqual(yield* valuesOf(database, "select count(*) from projects"), [[BigInt(projects)]])

      const { plans, growing, wrong } = yield* readPlans(cluster, database)
      assert.deepStrictEqual(wrong, [])
      assert.includeMembers([...growing], ["projects", "project_events", "request_keys", "webhook_deliveries"])
      const readBy = (beginning: string) => plans.filter(({ sql }) => sql.startsWith(beginning))
      for (const beginning of [
        'update "webhook_subscriptions" set "leased_until"',
        'update "issuances" set "leased_until"'
      ]) {
        assert.isAbove(readBy(beginning).length, 0, beginning)
      }
    }).pipe(Effect.scoped),
  600_000
)

it("A sequential scan of a growing table, and a read of more rows than a page, are flaws of a plan.", () => {
  const growing = new Set(["projects"])
  const flaws = (type: string, on: string, rows: number) => flawsOf({ sql: "", nodes: [{ type, on, rows }] }, growing)
  assert.lengthOf(flaws("Seq Scan", "projects", 1), 1)
  assert.lengthOf(flaws("Bitmap Index Scan", "project_sides_by_creation", 2_003), 1)
  assert.lengthOf(flaws("Seq Scan", "organizations", 5_000), 0)
  assert.lengthOf(flaws("Index Scan", "projects_pkey", 1_000), 0)
})
