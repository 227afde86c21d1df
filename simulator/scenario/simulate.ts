/** Simulates one scenario in a new world on either store, with its trace and story. */
import { Cause, Effect, Exit } from "effect"
import type { Storage } from "../../src/ports/storage.ts"
import { renderRun } from "./story.ts"
import type { Deadlock } from "../kernel/deadlock.ts"
import { describeLeak, guardLeaks, type Leak } from "../kernel/leaks/leak-guard.ts"
import type { TimedObservation, Verdict } from "../observation/observation.ts"
import type { Recorder } from "../observation/recorder.ts"
import { runScenario } from "./run.ts"
import type { Scenario } from "./format/scenario.ts"
import { PropertyJudge, type UnjudgedProperty } from "./properties/judge.ts"
import { type SimulationSetup, setupInMemory, setupOn, type SimulationSetupOptions } from "./simulation-setup.ts"
import { type RowChange, rowChanges } from "../storage/row-changes.ts"
import { renderTrace } from "../observation/trace.ts"

export interface SimulationResult {
  readonly verdict: Verdict
  readonly trace: string
  /** One line a step, with the story around it. */
  readonly story: string
  readonly observations: ReadonlyArray<TimedObservation>
  /** Replaces every secret of the run in a text. */
  readonly redact: (text: string) => string
  /** The row changes of a commit; empty for a store outside memory. */
  readonly changesOf: (commit: TimedObservation) => ReadonlyArray<RowChange>
  /** The properties that a passed run did not judge. */
  readonly unjudged: ReadonlyArray<UnjudgedProperty>
}

export interface Options extends SimulationSetupOptions {
  /** The name of the scenario in failures. */
  readonly file: string
}

/** Runs on the store in memory without returning to the event loop. */
export const simulate = (scenario: Scenario, options: Options): SimulationResult => {
  const judge = new PropertyJudge(scenario)
  const setup = setupInMemory(scenario, judgedBy(judge, options))
  const { result, leaks } = guardLeaks(() => setup.scheduler.run(programOf(scenario, setup, judge)))
  return conclude(scenario, options, { setup, judge }, result, leaks)
}

/** Runs on real, exclusive stores, one for each instance of the service, under virtual time. */
export const simulateOn = async (
  storages: ReadonlyArray<Storage["Service"]>,
  scenario: Scenario,
  options: Options
): Promise<SimulationResult> => {
  const judge = new PropertyJudge(scenario)
  const setup = setupOn(storages, scenario, judgedBy(judge, options))
  return conclude(
    scenario,
    options,
    { setup, judge },
    await setup.scheduler.runAsync(programOf(scenario, setup, judge))
  )
}

const judgedBy = (judge: PropertyJudge, options: SimulationSetupOptions): SimulationSetupOptions => ({
  ...options,
  onObservation: (observed, content) => {
    options.onObservation?.(observed, content)
    judge.observe(observed, content)
  }
})

const programOf = (scenario: Scenario, setup: SimulationSetup, judge: PropertyJudge) =>
  setup.logged(Effect.scoped(runScenario(scenario, setup, judge)))

interface Run {
  readonly setup: SimulationSetup
  readonly judge: PropertyJudge
}

/** A defect in the service, a deadlock or a leak fails a run. */
const conclude = (
  scenario: Scenario,
  { file }: Options,
  { setup: { recorder, states }, judge }: Run,
  exit: Exit.Exit<Verdict, Deadlock>,
  leaks: ReadonlyArray<Leak> = []
): SimulationResult => {
  const defects = Exit.isFailure(exit) ? Cause.prettyErrors(exit.cause).map((error) => error.message) : []
  const reasons = [...defects, ...leaks.map(describeLeak)]
  if (reasons.length > 0) fail(recorder, reasons)
  const { observations, complaints, redact } = recorder
  const verdict = Exit.isSuccess(exit) && leaks.length === 0 ? exit.value : "FAILED"
  return {
    verdict,
    unjudged: verdict === "PASSED" ? judge.unjudged : [],
    trace: renderTrace(observations, redact),
    story: redact(renderRun(file, scenario, observations, complaints)),
    observations,
    redact,
    changesOf: (commit) => rowChanges(commit, states.get(commit))
  }
}

/** Replaces the verdict by a failure and keeps the earlier reason. */
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
