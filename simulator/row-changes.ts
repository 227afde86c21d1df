/** The difference that a commit made to rows in memory: for whoever wants to see it, and no part of a trace. */
import { tables } from "../src/tables.ts"
import { rowAt, type Content } from "./memory-storage/content.ts"
import type { Observed, Write } from "./observation.ts"
import { asJson, type JsonObject } from "./script/json.ts"

/** What the store held around a commit. */
export interface States {
  readonly before: Content
  readonly after: Content
}

/** One row; null where it was not there, or is no longer. */
export interface RowChange {
  readonly table: string
  readonly key: Write["key"]
  readonly before: JsonObject | null
  readonly after: JsonObject | null
}

export const rowChanges = (commit: Observed, states: States | undefined): ReadonlyArray<RowChange> => {
  if (commit.kind !== "commit" || states === undefined) return []
  return commit.writes.flatMap(({ table: name, key }) => {
    const table = tables.find((one) => one.name === name)
    if (table === undefined) return []
    const rowIn = (content: Content) => {
      const row = rowAt(content, table, "key", key)
      return row === undefined ? null : asJson(row)
    }
    return [{ table: name, key, before: rowIn(states.before), after: rowIn(states.after) }]
  })
}
