/** Compares table declarations with the catalog of a database; returns the differences as sentences. */
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { columnName } from "../../src/adapters/postgres-storage/columns.ts"
import { columnsOfChangedRow } from "../../src/ports/storage/lookups.ts"
import type { AnyTable, Column, ColumnType } from "../../src/ports/table.ts"

const sqlTypes: Readonly<Record<ColumnType, string>> = {
  text: "text",
  integer: "bigint",
  boolean: "boolean",
  instant: "timestamp(3) with time zone",
  json: "jsonb"
}

interface CatalogColumn {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly collation: string | null
}

interface CatalogIndex {
  readonly table: string
  readonly name: string
  readonly columns: ReadonlyArray<string>
  readonly unique: boolean
  readonly primary: boolean
  readonly plain: boolean
  /** The column that is never `never` in its rows; null for an index of every row. */
  readonly partial: string | null
}

/** Also reports tables of the schema without a declaration. */
export const catalogDifferences = (
  connection: ConnectionOptions,
  tables: ReadonlyArray<AnyTable>
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const session = yield* PgConnection.make(connection)
    const columns = (yield* session.query(columnsQuery)).rows as unknown as ReadonlyArray<CatalogColumn>
    const indexes = (yield* session.query(indexesQuery)).rows as unknown as ReadonlyArray<CatalogIndex>
    const declared = new Set(tables.map((table) => columnName(table.name)))
    const unknown = [...new Set(columns.map((column) => column.table))].filter(
      (name) => !declared.has(name) && !name.startsWith("countersign_")
    )
    return [
      ...unknown.map((name) => `table ${name} is not declared`),
      ...tables.flatMap((table) => [...columnDifferences(table, columns), ...indexDifferences(table, indexes)])
    ]
  }).pipe(Effect.scoped, Effect.orDie)

const columnDifferences = (table: AnyTable, catalog: ReadonlyArray<CatalogColumn>): ReadonlyArray<string> => {
  const name = columnName(table.name)
  const found = catalog.filter((column) => column.table === name)
  if (found.length === 0) return [`table ${name} is missing`]
  const declared = Object.entries<Column<unknown>>(table.columns)
  const names = new Set(declared.map(([column]) => columnName(column)))
  const extra = found
    .filter((column) => !names.has(column.name))
    .map((column) => `${name}.${column.name} is not declared`)
  const wrong = declared.flatMap(([column, { type, nullable }]) => {
    const place = `${name}.${columnName(column)}`
    const there = found.find((other) => other.name === columnName(column))
    if (there === undefined) return [`${place} is missing`]
    return [
      there.type === sqlTypes[type] ? [] : `${place} is ${there.type}, not ${sqlTypes[type]}`,
      there.required === !nullable ? [] : `${place} is ${there.required ? "not null" : "nullable"}`,
      type !== "text" || there.collation === "C" ? [] : `${place} has the collation ${there.collation}, not C`
    ].flat()
  })
  return [...extra, ...wrong]
}

const indexDifferences = (table: AnyTable, catalog: ReadonlyArray<CatalogIndex>): ReadonlyArray<string> => {
  const name = columnName(table.name)
  const found = catalog.filter((index) => index.table === name && index.plain)
  const has = (columns: ReadonlyArray<string>, holds: (index: CatalogIndex) => boolean, partial?: string) =>
    found.some(
      (index) =>
        holds(index) &&
        index.columns.join() === columns.map(columnName).join() &&
        index.partial === (partial === undefined ? null : columnName(partial))
    )
  const primaryKey = columnsOfChangedRow(table)
  const primary = found.find((index) => index.primary)
  const wrong = [
    has(primaryKey, (index) => index.primary) ? [] : `${name} has not the primary key (${primaryKey.join(", ")})`,
    primary?.name === `${name}_pkey` ? [] : `the primary key of ${name} is not named ${name}_pkey`
  ].flat()
  for (const [index, columns] of Object.entries<ReadonlyArray<string>>(table.unique)) {
    if (!has(columns, (other) => other.unique))
      wrong.push(`${name} lacks the unique index ${index} (${columns.join(", ")})`)
  }
  for (const [index, columns] of Object.entries<ReadonlyArray<string>>(table.ordered)) {
    const partial: string | undefined = table.partial[index]
    if (!has(columns, () => true, partial))
      wrong.push(`${name} lacks the ordered index ${index} (${columns.join(", ")})`)
    if (!table.key.every((column: string) => columns.includes(column))) wrong.push(`${name}.${index} lacks the key`)
    const nullable = columns.filter((column) => table.columns[column].nullable)
    if (nullable.length > 0) wrong.push(`${name}.${index} orders by the nullable ${nullable.join(", ")}`)
  }
  return wrong
}

const columnsQuery = `
  select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    a.attnotnull as required, o.collname as collation
  from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_collation o on o.oid = a.attcollation
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0
    and not a.attisdropped and not c.relispartition
  order by c.relname, a.attnum`

// Plain: over the columns themselves, ascending, in their own collation, for every row or those in which one column is
// not `never`, and valid.
const indexesQuery = `
  select c.relname as table, i.relname as name, x.indisunique as unique, x.indisprimary as primary,
    (x.indpred is null or s.partial is not null) and x.indexprs is null and x.indisvalid
      and not exists (select from unnest(x.indoption) as option where option <> 0)
      and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attnum = any(x.indkey)
        and a.attcollation <> 0 and not a.attcollation = any(x.indcollation)) as plain,
    (select array_agg(a.attname::text order by place) from unnest(x.indkey::int2[]) with ordinality as k(number, place)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number where place <= x.indnkeyatts) as columns,
    s.partial
  from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid,
    lateral (select (regexp_match(pg_get_expr(x.indpred, x.indrelid),
      '^[(]([a-z_]+) < ''9999-12-31 23:59:59[.]999[+]00''::timestamp with time zone[)]$'))[1] as partial) as s
  where c.relnamespace = current_schema()::regnamespace`
