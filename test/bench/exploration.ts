/**
 * Exploration: runs per second through the real handlers, with the decisions and requests of each run; and the cost of
 * a run against one of the same script from its start, and of a search with state caching and partial-order reduction
 * against one without. Times are CPU times of this process.
 */
import { Result } from "effect"
import { type SearchRoot, prepareSearchRoot } from "../../simulator/search/search-root.ts"
import { search, type SearchResult } from "../../simulator/search/search.ts"
import { DepthFirstSearch } from "../../simulator/search/strategies/depth-first.ts"
import { randomWalk } from "../../simulator/search/strategies/random-walk.ts"
import type { Strategy } from "../../simulator/search/strategies/strategy.ts"
import { findScripts } from "../../simulator/scenario/files.ts"
import { properties } from "../../simulator/properties/all-properties.ts"
import { allSteps, type Scenario } from "../../simulator/scenario/format/scenario.ts"
import { simulate } from "../../simulator/scenario/simulate.ts"
import type { Extent } from "./extent.ts"
import { readable, type Figure, type Section } from "./figure.ts"
import { busySecondsOf, inTurns } from "./measure.ts"

export const measureExploration = (extent: Extent): ReadonlyArray<Section> => {
  const scenarios = scenariosWithRoot()
  const root = scenarios.map((scenario) => prepareSearchRoot(scenario))
  const runsEach = Math.ceil((extent.seconds * 100) / root.length)
  // The first execution of code is slow.
  sample(root, runsEach)
  const figures = [
    ...throughput(scenarios, root, runsEach),
    againstWholeRuns(scenarios[0]!, root[0]!, extent),
    ...againstPlain(root[0]!)
  ]
  return [{ title: "Exploration", figures }]
}

/** The shipped scripts with a search root. */
const scenariosWithRoot = (): ReadonlyArray<Scenario> =>
  Result.getOrThrow(findScripts(["scenarios"]))
    .map(({ scenario }) => Result.getOrThrow(scenario))
    .filter(({ steps }) => allSteps(steps).some(({ kind }) => kind === "explore"))

const searchWith = (root: SearchRoot, strategy: Strategy, runs: number): SearchResult =>
  search(root, { properties, strategies: [[strategy, runs]] })

/** Each script by a random walk. */
const sample = (root: ReadonlyArray<SearchRoot>, runsEach: number): ReadonlyArray<SearchResult> =>
  root.map((one) => searchWith(one, randomWalk(1), runsEach))

const total = (all: ReadonlyArray<SearchResult>, what: "schedules" | "requests" | "decisions"): number =>
  all.reduce((sum, one) => sum + one[what], 0)

const throughput = (
  scenarios: ReadonlyArray<Scenario>,
  root: ReadonlyArray<SearchRoot>,
  runsEach: number
): ReadonlyArray<Figure> => {
  let all: ReadonlyArray<SearchResult> = []
  const seconds = busySecondsOf(() => {
    all = sample(root, runsEach)
  })
  const runs = total(all, "schedules")
  const requests = total(all, "requests")
  const choices = total(all, "decisions")
  return [
    {
      what: `schedules of ${scenarios.length} scripts with a search root, against choices in each`,
      measured: `${readable(runs / seconds)} schedules/s`,
      against: `${readable(choices / runs)} choices`,
      ratio: choices / seconds
    },
    {
      what: "requests per second of one core during exploration, against requests in each schedule",
      measured: `${readable(requests / seconds)} requests/s`,
      against: `${readable(requests / runs)} requests`,
      ratio: requests / seconds,
      aim: { atLeast: 3_000 }
    }
  ]
}

/** The saving of a run that starts at the search root. */
const againstWholeRuns = (scenario: Scenario, root: SearchRoot, { seconds }: Extent): Figure => {
  const [part, whole] = inTurns(
    seconds,
    () => void searchWith(root, randomWalk(1), 10),
    () => {
      for (let run = 0; run < 10; run++) simulate(scenario, { file: scenario.title })
    },
    busySecondsOf
  )
  return {
    what: `a run from the search root of "${scenario.title}" against a run of all its steps`,
    measured: `${readable(10 / part)} runs/s`,
    against: `${readable(10 / whole)} runs/s`,
    ratio: whole / part
  }
}

/** An exhaustive search of the same script with and without state caching and partial-order reduction. */
const againstPlain = (root: SearchRoot): ReadonlyArray<Figure> => {
  const [cached, quickly] = searchExhaustively(root, new DepthFirstSearch())
  const [plain, slowly] = searchExhaustively(root, new DepthFirstSearch({ isCached: false, isReduced: false }))
  const states = cached.states ?? 0
  return [
    {
      what: `states of "${root.scenario.title}"`,
      measured: `${readable(states / quickly)} states/s`,
      against: `${readable(states)} states`,
      ratio: 1 / quickly
    },
    {
      what: `its exhaustive search${cached.isComplete ? "" : ", incomplete"}, against every order${plain.isComplete ? "" : ", incomplete"}`,
      measured: `${readable(cached.schedules)} schedules, ${readable(quickly)} s`,
      against: `${readable(plain.schedules)} schedules, ${readable(slowly)} s`,
      ratio: slowly / quickly
    }
  ]
}

const searchExhaustively = (root: SearchRoot, strategy: Strategy): readonly [SearchResult, number] => {
  const all: Array<SearchResult> = []
  const seconds = busySecondsOf(() => all.push(searchWith(root, strategy, runsMax)))
  return [all[0]!, seconds]
}

const runsMax = 1_000
