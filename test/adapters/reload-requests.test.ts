/** `admin reload-keys` reaches every server and worker on its database, and reports each. */
import * as fs from "node:fs"
import * as path from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer, Schedule } from "effect"
import { Notifications, ProcessRole } from "../../src/adapters/notifications.ts"
import { answerReloadRequests, ReloadAnswerTime, requestReload } from "../../src/adapters/reload-requests.ts"
import { Signer } from "../../src/ports/signer.ts"
import { installationOn, operator, temporaryDirectory, type Environment } from "../support/installation.ts"
import { addIssuerKey } from "../support/key-files.ts"
import { valuesOf } from "../support/postgres.ts"
import { runCommand } from "../support/run-command.ts"
import { freshService } from "../support/service.ts"

/** What a server or a worker does with its keys, once it listens. */
const startProcess = Effect.fnUntraced(function* (role: "serve" | "worker", environment: Environment) {
  const ports = answerReloadRequests.pipe(
    Layer.provideMerge(operator(environment)),
    Layer.provide(Layer.succeed(ProcessRole, role)),
    Layer.fresh
  )
  const context = yield* Layer.build(ports)
  const { listeningProcesses, processName } = Context.get(context, Notifications)
  yield* Effect.repeat(listeningProcesses, {
    until: (names) => names.includes(processName),
    schedule: Schedule.spaced("20 millis")
  })
  return { processName, kids: () => Context.get(context, Signer).keys.keys.map(({ kid }) => kid) }
})

/** Another machine's copy of the key file. */
const withOwnFile = Effect.fnUntraced(function* (environment: Environment) {
  const file = path.join(yield* temporaryDirectory, "issuer-keys.json")
  fs.copyFileSync(environment["ISSUER_KEYS_FILE"]!, file)
  return { ...environment, ISSUER_KEYS_FILE: file }
})

const outcomes = (connection: Effect.Success<typeof freshService>) =>
  Effect.map(
    valuesOf(connection, "select outcome from administration_acts where command = 'reload-keys' order by at, step"),
    (rows) => rows.flat()
  )

it.live("reload-keys reaches every server and worker, reports them, and has its rows in the log.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* freshService
      const { environment } = yield* installationOn(connection)
      const server = yield* startProcess("serve", environment)
      const worker = yield* startProcess("worker", environment)
      addIssuerKey(environment["ISSUER_KEYS_FILE"]!)
      const { code, stdout } = yield* runCommand(environment, "admin", "reload-keys", "--reason", "yearly")
      assert.strictEqual(code, 0, stdout)
      const report = JSON.parse(stdout)
      assert.sameMembers(report.reloaded, [server.processName, worker.processName])
      assert.deepStrictEqual([report.refused, report.unanswered], [[], []])
      assert.deepStrictEqual([server.kids().length, worker.kids().length], [2, 2])
      assert.deepStrictEqual(yield* outcomes(connection), ["BEGUN", "DONE"])
    })
  )
)

it.live(
  "Where one process refuses, reload-keys exits with 1 and names it, its reason, and the processes that reloaded.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const connection = yield* freshService
        const { environment } = yield* installationOn(connection)
        const elsewhere = yield* withOwnFile(environment)
        const server = yield* startProcess("serve", environment)
        const worker = yield* startProcess("worker", elsewhere)
        fs.writeFileSync(elsewhere.ISSUER_KEYS_FILE, "{")
        const { code, output } = yield* runCommand(environment, "admin", "reload-keys")
        assert.strictEqual(code, 1)
        assert.include(
          output,
          `countersign: ${worker.processName} keeps its keys: the issuer keys in ${elsewhere.ISSUER_KEYS_FILE} do not have the documented form`
        )
        assert.include(output, `reloaded: ${server.processName}`)
        assert.lengthOf(worker.kids(), 1)
        assert.deepStrictEqual(yield* outcomes(connection), ["BEGUN", "FAILED"])
      })
    )
)

it.live("A process that does not answer in time is reported as unanswered, beside those that reloaded.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* freshService
      const { environment } = yield* installationOn(connection)
      const server = yield* startProcess("serve", environment)
      yield* PgConnection.make({ ...connection, applicationName: "countersign worker 1@stopped" })
      const report = yield* requestReload.pipe(
        Effect.provideService(ReloadAnswerTime, 4_000),
        Effect.provide(Layer.fresh(operator(environment)), { local: true })
      )
      assert.deepStrictEqual(report, {
        reloaded: [server.processName],
        refused: [],
        unanswered: ["worker 1@stopped"]
      })
    })
  )
)
