import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { exploreScript } from "../../../simulator/search/findings/explore-script.ts"
import { replayScript } from "../../../simulator/search/findings/replay-script.ts"
import { checkMinimality } from "../../../simulator/search/findings/minimize-script.ts"
import { prepareSearchRoot } from "../../../simulator/search/search-root.ts"
import { verdictLines } from "../../../simulator/search/report.ts"
import { search } from "../../../simulator/search/search.ts"
import { DepthFirstSearch } from "../../../simulator/search/strategies/depth-first.ts"
import { properties } from "../../../simulator/properties/all-properties.ts"
import { scenarioProperty } from "../../../simulator/scenario/properties/scenario-property.ts"
import { readScenario } from "../../../simulator/scenario/format/read.ts"
import { simulate } from "../../../simulator/scenario/simulate.ts"
import { race, read } from "./race-script.ts"

const checks = { properties, probes: [] }

/** The race of a request and a revocation with additional properties. */
const stating = (properties: string, script = race): string => script.replace("steps:\n", `${properties}steps:\n`)

const explored = (text: string) => {
  const saved: Array<string> = []
  const report = exploreScript("race.yaml", read(text), {
    ...checks,
    strategies: [[new DepthFirstSearch(), 200]],
    isOutOfTime: () => false,
    isProofWanted: true,
    hasFaults: true,
    save: (_, text) => {
      saved.push(text)
      return "found/race.yaml"
    }
  })
  return { ...report, saved }
}

const neverRefused = `never:
  - name: the agent is refused
    answers: { as: scout }
    matches: { error: AUTH_INVALID }
`

const alwaysAnswered = `always:
  - name: the agent is answered
    answers: { as: scout, do: me }
    matches: { status: 200 }
`

const eventuallyAnswered = `eventually:
  - name: the agent is answered with what it asked for
    answers: { as: scout, do: me }
    matches: { status: 200 }
`

describe("properties of a script", () => {
  it.each([
    ["never", neverRefused, "never: the agent is refused"],
    ["always", alwaysAnswered, "always: the agent is answered"],
    ["eventually", eventuallyAnswered, "eventually: the agent is answered with what it asked for"]
  ])("A violation of a property with %s is minimized, saved and reproduced", (_, property, label) => {
    const text = stating(property)
    const { verdict, found, saved, statedAt } = explored(text)
    assert.strictEqual(verdict, "VIOLATED")
    assert.strictEqual(found?.violation.property, label)
    assert.strictEqual(statedAt, "race.yaml:10")
    assert.lengthOf(saved, 1)
    const [again = ""] = saved
    assert.include(again, `# Breaks: ${label}`)
    assert.include(again, "choose:")
    const scenario = Result.getOrThrow(readScenario("found.yaml", again))
    const replayed = Result.getOrThrow(replayScript("found.yaml", scenario, checks))
    assert.strictEqual(replayed.ended, "REPRODUCES", again)
    const { removals } = Result.getOrThrow(checkMinimality("found.yaml", scenario, checks))
    assert.isEmpty(
      removals.filter(({ stillFails }) => stillFails),
      again
    )
  })

  it("Minimization of a violated eventually property keeps the steps that can satisfy it", () => {
    const [saved = ""] = explored(stating(eventuallyAnswered)).saved
    assert.include(saved, "as: scout, do: me")
    assert.include(saved, "do: revokeGrant")
  })

  it("The saved script of a finding has only the violated property", () => {
    const [saved = ""] = explored(stating(neverRefused + eventuallyAnswered)).saved
    assert.include(saved, "never:")
    assert.notInclude(saved, "eventually:")
  })

  it("A search is complete if a property of the script holds in every schedule", () => {
    const properties = `always:
  - name: a refusal says why
    answers: { as: scout }
    when: { status: 401 }
    matches: { error: AUTH_INVALID }
`
    assert.strictEqual(explored(stating(properties)).verdict, "COMPLETE")
  })

  it("A property that no schedule judged is reported", () => {
    const properties = `always:
  - name: a pause is answered
    answers: { as: scout }
    when: { status: 423 }
    matches: { error: AGENT_PAUSED }
`
    const report = explored(stating(properties))
    assert.strictEqual(report.verdict, "NOT_REACHED")
    const line = verdictLines(report).find((one) => one.includes("never judged"))
    assert.match(
      line ?? "",
      /^ {2}never judged: always: a pause is answered \(race\.yaml:10\): no answer was selected that matches its when, /
    )
  })
})

/** Two concurrent requests of agents whose answers are kept under the same name. */
const twoAgents = (properties: string, ...then: ReadonlyArray<string>): string => `scenario: Asked by two
given:
  organizations: { harbor: Harbor Museum }
  people:
    dana: { name: Dana Okafor, member: { harbor: [DELEGATE, AGREEMENT_CREATE] } }
  agents:
    scout: { for: dana, role: BUYER, actions: [CREATE_PROJECT] }
    twin: { for: dana, role: BUYER, actions: [CREATE_PROJECT] }
  visitors: { iris: A visitor }
${properties}steps:
  - { as: iris, do: capabilities }
  - explore: { exhaustive: true }
  - together:
      - { as: scout, do: me, keep: { latest: id } }
      - { as: twin, do: me, keep: { latest: id } }
${then.map((step) => `  - ${step}\n`).join("")}`

const both = "together: [{ as: scout, do: me }, { as: twin, do: me }]"

/** The findings without reduction, with state caching, with partial-order reduction, and with both. */
const violations = (text: string): ReadonlyArray<string | undefined> => {
  const scenario = read(text)
  const root = prepareSearchRoot(scenario)
  return [
    { isCached: false, isReduced: false },
    { isCached: true, isReduced: false },
    { isCached: false, isReduced: true },
    { isCached: true, isReduced: true }
  ].map((option) => {
    const { found } = search(root, {
      properties: scenario.properties.map(scenarioProperty),
      strategies: [[new DepthFirstSearch(option), 400]]
    })
    return found?.violation.property
  })
}

describe("soundness of state caching and partial-order reduction", () => {
  const passesAsWritten = (text: string) => simulate(read(text), { file: "two.yaml" }).verdict === "PASSED"

  it("State caching and partial-order reduction keep violations that depend on the last value of a name", () => {
    const text = twoAgents(
      `never:
  - name: the twin's answer was kept last
    answers: { step: again }
    matches: { body.id: "\${latest}" }
`,
      both,
      "{ id: again, as: twin, do: me }"
    )
    assert.isTrue(passesAsWritten(text))
    assert.deepStrictEqual(violations(text), Array(4).fill("never: the twin's answer was kept last"))
  })

  it("State caching and partial-order reduction keep violations of schedules that differ only in a count", () => {
    const text = twoAgents(
      `eventually:
  - name: the scout's answer was kept last
    answers: { step: again }
    matches: { body.id: "\${latest}" }
`,
      "{ id: again, as: scout, do: me }",
      "{ as: twin, do: me, keep: { latest: id } }",
      both
    )
    assert.isTrue(passesAsWritten(text))
    assert.deepStrictEqual(violations(text), Array(4).fill("eventually: the scout's answer was kept last"))
  })
})
