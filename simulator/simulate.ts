/** Simulates one scenario: a fresh world on either store, its trace and its story. */
import { Cause, Effect, Exit, Layer, Logger } from "effect"
import type { SecureRandom } from "effect/crypto"
import { Storage } from "../src/ports/storage.ts"
import { rootTables } from "../src/tables.ts"
import { fromMilliseconds, toMilliseconds } from "../src/vocabulary/instant.ts"
import { Network } from "./callbacks/network.ts"
import { renderRun } from "./console.ts"
import { announceCalls } from "./external-storage.ts"
import type { Choose } from "./kernel/choice.ts"
import type { Deadlock } from "./kernel/deadlock.ts"
import { Kernel } from "./kernel/kernel.ts"
import { layer as memoryLayer } from "./memory-storage/layer.ts"
import { MemoryStore } from "./memory-storage/store.ts"
import type { Verdict } from "./observation.ts"
import { Recorder } from "./recorder.ts"
import { runScenario } from "./run.ts"
import type { Scenario } from "./script/scenario.ts"
import { Surroundings } from "./surroundings.ts"
import { renderTrace } from "./trace.ts"
import { makeWorld } from "./world.ts"

export interface Simulated {
  readonly verdict: Verdict
  readonly trace: string
  /** One line a step, with the story around it. */
  readonly story: string
}

export interface Options {
  /** How failures name the script. */
  readonly file: string
  readonly choose?: Choose
}

/** On the store in memory, from beginning to end without returning to the event loop. */
export const simulate = (scenario: Scenario, options: Options): Simulated => {
  const { kernel, recorder, program } = prepare(scenario, options, (kernel) =>
    memoryLayer(new MemoryStore(rootTables), { gate: (label) => kernel.park(`storage.${label}`) })
  )
  return conclude(scenario, options, recorder, kernel.run(program))
}

/** On a real store that nobody else uses meanwhile, under the same virtual time. */
export const simulateOn = async (
  storage: Storage["Service"],
  scenario: Scenario,
  options: Options
): Promise<Simulated> => {
  const { kernel, recorder, program } = prepare(scenario, options, (kernel) =>
    Layer.succeed(Storage, announceCalls(kernel, storage))
  )
  return conclude(scenario, options, recorder, await kernel.runAsync(program))
}

const prepare = (scenario: Scenario, options: Options, storage: (kernel: Kernel) => Layer.Layer<Storage>) => {
  const kernel = new Kernel({
    seed: scenario.seed,
    startsAt: toMilliseconds(scenario.start),
    ...(options.choose === undefined ? {} : { choose: options.choose })
  })
  const recorder = new Recorder(() => fromMilliseconds(kernel.now))
  const program: Effect.Effect<Verdict, never, SecureRandom.SecureRandom> = makeWorld(
    kernel,
    recorder,
    {
      surroundings: new Surroundings(recorder, scenario.given.mail),
      network: new Network(recorder, scenario.given.receivers ?? {})
    },
    storage(kernel)
  ).pipe(
    Effect.flatMap((world) => runScenario(scenario, kernel, world, recorder)),
    Effect.scoped,
    Effect.provideService(Logger.CurrentLoggers, new Set([recorder.logger]))
  )
  return { kernel, recorder, program }
}

/** A defect in the service or a deadlock ends a run as surely as a wrong answer. */
const conclude = (
  scenario: Scenario,
  { file }: Options,
  recorder: Recorder,
  exit: Exit.Exit<Verdict, Deadlock>
): Simulated => {
  if (Exit.isFailure(exit)) {
    const reason = Cause.prettyErrors(exit.cause)
      .map((error) => error.message)
      .join("; ")
    recorder.observe({ kind: "verdict", verdict: "FAILED", steps: recorder.stepsBegun, reason })
  }
  return {
    verdict: Exit.isSuccess(exit) ? exit.value : "FAILED",
    trace: renderTrace(recorder.observations, recorder.redact),
    story: recorder.redact(renderRun(file, scenario, recorder.observations, recorder.complaints))
  }
}
