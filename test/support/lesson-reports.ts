/** Reports of examined lessons: of each verdict, and with any text at every place. */
import type { ExamVerdict } from "../../simulator/examination/judge.ts"
import type { LessonReport } from "../../simulator/examination/reports/lesson-report.ts"
import type { TimedLesson } from "../../simulator/examination/reports/junit.ts"

const held: ReadonlyArray<never> = []
const broken = [{ condition: "never: a second submission", words: "it was the case" }]
const unreached = [{ condition: "eventually: accepted", words: "it was never the case" }]
const begun = "2026-03-02T09:00:00.000Z"

export const reportOf = (verdict: ExamVerdict, over: Partial<LessonReport> = {}): LessonReport => ({
  name: `lesson-${verdict.toLowerCase()}`,
  title: `A lesson that ends with ${verdict}`,
  rule: "The same bytes are sent again.",
  section: "7 rule 4",
  verdict,
  safety: verdict === "FAIL" ? broken : held,
  progress: verdict === "PASS" ? held : unreached,
  ended: verdict === "ERROR" ? "exit code 3" : "the agent ended",
  requests: 12,
  virtualTime: { from: begun, until: "2026-03-02T10:00:00.000Z", milliseconds: 3_600_000 },
  hint: "Save the bytes before you send them.",
  ...over
})

export const hostileLesson = (text: string): LessonReport =>
  reportOf("FAIL", {
    name: text,
    title: text,
    rule: text,
    section: text,
    safety: [{ condition: text, words: text }],
    progress: [{ condition: text, words: text }],
    ended: text,
    virtualTime: { from: text, until: text, milliseconds: 0 },
    hint: text
  })

export const timed = (report: LessonReport): TimedLesson => ({
  report,
  seconds: 0.25,
  explanation: `${report.verdict} ${report.title}`
})
