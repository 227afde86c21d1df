/** Runs as one JSON document, whose form is published in docs/reference/run-report.schema.json. */
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
  runs: Schema.Array(FinishedRun).annotate({ description: "In the order in which they were run." })
})

export const json = (runs: ReadonlyArray<FinishedRun>): string => {
  const report: typeof Report.Type = { format: reportFormat, totals: totalsOf(runs), runs }
  return `${JSON.stringify(report, undefined, 2)}\n`
}

/** The JSON Schema (2020-12) of the document: an object has exactly the members described. */
export const reportSchema = () => {
  const { schema, definitions } = Schema.toJsonSchemaDocument(Report, { onExcessProperty: "error" })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "run-report.schema.json",
    title: "Run report v1",
    description: "What `simulate run --report json=<file>` writes. It holds no wall time: equal runs give equal bytes.",
    ...schema,
    $defs: definitions
  }
}
