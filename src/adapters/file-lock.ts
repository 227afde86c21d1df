/**
 * Locks between the processes of one machine. The kernel holds them and releases them when a process ends in any way, so
 * no crash leaves a stale lock and no timeout lets a second process in. Node has no call for such locks, but its SQLite
 * takes them (POSIX record locks) on the file of a database: the file stays empty and is never removed.
 */
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Data, Effect, Schedule } from "effect"
import { makeDirectories } from "./directories.ts"

export type LockMode = "shared" | "exclusive"

export interface FileLock {
  readonly release: () => void
}

/** Names the lock that another process held for too long. */
export class FileLockError extends Data.TaggedError("FileLockError")<{ readonly message: string }> {}

/** Takes a lock now; undefined where a process, this one included, holds a conflicting one. */
export const takeFileLock = (file: string, mode: LockMode): FileLock | undefined => {
  makeDirectories(path.dirname(file), 0o700)
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec(statements[mode])
    return { release: () => database.close() }
  } catch (cause) {
    database.close()
    if (isBusy(cause)) return undefined
    throw cause
  }
}

// A read transaction takes its lock at its first read.
const statements = { exclusive: "begin exclusive", shared: "begin; select count(*) from sqlite_schema" } as const

/** Runs an effect while this process holds the lock exclusively; waits for others, up to half a minute. */
export const withFileLock = <A, E, R>(file: string, effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    acquireExclusive(file),
    () => effect,
    (lock) => Effect.sync(lock.release)
  )

/** Waits until no other process holds the lock, then takes it. */
const acquireExclusive = (file: string): Effect.Effect<FileLock, FileLockError> =>
  Effect.try({
    try: () => takeFileLock(file, "exclusive"),
    catch: () => new FileLockError({ message: `the lock ${file} cannot be opened: check who owns it` })
  }).pipe(
    Effect.flatMap((lock) => (lock === undefined ? Effect.fail("BUSY" as const) : Effect.succeed(lock))),
    Effect.retry({ while: (error) => error === "BUSY", schedule: Schedule.spaced("20 millis"), times: 1500 }),
    Effect.mapError((error) =>
      error === "BUSY"
        ? new FileLockError({ message: `another process has held ${file} for half a minute: end it, then try again` })
        : error
    )
  )

const isBusy = (cause: unknown): boolean =>
  cause instanceof Error && "errcode" in cause && (Number(cause.errcode) & 0xff) === sqliteBusy

const sqliteBusy = 5
