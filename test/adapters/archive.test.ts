/** Past months move to another tablespace; what is read of them stays. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { archive, type ArchiveInput } from "../../src/adapters/partitions/archive.ts"
import { createPartitions } from "../../src/adapters/partitions/create-partitions.ts"
import type { Month } from "../../src/adapters/partitions/month.ts"
import { openStatements } from "../../src/adapters/partitions/statements.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { errorBody, Refusal } from "../../src/vocabulary/refusals.ts"
import { attemptsAt, deliveriesOfAttempts, rowsByPartition, withoutForeignKeys } from "../support/attempts-by-month.ts"
import { connectionTo, execute, migratedDatabase, valuesOf } from "../support/postgres.ts"

/** A tablespace of the test server in a directory of the account that runs it. */
const tablespace = Effect.gen(function* () {
  const [[data] = []] = (yield* valuesOf(connectionTo(), "show data_directory")) as ReadonlyArray<ReadonlyArray<string>>
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const { uid, gid } = fs.statSync(data!)
      const made = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-tablespace-"))
      fs.chownSync(made, uid, gid)
      return made
    }),
    (made) => Effect.sync(() => fs.rmSync(made, { recursive: true }))
  )
  const name = `cold_${path.basename(directory).split("-").at(-1)!.toLowerCase()}`
  return yield* Effect.acquireRelease(
    Effect.as(execute(connectionTo(), [`create tablespace ${name} location '${directory}'`]), name),
    () => execute(connectionTo(), [`drop tablespace ${name}`])
  )
})

interface Place {
  readonly database: ConnectionOptions
  readonly cold: string
  readonly run: (input: Partial<ArchiveInput>) => ReturnType<typeof archive>
}

const current = "2140-03" as Month

/** Attempts in the first partition and in those of three months, of which March 2140 is the current one. */
const withMonths = (use: (place: Place) => Effect.Effect<void, unknown, Scope.Scope>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const cold = yield* tablespace
      const database = yield* migratedDatabase
      const session = yield* withoutForeignKeys(database)
      const months = ["2026-05", "2140-01", "2140-02", "2140-03"].map((month) => `${month}-03T10:00:00.123Z`)
      yield* session.query(attemptsAt(...months))
      yield* session.query(deliveriesOfAttempts)
      const statements = yield* openStatements(database)
      yield* createPartitions(statements, current, true)
      const asked = { before: "2140-02", tablespace: cold, dryRun: false }
      yield* use({ database, cold, run: (input) => archive(statements, { ...asked, ...input }, current) })
    })
  )

/** The partitions and indexes in a tablespace. */
const storedIn = (database: ConnectionOptions, name: string) =>
  Effect.map(
    valuesOf(
      database,
      "select relname::text from pg_class join pg_tablespace t on t.oid = reltablespace" +
        ` where spcname = '${name}' and relname not like 'pg_%' order by 1`
    ),
    (rows) => rows.map((row) => (row as ReadonlyArray<string>)[0]!)
  )

const everyRow = (database: ConnectionOptions) =>
  valuesOf(database, "select to_jsonb(webhook_attempts)::text from webhook_attempts order by 1")

const refusalOf = (run: ReturnType<Place["run"]>) =>
  Effect.map(Effect.flip(run), (error) => {
    assert.instanceOf(error, Refusal)
    return errorBody(error as Refusal).detail
  })

it.live("The months before the given one move with their indexes, and every row reads as before.", () =>
  withMonths(({ database, cold, run }) =>
    Effect.gen(function* () {
      const rows = yield* everyRow(database)
      const moved = yield* run({})
      assert.deepStrictEqual(
        moved.map(({ partition }) => partition),
        ["webhook_attempts_before", "webhook_attempts_2140_01"]
      )
      assert.deepStrictEqual(yield* storedIn(database, cold), [
        "webhook_attempts_2140_01",
        "webhook_attempts_2140_01_index_1",
        "webhook_attempts_2140_01_pkey",
        "webhook_attempts_before",
        "webhook_attempts_before_index_1",
        "webhook_attempts_before_pkey"
      ])
      assert.deepStrictEqual(yield* everyRow(database), rows)
      assert.deepStrictEqual(yield* rowsByPartition(database), {
        webhook_attempts_2140_01: 1,
        webhook_attempts_2140_02: 1,
        webhook_attempts_2140_03: 1,
        webhook_attempts_before: 1
      })
      const invalid =
        "select count(*)::int from pg_constraint where not convalidated union all" +
        " select count(*)::int from pg_class where relname like '%_moving%'"
      assert.deepStrictEqual(yield* valuesOf(database, invalid), [[0], [0]])
    })
  )
)

it.live("A second run moves nothing, and rows of a moved month can still be written.", () =>
  withMonths(({ database, run }) =>
    Effect.gen(function* () {
      yield* run({})
      assert.deepStrictEqual(yield* run({}), [])
      yield* execute(database, ["update webhook_attempts set duration_ms = 13 where at < '2140-02-01'"])
      assert.deepStrictEqual(
        yield* valuesOf(database, "select count(*)::int from webhook_attempts where duration_ms = 13"),
        [[2]]
      )
    })
  )
)

it.live("A dry run names what would move, and moves nothing.", () =>
  withMonths(({ database, cold, run }) =>
    Effect.gen(function* () {
      const named = yield* run({ dryRun: true })
      assert.deepStrictEqual(
        named.map(({ partition, from }) => [partition, from]),
        [
          ["webhook_attempts_before", "pg_default"],
          ["webhook_attempts_2140_01", "pg_default"]
        ]
      )
      assert.deepStrictEqual(yield* storedIn(database, cold), [])
    })
  )
)

it.live("What an interrupted run left is replaced by the next one.", () =>
  withMonths(({ database, run }) =>
    Effect.gen(function* () {
      const rows = yield* everyRow(database)
      yield* execute(database, [
        "create table webhook_attempts_before_moving (id text)",
        "alter table webhook_attempts_before add constraint countersign_moving check (false) not valid"
      ])
      assert.lengthOf(yield* run({}), 2)
      assert.deepStrictEqual(yield* everyRow(database), rows)
      yield* execute(database, ["update webhook_attempts set duration_ms = 13"])
    })
  )
)

it.live("The current and the previous month stay where they are.", () =>
  withMonths(({ run }) =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* refusalOf(run({ before: "2140-03" })),
        "--before is 2140-02 at the latest: the current and the previous month stay where they are."
      )
      assert.strictEqual(yield* refusalOf(run({ before: "2140-2" })), "--before is a month like 2026-09.")
    })
  )
)

it.live("A tablespace that does not exist, or has another kind of name, is refused with the next step.", () =>
  withMonths(({ run }) =>
    Effect.gen(function* () {
      assert.include(yield* refusalOf(run({ tablespace: "nowhere" })), "There is no tablespace nowhere: make it with")
      for (const name of ["No", "a b", "a'b", "pg_global", "pg_default; drop"]) {
        assert.include(yield* refusalOf(run({ tablespace: name })), "--tablespace is the name of a tablespace")
      }
      assert.deepStrictEqual(yield* run({ tablespace: "pg_default" }), [])
    })
  )
)

it.live("A lease that ended more than a day ago keeps no month: its worker has died.", () =>
  withMonths(({ database, run }) =>
    Effect.gen(function* () {
      yield* execute(database, [
        "update webhook_attempts set outcome = null, lease_token = 't' where delivery_id = 'whd_2'",
        "update webhook_deliveries set state = 'PENDING', lease_token = 't', leased_until = now() - interval '25 hours'" +
          " where delivery_id = 'whd_2'"
      ])
      assert.include(
        (yield* run({})).map(({ partition }) => partition),
        "webhook_attempts_2140_01"
      )
    })
  )
)

it.live("A month with an attempt whose delivery is still leased stays until the attempt is settled.", () =>
  withMonths(({ database, cold, run }) =>
    Effect.gen(function* () {
      yield* execute(database, [
        "update webhook_attempts set outcome = null where delivery_id = 'whd_2'",
        "update webhook_deliveries set state = 'PENDING', lease_token = 't' where delivery_id = 'whd_2'"
      ])
      assert.include(
        yield* refusalOf(run({})),
        "webhook_attempts_2140_01 has 1 attempts whose deliveries are still leased"
      )
      yield* execute(database, ["update webhook_attempts set outcome = 'TIMEOUT' where delivery_id = 'whd_2'"])
      assert.lengthOf(yield* run({}), 1)
      assert.include(yield* storedIn(database, cold), "webhook_attempts_2140_01")
    })
  )
)

it.live("While another process changes partitions the command is refused.", () =>
  withMonths(({ database, run }) =>
    Effect.gen(function* () {
      const other = yield* openStatements(database)
      yield* other.run("select pg_advisory_lock(7310287445082937461)")
      assert.include(yield* refusalOf(run({})), "Another process changes partitions now")
    })
  )
)
