import { assert, describe, it } from "@effect/vitest"
import { findWorse, ratiosOf, readRatios } from "./committed-ratios.ts"
import type { Figure } from "./figure.ts"
import { partNames, readOptions } from "./options.ts"

const figure = (what: string, ratio: number, aim?: Figure["aim"], isRepeatable = true): Figure => ({
  what,
  isRepeatable,
  measured: "",
  against: "",
  ratio,
  ...(aim === undefined ? {} : { aim })
})

describe("The command line of the bench", () => {
  it("Without words, every part is measured in full and compared with nothing.", () => {
    assert.deepStrictEqual(readOptions([]), {
      parts: [...partNames],
      isQuick: false,
      isProfile: false,
      mode: "PRINT",
      against: undefined
    })
  })

  it.each([
    [["--fast"], "--fast is no option: see npm run bench -- --help."],
    [["--quick=yes"], "--quick takes no value."],
    [["--against"], "--against needs the folder of another checkout."],
    [["--against", "--quick"], "--against needs the folder of another checkout."],
    [["--against", "test/bench"], /^--against: .*test\/bench is no checkout, since it has no src\/main\.ts\.$/],
    [["agreements"], /^agreements is no part: choose from commands, /],
    [["--check", "--quick"], "--check and --update need a full run: leave out --quick."],
    [["--check", "--update"], "Give --check or --update, not both."]
  ] as const)("%j is refused in one sentence.", (words, problem) => {
    const read = readOptions(words)
    assert.isTrue(typeof read === "object" && "problem" in read)
    const { problem: sentence } = read as { readonly problem: string }
    if (typeof problem === "string") assert.strictEqual(sentence, problem)
    else assert.match(sentence, problem)
  })
})

describe("Committed ratios", () => {
  it("A ratio that is more than 20 % worse than the committed one is reported, in either direction.", () => {
    const ratios = { commands: { cost: 10, rate: 0.1 } }
    const found = (cost: number, rate: number) =>
      findWorse("commands", [figure("cost", cost, { atMost: 5 }), figure("rate", rate, { atLeast: 0.2 })], ratios)
    assert.deepStrictEqual(found(11.9, 0.081), [])
    assert.deepStrictEqual(found(12.1, 0.079), [
      "cost: the ratio is 12.1, more than 20 % worse than 10.",
      "rate: the ratio is 0.0790, more than 20 % worse than 0.1."
    ])
  })

  it("A ratio with an aim and without a committed value is reported with the command that writes it.", () => {
    assert.deepStrictEqual(findWorse("commands", [figure("new", 1, { atMost: 5 }), figure("plain", 1)], {}), [
      "new: no ratio is committed, so run npm run bench -- commands --update and commit the file."
    ])
  })

  it("Only ratios of CPU times with an aim are committed, and the committed file has them for commands.", () => {
    const figures = [
      figure("cost", 1.23456, { atMost: 5 }),
      figure("without an aim", 1),
      figure("throughput", 1, { atLeast: 5 }, false)
    ]
    assert.deepStrictEqual(ratiosOf(figures), { cost: 1.23 })
    assert.isAbove(Object.keys(readRatios().commands ?? {}).length, 0)
  })
})
