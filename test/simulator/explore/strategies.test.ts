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

describe("what is left out of a search changes nothing of what it comes to", () => {
  it.each([
    "two-pauses",
    "one-actor-twice",
    "one-answer-of-two-lost",
    "views-only",
    "a-worker-beside",
    "crossing-paths"
  ])("%s", (name) => {
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

/** Takes its one run, in which whoever asked first goes first, for all there are. */
const hasty = (): Strategy => {
  const runs: Array<Decide> = [() => 0]
  return {
    name: "hasty",
    next: () => runs.pop(),
    came: () => {},
    proof: () => ({ isComplete: true, states: 1, leftOut: "" })
  }
}

describe("a proof is held against runs of chance", () => {
  const from = prepared(`${scripts}/two-pauses.yaml`)
  const samples = [[randomWalk(1), 20]] as const

  it("that end as runs of the proof do", () => {
    const { isComplete, schedules } = search(from, { invariants: [], strategies: [[new Exhaustive(), 400]], samples })
    assert.isTrue(isComplete)
    assert.strictEqual(schedules, searched(from, {}).schedules)
  })

  it("and is none where one of them ends otherwise", () => {
    const { isComplete, leftOut } = search(from, { invariants: [], strategies: [[hasty(), 10]], samples })
    assert.isFalse(isComplete)
    assert.match(leftOut[0]?.[1] ?? "", /^what it took for known was not: run \d+ by random walk/)
  })

  it("and tells what is broken in one of them", () => {
    const raced = prepare(read(race))
    const { isComplete, found } = search(raced, { invariants: [neverRefused], strategies: [[hasty(), 10]], samples })
    assert.isFalse(isComplete)
    assert.strictEqual(found?.by, "random walk")
    assert.strictEqual(found?.violation.invariant, neverRefused.name)
  })
})

/** A run in which so many times one of two goes first, whatever went first before. */
const ran = (decide: Decide, points: ReadonlyArray<Partial<Point>>): ReadonlyArray<number | "CUT"> => {
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

const everyRunOf = (strategy: Strategy, points: ReadonlyArray<Partial<Point>>): ReadonlyArray<string> => {
  const runs: Array<string> = []
  for (let decide = strategy.next(); decide !== undefined; decide = strategy.next()) {
    runs.push(ran(decide, points).join(""))
    strategy.came(done(points.length))
  }
  return runs
}

describe("runs", () => {
  const three = [{}, {}, { options: ["a", "b", "c"] }]

  it("within a bound of delays are tried once each, those with fewer delays first", () => {
    const runs = everyRunOf(new DelayBounded(2), three)
    assert.deepStrictEqual([...runs].sort(), ["000", "001", "002", "010", "011", "100", "101", "110"])
    const delays = runs.map((run) => [...run].reduce((sum, one) => sum + Number(one), 0))
    assert.deepStrictEqual(delays, [...delays].sort())
  })

  it("of a search without a shortcut are all there are", () => {
    const runs = everyRunOf(new Exhaustive({ isCached: false, isReduced: false }), three)
    assert.strictEqual(new Set(runs).size, 12)
    assert.strictEqual(runs.length, 12)
  })

  it.each([
    ["a random walk", randomWalk],
    ["priorities", priorities]
  ])("of %s are those of its seed", (_, strategyOf) => {
    const many = Array.from({ length: 12 }, () => ({}))
    const runsOf = (seed: number) => {
      const strategy = strategyOf(seed)
      return Array.from({ length: 8 }, () => {
        const made = ran(strategy.next() ?? (() => "CUT"), many).join("")
        strategy.came(done(many.length))
        return made
      })
    }
    assert.deepStrictEqual(runsOf(1), runsOf(1))
    assert.notDeepEqual(runsOf(1), runsOf(2))
  })

  it("that are not the same twice are told by what was offered", () => {
    const strategy = new Exhaustive({ isCached: false })
    ran(strategy.next()!, three)
    strategy.came(done(3))
    assert.throws(() => ran(strategy.next()!, [{ options: ["one", "a stranger"] }]), /one, a stranger in the place of/)
  })

  it("that end before what was decided before are told too", () => {
    const strategy = new Exhaustive({ isCached: false })
    ran(strategy.next()!, three)
    strategy.came(done(3))
    ran(strategy.next()!, [{}])
    assert.throws(() => strategy.came(done(1)), /it ended in the place of one, another/)
  })
})
