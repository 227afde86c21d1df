/** Simulates one scenario: a fresh world on either store, its trace and its story. */
import { Cause, Effect, Exit } from "effect"
import type { Storage } from "../src/ports/storage.ts"
import { renderRun } from "./console.ts"
import type { Deadlock } from "./kernel/deadlock.ts"
import { describeLeak, guardLeaks, type Leak } from "./leaks/guard.ts"
import type { Observed, Verdict } from "./observation.ts"
import type { Recorder } from "./recorder.ts"
import { runScenario } from "./run.ts"
import type { Scenario } from "./script/scenario.ts"
import { type Stage, stageInMemory, stageOn, type StageOptions } from "./stage.ts"
import { type RowChange, rowChanges } from "./row-changes.ts"
import { renderTrace } from "./trace.ts"

export interface Simulated {
  readonly verdict: Verdict
  readonly trace: string
  /** One line a step, with the story around it. */
  readonly story: string
  readonly observations: ReadonlyArray<Observed>
  /** Replaces every secret of the run in a text. */
  readonly redact: (text: string) => string
  /** What a commit changed, row by row; nothing on a store that is not in memory. */
  readonly changesOf: (commit: Observed) => ReadonlyArray<RowChange>
}

export interface Options extends StageOptions {
  /** How failures name the script. */
  readonly file: string
}

/** On the store in memory, from beginning to end without returning to the event loop. */
export const simulate = (scenario: Scenario, options: Options): Simulated => {
  const stage = stageInMemory(scenario, options)
  const { result, leaks } = guardLeaks(() => stage.kernel.run(programOf(scenario, stage)))
  return conclude(scenario, options, stage, result, leaks)
}

/** On real stores that nobody else uses meanwhile, one for each instance of the service, under the same virtual time. */
export const simulateOn = async (
  storages: ReadonlyArray<Storage["Service"]>,
  scenario: Scenario,
  options: Options
): Promise<Simulated> => {
  const stage = stageOn(storages, scenario, options)
  return conclude(scenario, options, stage, await stage.kernel.runAsync(programOf(scenario, stage)))
}

const programOf = (scenario: Scenario, stage: Stage) => stage.logged(Effect.scoped(runScenario(scenario, stage)))

/** A defect in the service, a deadlock or a leak ends a run as surely as a wrong answer. */
const conclude = (
  scenario: Scenario,
  { file }: Options,
  { recorder, states }: Stage,
  exit: Exit.Exit<Verdict, Deadlock>,
  leaks: ReadonlyArray<Leak> = []
): Simulated => {
  const defects = Exit.isFailure(exit) ? Cause.prettyErrors(exit.cause).map((error) => error.message) : []
  const reasons = [...defects, ...leaks.map(describeLeak)]
  if (reasons.length > 0) fail(recorder, reasons)
  const { observations, complaints, redact } = recorder
  return {
    verdict: Exit.isSuccess(exit) && leaks.length === 0 ? exit.value : "FAILED",
    trace: renderTrace(observations, redact),
    story: redact(renderRun(file, scenario, observations, complaints)),
    observations,
    redact,
    changesOf: (commit) => rowChanges(commit, states.get(commit))
  }
}

/** What was found out after the steps takes the place of the verdict on them; what they failed with stays said. */
const fail = (recorder: Recorder, reasons: ReadonlyArray<string>): void => {
  const last = recorder.observations.at(-1)
  const earlier = last?.kind === "verdict" && last.reason !== undefined ? [last.reason] : []
  if (last?.kind === "verdict") recorder.observations.pop()
  recorder.observe({
    kind: "verdict",
    verdict: "FAILED",
    steps: recorder.stepsBegun,
    reason: [...earlier, ...reasons].join("; ")
  })
}
