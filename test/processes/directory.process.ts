/** Sign-in on a new installation: the output for the operator, and the effect of the admin commands. */
import * as fs from "node:fs"
import { assert, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { directoryIn, makeDirectory } from "../../src/adapters/sign-in/directory.ts"
import { embeddedInstallation, installationOn, type Environment } from "../support/installation.ts"
import { runCommand, runReading } from "../support/run-command.ts"
import { spawnReading, startServer } from "../support/server.ts"
import { freshService } from "../support/service.ts"

const setPassword = (environment: Environment, password: string) =>
  runReading(`${password}\n`, environment, "admin", "set-password", "--subject", "anna")

const setAddress = (environment: Environment, email: string) =>
  runCommand(environment, "admin", "set-address", "--subject", "anna", "--email", email)

/** In a process of its own; returns its exit code. */
const spawnSetPassword = (environment: Environment, password: string, subject: string) =>
  Effect.promise(() => {
    const { ended } = spawnReading(`${password}\n`, environment, "admin", "set-password", "--subject", subject)
    return ended
  })

it.live("Only the first start prints the owner's password.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const environment = yield* embeddedInstallation
      const credentials = /sign in as +(\S+), password (\S+)/
      const first = yield* Effect.scoped(
        Effect.gen(function* () {
          const { output, child, ended } = yield* startServer(environment)
          yield* untilPrinted(output, "/workspace/")
          child.kill("SIGTERM")
          yield* Effect.promise(() => ended)
          return output()
        })
      )
      const [, name = "", password = ""] = credentials.exec(first) ?? []
      const { check } = directoryIn(environment.DATA_DIR)
      assert.strictEqual((yield* check(name, password)).name, "Owner")

      const { output } = yield* startServer(environment)
      yield* untilPrinted(output, "/workspace/")
      assert.notMatch(output(), credentials)
      assert.notInclude(output(), password)

      const refused = yield* setPassword(environment, "eleven char")
      assert.strictEqual(refused.code, 1)
      assert.include(refused.output, "INVALID_REQUEST")
      const { code, output: printed } = yield* setPassword(environment, "twelve chars")
      assert.strictEqual(code, 0)
      assert.strictEqual(JSON.parse(printed).subject, "anna")
      assert.strictEqual((yield* check("anna", "twelve chars")).subject, "anna")

      const noAddress = yield* setAddress(environment, "anna")
      assert.deepStrictEqual([noAddress.code, noAddress.output.includes("INVALID_REQUEST")], [1, true])
      const set = yield* setAddress(environment, "anna@example.org")
      assert.deepStrictEqual([set.code, JSON.parse(set.output).email], [0, "anna@example.org"])
      assert.strictEqual((yield* check("anna", "twelve chars")).email, "anna@example.org")
    })
  )
)

it.live("Without a provider on a Postgres of DATABASE_URL, serve prints the variables to set.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { environment } = yield* installationOn(yield* freshService)
      const { output } = yield* startServer(environment)
      yield* untilPrinted(output, "cannot sign in: set OIDC_ISSUER")
      const { code, output: printed } = yield* setPassword(environment, "twelve chars")
      assert.strictEqual(code, 1)
      assert.match(printed, /^countersign: [^\n]*embedded default[^\n]*\n$/)
    })
  )
)

it.live(
  "Passwords set concurrently by several processes without a server are all stored, and the first owner is kept.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const environment = yield* embeddedInstallation
        const subjects = ["anna", "ben", "cleo"]
        const passwordOf = (subject: string) => `the password of ${subject}`
        // With the mode that `serve` sets: Postgres, if it runs as the user nobody, may enter.
        fs.mkdirSync(environment.DATA_DIR, { mode: 0o711 })
        const [owner, ...set] = yield* Effect.all(
          [
            makeDirectory(environment.DATA_DIR),
            ...subjects.map((subject) => spawnSetPassword(environment, passwordOf(subject), subject))
          ],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          set,
          subjects.map(() => 0)
        )
        const { check } = directoryIn(environment.DATA_DIR)
        for (const subject of subjects)
          assert.strictEqual((yield* check(subject, passwordOf(subject))).subject, subject)
        if (Option.isSome(owner)) yield* check(owner.value.name, owner.value.password)
      })
    )
)

/** The server is ready a moment before it prints its banner. */
const untilPrinted = (output: () => string, text: string) =>
  Effect.gen(function* () {
    while (!output().includes(text)) yield* Effect.sleep("50 millis")
  })
