/** Searches the script in one file with the options of the command line, in this or in another process. */
import { Result } from "effect"
import { readScript } from "../../scenario/files.ts"
import { properties } from "../../properties/all-properties.ts"
import { Unsearchable } from "../search-root.ts"
import { probes } from "../isolation/probes.ts"
import type { ExplorationReport } from "../report.ts"
import type { SearchProgress } from "../search.ts"
import { RunThreads } from "../parallel/run-threads.ts"
import { RunsAhead } from "../parallel/runs-ahead.ts"
import { pct } from "../strategies/pct.ts"
import { randomWalk } from "../strategies/random-walk.ts"
import { portfolio, type StrategyName, strategyOf } from "../strategies/portfolio.ts"
import type { Strategy } from "../strategies/strategy.ts"
import { exploreScript } from "./explore-script.ts"
import { saveFinding } from "./save-finding.ts"

/** Plain data, so that it can be sent to another process. */
export interface ExplorationTask {
  readonly file: string
  /** True if only an exhaustive search counts. */
  readonly exhaustive: boolean
  /** All strategies in turn if empty. */
  readonly strategies: ReadonlyArray<StrategyName>
  readonly runsMax: number
  readonly seed: number
  readonly hasFaults: boolean
  /** The time limit in milliseconds; none if undefined. */
  readonly milliseconds: number | undefined
  /** The folder for findings. */
  readonly save: string
  /** The number of threads that execute the runs; with one, this thread does. */
  readonly threads: number
}

export type ExplorationResult =
  | { readonly explored: ExplorationReport; /** Wall time. */ readonly seconds: number }
  | { readonly unusable: string }

/** The progress of a search and its wall time, at most once a second. */
export interface ExplorationProgress extends SearchProgress {
  readonly seconds: number
}

export const exploreFile = (
  exploration: ExplorationTask,
  onProgress: (progress: ExplorationProgress) => void
): ExplorationResult => {
  const { file, exhaustive, seed, hasFaults, milliseconds = Number.POSITIVE_INFINITY, save } = exploration
  const scenario = readScript(file)
  if (Result.isFailure(scenario)) return { unusable: scenario.failure }
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1000
  const threads = new RunThreads({ file, hasFaults }, exploration.threads - 1)
  try {
    const explored = exploreScript(file, scenario.success, {
      properties,
      probes,
      strategies: strategiesOf(exploration),
      samples: [
        [randomWalk(seed), samples],
        [pct(seed), samples]
      ],
      isOutOfTime: () => performance.now() - started >= milliseconds,
      isProofWanted: exhaustive,
      hasFaults,
      onProgress: onceASecond(seconds, onProgress),
      runsOf: threads.all.length === 0 ? undefined : (search) => new RunsAhead(search, threads),
      save: (property, text) => saveFinding(save, file, property, text)
    })
    return { explored, seconds: seconds() }
  } catch (error) {
    return { unusable: `${file}: ${error instanceof Unsearchable ? error.reason : String(error)}` }
  } finally {
    threads.close()
  }
}

const onceASecond = (seconds: () => number, onProgress: (progress: ExplorationProgress) => void) => {
  let last = 0
  return (progress: () => SearchProgress): void => {
    const now = seconds()
    if (now - last < 1) return
    last = now
    onProgress({ ...progress(), seconds: now })
  }
}

/** Sampled runs of each strategy that check an exhaustive search. */
const samples = 20

const strategiesOf = ({
  exhaustive,
  strategies,
  runsMax,
  seed
}: ExplorationTask): ReadonlyArray<readonly [Strategy, number]> => {
  const chosen = exhaustive ? (["exhaustive"] as const) : strategies
  if (chosen.length === 0) return portfolio(seed, runsMax)
  return chosen.map((name) => [strategyOf(name, seed), Math.ceil(runsMax / chosen.length)] as const)
}
