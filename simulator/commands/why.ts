/** `simulate why <file>`: from which moment on a failing run could no longer pass, and what alone would have changed it. */
import { Effect, Option, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { causeLines } from "../causes/cause-lines.ts"
import { causeOfFile } from "../causes/script-cause.ts"
import { properties } from "../properties/all-properties.ts"
import { probes } from "../search/isolation/probes.ts"
import { endWith, print, UNUSABLE } from "./exit.ts"

const flags = {
  file: Argument.String("file").pipe(
    Argument.withDescription(
      "A failing scenario, a script with a fixed schedule, or the folder of a saved run of a lesson"
    )
  ),
  runs: Flag.Int("runs").pipe(
    Flag.withDescription(
      "The maximum number of continuations after each moment; default 200 schedules, or 12 runs of a scenario without a search"
    ),
    Flag.withMetavar("number"),
    Flag.optional
  )
}

export const why = Command.make(
  "why",
  flags,
  Effect.fn(function* ({ file, runs }) {
    const runsMax = Option.getOrUndefined(runs)
    if (runsMax !== undefined && runsMax < 2) return yield* endWith(UNUSABLE, "--runs must be at least 2")
    const cause = causeOfFile(file, { properties, probes, runsMax })
    if (Result.isFailure(cause)) return yield* endWith(UNUSABLE, cause.failure)
    yield* print(causeLines(file, cause.success).join("\n"))
  })
).pipe(
  Command.withDescription(
    "Explain a failing run: after which choice or step it fails in all of its continuations, in most, in some or in none, the " +
      "last moment at which it could still have passed, and which choice, step or fault, changed alone, makes it pass. The " +
      "continuations of a script are other schedules; those of any other run leave later steps out, and of a saved run of a " +
      "lesson only the agent's. Exit codes: 0 if it is explained, 2 if the file cannot be used or does not fail."
  ),
  Command.withShortDescription("Explain from which moment on a run fails"),
  Command.withExamples([
    { command: "simulate why scenarios/regressions/one.yaml", description: "A finding of a search" },
    { command: "simulate why runs/answer-lost", description: "A saved run of an agent that fails a lesson" }
  ])
)
