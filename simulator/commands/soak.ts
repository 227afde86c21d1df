/** `simulate soak`: searches on and on, keeps what it knows in a folder, and goes on from there the next time. */
import { Effect, Option, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { probes } from "../explore/probes/every.ts"
import { Corpus } from "../explore/soak/corpus.ts"
import { beginning, type Progress } from "../explore/soak/progress.ts"
import { Soak } from "../explore/soak/soak.ts"
import { findingLines, lineOf, summaryLines } from "../explore/soak/tell.ts"
import { findScripts } from "../files.ts"
import { invariants } from "../invariants/every.ts"
import { visibleOnTerminal } from "../reports/visible.ts"
import { durationInMilliseconds, isDuration } from "../script/duration.ts"
import type { Scenario } from "../script/scenario.ts"
import { end, FAILED, note, print, UNUSABLE } from "./ending.ts"

const flags = {
  places: Argument.String("file or folder").pipe(
    Argument.withDescription(
      "Scripts, and folders of which every script below that can be searched is; scenarios where absent"
    ),
    Argument.variadic({ min: 0 })
  ),
  budget: Flag.String("budget").pipe(
    Flag.withDescription("Search for this long, 10m or 1h; 1h where absent"),
    Flag.withMetavar("time"),
    Flag.withDefault("1h")
  ),
  runs: Flag.Int("runs").pipe(
    Flag.withDescription("Instead: stop after the turn in which so many runs are done"),
    Flag.withMetavar("number"),
    Flag.optional
  ),
  corpus: Flag.String("corpus").pipe(
    Flag.withDescription("The folder of what is known; .simulate where absent"),
    Flag.withMetavar("folder"),
    Flag.withDefault(".simulate")
  ),
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("The seed of the search; that of the folder, or 1, where absent. Another one begins anew"),
    Flag.withMetavar("number"),
    Flag.optional
  )
}

type Input = Command.Command.Config.Infer<typeof flags>

const judged = { invariants, probes }

export const soak = Command.make(
  "soak",
  flags,
  Effect.fn(function* (input) {
    const ready = prepare(input)
    if (Result.isFailure(ready)) return yield* end(UNUSABLE, ready.failure)
    const { corpus, progress, scripts } = ready.success
    // Whoever is told to end does so once a run has ended: a signal is how one ends this command, and no interruption.
    yield* Effect.uninterruptible(
      Effect.gen(function* () {
        for (const finding of progress.findings) {
          yield* print(findingLines(finding, (name) => corpus.fileOf(name)).join("\n"))
        }
        const soak = new Soak(progress, { scripts, isGenerating: true }, judged, corpus.keep)
        const last = yield* searching(soak, corpus, input)
        yield* print(summaryLines(last, (name) => corpus.fileOf(name)).join("\n"))
        if (last.findings.some(({ state }) => state === "FAILS")) note(FAILED)
        // Without this, the signal that ended it would be its exit code.
        process.exit()
      })
    )
  })
).pipe(
  Command.withDescription(
    "Search the scripts that can be searched beyond their proof, and generated ones, until the time is over or a signal " +
      "comes. What was found before is had again first. Each cause is shrunk and kept once; what found something or " +
      "comes to new worlds is searched more. Exits with 0 where nothing fails, 1 where something that was found still " +
      "does, 2 where a script, the folder or the command line cannot be used."
  ),
  Command.withShortDescription("Search on and on, and keep what is found"),
  Command.withExamples([
    { command: "simulate soak --budget 1h", description: "All marked scripts, and generated ones, for an hour" },
    { command: "simulate soak --runs 1000 --seed 7 --corpus /tmp/soak mine.yaml", description: "The same each time" }
  ])
)

interface Ready {
  readonly corpus: Corpus
  readonly progress: Progress
  readonly scripts: ReadonlyMap<string, Scenario>
}

const prepare = ({ places, budget, runs, corpus: folder, seed }: Input): Result.Result<Ready, string> =>
  Result.gen(function* () {
    if (!isDuration(budget)) return yield* Result.fail("--budget is a span of time such as 10m or 1h")
    if (Option.getOrElse(runs, () => 1) < 1) return yield* Result.fail("--runs is a number from 1")
    const scripts = new Map<string, Scenario>()
    for (const { file, scenario: read } of yield* findScripts(places.length === 0 ? ["scenarios"] : places)) {
      const scenario = yield* read
      const isSearched = scenario.steps.some((step) => step.kind === "explore" && step.choose === undefined)
      if (isSearched) scripts.set(file, scenario)
      else if (places.includes(file))
        return yield* Result.fail(`${file}: no step says explore, or it says who goes first`)
    }
    const corpus = yield* Result.try({
      try: () => new Corpus(folder),
      catch: (error) => `${folder} cannot be written: ${String(error)}`
    })
    const known = (yield* corpus.read()) ?? beginning(Option.getOrElse(seed, () => 1))
    const isAnother = Option.isSome(seed) && seed.value !== known.seed
    const progress = isAnother ? { ...beginning(seed.value), findings: known.findings } : known
    return { corpus, progress: { ...progress, findings: corpus.replayed(progress.findings, judged) }, scripts }
  })

const searching = (soak: Soak, corpus: Corpus, { budget, runs }: Input): Effect.Effect<Progress> =>
  Effect.promise(async () => {
    const before = soak.progress
    const ends = Option.isSome(runs) ? Number.POSITIVE_INFINITY : durationInMilliseconds(budget)
    const runsMax = before.runs + Option.getOrElse(runs, () => Number.POSITIVE_INFINITY)
    const started = performance.now()
    const spent = () => performance.now() - started
    const now = (): Progress => ({ ...soak.progress, milliseconds: before.milliseconds + spent() })
    const signal = new Signalled()
    let written = 0
    let told = 0
    const write = () => {
      corpus.write(now())
      written = spent()
    }
    write()
    searching: while (soak.runs < runsMax && spent() < ends) {
      const turn = soak.turn()
      let came = turn.next()
      for (; !came.done; came = turn.next()) {
        await signal.chance()
        if (signal.came || spent() >= ends) break searching
      }
      for (const finding of came.value)
        console.log(visibleOnTerminal(findingLines(finding, (name) => corpus.fileOf(name)).join("\n")))
      if (came.value.length > 0 || spent() - written >= second) write()
      if (spent() - told >= minute) {
        console.log(lineOf(now()))
        told = spent()
      }
    }
    write()
    signal.release()
    return now()
  })

const second = 1000
const minute = 60_000

/** Whether somebody wants this program to end. */
class Signalled {
  came = false
  readonly #listen = () => void (this.came = true)

  constructor() {
    for (const name of signals) process.on(name, this.#listen)
  }

  /** Signals are only heard of between two rounds of the event loop. */
  chance(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve))
  }

  release(): void {
    for (const name of signals) process.off(name, this.#listen)
  }
}

const signals = ["SIGINT", "SIGTERM"] as const
