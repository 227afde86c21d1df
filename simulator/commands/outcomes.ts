/**
 * `simulate outcomes <scenario>…`: refinement check. Runs on a real Postgres, scheduled statement by statement, may have
 * only outcomes of the complete search in memory, where transactions are atomic.
 */
import { Duration, Effect, Option, Result, type Scope } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { databaseServer } from "../storage/databases.ts"
import type { Outcome } from "../search/search-run.ts"
import { openSteppedDatabase, type SteppedDatabase } from "../search/postgres/stepped-database.ts"
import { type OutcomeComparison, compareOutcomes, outcomesInMemory } from "../search/postgres/outcome-comparison.ts"
import { type SearchRoot, prepareSearchRoot, Unsearchable } from "../search/search-root.ts"
import { exclusionReason, excludedFaults } from "../search/postgres/eligibility.ts"
import { formatCount } from "../search/report.ts"
import { exploreStep } from "../scenario/explore-step.ts"
import type { SearchResult } from "../search/search.ts"
import { findScripts } from "../scenario/files.ts"
import type { Scenario } from "../scenario/format/scenario.ts"
import { endWith, FAILED, NOT_COMPLETE, print, UNUSABLE } from "./exit.ts"

const flags = {
  places: Argument.String("file or folder").pipe(
    Argument.withDescription("Scripts with an explore step, or folders, whose scripts marked exhaustive are run"),
    Argument.variadic({ min: 1 })
  ),
  databaseUrl: Flag.String("database-url").pipe(
    Flag.withDescription("The Postgres to run on, as a role that may create databases; default an embedded one"),
    Flag.withMetavar("url"),
    Flag.optional
  ),
  runs: Flag.Int("runs").pipe(
    Flag.withDescription("The number of runs on Postgres per script, a third for each strategy; default 60"),
    Flag.withMetavar("number"),
    Flag.withDefault(60)
  ),
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("The seed of the strategies; default 1"),
    Flag.withMetavar("number"),
    Flag.withDefault(1)
  ),
  most: Flag.Int("most").pipe(
    Flag.withDescription("The maximum number of runs of the complete search in memory; default 20000"),
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
    if (input.runs < 1 || input.most < 1) return yield* endWith(UNUSABLE, "--runs and --most must be at least 1")
    const found = findScripts(input.places)
    if (Result.isFailure(found)) return yield* endWith(UNUSABLE, found.failure)
    const unusable = found.success.flatMap(({ scenario }) => (Result.isFailure(scenario) ? [scenario.failure] : []))
    if (unusable.length > 0) return yield* endWith(UNUSABLE, unusable.join("\n"))
    const races = found.success
      .map(({ file, scenario }) => ({ file, scenario: Result.getOrThrow(scenario) }))
      .filter(({ scenario }) => exploreStep(scenario) !== undefined)
    const exclusionOf = ({ file, scenario }: Race) =>
      input.places.includes(file) ? undefined : exclusionReason(scenario)
    const selected = races.filter((race) => exclusionOf(race) === undefined)
    if (selected.length === 0) return yield* endWith(UNUSABLE, "no script has an explore step marked exhaustive")

    const database = yield* Effect.result(steppedDatabase(Option.getOrUndefined(input.databaseUrl)))
    if (Result.isFailure(database)) {
      return yield* endWith(UNUSABLE, `Postgres is not available: ${database.failure.message}`)
    }
    const compared: Array<OutcomeComparison> = []
    for (const race of selected) {
      const one = yield* compareWithMemory(database.success, race, input)
      if (one !== undefined) compared.push(one)
    }
    for (const race of races.filter((one) => !selected.includes(one))) {
      yield* print(`${race.file}: excluded: ${exclusionOf(race)}`)
    }
    yield* print(summaryOf(compared, races.length))
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "From the explore step on, run a script repeatedly on Postgres. Each request is handled by its own server " +
      "process, and statements, timers, the worker and operator commands are scheduled individually. The answers and final " +
      "rows must be an outcome of the complete search in memory. No faults are injected, and time advances by at most " +
      "the slowness of the script; omitted parts are listed. Exit codes: 0 if all outcomes are known, 1 if one is not, 2 if " +
      "the command line or a script cannot be used, 4 if the search in memory is not complete."
  ),
  Command.withShortDescription("Compare races on Postgres, statement by statement, with the search in memory"),
  Command.withExamples([
    { command: "simulate outcomes scenarios", description: "All scripts marked exhaustive" },
    {
      command: "simulate outcomes scenarios/races/pause-and-submission/scenario.yaml --runs 300",
      description: "One race, 300 runs"
    }
  ])
)

const steppedDatabase = (url: string | undefined): Effect.Effect<SteppedDatabase, Error, Scope.Scope> =>
  Effect.flatMap(databaseServer(url), (server) => openSteppedDatabase(server))

const compareWithMemory = Effect.fnUntraced(function* (
  database: SteppedDatabase,
  { file, scenario }: Race,
  { runs, seed, most }: Input
) {
  const root = yield* Effect.result(
    Effect.try({
      try: () => prepareSearchRoot(scenario),
      catch: (error) => (error instanceof Unsearchable ? error.reason : String(error))
    })
  )
  if (Result.isFailure(root)) {
    yield* endWith(UNUSABLE, `${file}: ${root.failure}`)
    return undefined
  }
  const { isComplete, schedules, outcomes: known } = outcomesInMemory(root.success, most)
  if (!isComplete) {
    yield* endWith(
      NOT_COMPLETE,
      `${file}: the search in memory is not complete after ${schedules} runs; increase --most`
    )
    return undefined
  }
  yield* database.saveSnapshot(contentOf(root.success))
  const [took, compared] = yield* Effect.timed(
    Effect.promise(() => compareOutcomes(database, root.success, { known, runs, seed }))
  )
  yield* print(`${file}: ${summarize(compared)}, ${Duration.toSeconds(took).toFixed(1)} s`)
  yield* print(`  excluded: ${exclusionsIn(compared, scenario).join("; ")}`)
  if (compared.divergentRun !== undefined) {
    yield* print(renderDivergence(compared.divergentRun, known))
    yield* endWith(FAILED, `${file}: a run on Postgres has an outcome that the search in memory does not have`)
  }
  return compared
})

const exclusionsIn = ({ decisions, leftOut }: OutcomeComparison, scenario: Scenario): ReadonlyArray<string> => {
  const notDriven = excludedFaults(scenario)
  return [
    ...(notDriven === undefined ? [] : [notDriven]),
    ...(decisions === 0
      ? ["there was no choice point, so nothing races"]
      : leftOut.map(([strategy, what]) => `${strategy}: ${what}`))
  ]
}

const summaryOf = (compared: ReadonlyArray<OutcomeComparison>, scripts: number): string => {
  const sum = (of: (one: OutcomeComparison) => number) => compared.reduce((total, one) => total + of(one), 0)
  const diverging = compared.filter(({ divergentRun }) => divergentRun !== undefined).length
  return (
    `${formatCount(compared.length, "script")} of ${scripts} compared with memory: ${sum(({ runs }) => runs)} runs on Postgres, ` +
    `${sum(({ seen }) => seen)} of ${sum(({ known }) => known)} outcomes in memory seen, ` +
    (diverging === 0 ? "no other outcome" : `${diverging} with another outcome`)
  )
}

const contentOf = ({ from }: SearchRoot) => {
  if (from.setup.store === undefined) throw new TypeError("a search root is in memory")
  return from.setup.store.content
}

const summarize = ({ runs, unjudged, statements, decisions, waits, known, seen }: OutcomeComparison): string =>
  `${runs} runs on Postgres, ${statements} statements, ${decisions} choices, ${waits} waits for a lock; ` +
  `${seen} of ${known} outcomes in memory seen` +
  (unjudged === 0 ? "" : `; ${unjudged} runs timed out`)

/** The diverging run, and the outcomes in memory. */
const renderDivergence = (
  { events, outcome, defect }: NonNullable<OutcomeComparison["divergentRun"]>,
  known: SearchResult["outcomes"]
): string =>
  [
    "  events, in order:",
    ...events.map((one) => `    ${one}`),
    `  on Postgres: ${defect ?? answersOf(outcome)}`,
    ...[...known.values()].map((one) => `  in memory:   ${answersOf(one)}`)
  ].join("\n")

const answersOf = ({ answers, rows }: Outcome): string =>
  `${answers.map(([step, answer]) => `step ${step} ${answer}`).join(", ")}; rows ${rows.slice(0, 12)}`
