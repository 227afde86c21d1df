/** What Postgres does for a statement: the nodes of its plan, after it has run and was taken back. */
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import type { Statement } from "../../src/adapters/postgres-storage/statements.ts"

export interface PlanNode {
  readonly type: string
  readonly index: string | undefined
  /** Rows that it gave, in all of its turns. */
  readonly rows: number
  /** Rows that it looked at and did not give. */
  readonly dropped: number
  /** Pages that it and everything under it asked for. */
  readonly pages: number
}

/** The plan for these very parameters: the topmost node first. */
export const planOf = (database: ConnectionOptions, statement: Statement) =>
  Effect.flatMap(PgConnection.make(database), (session) => {
    const explain = `explain (analyze, buffers, format json) ${statement.sql}`
    return Effect.map(
      session
        .queryValues("begin", [], false)
        .pipe(
          Effect.andThen(session.queryValues(explain, statement.parameters, false)),
          Effect.tap(session.queryValues("rollback", [], false))
        ),
      nodesOf
    )
  }).pipe(Effect.scoped)

/** The plan for whatever parameters: what a connection keeps once it has stopped to look at them. */
export const genericPlanOf = (database: ConnectionOptions, { sql, parameters }: Statement) =>
  Effect.flatMap(PgConnection.make(database), (session) =>
    session
      .query("set plan_cache_mode = force_generic_plan", [], false)
      .pipe(
        Effect.andThen(session.query(`prepare asked as ${sql}`, [], false)),
        Effect.andThen(
          session.queryValues(
            `explain (format json) execute asked (${parameters.map(() => "null").join(", ")})`,
            [],
            false
          )
        ),
        Effect.map(nodesOf)
      )
  ).pipe(Effect.scoped)

interface Explained {
  readonly "Node Type": string
  readonly "Index Name"?: string
  readonly "Actual Rows"?: number
  readonly "Actual Loops"?: number
  readonly "Rows Removed by Filter"?: number
  readonly "Shared Hit Blocks"?: number
  readonly "Shared Read Blocks"?: number
  readonly Plans?: ReadonlyArray<Explained>
}

const nodesOf = (rows: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlyArray<PlanNode> => {
  const told = rows[0]![0]
  const [{ Plan }] = (typeof told === "string" ? JSON.parse(told) : told) as [{ readonly Plan: Explained }]
  return flat(Plan)
}

const flat = (node: Explained): ReadonlyArray<PlanNode> => [
  {
    type: node["Node Type"],
    index: node["Index Name"],
    rows: (node["Actual Rows"] ?? 0) * (node["Actual Loops"] ?? 0),
    dropped: (node["Rows Removed by Filter"] ?? 0) * (node["Actual Loops"] ?? 0),
    pages: (node["Shared Hit Blocks"] ?? 0) + (node["Shared Read Blocks"] ?? 0)
  },
  ...(node.Plans ?? []).flatMap(flat)
]
