/** `simulate soak`: continuous search, whose progress is kept in a folder and resumed by the next run. */
import { Effect, Option, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { probes } from "../search/isolation/probes.ts"
import { Corpus } from "../search/continuous/corpus.ts"
import { initialProgress, type Progress } from "../search/continuous/progress.ts"
import { ContinuousSearch } from "../search/continuous/continuous-search.ts"
import { findingLines, progressLine, summaryLines } from "../search/continuous/progress-report.ts"
import { findScripts } from "../scenario/files.ts"
import { properties } from "../properties/all-properties.ts"
import { escapeForTerminal } from "../reports/escape.ts"
import { durationInMilliseconds, isDuration } from "../vocabulary/duration.ts"
import type { Scenario } from "../scenario/format/scenario.ts"
import { endWith, FAILED, noteExitCode, print, UNUSABLE } from "./exit.ts"

const flags = {
  places: Argument.String("file or folder").pipe(
    Argument.withDescription(
      "Scripts with an explore step, or folders, whose scripts with one are searched recursively; default scenarios"
    ),
    Argument.variadic({ min: 0 })
  ),
  budget: Flag.String("budget").pipe(
    Flag.withDescription("The time limit, such as 10m; default 1h"),
    Flag.withMetavar("time"),
    Flag.withDefault("1h")
  ),
  runs: Flag.Int("runs").pipe(
    Flag.withDescription("The number of runs, instead of a time limit; the current iteration is completed"),
    Flag.withMetavar("number"),
    Flag.optional
  ),
  corpus: Flag.String("corpus").pipe(
    Flag.withDescription("The folder of the corpus; default .simulate"),
    Flag.withMetavar("folder"),
    Flag.withDefault(".simulate")
  ),
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("The seed of the search; default that of the corpus, or 1. Another seed restarts the search"),
    Flag.withMetavar("number"),
    Flag.optional
  )
}

type Input = Command.Command.Config.Infer<typeof flags>

const checks = { properties, probes }

export const soak = Command.make(
  "soak",
  flags,
  Effect.fn(function* (input) {
    const ready = prepare(input)
    if (Result.isFailure(ready)) return yield* endWith(UNUSABLE, ready.failure)
    const { corpus, progress, scripts } = ready.success
    // A signal is the regular end of this command: it ends after the current run, without interruption.
    yield* Effect.uninterruptible(
      Effect.gen(function* () {
        for (const finding of progress.findings) {
          yield* print(findingLines(finding, (name) => corpus.fileOf(name)).join("\n"))
        }
        const soak = new ContinuousSearch(progress, { scripts, isGenerating: true }, checks, corpus.saveFinding)
        const last = yield* searching(soak, corpus, input)
        yield* print(summaryLines(last, (name) => corpus.fileOf(name)).join("\n"))
        if (last.findings.some(({ state }) => state === "FAILS")) noteExitCode(FAILED)
        // Otherwise the exit code would be that of the signal.
        process.exit()
      })
    )
  })
).pipe(
  Command.withDescription(
    "Search scripts with an explore step beyond their complete search, and generated ones, until the time limit or a " +
      "signal. Earlier findings are replayed first. Each failure class is minimized and kept once; searches that find " +
      "failures or new states get more runs. Exit codes: 0 if nothing fails, 1 if a finding still fails, 2 if a script, " +
      "the folder or the command line cannot be used."
  ),
  Command.withShortDescription("Search continuously and keep the findings"),
  Command.withExamples([
    {
      command: "simulate soak --budget 1h",
      description: "All scripts with an explore step, and generated ones, for an hour"
    },
    { command: "simulate soak --runs 1000 --seed 7 --corpus /tmp/soak mine.yaml", description: "The same each time" }
  ])
)

interface Preparation {
  readonly corpus: Corpus
  readonly progress: Progress
  readonly scripts: ReadonlyMap<string, Scenario>
}

const prepare = ({ places, budget, runs, corpus: folder, seed }: Input): Result.Result<Preparation, string> =>
  Result.gen(function* () {
    if (!isDuration(budget)) return yield* Result.fail("--budget must be a duration such as 10m or 1h")
    if (Option.getOrElse(runs, () => 1) < 1) return yield* Result.fail("--runs must be at least 1")
    const scripts = new Map<string, Scenario>()
    for (const { file, scenario: read } of yield* findScripts(places.length === 0 ? ["scenarios"] : places)) {
      const scenario = yield* read
      const isSearched = scenario.steps.some((step) => step.kind === "explore" && step.choose === undefined)
      if (isSearched) scripts.set(file, scenario)
      else if (places.includes(file))
        return yield* Result.fail(`${file}: no explore step, or its choose fixes one schedule`)
    }
    const corpus = yield* Result.try({
      try: () => new Corpus(folder),
      catch: (error) => `${folder} cannot be written: ${String(error)}`
    })
    const known = (yield* corpus.read()) ?? initialProgress(Option.getOrElse(seed, () => 1))
    const isOtherSeed = Option.isSome(seed) && seed.value !== known.seed
    const progress = isOtherSeed ? { ...initialProgress(seed.value), findings: known.findings } : known
    return { corpus, progress: { ...progress, findings: corpus.replayFindings(progress.findings, checks) }, scripts }
  })

const searching = (soak: ContinuousSearch, corpus: Corpus, { budget, runs }: Input): Effect.Effect<Progress> =>
  Effect.promise(async () => {
    const before = soak.progress
    const ends = Option.isSome(runs) ? Number.POSITIVE_INFINITY : durationInMilliseconds(budget)
    const runsMax = before.runs + Option.getOrElse(runs, () => Number.POSITIVE_INFINITY)
    const started = performance.now()
    const spent = () => performance.now() - started
    const now = (): Progress => ({ ...soak.progress, milliseconds: before.milliseconds + spent() })
    const signal = new SignalListener()
    let written = 0
    let reported = 0
    const write = () => {
      corpus.write(now())
      written = spent()
    }
    write()
    searching: while (soak.runs < runsMax && spent() < ends) {
      const iteration = soak.runIteration()
      let result = iteration.next()
      for (; !result.done; result = iteration.next()) {
        await signal.chance()
        if (signal.received || spent() >= ends) break searching
      }
      for (const finding of result.value)
        console.log(escapeForTerminal(findingLines(finding, (name) => corpus.fileOf(name)).join("\n")))
      if (result.value.length > 0 || spent() - written >= second) write()
      if (spent() - reported >= minute) {
        console.log(progressLine(now()))
        reported = spent()
      }
    }
    write()
    signal.release()
    return now()
  })

const second = 1000
const minute = 60_000

/** Listens for signals to end the program. */
class SignalListener {
  received = false
  readonly #listen = () => void (this.received = true)

  constructor() {
    for (const name of signals) process.on(name, this.#listen)
  }

  /** Signals are delivered only between iterations of the event loop. */
  chance(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve))
  }

  release(): void {
    for (const name of signals) process.off(name, this.#listen)
  }
}

const signals = ["SIGINT", "SIGTERM"] as const
