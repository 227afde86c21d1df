/** All worlds of one simulator process share the application without sharing state. */
import { readFileSync } from "node:fs"
import { Effect, Exit, Result } from "effect"
import { assert, describe, it } from "vitest"
import { Transport, transportRules } from "../../../../src/http/transport.ts"
import { goldenFiles, readScript } from "../../../../simulator/scenario/files.ts"
import type { Choose } from "../../../../simulator/kernel/choice.ts"
import { runScenario } from "../../../../simulator/scenario/run.ts"
import type { Scenario } from "../../../../simulator/scenario/format/scenario.ts"
import { simulate } from "../../../../simulator/scenario/simulate.ts"
import { setupInMemory } from "../../../../simulator/scenario/simulation-setup.ts"
import { firstDifference, renderTrace } from "../../../../simulator/observation/trace.ts"
import { agreementPart, scenarioOf, submitStep } from "../../../support/short-scenarios.ts"

const beside = `  - together:${submitStep().replaceAll("\n", "\n    ")}
      - { as: scout, do: readProject, on: "\${project}" }`

const busy = scenarioOf(agreementPart, beside)

/** The same with a third request at the same time. */
const busier = scenarioOf(agreementPart, `${beside}\n      - { as: courier, do: readProject, on: "\${project}" }`)

/** A scenario with another seed and a mail server, so that all ports differ. */
const letters = "scenarios/agreements/email-notices/scenario.yaml"

const traceOf = (scenario: Scenario, choose?: Choose) =>
  simulate(scenario, { file: "inline.yaml", ...(choose && { choose }) }).trace

describe("shared application", () => {
  it("A world runs identically after another one was aborted with requests in progress", () => {
    const alone = runWithLimit(busy, 2)
    assert.strictEqual(alone.verdict, "PASSED", alone.trace)
    for (let cut = 0; cut < 3; cut++) {
      assert.throws(
        () =>
          runWithLimit(busy, 2, () => {
            throw new Error("aborted")
          }),
        "aborted"
      )
    }
    assert.deepStrictEqual(runWithLimit(busy, 2), alone)
  })

  it("A world runs identically during the requests of another one", () => {
    const alone = traceOf(busier)
    const shipped = Result.getOrThrow(readScript(letters))
    const committed = readFileSync(goldenFiles(letters).trace, "utf8")
    let others = 0
    const inside: Choose = () => {
      others += 1
      assert.isUndefined(firstDifference(committed, traceOf(shipped)))
      return 0
    }
    assert.strictEqual(traceOf(busier, inside), alone)
    assert.isAbove(others, 1)
  })

  it("A process refuses requests beyond its limit of requests in flight", () => {
    assert.include(runWithLimit(busier, 1).trace, "TEMPORARILY_UNAVAILABLE")
  })

  it("The replacement of a crashed process has no requests in flight", () => {
    const ending = scenarioOf(
      agreementPart,
      `${submitStep("inject: { crash: before-commit }")}
  - { as: courier, do: readProject, on: "\${project}", expect: { body: { project.state: LOCKED } } }`
    )
    const { verdict, trace } = runWithLimit(ending, 1)
    assert.strictEqual(verdict, "PASSED", trace)
  })
})

/** A run whose processes have a limit of requests in flight. */
const runWithLimit = (scenario: Scenario, requestsInFlight: number, choose?: Choose) => {
  const setup = setupInMemory(scenario, choose && { choose })
  const rules = transportRules({ endsTls: false, trustedProxies: [], requestsInFlight })
  const running = Effect.provideService(Effect.scoped(runScenario(scenario, setup)), Transport, rules)
  const exit = setup.scheduler.run(setup.logged(running))
  const { observations, redact } = setup.recorder
  return { verdict: Exit.isSuccess(exit) ? exit.value : "DIED", trace: renderTrace(observations, redact) }
}
