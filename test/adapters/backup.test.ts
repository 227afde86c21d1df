/** Refusals of a backup and a restore, and the state after a damaged or killed restore; without a Postgres. */
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { setImmediate } from "node:timers/promises"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, Fiber, Layer } from "effect"
import { requireBackupPossible } from "../../src/adapters/backup/backup.ts"
import { concludeRestore, finishRestore, restoreBackup, requiresNewEpoch } from "../../src/adapters/backup/restore.ts"
import { withUnfinished } from "../../src/adapters/backup/unfinished-directory.ts"
import { Configuration } from "../../src/adapters/configuration.ts"
import { issuerKeysOnly } from "../../src/adapters/installation-keys.ts"
import { unmigratedDatabase } from "../../src/adapters/database.ts"
import { ownerOf } from "../../src/adapters/embedded-postgres/cluster.ts"
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

/** A backup, and the path of an installation that does not exist. */
const installationPaths = Effect.gen(function* () {
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

it.effect("A restore puts every file of a backup in its place and requires after-restore.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { backup, data } = yield* installationPaths
      const restored = yield* restoreBackup(data, backup)
      assert.deepStrictEqual(restored, { madeAt: "2026-11-21T12:00:00.000Z", files: 6 })
      assert.isTrue(requiresNewEpoch(data))
      yield* concludeRestore(data)
      assert.isFalse(requiresNewEpoch(data))
      assert.deepStrictEqual(filesIn(data), Object.keys(contents).sort())
      for (const name of Object.keys(contents)) {
        assert.strictEqual(fs.readFileSync(path.join(data, name), "utf8"), contents[name])
        assert.strictEqual(fs.statSync(path.join(data, name)).mode & 0o777, 0o600)
      }
      assert.isTrue(fs.statSync(path.join(data, "database/postgres-18/pg_wal")).isDirectory())
    })
  )
)

it.effect("A restore of a damaged backup leaves nothing behind.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { backup, data, write } = yield* installationPaths
      write("database/postgres-18/base/1", "rowz")
      assert.match(yield* refusalOf(restoreBackup(data, backup)), /base\/1 is not the file of the manifest/)
      assert.deepStrictEqual(fs.readdirSync(data), [])
      fs.rmSync(path.join(backup, "database/postgres-18/base/1"))
      assert.match(yield* refusalOf(restoreBackup(data, backup)), /cannot be restored: .*base\/1/)
      assert.deepStrictEqual(fs.readdirSync(data), [])
    })
  )
)

const manifests: ReadonlyArray<readonly [name: string, text: string, message: RegExp]> = [
  ["that is not JSON", "{", /manifest\.json does not have the documented form/],
  [
    "with a path outside the backup",
    JSON.stringify(manifest({ files: [{ path: "database/../../x", bytes: 0, sha256: "0".repeat(64) }] })),
    /manifest\.json does not have the documented form/
  ],
  ["of another platform", JSON.stringify(manifest({ platform: "plan9-mips" })), /postgres-18 on plan9-mips/],
  ["of another Postgres", JSON.stringify(manifest({ cluster: "postgres-19" })), /is of postgres-19/]
]

for (const [name, text, message] of manifests) {
  it.effect(`A manifest ${name} is refused before anything is written.`, () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { backup, data, write } = yield* installationPaths
        write("manifest.json", text)
        assert.match(yield* refusalOf(restoreBackup(data, backup)), message)
        assert.isFalse(fs.existsSync(data))
      })
    )
  )
}

it.effect("A restore overwrites neither a database nor different keys.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { backup, data } = yield* installationPaths
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
  "A restore killed before the database was in place can be repeated; one killed later is finished by after-restore.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { backup, data } = yield* installationPaths
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

it.live("An interrupted restore ends at once and leaves nothing behind.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { backup, data, write } = yield* installationPaths
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

it.live("A command removes the unfinished directories of killed commands and keeps those of running ones.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const unfinished = { place: path.join(directory, "made"), mark: "unfinished", mode: 0o700 }
      // With the process number of a live process: this one.
      const killed = `made.unfinished-${process.pid}`
      fs.mkdirSync(path.join(directory, killed, "keys"), { recursive: true })
      fs.mkdirSync(path.join(directory, "made.unfinished-notes"))
      const names = () =>
        fs
          .readdirSync(directory)
          .filter((name) => !name.endsWith("-journal"))
          .sort()
      yield* withUnfinished(unfinished, (first) =>
        Effect.gen(function* () {
          const made = [path.basename(first), `${path.basename(first)}.lock`, "made.unfinished-notes"].sort()
          assert.deepStrictEqual(names(), made)
          yield* withUnfinished(unfinished, (second) => Effect.sync(() => fs.renameSync(second, unfinished.place)))
          assert.deepStrictEqual(names(), ["made", ...made])
        })
      )
      assert.deepStrictEqual(fs.readdirSync(directory).sort(), ["made", "made.unfinished-notes"])
    })
  )
)

it.effect("Keys that were put in place after a crash are not overwritten by the restored ones.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { backup, data } = yield* installationPaths
      yield* restoreBackup(data, backup)
      const waiting = path.join(data, "database", "restored")
      const [restored, found] = [path.join(waiting, "keys", "secret-key"), path.join(data, "keys", "secret-key")]
      fs.renameSync(found, restored)
      fs.renameSync(path.join(data, "directory.json"), path.join(waiting, "directory.json"))
      fs.writeFileSync(found, "another key")
      const message = yield* refusalOf(finishRestore(data))
      assert.strictEqual(
        message,
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

it.effect("A database created while the backup was copied is kept, and the restore is refused.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { backup, data } = yield* installationPaths
      const made = path.join(data, "database", "owner.lock")
      const start = Effect.promise(async () => {
        while (!fs.existsSync(data) || fs.readdirSync(data).length === 0) await setImmediate()
        fs.mkdirSync(path.dirname(made))
        fs.writeFileSync(made, "")
      })
      const refusal = refusalOf(restoreBackup(data, backup))
      const [message] = yield* Effect.all([refusal, start], { concurrency: "unbounded" })
      assert.strictEqual(message, `${path.join(data, "database")} is not empty: move it away first`)
      assert.deepStrictEqual(filesIn(data), ["database/owner.lock"])
    })
  )
)

it.live("A start that runs concurrently with a restore is refused.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { backup, data } = yield* installationPaths
      yield* restoreBackup(data, backup)
      fs.rmSync(path.join(data, "database", "postgres-18"), { recursive: true })
      const waiting = path.join(data, "database", "restored")
      fs.renameSync(waiting, `${waiting}-later`)
      // The mark of a restore is checked twice: here it appears once the directory is owned.
      const restore = Effect.promise(async () => {
        while (!fs.existsSync(path.join(data, "database", "owner"))) await setImmediate()
        fs.renameSync(`${waiting}-later`, waiting)
      })
      const opening = unmigratedDatabase.pipe(
        Effect.provide(Configuration.layer),
        Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord({ DATA_DIR: data })),
        Effect.scoped
      )
      const [message] = yield* Effect.all([refusalOf(opening), restore], { concurrency: "unbounded" })
      assert.match(message, /was restored from a backup: run `countersign admin after-restore` first/)
    })
  )
)

it.effect("A directory or lock that cannot be opened is refused with a sentence.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { backup, data } = yield* installationPaths
      const lock = path.join(data, "database", "owner.lock")
      fs.mkdirSync(lock, { recursive: true })
      const message = /owner\.lock cannot be opened, so use the account that runs the server: /
      assert.match(yield* refusalOf(ownerOf(path.join(data, "database"))), message)
      assert.match(yield* refusalOf(restoreBackup(data, backup)), message)
      assert.match(yield* refusalOf(restoreBackup("/proc/nothing/here", backup)), /cannot be restored: ENOENT/)
      const nowhere = { place: "/proc/nothing/here", mark: "unfinished", mode: 0o700 }
      assert.match(
        yield* refusalOf(withUnfinished(nowhere, () => Effect.void)),
        /^no directory can be made beside \/proc\/nothing\/here: ENOENT/
      )
    })
  )
)

it.effect("A backup is refused without a database, and into a non-empty or unsuitable directory.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { backup, data } = yield* installationPaths
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

it.effect("The trust file is printed from existing keys; none are generated for it.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const data = yield* temporaryDirectory
      const keysOnly = issuerKeysOnly.pipe(
        Layer.provide(Configuration.layer),
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({ DATA_DIR: data })))
      )
      assert.match(yield* refusalOf(Layer.build(keysOnly)), /there are no issuer keys in .*issuer-keys\.json/)
      assert.deepStrictEqual(fs.readdirSync(data), [])
    })
  )
)
