/** `simulate explore <file or folder>…`: searches the schedules of scenarios and reports what the search proves. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect, Option, Result, type Scope } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { readDestinations, streamBeside, type Renderers, writeReport } from "../reports/destinations.ts"
import {
  type ExplorationProgress,
  type ExplorationResult,
  type ExplorationTask,
  exploreFile
} from "../search/findings/explore-file.ts"
import { junit, type SearchedScript, type SearchResults, type UnusableScript } from "../search/junit.ts"
import { formatCount, type ExplorationReport, explorationAsJson, verdictLines } from "../search/report.ts"
import { exploreStep, isSearched } from "../scenario/explore-step.ts"
import { strategyNames } from "../search/strategies/portfolio.ts"
import { findScripts, type Script } from "../scenario/files.ts"
import { properties } from "../properties/all-properties.ts"
import { durationInMilliseconds, isDuration } from "../vocabulary/duration.ts"
import { didYouMean } from "../../src/vocabulary/suggest.ts"
import { childProcessPool } from "../child-processes/pool.ts"
import { endWith, FAILED, NOT_COMPLETE, noteExitCode, printOn, UNUSABLE, writeOrEnd } from "./exit.ts"
import { ownProgram } from "../child-processes/program.ts"
import { ProgressDisplay } from "./explore-progress.ts"
import { reportFlag } from "./report-flag.ts"

const reports = {
  junit,
  json: ({ scripts }) => explorationAsJson(scripts.flatMap((script) => ("explored" in script ? [script.explored] : [])))
} satisfies Renderers<string, SearchResults>

const flags = {
  places: Argument.String("file or folder").pipe(
    Argument.withDescription(
      "Scripts with an explore step, or folders, whose scripts with one are searched recursively"
    ),
    Argument.variadic({ min: 1 })
  ),
  exhaustive: Flag.Boolean("exhaustive").pipe(
    Flag.withDescription("Search only scripts marked exhaustive, completely; an incomplete search fails"),
    Flag.withDefault(false)
  ),
  strategy: Flag.Literals("strategy", strategyNames).pipe(
    Flag.withDescription(
      "Search with this strategy only; repeatable. Default: depth-first search, then the sampling strategies"
    ),
    Flag.atLeast(0)
  ),
  runs: Flag.Int("runs").pipe(
    Flag.withDescription("The maximum number of runs per script; default 1000, with --exhaustive 1000000"),
    Flag.withMetavar("number"),
    Flag.optional
  ),
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("The seed of the search; default 1"),
    Flag.withMetavar("number"),
    Flag.withDefault(1)
  ),
  faults: Flag.Literals("faults", ["none", "listed"]).pipe(
    Flag.withDescription("The faults to inject: none, or those that a script lists"),
    Flag.withDefault("listed")
  ),
  for: Flag.String("for").pipe(
    Flag.withDescription("The time limit, such as 30s or 10m, shared among the scripts"),
    Flag.withMetavar("time"),
    Flag.optional
  ),
  save: Flag.String("save").pipe(
    Flag.withDescription("The folder for findings; default scenarios/regressions"),
    Flag.withMetavar("folder"),
    Flag.withDefault("scenarios/regressions")
  ),
  workers: Flag.Int("workers").pipe(
    Flag.withDescription(
      "The number of workers; default the number of cores. Each searches a script in its own process; workers beyond the " +
        "number of scripts are threads that execute runs of a script. With 1, this thread does all. The result is the same."
    ),
    Flag.withMetavar("number"),
    Flag.optional
  ),
  report: reportFlag(reports, "verdicts"),
  quiet: Flag.Boolean("quiet").pipe(
    Flag.withAlias("q"),
    Flag.withDescription("Print only problems, and no progress"),
    Flag.withDefault(false)
  )
}

type Input = Command.Command.Config.Infer<typeof flags>

export const explore = Command.make(
  "explore",
  flags,
  Effect.fn(function* (input) {
    const contradiction = contradictionIn(input)
    if (contradiction !== undefined) return yield* endWith(UNUSABLE, contradiction)
    const destinations = readDestinations(reports, input.report)
    if (Result.isFailure(destinations)) return yield* endWith(UNUSABLE, destinations.failure)
    const found = findScripts(input.places)
    if (Result.isFailure(found)) return yield* endWith(UNUSABLE, found.failure)
    const tasks = tasksOf(found.success, input)
    if (Result.isFailure(tasks)) return yield* endWith(UNUSABLE, tasks.failure)

    const print = printOn(streamBeside(destinations.success.map(({ file }) => file)))
    const scripts = yield* exploreAll(tasks.success, input, print)
    const explored = scripts.flatMap((script) => ("explored" in script ? [script.explored] : []))
    const unlisted = input.places.some(isFolder) ? unlistedAmong(found.success) : []
    for (const { message } of unlisted) yield* endWith(FAILED, message)
    const isViolated = explored.some(({ verdict }) => verdict !== "COMPLETE" && verdict !== "NOT_COMPLETE")
    if (isViolated) noteExitCode(FAILED)
    else if (explored.some((one) => isWrong(one, input))) noteExitCode(NOT_COMPLETE)
    if (!input.quiet) yield* print(summaryOf(explored, found.success.length))
    for (const destination of destinations.success) {
      yield* writeOrEnd(destination.file, () => writeReport(reports, destination, { scripts, unlisted }))
    }
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Search the schedules of scripts from their explore step on: the order of requests, workers and timers, and the points " +
      "at which faults are injected. A run that violates a property, built in or of the script, is minimized, saved and " +
      "reported. Each script is first run as written, and its expectations are checked; those that the search does not " +
      "check are listed. Exit codes: 0 if all properties hold, 1 if one is violated, a script fails as written, or a " +
      "property is never reached or never checked, 2 if a script or the command line cannot be used, 4 if --exhaustive " +
      "does not complete, or the time limit ends the search before every reachability property is reached. Progress is " +
      "shown on standard error."
  ),
  Command.withShortDescription("Search the schedules of scenarios"),
  Command.withExamples([
    { command: "simulate explore scenarios", description: "All scripts with an explore step, up to 1000 runs each" },
    { command: "simulate explore scenarios --exhaustive", description: "The scripts marked exhaustive, completely" },
    { command: "simulate explore mine.yaml --strategy random --runs 200 --seed 7", description: "A random walk" },
    { command: "simulate explore mine.yaml --for 30s", description: "With a time limit of half a minute" },
    { command: "simulate explore scenarios --exhaustive --report junit=search.xml", description: "In CI" }
  ])
)

const contradictionIn = ({ exhaustive, strategy, runs, workers, for: time }: Input): string | undefined => {
  if (exhaustive && strategy.length > 0) return "--exhaustive implies its strategy; omit --strategy"
  if (Option.getOrElse(runs, () => 1) < 1) return "--runs must be at least 1"
  if (Option.getOrElse(workers, () => 1) < 1) return "--workers must be at least 1"
  const span = Option.getOrUndefined(time)
  return span === undefined || isDuration(span) ? undefined : "--for must be a duration such as 30s or 10m"
}

/** A named script must be searchable; scripts of a folder are skipped if they are not. */
const tasksOf = (
  scripts: ReadonlyArray<Script>,
  { places, exhaustive }: Input
): Result.Result<ReadonlyArray<string>, string> =>
  Result.gen(function* () {
    const tasks: Array<string> = []
    for (const { file, scenario: read } of scripts) {
      const scenario = yield* read
      const search = exploreStep(scenario)?.search
      const isNamed = places.includes(file)
      if (search === undefined || !isSearched(scenario)) {
        if (isNamed) return yield* Result.fail(`${file}: ${search === undefined ? noExploreStep : fixedSchedule}`)
      } else if (!exhaustive || search.exhaustive) {
        const unknown = search.reaches.find((name) => !sometimes.includes(name))
        if (unknown !== undefined) {
          return yield* Result.fail(
            `${file}: unknown reachability property ${unknown}${didYouMean(unknown, sometimes)}`
          )
        }
        tasks.push(file)
      } else if (isNamed) {
        return yield* Result.fail(`${file}: not marked exhaustive: add explore: { exhaustive: true }`)
      }
    }
    return tasks.length > 0 ? tasks : yield* Result.fail("no script has an explore step to search from")
  })

const noExploreStep = "no explore step; add one where the search begins"
const fixedSchedule = "its choose fixes one schedule; use simulate replay"

const sometimes = properties.flatMap(({ kind, name }) => (kind === "sometimes" ? [name] : []))

const unlistedAmong = (scripts: ReadonlyArray<Script>): SearchResults["unlisted"] => {
  const listed = scripts.flatMap(({ scenario }) =>
    Result.isSuccess(scenario) ? (exploreStep(scenario.success)?.search.reaches ?? []) : []
  )
  return sometimes
    .filter((name) => !listed.includes(name))
    .map((property) => ({ property, message: `no script lists the reachability property ${property}` }))
}

const isFolder = (place: string): boolean => fs.statSync(place).isDirectory()

/** Parallel, but reported in order: each once it and all before it have ended. */
const exploreAll = Effect.fnUntraced(function* (
  files: ReadonlyArray<string>,
  input: Input,
  print: (text: string) => Effect.Effect<void>
) {
  const all = Option.getOrElse(input.workers, os.availableParallelism)
  const workers = Math.min(files.length, all)
  const threads = Math.floor(all / workers)
  const explore = yield* explorerWith(workers)
  const budget = new TimeBudget(input.for, files.length, workers)
  const display = new ProgressDisplay(process.stderr, files.length)
  const ended: Array<ExplorationResult> = []
  const scripts: Array<SearchedScript | UnusableScript> = []
  const report = Effect.fnUntraced(function* (file: string, one: ExplorationResult) {
    display.clear()
    if ("unusable" in one) {
      scripts.push({ file, ...one })
      return yield* endWith(UNUSABLE, one.unusable)
    }
    const isFailed = isWrong(one.explored, input)
    scripts.push({ ...one, isFailed })
    if (!input.quiet || isFailed) yield* print(verdictLines(one.explored).join("\n"))
  })
  yield* Effect.forEach(
    files.entries(),
    Effect.fnUntraced(function* ([index, file]) {
      const task = { ...explorationOf(file, budget.share(), input), threads }
      ended[index] = yield* explore(task, (progress) => {
        if (!input.quiet) display.update(file, progress)
      })
      display.end(file)
      for (let next = ended[scripts.length]; next !== undefined; next = ended[scripts.length]) {
        yield* report(files[scripts.length] ?? file, next)
      }
    }),
    { concurrency: workers, discard: true }
  )
  display.clear()
  return scripts
})

type Explorer = (
  exploration: ExplorationTask,
  onProgress: (progress: ExplorationProgress) => void
) => Effect.Effect<ExplorationResult>

/** With one worker the search runs in this process. */
const explorerWith = (workers: number): Effect.Effect<Explorer, never, Scope.Scope> => {
  if (workers === 1) {
    return Effect.succeed((exploration, onProgress) => Effect.sync(() => exploreFile(exploration, onProgress)))
  }
  return Effect.map(
    childProcessPool<ExplorationTask, ExplorationProgress, ExplorationResult>(explorer),
    ({ request }): Explorer =>
      (exploration, onProgress) =>
        Effect.catch(request(exploration, onProgress), (reason) =>
          Effect.succeed({ unusable: `${exploration.file}: ${reason}` })
        )
  )
}

const explorer = ownProgram(path.join(import.meta.dirname, "../search/findings"), "exploration-worker")

/** Divides the remaining time among the remaining scripts. */
class TimeBudget {
  readonly #end: number | undefined
  readonly #workers: number
  #left: number

  constructor(span: Option.Option<string>, count: number, workers: number) {
    this.#end = Option.isNone(span) ? undefined : performance.now() + durationInMilliseconds(span.value)
    this.#left = count
    this.#workers = workers
  }

  /** The time for the next script, in milliseconds. */
  share(): number | undefined {
    const shares = Math.max(this.#left-- / this.#workers, 1)
    return this.#end === undefined ? undefined : (this.#end - performance.now()) / shares
  }
}

const explorationOf = (
  file: string,
  milliseconds: number | undefined,
  { exhaustive, strategy, runs, seed, faults, save }: Input
): Omit<ExplorationTask, "threads"> => ({
  file,
  exhaustive,
  strategies: strategy,
  runsMax: Option.getOrElse(runs, () => (exhaustive ? 1_000_000 : 1000)),
  seed,
  hasFaults: faults === "listed",
  milliseconds,
  save
})

const isWrong = ({ verdict, notReached, neverJudged }: ExplorationReport, { exhaustive }: Input): boolean => {
  if (verdict !== "NOT_COMPLETE") return verdict !== "COMPLETE"
  return exhaustive || notReached.length > 0 || neverJudged.length > 0
}

const summaryOf = (explored: ReadonlyArray<ExplorationReport>, scripts: number): string => {
  const count = (verdict: ExplorationReport["verdict"]) => explored.filter((one) => one.verdict === verdict).length
  const parts = [
    `${count("COMPLETE")} complete`,
    `${count("NOT_COMPLETE")} not complete`,
    `${count("VIOLATED")} with a violation`,
    `${count("NOT_AS_WRITTEN")} that fails as written`,
    `${count("NOT_REACHED")} with an unreached property`
  ].filter((part) => !part.startsWith("0 "))
  return `${formatCount(explored.length, "script")} of ${scripts} searched: ${parts.join(", ")}`
}
