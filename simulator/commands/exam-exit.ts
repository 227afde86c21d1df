/** The exit code of an examination. */
import type { ExamVerdict } from "../examination/judge.ts"
import { FAILED, NOT_COMPLETE, PASSED, UNUSABLE } from "./exit.ts"

/** A failure counts before an error, and an error before an unknown verdict. */
export const exitCodeFor = (results: ReadonlyArray<{ readonly verdict: ExamVerdict }>): number => {
  const verdicts = new Set(results.map(({ verdict }) => verdict))
  if (verdicts.has("FAIL")) return FAILED
  if (verdicts.has("ERROR")) return UNUSABLE
  return verdicts.has("UNKNOWN") ? NOT_COMPLETE : PASSED
}
