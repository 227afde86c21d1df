/** What a backup and a restore refuse, and what a restore leaves where it is damaged or killed; without a Postgres. */
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { setImmediate } from "node:timers/promises"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, Fiber, Layer } from "effect"
import { requireBackupPossible } from "../../src/adapters/backup/backup.ts"
import { concludeRestore, finishRestore, restoreBackup, waitsForEpoch } from "../../src/adapters/backup/restore.ts"
import { withUnfinished } from "../../src/adapters/backup/unfinished.ts"
import { Configuration } from "../../src/adapters/configuration.ts"
import { embeddedDatabase } from "../../src/adapters/database.ts"
import { ownerOf } from "../../src/adapters/embedded-postgres/cluster.ts"
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

it.live("an interrupted restore ends at once and leaves nothing behind", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { backup, data, write } = yield* places
      const large = "database/postgres-18/base/1"
      const bytes = 64 << 20
      const sha256 = createHash("sha256").update(Buffer.alloc(bytes)).digest("hex")
      write(large, "")
      fs.truncateSync(path.join(backup, large), bytes)
      const files = manifest().files.map((file) => (file.path === large ? { ...file, bytes, sha256 } : file))
      write("manifest.json", JSON.stringify(manifest({ files })))
      const restoring = yield* Effect.forkChild(restoreBackup(data, backup))
      const isCopying = (name: string) => name.endsWith("base/1")
      while (!fs.existsSync(data) || !fs.readdirSync(data, { recursive: true, encoding: "utf8" }).some(isCopying)) {
        yield* Effect.promise(() => setImmediate())
      }
      yield* Fiber.interrupt(restoring)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(restoring)))
      assert.deepStrictEqual(fs.readdirSync(data), [])
    })
  )
)

it.live("what a killed command left is removed by the next one, and what a living one makes is not", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const naming = { place: path.join(directory, "made"), mark: "unfinished", mode: 0o700 }
      // Of a process number that lives again: this one.
      const killed = `made.unfinished-${process.pid}`
      fs.mkdirSync(path.join(directory, killed, "keys"), { recursive: true })
      fs.mkdirSync(path.join(directory, "made.unfinished-notes"))
      const names = () =>
        fs
          .readdirSync(directory)
          .filter((name) => !name.endsWith("-journal"))
          .sort()
      yield* withUnfinished(naming, (first) =>
        Effect.gen(function* () {
          const made = [path.basename(first), `${path.basename(first)}.lock`, "made.unfinished-notes"].sort()
          assert.deepStrictEqual(names(), made)
          yield* withUnfinished(naming, (second) => Effect.sync(() => fs.renameSync(second, naming.place)))
          assert.deepStrictEqual(names(), ["made", ...made])
        })
      )
      assert.deepStrictEqual(fs.readdirSync(directory).sort(), ["made", "made.unfinished-notes"])
    })
  )
)

it.effect("keys that were put in place after a crash are not overwritten by the restored ones", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { backup, data } = yield* places
      yield* restoreBackup(data, backup)
      const waiting = path.join(data, "database", "restored")
      const [restored, found] = [path.join(waiting, "keys", "secret-key"), path.join(data, "keys", "secret-key")]
      fs.renameSync(found, restored)
      fs.renameSync(path.join(data, "directory.json"), path.join(waiting, "directory.json"))
      fs.writeFileSync(found, "another key")
      const told = yield* refusalOf(finishRestore(data))
      assert.strictEqual(
        told,
        `${found} differs from the restored ${restored}: move one of the two away, then try again`
      )
      assert.strictEqual(fs.readFileSync(found, "utf8"), "another key")
      assert.isFalse(fs.existsSync(path.join(data, "directory.json")), "nothing else is moved, either")
      fs.rmSync(found)
      yield* finishRestore(data)
      assert.strictEqual(fs.readFileSync(found, "utf8"), contents["keys/secret-key"])
    })
  )
)

it.effect("a database that came while the backup was copied is kept, and the restore is refused", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { backup, data } = yield* places
      const made = path.join(data, "database", "owner.lock")
      const start = Effect.promise(async () => {
        while (!fs.existsSync(data) || fs.readdirSync(data).length === 0) await setImmediate()
        fs.mkdirSync(path.dirname(made))
        fs.writeFileSync(made, "")
      })
      const refusal = refusalOf(restoreBackup(data, backup))
      const [told] = yield* Effect.all([refusal, start], { concurrency: "unbounded" })
      assert.strictEqual(told, `${path.join(data, "database")} is not empty: move it away first`)
      assert.deepStrictEqual(filesIn(data), ["database/owner.lock"])
    })
  )
)

it.live("a start that had looked before a restore gave the database its name serves nothing", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { backup, data } = yield* places
      yield* restoreBackup(data, backup)
      fs.rmSync(path.join(data, "database", "postgres-18"), { recursive: true })
      const waiting = path.join(data, "database", "restored")
      fs.renameSync(waiting, `${waiting}-later`)
      // The place is looked at twice: a process of the test puts the mark there once the directory is owned.
      const restore = Effect.promise(async () => {
        while (!fs.existsSync(path.join(data, "database", "owner"))) await setImmediate()
        fs.renameSync(`${waiting}-later`, waiting)
      })
      const opening = embeddedDatabase.pipe(
        Effect.provide(Configuration.layer),
        Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord({ DATA_DIR: data })),
        Effect.scoped
      )
      const [told] = yield* Effect.all([refusalOf(opening), restore], { concurrency: "unbounded" })
      assert.match(told, /was restored from a backup: run `countersign admin after-restore` first/)
    })
  )
)

it.effect("a directory or lock that cannot be opened is refused with a sentence", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { backup, data } = yield* places
      const lock = path.join(data, "database", "owner.lock")
      fs.mkdirSync(lock, { recursive: true })
      const told = /owner\.lock cannot be opened, so use the account that runs the server: /
      assert.match(yield* refusalOf(ownerOf(path.join(data, "database"))), told)
      assert.match(yield* refusalOf(restoreBackup(data, backup)), told)
      assert.match(yield* refusalOf(restoreBackup("/proc/nothing/here", backup)), /cannot be restored: ENOENT/)
      const nowhere = { place: "/proc/nothing/here", mark: "unfinished", mode: 0o700 }
      assert.match(
        yield* refusalOf(withUnfinished(nowhere, () => Effect.void)),
        /^no directory can be made beside \/proc\/nothing\/here: ENOENT/
      )
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
