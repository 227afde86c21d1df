import { assert, describe, it } from "vitest"
import { exploreScript } from "../../../simulator/explore/found/explore-script.ts"
import { explorationAsJson, verdictLines } from "../../../simulator/explore/report.ts"
import { strategyOf } from "../../../simulator/explore/strategies/portfolio.ts"
import { invariant, reached, type Invariant } from "../../../simulator/invariants/invariant.ts"
import { neverRefused, race, read } from "./explore-found.ts"

interface Given {
  readonly invariants?: ReadonlyArray<Invariant>
  readonly runsMax?: number
  readonly hasFaults?: boolean
  readonly isProofWanted?: boolean
}

const explored = (
  text: string,
  { invariants = [], runsMax = 200, hasFaults = true, isProofWanted = false }: Given = {}
) =>
  exploreScript("race.yaml", read(text), {
    invariants,
    probes: [],
    strategies: [[strategyOf("exhaustive", 1), runsMax]],
    isOver: () => false,
    isProofWanted,
    hasFaults,
    save: () => "found/race.yaml"
  })

const lines = (text: string, given?: Given): ReadonlyArray<string> => verdictLines(explored(text, given))

/** Comes about where the agent is refused. */
const isRefused: Invariant = invariant<null>({
  name: "the agent is refused",
  kind: "sometimes",
  says: "Some request of the agent comes too late.",
  begins: null,
  sees: (_, { observed }) =>
    observed.kind === "response" && observed.actor === "scout" && observed.status === 401 ? reached : null
})

describe("a search says what it proved", () => {
  it("where it tried everything", () => {
    const [line, ...others] = lines(race)
    assert.match(line ?? "", /^race\.yaml: complete: \d+ schedules, \d+ states, 0 violations$/)
    assert.match(others[0] ?? "", /^ {2}4 expectations judged in the written order alone, and hold there; /)
    assert.lengthOf(others, 5)
  })

  it("and fewer orders where nothing is to go wrong", () => {
    assert.isBelow(explored(race, { hasFaults: false }).schedules, explored(race).schedules)
  })

  it("and what it left out where it did not", () => {
    const [line] = lines(race, { runsMax: 3 })
    assert.match(
      line ?? "",
      /^race\.yaml: not complete: 3 schedules, \d+ states?, 0 violations, up to \d+ choices deep; left out: exhaustive: \d+ ways known and not tried$/
    )
  })

  it("and what went wrong, in which order, and how to have it again", () => {
    const told = lines(race, { invariants: [neverRefused] })
    assert.match(
      told[0] ?? "",
      /^race\.yaml: violation after \d+ schedules?, by exhaustive: the agent is never refused$/
    )
    assert.include(told, "  has to hold: Whatever the agent asks for, it gets.")
    assert.include(told, "  seen: the agent was refused")
    assert.isTrue(
      told.some((line) => /^ {2}choice 1: scout:view, before dana:view/.test(line) || /^ {2}choice 1: /.test(line))
    )
    assert.include(told, "  again: npm run -s simulate -- replay found/race.yaml")
  })
})

describe("an expectation", () => {
  const wrong = race.replace("{ as: scout, do: me }", "{ as: scout, do: me, expect: { status: 418 } }")

  it("that the script does not meet as it is written fails its search, with file and line", () => {
    const told = explored(wrong)
    assert.strictEqual(told.verdict, "NOT_AS_WRITTEN")
    assert.isTrue(told.isComplete)
    assert.include(verdictLines(told), "  as written: race.yaml:19: the answer is another")
    assert.include(verdictLines(told), "  as written:   status: expected 418, got 200")
  })

  it("that is not met before the orders are searched ends it there", () => {
    const told = explored(race.replace("expect: { error: AUTH_INVALID }", "expect: { error: NOT_FOUND }"))
    assert.strictEqual(told.verdict, "NOT_AS_WRITTEN")
    assert.strictEqual(told.schedules, 0)
    assert.include(verdictLines(told)[0], "not searched")
    assert.include(verdictLines(told)[1], "race.yaml:12: ")
  })

  it("that the search does not check is named, with how often it was met", () => {
    const told = explored(race)
    const { line, what, answered, asExpected } = told.unchecked.find(({ what }) => what === "scout me")!
    assert.strictEqual(line, 19)
    assert.strictEqual(what, "scout me")
    assert.isAbove(asExpected, 0)
    assert.isBelow(asExpected, answered)
    assert.include(
      verdictLines(told).join("\n"),
      `    race.yaml:19: step 8, scout me: as expected in ${asExpected} of ${answered} runs`
    )
    const [json] = JSON.parse(explorationAsJson([told]))
    assert.deepStrictEqual(json.unchecked, told.unchecked)
  })
})

describe("what a script says that it reaches", () => {
  const reaching = race.replace("exhaustive: true", "reaches: [the agent is refused]")

  it("comes about in some order", () => {
    assert.strictEqual(explored(reaching, { invariants: [isRefused] }).verdict, "COMPLETE")
  })

  it("or it is told that it never does", () => {
    const alone = reaching.replace("      - { as: dana, do: revokeGrant, input: { agent: scout } }\n", "")
    const told = explored(alone, { invariants: [isRefused] })
    assert.strictEqual(told.verdict, "NOT_REACHED")
    assert.include(verdictLines(told), "  never came about: the agent is refused")
  })
})

describe("a step that can be done in no order", () => {
  it("is told", () => {
    const impossible = race.replace("{ as: scout, do: me }", "{ as: scout, do: submit, on: nothing }")
    const told = lines(impossible)
    assert.include(told, "  could be done in no order: { as: scout, do: submit, on: nothing }")
  })
})
