/** `countersign serve` starts from nothing, survives kill -9, and shuts down in order. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as net from "node:net"
import { PgConnection, PgTypes } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { embeddedInstallation, installationOn, operator } from "../support/installation.ts"
import { sendCommand } from "../support/parties.ts"
import { node, overSockets, startServer } from "../support/server.ts"
import { freshService } from "../support/service.ts"
import { makeArena, nextCommand } from "./arena.ts"
import { crashAndRestart, type KilledProcesses } from "./crash.ts"
import { faultyDatabase } from "./faulty-database.ts"

const withoutPayments = "  payments       not configured; set STRIPE_SECRET_KEY to let results be offered and paid"

it.live(
  "serve starts from an empty directory without a setting of payments, says so in one line, and starts again from its data.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const environment = yield* embeddedInstallation
        for (const _ of ["first", "second"]) {
          const started = performance.now()
          const { child, ended, origin, output } = yield* startServer(environment)
          assert.isBelow(performance.now() - started, 30_000)
          const ready = yield* Effect.promise(async () => (await fetch(`${origin}/readyz`)).text())
          assert.include(ready, `"status":"ready"`)
          while (!output().includes("  next ")) yield* Effect.sleep("20 millis")
          child.kill("SIGTERM")
          assert.strictEqual(yield* Effect.promise(() => ended), 0)
          const lines = output().split("\n")
          assert.deepStrictEqual(
            lines.filter((line) => /payment|stripe/i.test(line)),
            [withoutPayments]
          )
        }
      })
    )
)

describe.concurrent("countersign serve", () => {
  for (const victims of ["the server", "the server and Postgres"] satisfies ReadonlyArray<KilledProcesses>) {
    it.live(
      `After kill -9 of ${victims} during writes, nothing acknowledged is lost.`,
      () =>
        Effect.scoped(
          Effect.gen(function* () {
            assert.deepStrictEqual(yield* crashAndRestart(victims, 1), [])
          })
        ),
      180_000
    )
  }

  it.live("On SIGTERM serve accepts no new connection, answers the requests in flight, and exits.", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const installation = yield* installationOn(yield* freshService)
        const { child, ended, origin } = yield* startServer(installation.environment)
        const status = yield* Effect.gen(function* () {
          const arena = yield* makeArena(1)
          const lane = arena.lanes[0]!
          const session = yield* Effect.orDie(PgConnection.make(installation.connection))
          const hold = [PgTypes.text(lane.projectId)]
          yield* Effect.orDie(session.query("begin"))
          yield* Effect.orDie(session.query("select from projects where project_id = $1 for update", hold))
          const { token, operation, body } = nextCommand(arena, lane)
          const inFlight = yield* Effect.forkChild(sendCommand(token, lane.projectId, operation, body))
          yield* Effect.sleep(300)
          child.kill("SIGTERM")
          yield* Effect.sleep(300)
          assert.isNull(child.exitCode)
          assert.isTrue(yield* isRefused(origin))
          yield* Effect.orDie(session.query("rollback"))
          return (yield* Fiber.join(inFlight)).status
        }).pipe(Effect.provide(overSockets(origin)), Effect.provide(operator(installation.environment)))
        assert.strictEqual(status, 200)
        const answeredAt = performance.now()
        assert.strictEqual(yield* Effect.promise(() => ended), 0)
        // Sooner than the client's idle connection would time out.
        assert.isBelow(performance.now() - answeredAt, 3_000)
      })
    )
  )

  it.live(
    "On SIGTERM serve and worker exit with 0 despite database faults, and lose nothing acknowledged.",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const [round] = yield* faultyDatabase(1, 1)
          assert.deepStrictEqual(round?.wrong, [])
          assert.isAbove(round?.acknowledged ?? 0, 0)
        })
      ),
    180_000
  )

  it.live("On SIGTERM serve reports itself not ready at once, while a request is in flight.", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const installation = yield* installationOn(yield* freshService)
        const { child, ended, origin } = yield* startServer(installation.environment)
        const received = yield* Effect.gen(function* () {
          const arena = yield* makeArena(1)
          const lane = arena.lanes[0]!
          const session = yield* Effect.orDie(PgConnection.make(installation.connection))
          yield* Effect.orDie(session.query("begin"))
          yield* Effect.orDie(
            session.query("select from projects where project_id = $1 for update", [PgTypes.text(lane.projectId)])
          )
          const { token, operation, body } = nextCommand(arena, lane)
          const socket = net.connect(Number(new URL(origin).port), "127.0.0.1")
          let text = ""
          socket.on("data", (chunk) => (text += String(chunk)))
          const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()))
          const sent = JSON.stringify(body)
          socket.write(
            `POST /api/agents/v1/projects/${lane.projectId}/${operation} HTTP/1.1\r\nHost: localhost\r\n` +
              `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
              `Content-Length: ${Buffer.byteLength(sent)}\r\n\r\n${sent}`
          )
          yield* Effect.sleep(300)
          child.kill("SIGTERM")
          yield* Effect.sleep(300)
          socket.write("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n")
          yield* Effect.sleep(300)
          yield* Effect.orDie(session.query("rollback"))
          yield* Effect.promise(() => closed)
          return text
        }).pipe(Effect.provide(overSockets(origin)), Effect.provide(operator(installation.environment)))
        assert.deepStrictEqual(received.match(/HTTP\/1\.1 \d+/g), ["HTTP/1.1 200", "HTTP/1.1 503"])
        assert.include(received, `{"status":"stopping"}`)
        assert.strictEqual(yield* Effect.promise(() => ended), 0)
      })
    )
  )

  it.live("A second SIGTERM ends serve at once; a repetition within a moment does not count.", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { environment } = yield* installationOn(yield* freshService)
        const { child, ended, origin } = yield* startServer(environment)
        const socket = net.connect(Number(new URL(origin).port), "127.0.0.1")
        socket.on("error", () => {})
        socket.write("POST /api/agents/v1/projects HTTP/1.1\r\nHost: localhost\r\n")
        yield* Effect.sleep(200)
        child.kill("SIGTERM")
        yield* Effect.sleep(100)
        child.kill("SIGTERM")
        yield* Effect.sleep(1_500)
        assert.isNull(child.exitCode)
        child.kill("SIGTERM")
        assert.strictEqual(yield* Effect.promise(() => ended), 143)
        socket.destroy()
      })
    )
  )

  it.live("On SIGTERM serve waits at most 10 seconds for an unfinished request.", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { environment } = yield* installationOn(yield* freshService)
        const { child, ended, origin } = yield* startServer(environment)
        const socket = net.connect(Number(new URL(origin).port), "127.0.0.1")
        socket.on("error", () => {})
        socket.write("POST /api/agents/v1/projects HTTP/1.1\r\nHost: localhost\r\n")
        yield* Effect.sleep(200)
        const signalledAt = performance.now()
        child.kill("SIGTERM")
        assert.strictEqual(yield* Effect.promise(() => ended), 0)
        assert.isBelow(performance.now() - signalledAt, 12_000)
        socket.destroy()
      })
    )
  )

  // In this file, since its tests run concurrently.
  it.live(
    "A hanging shutdown is abandoned after 12 seconds: with 0 for a long-running command, else with 143.",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const hangs = "Effect.uninterruptible(Effect.never)"
          const codes = yield* Effect.all([stoppedCode(hangs), stoppedCode(`longRunning(${hangs})`)], {
            concurrency: "unbounded"
          })
          assert.deepStrictEqual(codes, [143, 0])
        })
      ),
    30_000
  )
})

/** The exit code of a process that runs this command as `countersign` does, after one SIGTERM. */
const stoppedCode = (command: string) =>
  Effect.gen(function* () {
    const program = `
      import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
      import { Console, Effect } from "effect"
      import { installShutdown, longRunning, Shutdown } from "./src/command-line/shutdown.ts"
      const { shutdown, teardown } = installShutdown()
      const command = Effect.andThen(Console.log("running"), ${command})
      NodeRuntime.runMain(Effect.provideService(command, Shutdown, shutdown), { teardown })`
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => spawn(node, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "ignore"] })),
      (child) => Effect.sync(() => void child.kill("SIGKILL"))
    )
    const ended = once(child, "close")
    yield* Effect.promise(() => once(child.stdout, "data"))
    child.kill("SIGTERM")
    const [code] = yield* Effect.promise(() => ended)
    return code as number | null
  })

/** Tries a new connection. */
const isRefused = (origin: string) =>
  Effect.promise(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = net.connect(Number(new URL(origin).port), "127.0.0.1")
        socket.on("connect", () => resolve(false)).on("error", () => resolve(true))
        socket.on("close", () => socket.destroy()).end()
      })
  )
