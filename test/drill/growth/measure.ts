/**
 * A database with the rows of many projects beside an empty one, on one Postgres: what a command and a claim cost on each,
 * and which plans the statements have on the full one.
 */
import { Console, Effect } from "effect"
import { migrate } from "../../../src/adapters/migrator.ts"
import type { ConnectionOptions } from "../../../src/adapters/postgres-storage/connections.ts"
import { migrations } from "../../../src/migrations/all.ts"
import { inDatabase } from "../../bench/backlog.ts"
import { renderTable } from "../../bench/figure.ts"
import { postmasterOf } from "../../bench/commands/variants.ts"
import { postgresStorage, testService } from "../../support/service.ts"
import { everyAct, type Member } from "./acts.ts"
import { measureClaims } from "./claims.ts"
import { type Cluster, startCluster, valuesOf } from "./cluster.ts"
import { type CommandRounds, measureCommands } from "./commands.ts"
import { compareCosts, type Pair } from "./cost.ts"
import { fillDatabase } from "./fill.ts"
import { makeModels } from "./model.ts"
import { plansOf, type StatementPlan } from "./plans.ts"

export interface GrowthOptions {
  readonly projects: number
  readonly directory: string
  readonly commands: CommandRounds
  readonly claims: { readonly rounds: number; readonly warmUp: number }
}

/** How many models are copied; the first has webhooks, the second has none. */
const models = 2
const organizationsMax = 1_000

/** Fills a database, reads the plans on it, and compares it with an empty one. */
export const measureGrowth = Effect.fnUntraced(function* (options: GrowthOptions) {
  const cluster = yield* startCluster(options.directory)
  const full = yield* filledDatabase(cluster, options.projects)
  const empty = yield* newDatabase(cluster, "growth_empty")
  const plans = yield* readPlans(cluster, full)
  return { plans, costs: yield* compareDatabases({ full, empty }, options) }
})

/** A database with that many projects and the schema of this program. */
export const filledDatabase = Effect.fnUntraced(function* (cluster: Cluster, projects: number) {
  const database = yield* newDatabase(cluster, "growth_full")
  yield* Effect.provide(makeModels(models), serviceOn(database))
  const began = performance.now()
  yield* fillDatabase(database, { projects, organizations: Math.min(organizationsMax, Math.ceil(projects / 5)) })
  const seconds = Math.round((performance.now() - began) / 1000)
  yield* Console.log(`${projects.toLocaleString("en")} projects copied in ${seconds} s`)
  return database
})

export interface PlansReport {
  readonly plans: ReadonlyArray<StatementPlan>
  /** The tables with at least one row for every second project. */
  readonly growing: ReadonlySet<string>
  /** A sentence for each plan whose cost grows with the number of projects. */
  readonly wrong: ReadonlyArray<string>
}

/** The plans of every command, list and pass of a worker on this database. */
export const readPlans = Effect.fnUntraced(function* ({ log }: Cluster, database: ConnectionOptions) {
  const growing = yield* growingTables(database)
  const member = yield* memberOf(database)
  const plans = yield* plansOf(database, log, Effect.provide(everyAct(member), serviceOn(database)))
  return { plans, growing, wrong: plans.flatMap((plan) => flawsOf(plan, growing)) } satisfies PlansReport
})

/** What a command and a claim cost on each. */
export const compareDatabases = Effect.fnUntraced(function* (
  databases: Pair<ConnectionOptions>,
  { commands, claims }: Pick<GrowthOptions, "commands" | "claims">
) {
  const postmaster = yield* postmasterOf(databases.full)
  const ofClaims = yield* measureClaims(databases, postmaster, claims)
  const ofCommands = yield* measureCommands(databases, postmaster, commands)
  return [compareCosts("A command", ofCommands), compareCosts("A claim of webhooks", ofClaims)]
})

export const renderPlans = ({ plans, growing }: PlansReport): string => {
  const rows = plans
    .filter(({ nodes }) => nodes.length > 0)
    .map(({ sql, nodes }) => [
      sql.length > 90 ? `${sql.slice(0, 89)}…` : sql,
      nodes.map(({ type, on, rows }) => `${type}${on === "" ? "" : ` ${on}`} (${rows})`).join(", ")
    ])
  return renderTable(
    `Plans; with the projects grow ${[...growing].toSorted().join(", ")}`,
    ["statement", "reads"],
    rows
  )
}

const newDatabase = Effect.fnUntraced(function* ({ server }: Cluster, name: string) {
  yield* inDatabase(server, [`create database ${name} template template0`])
  const database = { ...server, database: name }
  yield* migrate(database, migrations)
  return database
})

const serviceOn = (database: ConnectionOptions) => testService(postgresStorage(database))

const growingTables = Effect.fnUntraced(function* (database: ConnectionOptions) {
  const rows = yield* valuesOf(
    database,
    `select relname from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
       and reltuples >= (select reltuples / 2 from pg_class where oid = 'projects'::regclass)`
  )
  return new Set(rows.map(([name]) => String(name)))
})

/** The buyer of the oldest projects; each buyer has the same number of them. */
const memberOf = Effect.fnUntraced(function* (database: ConnectionOptions) {
  const [row = []] = yield* valuesOf(
    database,
    `select person_id, organization_id, issuer, subject from persons join membership_places using (person_id)
     where name = 'Dana' order by created_at limit 1`
  )
  const [personId = "", organizationId = "", issuer = "", subject = ""] = row.map(String)
  return { personId, organizationId, issuer, subject } satisfies Member
})

/** The largest page of a list has 1,000 projects, and reads as many of the person and of their organization, and one more. */
const rowsMax = 2_002

export const flawsOf = ({ sql, nodes }: StatementPlan, growing: ReadonlySet<string>): ReadonlyArray<string> =>
  nodes.flatMap(({ type, on, rows }) => {
    if (type === "Seq Scan") return growing.has(on) ? [`${on}, which grows, is read in sequence by: ${sql}`] : []
    return rows > rowsMax ? [`${type} ${on} reads ${rows} rows for: ${sql}`] : []
  })
