/** Projects by their rows, for operations that need no event of their histories. */
import { Effect } from "effect"
import { readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { Projects, type ProjectRow } from "./store.ts"

export type { ProjectRow }

export const readProjectRow = (reader: Reader, projectId: string) => reader.get(Projects, [projectId])

/** The rows of these projects, by id. */
export const readProjectRows = (reader: Reader, projectIds: ReadonlyArray<string>) => {
  const ids = [...new Set(projectIds)]
  return Effect.map(
    readTogether(ids.map((projectId) => readProjectRow(reader, projectId))),
    (rows): ReadonlyMap<string, ProjectRow> =>
      new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.projectId, row] as const])))
  )
}
