import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { replayScript } from "../../../simulator/explore/found/replay-script.ts"
import { isOneRun } from "../../../simulator/explore/search-point.ts"
import { replayedLines } from "../../../simulator/explore/report-replay.ts"
import { neverRefused, race, read } from "./explore-found.ts"

const judged = { invariants: [neverRefused], probes: [] }

/** The race as it is after a search found it, with other names or faults. */
const ordered = (choose: string, more = ""): string =>
  race.replace(/ {2}- explore:\n(?: {6}.*\n)+/, `  - { explore: {}, choose: [${choose}] }\n${more}`)

const ends = (text: string) => Result.getOrThrow(replayScript("saved.yaml", read(text), judged))

const danaFirst = "scout:view, dana:view, scout:transaction, dana:transaction, dana:view, dana:transaction"

describe("a saved run is had again to the letter", () => {
  it("and goes wrong as it did", () => {
    const replayed = ends(ordered(danaFirst))
    assert.strictEqual(replayed.ended, "REPRODUCES")
    assert.strictEqual(replayed.made.map(({ chosen }) => chosen).join(", "), danaFirst)
  })

  it("and is fixed where nothing is broken any more", () => {
    const replayed = ends(ordered("scout:view"))
    assert.strictEqual(replayed.ended, "FIXED")
  })

  it("and has parted where a name is not offered", () => {
    const [line] = replayedLines(ends(ordered("scout:view, dana:claim")), false)
    assert.match(line ?? "", /^saved\.yaml: diverged at choice 2: wanted dana:claim, offered .*dana:view/)
  })

  it("and has parted where a choice never comes", () => {
    const [line] = replayedLines(ends(ordered(Array(40).fill("scout:view").join(", "))), false)
    assert.match(line ?? "", /^saved\.yaml: diverged at choice \d+: wanted scout:view/)
  })

  it("and has parted where what is injected never happens", () => {
    const [line] = replayedLines(
      ends(ordered("scout:view", "  - { inject: { of: scout, crash: before-commit } }\n")),
      false
    )
    assert.strictEqual(line, "saved.yaml: diverged: what is injected for scout never happened")
  })
})

describe("of a folder those are had again that say one order", () => {
  it.each([
    ["by who goes first", ordered(danaFirst), true],
    ["where only something goes wrong in it", race.replace(/( {2}- explore:)\n(?: {6}.*\n)+/, "$1 {}\n"), true],
    ["and none that are searched", race, false]
  ])("%s", (_, text, isMeant) => {
    assert.strictEqual(isOneRun(read(text)), isMeant)
  })
})

describe("what cannot be had again", () => {
  it("has no point from which orders matter", () => {
    const text = race.replace(/ {2}- explore:\n(?: {6}.*\n)+/, "")
    assert.isTrue(Result.isFailure(replayScript("saved.yaml", read(text), judged)))
  })

  it("does not come to that point", () => {
    const text = ordered("scout:view").replace("{ error: AUTH_INVALID }", "{ error: NOT_FOUND }")
    const replayed = replayScript("saved.yaml", read(text), judged)
    assert.isTrue(Result.isFailure(replayed))
  })
})
