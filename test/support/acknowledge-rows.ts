/**
 * A process to be killed: it starts the embedded Postgres of a directory, inserts rows one after another, and prints
 * the number of each one whose COMMIT was answered.
 */
import { writeSync } from "node:fs"
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { start } from "../../src/adapters/embedded-postgres.ts"

const directory = process.argv[2]!

const insertForever = Effect.gen(function* () {
  const connection = yield* PgConnection.make(yield* start(directory))
  yield* connection.query("create table if not exists acknowledged (number bigint primary key)")
  const { rows } = yield* connection.query("select coalesce(max(number), 0)::int as last from acknowledged")
  for (let number = Number(rows[0]!["last"]) + 1; ; number++) {
    yield* connection.query("insert into acknowledged values ($1)", [number])
    // At once: what waits in this process when it is killed was acknowledged, and would never be told.
    writeSync(1, `${number}\n`)
  }
})

await Effect.runPromise(Effect.scoped(insertForever))
