/** `simulate exam`: gives lessons to an agent, each in a world of its own, and prints the verdicts. */
import * as path from "node:path"
import { Effect, Option, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { examine, type ExamOptions, type LessonResult } from "../examination/examine.ts"
import { explain, totalsOf, trialTotals } from "../examination/explain.ts"
import { type Lesson, readLessons } from "../examination/lesson.ts"
import { examReports } from "../examination/reports/exam-reports.ts"
import { lessonOfTrial, trialsMax } from "../examination/trial.ts"
import { readDestinations, streamBeside, writeReport } from "../reports/destinations.ts"
import { moveAfterSilence } from "../serve/patient-time.ts"
import { durationInMilliseconds, isDuration } from "../vocabulary/duration.ts"
import { examCheckResult } from "./exam-check-result.ts"
import { agentFlags, chooseAgent, givenTo } from "./exam-agent.ts"
import { readSigning, resultFlags, writeSigned } from "./exam-signing.ts"
import { examReplay } from "./exam-replay.ts"
import { exitCodeFor } from "./exam-exit.ts"
import { claimFolder, examServer, programFlags, shippedLessons, writeSaved } from "./exam-shared.ts"
import { examSweep } from "./exam-sweep.ts"
import { endWith, noteExitCode, printOn, UNUSABLE, writeOrEnd } from "./exit.ts"
import { reportFlag } from "./report-flag.ts"

const flags = {
  lessons: Argument.String("folder").pipe(
    Argument.withDescription("Lessons, or folders of lessons; default all shipped ones"),
    Argument.variadic()
  ),
  ...programFlags,
  ...agentFlags,
  patience: Flag.String("patience").pipe(
    Flag.withDescription(
      "For an agent without a clock of the world: after so much silence in real time, such as 20s, time moves to the next moment at which something is due"
    ),
    Flag.withMetavar("duration"),
    Flag.optional
  ),
  trials: Flag.Int("trials").pipe(
    Flag.withDescription(
      "How often each lesson is given, each time with other names, ids and terms; a lesson is passed if all trials are"
    ),
    Flag.withMetavar("number"),
    Flag.withDefault(1)
  ),
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("The seed from which the later trials are drawn"),
    Flag.withMetavar("number"),
    Flag.withDefault(1)
  ),
  report: reportFlag(examReports, "verdicts"),
  signed: resultFlags
}

const trialsOf = (lesson: Lesson, trials: number, seed: number): ReadonlyArray<Result.Result<Lesson, string>> =>
  Array.from({ length: trials }, (_, index) => lessonOfTrial(lesson, { number: index + 1, seed }))

export const exam = Command.make(
  "exam",
  flags,
  Effect.fn(function* ({ lessons, command, attach, patience, silence, save, trials, seed, report, signed }) {
    const quiet = Option.getOrUndefined(patience)
    if (quiet !== undefined && !isDuration(quiet)) {
      return yield* endWith(UNUSABLE, "--patience is a duration such as 20s")
    }
    if (trials < 1 || trials > trialsMax) return yield* endWith(UNUSABLE, `--trials is a number from 1 to ${trialsMax}`)
    if (seed < 0) return yield* endWith(UNUSABLE, "--seed must be at least 0")
    const destinations = readDestinations(examReports, report)
    if (Result.isFailure(destinations)) return yield* endWith(UNUSABLE, destinations.failure)
    const print = printOn(streamBeside(destinations.success.map(({ file }) => file)))
    const found = readLessons(lessons.length === 0 ? [shippedLessons] : lessons)
    if (Result.isFailure(found)) return yield* endWith(UNUSABLE, found.failure)
    const context = yield* Effect.context<never>()
    const agent = chooseAgent({ command, attach }, (text) => Effect.runSyncWith(context)(print(text)))
    if (Result.isFailure(agent)) return yield* endWith(UNUSABLE, agent.failure)
    const { given: taken, leftOut } = givenTo(agent.success, found.success)
    for (const { name } of leftOut) yield* print(`${name} is left out: it restarts the agent, which --attach cannot`)
    if (taken.length === 0) return yield* endWith(UNUSABLE, "No lesson is left")
    const given = Result.all(taken.flatMap((lesson) => trialsOf(lesson, trials, seed)))
    if (Result.isFailure(given)) return yield* endWith(UNUSABLE, given.failure)
    const signing = yield* Effect.promise(() => readSigning(signed, agent.success.command))
    if (Result.isFailure(signing)) return yield* endWith(UNUSABLE, signing.failure)
    const saved = claimFolder(save)
    if (Result.isFailure(saved)) return yield* endWith(UNUSABLE, saved.failure)
    const { worlds, origin } = yield* examServer
    if (quiet !== undefined) {
      yield* Effect.acquireRelease(
        Effect.sync(() => moveAfterSilence(worlds, durationInMilliseconds(quiet))),
        (end) => Effect.sync(end)
      )
    }
    const { newAgent } = agent.success
    const options: ExamOptions = { newAgent, origin, isCooperative: quiet === undefined, silence }
    const results: Array<LessonResult> = []
    for (const lesson of given.success) {
      const result = yield* Effect.promise(() => examine(lesson, worlds, options))
      results.push(result)
      const folder = path.join(saved.success, lesson.name)
      yield* writeSaved(folder, result)
      yield* print(explain(result, folder))
    }
    if (trials > 1) yield* print(trialTotals(results, trials))
    yield* print(`${totalsOf(results)}. The runs are saved in ${saved.success}`)
    noteExitCode(exitCodeFor(results))
    for (const destination of destinations.success) {
      yield* writeOrEnd(destination.file, () => writeReport(examReports, destination, results))
    }
    if (signing.success !== undefined) {
      const time = quiet === undefined ? "COOPERATIVE" : "PATIENT"
      yield* writeSigned(signing.success, { time, trials, seed }, results)
    }
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Give an agent each lesson in a world of its own, and judge what it does. Verdicts: PASS, FAIL, UNKNOWN (it " +
      "never came to the point), ERROR (it ended before). Exit codes: 0 if every lesson is passed, 1 if one fails, 2 if an agent " +
      "ended with an error or nothing can be run, 4 if a verdict is unknown."
  ),
  Command.withShortDescription("Examine whether an agent keeps the protocol's rules"),
  Command.withExamples([
    { command: 'simulate exam --command "python3 my-agent.py"', description: "All lessons" },
    {
      command: 'simulate exam scenarios/lessons/answer-lost --command "./agent" --patience 20s',
      description: "One lesson, for an agent without a clock of the world"
    },
    {
      command: "simulate exam scenarios/lessons/answer-lost --attach",
      description: "One lesson, for an agent that is started elsewhere, such as in a debugger"
    },
    {
      command: 'simulate exam --command "./agent" --report html=scorecard.html --report junit=exam.xml',
      description: "A page of the results, and a report for CI"
    }
  ]),
  Command.withSubcommands([examReplay, examSweep, examCheckResult])
)
