/** The trace and the story that are committed beside each script, and whether a run still leaves them. */
import * as fs from "node:fs"
import { goldenFiles } from "../files.ts"
import { linesAround } from "../reports/finish.ts"
import type { Failure } from "../reports/finished-run.ts"
import type { Simulated } from "../simulate.ts"
import { firstDifference, lineOfDifference } from "../trace.ts"

/** What a run leaves. */
type Left = Pick<Simulated, "trace" | "story">

export const writeGolden = (file: string, { trace, story }: Left): void => {
  const golden = goldenFiles(file)
  fs.writeFileSync(golden.trace, trace)
  fs.writeFileSync(golden.story, story)
}

/** Empty where both are there and equal to the byte. A story is looked at only where the traces are equal. */
export const differencesFromGolden = (file: string, { trace, story }: Left): ReadonlyArray<Failure> => {
  const golden = goldenFiles(file)
  const missing = [golden.trace, golden.story].find((name) => !fs.existsSync(name))
  if (missing !== undefined) return [failureAt(file, 0, `there is no ${missing}; --update writes it`, [], [])]
  const committed = fs.readFileSync(golden.trace, "utf8")
  const line = lineOfDifference(committed, trace)
  if (line !== undefined) {
    const told = firstDifference(committed, trace, sides)?.split("\n") ?? []
    return [failureAt(golden.trace, line, "the trace is not the committed one", told, linesAround(trace, line))]
  }
  return storyDifference(golden.story, fs.readFileSync(golden.story, "utf8"), story)
}

/** Another world has another trace, but where the committed one is of this very run, a reader wants to know. */
export const isOtherThanCommitted = (file: string, { trace }: Left): boolean => {
  const golden = goldenFiles(file)
  return fs.existsSync(golden.trace) && fs.readFileSync(golden.trace, "utf8") !== trace
}

const sides = ["committed", "now"] as const

const storyDifference = (file: string, committed: string, story: string): ReadonlyArray<Failure> => {
  const line = lineOfDifference(committed, story)
  if (line === undefined) return []
  const [was, is] = [committed.split("\n")[line], story.split("\n")[line]]
  const told = [`committed: ${was ?? "the end"}`, `now:       ${is ?? "the end"}`]
  return [failureAt(file, line, "the story is not the committed one", told, [])]
}

const failureAt = (
  file: string,
  line: number,
  reason: string,
  details: ReadonlyArray<string>,
  trace: ReadonlyArray<string>
): Failure => ({ file, line: line + 1, reason, differences: [], details, trace })
