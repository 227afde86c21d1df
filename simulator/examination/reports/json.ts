/** An examination as one JSON document; its schema is docs/reference/exam-report.schema.json. */
import { Schema } from "effect"
import { profiles } from "../profile.ts"
import { ExamTotals, examTotals } from "./exam-totals.ts"
import { LessonReport } from "./lesson-report.ts"

export const examReportFormat = "countersign.exam-report/v1"

const ExamReport = Schema.Struct({
  format: Schema.Literal(examReportFormat),
  profile: Schema.optionalKey(
    Schema.Literals(profiles).annotate({
      description: "What happened beside the acts of the lessons. Absent, as the seed, in a report of saved runs."
    })
  ),
  seed: Schema.optionalKey(
    Schema.Int.annotate({ description: "From which the faults of the profile and the later trials were drawn." })
  ),
  totals: ExamTotals,
  lessons: Schema.Array(LessonReport).annotate({ description: "In the order of the examination." })
})

export const json = (
  lessons: ReadonlyArray<LessonReport>,
  drawn: Pick<typeof ExamReport.Type, "profile" | "seed">
): string => {
  const totals = examTotals(lessons)
  const report: typeof ExamReport.Type = { format: examReportFormat, ...drawn, totals, lessons }
  return `${JSON.stringify(report, undefined, 2)}\n`
}

/** The JSON Schema (2020-12) of the document; additional members are not allowed. */
export const examReportSchema = () => {
  const { schema, definitions } = Schema.toJsonSchemaDocument(ExamReport, { onExcessProperty: "error" })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "exam-report.schema.json",
    title: "Exam report v1",
    description:
      "The output of `simulate exam --report json=<file>`. It has no wall time, so equal sessions result in equal bytes.",
    ...schema,
    $defs: definitions
  }
}
