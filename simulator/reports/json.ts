/** Runs as one JSON document; its schema is docs/reference/run-report.schema.json. */
import { Schema } from "effect"
import { FinishedRun } from "./finished-run.ts"
import { totalsOf } from "./totals.ts"

export const reportFormat = "countersign.run-report/v1"

const Report = Schema.Struct({
  format: Schema.Literal(reportFormat),
  totals: Schema.Struct({
    runs: Schema.Int,
    passed: Schema.Int,
    failed: Schema.Int,
    unusable: Schema.Int
  }),
  runs: Schema.Array(FinishedRun).annotate({ description: "In execution order." })
})

export const json = (runs: ReadonlyArray<FinishedRun>): string => {
  const report: typeof Report.Type = { format: reportFormat, totals: totalsOf(runs), runs }
  return `${JSON.stringify(report, undefined, 2)}\n`
}

/** The JSON Schema (2020-12) of the document; additional members are not allowed. */
export const reportSchema = () => {
  const { schema, definitions } = Schema.toJsonSchemaDocument(Report, { onExcessProperty: "error" })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "run-report.schema.json",
    title: "Run report v1",
    description:
      "The output of `simulate run --report json=<file>`. It has no wall time, so equal runs result in equal bytes.",
    ...schema,
    $defs: definitions
  }
}
