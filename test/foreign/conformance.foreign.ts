/** Conformance through a real pgbouncer: session mode lacks nothing, transaction mode is told apart by what it lacks. */
import { PgConnection } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Console, Effect, Layer } from "effect"
import { checkConformance } from "../conformance/conformance.ts"
import { pooled, Postgres } from "../support/pgbouncer.ts"

/** The exit code and the printed lines. */
const conformanceThrough = Effect.fnUntraced(function* (mode: "session" | "transaction") {
  const { through } = yield* Postgres
  const lines: Array<string> = []
  const collect = (...words: ReadonlyArray<unknown>) => void lines.push(words.join(" "))
  const recording: Console.Console = { ...console, log: collect, error: collect }
  const { host, port, username } = through[mode]
  const url = `postgres://${username}@${host}:${port}/postgres`
  const code = yield* checkConformance({ url, isLong: false, isFeaturesOnly: true, seed: 1 }).pipe(
    Effect.provideService(Console.Console, recording)
  )
  return { code, lines }
})

layer(Layer.fresh(pooled), { excludeTestServices: true })("conformance through pgbouncer", (it) => {
  it.effect("Session mode lacks no feature", () =>
    Effect.gen(function* () {
      const { code, lines } = yield* conformanceThrough("session")
      assert.deepEqual([code, lines.at(-1)], [0, "nothing is lacking"], lines.join("\n"))
    })
  )

  it.effect("Transaction mode is reported with each feature that it lacks, its statement and what needs it", () =>
    Effect.gen(function* () {
      const { code, lines } = yield* conformanceThrough("transaction")
      const lacking = lines.filter((line) => line.startsWith("LACKS"))
      assert.strictEqual(code, 1)
      for (const name of ["settings of a session", "advisory locks of a session", "listen and notify"]) {
        assert.isTrue(
          lacking.some((line) => line.includes(`${name}, needed by `)),
          `${name}\n${lines.join("\n")}`
        )
      }
      assert.include(lacking.join("\n"), "select pg_try_advisory_lock(4202)")
    })
  )

  it.effect("A database with tables is refused", () =>
    Effect.gen(function* () {
      const { postgres } = yield* Postgres
      const session = yield* PgConnection.make(postgres)
      yield* session.query("create table kept (id bigint primary key)", [], false)
      const { code, lines } = yield* conformanceThrough("session")
      assert.deepEqual([code, lines], [2, ["--database-url names a database with 1 tables: name an empty one"]])
      yield* session.query("drop table kept", [], false)
    })
  )
})
