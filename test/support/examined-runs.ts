/** Runs of lessons in tests of agents. */
import * as path from "node:path"
import { Result } from "effect"
import { assert } from "vitest"
import type { LessonResult } from "../../simulator/examination/examine.ts"
import { replayRun, saveRun } from "../../simulator/examination/saved-run.ts"

/** Runs a lesson, and again where an answer came too late: such a run has no verdict. */
export const judged = async (run: () => Promise<LessonResult>): Promise<LessonResult> => {
  const result = await run()
  return result.verdict === "UNKNOWN" && result.end.isAnswerLate === true ? run() : result
}

/** A run saved below this folder has the same verdict and the same trace when it is judged again, without the agent. */
export const assertReplays = (folder: string, result: LessonResult, name: string): void => {
  const place = path.join(folder, name)
  assert.isUndefined(saveRun(place, result))
  const { differences, verdict } = Result.getOrThrow(replayRun(place))
  assert.deepStrictEqual(differences, [])
  assert.strictEqual(verdict, result.verdict)
}
