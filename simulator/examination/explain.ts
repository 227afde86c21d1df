/** The result of a lesson in words, for a terminal. */
import { readTrace } from "../observation/trace.ts"
import { eventsOf } from "../view-model/session-events.ts"
import { shellQuote } from "../reports/replay-command.ts"
import { type BrokenCondition, type ExamVerdict, firstBroken } from "./judge.ts"
import { fewestInWords } from "./fewest.ts"
import type { JudgedRun } from "./examine.ts"
import { trialsByLesson } from "./trial.ts"

/**
 * One line for a passed lesson; for any other the rule, the moment, the lines of the trace before it, a hint, and the command
 * that replays it where it is `saved`.
 */
export const explain = (result: JudgedRun, saved?: string): string => {
  const { lesson, verdict } = result
  const title = `${verdict.padEnd(7)} ${lesson.name}: ${lesson.form.lesson}`
  return verdict === "PASS"
    ? title
    : [title, ...[...detailsOf(result), ...commandLines(verdict, saved)].map((line) => `        ${line}`)].join("\n")
}

const commandLines = (verdict: ExamVerdict, saved: string | undefined): ReadonlyArray<string> => {
  if (saved === undefined) return []
  const folder = shellQuote(saved)
  return [
    `Replay: npm run -s simulate -- exam replay ${folder}`,
    ...(verdict === "FAIL" ? [`Explain: npm run -s simulate -- why ${folder}`] : [])
  ]
}

const detailsOf = (result: JudgedRun): ReadonlyArray<string> => {
  const { lesson, verdict, judgement, ended, output, fewest } = result
  const { rule, section, hint } = lesson.form
  const broken = [...judgement.safety, ...judgement.progress]
  if (verdict === "UNKNOWN" || verdict === "ERROR") {
    const printed = output.trimEnd().split("\n").slice(-linesShown)
    const what = judgement.cameToPoint ? "It is not judged" : "It did not reach the point"
    return [`${what}: ${ended}.`, ...(verdict === "ERROR" ? printed : [])]
  }
  const first = firstBroken(judgement)
  return [
    `Rule: ${rule} (specification ${section})`,
    ...broken.map(({ label, words }) => `${label}: ${words}`),
    ...(first === undefined ? [] : eventsBefore(first, result)),
    `The lesson ended because: ${ended}.`,
    ...(fewest === undefined ? [] : [fewestInWords(fewest)]),
    `Hint: ${hint}`
  ]
}

/** The last events until a condition was violated, or until the end. */
const eventsBefore = ({ observed }: BrokenCondition, { session }: JudgedRun): ReadonlyArray<string> =>
  eventsOf(readTrace(session.trace).slice(0, observed))
    .slice(-linesShown)
    .map(({ at, text }) => `  ${at} ${text}`)

const linesShown = 6

/** How many lessons are passed in all of their trials, and which part of all trials is passed. */
export const trialTotals = (results: ReadonlyArray<Pick<JudgedRun, "lesson" | "verdict">>, trials: number): string => {
  const byLesson = trialsByLesson(results)
  const passed = results.filter(({ verdict }) => verdict === "PASS").length
  const whole = byLesson.filter((all) => all.every(({ verdict }) => verdict === "PASS")).length
  return `pass^${trials}: ${whole} of ${byLesson.length} lessons; pass^1: ${passed} of ${results.length} trials`
}

/** How many lessons have each verdict. */
export const totalsOf = (results: ReadonlyArray<Pick<JudgedRun, "verdict">>): string => {
  const counts = new Map<string, number>()
  for (const { verdict } of results) counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
  const lessons = `${results.length} ${results.length === 1 ? "run" : "runs"}`
  return `${lessons}: ${[...counts].map(([verdict, count]) => `${count} ${verdict}`).join(", ")}`
}
