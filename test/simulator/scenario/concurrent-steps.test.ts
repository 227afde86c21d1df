/** Concurrent steps: the responses in every commit order of two actors. */
import { assert, describe, it } from "vitest"
import type { Choose } from "../../../simulator/kernel/choice.ts"
import { valueAt } from "../../../simulator/vocabulary/json.ts"
import type { SimulationResult } from "../../../simulator/scenario/simulate.ts"
import { agreementPart, runSteps, observationsOf, submitStep } from "../../support/short-scenarios.ts"

/** Views run first; then all orders of the transactions, by depth-first search over the choices. */
const everyOrder = (steps: string): ReadonlyArray<SimulationResult> => {
  const runs: Array<SimulationResult> = []
  const path: Array<{ taken: number; of: number }> = []
  for (;;) {
    let position = 0
    const choose: Choose = (options) => {
      const view = options.findIndex((name) => name.includes(":view"))
      if (view >= 0) return view
      path[position] ??= { taken: 0, of: options.length }
      return path[position++]?.taken ?? 0
    }
    runs.push(runSteps(agreementPart, steps, "{}", { choose }))
    for (let last = path.at(-1); last !== undefined && last.taken + 1 >= last.of; last = path.at(-1)) path.pop()
    const last = path.at(-1)
    if (last === undefined) return runs
    last.taken += 1
  }
}

/** The responses to the courier and the other actor, in each order. */
const outcomesOf = (other: string, doing: string): ReadonlyArray<string> => {
  const steps = `  - { as: dana, do: signIn }
  - { as: dana, do: readOwnProject, on: "\${project}" }
  - { as: sam, do: readOwnProject, on: "\${project}" }
  - together:${submitStep().replaceAll("\n", "\n    ")}
      - { as: ${other}, ${doing} }`
  const outcomes = everyOrder(steps).map((simulated) => {
    const from = simulated.observations.findIndex(({ kind }) => kind === "choice")
    const answers = observationsOf({ ...simulated, observations: simulated.observations.slice(from) }, "response")
    const of = (actor: string) => {
      const { status, body } = answers.find((answer) => answer.actor === actor) ?? {}
      return status === 200 ? "done" : String(valueAt(body ?? null, "error"))
    }
    return `${of("courier")}, ${of(other)}`
  })
  return outcomes.toSorted()
}

describe("concurrent submission", () => {
  it.each([
    // The first commit wins; the other command has a stale head.
    [
      "another date",
      "dana",
      "do: requestDateChange, on: '${project}', input: { purpose: DELIVERY, reason: Later. }",
      ["STALE_EVENT_HEAD, done", "done, STALE_EVENT_HEAD"]
    ],
    // A committed submission remains, and an uncommitted one is refused by the pause.
    [
      "a pause",
      "dana",
      "do: pauseProject, on: '${project}', input: { reason: A second copy. }",
      ["AGENT_PAUSED, done", "done, done"]
    ],
    ["the end of its grant", "sam", "do: revokeGrant, input: { agent: courier }", ["AUTH_INVALID, done", "done, done"]],
    ["a read", "scout", "do: readProject, on: '${project}'", ["done, done"]]
  ] as const)("A submission concurrent with %s has a permitted outcome in every order", (_, other, doing, outcomes) => {
    assert.deepStrictEqual(outcomesOf(other, doing), outcomes)
  })
})

describe("choices of a step", () => {
  const together = (choose: string) =>
    runSteps(
      agreementPart,
      `  - together:${submitStep().replaceAll("\n", "\n    ")}
      - { as: scout, do: readProject, on: "\${project}" }
    choose: [${choose}]`
    )

  it("All choices of a step are recorded with their options, also beyond the given ones", () => {
    const simulated = together('"scout:view"')
    assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
    assert.deepStrictEqual(
      observationsOf(simulated, "choice").map(({ options, chosen }) => [chosen, ...options]),
      [["scout:view", "courier:transaction", "scout:view"]]
    )
  })

  it.each([
    [
      "an unavailable option",
      '"dana:view"',
      "dana:view was not an option here: the options were courier:transaction, scout:view"
    ],
    ["more choices than occur", '"scout:view", "courier:transaction"', "never an option"]
  ])("A step that names %s is unusable", (_, choose, reason) => {
    const simulated = together(choose)
    assert.strictEqual(simulated.verdict, "UNUSABLE", simulated.story)
    assert.include(simulated.story, reason)
  })

  it("The choices of a step without choose are not recorded", () => {
    const simulated = runSteps(agreementPart, submitStep())
    assert.deepStrictEqual(observationsOf(simulated, "choice"), [])
  })
})

describe("retried transactions", () => {
  it.each(["40001", "commit-lost-aborted"])(
    "Other transactions may run before the retry of a failed one (%s)",
    (fault) => {
      const inject = `inject: { database: "${fault}", at: commit, in: project_events }`
      const simulated = runSteps(
        agreementPart,
        `  - together:${submitStep(inject).replaceAll("\n", "\n    ")}
      - { as: scout, do: me }`,
        "{}",
        { choose: (options) => Math.max(0, options.indexOf("courier:transaction")) }
      )
      const firstFault = simulated.observations.findIndex(({ kind }) => kind === "fault")
      const answers = observationsOf(
        { ...simulated, observations: simulated.observations.slice(firstFault) },
        "response"
      )
      assert.deepStrictEqual(
        answers.map(({ actor, status }) => `${actor} ${status}`),
        ["scout 200", "courier 200"]
      )
      assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
    }
  )
})
