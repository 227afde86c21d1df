/** `simulate exam sweep --command "<program>"`: every request of an agent with every single fault, one in a run. */
import * as os from "node:os"
import * as path from "node:path"
import { Effect, Option, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { AgentProcess } from "../examination/agent-process.ts"
import { explain } from "../examination/explain.ts"
import { type Lesson, readLessons } from "../examination/lesson.ts"
import { type FailedFault, sweep, sweptKinds, type SweepResult } from "../examination/sweep.ts"
import { claimFolder, examServer, programFlags, shippedLessons, writeSaved } from "./exam-shared.ts"
import { endWith, FAILED, noteExitCode, print, UNUSABLE } from "./exit.ts"

const flags = {
  lessons: Argument.String("folder").pipe(
    Argument.withDescription("Lessons, or folders of lessons; default first-delivery"),
    Argument.variadic()
  ),
  ...programFlags,
  together: Flag.Int("together").pipe(
    Flag.withDescription("The number of runs at the same time; default the number of cores"),
    Flag.withMetavar("number"),
    Flag.optional
  )
}

export const examSweep = Command.make(
  "sweep",
  flags,
  Effect.fn(function* ({ lessons, command, silence, save, together }) {
    const found = readLessons(lessons.length === 0 ? [path.join(shippedLessons, "first-delivery")] : lessons)
    if (Result.isFailure(found)) return yield* endWith(UNUSABLE, found.failure)
    const runsTogether = Option.getOrElse(together, os.availableParallelism)
    if (runsTogether < 1) return yield* endWith(UNUSABLE, "--together must be at least 1")
    const saved = claimFolder(save)
    if (Result.isFailure(saved)) return yield* endWith(UNUSABLE, saved.failure)
    const { worlds, origin } = yield* examServer
    for (const lesson of found.success) {
      const options = {
        newAgent: () => new AgentProcess(command),
        origin,
        isCooperative: true,
        silence,
        together: runsTogether
      }
      const result = yield* Effect.promise(() => sweep(lesson, worlds, options))
      yield* printResult(lesson, result, saved.success)
    }
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    `Give a lesson to an agent once for each of its requests and each single fault (${sweptKinds.join(", ")}), and judge every ` +
      "run by the lesson and by the properties of the service. The agent has to wait by the clock of the world, and to do the " +
      "same twice. Exit codes: 0 if it passes with every fault, 1 if it fails with one, 2 if it does not pass without a fault, or " +
      "its runs differ."
  ),
  Command.withShortDescription("Give a lesson with every single fault"),
  Command.withExamples([
    { command: 'simulate exam sweep --command "python3 my-agent.py"', description: "The lesson first-delivery" },
    {
      command: 'simulate exam sweep scenarios/lessons/evidence-requested --command "./agent" --together 4',
      description: "Another lesson, four runs at the same time"
    }
  ])
)

const printResult = Effect.fnUntraced(function* ({ name }: Lesson, result: SweepResult, saved: string) {
  if (result.kind === "CALM_RUN_FAILS") {
    yield* print(explain(result.result))
    return yield* endWith(UNUSABLE, `${name}: the agent does not pass without a fault, so there is nothing to compare`)
  }
  if (result.kind === "RUNS_DIFFER") {
    return yield* endWith(UNUSABLE, `${name}: two runs without a fault differ: ${result.difference}`)
  }
  const { runs, requests, failed } = result
  for (const one of failed) yield* printFailed(one, path.join(saved, `${name}-${one.fault.request}-${one.fault.kind}`))
  const survived = failed.length === 0 ? "every single fault survived" : `${failed.length} not survived`
  yield* print(`${name}: complete: ${runs} runs for ${requests} requests, ${survived}`)
  if (failed.length > 0) noteExitCode(FAILED)
})

const printFailed = Effect.fnUntraced(function* (failed: FailedFault, folder: string) {
  const { fault, operation, violation, result } = failed
  yield* writeSaved(folder, result)
  yield* print(`${fault.kind} at request ${fault.request}, ${operation}:`)
  if (violation !== undefined) yield* print(`        Property of the service: ${violation}`)
  yield* print(explain(result, folder))
})
