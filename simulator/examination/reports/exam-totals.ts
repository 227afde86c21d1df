/** The totals of an examination: lessons by verdict, and safety and progress apart. */
import { Schema } from "effect"
import type { ExamVerdict } from "../judge.ts"
import type { LessonReport } from "./lesson-report.ts"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

export const ExamTotals = Schema.Struct({
  lessons: Count,
  passed: Count,
  failed: Count,
  unknown: Count,
  errors: Count,
  judged: Count.annotate({ description: "Lessons with the verdict PASS or FAIL." }),
  safe: Count.annotate({ description: "Judged lessons in which no safety condition was broken." }),
  complete: Count.annotate({ description: "Judged lessons in which everything was reached." })
})
export type ExamTotals = typeof ExamTotals.Type

export const examTotals = (lessons: ReadonlyArray<LessonReport>): ExamTotals => {
  const count = (wanted: ExamVerdict) => lessons.filter(({ verdict }) => verdict === wanted).length
  const judged = lessons.filter(({ verdict }) => verdict === "PASS" || verdict === "FAIL")
  return {
    lessons: lessons.length,
    passed: count("PASS"),
    failed: count("FAIL"),
    unknown: count("UNKNOWN"),
    errors: count("ERROR"),
    judged: judged.length,
    safe: judged.filter(({ safety }) => safety.length === 0).length,
    complete: judged.filter(({ progress }) => progress.length === 0).length
  }
}

/** The result in words, such as "28 of 30 lessons passed". */
export const totalsText = ({ lessons, passed }: ExamTotals): string =>
  `${passed} of ${lessons} ${lessons === 1 ? "lesson" : "lessons"} passed`
