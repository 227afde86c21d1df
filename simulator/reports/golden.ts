/** Golden files: the committed trace and story of each script, and the comparison with a run. */
import * as fs from "node:fs"
import { goldenFiles } from "../scenario/files.ts"
import { linesAround } from "./finish-run.ts"
import type { Failure } from "./finished-run.ts"
import type { SimulationResult } from "../scenario/simulate.ts"
import { firstDifference, lineOfDifference } from "../observation/trace.ts"

/** The output of a run. */
type Output = Pick<SimulationResult, "trace" | "story">

export const writeGolden = (file: string, { trace, story }: Output): void => {
  const golden = goldenFiles(file)
  fs.writeFileSync(golden.trace, trace)
  fs.writeFileSync(golden.story, story)
}

/** Empty if both files exist and are byte-identical. The story is compared only if the traces are equal. */
export const differencesFromGolden = (file: string, { trace, story }: Output): ReadonlyArray<Failure> => {
  const golden = goldenFiles(file)
  const missing = [golden.trace, golden.story].find((name) => !fs.existsSync(name))
  if (missing !== undefined) return [failureAt(file, 0, `file not found: ${missing}; --update writes it`, [], [])]
  const committed = fs.readFileSync(golden.trace, "utf8")
  const line = lineOfDifference(committed, trace)
  if (line !== undefined) {
    const details = firstDifference(committed, trace, sides)?.split("\n") ?? []
    return [
      failureAt(golden.trace, line, "the trace differs from the committed one", details, linesAround(trace, line))
    ]
  }
  return storyDifference(golden.story, fs.readFileSync(golden.story, "utf8"), story)
}

/** True if a committed trace exists and differs. */
export const differsFromGolden = (file: string, { trace }: Output): boolean => {
  const golden = goldenFiles(file)
  return fs.existsSync(golden.trace) && fs.readFileSync(golden.trace, "utf8") !== trace
}

const sides = ["committed", "now"] as const

const storyDifference = (file: string, committed: string, story: string): ReadonlyArray<Failure> => {
  const line = lineOfDifference(committed, story)
  if (line === undefined) return []
  const [old, current] = [committed.split("\n")[line], story.split("\n")[line]]
  const details = [`committed: ${old ?? "the end"}`, `now:       ${current ?? "the end"}`]
  return [failureAt(file, line, "the story differs from the committed one", details, [])]
}

const failureAt = (
  file: string,
  line: number,
  reason: string,
  details: ReadonlyArray<string>,
  trace: ReadonlyArray<string>
): Failure => ({ file, line: line + 1, reason, differences: [], details, trace })
