/** The result of a lesson in words, for a terminal. */
import { readTrace } from "../observation/trace.ts"
import { eventsOf } from "../view-model/session-events.ts"
import type { BrokenCondition } from "./judge.ts"
import type { LessonResult } from "./examine.ts"

/** One line for a passed lesson; for any other the rule, the moment, the lines of the trace before it, and a hint. */
export const explain = (result: LessonResult): string => {
  const { lesson, verdict } = result
  const title = `${verdict.padEnd(7)} ${lesson.name}: ${lesson.form.lesson}`
  return verdict === "PASS" ? title : [title, ...detailsOf(result).map((line) => `        ${line}`)].join("\n")
}

const detailsOf = (result: LessonResult): ReadonlyArray<string> => {
  const { lesson, verdict, judgement, ended, output } = result
  const { rule, section, hint } = lesson.form
  const broken = [...judgement.safety, ...judgement.progress]
  if (verdict === "UNKNOWN" || verdict === "ERROR") {
    const printed = output.trimEnd().split("\n").slice(-linesShown)
    return [`It did not come to the point: ${ended}.`, ...(verdict === "ERROR" ? printed : [])]
  }
  const [first] = broken
  return [
    `Rule: ${rule} (specification ${section})`,
    ...broken.map(({ label, words }) => `${label}: ${words}`),
    ...(first === undefined ? [] : eventsBefore(first, result)),
    `The lesson ended because: ${ended}.`,
    `Hint: ${hint}`
  ]
}

/** The last events until a condition was violated, or until the end. */
const eventsBefore = ({ observed }: BrokenCondition, { session }: LessonResult): ReadonlyArray<string> =>
  eventsOf(readTrace(session.trace).slice(0, observed))
    .slice(-linesShown)
    .map(({ at, text }) => `  ${at} ${text}`)

const linesShown = 6

/** How many lessons have each verdict. */
export const totalsOf = (results: ReadonlyArray<LessonResult>): string => {
  const counts = new Map<string, number>()
  for (const { verdict } of results) counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
  return `${results.length} lessons: ${[...counts].map(([verdict, count]) => `${count} ${verdict}`).join(", ")}`
}
