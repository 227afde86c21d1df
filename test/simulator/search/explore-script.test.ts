import { assert, describe, it } from "vitest"
import { exploreScript } from "../../../simulator/search/findings/explore-script.ts"
import { explorationAsJson, verdictLines } from "../../../simulator/search/report.ts"
import { probes } from "../../../simulator/search/isolation/probes.ts"
import { renamedProperties } from "../../../simulator/properties/renamed-properties.ts"
import { exploreStep } from "../../../simulator/scenario/explore-step.ts"
import { strategyOf } from "../../../simulator/search/strategies/portfolio.ts"
import { properties as builtIn } from "../../../simulator/properties/all-properties.ts"
import { monitoredProperty, witness, type MonitoredProperty } from "../../../simulator/properties/property.ts"
import { neverRefused, race, read } from "./race-script.ts"

const propertyNames = [...builtIn, ...probes].map(({ name }) => name)

interface ExploreSettings {
  readonly properties?: ReadonlyArray<MonitoredProperty>
  readonly runsMax?: number
  readonly hasFaults?: boolean
  readonly isProofWanted?: boolean
}

const explored = (
  text: string,
  { properties = [], runsMax = 200, hasFaults = true, isProofWanted = false }: ExploreSettings = {}
) =>
  exploreScript("race.yaml", read(text), {
    properties,
    probes: [],
    strategies: [[strategyOf("exhaustive", 1), runsMax]],
    isOutOfTime: () => false,
    isProofWanted,
    hasFaults,
    save: () => "found/race.yaml"
  })

const lines = (text: string, settings?: ExploreSettings): ReadonlyArray<string> =>
  verdictLines(explored(text, settings))

/** Reached if the agent is refused. */
const isRefused: MonitoredProperty = monitoredProperty<null>({
  name: "the agent is refused",
  kind: "sometimes",
  says: "Some request of the agent comes too late.",
  initial: null,
  next: (_, { observed }) =>
    observed.kind === "response" && observed.actor === "scout" && observed.status === 401 ? witness : null
})

describe("report of a search", () => {
  it("An exhaustive search is reported as complete with its visited states", () => {
    const [line, ...others] = lines(race)
    assert.match(line ?? "", /^race\.yaml: complete: \d+ schedules, \d+ visited states, 0 violations$/)
    assert.match(others[0] ?? "", /^ {2}4 expectations judged in the written order only, where they hold; /)
    assert.lengthOf(others, 5)
  })

  it("A search without faults has fewer schedules", () => {
    assert.isBelow(explored(race, { hasFaults: false }).schedules, explored(race).schedules)
  })

  it("An incomplete search reports its frontier", () => {
    const [line] = lines(race, { runsMax: 3 })
    assert.match(
      line ?? "",
      /^race\.yaml: not complete: 3 schedules, \d+ visited states?, 0 violations, up to \d+ choices deep; left out: exhaustive: \d+ unexplored options on the frontier$/
    )
  })

  it("A violation is reported with its choices and the command that replays it", () => {
    const report = lines(race, { properties: [neverRefused] })
    assert.match(
      report[0] ?? "",
      /^race\.yaml: violation after \d+ schedules?, by exhaustive: the agent is never refused$/
    )
    assert.include(report, "  has to hold: Every request of the agent succeeds.")
    assert.include(report, "  observed: the agent was refused")
    assert.isTrue(
      report.some((line) => /^ {2}choice 1: scout:view, before dana:view/.test(line) || /^ {2}choice 1: /.test(line))
    )
    assert.include(report, "  replay: npm run -s simulate -- replay found/race.yaml")
  })
})

describe("expectations in a search", () => {
  const wrong = race.replace("{ as: scout, do: me }", "{ as: scout, do: me, expect: { status: 418 } }")

  it("An expectation that fails in the written order fails the search, with file and line", () => {
    const report = explored(wrong)
    assert.strictEqual(report.verdict, "NOT_AS_WRITTEN")
    assert.isTrue(report.isComplete)
    assert.include(verdictLines(report), "  as written: race.yaml:19: unexpected response")
    assert.include(verdictLines(report), "  as written:   status: expected 418, got 200")
  })

  it("An expectation that fails before the explore step prevents the search", () => {
    const report = explored(race.replace("expect: { error: AUTH_INVALID }", "expect: { error: NOT_FOUND }"))
    assert.strictEqual(report.verdict, "NOT_AS_WRITTEN")
    assert.strictEqual(report.schedules, 0)
    assert.include(verdictLines(report)[0], "not searched")
    assert.include(verdictLines(report)[1], "race.yaml:12: ")
  })

  it("An expectation that the search does not judge is listed with the number of runs that met it", () => {
    const report = explored(race)
    const { line, what, answered, asExpected } = report.unchecked.find(({ what }) => what === "scout me")!
    assert.strictEqual(line, 19)
    assert.strictEqual(what, "scout me")
    assert.isAbove(asExpected, 0)
    assert.isBelow(asExpected, answered)
    assert.include(
      verdictLines(report).join("\n"),
      `    race.yaml:19: step 8, scout me: as expected in ${asExpected} of ${answered} runs`
    )
    const [json] = JSON.parse(explorationAsJson([report]))
    assert.deepStrictEqual(json.unchecked, report.unchecked)
  })
})

describe("reachability properties of a script", () => {
  const reaching = race.replace("exhaustive: true", "reaches: [the agent is refused]")

  it("A search is complete if some schedule satisfies the listed reachability property", () => {
    assert.strictEqual(explored(reaching, { properties: [isRefused] }).verdict, "COMPLETE")
  })

  it("A former name under reaches stands for the current name of an existing property", () => {
    const renamed = Object.entries(renamedProperties)
    assert.includeDeepMembers(renamed, [["a pause refuses somebody", "refusal by a pause"]])
    for (const [former, current] of renamed) {
      const script = read(race.replace("exhaustive: true", `reaches: [${JSON.stringify(former)}]`))
      assert.deepStrictEqual(exploreStep(script)?.search.reaches, [current])
      assert.include(propertyNames, current)
      assert.notInclude(propertyNames, former)
    }
  })

  it("A listed reachability property that no schedule satisfies is reported", () => {
    const alone = reaching.replace("      - { as: dana, do: revokeGrant, input: { agent: scout } }\n", "")
    const report = explored(alone, { properties: [isRefused] })
    assert.strictEqual(report.verdict, "NOT_REACHED")
    assert.include(verdictLines(report), "  never reached: the agent is refused")
  })
})

describe("unreachable steps", () => {
  it("A step whose preconditions hold under no schedule is reported as unreachable", () => {
    const impossible = race.replace("{ as: scout, do: me }", "{ as: scout, do: submit, on: nothing }")
    const report = lines(impossible)
    assert.include(report, "  unreachable step: { as: scout, do: submit, on: nothing }")
  })
})
