/** `simulate generate`: generates scenarios from seeds, as files, and reports their coverage. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Duration, Effect, Option, Result } from "effect"
import { Command, Flag } from "effect/cli"
import { generate as generateScenario } from "../generation/generate.ts"
import { renderGenerationSurvey } from "../generation/render-survey.ts"
import { GenerationSurvey } from "../generation/generation-survey.ts"
import { endWith, FAILED, print, UNUSABLE } from "./exit.ts"

const flags = {
  count: Flag.Int("count").pipe(
    Flag.withDescription("The number of scenarios; default 1"),
    Flag.withMetavar("number"),
    Flag.withDefault(1)
  ),
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("The seed of the first scenario; the others follow; default 1"),
    Flag.withMetavar("number"),
    Flag.withDefault(1)
  ),
  out: Flag.String("out").pipe(
    Flag.withDescription("Write the scenarios to this folder"),
    Flag.withMetavar("folder"),
    Flag.optional
  ),
  report: Flag.Boolean("report").pipe(
    Flag.withDescription("Report the combinations covered, and the states never reached"),
    Flag.withDefault(false)
  )
}

export const generate = Command.make(
  "generate",
  flags,
  Effect.fn(function* ({ count, seed, out, report }) {
    if (count < 1) return yield* endWith(UNUSABLE, "--count must be at least 1")
    const survey = new GenerationSurvey()
    const folder = Option.getOrUndefined(out)
    const work = Effect.gen(function* () {
      if (folder !== undefined) yield* writing(folder, () => fs.mkdirSync(folder, { recursive: true }))
      for (let next = seed; next < seed + count; next++) {
        const generated = generateScenario(next)
        survey.add(generated)
        const file = path.join(folder ?? "", `generated-${next}.yaml`)
        if (folder !== undefined) yield* writing(file, () => fs.writeFileSync(file, generated.yaml))
      }
    })
    const result = yield* Effect.result(Effect.timed(work))
    if (Result.isFailure(result)) return yield* endWith(UNUSABLE, result.failure)
    const [duration] = result.success
    if (report) yield* print(renderGenerationSurvey(survey))
    const totals = `${survey.scenarios} ${survey.scenarios === 1 ? "scenario" : "scenarios"}, ${survey.steps} steps`
    yield* print(`${totals}, ${Duration.toSeconds(duration).toFixed(1)} s`)
    if (survey.defects.length > 0) yield* endWith(FAILED, survey.defects.join("\n"))
  })
).pipe(
  Command.withDescription(
    "Generate scenarios: each is run in memory while it is generated, and its answers become expectations. The same seed " +
      "results in the same bytes. Exit codes: 0, 1 if the service answered with an undocumented error, 2 if the command " +
      "line or the folder cannot be used."
  ),
  Command.withShortDescription("Generate scenarios from seeds"),
  Command.withExamples([
    { command: "simulate generate --count 1000 --report", description: "The coverage of a thousand scenarios" },
    { command: "simulate generate --seed 42 --out found", description: "Save one scenario" }
  ])
)

const writing = (place: string, write: () => void): Effect.Effect<void, string> =>
  Effect.try({ try: write, catch: (error) => `${place} cannot be written: ${String(error)}` })
