import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { replayScript } from "../../../simulator/search/findings/replay-script.ts"
import { exploreStep, hasFixedSchedule } from "../../../simulator/scenario/explore-step.ts"
import { replayLines } from "../../../simulator/search/replay-report.ts"
import { neverRefused, race, read } from "./race-script.ts"

const checks = { properties: [neverRefused], probes: [] }

/** The race as saved by a search, with given choices and faults. */
const ordered = (choose: string, more = ""): string =>
  race.replace(/ {2}- explore:\n(?: {6}.*\n)+/, `  - { explore: {}, choose: [${choose}] }\n${more}`)

const ends = (text: string) => Result.getOrThrow(replayScript("saved.yaml", read(text), checks))

const danaFirst = "scout:view, dana:view, scout:transaction, dana:transaction, dana:view, dana:transaction"

describe("strict replay of a saved run", () => {
  it("A replay reproduces the violation of a saved run with its choices", () => {
    const replayed = ends(ordered(danaFirst))
    assert.strictEqual(replayed.ended, "REPRODUCES")
    assert.strictEqual(replayed.made.map(({ chosen }) => chosen).join(", "), danaFirst)
  })

  it("A saved run that lists a property by its former name still replays", () => {
    const saved = ordered(danaFirst).replace("explore: {}", "explore: { reaches: [a pause refuses somebody] }")
    assert.deepStrictEqual(exploreStep(read(saved))?.search.reaches, ["refusal by a pause"])
    assert.isTrue(hasFixedSchedule(read(saved)))
    assert.strictEqual(ends(saved).ended, "REPRODUCES")
  })

  it("A replay without a violation is fixed", () => {
    const replayed = ends(ordered("scout:view"))
    assert.strictEqual(replayed.ended, "FIXED")
  })

  it("A replay diverges at a choice that is not offered", () => {
    const [line] = replayLines(ends(ordered("scout:view, dana:claim")), false)
    assert.match(line ?? "", /^saved\.yaml: diverged at choice 2: wanted dana:claim, offered .*dana:view/)
  })

  it("A replay diverges at a choice that the run does not reach", () => {
    const [line] = replayLines(ends(ordered(Array(40).fill("scout:view").join(", "))), false)
    assert.match(line ?? "", /^saved\.yaml: diverged at choice \d+: wanted scout:view/)
  })

  it("A replay diverges if an injected fault never occurs", () => {
    const [line] = replayLines(
      ends(ordered("scout:view", "  - { inject: { of: scout, crash: before-commit } }\n")),
      false
    )
    assert.strictEqual(line, "saved.yaml: diverged: the fault injected for scout never occurred")
  })
})

describe("scripts that a folder replay includes", () => {
  it.each([
    ["with fixed choices", ordered(danaFirst), true],
    ["with injected faults only", race.replace(/( {2}- explore:)\n(?: {6}.*\n)+/, "$1 {}\n"), true],
    ["with a search", race, false]
  ])("Only scripts with a fixed schedule are replayed from a folder: %s", (_, text, isIncluded) => {
    assert.strictEqual(hasFixedSchedule(read(text)), isIncluded)
  })
})

describe("scripts that cannot be replayed", () => {
  it("A script without an explore step cannot be replayed", () => {
    const text = race.replace(/ {2}- explore:\n(?: {6}.*\n)+/, "")
    assert.isTrue(Result.isFailure(replayScript("saved.yaml", read(text), checks)))
  })

  it("A script that fails before its explore step cannot be replayed", () => {
    const text = ordered("scout:view").replace("{ error: AUTH_INVALID }", "{ error: NOT_FOUND }")
    const replayed = replayScript("saved.yaml", read(text), checks)
    assert.isTrue(Result.isFailure(replayed))
  })
})
