/** `simulate exam --command "<program>"`: gives lessons to an agent, each in a world of its own, and prints the verdicts. */
import * as path from "node:path"
import { Effect, Option, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { chooseLessons } from "../examination/choose-lessons.ts"
import { examine, type ExamOptions, type LessonResult } from "../examination/examine.ts"
import { explain, totalsOf, trialTotals } from "../examination/explain.ts"
import { examineToFewest } from "../examination/fewest.ts"
import { type Lesson, readLessons } from "../examination/lesson.ts"
import { readPersonas } from "../examination/persona.ts"
import { drawnPlan, profiles } from "../examination/profile.ts"
import { examReports } from "../examination/reports/exam-reports.ts"
import { lessonOfTrial, trialsMax } from "../examination/trial.ts"
import { readDestinations, streamBeside, writeReport } from "../reports/destinations.ts"
import { moveAfterSilence } from "../serve/patient-time.ts"
import { durationInMilliseconds, isDuration } from "../vocabulary/duration.ts"
import { examCheckResult } from "./exam-check-result.ts"
import { readSigning, resultFlags, writeSigned } from "./exam-signing.ts"
import { examReplay } from "./exam-replay.ts"
import { exitCodeFor } from "./exam-exit.ts"
import { claimFolder, examServer, programFlags, shippedLessons, shippedPersonas, writeSaved } from "./exam-shared.ts"
import { examSweep } from "./exam-sweep.ts"
import { endWith, noteExitCode, printOn, UNUSABLE, writeOrEnd } from "./exit.ts"
import { reportFlag } from "./report-flag.ts"

const flags = {
  lessons: Argument.String("folder").pipe(
    Argument.withDescription("Lessons, or folders of lessons; default all shipped ones"),
    Argument.variadic()
  ),
  ...programFlags,
  patience: Flag.String("patience").pipe(
    Flag.withDescription(
      "For an agent without a clock of the world: after so much silence in real time, such as 20s, time moves to the next moment at which something is due"
    ),
    Flag.withMetavar("duration"),
    Flag.optional
  ),
  personas: Flag.String("with").pipe(
    Flag.withDescription(
      "Give each lesson that a persona fits also with this scripted counterpart: a shipped persona, a folder with persona.yaml, or all. Repeatable"
    ),
    Flag.withMetavar("persona"),
    Flag.atLeast(0)
  ),
  trials: Flag.Int("trials").pipe(
    Flag.withDescription(
      "How often each lesson is given, each time with other names, ids and terms; a lesson is passed if all trials are"
    ),
    Flag.withMetavar("number"),
    Flag.withDefault(1)
  ),
  profile: Flag.Literals("profile", profiles).pipe(
    Flag.withDescription(
      "What happens beside the acts of a lesson. calm: nothing; lossy: requests and answers are lost; hostile: also 503, HTML " +
        "pages, an end of the agent, duplicate and forged webhooks; year: the world continues for a year after each lesson"
    ),
    Flag.withDefault("calm" as const)
  ),
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("The seed from which the faults of the profile and the later trials are drawn"),
    Flag.withMetavar("number"),
    Flag.withDefault(1)
  ),
  fewest: Flag.Boolean("fewest").pipe(
    Flag.withDescription(
      "Run a failed lesson again with fewer faults and acts, and name the fewest with which it fails; --no-fewest to leave it out"
    ),
    Flag.withDefault(true)
  ),
  report: reportFlag(examReports, "verdicts"),
  signed: resultFlags
}

const trialsOf = (lesson: Lesson, trials: number, seed: number): ReadonlyArray<Result.Result<Lesson, string>> =>
  Array.from({ length: trials }, (_, index) => lessonOfTrial(lesson, { number: index + 1, seed }))

export const exam = Command.make(
  "exam",
  flags,
  Effect.fn(function* ({
    lessons,
    command,
    personas: names,
    patience,
    silence,
    save,
    trials,
    profile,
    seed,
    fewest,
    report,
    signed
  }) {
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
    const personas = readPersonas(names, shippedPersonas)
    if (Result.isFailure(personas)) return yield* endWith(UNUSABLE, `--with: ${personas.failure}`)
    const chosen = chooseLessons({
      lessons: found.success,
      areLessonsNamed: lessons.length > 0,
      personas: personas.success,
      arePersonasNamed: !names.includes("all")
    })
    if (Result.isFailure(chosen)) return yield* endWith(UNUSABLE, chosen.failure)
    const given = Result.all(chosen.success.flatMap((lesson) => trialsOf(lesson, trials, seed)))
    if (Result.isFailure(given)) return yield* endWith(UNUSABLE, given.failure)
    const signing = yield* Effect.promise(() => readSigning(signed))
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
    const options: ExamOptions = { command, origin, isCooperative: quiet === undefined, silence }
    const results: Array<LessonResult> = []
    for (const lesson of given.success) {
      const run = { ...options, faults: drawnPlan(profile, seed, lesson), hasYear: profile === "year" }
      const result = yield* Effect.promise(() => (fewest ? examineToFewest : examine)(lesson, worlds, run))
      results.push(result)
      const folder = path.join(saved.success, lesson.name)
      yield* writeSaved(folder, result)
      yield* print(explain(result, folder))
    }
    if (trials > 1) yield* print(trialTotals(results, trials))
    yield* print(`${totalsOf(results)}. The runs are saved in ${saved.success}`)
    noteExitCode(exitCodeFor(results))
    for (const destination of destinations.success) {
      yield* writeOrEnd(destination.file, () => writeReport(examReports, destination, { results, profile, seed }))
    }
    if (signing.success !== undefined) {
      const time = quiet === undefined ? "COOPERATIVE" : "PATIENT"
      yield* writeSigned(signing.success, { command, time, trials, profile, seed }, results)
    }
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Start an agent once for each lesson, in a world of its own, and judge what it does. Verdicts: PASS, FAIL, UNKNOWN (it " +
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
      command: 'simulate exam --command "./agent" --report html=scorecard.html --report junit=exam.xml',
      description: "A page of the results, and a report for CI"
    }
  ]),
  Command.withSubcommands([examReplay, examSweep, examCheckResult])
)
