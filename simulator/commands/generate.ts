/** `simulate generate`: scenarios from seeds, as files, and what they ever combined. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Duration, Effect, Option, Result } from "effect"
import { Command, Flag } from "effect/cli"
import { generate as generateScenario } from "../generate/generate.ts"
import { renderSurvey } from "../generate/render-survey.ts"
import { Survey } from "../generate/survey.ts"
import { end, FAILED, print, UNUSABLE } from "./ending.ts"

const flags = {
  count: Flag.Int("count").pipe(
    Flag.withDescription("How many scenarios"),
    Flag.withMetavar("number"),
    Flag.withDefault(1)
  ),
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("The seed of the first; the others follow"),
    Flag.withMetavar("number"),
    Flag.withDefault(1)
  ),
  out: Flag.String("out").pipe(
    Flag.withDescription("Write each of them into this folder"),
    Flag.withMetavar("folder"),
    Flag.optional
  ),
  report: Flag.Boolean("report").pipe(
    Flag.withDescription("Tell what was ever combined, and what was never reached"),
    Flag.withDefault(false)
  )
}

export const generate = Command.make(
  "generate",
  flags,
  Effect.fn(function* ({ count, seed, out, report }) {
    if (count < 1) return yield* end(UNUSABLE, "--count is a number of scenarios")
    const survey = new Survey()
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
    const lived = yield* Effect.result(Effect.timed(work))
    if (Result.isFailure(lived)) return yield* end(UNUSABLE, lived.failure)
    const [duration] = lived.success
    if (report) yield* print(renderSurvey(survey))
    const made = `${survey.scenarios} ${survey.scenarios === 1 ? "scenario" : "scenarios"}, ${survey.steps} steps`
    yield* print(`${made}, ${Duration.toSeconds(duration).toFixed(1)} s`)
    if (survey.defects.length > 0) yield* end(FAILED, survey.defects.join("\n"))
  })
).pipe(
  Command.withDescription(
    "Generate scenarios: each is lived in a world in memory and written down with what came back. The same seed gives " +
      "the same bytes. Exits with 0, 1 where the service answered with something that is no refusal, " +
      "2 where the command or the folder cannot be used."
  ),
  Command.withShortDescription("Generate scenarios from seeds"),
  Command.withExamples([
    { command: "simulate generate --count 1000 --report", description: "What a thousand scenarios combine" },
    { command: "simulate generate --seed 42 --out found", description: "The script of one of them" }
  ])
)

const writing = (place: string, write: () => void): Effect.Effect<void, string> =>
  Effect.try({ try: write, catch: (error) => `${place} cannot be written: ${String(error)}` })
