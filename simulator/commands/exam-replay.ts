/** `simulate exam replay <run>…`: judges saved runs of lessons again, without the agent. */
import { Effect, Result } from "effect"
import { Argument, Command } from "effect/cli"
import { explain, totalsOf } from "../examination/explain.ts"
import { examReports } from "../examination/reports/exam-reports.ts"
import { type ReplayedRun, replayRun, savedRunsIn } from "../examination/saved-run.ts"
import { readDestinations, streamBeside, writeReport } from "../reports/destinations.ts"
import { exitCodeFor } from "./exam-exit.ts"
import { DIVERGED, endWith, noteExitCode, printOn, UNUSABLE, writeOrEnd } from "./exit.ts"
import { reportFlag } from "./report-flag.ts"

const flags = {
  runs: Argument.String("folder").pipe(
    Argument.withDescription("Saved runs, or folders of saved runs"),
    Argument.variadic({ min: 1 })
  ),
  report: reportFlag(examReports, "verdicts")
}

export const examReplay = Command.make(
  "replay",
  flags,
  Effect.fn(function* ({ runs, report }) {
    const destinations = readDestinations(examReports, report)
    if (Result.isFailure(destinations)) return yield* endWith(UNUSABLE, destinations.failure)
    const print = printOn(streamBeside(destinations.success.map(({ file }) => file)))
    const folders = runs.flatMap(savedRunsIn)
    if (folders.length === 0) return yield* endWith(UNUSABLE, `no saved run in ${runs.join(", ")}`)
    const replayed: Array<ReplayedRun> = []
    for (const folder of folders) {
      const read = replayRun(folder)
      if (Result.isFailure(read)) {
        yield* endWith(UNUSABLE, read.failure)
        continue
      }
      replayed.push(read.success)
      yield* print(explain(read.success))
      for (const difference of read.success.differences) yield* endWith(DIVERGED, `${folder}: ${difference}`)
    }
    yield* print(totalsOf(replayed))
    noteExitCode(exitCodeFor(replayed))
    for (const destination of destinations.success) {
      yield* writeOrEnd(destination.file, () => writeReport(examReports, destination, { results: replayed }))
    }
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
