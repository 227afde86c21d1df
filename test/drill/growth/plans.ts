/** The plans by which Postgres executes statements, as its module auto_explain logs them. */
import * as fs from "node:fs"
import { Effect } from "effect"
import type { ConnectionOptions } from "../../../src/adapters/postgres-storage/connections.ts"
import { inDatabase } from "../../bench/backlog.ts"

export interface StatementPlan {
  readonly sql: string
  /** The nodes that read, each with its index or its table. */
  readonly nodes: ReadonlyArray<ReadNode>
}

export interface ReadNode {
  readonly type: string
  /** The index, or else the table; empty for a sort. */
  readonly on: string
  /** The most rows that it read in one execution, also those that it discarded. */
  readonly rows: number
}

/** Runs `work` on new sessions of the database, and returns each statement that they executed with each of its plans. */
export const plansOf = Effect.fnUntraced(function* <A, E, R>(
  database: ConnectionOptions,
  log: string,
  work: Effect.Effect<A, E, R>
) {
  const setting = (name: string, value: string) =>
    `do $$ begin execute format('alter database %I set ${name} = ${value}', current_database()); end $$`
  yield* inDatabase(database, [
    setting("session_preload_libraries", "auto_explain"),
    setting("auto_explain.log_min_duration", "0"),
    setting("auto_explain.log_format", "json"),
    setting("auto_explain.log_analyze", "on"),
    setting("auto_explain.log_timing", "off"),
    setting("auto_explain.log_parameter_max_length", "0")
  ])
  const before = fs.statSync(log).size
  yield* work
  yield* inDatabase(database, [`do $$ begin execute format('alter database %I reset all', current_database()); end $$`])
  return distinctPlans(fs.readFileSync(log).subarray(before).toString())
})

const distinctPlans = (log: string): ReadonlyArray<StatementPlan> => {
  const found = new Map<string, StatementPlan>()
  for (const text of log.split(/ plan:\n/).slice(1)) {
    const json = /^(?:\t.*\n)+/.exec(text)?.[0]
    if (json === undefined) continue
    const { "Query Text": sql, Plan } = JSON.parse(json) as { readonly "Query Text": string; readonly Plan: PlanOutput }
    const nodes = readNodes(Plan)
    const key = JSON.stringify([sql, nodes.map(({ type, on }) => [type, on])])
    const earlier = found.get(key)?.nodes
    found.set(key, {
      sql,
      nodes: nodes.map((node, at) => ({ ...node, rows: Math.max(node.rows, earlier?.[at]?.rows ?? 0) }))
    })
  }
  return [...found.values()].toSorted((one, other) => (one.sql < other.sql ? -1 : 1))
}

interface PlanOutput {
  readonly "Node Type": string
  readonly "Index Name"?: string
  readonly "Relation Name"?: string
  readonly "Actual Rows"?: number
  readonly "Actual Loops"?: number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly Plans?: ReadonlyArray<PlanOutput>
}

/** The nodes that read a table or an index, and those that sort. */
const readNodes = (node: PlanOutput): ReadonlyArray<ReadNode> => {
  const on = node["Index Name"] ?? node["Relation Name"]
  const isRead = node["Node Type"] === "Sort" || (on !== undefined && node["Node Type"].endsWith("Scan"))
  const rows =
    ((node["Actual Rows"] ?? 0) +
      (node["Rows Removed by Filter"] ?? 0) +
      (node["Rows Removed by Index Recheck"] ?? 0)) *
    (node["Actual Loops"] ?? 0)
  return [
    ...(isRead ? [{ type: node["Node Type"], on: on ?? "", rows }] : []),
    ...(node.Plans ?? []).flatMap(readNodes)
  ]
}
