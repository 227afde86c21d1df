/** A reload of keys replaces all of them, or refuses with one sentence and leaves the earlier ones in use. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { KeyReload } from "../../src/adapters/running-keys.ts"
import { Secrets } from "../../src/ports/secrets.ts"
import { Signer } from "../../src/ports/signer.ts"
import { installationOn, operator, temporaryDirectory, type Environment } from "../support/installation.ts"
import { addIssuerKey, replaceText } from "../support/key-files.ts"
import { execute, valuesOf } from "../support/postgres.ts"
import { freshService } from "../support/service.ts"

interface Running {
  readonly issuerKeysFile: string
  readonly secretKeyFile: string
  readonly previousFile: string
  readonly firstSecretKey: string
}

/** An installation whose keys are all in files, and that runs. */
const running = (
  name: string,
  body: (
    files: Running,
    connection: Effect.Success<typeof freshService>
  ) => Effect.Effect<void, unknown, KeyReload | Signer | Secrets | Scope.Scope>
) =>
  it.live(name, () =>
    Effect.scoped(
      Effect.gen(function* () {
        const connection = yield* freshService
        const { environment } = yield* installationOn(connection)
        const { SECRET_KEY: firstSecretKey = "", ISSUER_KEYS_FILE: issuerKeysFile = "", ...others } = environment
        const directory = yield* temporaryDirectory
        const files = {
          issuerKeysFile,
          secretKeyFile: path.join(directory, "secret-key"),
          previousFile: path.join(directory, "secret-key-previous"),
          firstSecretKey
        }
        fs.writeFileSync(files.secretKeyFile, `${firstSecretKey}\n`)
        fs.writeFileSync(files.previousFile, "")
        const variables: Environment = {
          ...others,
          ISSUER_KEYS_FILE: issuerKeysFile,
          SECRET_KEY_FILE: files.secretKeyFile,
          SECRET_KEY_PREVIOUS_FILE: files.previousFile
        }
        yield* body(files, connection).pipe(Effect.provide(Layer.fresh(operator(variables)), { local: true }))
      })
    )
  )

const reload = Effect.flatMap(KeyReload, ({ reload }) => reload)

const kidsInUse = Effect.map(Signer, ({ keys }) => keys.keys.map(({ kid }) => kid))
const secretKeysInUse = Effect.map(Secrets, ({ keyIds }) => keyIds)
const keysInUse = Effect.all([kidsInUse, secretKeysInUse])

const signNow = Effect.gen(function* () {
  const { sign } = yield* Signer
  const jws = yield* sign("EVENT", { schema: "test/v1", issuedAt: "2026-11-28T00:00:00.000Z" as never })
  return JSON.parse(Buffer.from(jws.split(".")[0]!, "base64url").toString("utf8")).kid as string
})

running("After a reload, signatures are by the new issuer key, which the database records.", (files, connection) =>
  Effect.gen(function* () {
    const [first] = yield* kidsInUse
    assert.strictEqual(yield* signNow, first)
    addIssuerKey(files.issuerKeysFile)
    yield* reload
    const kids = yield* kidsInUse
    assert.strictEqual(kids[0], first)
    assert.strictEqual(yield* signNow, kids[1])
    const recorded = yield* valuesOf(connection, "select kid from countersign_issuer_keys order by kid")
    assert.deepStrictEqual(
      recorded,
      [...kids].sort().map((kid) => [kid])
    )
  })
)

running(
  "An operation that took the signer's members before a reload continues with the keys of its beginning.",
  (files) =>
    Effect.gen(function* () {
      const { sign, keys } = yield* Signer
      addIssuerKey(files.issuerKeysFile)
      yield* reload
      const jws = yield* sign("EVENT", { schema: "test/v1", issuedAt: "2026-11-28T00:00:00.000Z" as never })
      const { kid } = JSON.parse(Buffer.from(jws.split(".")[0]!, "base64url").toString("utf8"))
      assert.deepStrictEqual(
        [kid],
        keys.keys.map((key) => key.kid)
      )
    })
)

running("The secret key is rotated in three reloads; what it sealed opens until the old key is removed.", (files) =>
  Effect.gen(function* () {
    const secrets = yield* Secrets
    const sealed = yield* secrets.seal("FORM", "text").pipe(Effect.provide(SecureRandom.layerWebCrypto))
    const [first] = secrets.keyIds
    const second = "ab".repeat(32)
    replaceText(files.previousFile, second)
    yield* reload
    assert.lengthOf(secrets.keyIds, 2)
    assert.strictEqual(secrets.keyIds[0], first)
    replaceText(files.secretKeyFile, second)
    replaceText(files.previousFile, files.firstSecretKey)
    yield* reload
    assert.strictEqual(secrets.keyIds[1], first)
    assert.strictEqual(secrets.open("FORM", sealed), "text")
    replaceText(files.previousFile, "")
    yield* reload
    assert.notInclude(secrets.keyIds, first)
    assert.isUndefined(secrets.open("FORM", sealed))
  })
)

const refusals: ReadonlyArray<readonly [name: string, change: (files: Running) => void, expected: RegExp]> = [
  [
    "a half-written issuer key file",
    ({ issuerKeysFile }) => replaceText(issuerKeysFile, fs.readFileSync(issuerKeysFile, "utf8").slice(0, -20)),
    /^the issuer keys in \S+ do not have the documented form/
  ],
  [
    "an issuer key file that is gone",
    ({ issuerKeysFile }) => fs.rmSync(issuerKeysFile),
    /^the issuer keys in \S+ cannot be read/
  ],
  [
    "an issuer key file without a recorded key",
    ({ issuerKeysFile }) => {
      addIssuerKey(issuerKeysFile)
      const content = JSON.parse(fs.readFileSync(issuerKeysFile, "utf8"))
      replaceText(issuerKeysFile, JSON.stringify({ ...content, keys: content.keys.slice(1) }))
    },
    /^the issuer key \S+ of the stored history is missing: put it back into/
  ],
  [
    "another issuer name",
    ({ issuerKeysFile }) => {
      const content = JSON.parse(fs.readFileSync(issuerKeysFile, "utf8"))
      replaceText(issuerKeysFile, JSON.stringify({ ...content, issuer: "other" }))
    },
    /^the issuer keys are of other in test, and this installation is countersign-test in test: keep both names$/
  ],
  [
    "keys of which none is valid now for commits",
    ({ issuerKeysFile }) => {
      const content = JSON.parse(fs.readFileSync(issuerKeysFile, "utf8"))
      const [key] = content.keys
      replaceText(
        issuerKeysFile,
        JSON.stringify({ ...content, keys: [{ ...key, revokedAt: "2021-01-01T00:00:00.000Z" }] })
      )
    },
    /^no key in \S+ is valid now for EVENT, AUTHORITY, RECORD: without one nothing can commit$/
  ],
  [
    "a half-written secret key",
    ({ secretKeyFile, firstSecretKey }) => replaceText(secretKeyFile, firstSecretKey.slice(0, 40)),
    /^the secret key in \S+ does not have the documented form$/
  ],
  [
    "a new secret key without the earlier one beside it",
    ({ secretKeyFile }) => replaceText(secretKeyFile, "ab".repeat(32)),
    /^the secret key with the fingerprint [0-9a-f]{16} is missing: put it back into \S+, or as SECRET_KEY_PREVIOUS_FILE beside/
  ],
  [
    "a half-written previous secret key beside a valid new issuer key",
    ({ issuerKeysFile, previousFile, firstSecretKey }) => {
      addIssuerKey(issuerKeysFile)
      replaceText(previousFile, firstSecretKey.slice(1))
    },
    /^the secret key in \S+ does not have the documented form$/
  ]
]

for (const [name, change, expected] of refusals) {
  running(`A reload with ${name} is refused, and the earlier keys stay in use and on record.`, (files, connection) =>
    Effect.gen(function* () {
      const record = Effect.all([
        valuesOf(connection, "select kid from countersign_issuer_keys"),
        valuesOf(connection, "select secret_key_id from countersign_installation")
      ])
      const before = [yield* keysInUse, yield* record]
      change(files)
      const { message } = yield* Effect.flip(reload)
      assert.match(message, expected)
      assert.notInclude(message, files.firstSecretKey)
      assert.deepStrictEqual([yield* keysInUse, yield* record], before)
    })
  )
}

running(
  "One reload does not take away the current secret key of the process, though others have left it.",
  (files, connection) =>
    Effect.gen(function* () {
      const second = "ab".repeat(32)
      replaceText(files.previousFile, second)
      yield* reload
      const [first, next] = yield* secretKeysInUse
      yield* execute(connection, [`update countersign_installation set secret_key_id = '${next}'`])
      replaceText(files.secretKeyFile, second)
      replaceText(files.previousFile, "")
      const { message } = yield* Effect.flip(reload)
      assert.include(message, `the secret key with the fingerprint ${first} is missing`)
      assert.deepStrictEqual(yield* secretKeysInUse, [first, next!])
      replaceText(files.previousFile, files.firstSecretKey)
      yield* reload
      assert.deepStrictEqual(yield* secretKeysInUse, [next!, first])
    })
)

running("A reload that the database cannot record is refused, and the earlier keys stay.", (files, connection) =>
  Effect.gen(function* () {
    const before = yield* keysInUse
    yield* execute(connection, [
      "create function fail() returns trigger language plpgsql as $$ begin raise exception 'full' using errcode = '53100'; end $$",
      "create trigger fail before insert on countersign_issuer_keys for each row execute function fail()"
    ])
    addIssuerKey(files.issuerKeysFile)
    const { message } = yield* Effect.flip(reload)
    assert.match(message, /^the record of this installation cannot be read or written: .*full/)
    assert.deepStrictEqual(yield* keysInUse, before)
    yield* execute(connection, ["drop trigger fail on countersign_issuer_keys"])
    yield* reload
    assert.lengthOf(yield* kidsInUse, 2)
  })
)
