/** Sizes from the catalog and the statistics, and growth from a sample of pages: no table is read in full. */
import * as fs from "node:fs"
import { Data, Effect } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import { limits } from "../../vocabulary/limits.ts"
import { openAtStart } from "../database-start.ts"
import { nearestExisting } from "../directories.ts"
import type { SessionOptions } from "../postgres-connection.ts"
import type { ConnectionOptions } from "../postgres-storage/connections.ts"
import { sqlMessage } from "../sql-message.ts"
import type { DatabaseSizes, FreeSpace, TableSize } from "./report.ts"

export class SizesError extends Data.TaggedError("SizesError")<{ readonly message: string }> {}

const session: SessionOptions = {
  applicationName: "countersign sizes",
  settings: { lock_timeout: "2s", TimeZone: "UTC" },
  multiplex: false
}

export const readSizes = (connection: ConnectionOptions): Effect.Effect<DatabaseSizes, SizesError> =>
  Effect.gen(function* () {
    const open = yield* openAtStart(connection, session, limits.databaseStart)
    const query = (sql: string) => open.answered(open.connection.queryValues(sql, [], false))
    yield* query("begin read only")
    const tables = (yield* query(tablesText)).map(tableOf)
    if (!tables.some(({ table }) => table === "projects")) {
      return yield* new SizesError({
        message: "the database has no tables of Countersign: start the service on it once"
      })
    }
    const [[pages = 0, projects = 0] = []] = yield* query(projectsText)
    const percent = Math.min(100, (limits.sizesPagesSampled / Math.max(1, Number(pages))) * 100)
    const [[sampled = 0, recent = 0, ageDays = 0] = []] = yield* query(creationText(percent))
    return {
      tables,
      projects: Number(projects),
      creation: { sampled: Number(sampled), recent: Number(recent), ageDays: Number(ageDays) },
      periodDays: limits.sizesGrowthDays
    } satisfies DatabaseSizes
  }).pipe(
    Effect.scoped,
    Effect.mapError((error) =>
      error instanceof SizesError
        ? error
        : new SizesError({ message: isSqlError(error) ? sqlMessage(error) : error.message })
    )
  )

/** The free bytes of the file system of a directory, for this user. */
export const freeSpaceOf = (directory: string): FreeSpace => {
  const { bavail, bsize } = fs.statfsSync(nearestExisting(directory))
  return { bytes: bavail * bsize, source: "DATA_DIRECTORY" }
}

// pg_partition_tree has no row for a table without partitions. A table that was never analyzed has reltuples -1.
const tablesText = `
  select c.relname, (count(*) - 1)::bigint, sum(pg_table_size(part.oid) - toast.bytes)::bigint,
    sum(pg_indexes_size(part.oid))::bigint, sum(toast.bytes)::bigint,
    sum(case when part.relkind = 'p' then 0 when part.reltuples < 0 then coalesce(s.n_live_tup, 0) else part.reltuples end)::bigint,
    coalesce(sum(s.n_dead_tup), 0)::bigint, coalesce(sum(s.n_tup_upd), 0)::bigint, coalesce(sum(s.n_tup_hot_upd), 0)::bigint
  from pg_class c
    left join lateral pg_partition_tree(c.oid) as tree on c.relkind = 'p'
    join pg_class part on part.oid = coalesce(tree.relid, c.oid)
    left join pg_stat_all_tables s on s.relid = part.oid,
    lateral (select coalesce(pg_total_relation_size(nullif(part.reltoastrelid, 0)), 0) as bytes) as toast
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  group by c.relname`

const tableOf = (row: ReadonlyArray<unknown>): TableSize => {
  const [heapBytes, indexBytes, toastBytes, rows, deadRows, updates, hotUpdates] = row.slice(2).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number
  ]
  const [table, partitions] = [String(row[0]), Number(row[1])]
  return { table, partitions, heapBytes, indexBytes, toastBytes, rows, deadRows, updates, hotUpdates }
}

const projectsText = `
  select pg_relation_size(c.oid) / 8192, case when reltuples < 0 then s.n_live_tup else reltuples end::bigint
  from pg_class c left join pg_stat_all_tables s on s.relid = c.oid where c.oid = 'projects'::regclass`

const creationText = (percent: number): string => `
  select count(*), count(*) filter (where created_at > now() - interval '${limits.sizesGrowthDays} days'),
    coalesce(extract(epoch from now() - min(created_at)) / 86400, 0)::float8
  from projects tablesample system (${percent})`
