import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { PgConnection } from "@effect/sql-pg"
import { Effect, Exit, type Scope } from "effect"
import { start } from "../../src/adapters/embedded-postgres.ts"
import { isAlive } from "../../src/adapters/embedded-postgres/processes.ts"
import { messageOf } from "../contract/storage/processes.ts"

const program = path.join(import.meta.dirname, "../support/acknowledge-rows.ts")

const temporaryDirectory: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), "embedded-"))
    fs.chmodSync(directory, 0o711)
    return directory
  }),
  (directory) => Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true }))
)

const postmasterOf = (directory: string): number =>
  Number(fs.readFileSync(path.join(directory, "postgres-18", "postmaster.pid"), "utf8").split("\n")[0])

/** Runs the program until it has acknowledged some rows, kills it, and returns the last acknowledged one. */
const writeAndKill = (directory: string, rows: number, alsoKillPostgres: boolean): Effect.Effect<number> =>
  Effect.callback<number>((resume) => {
    const child = spawn(process.execPath, [program, directory], { stdio: ["ignore", "pipe", "inherit"] })
    let printed = ""
    let wasKilled = false
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString()
      if (wasKilled || printed.split("\n").length <= rows) return
      wasKilled = true
      const postmaster = postmasterOf(directory)
      child.kill("SIGKILL")
      if (alsoKillPostgres) process.kill(postmaster, "SIGKILL")
    })
    child.on("close", () => resume(Effect.succeed(Number(printed.split("\n").at(-2)))))
  })

const numbers = (directory: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* PgConnection.make(yield* start(directory))
      const { rows } = yield* connection.query("select number::int as number from acknowledged order by number")
      return rows.map((row) => Number(row["number"]))
    })
  )

for (const alsoKillPostgres of [true, false]) {
  const killed = alsoKillPostgres ? "the server and Postgres" : "the server only"
  it.live(`After kill -9 of ${killed} every acknowledged row is there, three times in a row.`, () =>
    Effect.scoped(
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        for (let round = 1; round <= 3; round++) {
          const acknowledged = yield* writeAndKill(directory, 300 * round, alsoKillPostgres)
          const postmaster = postmasterOf(directory)
          // The kernel needs a moment to end a killed process.
          while (alsoKillPostgres && isAlive(postmaster)) yield* Effect.sleep("10 millis")
          assert.strictEqual(isAlive(postmaster), !alsoKillPostgres)
          const stored = yield* numbers(directory)
          assert.isAtLeast(stored.length, acknowledged)
          assert.isAtMost(stored.length, acknowledged + 1)
          assert.deepStrictEqual(
            stored,
            stored.map((_, index) => index + 1)
          )
          assert.isFalse(isAlive(postmaster), "the scope has stopped the adopted postmaster")
        }
      })
    )
  )
}

it.live("A start on a directory that another process owns is refused with its process number.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const child = spawn(process.execPath, [program, directory], { stdio: ["ignore", "pipe", "inherit"] })
      yield* Effect.callback<void>((resume) => void child.stdout.once("data", () => resume(Effect.void)))
      const refused = yield* Effect.exit(Effect.scoped(start(directory)))
      assert.include(messageOf(refused), `in use by process ${child.pid}`)
      const postmaster = postmasterOf(directory)
      yield* Effect.callback<void>((resume) => {
        child.once("exit", () => resume(Effect.void))
        child.kill("SIGKILL")
      })
      assert.isTrue(isAlive(postmaster), "the refusal stopped nothing")
      yield* Effect.scoped(start(directory))
    })
  )
)

it.live("The socket is in a temporary directory where the data directory's path is too long.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const directory = path.join(yield* temporaryDirectory, "long".repeat(30))
      const server = yield* start(directory)
      assert.isBelow(Buffer.byteLength(server.path), 108)
      assert.strictEqual(fs.statSync(path.dirname(server.path)).mode & 0o777, 0o700)
      yield* PgConnection.make(server)
    })
  )
)

it.live("The embedded Postgres requires its password, which only its owner can read.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const server = yield* start(directory)
      assert.strictEqual(fs.statSync(path.join(directory, "password")).mode & 0o777, 0o600)
      const { password: _, ...without } = server
      assert.isTrue(Exit.isFailure(yield* Effect.exit(PgConnection.make(without))))
      const connection = yield* PgConnection.make(server)
      const { rows } = yield* connection.query("select current_setting('fsync') as fsync")
      assert.deepStrictEqual(rows, [{ fsync: "on" }])
    })
  )
)

it.live("A start removes the partial cluster of an interrupted one.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      fs.mkdirSync(path.join(directory, "postgres-18.12345", "base"), { recursive: true })
      yield* Effect.scoped(start(directory))
      assert.deepStrictEqual(
        fs.readdirSync(directory).filter((name) => name.startsWith("postgres-18")),
        ["postgres-18"]
      )
    })
  )
)
