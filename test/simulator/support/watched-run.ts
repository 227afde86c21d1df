/** The default run of a scenario, checked against all properties. */
import { readdirSync } from "node:fs"
import { Effect, Exit, Result } from "effect"
import { seededSigner } from "../../../simulator/signer.ts"
import type { Directory } from "../../../simulator/directory.ts"
import { readScript } from "../../../simulator/files.ts"
import { invariants } from "../../../simulator/invariants/every.ts"
import { Monitors } from "../../../simulator/invariants/monitors.ts"
import { Streams } from "../../../simulator/kernel/random.ts"
import { guardLeaks } from "../../../simulator/leaks/guard.ts"
import { type Content, emptyContent } from "../../../simulator/memory-storage/content.ts"
import type { Observed } from "../../../simulator/observation.ts"
import { runScenario } from "../../../simulator/run.ts"
import { stageInMemory } from "../../../simulator/stage.ts"

export const shippedScripts: ReadonlyArray<string> = readdirSync("scenarios")
  .filter((name) => name.endsWith(".yaml"))
  .toSorted()
  .map((name) => `scenarios/${name}`)

/** The violation and the reached reachability properties of a run. */
export const watchRun = (file: string): Monitors => {
  const scenario = Result.getOrThrow(readScript(file))
  const monitors = new Monitors(invariants, emptyContent, seededSigner(new Streams(scenario.seed)).keys)
  // The initial world is observed before its names are known.
  const early: Array<readonly [Observed, Content]> = []
  let directory: Directory | undefined
  const stage = stageInMemory(scenario, {
    observes: (observed, content = emptyContent) => {
      if (directory === undefined) early.push([observed, content])
      else monitors.observe(observed, content, directory)
    }
  })
  const open = Effect.tap(stage.open, (journey) =>
    Effect.sync(() => {
      directory = journey.directory
      for (const [observed, content] of early) monitors.observe(observed, content, directory)
    })
  )
  const program = stage.logged(Effect.scoped(runScenario(scenario, { ...stage, open })))
  const { result } = guardLeaks(() => stage.kernel.run(program))
  if (Exit.isFailure(result)) throw new Error(`${file} did not end`)
  monitors.end()
  return monitors
}
