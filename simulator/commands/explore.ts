/** `simulate explore <file or folder>…`: tries the orders in which things can happen, and says what that proves. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect, Option, Result, type Scope } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type Ended, type Exploration, exploreFile } from "../explore/found/explore-file.ts"
import { counted, type Explored, explorationAsJson, verdictLines } from "../explore/report.ts"
import { explorePoint, isSearched } from "../explore/search-point.ts"
import { strategyNames } from "../explore/strategies/portfolio.ts"
import { findScripts, type Script } from "../files.ts"
import { invariants } from "../invariants/every.ts"
import { durationInMilliseconds, isDuration } from "../script/duration.ts"
import { didYouMean } from "../../src/vocabulary/suggest.ts"
import { workersOf } from "../workers.ts"
import { end, FAILED, NOT_COMPLETE, note, print, UNUSABLE, written } from "./ending.ts"
import { ownProgram } from "../own-program.ts"

const flags = {
  places: Argument.String("file or folder").pipe(
    Argument.withDescription("Scripts, and folders of which every script below that can be searched is"),
    Argument.variadic({ min: 1 })
  ),
  exhaustive: Flag.Boolean("exhaustive").pipe(
    Flag.withDescription(
      "Only the scripts that are marked for it, each until it is proved; anything short of that fails"
    ),
    Flag.withDefault(false)
  ),
  strategy: Flag.Literals("strategy", strategyNames).pipe(
    Flag.withDescription(
      "Search with this alone; may be repeated. A proof is tried first, then the others, where absent"
    ),
    Flag.atLeast(0)
  ),
  runs: Flag.Int("runs").pipe(
    Flag.withDescription("How many runs of each script at most; 1000 where absent, with --exhaustive 1000000"),
    Flag.withMetavar("number"),
    Flag.optional
  ),
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("The seed of whatever goes by chance in a search; 1 where absent"),
    Flag.withMetavar("number"),
    Flag.withDefault(1)
  ),
  faults: Flag.Literals("faults", ["none", "listed"]).pipe(
    Flag.withDescription("What may go wrong: nothing, or what a script lists"),
    Flag.withDefault("listed")
  ),
  for: Flag.String("for").pipe(
    Flag.withDescription("Stop after this long, 30s or 10m, shared among the scripts"),
    Flag.withMetavar("time"),
    Flag.optional
  ),
  save: Flag.String("save").pipe(
    Flag.withDescription("Where what is found is saved; scenarios/found where absent"),
    Flag.withMetavar("folder"),
    Flag.withDefault("scenarios/found")
  ),
  workers: Flag.Int("workers").pipe(
    Flag.withDescription(
      "How many scripts are searched at once, each in a process of its own; as many as there are cores, where absent"
    ),
    Flag.withMetavar("number"),
    Flag.optional
  ),
  json: Flag.String("json").pipe(
    Flag.withDescription("Also write the verdicts into this file"),
    Flag.withMetavar("file"),
    Flag.optional
  ),
  quiet: Flag.Boolean("quiet").pipe(
    Flag.withAlias("q"),
    Flag.withDescription("Tell only of what is not as it should be"),
    Flag.withDefault(false)
  )
}

type Input = Command.Command.Config.Infer<typeof flags>

export const explore = Command.make(
  "explore",
  flags,
  Effect.fn(function* (input) {
    const contradiction = contradictionIn(input)
    if (contradiction !== undefined) return yield* end(UNUSABLE, contradiction)
    const found = findScripts(input.places)
    if (Result.isFailure(found)) return yield* end(UNUSABLE, found.failure)
    const tasks = tasksOf(found.success, input)
    if (Result.isFailure(tasks)) return yield* end(UNUSABLE, tasks.failure)

    const explored = yield* exploringAll(tasks.success, input)
    const unlisted = input.places.some(isFolder) ? unlistedAmong(found.success) : []
    for (const name of unlisted) yield* end(FAILED, `no script lists what has to come about sometimes: ${name}`)
    const isViolated = explored.some(({ verdict }) => verdict !== "COMPLETE" && verdict !== "NOT_COMPLETE")
    if (isViolated) note(FAILED)
    else if (explored.some((one) => isWrong(one, input))) note(NOT_COMPLETE)
    if (!input.quiet) yield* print(summaryOf(explored, found.success.length))
    yield* Option.match(input.json, {
      onNone: () => Effect.void,
      onSome: (file) => written(file, () => fs.writeFileSync(file, explorationAsJson(explored)))
    })
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Search scripts that say from where on orders matter: which request, worker or timer goes first, and what goes wrong " +
      "at which point. What violates a property, built in or stated by the script, is shrunk, saved and told. Each script is " +
      "first run as it is written, where its expectations are judged; those that the search does not check are listed. " +
      "Exits with 0 where all of it holds, 1 where something is violated, fails as written, never occurs that has to or is " +
      "never judged, 2 where a script or the command line cannot " +
      "be used, 4 where --exhaustive proves less than everything, or time was over before what has to come about."
  ),
  Command.withShortDescription("Search the orders in which things can happen"),
  Command.withExamples([
    { command: "simulate explore scenarios", description: "Every script that can be searched, up to 1000 runs each" },
    { command: "simulate explore scenarios --exhaustive", description: "The marked ones, until they are proved" },
    { command: "simulate explore mine.yaml --strategy random --runs 200 --seed 7", description: "By chance alone" },
    { command: "simulate explore mine.yaml --for 30s", description: "As far as it comes in half a minute" }
  ])
)

const contradictionIn = ({ exhaustive, strategy, runs, workers, for: time }: Input): string | undefined => {
  if (exhaustive && strategy.length > 0) return "--exhaustive is a strategy of its own; leave out --strategy"
  if (Option.getOrElse(runs, () => 1) < 1) return "--runs is a number from 1"
  if (Option.getOrElse(workers, () => 1) < 1) return "--workers is a number from 1"
  const span = Option.getOrUndefined(time)
  return span === undefined || isDuration(span) ? undefined : "--for is a span of time such as 30s or 10m"
}

/** What is named is meant; of a folder, what can be searched. */
const tasksOf = (
  scripts: ReadonlyArray<Script>,
  { places, exhaustive }: Input
): Result.Result<ReadonlyArray<string>, string> =>
  Result.gen(function* () {
    const tasks: Array<string> = []
    for (const { file, scenario: read } of scripts) {
      const scenario = yield* read
      const search = explorePoint(scenario)?.search
      const isNamed = places.includes(file)
      if (search === undefined || !isSearched(scenario)) {
        if (isNamed) return yield* Result.fail(`${file}: ${search === undefined ? noPoint : oneOrder}`)
      } else if (!exhaustive || search.exhaustive) {
        const unknown = search.reaches.find((name) => !sometimes.includes(name))
        if (unknown !== undefined) {
          return yield* Result.fail(
            `${file}: nothing that comes about sometimes is called ${unknown}${didYouMean(unknown, sometimes)}`
          )
        }
        tasks.push(file)
      } else if (isNamed) {
        return yield* Result.fail(`${file}: it is not marked for it: explore: { exhaustive: true }`)
      }
    }
    return tasks.length > 0 ? tasks : yield* Result.fail("no script here can be searched: none says explore")
  })

const noPoint = "no step says explore: from where on are orders searched?"
const oneOrder = "it says who goes first; simulate replay has it again"

const sometimes = invariants.flatMap(({ kind, name }) => (kind === "sometimes" ? [name] : []))

const unlistedAmong = (scripts: ReadonlyArray<Script>): ReadonlyArray<string> => {
  const listed = scripts.flatMap(({ scenario }) =>
    Result.isSuccess(scenario) ? (explorePoint(scenario.success)?.search.reaches ?? []) : []
  )
  return sometimes.filter((name) => !listed.includes(name))
}

const isFolder = (place: string): boolean => fs.statSync(place).isDirectory()

/** Several at once, each told in its turn as soon as it and all before it have ended. */
const exploringAll = Effect.fnUntraced(function* (files: ReadonlyArray<string>, input: Input) {
  const workers = Math.min(files.length, Option.getOrElse(input.workers, os.availableParallelism))
  const explore = yield* exploringWith(workers)
  const patience = new Patience(input.for, files.length, workers)
  const ended: Array<Ended> = []
  const explored: Array<Explored> = []
  let told = 0
  const tell = Effect.fnUntraced(function* (one: Ended) {
    if ("unusable" in one) return yield* end(UNUSABLE, one.unusable)
    explored.push(one.explored)
    if (!input.quiet || isWrong(one.explored, input)) yield* print(verdictLines(one.explored).join("\n"))
  })
  yield* Effect.forEach(
    files.entries(),
    Effect.fnUntraced(function* ([index, file]) {
      ended[index] = yield* explore(explorationOf(file, patience.share(), input))
      for (let next = ended[told]; next !== undefined; next = ended[told]) {
        told += 1
        yield* tell(next)
      }
    }),
    { concurrency: workers, discard: true }
  )
  return explored
})

/** One alone needs no process beside this one. */
const exploringWith = (
  workers: number
): Effect.Effect<(exploration: Exploration) => Effect.Effect<Ended>, never, Scope.Scope> => {
  if (workers === 1) return Effect.succeed((exploration) => Effect.sync(() => exploreFile(exploration)))
  return Effect.map(
    workersOf<Exploration, Ended>(explorer),
    ({ ask }) =>
      (exploration) =>
        Effect.catch(ask(exploration), (reason) => Effect.succeed({ unusable: `${exploration.file}: ${reason}` }))
  )
}

const explorer = ownProgram(path.join(import.meta.dirname, "../explore/found"), "explorer")

/** What is left of the time that was given, shared by what is left to do. */
class Patience {
  readonly #end: number | undefined
  readonly #workers: number
  #left: number

  constructor(span: Option.Option<string>, count: number, workers: number) {
    this.#end = Option.isNone(span) ? undefined : performance.now() + durationInMilliseconds(span.value)
    this.#left = count
    this.#workers = workers
  }

  /** In milliseconds, for the next that begins. */
  share(): number | undefined {
    const shares = Math.max(this.#left-- / this.#workers, 1)
    return this.#end === undefined ? undefined : (this.#end - performance.now()) / shares
  }
}

const explorationOf = (
  file: string,
  milliseconds: number | undefined,
  { exhaustive, strategy, runs, seed, faults, save }: Input
): Exploration => ({
  file,
  exhaustive,
  strategies: strategy,
  runsMax: Option.getOrElse(runs, () => (exhaustive ? 1_000_000 : 1000)),
  seed,
  hasFaults: faults === "listed",
  milliseconds,
  save
})

const isWrong = ({ verdict, notReached, neverJudged }: Explored, { exhaustive }: Input): boolean => {
  if (verdict !== "NOT_COMPLETE") return verdict !== "COMPLETE"
  return exhaustive || notReached.length > 0 || neverJudged.length > 0
}

const summaryOf = (explored: ReadonlyArray<Explored>, scripts: number): string => {
  const count = (verdict: Explored["verdict"]) => explored.filter((one) => one.verdict === verdict).length
  const parts = [
    `${count("COMPLETE")} complete`,
    `${count("NOT_COMPLETE")} not complete`,
    `${count("VIOLATED")} with a violation`,
    `${count("NOT_AS_WRITTEN")} that fails as it is written`,
    `${count("NOT_REACHED")} in which something never came about`
  ].filter((part) => !part.startsWith("0 "))
  return `${counted(explored.length, "script")} of ${scripts} searched: ${parts.join(", ")}`
}
