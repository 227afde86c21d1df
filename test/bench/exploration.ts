/**
 * Exploring: how many runs through the real handlers a second, beside what one run decides and asks; and what a run
 * costs against one of the same script from its beginning, and a search that remembers where it was against one that
 * does not. Time is that of this process alone: who else is on the machine does not count.
 */
import { Result } from "effect"
import { type Prepared, prepare } from "../../simulator/explore/prepared.ts"
import { search, type Searched } from "../../simulator/explore/search.ts"
import { Exhaustive } from "../../simulator/explore/strategies/exhaustive.ts"
import { randomWalk } from "../../simulator/explore/strategies/random-walk.ts"
import type { Strategy } from "../../simulator/explore/strategies/strategy.ts"
import { findScripts } from "../../simulator/files.ts"
import { invariants } from "../../simulator/invariants/every.ts"
import { everyStep, type Scenario } from "../../simulator/script/scenario.ts"
import { simulate } from "../../simulator/simulate.ts"
import type { Extent } from "./extent.ts"
import { readable, renderFigures, type Figure } from "./figure.ts"
import { busySecondsOf, inTurns } from "./measure.ts"

export const measureExploration = (extent: Extent): string => {
  const scenarios = marked()
  const prepared = scenarios.map((scenario) => prepare(scenario))
  const runsEach = Math.ceil((extent.seconds * 100) / prepared.length)
  // Code that runs for the first time is slow.
  tried(prepared, runsEach)
  return renderFigures("Exploring", [
    ...throughput(scenarios, prepared, runsEach),
    againstWholeRuns(scenarios[0]!, prepared[0]!, extent),
    ...againstPlain(prepared[0]!)
  ])
}

/** The shipped scripts that say from where on they are searched. */
const marked = (): ReadonlyArray<Scenario> =>
  Result.getOrThrow(findScripts(["scenarios"]))
    .map(({ scenario }) => Result.getOrThrow(scenario))
    .filter(({ steps }) => everyStep(steps).some(({ kind }) => kind === "explore"))

const searched = (prepared: Prepared, strategy: Strategy, runs: number): Searched =>
  search(prepared, { invariants, strategies: [[strategy, runs]] })

/** Each from its beginning to its end, in an order of chance. */
const tried = (prepared: ReadonlyArray<Prepared>, runsEach: number): ReadonlyArray<Searched> =>
  prepared.map((one) => searched(one, randomWalk(1), runsEach))

const total = (all: ReadonlyArray<Searched>, what: "schedules" | "requests" | "decisions"): number =>
  all.reduce((sum, one) => sum + one[what], 0)

const throughput = (
  scenarios: ReadonlyArray<Scenario>,
  prepared: ReadonlyArray<Prepared>,
  runsEach: number
): ReadonlyArray<Figure> => {
  let all: ReadonlyArray<Searched> = []
  const seconds = busySecondsOf(() => {
    all = tried(prepared, runsEach)
  })
  const runs = total(all, "schedules")
  const requests = total(all, "requests")
  const choices = total(all, "decisions")
  return [
    {
      what: `schedules of ${scenarios.length} marked scripts, against choices in each`,
      measured: `${readable(runs / seconds)} schedules/s`,
      against: `${readable(choices / runs)} choices`,
      ratio: choices / seconds
    },
    {
      what: "requests a second of one core while exploring, against requests in each schedule",
      measured: `${readable(requests / seconds)} requests/s`,
      against: `${readable(requests / runs)} requests`,
      ratio: requests / seconds,
      aim: { atLeast: 3_000 }
    }
  ]
}

/** What it saves that a searched run begins where the search does. */
const againstWholeRuns = (scenario: Scenario, prepared: Prepared, { seconds }: Extent): Figure => {
  const [part, whole] = inTurns(
    seconds,
    () => void searched(prepared, randomWalk(1), 10),
    () => {
      for (let run = 0; run < 10; run++) simulate(scenario, { file: scenario.title })
    },
    busySecondsOf
  )
  return {
    what: `a searched run of "${scenario.title}" against a run of all its steps`,
    measured: `${readable(10 / part)} runs/s`,
    against: `${readable(10 / whole)} runs/s`,
    ratio: whole / part
  }
}

/** A proof of the same script with and without what keeps it from going the same way twice. */
const againstPlain = (prepared: Prepared): ReadonlyArray<Figure> => {
  const [cached, quickly] = proved(prepared, new Exhaustive())
  const [plain, slowly] = proved(prepared, new Exhaustive({ isCached: false, isReduced: false }))
  const states = cached.states ?? 0
  return [
    {
      what: `states of "${prepared.scenario.title}"`,
      measured: `${readable(states / quickly)} states/s`,
      against: `${readable(states)} states`,
      ratio: 1 / quickly
    },
    {
      what: `a proof of it${cached.isComplete ? "" : ", begun"}, against every order${plain.isComplete ? "" : ", begun"}`,
      measured: `${readable(cached.schedules)} schedules, ${readable(quickly)} s`,
      against: `${readable(plain.schedules)} schedules, ${readable(slowly)} s`,
      ratio: slowly / quickly
    }
  ]
}

const proved = (prepared: Prepared, strategy: Strategy): readonly [Searched, number] => {
  const all: Array<Searched> = []
  const seconds = busySecondsOf(() => all.push(searched(prepared, strategy, runsMax)))
  return [all[0]!, seconds]
}

const runsMax = 1_000
