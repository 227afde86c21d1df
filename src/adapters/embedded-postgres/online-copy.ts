/**
 * A copy of a cluster while it runs, as the documentation of Postgres describes a base backup: between
 * `pg_backup_start` and `pg_backup_stop` the files may change, and the write-ahead log from the one to the other makes
 * the copy whole when it is started. A replication slot keeps that log.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { ConnectionOptions } from "../postgres-storage/connections.ts"
import { attempt, EmbeddedPostgresError } from "./error.ts"

/** Takes each directory and file of the copy, by its path below the cluster; `from` is where it is read. */
export interface Copy {
  readonly directory: (name: string) => void
  readonly file: (name: string, from: string) => void
  readonly text: (name: string, text: string) => void
}

export const copyCluster = Effect.fnUntraced(function* (
  connection: ConnectionOptions,
  data: string,
  copy: Copy
): Effect.fn.Return<void, EmbeddedPostgresError, Scope.Scope> {
  const session = yield* asEmbedded(
    PgConnection.make({ ...connection, applicationName: "countersign backup", startupParameters: { timezone: "UTC" } })
  )
  const first = (statement: string) => asEmbedded(Effect.map(session.queryValues(statement), ([row]) => row!))
  yield* first(
    "select slot_name::text from pg_create_physical_replication_slot('countersign_' || pg_backend_pid(), true, true)"
  )
  yield* first("select pg_backup_start('countersign backup', true)::text")
  yield* attempt("the backup cannot be written", () => copyBelow(data, "", copy))
  const [label, lastSegment] = (yield* first(
    "select labelfile::text, pg_walfile_name(lsn)::text from pg_backup_stop(false)"
  )) as readonly [string, string]
  const firstSegment = /\(file ([0-9A-F]{24})\)/.exec(label)![1]!
  yield* attempt("the backup cannot be written", () => {
    const log = path.join(data, "pg_wal")
    for (const name of fs.readdirSync(log)) {
      const isNeeded = /^[0-9A-F]{24}$/.test(name) && firstSegment <= name && name <= lastSegment
      if (isNeeded || name.endsWith(".history")) copy.file(`pg_wal/${name}`, path.join(log, name))
    }
    copy.file(control, path.join(data, control))
    copy.text("backup_label", label)
  })
})

// Read after everything else: it names the checkpoint from which the rest is made whole.
const control = "global/pg_control"

/** These directories are empty in a cluster that begins to run. */
const emptied = /^(?:pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)$/
const leftOut = /^(?:postmaster\.(?:pid|opts)|backup_label|tablespace_map|pg_internal\.init.*|pgsql_tmp.*)$/

const copyBelow = (data: string, below: string, copy: Copy): void => {
  for (const entry of entriesOf(path.join(data, below))) {
    const name = path.posix.join(below, entry.name)
    if (leftOut.test(entry.name) || name === control) continue
    if (entry.isDirectory()) {
      copy.directory(name)
      if (!emptied.test(name)) copyBelow(data, name, copy)
    } else if (entry.isFile()) ifThere(() => copy.file(name, path.join(data, name)))
  }
}

const entriesOf = (directory: string): ReadonlyArray<fs.Dirent> => {
  let entries: ReadonlyArray<fs.Dirent> = []
  ifThere(() => (entries = fs.readdirSync(directory, { withFileTypes: true })))
  return entries
}

/** What is dropped meanwhile is dropped again by the log. */
const ifThere = (use: () => void): void => {
  try {
    use()
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ENOENT")) throw cause
  }
}

const asEmbedded = <A, R>(effect: Effect.Effect<A, SqlError, R>) =>
  Effect.mapError(effect, (error) => {
    const { cause } = error.reason
    const told = cause instanceof Error ? cause.message : error.message
    return new EmbeddedPostgresError({ message: `Postgres cannot be backed up: ${told}` })
  })
