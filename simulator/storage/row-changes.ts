/** The row changes of a commit in memory; no part of a trace. */
import { tables } from "../../src/tables.ts"
import { rowAt, type Content } from "./memory-storage/content.ts"
import type { TimedObservation, Write } from "../observation/observation.ts"
import { asJson, type JsonObject } from "../vocabulary/json.ts"

/** The rows before and after a commit. */
export interface CommitStates {
  readonly before: Content
  readonly after: Content
}

/** One changed row; null if it did not exist before or after. */
export interface RowChange {
  readonly table: string
  readonly key: Write["key"]
  readonly before: JsonObject | null
  readonly after: JsonObject | null
}

export const rowChanges = (commit: TimedObservation, states: CommitStates | undefined): ReadonlyArray<RowChange> => {
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
