/** Backup and restore of a running embedded installation by real processes, and what is refused until it is complete. */
import * as fs from "node:fs"
import * as path from "node:path"
import { setTimeout } from "node:timers/promises"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import {
  embeddedInstallation,
  killPostgres,
  operator,
  temporaryDirectory,
  type Environment
} from "../support/installation.ts"
import { buyerActions, makeAgent, makeParty } from "../support/parties.ts"
import { runCommand } from "../support/run-command.ts"
import { overSockets, spawnCommand, startServer } from "../support/server.ts"
import { send } from "../support/service.ts"

const spawnSuccessfully = (environment: Environment, ...command: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const { ended, output } = spawnCommand(environment, ...command)
    assert.strictEqual(await ended, 0, output())
    return JSON.parse(output())
  })

const assertRefused = (expected: RegExp, environment: Environment, ...command: ReadonlyArray<string>) =>
  Effect.map(runCommand(environment, ...command), ({ code, output }) => {
    assert.match(output.trimEnd(), /^countersign: [^\n]+$/, "one line, and nothing else")
    assert.match(output, expected)
    assert.strictEqual(code, 1)
  })

const get = (origin: string, address: string, token?: string) =>
  send("GET", address, token === undefined ? {} : { token }).pipe(Effect.provide(overSockets(origin)))

const me = (origin: string, token: string) =>
  Effect.map(get(origin, "/api/agents/v1/me", token), ({ status }) => status)

const stopServer = Effect.fnUntraced(function* ({ child, ended }: Effect.Success<ReturnType<typeof startServer>>) {
  child.kill("SIGTERM")
  assert.strictEqual(yield* Effect.promise(() => ended), 0)
})

/** A signal interrupts a backup in the middle of a file: it exits with a failure and leaves nothing behind. */
const assertInterrupted = (environment: Environment, backup: string) =>
  Effect.promise(async () => {
    const large = path.join(environment["DATA_DIR"]!, "database", "postgres-18", "base", "large")
    fs.writeFileSync(large, "")
    fs.truncateSync(large, 2 ** 31)
    const { child, ended, output } = spawnCommand(environment, "backup", backup)
    const parent = path.dirname(backup)
    const isCopying = (name: string) => fs.existsSync(path.join(parent, name, "database/postgres-18/base/large"))
    while (child.exitCode === null && !fs.readdirSync(parent).some(isCopying)) await setTimeout(20)
    child.kill("SIGTERM")
    assert.strictEqual(await ended, 143, output())
    assert.strictEqual(output(), "countersign: interrupted: the backup is complete or absent\n")
    assert.deepStrictEqual(fs.readdirSync(parent), [])
    fs.rmSync(large)
  })

/** Makes a backup of a running installation, and revokes a grant after it. */
const backUp = Effect.fnUntraced(function* (environment: Environment, backup: string) {
  const server = yield* startServer(environment)
  const agent = yield* Effect.flatMap(makeParty("Dana"), (dana) => makeAgent(dana, "BUYER", buyerActions)).pipe(
    Effect.provide(operator(environment))
  )
  yield* assertInterrupted(environment, `${backup}-interrupted`)
  assert.deepInclude(yield* spawnSuccessfully(environment, "backup", backup), { backup, withKeys: false })
  yield* revokeGrant("OPERATOR", agent).pipe(Effect.provide(operator(environment)))
  assert.strictEqual(yield* me(server.origin, agent.token), 401)
  const { keys } = (yield* get(server.origin, "/.well-known/service-issuer-keys.json")).body
  yield* stopServer(server)
  return { token: agent.token, grantId: agent.grantId, kid: keys[0].kid as string }
})

it.live(
  "A restored grant is invalid after after-restore, and no start succeeds without the keys of the stored history.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const environment = yield* embeddedInstallation
        const backup = path.join(yield* temporaryDirectory, "backup")
        const { token, grantId, kid } = yield* backUp(environment, backup)
        assert.notInclude(fs.readdirSync(backup), "keys")

        const data = path.join(yield* temporaryDirectory, "data")
        yield* Effect.addFinalizer(() => Effect.sync(() => killPostgres(data)))
        const restored = { ...environment, DATA_DIR: data }
        assert.include((yield* spawnSuccessfully(restored, "restore", backup)).next, "after-restore")
        yield* assertRefused(/run `countersign admin after-restore` first/, restored, "serve")
        yield* assertRefused(/: --by has 1 to \d+ characters\.$/m, restored, "admin", "after-restore", "--by", "")
        const { check } = yield* spawnSuccessfully(restored, "admin", "after-restore")
        assert.deepInclude(check.grantsToRenew.listed[0], { grantId, authorizerName: "Dana" })

        const lost = new RegExp(
          `: the issuer key ${kid} of the stored history is missing: put it back into ${data}/keys/issuer-keys\\.json;` +
            ` the secret key with the fingerprint [0-9a-f]{16} is missing: put it back into ${data}/keys/secret-key\n$`
        )
        yield* assertRefused(lost, restored, "serve")
        assert.isFalse(fs.existsSync(path.join(data, "keys")), "no key is generated in place of a lost one")

        fs.cpSync(path.join(environment.DATA_DIR, "keys"), path.join(data, "keys"), { recursive: true })
        const server = yield* startServer(restored)
        assert.strictEqual(yield* me(server.origin, token), 401)
        yield* stopServer(server)
      })
    )
)
