/** Scheduling choices: the choices of a step, timers with equal due times, and equal choices on both stores. */
import { Effect } from "effect"
import { assert, describe, inject, it } from "vitest"
import { Choices } from "../../../simulator/scenario/choices.ts"
import { openDatabase } from "../../../simulator/storage/databases.ts"
import { firstInFirstOut } from "../../../simulator/kernel/choice.ts"
import { Recorder } from "../../../simulator/observation/recorder.ts"
import { simulate, simulateOn } from "../../../simulator/scenario/simulate.ts"
import type { Instant } from "../../../src/vocabulary/instant.ts"
import { connectionTo } from "../../support/postgres.ts"
import {
  agreementPart,
  newAgreementPart,
  runSteps,
  scenarioOf,
  observationsOf,
  submitStep
} from "../../support/short-scenarios.ts"

const choices = () => {
  const recorder = new Recorder(() => "2026-11-02T09:00:00.000Z" as Instant)
  return { recorder, choices: new Choices(recorder, firstInFirstOut) }
}

describe("choices of a step", () => {
  it("The choices of a step are taken in order, then first in, first out", () => {
    const { choices: step, recorder } = choices()
    step.begin(["b", "a"])
    assert.deepStrictEqual([step.choose(["a", "b"]), step.choose(["a", "b"]), step.choose(["b", "a"])], [1, 0, 0])
    assert.isUndefined(step.end())
    assert.strictEqual(recorder.observations.length, 3)
  })

  it("An unavailable choice is reported once with its options, and the run continues", () => {
    const { choices: step } = choices()
    step.begin(["c"])
    assert.strictEqual(step.choose(["a", "b"]), 0)
    assert.strictEqual(step.choose(["b", "d"]), 0)
    assert.strictEqual(step.end(), "c was not an option here: the options were a, b")
  })

  it("The choices of a step do not affect the next step", () => {
    const { choices: step } = choices()
    step.begin(["a"])
    assert.strictEqual(step.end(), "a was never an option: this step has no choices")
    step.begin([])
    assert.isUndefined(step.end())
  })

  it("Choices are recorded only during a step with choose", () => {
    const { choices: step, recorder } = choices()
    step.choose(["a", "b"])
    assert.deepStrictEqual(recorder.observations, [])
  })
})

/** A subscription whose first attempt fails, so that the worker's timer is due fifteen seconds later. */
const failing = `  - as: scout
    do: createWebhook
    input: { target: "\${hooks.target}", projectIds: ["\${project}"], eventTypes: [agreement.confirmed], expiresAt: 2026-11-30T09:00:00.000Z }
    keep: { secret: secret }
  - { as: hooks, do: takeSecret, input: { secret: "\${secret}" } }
  - { as: operator, do: setReceiver, input: { receiver: hooks, next: [{ answers: 503 }] } }
  - { as: courier, do: respond, on: "\${project}", input: { action: ACCEPT, reason: Yes. } }`

const hooks = "{ receivers: { hooks: { host: hooks.example.com } } }"

describe("timers with equal due times", () => {
  const until = (choose: string) =>
    runSteps(newAgreementPart, `${failing}\n  - { until: 2026-11-02T09:00:15.000Z, choose: [${choose}] }`, hooks)

  it("Timers with equal due times are options that a step can choose", () => {
    const firsts = ['"worker:timer"', '"world:timer"'].map((name) => {
      const simulated = until(name)
      assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
      const [first] = observationsOf(simulated, "choice")
      assert.includeMembers([...(first?.options ?? [])], ["worker:timer", "world:timer"])
      const kinds = simulated.observations.map(({ kind }) => kind)
      return kinds.lastIndexOf("time") < kinds.lastIndexOf("received")
    })
    assert.deepStrictEqual(firsts, [false, true])
  })

  it("All timers with equal due times fire in either order", () => {
    for (const name of ['"worker:timer"', '"world:timer"']) {
      assert.strictEqual(observationsOf(until(name), "received").length, 2)
    }
  })
})

describe("memory and Postgres", () => {
  const scenarios = [
    scenarioOf(agreementPart, submitStep("inject: { database: commit-lost-unknown }\n    expect: { status: 503 }")),
    scenarioOf(
      agreementPart,
      `${submitStep('inject: { database: "40001", at: write, in: project_events, times: 3 }')}\n  - retry: delivery`
    ),
    scenarioOf(
      agreementPart,
      `${submitStep("inject: { crash: before-commit }")}\n  - retry: delivery\n    inject: { crash: after-commit }\n  - retry: delivery`
    ),
    scenarioOf(
      newAgreementPart,
      `  - { inject: { of: worker, crash: after-commit, skip: 2 } }\n${failing}\n  - { as: operator, do: startWorker }\n  - advance: 2m`,
      hooks
    ),
    scenarioOf(
      agreementPart,
      `  - { as: dana, do: signIn }
  - together:${submitStep("expect: { error: AGENT_PAUSED }").replaceAll("\n", "\n    ")}
      - { as: dana, do: pauseProject, on: "\${project}", input: { reason: Wait. } }
    choose: ["dana:view", "dana:view", "dana:transaction"]`
    )
  ]

  it("Both stores produce the same trace under faults, crashes and chosen orders", async () => {
    const traces = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const { migrated } = inject("testServer")
          const server = { connection: connectionTo(), migrated, log: undefined }
          const { storages, empty } = yield* openDatabase(server, 1)
          return yield* Effect.forEach(scenarios, (scenario) =>
            Effect.andThen(
              empty,
              Effect.promise(() => simulateOn(storages, scenario, { file: "inline.yaml" }))
            )
          )
        })
      )
    )
    for (const [index, scenario] of scenarios.entries()) {
      const { trace, verdict, story } = simulate(scenario, { file: "inline.yaml" })
      assert.strictEqual(verdict, "PASSED", story)
      assert.strictEqual(traces[index]?.trace, trace)
    }
  })
})
