/** The partitions of the tables that are partitioned by month, as the catalog of the database has them. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { tables } from "../../tables.ts"
import { columnName } from "../postgres-storage/columns.ts"
import { type Month, monthAfter, monthOf } from "./month.ts"
import type { Statements } from "./statements.ts"

/** A table and the column by whose month it is partitioned, by their names in SQL. */
export interface PartitionedTable {
  readonly name: string
  readonly by: string
}

export const partitionedTables: ReadonlyArray<PartitionedTable> = tables.flatMap(({ name, partition }) =>
  partition === undefined ? [] : [{ name: columnName(name), by: columnName(partition) }]
)

/** The rows of the months from `from` up to and without `to`. */
export interface Partition {
  readonly name: string
  /** Undefined in the first one, which has every earlier month. */
  readonly from: Month | undefined
  readonly to: Month
  readonly tablespace: string
  /** With its indexes. */
  readonly bytes: number
}

export interface Partitions {
  /** In the order of their months. */
  readonly partitions: ReadonlyArray<Partition>
  /** The partition of rows whose month has none. */
  readonly rest: string
}

export const readPartitions = ({ rows }: Statements, { name }: PartitionedTable): Effect.Effect<Partitions, SqlError> =>
  Effect.map(
    rows(`select c.relname, pg_get_expr(c.relpartbound, c.oid), coalesce(t.spcname, d.spcname), pg_total_relation_size(c.oid)
      from pg_inherits join pg_class c on c.oid = inhrelid left join pg_tablespace t on t.oid = c.reltablespace,
        pg_database join pg_tablespace d on d.oid = dattablespace
      where inhparent = '${name}'::regclass and datname = current_database()`),
    (found) => {
      const partitions = found.flatMap(([partition, bound, tablespace, bytes]) => {
        const [, from, to] = /^FOR VALUES FROM \((?:MINVALUE|'(.+)')\) TO \('(.+)'\)$/.exec(String(bound)) ?? []
        if (to === undefined) return []
        return [
          {
            name: String(partition),
            from: from === undefined ? undefined : monthOf(from),
            to: monthOf(to),
            tablespace: String(tablespace),
            bytes: Number(bytes)
          }
        ]
      })
      const rest = found.find(([, bound]) => bound === "DEFAULT")
      return {
        partitions: partitions.toSorted((one, other) => (one.to < other.to ? -1 : 1)),
        rest: String(rest![0])
      }
    }
  )

export const hasPartition = ({ partitions }: Partitions, month: Month): boolean =>
  partitions.some(({ from, to }) => (from === undefined || from <= month) && month < to)

/** The months after this one that have a partition, up to the first that has none. */
export const monthsAhead = (found: Partitions, current: Month): number => {
  let months = 0
  while (hasPartition(found, monthAfter(current, months + 1))) months += 1
  return months
}
