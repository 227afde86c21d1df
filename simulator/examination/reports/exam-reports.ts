/** The reports of `simulate exam`, by kind. */
import type { Renderers } from "../../reports/destinations.ts"
import { linesWithChanges } from "../../reports/html.ts"
import { rowChanges } from "../../storage/row-changes.ts"
import type { TimelineRun } from "../../view-model/timeline-run.ts"
import type { JudgedRun } from "../examine.ts"
import { explain } from "../explain.ts"
import type { Profile } from "../profile.ts"
import { badge } from "./badge.ts"
import { examTotals } from "./exam-totals.ts"
import { json } from "./json.ts"
import { junit } from "./junit.ts"
import { lessonReport } from "./lesson-report.ts"
import { scorecard } from "./scorecard.ts"

export interface Examination {
  readonly results: ReadonlyArray<JudgedRun>
  /** Absent for saved runs, as the seed from which its faults and the trials were drawn. */
  readonly profile?: Profile
  readonly seed?: number
}

export const examReports = {
  json: ({ results, ...drawn }: Examination) => json(results.map(lessonReport), drawn),
  junit: ({ results }: Examination) =>
    junit(
      results.map((result) => ({
        report: lessonReport(result),
        seconds: result.seconds,
        explanation: redacted(result, explain(result))
      }))
    ),
  html: ({ results }: Examination) =>
    scorecard(
      results.map((result) => ({
        report: lessonReport(result),
        output: redacted(result, result.output),
        timeline: () => timelineOf(result)
      }))
    ),
  svg: ({ results }: Examination) => badge(examTotals(results.map(lessonReport)))
} satisfies Renderers<string, Examination>

const redacted = ({ session }: JudgedRun, text: string): string => session.setup.recorder.redact(text)

const timelineOf = ({ lesson, verdict, session }: JudgedRun): TimelineRun => {
  const { trace, observations, setup, opening } = session
  const { states, recorder } = setup
  return {
    title: `${lesson.name}: ${lesson.form.lesson}`,
    say: lesson.form.rule,
    file: `specification ${lesson.form.section}`,
    seed: opening.seed,
    verdict,
    lines: linesWithChanges({
      trace,
      observations,
      changesOf: (commit) => rowChanges(commit, states.get(commit)),
      redact: recorder.redact
    })
  }
}
