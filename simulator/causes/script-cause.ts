/** The cause of a file that fails: a script with a fixed schedule, a scenario without a search, or a saved run of a lesson. */
import * as path from "node:path"
import { Result } from "effect"
import { worldFile } from "../examination/lesson.ts"
import { savedRunsIn } from "../examination/saved-run.ts"
import { exploreStep } from "../scenario/explore-step.ts"
import { readScript } from "../scenario/files.ts"
import type { PropertySet } from "../search/minimize/trials.ts"
import type { Cause } from "./cause.ts"
import { causeOfSchedule } from "./schedule-cause.ts"
import { causeOfSavedRun, causeOfScenario } from "./session-cause.ts"

export interface CauseOptions extends PropertySet {
  /** The limit of continuations after each moment; by default 200 schedules, or 12 runs without a search, which take longer. */
  readonly runsMax: number | undefined
}

/** A saved run of a lesson is named by its folder or by its scenario. */
export const causeOfFile = (file: string, { runsMax, ...checks }: CauseOptions): Result.Result<Cause, string> => {
  const folder = path.basename(file) === worldFile ? path.dirname(file) : file
  if (savedRunsIn(folder).includes(folder)) return causeOfSavedRun(folder, runsMax ?? sessionRuns)
  return Result.flatMap(readScript(file), (scenario) =>
    exploreStep(scenario) === undefined
      ? causeOfScenario(file, scenario, runsMax ?? sessionRuns)
      : causeOfSchedule(file, scenario, checks, runsMax ?? scheduleRuns)
  )
}

const scheduleRuns = 200
const sessionRuns = 12
