/** Properties of a scenario in one run. */
import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { finishRun } from "../../../simulator/reports/finish-run.ts"
import { readScenario } from "../../../simulator/scenario/format/read.ts"
import { writeScenario } from "../../../simulator/scenario/format/write.ts"
import { simulate } from "../../../simulator/scenario/simulate.ts"
import { readScript } from "../../../simulator/scenario/files.ts"
import { unrollSteps } from "../../../simulator/scenario/format/unroll.ts"

const shipped = "scenarios/races/acceptance-and-change-request/scenario.yaml"

/** The shipped scenario with other properties. */
const withProperty = (kind: "always" | "never" | "eventually", property: object) => {
  const scenario = Result.getOrThrow(readScript(shipped))
  const form = { name: "it is so", ...property }
  return { ...scenario, properties: [{ kind, form, line: 7 }] }
}

const failureOf = (...stated: Parameters<typeof withProperty>) => {
  const scenario = withProperty(...stated)
  const simulated = simulate(scenario, { file: shipped })
  const { verdict, failures } = finishRun({ file: shipped, scenario, simulated, replay: "", laterFailures: [] })
  const [failure] = failures
  return { verdict, story: simulated.story, ...failure }
}

const project = "${project}"

describe("violated properties of a scenario", () => {
  it.each([
    ["always", { project, matches: { "project.state": "LOCKED" } }, /project.state: expected "LOCKED", got "/],
    ["always", { events: project, matches: { kind: "RESPOND" }, most: 1, when: { sequence: 2 } }, undefined],
    ["always", { events: project, most: 2 }, /event 3, SUBMIT: more than 2 that match/],
    ["always", { answers: { as: "scout" }, matches: { status: 200 } }, /scout's createProject was answered with 201/],
    ["always", { callbacks: { receiver: "hooks" }, matches: { made: "OLDER" } }, /received delivery.submitted/],
    ["never", { project, matches: { "project.state": "SUBMITTED" } }, /project.state "SUBMITTED"/],
    ["never", { answers: { step: "accepting" }, matches: { error: "STALE_EVENT_HEAD" } }, /with 409 STALE_EVENT_HEAD/],
    ["never", { callbacks: { receiver: "hooks" } }, /received delivery.submitted, sequence 3, for the 1st time/],
    ["never", { events: project, matches: { kind: "REVIEW" } }, /event 4, REVIEW: kind "REVIEW"/],
    ["eventually", { project, matches: { "project.state": "BUYER_CONFIRMED" } }, /got "CHANGES_REQUESTED"/],
    ["eventually", { answers: { do: "review" }, least: 2 }, /in the end 1 matched, and it takes 2/],
    ["eventually", { callbacks: { receiver: "hooks", type: "record.changed" } }, /in the end 0 matched, and it takes 1/]
  ] as const)("A run is judged by the property %s %j, with file and line of a violation", (kind, property, words) => {
    const { verdict, file, line, reason, story } = failureOf(kind, property)
    if (words === undefined) return assert.strictEqual(verdict, "PASSED", story)
    assert.strictEqual(verdict, "FAILED")
    assert.deepStrictEqual([file, line], [shipped, 7])
    assert.match(reason ?? "", words)
    assert.include(story, `${shipped}:7: ${kind}: it is so: `)
  })
})

describe("unjudged properties", () => {
  const unjudged = { project, when: { "project.state": "SUPERSEDED" }, matches: { "project.successor": null } }

  it("An unjudged property is reported for a run of a scenario with several schedules", () => {
    const scenario = withProperty("always", unjudged)
    const simulated = simulate(scenario, { file: shipped })
    const { verdict, unjudged: told } = finishRun({ file: shipped, scenario, simulated, replay: "", laterFailures: [] })
    assert.strictEqual(verdict, "PASSED")
    assert.deepInclude(told?.[0], { file: shipped, line: 7, property: "always: it is so" })
  })

  it("An unjudged property makes a scenario with one schedule unusable", () => {
    const scenario = withProperty("always", unjudged)
    const steps = scenario.steps.filter(({ kind }) => kind !== "explore")
    const { verdict, story } = simulate({ ...scenario, steps }, { file: shipped })
    assert.strictEqual(verdict, "UNUSABLE")
    assert.include(story, `${shipped}:7: always: it is so: never judged: `)
  })

  it("A property with a nonexistent path is unjudged", () => {
    const simulated = simulate(withProperty("never", { project, matches: { "project.review.acton": "ACCEPT" } }), {
      file: shipped
    })
    assert.lengthOf(simulated.unjudged, 1)
  })
})

it("A written scenario has the properties of the scenario that was read", () => {
  const scenario = Result.getOrThrow(readScript(shipped))
  const again = Result.getOrThrow(readScenario("again.yaml", writeScenario(scenario, unrollSteps(scenario.steps))))
  const said = ({ properties }: typeof scenario) => properties.map(({ kind, form }) => ({ kind, form }))
  assert.lengthOf(said(scenario), 6)
  assert.deepStrictEqual(said(again), said(scenario))
})
