/**
 * Copies a cluster while it runs, as the documentation of Postgres describes a base backup: between `pg_backup_start`
 * and `pg_backup_stop` the files may change, and the write-ahead log of that period makes the copy consistent when it is
 * started. A replication slot keeps that log.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, type Scope } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { limits } from "../../vocabulary/limits.ts"
import { type DatabaseNotUsable, openAtStart } from "../database-start.ts"
import { codeOf } from "../directories.ts"
import type { SessionOptions } from "../postgres-connection.ts"
import type { ConnectionOptions } from "../postgres-storage/connections.ts"
import { sqlMessage } from "../sql-message.ts"
import { asEmbeddedError, attempt, EmbeddedPostgresError } from "./error.ts"

/** Receives each directory and file of the copy, by its path below the cluster; `from` is the path to read. */
export interface Copy {
  readonly directory: (name: string) => Effect.Effect<void, EmbeddedPostgresError>
  /** Fails with `ENOENT` where the file does not exist. */
  readonly file: (name: string, from: string) => Effect.Effect<void, NodeJS.ErrnoException>
  readonly text: (name: string, text: string) => Effect.Effect<void, EmbeddedPostgresError>
}

export const copyCluster = Effect.fnUntraced(function* (
  connection: ConnectionOptions,
  data: string,
  copy: Copy
): Effect.fn.Return<void, EmbeddedPostgresError, Scope.Scope> {
  // No deadline for answers: the checkpoint of `pg_backup_start` takes long.
  const open = yield* asEmbedded(openAtStart(connection, sessionOptions, limits.databaseStart))
  const first = (statement: string) => asEmbedded(Effect.map(open.connection.queryValues(statement), ([row]) => row!))
  yield* first(
    "select slot_name::text from pg_create_physical_replication_slot('countersign_' || pg_backend_pid(), true, true)"
  )
  yield* first("select pg_backup_start('countersign backup', true)::text")
  yield* copyFiles(data, copy)
  const [label, lastSegment] = (yield* first(
    "select labelfile::text, pg_walfile_name(lsn)::text from pg_backup_stop(false)"
  )) as readonly [string, string]
  const firstSegment = /\(file ([0-9A-F]{24})\)/.exec(label)![1]!
  const segments = (yield* read(() => fs.readdirSync(path.join(data, "pg_wal")))).filter(
    (name) => name.endsWith(".history") || (/^[0-9A-F]{24}$/.test(name) && firstSegment <= name && name <= lastSegment)
  )
  for (const name of [...segments.map((segment) => `pg_wal/${segment}`), control]) {
    yield* Effect.mapError(copy.file(name, path.join(data, name)), asEmbeddedError(notCopied))
  }
  yield* copy.text("backup_label", label)
})

const sessionOptions: SessionOptions = {
  applicationName: "countersign backup",
  settings: { TimeZone: "UTC" },
  multiplex: false
}

const notCopied = "the backup cannot be written"

const read = <A>(action: () => A) => attempt(notCopied, action)

// Copied after everything else: it names the checkpoint from which recovery starts.
const control = "global/pg_control"

/** These directories are empty in a cluster that starts. */
const emptied = /^(?:pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)$/
const omitted = /^(?:postmaster\.(?:pid|opts)|backup_label|tablespace_map|pg_internal\.init.*|pgsql_tmp.*)$/

/** A file created after this list is in the log, and a file dropped after it is dropped again by the log. */
const copyFiles = Effect.fnUntraced(function* (data: string, copy: Copy) {
  const entries = yield* read(() => [...entriesBelow(data, "")])
  yield* Effect.forEach(
    entries,
    ({ name, isDirectory }) =>
      isDirectory
        ? copy.directory(name)
        : copy.file(name, path.join(data, name)).pipe(
            Effect.catchIf(isAbsent, () => Effect.void),
            Effect.mapError(asEmbeddedError(notCopied))
          ),
    { discard: true }
  )
})

interface Entry {
  readonly name: string
  readonly isDirectory: boolean
}

function* entriesBelow(data: string, below: string): Generator<Entry> {
  for (const entry of entriesOf(path.join(data, below))) {
    const name = path.posix.join(below, entry.name)
    if (omitted.test(entry.name) || name === control) continue
    const isDirectory = entry.isDirectory()
    if (isDirectory || entry.isFile()) yield { name, isDirectory }
    if (isDirectory && !emptied.test(name)) yield* entriesBelow(data, name)
  }
}

const entriesOf = (directory: string): ReadonlyArray<fs.Dirent> => {
  try {
    return fs.readdirSync(directory, { withFileTypes: true })
  } catch (cause) {
    if (isAbsent(cause)) return []
    throw cause
  }
}

const isAbsent = (cause: unknown): boolean => codeOf(cause) === "ENOENT"

const asEmbedded = <A, R>(effect: Effect.Effect<A, SqlError | DatabaseNotUsable, R>) =>
  Effect.mapError(effect, (error) => {
    const reason = isSqlError(error) ? sqlMessage(error) : error.message
    return new EmbeddedPostgresError({ message: `Postgres cannot be backed up: ${reason}` })
  })
