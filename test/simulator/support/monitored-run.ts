/** The default run of a scenario, checked against all properties. */
import { Effect, Exit, Result } from "effect"
import { seededSigner } from "../../../simulator/environment/signer.ts"
import type { NameRegistry } from "../../../simulator/clients/name-registry.ts"
import { findFiles, readScript } from "../../../simulator/scenario/files.ts"
import { properties } from "../../../simulator/properties/all-properties.ts"
import { Monitors } from "../../../simulator/properties/monitors.ts"
import type { MonitoredProperty } from "../../../simulator/properties/property.ts"
import { RandomStreams } from "../../../simulator/kernel/prng.ts"
import { guardLeaks } from "../../../simulator/kernel/leaks/leak-guard.ts"
import { type Content, emptyContent } from "../../../simulator/storage/memory-storage/content.ts"
import type { TimedObservation } from "../../../simulator/observation/observation.ts"
import { runScenario } from "../../../simulator/scenario/run.ts"
import { setupInMemory } from "../../../simulator/scenario/simulation-setup.ts"

export const shippedScenarios: ReadonlyArray<string> = Result.getOrThrow(findFiles(["scenarios"]))

/** The violation and the reached reachability properties of a run. */
export const monitorRun = (file: string, judging: ReadonlyArray<MonitoredProperty> = properties): Monitors => {
  const scenario = Result.getOrThrow(readScript(file))
  const monitors = new Monitors(judging, emptyContent, seededSigner(new RandomStreams(scenario.seed)).keys)
  // The initial world is observed before its names are known.
  const early: Array<readonly [TimedObservation, Content]> = []
  let directory: NameRegistry | undefined
  const setup = setupInMemory(scenario, {
    onObservation: (observed, content = emptyContent) => {
      if (directory === undefined) early.push([observed, content])
      else monitors.observe(observed, content, directory)
    }
  })
  const open = Effect.tap(setup.open, (context) =>
    Effect.sync(() => {
      directory = context.directory
      for (const [observed, content] of early) monitors.observe(observed, content, directory)
    })
  )
  const program = setup.logged(Effect.scoped(runScenario(scenario, { ...setup, open })))
  const { result } = guardLeaks(() => setup.scheduler.run(program))
  if (Exit.isFailure(result)) throw new Error(`${file} did not end`)
  monitors.end()
  return monitors
}
