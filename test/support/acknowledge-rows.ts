/**
 * A process to be killed: it starts the embedded Postgres of a directory, inserts rows, and prints the number of each
 * row whose COMMIT was acknowledged.
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
    // Without buffering: an acknowledged row still buffered in this process would not be printed before the kill.
    writeSync(1, `${number}\n`)
  }
})

await Effect.runPromise(Effect.scoped(insertForever))
