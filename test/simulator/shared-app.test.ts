/** Worlds of one process of ours share what answers their requests, and nothing of one is ever seen in another. */
import { readFileSync } from "node:fs"
import { Effect, Exit, Result } from "effect"
import { assert, describe, it } from "vitest"
import { Transport, transportRules } from "../../src/http/transport.ts"
import { goldenFiles, readScript } from "../../simulator/files.ts"
import type { Choose } from "../../simulator/kernel/choice.ts"
import { runScenario } from "../../simulator/run.ts"
import type { Scenario } from "../../simulator/script/scenario.ts"
import { simulate } from "../../simulator/simulate.ts"
import { stageInMemory } from "../../simulator/stage.ts"
import { firstDifference, renderTrace } from "../../simulator/trace.ts"
import { agreed, scenarioOf, submit } from "../support/simulated.ts"

const beside = `  - together:${submit().replaceAll("\n", "\n    ")}
      - { as: scout, do: readProject, on: "\${project}" }`

const busy = scenarioOf(agreed, beside)

/** Another seed, and a mail server: other ports in every place. */
const letters = "scenarios/22-letters.yaml"

const traceOf = (scenario: Scenario, choose?: Choose) =>
  simulate(scenario, { file: "inline.yaml", ...(choose && { choose }) }).trace

describe("what answers the requests of every world", () => {
  it("serves a world as ever after one that was cut short with requests under way", () => {
    const alone = inRoom(busy, 2)
    assert.strictEqual(alone.verdict, "PASSED", alone.trace)
    for (let cut = 0; cut < 3; cut++) {
      assert.throws(
        () =>
          inRoom(busy, 2, () => {
            throw new Error("no further")
          }),
        "no further"
      )
    }
    assert.deepStrictEqual(inRoom(busy, 2), alone)
  })

  it("serves a world that runs while another is in the middle of its requests", () => {
    const alone = traceOf(busy)
    const shipped = Result.getOrThrow(readScript(letters))
    const committed = readFileSync(goldenFiles(letters).trace, "utf8")
    let others = 0
    const inside: Choose = () => {
      others += 1
      assert.isUndefined(firstDifference(committed, traceOf(shipped)))
      return 0
    }
    assert.strictEqual(traceOf(busy, inside), alone)
    assert.isAbove(others, 1)
  })

  it("takes no more requests at a time than a process has room for", () => {
    assert.include(inRoom(busy, 1).trace, "TEMPORARILY_UNAVAILABLE")
  })

  it("has room again in the process that takes the place of one that ended", () => {
    const ending = scenarioOf(
      agreed,
      `${submit("inject: { crash: before-commit }")}
  - { as: courier, do: readProject, on: "\${project}", expect: { body: { project.state: LOCKED } } }`
    )
    const { verdict, trace } = inRoom(ending, 1)
    assert.strictEqual(verdict, "PASSED", trace)
  })
})

/** A run whose processes take only so many requests at a time. */
const inRoom = (scenario: Scenario, requestsInFlight: number, choose?: Choose) => {
  const stage = stageInMemory(scenario, choose && { choose })
  const rules = transportRules({ endsTls: false, trustedProxies: [], requestsInFlight })
  const running = Effect.provideService(Effect.scoped(runScenario(scenario, stage)), Transport, rules)
  const exit = stage.kernel.run(stage.logged(running))
  const { observations, redact } = stage.recorder
  return { verdict: Exit.isSuccess(exit) ? exit.value : "DIED", trace: renderTrace(observations, redact) }
}
