/**
 * Replaces a table by a partitioned one of the same name, of which it becomes the first partition, while programs use it.
 * It keeps every row up to a month that lies ahead; rows after that month have a default partition until theirs are made.
 */
import type { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Step } from "../../migrations/migration.ts"

type Partitioning = Step & { readonly kind: "partitioning" }

/** Repeatable: states anew until when the table keeps its rows, as a constraint that is not validated yet. */
export const boundStatements = (
  session: PgConnection.PgConnection,
  { table, by }: Partitioning
): Effect.Effect<ReadonlyArray<string>, SqlError> =>
  Effect.map(session.queryValues(firstMonthAfter(table, by), [], false), ([row]) => [
    `alter table ${table} drop constraint if exists ${boundOf(table)}`,
    `alter table ${table} add constraint ${boundOf(table)} check (${by} < '${String(row![0])}') not valid`
  ])

export const validateBound = ({ table }: Partitioning): string =>
  `alter table ${table} validate constraint ${boundOf(table)}`

/** One short transaction: nothing in it reads rows, since the validated bound is that of the partition. */
export const exchangeStatements = (
  session: PgConnection.PgConnection,
  { table, by, keyIndex }: Partitioning
): Effect.Effect<ReadonlyArray<string>, SqlError> =>
  Effect.map(session.queryValues(definitionOf(table, keyIndex), [], false), ([row]) => {
    const [key, bound, options, referenced, foreignKeys, indexes] = row as readonly [
      key: string,
      bound: string,
      options: string | null,
      referenced: ReadonlyArray<string> | null,
      foreignKeys: ReadonlyArray<string> | null,
      indexes: ReadonlyArray<{ readonly name: string; readonly definition: string }> | null
    ]
    const former = `${table}_before`
    const storage = options === null ? "" : ` with (${options})`
    return [
      // In the order in which the service locks them, before anything is exchanged.
      ...(referenced ?? []).map((name) => `lock table ${name} in share row exclusive mode`),
      `lock table ${table} in access exclusive mode`,
      `alter table ${table} drop constraint ${table}_pkey`,
      ...(indexes ?? []).map(({ name }) => `alter index ${name} rename to ${name.replace(table, former)}`),
      `alter table ${table} rename to ${former}`,
      `alter table ${former} add constraint ${former}_pkey primary key using index ${keyIndex}`,
      `create table ${table} (like ${former} including defaults including constraints including storage) partition by range (${by})`,
      `alter table ${table} drop constraint ${boundOf(table)}, add constraint ${table}_pkey primary key (${key})`,
      ...(foreignKeys ?? []).map((definition) => `alter table ${table} add ${definition}`),
      ...(indexes ?? []).map(({ definition }) => definition),
      `alter table ${table} attach partition ${former} for values from (minvalue) to ('${bound}')`,
      `alter table ${former} drop constraint ${boundOf(table)}`,
      `create table ${table}_default partition of ${table} default${storage}`
    ]
  })

const boundOf = (table: string): string => `${table}_bound`

/** Two months after the present or the newest row: nothing is refused by the bound while the migration is interrupted. */
const firstMonthAfter = (table: string, by: string): string =>
  `select to_char(date_trunc('month', greatest(now(), max(${by})) at time zone 'UTC') + interval '2 months', 'YYYY-MM-DD')` +
  ` || 'T00:00:00Z' from ${table}`

const definitionOf = (table: string, keyIndex: string): string => `
  select
    (select string_agg(quote_ident(attname), ', ' order by place)
      from pg_index, unnest(indkey::int2[]) with ordinality as k(number, place), pg_attribute
      where indexrelid = keyed.oid and attrelid = indrelid and attnum = number),
    (select (regexp_match(pg_get_constraintdef(oid), '''(.+)'''))[1] from pg_constraint
      where conrelid = of.oid and conname = '${boundOf(table)}'),
    array_to_string(of.reloptions, ', '),
    (select array_agg(distinct confrelid::regclass::text) from pg_constraint where conrelid = of.oid and contype = 'f'),
    (select array_agg('constraint ' || quote_ident(conname) || ' ' || pg_get_constraintdef(oid)) from pg_constraint
      where conrelid = of.oid and contype = 'f'),
    (select jsonb_agg(jsonb_build_object('name', indexrelid::regclass::text, 'definition', pg_get_indexdef(indexrelid)))
      from pg_index where indrelid = of.oid and not indisprimary and indexrelid <> keyed.oid)
  from pg_class of, pg_class keyed
  where of.oid = '${table}'::regclass and keyed.oid = '${keyIndex}'::regclass`
