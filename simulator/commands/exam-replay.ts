/** `simulate exam replay <run>…`: judges saved runs of lessons again, without the agent. */
import { Effect, Result } from "effect"
import { Argument, Command } from "effect/cli"
import { explain, totalsOf } from "../examination/explain.ts"
import { type ReplayedRun, replayRun, savedRunsIn } from "../examination/saved-run.ts"
import { exitCodeFor } from "./exam-exit.ts"
import { DIVERGED, endWith, noteExitCode, print, UNUSABLE } from "./exit.ts"

const flags = {
  runs: Argument.String("folder").pipe(
    Argument.withDescription("Saved runs, or folders of saved runs"),
    Argument.variadic({ min: 1 })
  )
}

export const examReplay = Command.make(
  "replay",
  flags,
  Effect.fn(function* ({ runs }) {
    const folders = runs.flatMap(savedRunsIn)
    if (folders.length === 0) return yield* endWith(UNUSABLE, `no saved run in ${runs.join(", ")}`)
    const replayed: Array<ReplayedRun> = []
    for (const folder of folders) {
      const read = replayRun(folder)
      if (Result.isFailure(read)) {
        yield* endWith(UNUSABLE, read.failure)
        continue
      }
      const { saved, differences, ...now } = read.success
      replayed.push(read.success)
      yield* print(explain({ ...now, ended: saved.ended, output: "" }))
      for (const difference of differences) yield* endWith(DIVERGED, `${folder}: ${difference}`)
    }
    yield* print(totalsOf(replayed))
    noteExitCode(exitCodeFor(replayed))
  })
).pipe(
  Command.withDescription(
    "Judge saved runs of lessons again, without the agent: the same verdict, and the same bytes of the trace. Exit codes: " +
      "those of the verdicts, as `simulate exam` has them; 2 if a run cannot be read, 3 if one has another verdict or trace now."
  ),
  Command.withShortDescription("Judge saved runs again, without the agent"),
  Command.withExamples([
    { command: "simulate exam replay runs", description: "All runs of an examination with --save runs" },
    { command: "simulate exam replay runs/answer-lost", description: "One of them" }
  ])
)
