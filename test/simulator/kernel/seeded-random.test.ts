import { assert, describe, it } from "vitest"
import { deriveSeed, SeededRandom } from "../../../simulator/kernel/seeded-random.ts"

const letters = ["a", "b", "c", "d", "e", "f"]

describe("a seeded random generator", () => {
  it("The draws of a seed never change, so that kept seeds and findings reproduce", () => {
    const random = new SeededRandom(7)
    const draws = [
      random.below(1000),
      random.chance(0.5),
      random.pick(letters),
      random.some(letters, 0.5),
      random.weighted([
        [1, "x"],
        [3, "y"],
        [2, "z"]
      ]),
      random.below(1000)
    ]
    assert.deepStrictEqual(draws, [309, false, "f", ["a", "b", "d", "e", "f"], "y", 566])
  })

  it("A draw from one stream never changes the draws from another", () => {
    const [one, other] = [new SeededRandom(7), new SeededRandom(7)]
    assert.deepStrictEqual([one.below(1000, "a"), one.below(1000, "b"), one.below(1000, "a")], [868, 406, 967])
    assert.deepStrictEqual([other.below(1000, "a"), other.below(1000, "a"), other.below(1000)], [868, 967, 309])
  })

  it("A derived seed depends on the seed and the purpose only", () => {
    assert.strictEqual(deriveSeed(7, "turn 1"), 1_636_623_307)
    assert.strictEqual(SeededRandom.derived(7, "turn 1").below(1000), 22)
    assert.notStrictEqual(deriveSeed(7, "turn 2"), deriveSeed(7, "turn 1"))
  })

  it("A pick from no options is an error of the caller", () => {
    assert.throws(() => new SeededRandom(7).pick([]), RangeError)
  })
})
