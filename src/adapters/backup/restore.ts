/**
 * Puts a backup into the place of an installation that is not there. Everything is copied and checked beside it, then
 * `database/` gets its name: that one step is the restore. What lies outside of it, the directory of people and the
 * keys, waits inside in `restored/` and is moved out after it, by this command or, after a crash, by `after-restore`.
 * While `restored/` is there, nothing but `after-restore` opens the database.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect } from "effect"
import { clusterName, ownerOf } from "../embedded-postgres/cluster.ts"
import { attempt, EmbeddedPostgresError } from "../embedded-postgres/error.ts"
import { postgresUser, type PostgresUser } from "../embedded-postgres/places.ts"
import { isAlive } from "../embedded-postgres/processes.ts"
import { syncDirectory } from "../private-file.ts"
import { copyWithDigest, digestOfFile, isEmptyOrAbsent, syncTree } from "./files.ts"
import { manifestName, readManifest, type BackupFile, type Manifest } from "./manifest.ts"

const databaseOf = (installation: string): string => path.join(installation, "database")

/** Files that are not yet moved to their places; removed once `after-restore` has begun a new epoch. */
const waitingIn = (database: string): string => path.join(database, "restored")

/** Checks the backup and the place, then restores. Says what was restored. */
export const restoreBackup = Effect.fn("backup.restore")(function* (installation: string, backup: string) {
  const manifest = yield* readManifest(backup)
  yield* requireFree(installation, manifest)
  const database = databaseOf(installation)
  yield* attempt("the backup cannot be restored", () => {
    fs.mkdirSync(installation, { recursive: true, mode: 0o711 })
    removeUnfinished(installation)
    const unfinished = `${database}${unfinishedMark}${process.pid}`
    try {
      fill(unfinished, backup, manifest, postgresUser())
      fs.renameSync(unfinished, database)
    } finally {
      fs.rmSync(unfinished, { recursive: true, force: true })
    }
    syncDirectory(installation)
  })
  yield* finishRestore(installation)
  return { madeAt: manifest.madeAt, files: manifest.files.length }
})

const unfinishedMark = ".restoring-"

/** Removes the leftovers of a killed restore. */
const removeUnfinished = (installation: string): void => {
  for (const name of fs.readdirSync(installation)) {
    const [, pid] = name.split(`database${unfinishedMark}`)
    if (pid !== undefined && !isAlive(Number(pid))) fs.rmSync(path.join(installation, name), { recursive: true })
  }
}

/** Nothing is overwritten: an existing file must be equal to that of the backup. */
const requireFree = (installation: string, { files }: Manifest) =>
  Effect.suspend(() => {
    const refuse = (message: string) => Effect.fail(new EmbeddedPostgresError({ message }))
    const database = databaseOf(installation)
    const owner = ownerOf(database)
    if (owner !== undefined) return refuse(`${database} is in use by ${owner}: stop it and move ${database} away`)
    if (!isEmptyOrAbsent(database)) return refuse(`${database} is not empty: move it away first`)
    const others = files.filter(isOutside).filter(({ path: name, sha256 }) => {
      const there = path.join(installation, name)
      return fs.existsSync(there) && digestOfFile(there) !== sha256
    })
    if (others.length === 0) return Effect.void
    const named = others.map(({ path: name }) => path.join(installation, name)).join(" and ")
    return refuse(`${named} differs from the backup: move it away first`)
  })

const isOutside = ({ path: name }: BackupFile): boolean => !name.startsWith("database/")

const fill = (unfinished: string, backup: string, manifest: Manifest, user: PostgresUser): void => {
  const waiting = waitingIn(unfinished)
  fs.mkdirSync(unfinished, { mode: 0o711 })
  for (const directory of [waiting, path.join(waiting, "keys")]) fs.mkdirSync(directory, { mode: 0o700 })
  const placeOf = (name: string): string =>
    name.startsWith("database/") ? path.join(unfinished, name.slice("database/".length)) : path.join(waiting, name)
  // Postgres refuses a cluster that others may enter, and runs as nobody where we are root.
  const own = (place: string): void => {
    const isOfCluster = !path.relative(path.join(unfinished, clusterName), place).startsWith("..")
    if (user !== undefined && isOfCluster) fs.chownSync(place, user.uid, user.gid)
  }
  for (const name of manifest.directories) {
    fs.mkdirSync(placeOf(name), { mode: 0o700 })
    own(placeOf(name))
  }
  for (const { path: name, bytes, sha256 } of manifest.files) {
    const copied = copyWithDigest(path.join(backup, name), placeOf(name))
    if (copied.bytes !== bytes || copied.sha256 !== sha256) {
      throw new EmbeddedPostgresError({
        message: `${path.join(backup, name)} is not the file of the manifest: the backup is damaged, and nothing was restored`
      })
    }
    own(placeOf(name))
  }
  copyWithDigest(path.join(backup, manifestName), path.join(waiting, manifestName))
  syncTree(unfinished)
}

/** True from the restore until a new epoch was begun. */
export const waitsForEpoch = (installation: string): boolean => fs.existsSync(waitingIn(databaseOf(installation)))

/** What keeps the database from being opened meanwhile, in words for the operator. */
export const waitingForEpoch = (installation: string): string =>
  `the data in ${installation} was restored from a backup: run \`countersign admin after-restore\` first`

/** Moves the files in `restored/` to their places. Idempotent. */
export const finishRestore = (installation: string) =>
  attempt("what was restored cannot be moved to its place", () => {
    const waiting = waitingIn(databaseOf(installation))
    if (!fs.existsSync(waiting)) return
    for (const name of ["directory.json", "keys/issuer-keys.json", "keys/secret-key"]) {
      const [from, to] = [path.join(waiting, name), path.join(installation, name)]
      if (!fs.existsSync(from)) continue
      fs.mkdirSync(path.dirname(to), { recursive: true, mode: name.startsWith("keys/") ? 0o700 : 0o711 })
      fs.renameSync(from, to)
      syncDirectory(path.dirname(to))
    }
    syncDirectory(installation)
  })

/** After a new epoch was begun: the database may be opened again. */
export const concludeRestore = (installation: string) =>
  attempt("the mark of the restore cannot be removed", () => {
    const database = databaseOf(installation)
    fs.rmSync(waitingIn(database), { recursive: true, force: true })
    if (fs.existsSync(database)) syncDirectory(database)
  })
