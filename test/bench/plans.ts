/** The plan nodes of a statement, from `explain analyze` in a transaction that is rolled back. */
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import type { Statement } from "../../src/adapters/postgres-storage/statements.ts"

export interface PlanNode {
  readonly type: string
  readonly index: string | undefined
  /** Rows returned, over all loops. */
  readonly rows: number
  /** Rows read and discarded. */
  readonly dropped: number
  /** Pages read by it and its children. */
  readonly pages: number
}

/** The plan for these parameters: the root node first. */
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

/** The generic plan, which a connection uses after several executions. */
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

interface PlanOutput {
  readonly "Node Type": string
  readonly "Index Name"?: string
  readonly "Actual Rows"?: number
  readonly "Actual Loops"?: number
  readonly "Rows Removed by Filter"?: number
  readonly "Shared Hit Blocks"?: number
  readonly "Shared Read Blocks"?: number
  readonly Plans?: ReadonlyArray<PlanOutput>
}

const nodesOf = (rows: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlyArray<PlanNode> => {
  const told = rows[0]![0]
  const [{ Plan }] = (typeof told === "string" ? JSON.parse(told) : told) as [{ readonly Plan: PlanOutput }]
  return flat(Plan)
}

const flat = (node: PlanOutput): ReadonlyArray<PlanNode> => [
  {
    type: node["Node Type"],
    index: node["Index Name"],
    rows: (node["Actual Rows"] ?? 0) * (node["Actual Loops"] ?? 0),
    dropped: (node["Rows Removed by Filter"] ?? 0) * (node["Actual Loops"] ?? 0),
    pages: (node["Shared Hit Blocks"] ?? 0) + (node["Shared Read Blocks"] ?? 0)
  },
  ...(node.Plans ?? []).flatMap(flat)
]
