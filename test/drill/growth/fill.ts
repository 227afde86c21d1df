/**
 * Fills a database with copies of the rows of a few real projects, made inside the server: other ids and hashes, and times
 * that are spread over two years. Texts keep the bytes of the real ones; their signatures sign the ids of the models.
 */
import { PgConnection } from "@effect/sql-pg"
import { Console, Effect } from "effect"
import type { ConnectionOptions } from "../../../src/adapters/postgres-storage/connections.ts"
import { never } from "../../../src/vocabulary/instant.ts"

export interface FillSize {
  readonly projects: number
  readonly organizations: number
}

/** What a row is copied for: a pair of organizations, a grant of theirs, or a project. */
type Level = "pair" | "grant" | "project"

/** The first eight digits of an id or hash in a model, which say from which number a copy derives its own. */
const placeholders: Readonly<Record<Level, string>> = { pair: "pppppppp", grant: "gggggggg", project: "nnnnnnnn" }

const levels = Object.keys(placeholders) as ReadonlyArray<Level>

const projectsPerGrant = 50
const days = 730

/** A subscription lists its projects, and is copied for its grant. */
const levelOfTable: Readonly<Record<string, Level>> = { webhook_subscriptions: "grant" }

/** What a copy has instead of the value of its model; `key` are the numbers of the copy. */
const ownValues: Readonly<Record<string, string>> = {
  // Members stay; grants and subscriptions end as those of their models do.
  "memberships.valid_until": "now() + interval '300 days'",
  "persons.subject": "model.subject || key.pair",
  "credit_entries.sequence": "model.sequence + key.place_in_pair",
  "webhook_deliveries.number": "model.number + key.place_in_grant * 10",
  "webhook_subscriptions.delivery_count": `${projectsPerGrant * 10}`
}

/** Sessions that copy side by side, each some of the tables. */
const sessions = 2

export const fillDatabase = Effect.fnUntraced(function* (database: ConnectionOptions, size: FillSize) {
  const session = yield* PgConnection.make(database)
  const tables = yield* prepareModels(session)
  const [[models = 0] = []] = yield* session.queryValues("select count(*) from growth_model.projects", [], false)
  const references = yield* dropReferences(session)
  const parts = Array.from({ length: sessions }, (_, part) => tables.filter((_, index) => index % sessions === part))
  yield* Effect.forEach(parts, (part) => copyTables(database, part, { ...size, models: Number(models) }), {
    concurrency: "unbounded",
    discard: true
  })
  for (const add of references) yield* session.query(add, [], false)
  yield* session.query("drop schema growth_model cascade", [], false)
  yield* session.query("vacuum analyze", [], false)
  yield* session.query("checkpoint", [], false)
}, Effect.scoped)

/** Drops the foreign keys, those of partitions with those of their tables, which the copies keep among themselves; returns the statements that add them for later rows. */
const dropReferences = Effect.fnUntraced(function* (session: PgConnection.PgConnection) {
  const keys = (yield* session.queryValues(
    `select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
     where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace`,
    [],
    false
  )) as ReadonlyArray<readonly [string, string, string]>
  for (const [table, name] of keys) yield* session.query(`alter table ${table} drop constraint ${name}`, [], false)
  return keys.map(([table, name, definition]) => `alter table ${table} add constraint ${name} ${definition} not valid`)
})

/** Drops the indexes of a table; returns the statements that build them again from sorted rows. */
const dropIndexes = Effect.fnUntraced(function* (session: PgConnection.PgConnection, table: string) {
  const indexes = (yield* session.queryValues(
    `select i.relname, c.conname, coalesce(pg_get_constraintdef(c.oid), replace(pg_get_indexdef(i.oid), ' ON ONLY ', ' ON '))
     from pg_index x join pg_class i on i.oid = x.indexrelid left join pg_constraint c on c.conindid = i.oid
     where x.indrelid = '${table}'::regclass`,
    [],
    false
  )) as ReadonlyArray<readonly [string, string | null, string]>
  for (const [index, constraint] of indexes) {
    const drop = constraint === null ? `drop index ${index}` : `alter table ${table} drop constraint ${constraint}`
    yield* session.query(drop, [], false)
  }
  return indexes.map(([, constraint, definition]) =>
    constraint === null ? definition : `alter table ${table} add constraint ${constraint} ${definition}`
  )
})

/** Moves the rows of every table to a schema of models, with placeholders in their ids; returns the tables, largest first. */
const prepareModels = Effect.fnUntraced(function* (session: PgConnection.PgConnection) {
  yield* session.query("create schema growth_model", [], false)
  const named = yield* session.queryValues(
    `select relname from pg_class where relkind in ('r', 'p') and not relispartition
       and relnamespace = current_schema()::regnamespace and relname not like 'countersign%' order by pg_table_size(oid) desc`,
    [],
    false
  )
  const tables: Array<ModelTable> = []
  for (const [name] of named as ReadonlyArray<readonly [string]>) {
    const columns = (yield* session.queryValues(
      `select attname, format_type(atttypid, null) from pg_attribute
       where attrelid = '${name}'::regclass and attnum > 0 and not attisdropped order by attnum`,
      [],
      false
    )) as ReadonlyArray<readonly [string, string]>
    yield* session.query(
      `create table growth_model.${name} as
       select level, ${columns.map(([column, type]) => `${unmarked(column, type)} as "${column}"`).join(", ")}
       from (select ${columns.map(([column, type]) => `${marked(column, type)} as "${column}"`).join(", ")} from ${name}) as model,
         lateral (select ${levelOf(name)} as level) as leveled`,
      [],
      false
    )
    const [[rows = 0] = []] = yield* session.queryValues(`select count(*) from growth_model.${name}`, [], false)
    if (Number(rows) > 0) tables.push({ name, columns: yield* describe(session, name, columns) })
  }
  return tables
})

interface ModelTable {
  readonly name: string
  readonly columns: ReadonlyArray<ModelColumn>
}

interface ModelColumn {
  readonly name: string
  readonly type: string
  /** The placeholders in its values. */
  readonly levels: ReadonlyArray<Level>
}

const isText = (type: string): boolean => type === "text" || type === "jsonb"

/** Ids with a prefix say what they identify; other ids and hashes belong to what their row is copied for. */
const marked = (column: string, type: string): string => {
  if (!isText(type) || column === "jws") return `"${column}"`
  const replaced = [
    ["(organization|person|membership|tenant|agent)", placeholders.pair],
    ["(grant|webhook)", placeholders.grant],
    ["(delivery|event|record|confirmation|submission|review|share|whd)", placeholders.project]
  ].reduce(
    (text, [prefix, digits]) => `regexp_replace(${text}, '${prefix}_[0-9a-f]{8}', '\\1_${digits}', 'g')`,
    `"${column}"::text`
  )
  return `regexp_replace(${replaced}, '^[0-9a-f]{8}(?=-[0-9a-f]{4}-|[0-9a-f]{56}$)', 'oooooooo')`
}

const levelOf = (table: string): string => {
  const known = levelOfTable[table]
  if (known !== undefined) return `'${known}'`
  const has = (level: Level) => `position('${placeholders[level]}' in model::text) > 0`
  return `case when ${has("project")} then 'project' when ${has("grant")} then 'grant' else 'pair' end`
}

const unmarked = (column: string, type: string): string => {
  if (!isText(type) || column === "jws") return `"${column}"`
  const cases = levels.map((level) => `when '${level}' then '${placeholders[level]}'`).join(" ")
  return `replace("${column}", 'oooooooo', case level ${cases} end)`
}

const describe = Effect.fnUntraced(function* (
  session: PgConnection.PgConnection,
  table: string,
  columns: ReadonlyArray<readonly [string, string]>
) {
  const texts = columns.filter(([column, type]) => isText(type) && column !== "jws")
  const found = texts.flatMap(([column]) =>
    levels.map((level) => `coalesce(bool_or(position('${placeholders[level]}' in "${column}") > 0), false)`)
  )
  const [flags = []] =
    found.length === 0
      ? [[]]
      : yield* session.queryValues(`select ${found.join(", ")} from growth_model.${table}`, [], false)
  return columns.map(([name, type]): ModelColumn => {
    const first = texts.findIndex(([column]) => column === name) * levels.length
    return { name, type, levels: first < 0 ? [] : levels.filter((_, index) => flags[first + index] === true) }
  })
})

interface Copies extends FillSize {
  readonly models: number
}

const copyTables = Effect.fnUntraced(function* (
  database: ConnectionOptions,
  tables: ReadonlyArray<ModelTable>,
  size: Copies
) {
  const session = yield* PgConnection.make(database)
  const run = (sql: string) => session.query(sql, [], false)
  for (const table of tables) {
    const began = performance.now()
    // Rows and indexes of a table that is emptied in their transaction need no log where wal_level is minimal.
    yield* run("begin")
    yield* run(`truncate ${table.name}`)
    const indexes = yield* dropIndexes(session, table.name)
    for (const level of levels) yield* run(copyText(table, level, size))
    for (const index of indexes) yield* run(index)
    yield* run("commit")
    const seconds = Math.round((performance.now() - began) / 1000)
    if (seconds >= 10) yield* Console.log(`  ${table.name}: ${seconds} s`)
  }
}, Effect.scoped)

/**
 * One statement for a table and a level. The reference to `key` makes Postgres read the models once for each copy, so that
 * the rows of one copy lie together, as commands leave them.
 */
const copyText = ({ name, columns }: ModelTable, level: Level, size: Copies): string => {
  const values = columns.map((column) => ownValues[`${name}.${column.name}`] ?? valueOf(column))
  return (
    `insert into ${name} (${columns.map((column) => `"${column.name}"`).join(", ")}) select ${values.join(", ")}` +
    ` from ${keysOf(level, size)},` +
    ` lateral (select key.pair as of_copy, model.* from growth_model.${name} as model where level = '${level}' offset 0) as model`
  )
}

const valueOf = ({ name, type, levels }: ModelColumn): string => {
  const value = `model."${name}"`
  if (type.startsWith("timestamp")) {
    const moved = `${value} + key.shift`
    const soonest = name === "due_at" ? ` or ${moved} < now()` : ""
    return `case when ${value} >= '${never}'${soonest} then '${never}' else ${moved} end`
  }
  const replaced = levels.reduce((text, level) => `replace(${text}, '${placeholders[level]}', key.${level})`, value)
  return type === "jsonb" ? `${replaced}::jsonb` : replaced
}

/** The numbers of each copy: eight digits for each placeholder, its places, and how far its times are moved. */
const keysOf = (level: Level, { projects, organizations, models }: Copies): string => {
  const copies = Math.max(1, Math.ceil(projects / models))
  const pairs = Math.min(copies, Math.max(1, Math.ceil(organizations / 2 / models)))
  const digits = (number: string) => `lpad(to_hex(((${number})::bigint * 2654435761) & 4294967295), 8, '0')`
  const grants = Math.ceil(copies / pairs / projectsPerGrant) * pairs
  const count = { pair: pairs, grant: grants, project: copies }[level]
  // The projects of a pair follow each other at a distance; a grant begins with the first of its projects.
  const project = level === "grant" ? `number % ${pairs} + ${pairs * projectsPerGrant} * (number / ${pairs})` : "number"
  return (
    `generate_series(0, ${count - 1}) as number,` +
    ` lateral (select ${project} as project) as made,` +
    ` lateral (select project % ${pairs} as pair, project / ${pairs} as place) as placed,` +
    ` lateral (select ${digits("placed.pair")} as pair, ${digits(`placed.pair + ${pairs} * (place / ${projectsPerGrant})`)} as "grant",` +
    ` ${digits("made.project")} as project, place as place_in_pair, place % ${projectsPerGrant} as place_in_grant,` +
    ` make_interval(secs => -${days * 86_400}::float8 * (1 - least(made.project, ${copies}) / ${copies}::float8)) as shift offset 0) as key`
  )
}
