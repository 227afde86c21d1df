/** Generated scenarios: deterministic by seed, runnable as files, with a survey of what they do not reach. */
import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { generate, type GeneratedScenario } from "../../../simulator/generation/generate.ts"
import { renderGenerationSurvey } from "../../../simulator/generation/render-survey.ts"
import { GenerationSurvey } from "../../../simulator/generation/generation-survey.ts"
import { classOf } from "../../../simulator/generation/value-class.ts"
import { readScenario } from "../../../simulator/scenario/format/read.ts"
import { allSteps } from "../../../simulator/scenario/format/scenario.ts"
import { simulate } from "../../../simulator/scenario/simulate.ts"
import { firstDifference, withoutInstances } from "../../../simulator/observation/trace.ts"

const seeds = Array.from({ length: 12 }, (_, index) => index + 1)
const generated: ReadonlyArray<GeneratedScenario> = seeds.map((seed) => generate(seed))

describe("scenario generator", () => {
  it("The generator is deterministic: equal seeds result in equal bytes, different seeds in different ones", () => {
    assert.strictEqual(generate(2).yaml, generated[1]?.yaml)
    assert.strictEqual(new Set(generated.map(({ yaml }) => yaml)).size, seeds.length)
  })

  it.each(seeds)("A generated script passes, with one instance and with two: seed %i", (seed) => {
    const { scenario, yaml } = generated[seed - 1] ?? generate(seed)
    const read = Result.getOrThrow(readScenario("generated.yaml", yaml))
    const run = simulate(read, { file: "generated.yaml" })
    assert.strictEqual(run.verdict, "PASSED", run.story)
    const onTwo = simulate(scenario, { file: "another.yaml", instances: 2 })
    assert.isUndefined(firstDifference(withoutInstances(run.trace), withoutInstances(onTwo.trace)))
  })

  it("A generated scenario has 20 to 60 steps, of which 10 to 60 percent are refused", () => {
    for (const { scenario } of generated) assert.isAtMost(scenario.steps.length, 60)
    const steps = generated.flatMap(({ scenario }) => allSteps(scenario.steps))
    const refused = steps.filter(({ expect }) => expect.error !== undefined)
    assert.isAtLeast(steps.length / generated.length, 20)
    assert.isAbove(refused.length / steps.length, 0.1)
    assert.isBelow(refused.length / steps.length, 0.6)
  })
})

describe("survey of generated scenarios", () => {
  const survey = new GenerationSurvey()
  for (const one of generated) survey.add(one)

  it("The survey counts outcomes of operations and combinations of fields", () => {
    assert.strictEqual(survey.scenarios, seeds.length)
    assert.isAbove(survey.outcomes.get("createOwnProject")?.get("2xx") ?? 0, 0)
    assert.isAbove(survey.reached.get("project AWAITING_SUPPLIER") ?? 0, 0)
    assert.isAbove(survey.fields.get("createOwnProject.deadline")?.get("moment") ?? 0, 0)
    assert.isAbove(survey.pairs.get("createOwnProject: deadline=moment reviewDeadline=moment") ?? 0, 0)
    assert.deepStrictEqual(survey.defects, [])
  })

  it("The survey lists operations, states, refusals and faults that were never reached", () => {
    const never = new GenerationSurvey().uncovered
    assert.include(never["operations never called"] ?? [], "createProject")
    assert.include(never["states never reached"] ?? [], "project BUYER_CONFIRMED")
    assert.include(never["refusals never returned"] ?? [], "STALE_EVENT_HEAD")
    assert.include(never["faults never injected"] ?? [], "40001")
    assert.notInclude(survey.uncovered["operations never called"] ?? [], "createOwnProject")
    assert.match(renderGenerationSurvey(survey), /^Operations never called: /m)
  })

  it("Values that a service may treat differently are in different classes", () => {
    const values = [
      "",
      "a",
      "AGREED",
      "f".repeat(64),
      "2026-01-05T09:00:00.000Z",
      "x".repeat(2000),
      0,
      -1,
      [],
      [1],
      {},
      null
    ]
    const classes = values.map(classOf)
    assert.strictEqual(new Set(classes).size, classes.length)
  })
})
