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
import type { Searched } from "../explore/search.ts"
import { findScripts } from "../files.ts"
import type { Scenario } from "../script/scenario.ts"
import { end, FAILED, NOT_COMPLETE, print, UNUSABLE } from "./ending.ts"

const flags = {
  places: Argument.String("file or folder").pipe(
    Argument.withDescription(
      "Scripts with a step that says explore, and folders: those below that have none are left out"
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
      .filter(({ scenario }) => scenario.steps.some(({ kind }) => kind === "explore"))
    if (races.length === 0) return yield* end(UNUSABLE, "no script there says explore")

    const database = yield* Effect.result(steppedDatabase)
    if (Result.isFailure(database)) {
      return yield* end(UNUSABLE, `there is no Postgres to run on: ${database.failure.message}`)
    }
    for (const { file, scenario } of races) yield* holdAgainst(database.success, file, scenario, input)
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "From the step that says explore, run a script on an embedded Postgres again and again, where every request is " +
      "answered by a server process of its own and each statement is let go on its own: the answers and the rows in the end have to " +
      "be those of one of all the orders in memory. Nothing goes wrong by itself there, and time moves only at rest. " +
      "Exits with 0 where nothing ended otherwise, 1 where a run did, 2 where the command or a script cannot be used, 4 " +
      "where not every order in memory could be tried."
  ),
  Command.withShortDescription("Hold races on Postgres, statement by statement, against those in memory"),
  Command.withExamples([
    { command: "simulate outcomes scenarios/120-pause-race.yaml --runs 300", description: "One race, 300 runs" }
  ])
)

const steppedDatabase: Effect.Effect<SteppedDatabase, Error, Scope.Scope> = Effect.flatMap(
  databaseServer(undefined),
  (server) => openStepped(server)
)

const holdAgainst = Effect.fnUntraced(function* (
  database: SteppedDatabase,
  file: string,
  scenario: Scenario,
  { runs, seed, most }: Input
) {
  const prepared = yield* Effect.result(
    Effect.try({
      try: () => prepare(scenario),
      catch: (error) => (error instanceof Unsearchable ? error.reason : String(error))
    })
  )
  if (Result.isFailure(prepared)) return yield* end(UNUSABLE, `${file}: ${prepared.failure}`)
  const { isComplete, schedules, outcomes: known } = outcomesInMemory(prepared.success, most)
  if (!isComplete) {
    return yield* end(NOT_COMPLETE, `${file}: ${schedules} runs in memory were not all there are; --most allows more`)
  }
  yield* database.keep(contentOf(prepared.success))
  const [took, compared] = yield* Effect.timed(
    Effect.promise(() => compareOutcomes(database, prepared.success, { known, runs, seed }))
  )
  yield* print(`${file}: ${inWords(compared)}, ${Duration.toSeconds(took).toFixed(1)} s`)
  for (const [strategy, leftOut] of compared.leftOut) yield* print(`  ${strategy}: not tried is ${leftOut}`)
  if (compared.other === undefined) return
  yield* print(apart(compared.other, known))
  yield* end(FAILED, `${file}: a run on Postgres ended as none in memory does`)
})

const contentOf = ({ from }: Prepared) => {
  if (from.stage.store === undefined) throw new TypeError("what is prepared is in memory")
  return from.stage.store.content
}

const inWords = ({ runs, unjudged, statements, decisions, waits, known, seen }: Compared): string =>
  `${runs} runs on Postgres, ${statements} statements, ${decisions} choices, ${waits} waits for a lock; ` +
  `${seen} of ${known} outcomes in memory seen` +
  (unjudged === 0 ? "" : `; ${unjudged} runs took too long to be judged`)

/** The run, and every way in which one in memory ends. */
const apart = ({ statements, outcome, defect }: NonNullable<Compared["other"]>, known: Searched["outcomes"]): string =>
  [
    "  the statements, in their order:",
    ...statements.map((statement) => `    ${statement}`),
    `  on Postgres: ${defect ?? answersOf(outcome)}`,
    ...[...known.values()].map((one) => `  in memory:   ${answersOf(one)}`)
  ].join("\n")

const answersOf = ({ answers, rows }: Outcome): string =>
  `${answers.map(([step, answer]) => `step ${step} ${answer}`).join(", ")}; rows ${rows.slice(0, 12)}`
