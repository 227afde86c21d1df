/**
 * `simulate outcomes <scenario>…`: races on a real Postgres, statement by statement, may end only as they can in memory,
 * where every order of whole transactions is tried.
 */
import { Duration, Effect, Result, type Scope } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { databaseServer } from "../databases.ts"
import type { Outcome } from "../explore/attempt.ts"
import { openStepped, type SteppedDatabase } from "../explore/postgres/database.ts"
import { type Compared, compareOutcomes, outcomesInMemory } from "../explore/postgres/outcomes.ts"
import { type Prepared, prepare, Unsearchable } from "../explore/prepared.ts"
import { leftOutFor, notDrivenIn } from "../explore/postgres/eligible.ts"
import { counted } from "../explore/report.ts"
import { explorePoint } from "../explore/search-point.ts"
import type { Searched } from "../explore/search.ts"
import { findScripts } from "../files.ts"
import type { Scenario } from "../script/scenario.ts"
import { end, FAILED, NOT_COMPLETE, print, UNUSABLE } from "./ending.ts"

const flags = {
  places: Argument.String("file or folder").pipe(
    Argument.withDescription(
      "Scripts with a step that says explore, and folders: of these, the scripts that are marked exhaustive"
    ),
    Argument.variadic({ min: 1 })
  ),
  runs: Flag.Int("runs").pipe(
    Flag.withDescription("How many runs on Postgres, for each script: a third of them for each way of choosing"),
    Flag.withMetavar("number"),
    Flag.withDefault(60)
  ),
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("What chance decides by"),
    Flag.withMetavar("number"),
    Flag.withDefault(1)
  ),
  most: Flag.Int("most").pipe(
    Flag.withDescription("How many runs in memory, at most, to know every outcome there"),
    Flag.withMetavar("number"),
    Flag.withDefault(20_000)
  )
}

interface Race {
  readonly file: string
  readonly scenario: Scenario
}

type Input = Command.Command.Config.Infer<typeof flags>

export const outcomes = Command.make(
  "outcomes",
  flags,
  Effect.fn(function* (input) {
    if (input.runs < 1 || input.most < 1) return yield* end(UNUSABLE, "--runs and --most are numbers of runs")
    const found = findScripts(input.places)
    if (Result.isFailure(found)) return yield* end(UNUSABLE, found.failure)
    const unusable = found.success.flatMap(({ scenario }) => (Result.isFailure(scenario) ? [scenario.failure] : []))
    if (unusable.length > 0) return yield* end(UNUSABLE, unusable.join("\n"))
    const races = found.success
      .map(({ file, scenario }) => ({ file, scenario: Result.getOrThrow(scenario) }))
      .filter(({ scenario }) => explorePoint(scenario) !== undefined)
    const reasonFor = ({ file, scenario }: Race) => (input.places.includes(file) ? undefined : leftOutFor(scenario))
    const held = races.filter((race) => reasonFor(race) === undefined)
    if (held.length === 0) return yield* end(UNUSABLE, "no script there says explore and is marked exhaustive")

    const database = yield* Effect.result(steppedDatabase)
    if (Result.isFailure(database)) {
      return yield* end(UNUSABLE, `there is no Postgres to run on: ${database.failure.message}`)
    }
    const compared: Array<Compared> = []
    for (const race of held) {
      const one = yield* holdAgainst(database.success, race, input)
      if (one !== undefined) compared.push(one)
    }
    for (const race of races.filter((one) => !held.includes(one))) {
      yield* print(`${race.file}: left out: ${reasonFor(race)}`)
    }
    yield* print(summaryOf(compared, races.length))
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "From the step that says explore, run a script on an embedded Postgres again and again, where every request is " +
      "answered by a server process of its own and each statement is let go on its own, beside timers, the worker and what " +
      "an operator does: the answers and the rows in the end have to be those of one of all the orders in memory. Nothing " +
      "goes wrong by itself there, and time moves as far as a script lets a party be slow. What is left out is told. " +
      "Exits with 0 where nothing ended otherwise, 1 where a run did, 2 where the command or a script cannot be used, 4 " +
      "where not every order in memory could be tried."
  ),
  Command.withShortDescription("Hold races on Postgres, statement by statement, against those in memory"),
  Command.withExamples([
    { command: "simulate outcomes scenarios", description: "Every script that is marked exhaustive" },
    { command: "simulate outcomes scenarios/120-pause-race.yaml --runs 300", description: "One race, 300 runs" }
  ])
)

const steppedDatabase: Effect.Effect<SteppedDatabase, Error, Scope.Scope> = Effect.flatMap(
  databaseServer(undefined),
  (server) => openStepped(server)
)

const holdAgainst = Effect.fnUntraced(function* (
  database: SteppedDatabase,
  { file, scenario }: Race,
  { runs, seed, most }: Input
) {
  const prepared = yield* Effect.result(
    Effect.try({
      try: () => prepare(scenario),
      catch: (error) => (error instanceof Unsearchable ? error.reason : String(error))
    })
  )
  if (Result.isFailure(prepared)) {
    yield* end(UNUSABLE, `${file}: ${prepared.failure}`)
    return undefined
  }
  const { isComplete, schedules, outcomes: known } = outcomesInMemory(prepared.success, most)
  if (!isComplete) {
    yield* end(NOT_COMPLETE, `${file}: ${schedules} runs in memory were not all there are; --most allows more`)
    return undefined
  }
  yield* database.keep(contentOf(prepared.success))
  const [took, compared] = yield* Effect.timed(
    Effect.promise(() => compareOutcomes(database, prepared.success, { known, runs, seed }))
  )
  yield* print(`${file}: ${inWords(compared)}, ${Duration.toSeconds(took).toFixed(1)} s`)
  yield* print(`  left out: ${leftOutOf(compared, scenario).join("; ")}`)
  if (compared.other !== undefined) {
    yield* print(apart(compared.other, known))
    yield* end(FAILED, `${file}: a run on Postgres ended as none in memory does`)
  }
  return compared
})

const leftOutOf = ({ decisions, leftOut }: Compared, scenario: Scenario): ReadonlyArray<string> => {
  const notDriven = notDrivenIn(scenario)
  return [
    ...(notDriven === undefined ? [] : [notDriven]),
    ...(decisions === 0
      ? ["no two things could ever happen next: nothing races"]
      : leftOut.map(([strategy, what]) => `${strategy}: ${what}`))
  ]
}

const summaryOf = (compared: ReadonlyArray<Compared>, scripts: number): string => {
  const sum = (of: (one: Compared) => number) => compared.reduce((total, one) => total + of(one), 0)
  const apart = compared.filter(({ other }) => other !== undefined).length
  return (
    `${counted(compared.length, "script")} of ${scripts} held against memory: ${sum(({ runs }) => runs)} runs on Postgres, ` +
    `${sum(({ seen }) => seen)} of ${sum(({ known }) => known)} outcomes in memory seen, ` +
    (apart === 0 ? "none ended otherwise" : `${apart} ended otherwise`)
  )
}

const contentOf = ({ from }: Prepared) => {
  if (from.stage.store === undefined) throw new TypeError("what is prepared is in memory")
  return from.stage.store.content
}

const inWords = ({ runs, unjudged, statements, decisions, waits, known, seen }: Compared): string =>
  `${runs} runs on Postgres, ${statements} statements, ${decisions} choices, ${waits} waits for a lock; ` +
  `${seen} of ${known} outcomes in memory seen` +
  (unjudged === 0 ? "" : `; ${unjudged} runs took too long to be judged`)

/** The run, and every way in which one in memory ends. */
const apart = ({ happened, outcome, defect }: NonNullable<Compared["other"]>, known: Searched["outcomes"]): string =>
  [
    "  what happened, in its order:",
    ...happened.map((one) => `    ${one}`),
    `  on Postgres: ${defect ?? answersOf(outcome)}`,
    ...[...known.values()].map((one) => `  in memory:   ${answersOf(one)}`)
  ].join("\n")

const answersOf = ({ answers, rows }: Outcome): string =>
  `${answers.map(([step, answer]) => `step ${step} ${answer}`).join(", ")}; rows ${rows.slice(0, 12)}`
