/**
 * Restores a backup where no installation exists. All files are copied and checked beside the target; renaming that
 * directory to `database/` is the restore. The directory of people and the keys are inside it in `restored/`, and are
 * moved out afterwards by this command or, after a crash, by `after-restore`. While `restored/` exists, only
 * `after-restore` opens the database.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect } from "effect"
import { codeOf, makeDirectories } from "../directories.ts"
import { clusterName, ownerOf } from "../embedded-postgres/cluster.ts"
import { asEmbeddedError, attempt, EmbeddedPostgresError } from "../embedded-postgres/error.ts"
import { postgresUser, type PostgresUser } from "../embedded-postgres/paths.ts"
import { syncDirectory } from "../private-file.ts"
import { copyWithDigest, digestOfFile, isEmptyOrAbsent, syncTree } from "./files.ts"
import { manifestName, readManifest, type BackupFile, type Manifest } from "./manifest.ts"
import { withUnfinished } from "./unfinished-directory.ts"
import { traced } from "../../vocabulary/traced.ts"

const databaseOf = (installation: string): string => path.join(installation, "database")

/** Files that are not moved to their places yet; removed once `after-restore` has begun a new epoch. */
const waitingIn = (database: string): string => path.join(database, "restored")

/** Checks the backup and the target, then restores. Returns the backup's time and number of files. */
export const restoreBackup = traced("backup.restore")(function* (installation: string, backup: string) {
  const manifest = yield* readManifest(backup)
  yield* requireFree(installation, manifest)
  const database = databaseOf(installation)
  yield* attemptRestore(() => makeDirectories(installation, 0o711))
  yield* withUnfinished({ place: database, mark: "restoring", mode: 0o711 }, (unfinished) =>
    Effect.gen(function* () {
      yield* copyFiles(unfinished, backup, manifest, postgresUser())
      // Not interrupted between the two: a failed restore leaves nothing behind.
      yield* Effect.uninterruptible(Effect.andThen(rename(unfinished, database), finishRestore(installation)))
    })
  )
  return { madeAt: manifest.madeAt, files: manifest.files.length }
})

const notRestored = "the backup cannot be restored"

const attemptRestore = <A>(action: () => A) => attempt(notRestored, action)

/** A rename replaces an empty directory only: the files of a concurrent start are kept. */
const rename = (unfinished: string, database: string) =>
  attemptRestore(() => {
    try {
      fs.renameSync(unfinished, database)
    } catch (cause) {
      throw ["ENOTEMPTY", "EEXIST"].includes(codeOf(cause)) ? notEmpty(database) : cause
    }
    syncDirectory(path.dirname(database))
  })

const notEmpty = (database: string) =>
  new EmbeddedPostgresError({ message: `${database} is not empty: move it away first` })

/** Overwrites nothing: an existing file must be identical, or be moved away first. */
const requireFree = Effect.fnUntraced(function* (installation: string, { files }: Manifest) {
  const database = databaseOf(installation)
  const owner = yield* ownerOf(database)
  yield* attemptRestore(() => {
    if (owner !== undefined) {
      const message = `${database} is in use by ${owner}: stop it and move ${database} away`
      throw new EmbeddedPostgresError({ message })
    }
    if (!isEmptyOrAbsent(database)) throw notEmpty(database)
    const conflicts = files
      .filter(isOutside)
      .map(({ path: name, sha256 }) => ({ there: path.join(installation, name), sha256 }))
      .filter(({ there, sha256 }) => fs.existsSync(there) && digestOfFile(there) !== sha256)
    if (conflicts.length === 0) return
    const names = conflicts.map(({ there }) => there).join(" and ")
    throw new EmbeddedPostgresError({ message: `${names} differs from the backup: move it away first` })
  })
})

const isOutside = ({ path: name }: BackupFile): boolean => !name.startsWith("database/")

const copyFiles = Effect.fnUntraced(function* (
  unfinished: string,
  backup: string,
  manifest: Manifest,
  user: PostgresUser
) {
  const waiting = waitingIn(unfinished)
  const cursorOf = (name: string): string =>
    name.startsWith("database/") ? path.join(unfinished, name.slice("database/".length)) : path.join(waiting, name)
  // Postgres refuses a cluster that other users may enter, and runs as the user nobody where this process runs as root.
  const setOwner = (place: string): void => {
    const isOfCluster = !path.relative(path.join(unfinished, clusterName), place).startsWith("..")
    if (user !== undefined && isOfCluster) fs.chownSync(place, user.uid, user.gid)
  }
  const copy = (name: string, to: string) =>
    Effect.mapError(copyWithDigest(path.join(backup, name), to), asEmbeddedError(notRestored))
  yield* attemptRestore(() => {
    for (const directory of [waiting, path.join(waiting, "keys")]) fs.mkdirSync(directory, { mode: 0o700 })
    for (const name of manifest.directories) {
      fs.mkdirSync(cursorOf(name), { mode: 0o700 })
      setOwner(cursorOf(name))
    }
  })
  for (const { path: name, bytes, sha256 } of manifest.files) {
    const copied = yield* copy(name, cursorOf(name))
    if (copied.bytes !== bytes || copied.sha256 !== sha256) {
      return yield* new EmbeddedPostgresError({
        message: `${path.join(backup, name)} is not the file of the manifest: the backup is damaged, and nothing was restored`
      })
    }
    yield* attemptRestore(() => setOwner(cursorOf(name)))
  }
  yield* copy(manifestName, path.join(waiting, manifestName))
  yield* attemptRestore(() => syncTree(unfinished))
})

/** True from the restore until a new epoch has begun. */
export const requiresNewEpoch = (installation: string): boolean => fs.existsSync(waitingIn(databaseOf(installation)))

/** Why the database cannot be opened before that, as a message for the operator. */
export const newEpochRequired = (installation: string): string =>
  `the data in ${installation} was restored from a backup: run \`countersign admin after-restore\` first`

/**
 * Moves the files in `restored/` to their places; idempotent. A different file that was put there in the meantime is not
 * overwritten.
 */
export const finishRestore = (installation: string) =>
  attempt("what was restored cannot be moved to its place", () => {
    const waiting = waitingIn(databaseOf(installation))
    if (!fs.existsSync(waiting)) return
    const moves = ["directory.json", "keys/issuer-keys.json", "keys/secret-key"]
      .map((name) => ({ from: path.join(waiting, name), to: path.join(installation, name) }))
      .filter(({ from }) => fs.existsSync(from))
    const blocked = moves.find(({ from, to }) => fs.existsSync(to) && digestOfFile(to) !== digestOfFile(from))
    if (blocked !== undefined) {
      const message = `${blocked.to} differs from the restored ${blocked.from}: move one of the two away, then try again`
      throw new EmbeddedPostgresError({ message })
    }
    for (const { from, to } of moves) {
      makeDirectories(path.dirname(to), 0o700)
      fs.renameSync(from, to)
      syncDirectory(path.dirname(to))
    }
    syncDirectory(installation)
  })

/** Allows the database to be opened again, after a new epoch has begun. */
export const concludeRestore = (installation: string) =>
  attempt("the mark of the restore cannot be removed", () => {
    const database = databaseOf(installation)
    fs.rmSync(waitingIn(database), { recursive: true, force: true })
    if (fs.existsSync(database)) syncDirectory(database)
  })
