import { assert, describe, it } from "@effect/vitest"
import type { Decider, ChoicePoint } from "../../../simulator/search/choice-point.ts"
import { prepareSearchRoot, type SearchRoot } from "../../../simulator/search/search-root.ts"
import { type SearchResult, search } from "../../../simulator/search/search.ts"
import { DelayBoundedSearch } from "../../../simulator/search/strategies/delay-bounded.ts"
import { DepthFirstSearch, type DepthFirstOptions } from "../../../simulator/search/strategies/depth-first.ts"
import { pct } from "../../../simulator/search/strategies/pct.ts"
import { randomWalk } from "../../../simulator/search/strategies/random-walk.ts"
import type { Strategy } from "../../../simulator/search/strategies/strategy.ts"
import { neverRefused, race, read } from "./race-script.ts"
import { findScripts } from "../../../simulator/scenario/files.ts"

const scripts = `${import.meta.dirname}/scripts`

const root = (file: string): SearchRoot => {
  const found = findScripts([file])
  const scenario = found._tag === "Success" ? found.success[0]?.scenario : undefined
  if (scenario?._tag !== "Success") throw new Error(`${file} cannot be read`)
  return prepareSearchRoot(scenario.success)
}

const searched = (from: SearchRoot, options: DepthFirstOptions): SearchResult =>
  search(from, { properties: [], strategies: [[new DepthFirstSearch(options), 400]] })

const outcomesOf = ({ outcomes }: SearchResult): ReadonlyArray<string> => [...outcomes.keys()].sort()

describe("soundness of the reductions", () => {
  it.each([
    "two-pauses",
    "same-actor-twice",
    "one-of-two-answers-lost",
    "reads-only",
    "worker-and-handoff",
    "reads-and-handoff"
  ])("State caching and partial-order reduction keep every outcome of %s", (name) => {
    const from = root(`${scripts}/${name}.yaml`)
    const plain = searched(from, { isCached: false, isReduced: false })
    assert.isTrue(plain.isComplete)
    for (const options of [{}, { isReduced: false }, { isCached: false }]) {
      const other = searched(from, options)
      assert.isTrue(other.isComplete)
      assert.deepStrictEqual(outcomesOf(other), outcomesOf(plain))
      assert.isAtMost(other.schedules, plain.schedules)
    }
  })
})

/** An unsound strategy: it claims to be exhaustive after one run. */
const hasty = (): Strategy => {
  const runs: Array<Decider> = [() => 0]
  return {
    name: "hasty",
    next: () => runs.pop(),
    upcoming: () => [],
    onRunFinished: () => {},
    proof: () => ({ isComplete: true, states: 1, leftOut: "" })
  }
}

describe("sampled runs that check an exhaustive search", () => {
  const from = root(`${scripts}/two-pauses.yaml`)
  const samples = [[randomWalk(1), 20]] as const

  it("Sampled runs with known outcomes leave an exhaustive search complete", () => {
    const { isComplete, schedules } = search(from, {
      properties: [],
      strategies: [[new DepthFirstSearch(), 400]],
      samples
    })
    assert.isTrue(isComplete)
    assert.strictEqual(schedules, searched(from, {}).schedules)
  })

  it("A sampled run with an unseen outcome invalidates an exhaustive search", () => {
    const { isComplete, leftOut } = search(from, { properties: [], strategies: [[hasty(), 10]], samples })
    assert.isFalse(isComplete)
    assert.match(leftOut[0]?.[1] ?? "", /^unsound reduction: sampled run \d+ by random walk/)
  })

  it("A violation in a sampled run is reported", () => {
    const raced = prepareSearchRoot(read(race))
    const { isComplete, found } = search(raced, { properties: [neverRefused], strategies: [[hasty(), 10]], samples })
    assert.isFalse(isComplete)
    assert.strictEqual(found?.by, "random walk")
    assert.strictEqual(found?.violation.property, neverRefused.name)
  })
})

/** The decisions at given choice points, each with two options by default. */
const decisionsAt = (decide: Decider, points: ReadonlyArray<Partial<ChoicePoint>>): ReadonlyArray<number | "CUT"> => {
  const made: Array<number | "CUT"> = []
  for (const point of points) {
    const chosen = decide({
      kind: "order",
      options: ["one", "another"],
      offers: [],
      footprint: { reads: new Set(), writes: new Set(), isVisible: true },
      stateHash: () => "",
      ...point
    })
    made.push(chosen)
    if (chosen === "CUT") break
  }
  return made
}

const done = (decisions: number): Parameters<Strategy["onRunFinished"]>[0] => ({
  ended: "DONE",
  violation: undefined,
  decisions
})

const allRunsOf = (strategy: Strategy, points: ReadonlyArray<Partial<ChoicePoint>>): ReadonlyArray<string> => {
  const runs: Array<string> = []
  for (let decide = strategy.next(); decide !== undefined; decide = strategy.next()) {
    runs.push(decisionsAt(decide, points).join(""))
    strategy.onRunFinished(done(points.length))
  }
  return runs
}

describe("runs of a strategy", () => {
  const three = [{}, {}, { options: ["a", "b", "c"] }]

  it("A delay-bounded search tries each run within its bound once, in ascending order of delays", () => {
    const runs = allRunsOf(new DelayBoundedSearch(2), three)
    assert.deepStrictEqual([...runs].sort(), ["000", "001", "002", "010", "011", "100", "101", "110"])
    const delays = runs.map((run) => [...run].reduce((sum, one) => sum + Number(one), 0))
    assert.deepStrictEqual(delays, [...delays].sort())
  })

  it("A depth-first search without reductions tries every run once", () => {
    const runs = allRunsOf(new DepthFirstSearch({ isCached: false, isReduced: false }), three)
    assert.strictEqual(new Set(runs).size, 12)
    assert.strictEqual(runs.length, 12)
  })

  it.each([
    ["random walk", randomWalk],
    ["PCT", pct]
  ])("The runs of %s are a function of its seed", (_, strategyOf) => {
    const many = Array.from({ length: 12 }, () => ({}))
    const runsOf = (seed: number) => {
      const strategy = strategyOf(seed)
      return Array.from({ length: 8 }, () => {
        const made = decisionsAt(strategy.next() ?? (() => "CUT"), many).join("")
        strategy.onRunFinished(done(many.length))
        return made
      })
    }
    assert.deepStrictEqual(runsOf(1), runsOf(1))
    assert.notDeepEqual(runsOf(1), runsOf(2))
  })

  it("A depth-first search reports a nondeterministic run with the offered options", () => {
    const strategy = new DepthFirstSearch({ isCached: false })
    decisionsAt(strategy.next()!, three)
    strategy.onRunFinished(done(3))
    assert.throws(
      () => decisionsAt(strategy.next()!, [{ options: ["one", "a third"] }]),
      /nondeterministic run: offered one, a third instead of/
    )
  })

  it("A depth-first search reports a run that ends before an earlier choice", () => {
    const strategy = new DepthFirstSearch({ isCached: false })
    decisionsAt(strategy.next()!, three)
    strategy.onRunFinished(done(3))
    decisionsAt(strategy.next()!, [{}])
    assert.throws(
      () => strategy.onRunFinished(done(1)),
      /nondeterministic run: it ended instead of offering one, another/
    )
  })
})
