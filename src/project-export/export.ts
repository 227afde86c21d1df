/** `admin export-project`: one file with everything that the rows of one project say, without secrets and targets. */
import { Schema } from "effect"
import { inView } from "../ports/storage/run.ts"
import { IssuerKeys, Signer } from "../ports/signer.ts"
import { Instant, now } from "../vocabulary/instant.ts"
import { refuseUnknownId } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import { readProjectRows } from "./project-rows.ts"
import { exportedRow, exportedTables } from "./withheld.ts"

/** Not signed: it proves nothing beyond the signatures of the events and records inside. */
export const ProjectExport = Schema.Struct({
  schema: Schema.Literal("service.project-export/v1"),
  exportedAt: Instant,
  projectId: Schema.String,
  /** The public keys with which its events and records verify. */
  keys: IssuerKeys,
  /** By table, the rows with their columns. */
  rows: Schema.Record(Schema.String, Schema.Array(Schema.Record(Schema.String, Schema.Json)))
})
export type ProjectExport = typeof ProjectExport.Type

export const exportProject = traced("projectExport.exportProject")(function* (projectId: string) {
  const exportedAt = yield* now
  const { keys } = yield* Signer
  const found = yield* inView((reader) => readProjectRows(reader, projectId))
  if (found === undefined) return yield* refuseUnknownId("project", projectId)
  const rows = Object.fromEntries(
    exportedTables.map((exported) => [
      exported.table.name,
      (found.get(exported.table) ?? []).map((row) => exportedRow(exported, row as Readonly<Record<string, unknown>>))
    ])
  )
  return { schema: "service.project-export/v1", exportedAt, projectId, keys, rows } as ProjectExport
})
