/** A process starts only with the keys that the database depends on. */
import { generateKeyPairSync } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { beginEpoch } from "../../src/adapters/after-restore.ts"
import { besideServer } from "../../src/command-line/production.ts"
import { Signer } from "../../src/ports/signer.ts"
import { installationOn, operator, temporaryDirectory, type Environment } from "../support/installation.ts"
import { valuesOf } from "../support/postgres.ts"
import { freshService } from "../support/service.ts"

/** Starts and ends a process; returns the ids of its issuer keys. */
const start = (environment: Environment) =>
  Effect.map(Signer, ({ keys }) => keys.keys.map(({ kid }) => kid)).pipe(
    Effect.provide(Layer.fresh(operator(environment)), { local: true })
  )

const refusal = (environment: Environment) =>
  Effect.map(Effect.flip(start(environment)), (error) => (error instanceof Error ? error.message : String(error)))

/** The start of a command in an operator's shell. */
const command = (environment: Environment) =>
  Effect.asVoid(Signer).pipe(
    Effect.provide(
      besideServer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment))), Layer.fresh),
      { local: true }
    )
  )

/** The key file of an installation with an additional key, and a file with that key alone. */
const withAnotherKey = Effect.fnUntraced(function* (file: string, validFrom: string) {
  const content = JSON.parse(fs.readFileSync(file, "utf8"))
  const jwk = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })
  const added = path.join(yield* temporaryDirectory, "issuer-keys.json")
  const key = { ...content.keys[0], jwk, validFrom }
  fs.writeFileSync(added, JSON.stringify({ ...content, keys: [...content.keys, key] }))
  const alone = path.join(yield* temporaryDirectory, "issuer-keys.json")
  fs.writeFileSync(alone, JSON.stringify({ ...content, keys: [key] }))
  return { both: { ISSUER_KEYS_FILE: added }, alone: { ISSUER_KEYS_FILE: alone } }
})

it.live("A start without an issuer key that was in use is refused; a start with it and another key succeeds.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { environment } = yield* installationOn(yield* freshService)
      const [kid] = yield* start(environment)
      const { both, alone } = yield* withAnotherKey(environment["ISSUER_KEYS_FILE"]!, "2021-01-01T00:00:00.000Z")
      assert.strictEqual(
        yield* refusal({ ...environment, ...alone }),
        `the issuer key ${kid} of the stored history is missing: put it back into ${alone.ISSUER_KEYS_FILE}`
      )
      const kids = yield* start({ ...environment, ...both })
      assert.strictEqual(kids.length, 2)
      assert.include(yield* refusal(environment), kids[1]!, "the second key may have signed since")
    })
  )
)

it.live("An issuer key that was not valid yet can be removed again.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { environment } = yield* installationOn(yield* freshService)
      const { both } = yield* withAnotherKey(environment["ISSUER_KEYS_FILE"]!, "2110-01-01T00:00:00.000Z")
      assert.strictEqual((yield* start({ ...environment, ...both })).length, 2)
      assert.strictEqual((yield* start(environment)).length, 1)
    })
  )
)

it.live("A command beside servers changes no recorded key, and is refused without one of them.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* freshService
      const { environment } = yield* installationOn(connection)
      const { both, alone } = yield* withAnotherKey(environment["ISSUER_KEYS_FILE"]!, "2110-01-01T00:00:00.000Z")
      const recorded = Effect.zip(
        valuesOf(connection, "select secret_key_id from countersign_installation"),
        valuesOf(connection, "select kid, valid_from::text from countersign_issuer_keys order by kid")
      )
      const next = { SECRET_KEY: "ab".repeat(32), SECRET_KEY_PREVIOUS: environment["SECRET_KEY"]! }
      yield* command({ ...environment, ...next })
      assert.deepStrictEqual(yield* recorded, [[[null]], []], "the first server records")
      yield* start({ ...environment, ...both })
      const before = yield* recorded
      assert.lengthOf(before[1], 2)
      yield* command({ ...environment, ...next })
      assert.deepStrictEqual(yield* recorded, before)
      const lostKey = yield* Effect.flip(command({ ...environment, SECRET_KEY: next.SECRET_KEY }))
      assert.match(String(lostKey), /the secret key with the fingerprint [0-9a-f]{16} is missing/)
      const validNow = JSON.parse(fs.readFileSync(alone.ISSUER_KEYS_FILE, "utf8"))
      validNow.keys[0].validFrom = "2021-01-01T00:00:00.000Z"
      fs.writeFileSync(alone.ISSUER_KEYS_FILE, JSON.stringify(validNow))
      const lostIssuerKey = yield* Effect.flip(command({ ...environment, ...alone }))
      assert.match(String(lostIssuerKey), /the issuer key \S+ of the stored history is missing/)
    })
  )
)

it.live("A start succeeds where a recorded issuer key is listed by its public half and revoked.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { environment } = yield* installationOn(yield* freshService)
      yield* start(environment)
      const { both } = yield* withAnotherKey(environment["ISSUER_KEYS_FILE"]!, "2021-01-01T00:00:00.000Z")
      const content = JSON.parse(fs.readFileSync(both.ISSUER_KEYS_FILE, "utf8"))
      delete content.keys[0].jwk.d
      content.keys[0].revokedAt = "2022-01-01T00:00:00.000Z"
      fs.writeFileSync(both.ISSUER_KEYS_FILE, JSON.stringify(content))
      assert.lengthOf(yield* start({ ...environment, ...both }), 2)
    })
  )
)

it.live("A start with a new secret key needs the earlier one as SECRET_KEY_PREVIOUS.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* freshService
      const { environment } = yield* installationOn(connection)
      const earlier = environment["SECRET_KEY"]!
      const next = { ...environment, SECRET_KEY: "ab".repeat(32) }
      yield* start(environment)
      assert.match(
        yield* refusal(next),
        /^the secret key with the fingerprint [0-9a-f]{16} is missing: put it back as SECRET_KEY, or as SECRET_KEY_PREVIOUS/
      )
      // Processes restart one after another: until all have, either key may be the current one.
      yield* start({ ...environment, SECRET_KEY_PREVIOUS: next.SECRET_KEY })
      yield* start({ ...next, SECRET_KEY_PREVIOUS: earlier })
      yield* start(next)
      assert.match(yield* refusal(environment), /^the secret key with the fingerprint/)

      yield* beginEpoch(connection, {
        forgetSecretKey: true,
        operator: { who: "kim", account: "root@host" },
        why: null
      })
      yield* start(environment)
    })
  )
)

it.live("Of two processes that start at once on an empty database with different keys, one is refused.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* freshService
      const [one, other] = [yield* installationOn(connection), yield* installationOn(connection)]
      const ends = yield* Effect.all(
        [one, other].map(({ environment }) => Effect.exit(start({ ...environment, SECRET_KEY: "ab".repeat(32) }))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(ends.map(({ _tag }) => _tag).sort(), ["Failure", "Success"])
      const session = yield* PgConnection.make(connection)
      assert.strictEqual((yield* session.query("select kid from countersign_issuer_keys")).rows.length, 1)
    })
  )
)
