/** Profiles and the fewest faults: what is drawn for an agent, and what is left out of a failed run. */
import { assert, describe, it } from "vitest"
import type { FaultPlan } from "../../simulator/examination/agent-faults.ts"
import { fewestInWords } from "../../simulator/examination/fewest.ts"
import { drawnPlan, type Profile } from "../../simulator/examination/profile.ts"
import { reduce } from "../../simulator/examination/reduce.ts"

describe("the faults of a profile", () => {
  const planFor = (profile: Profile, seed = 1, name = "answer-lost"): FaultPlan =>
    drawnPlan(profile, seed, { name }) ?? assert.fail("it draws no faults")
  const faultsOf = (plan: FaultPlan, isAwaited: (request: number) => boolean = () => false) =>
    Array.from({ length: 100 }, (_, index) => plan.faultAt(index + 1, isAwaited(index + 1)))
  const seeds = Array.from({ length: 50 }, (_, index) => index)

  it("The profiles calm and year draw no faults.", () => {
    assert.isUndefined(drawnPlan("calm", 1, { name: "answer-lost" }))
    assert.isUndefined(drawnPlan("year", 1, { name: "answer-lost" }))
  })

  it("A seed gives a lesson the same faults each time, and another seed or lesson other ones.", () => {
    const faults = faultsOf(planFor("lossy"))
    assert.deepStrictEqual(faultsOf(planFor("lossy")), faults)
    assert.notDeepEqual(faultsOf(planFor("lossy", 2)), faults)
    assert.notDeepEqual(faultsOf(planFor("lossy", 1, "answer-lost-2")), faults)
  })

  it.each(["lossy", "hostile"] as const)(
    "%s hits at most two requests in a row, and at most ten in a run.",
    (profile) => {
      for (const seed of seeds) {
        const faults = faultsOf(planFor(profile, seed))
        const threes = faults.slice(2).map((_, index) => faults.slice(index, index + 3))
        assert.isFalse(
          threes.some((three) => three.every((fault) => fault !== undefined)),
          `seed ${seed}`
        )
        assert.isAtMost(faults.filter((fault) => fault !== undefined).length, 10)
        assert.isAtLeast(faults.filter((fault) => fault !== undefined).length, 5)
      }
    }
  )

  it("A request on which the lesson depends is not hit, and counts as one in a row.", () => {
    for (const seed of seeds) {
      const faults = faultsOf(planFor("hostile", seed), (request) => request % 3 === 0)
      const hit = faults.map((fault, index) => fault !== undefined || (index + 1) % 3 === 0)
      assert.isUndefined(faults.find((fault, index) => fault !== undefined && (index + 1) % 3 === 0))
      for (let index = 2; index < hit.length; index += 3) assert.isFalse(hit[index + 1] && hit[index + 2] && hit[index])
    }
  })

  it("lossy loses requests and answers; hostile has every kind of fault, and ends the agent once.", () => {
    const kindsOf = (profile: Profile) =>
      new Set(seeds.flatMap((seed) => faultsOf(planFor(profile, seed)).filter((fault) => fault !== undefined)))
    assert.sameMembers([...kindsOf("lossy")], ["request-lost", "answer-lost"])
    assert.sameMembers(
      [...kindsOf("hostile")],
      ["request-lost", "answer-lost", "answered-503", "html-page", "agent-ended"]
    )
    for (const seed of seeds) {
      assert.lengthOf(
        faultsOf(planFor("hostile", seed)).filter((fault) => fault === "agent-ended"),
        1
      )
    }
  })
})

describe("the fewest parts of a failed run", () => {
  const without = (parts: ReadonlyArray<string>, index: number) => parts.toSpliced(index, 1)
  /** The result, and every list that was judged. */
  const reduced = async (all: string, fails: (parts: string) => boolean, runsMax = 100) => {
    const judged: Array<string> = []
    const failsAlike = (parts: ReadonlyArray<string>) => {
      judged.push(parts.join(""))
      return Promise.resolve(fails(parts.join("")))
    }
    const { parts, isComplete } = await reduce([...all], { without, failsAlike, runsMax })
    return { left: parts.join(""), isComplete, judged }
  }

  it("A run that fails without any part takes nothing, which one run shows.", async () => {
    assert.deepStrictEqual(await reduced("abc", () => true), { left: "", isComplete: true, judged: [""] })
  })

  it("Exactly the parts remain of which none can be left out.", async () => {
    const needs = (wanted: string) => (parts: string) => [...wanted].every((part) => parts.includes(part))
    assert.strictEqual((await reduced("abcdef", needs("be"))).left, "be")
    assert.strictEqual((await reduced("abcdef", needs("abcdef"))).left, "abcdef")
  })

  it("A part that only replaces another one is tried again after the other was left out.", async () => {
    // Without c it fails only once b is left out.
    const fails = (parts: string) => parts.includes("a") && (parts.includes("c") || !parts.includes("b"))
    assert.strictEqual((await reduced("abc", fails)).left, "a")
  })

  it("After the limit of runs it says that fewer parts may be enough.", async () => {
    const { left, isComplete, judged } = await reduced("abcdef", (parts) => parts.includes("a"), 3)
    assert.deepStrictEqual([left, isComplete, judged.length], ["abcd", false, 3])
    assert.include(
      fewestInWords({ kind: "FEWEST", parts: [{ kind: "act", act: 2 }], isComplete, leavesOutActs: true }),
      "It takes: act 2. Limit reached: 30 runs; fewer may be enough."
    )
  })

  it("A failure that takes nothing says so, and a lack of progress keeps the acts.", () => {
    const nothing = { kind: "FEWEST", parts: [], isComplete: true } as const
    assert.strictEqual(
      fewestInWords({ ...nothing, leavesOutActs: true }),
      "It takes nothing: it fails without any fault or act."
    )
    assert.strictEqual(
      fewestInWords({ ...nothing, leavesOutActs: false }),
      "It takes no fault: it fails with the acts of the lesson alone."
    )
  })
})
