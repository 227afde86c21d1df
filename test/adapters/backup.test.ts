/** What a backup and a restore refuse, and what a restore leaves where it is damaged or killed; without a Postgres. */
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { requireBackupPossible } from "../../src/adapters/backup/backup.ts"
import { concludeRestore, finishRestore, restoreBackup, waitsForEpoch } from "../../src/adapters/backup/restore.ts"
import { Configuration } from "../../src/adapters/configuration.ts"
import * as InstallationKeys from "../../src/adapters/installation-keys.ts"
import { takeFileLock } from "../../src/adapters/file-lock.ts"
import { temporaryDirectory } from "../support/installation.ts"

const contents: Readonly<Record<string, string>> = {
  "database/postgres-18/PG_VERSION": "18\n",
  "database/postgres-18/base/1": "rows",
  "database/password": "a password",
  "directory.json": "{}",
  "keys/issuer-keys.json": "issuer keys",
  "keys/secret-key": "secret key"
}

const manifest = (changes: object = {}) => ({
  schema: "countersign.backup/v1",
  madeAt: "2026-11-21T12:00:00.000Z",
  cluster: "postgres-18",
  platform: `${process.platform}-${process.arch}`,
  directories: ["database/postgres-18", "database/postgres-18/base", "database/postgres-18/pg_wal"],
  files: Object.entries(contents).map(([name, text]) => ({
    path: name,
    bytes: text.length,
    sha256: createHash("sha256").update(text).digest("hex")
  })),
  ...changes
})

/** A backup, and the place of an installation that is not there. */
const places = Effect.gen(function* () {
  const place = yield* temporaryDirectory
  const [backup, data] = [path.join(place, "backup"), path.join(place, "data")]
  const write = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(backup, name)), { recursive: true })
    fs.writeFileSync(path.join(backup, name), text)
  }
  for (const [name, text] of Object.entries(contents)) write(name, text)
  write("manifest.json", JSON.stringify(manifest()))
  return { backup, data, write }
})

const refusalOf = <A, R>(effect: Effect.Effect<A, { readonly message: string }, R>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

const filesIn = (directory: string): ReadonlyArray<string> =>
  fs
    .readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => fs.statSync(path.join(directory, name)).isFile())
    .sort()

it.effect("a backup is restored with everything in its place, and waits for after-restore", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { backup, data } = yield* places
      const restored = yield* restoreBackup(data, backup)
      assert.deepStrictEqual(restored, { madeAt: "2026-11-21T12:00:00.000Z", files: 6 })
      assert.isTrue(waitsForEpoch(data))
      yield* concludeRestore(data)
      assert.isFalse(waitsForEpoch(data))
      assert.deepStrictEqual(filesIn(data), Object.keys(contents).sort())
      for (const name of Object.keys(contents)) {
        assert.strictEqual(fs.readFileSync(path.join(data, name), "utf8"), contents[name])
        assert.strictEqual(fs.statSync(path.join(data, name)).mode & 0o777, 0o600)
      }
      assert.isTrue(fs.statSync(path.join(data, "database/postgres-18/pg_wal")).isDirectory())
    })
  )
)

it.effect("a restore of a damaged backup leaves nothing behind", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { backup, data, write } = yield* places
      write("database/postgres-18/base/1", "rowz")
      assert.match(yield* refusalOf(restoreBackup(data, backup)), /base\/1 is not the file of the manifest/)
      assert.deepStrictEqual(fs.readdirSync(data), [])
      fs.rmSync(path.join(backup, "database/postgres-18/base/1"))
      assert.match(yield* refusalOf(restoreBackup(data, backup)), /cannot be restored: .*base\/1/)
      assert.deepStrictEqual(fs.readdirSync(data), [])
    })
  )
)

const manifests: ReadonlyArray<readonly [name: string, text: string, told: RegExp]> = [
  ["that is no JSON", "{", /manifest\.json does not have the documented form/],
  [
    "with a path that leads out of it",
    JSON.stringify(manifest({ files: [{ path: "database/../../x", bytes: 0, sha256: "0".repeat(64) }] })),
    /manifest\.json does not have the documented form/
  ],
  ["of another machine", JSON.stringify(manifest({ platform: "plan9-mips" })), /postgres-18 on plan9-mips/],
  ["of another Postgres", JSON.stringify(manifest({ cluster: "postgres-19" })), /is of postgres-19/]
]

for (const [name, text, told] of manifests) {
  it.effect(`a manifest ${name} is refused before anything is written`, () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { backup, data, write } = yield* places
        write("manifest.json", text)
        assert.match(yield* refusalOf(restoreBackup(data, backup)), told)
        assert.isFalse(fs.existsSync(data))
      })
    )
  )
}

it.effect("a restore overwrites neither a database nor other keys", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { backup, data } = yield* places
      const database = path.join(data, "database")
      fs.mkdirSync(path.join(data, "keys"), { recursive: true })
      const keys = path.join(data, "keys", "secret-key")
      fs.writeFileSync(keys, "another key")
      assert.match(yield* refusalOf(restoreBackup(data, backup)), /keys\/secret-key differs from the backup/)
      assert.strictEqual(fs.readFileSync(keys, "utf8"), "another key")
      fs.writeFileSync(keys, contents["keys/secret-key"]!)
      fs.mkdirSync(database)
      const owned = takeFileLock(path.join(database, "owner.lock"), "exclusive")
      fs.writeFileSync(path.join(database, "owner"), String(process.pid))
      assert.match(yield* refusalOf(restoreBackup(data, backup)), new RegExp(`in use by process ${process.pid}`))
      owned?.release()
      assert.match(yield* refusalOf(restoreBackup(data, backup)), /database is not empty: move it away first/)
      fs.rmSync(database, { recursive: true })
      yield* restoreBackup(data, backup)
    })
  )
)

it.effect(
  "a restore that was killed before the database was in place is run again; later, after-restore finishes it",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { backup, data } = yield* places
        fs.mkdirSync(path.join(data, "database.restoring-999999999", "postgres-18"), { recursive: true })
        yield* restoreBackup(data, backup)
        assert.deepStrictEqual(fs.readdirSync(data).sort(), ["database", "directory.json", "keys"])

        const waiting = path.join(data, "database", "restored")
        fs.renameSync(path.join(data, "directory.json"), path.join(waiting, "directory.json"))
        fs.rmSync(path.join(waiting, "keys"), { recursive: true })
        fs.renameSync(path.join(data, "keys"), path.join(waiting, "keys"))
        yield* finishRestore(data)
        yield* finishRestore(data)
        yield* concludeRestore(data)
        assert.deepStrictEqual(filesIn(data), Object.keys(contents).sort())
      })
    )
)

it.effect("a backup is refused without a database, and into an occupied or unsuitable directory", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { backup, data } = yield* places
      const options = { installation: data, target: `${backup}-2`, withKeys: true, madeAt: "" }
      const refusal = (changes: object) => refusalOf(requireBackupPossible({ ...options, ...changes }))
      assert.match(yield* refusal({}), /there is no embedded database in/)
      yield* restoreBackup(data, backup)
      yield* requireBackupPossible(options)
      assert.match(yield* refusal({ target: backup }), /is not empty: choose a new directory/)
      assert.match(yield* refusal({ target: path.join(data, "backup") }), /choose a place outside/)
      fs.rmSync(path.join(data, "keys", "secret-key"))
      assert.match(yield* refusal({}), /keys\/secret-key are not in .*: leave out --with-keys/)
    })
  )
)

it.effect("the trust file is printed from keys that are there, and makes none", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const data = yield* temporaryDirectory
      const alone = InstallationKeys.issuerKeysAlone.pipe(
        Layer.provide(Configuration.layer),
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({ DATA_DIR: data })))
      )
      assert.match(yield* refusalOf(Layer.build(alone)), /there are no issuer keys in .*issuer-keys\.json/)
      assert.deepStrictEqual(fs.readdirSync(data), [])
    })
  )
)
