/** The files of a cluster: the ownership of its directory, its password, and the data directory, created atomically. */
import * as crypto from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { spawnSync } from "node:child_process"
import { Effect, Redacted, type Scope } from "effect"
import { makeDirectories } from "../directories.ts"
import { takeFileLock, withFileLock, type FileLock } from "../file-lock.ts"
import type { Binaries } from "./binaries.ts"
import { replaceFile, syncDirectory, writeOnce } from "../private-file.ts"
import { attempt, EmbeddedPostgresError } from "./error.ts"
import { firstInaccessibleDirectory, type PostgresUser } from "./paths.ts"
import { isPostmasterReady } from "./postmaster.ts"

export const username = "countersign"

/**
 * Two processes on one directory would stop each other's Postgres. The kernel holds the lock for the lifetime of this
 * process; the record beside it only names the process.
 */
export const takeOwnership = (
  directory: string,
  user: PostgresUser
): Effect.Effect<void, EmbeddedPostgresError, Scope.Scope> => {
  const record = ownerFile(directory)
  const take = attempt("DATA_DIR: the directory cannot be used", () => {
    makeDirectories(directory, 0o711)
    const obstacle = firstInaccessibleDirectory(directory, user)
    if (obstacle === directory) fs.chmodSync(directory, 0o711)
    else if (obstacle !== undefined) {
      throw new EmbeddedPostgresError({
        message: `started by root, Postgres runs as nobody and cannot enter ${obstacle}: choose another place, or another user`
      })
    }
    const lock = takeFileLock(ownerLock(directory), "exclusive")
    if (lock === undefined) throw inUse(directory)
    fs.writeFileSync(record, String(process.pid))
    return lock
  })
  const release = (lock: FileLock) =>
    Effect.sync(() => {
      fs.rmSync(record, { force: true })
      lock.release()
    })
  return Effect.asVoid(Effect.acquireRelease(take, release))
}

/**
 * Keeps the owner's Postgres running while the scope lives: the owner waits for the commands that joined it. Fails until
 * its Postgres is ready, and while it stops.
 */
export const joinOwner = (directory: string): Effect.Effect<void, EmbeddedPostgresError, Scope.Scope> => {
  const join = attempt("the database of another process cannot be joined", () => {
    const lock = takeFileLock(joinedLock(directory), "shared")
    if (lock !== undefined && isPostmasterReady(dataDirectory(directory))) return lock
    lock?.release()
    throw inUse(directory)
  })
  return Effect.asVoid(Effect.acquireRelease(join, (lock) => Effect.sync(lock.release)))
}

/** Waits for the commands that joined this process, up to half a minute; no command can join while the effect runs. */
export const afterJoinedCommands = (directory: string, effect: Effect.Effect<void>): Effect.Effect<void> =>
  withFileLock(joinedLock(directory), effect).pipe(Effect.catch(() => effect))

/** The process that owns a cluster now, as its record names it; undefined where there is none. Changes nothing. */
export const ownerOf = (directory: string): Effect.Effect<string | undefined, EmbeddedPostgresError> => {
  const file = ownerLock(directory)
  return attempt(`${file} cannot be opened, so use the account that runs the server`, () => {
    if (!fs.existsSync(file)) return undefined
    const lock = takeFileLock(file, "shared")
    lock?.release()
    return lock === undefined ? nameOfOwner(directory) : undefined
  })
}

const ownerLock = (directory: string): string => path.join(directory, "owner.lock")

const joinedLock = (directory: string): string => path.join(directory, "joined.lock")

const inUse = (directory: string) =>
  new EmbeddedPostgresError({ message: `${directory} is in use by ${nameOfOwner(directory)}`, isInUse: true })

const nameOfOwner = (directory: string): string => {
  const record = ownerFile(directory)
  const owner = fs.existsSync(record) ? fs.readFileSync(record, "utf8") : ""
  return owner === "" ? "another process" : `process ${owner}`
}

const ownerFile = (directory: string): string => path.join(directory, "owner")

/** Generated once, readable by its owner only. */
export const readPassword = (directory: string): Effect.Effect<Redacted.Redacted, EmbeddedPostgresError> =>
  attempt("the password of the database cannot be kept", () => {
    const file = path.join(directory, "password")
    if (!fs.existsSync(file)) writeOnce(file, crypto.randomBytes(32).toString("base64url"))
    return Redacted.make(fs.readFileSync(file, "utf8"))
  })

/** The directory name of a cluster, after the major version of Postgres that its files require. */
export const clusterName = "postgres-18"

/** The path of the cluster in a directory. */
export const dataDirectory = (directory: string): string => path.join(directory, clusterName)

/** True once the cluster of a directory has been created. */
export const hasCluster = (directory: string): boolean =>
  fs.existsSync(path.join(dataDirectory(directory), "PG_VERSION"))

/** Initialised beside its final path and then renamed, so that an interrupted start leaves no partial cluster. */
export const makeCluster = (
  directory: string,
  binaries: Binaries,
  user: PostgresUser,
  password: Redacted.Redacted
): Effect.Effect<string, EmbeddedPostgresError> =>
  attempt("the database cannot be initialised", () => {
    const data = dataDirectory(directory)
    if (hasCluster(directory)) return data
    for (const entry of fs.readdirSync(directory)) {
      if (entry.startsWith("postgres-18.")) fs.rmSync(path.join(directory, entry), { recursive: true })
    }
    const unfinished = `${data}.${process.pid}`
    fs.mkdirSync(unfinished, { mode: 0o700 })
    const secret = path.join(directory, "initial-password")
    replaceFile(secret, Redacted.value(password))
    if (user !== undefined) for (const file of [unfinished, secret]) fs.chownSync(file, user.uid, user.gid)
    const result = spawnSync(
      binaries.initdb,
      [`--pgdata=${unfinished}`, `--username=${username}`, `--pwfile=${secret}`, ...clusterOptions],
      { ...user, cwd: "/", encoding: "utf8" }
    )
    fs.rmSync(secret, { force: true })
    if (result.status !== 0) throw new Error(result.error?.message ?? result.stderr)
    fs.renameSync(unfinished, data)
    syncDirectory(directory)
    return data
  })

const clusterOptions = ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--lc-messages=C"]
