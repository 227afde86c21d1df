/** What an examination is about, read and checked before the first lesson. */
import { Console, Effect, Option, Result } from "effect"
import { Argument, type Command, Flag } from "effect/cli"
import { chooseLessons } from "../examination/choose-lessons.ts"
import { type Lesson, readLessons } from "../examination/lesson.ts"
import { readPersonas } from "../examination/persona.ts"
import { profiles, restartingProfiles } from "../examination/profile.ts"
import { examReports } from "../examination/reports/exam-reports.ts"
import { lessonOfTrial, trialsMax } from "../examination/trial.ts"
import { readDestinations, streamBeside } from "../reports/destinations.ts"
import { durationInMilliseconds, isDuration } from "../vocabulary/duration.ts"
import { agentFlags, chooseAgent, givenTo } from "./exam-agent.ts"
import { claimFolder, programFlags, shippedLessons, shippedPersonas } from "./exam-shared.ts"
import { readSigning, resultFlags } from "./exam-signing.ts"
import { printOn } from "./exit.ts"
import { reportFlag } from "./report-flag.ts"

export const examFlags = {
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
  personas: Flag.String("with").pipe(
    Flag.withDescription(
      "Give each lesson that a persona fits also with this scripted counterpart: a shipped persona, a folder with persona.yaml, or all. Repeatable"
    ),
    Flag.withMetavar("persona"),
    Flag.atLeast(0)
  ),
  trials: Flag.Int("trials").pipe(
    Flag.withDescription(
      "How often each lesson is given, each time with other names, ids and terms; a lesson is passed if all trials are; default 1"
    ),
    Flag.withMetavar("number"),
    Flag.withDefault(1)
  ),
  profile: Flag.Literals("profile", profiles).pipe(
    Flag.withDescription(
      "What happens beside the acts of a lesson. calm: nothing; lossy: requests and answers are lost; hostile: also 503, HTML " +
        "pages, an end of the agent, duplicate and forged webhooks; year: the world continues for a year after each lesson; default calm"
    ),
    Flag.withDefault("calm" as const)
  ),
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("The seed from which the faults of the profile and the later trials are drawn; default 1"),
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

type Input = Command.Command.Config.Infer<typeof examFlags>

/** Fails with a sentence about the first flag or file that cannot be used. */
export const planExam = Effect.fnUntraced(function* (input: Input) {
  const { attach, command, profile, report, save, seed, signed, trials } = input
  const patience = yield* Effect.fromResult(patienceIn(input))
  if (trials < 1 || trials > trialsMax) return yield* Effect.fail(`--trials is a number from 1 to ${trialsMax}`)
  if (seed < 0) return yield* Effect.fail("--seed must be at least 0")
  const destinations = yield* Effect.fromResult(readDestinations(examReports, report))
  const print = printOn(streamBeside(destinations.map(({ file }) => file)))
  const console = yield* Console.Console
  const printNow = (text: string) => Effect.runSync(Effect.provideService(print(text), Console.Console, console))
  const agent = yield* Effect.fromResult(chooseAgent({ command, attach }, printNow))
  if (attach && restartingProfiles.includes(profile)) {
    return yield* Effect.fail(`--profile ${profile} restarts the agent, which --attach cannot`)
  }
  const chosen = yield* Effect.fromResult(lessonsIn(input))
  const { given, leftOut } = givenTo(agent, chosen)
  for (const { name } of leftOut) yield* print(`${name} is left out: it restarts the agent, which --attach cannot`)
  if (given.length === 0) return yield* Effect.fail("No lesson is left")
  const lessons = yield* Effect.fromResult(Result.all(given.flatMap((lesson) => trialsOf(lesson, trials, seed))))
  const signing = yield* Effect.fromResult(yield* Effect.promise(() => readSigning(signed, agent.command)))
  const saved = yield* Effect.fromResult(claimFolder(save))
  return { agent, destinations, lessons, patience, print, saved, signing }
})

/** In milliseconds; undefined for an agent that waits by the clock of the world. */
const patienceIn = ({ patience }: Input): Result.Result<number | undefined, string> => {
  const given = Option.getOrUndefined(patience)
  if (given === undefined) return Result.succeed(undefined)
  return isDuration(given)
    ? Result.succeed(durationInMilliseconds(given))
    : Result.fail("--patience is a duration such as 20s")
}

const lessonsIn = ({ lessons, personas }: Input): Result.Result<ReadonlyArray<Lesson>, string> =>
  Result.gen(function* () {
    const found = yield* readLessons(lessons.length === 0 ? [shippedLessons] : lessons)
    const counterparts = yield* Result.mapError(readPersonas(personas, shippedPersonas), (error) => `--with: ${error}`)
    return yield* chooseLessons({
      lessons: found,
      areLessonsNamed: lessons.length > 0,
      personas: counterparts,
      arePersonasNamed: !personas.includes("all")
    })
  })

const trialsOf = (lesson: Lesson, trials: number, seed: number): ReadonlyArray<Result.Result<Lesson, string>> =>
  Array.from({ length: trials }, (_, index) => lessonOfTrial(lesson, { number: index + 1, seed }))
