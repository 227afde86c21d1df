import { assert, describe, it } from "@effect/vitest"
import type { Decide, Point } from "../../../simulator/explore/point.ts"
import { prepare, type Prepared } from "../../../simulator/explore/prepared.ts"
import { type Searched, search } from "../../../simulator/explore/search.ts"
import { DelayBounded } from "../../../simulator/explore/strategies/delay-bounded.ts"
import { Exhaustive, type ExhaustiveOptions } from "../../../simulator/explore/strategies/exhaustive.ts"
import { priorities } from "../../../simulator/explore/strategies/priorities.ts"
import { randomWalk } from "../../../simulator/explore/strategies/random-walk.ts"
import type { Strategy } from "../../../simulator/explore/strategies/strategy.ts"
import { neverRefused, race, read } from "./explore-found.ts"
import { findScripts } from "../../../simulator/files.ts"

const scripts = `${import.meta.dirname}/scripts`

const prepared = (file: string): Prepared => {
  const found = findScripts([file])
  const scenario = found._tag === "Success" ? found.success[0]?.scenario : undefined
  if (scenario?._tag !== "Success") throw new Error(`${file} cannot be read`)
  return prepare(scenario.success)
}

const searched = (from: Prepared, options: ExhaustiveOptions): Searched =>
  search(from, { invariants: [], strategies: [[new Exhaustive(options), 400]] })

const outcomesOf = ({ outcomes }: Searched): ReadonlyArray<string> => [...outcomes.keys()].sort()

describe("soundness of the reductions", () => {
  it.each([
    "two-pauses",
    "one-actor-twice",
    "one-answer-of-two-lost",
    "views-only",
    "a-worker-beside",
    "crossing-paths"
  ])("State caching and partial-order reduction keep every outcome of %s", (name) => {
    const from = prepared(`${scripts}/${name}.yaml`)
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
  const runs: Array<Decide> = [() => 0]
  return {
    name: "hasty",
    next: () => runs.pop(),
    came: () => {},
    proof: () => ({ isComplete: true, states: 1, leftOut: "" })
  }
}

describe("sampled runs that check an exhaustive search", () => {
  const from = prepared(`${scripts}/two-pauses.yaml`)
  const samples = [[randomWalk(1), 20]] as const

  it("Sampled runs with known outcomes leave an exhaustive search complete", () => {
    const { isComplete, schedules } = search(from, { invariants: [], strategies: [[new Exhaustive(), 400]], samples })
    assert.isTrue(isComplete)
    assert.strictEqual(schedules, searched(from, {}).schedules)
  })

  it("A sampled run with an unseen outcome invalidates an exhaustive search", () => {
    const { isComplete, leftOut } = search(from, { invariants: [], strategies: [[hasty(), 10]], samples })
    assert.isFalse(isComplete)
    assert.match(leftOut[0]?.[1] ?? "", /^unsound reduction: sampled run \d+ by random walk/)
  })

  it("A violation in a sampled run is reported", () => {
    const raced = prepare(read(race))
    const { isComplete, found } = search(raced, { invariants: [neverRefused], strategies: [[hasty(), 10]], samples })
    assert.isFalse(isComplete)
    assert.strictEqual(found?.by, "random walk")
    assert.strictEqual(found?.violation.invariant, neverRefused.name)
  })
})

/** The decisions at given choice points, each with two options by default. */
const decisionsAt = (decide: Decide, points: ReadonlyArray<Partial<Point>>): ReadonlyArray<number | "CUT"> => {
  const made: Array<number | "CUT"> = []
  for (const point of points) {
    const chosen = decide({
      kind: "order",
      options: ["one", "another"],
      offers: [],
      since: { reads: new Set(), writes: new Set(), isVisible: true },
      world: () => "",
      ...point
    })
    made.push(chosen)
    if (chosen === "CUT") break
  }
  return made
}

const done = (decisions: number): Parameters<Strategy["came"]>[0] => ({
  ended: "DONE",
  violation: undefined,
  decisions
})

const allRunsOf = (strategy: Strategy, points: ReadonlyArray<Partial<Point>>): ReadonlyArray<string> => {
  const runs: Array<string> = []
  for (let decide = strategy.next(); decide !== undefined; decide = strategy.next()) {
    runs.push(decisionsAt(decide, points).join(""))
    strategy.came(done(points.length))
  }
  return runs
}

describe("runs of a strategy", () => {
  const three = [{}, {}, { options: ["a", "b", "c"] }]

  it("A delay-bounded search tries each run within its bound once, in ascending order of delays", () => {
    const runs = allRunsOf(new DelayBounded(2), three)
    assert.deepStrictEqual([...runs].sort(), ["000", "001", "002", "010", "011", "100", "101", "110"])
    const delays = runs.map((run) => [...run].reduce((sum, one) => sum + Number(one), 0))
    assert.deepStrictEqual(delays, [...delays].sort())
  })

  it("A depth-first search without reductions tries every run once", () => {
    const runs = allRunsOf(new Exhaustive({ isCached: false, isReduced: false }), three)
    assert.strictEqual(new Set(runs).size, 12)
    assert.strictEqual(runs.length, 12)
  })

  it.each([
    ["random walk", randomWalk],
    ["PCT", priorities]
  ])("The runs of %s are a function of its seed", (_, strategyOf) => {
    const many = Array.from({ length: 12 }, () => ({}))
    const runsOf = (seed: number) => {
      const strategy = strategyOf(seed)
      return Array.from({ length: 8 }, () => {
        const made = decisionsAt(strategy.next() ?? (() => "CUT"), many).join("")
        strategy.came(done(many.length))
        return made
      })
    }
    assert.deepStrictEqual(runsOf(1), runsOf(1))
    assert.notDeepEqual(runsOf(1), runsOf(2))
  })

  it("A depth-first search reports a nondeterministic run with the offered options", () => {
    const strategy = new Exhaustive({ isCached: false })
    decisionsAt(strategy.next()!, three)
    strategy.came(done(3))
    assert.throws(
      () => decisionsAt(strategy.next()!, [{ options: ["one", "a third"] }]),
      /nondeterministic run: offered one, a third instead of/
    )
  })

  it("A depth-first search reports a run that ends before an earlier choice", () => {
    const strategy = new Exhaustive({ isCached: false })
    decisionsAt(strategy.next()!, three)
    strategy.came(done(3))
    decisionsAt(strategy.next()!, [{}])
    assert.throws(() => strategy.came(done(1)), /nondeterministic run: it ended instead of offering one, another/)
  })
})
