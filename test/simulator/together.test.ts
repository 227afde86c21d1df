/** Steps that are begun at once: every order in which two actors can commit, and what each of them is answered. */
import { assert, describe, it } from "vitest"
import type { Choose } from "../../simulator/kernel/choice.ts"
import { valueAt } from "../../simulator/script/json.ts"
import type { Simulated } from "../../simulator/simulate.ts"
import { agreed, run, seen, submit } from "../support/simulated.ts"

/**
 * Whoever looks looks first; then every order of the transactions there is, by taking another branch at the last choice
 * that has one left.
 */
const everyOrder = (steps: string): ReadonlyArray<Simulated> => {
  const runs: Array<Simulated> = []
  const path: Array<{ taken: number; of: number }> = []
  for (;;) {
    let position = 0
    const choose: Choose = (options) => {
      const looks = options.findIndex((name) => name.includes(":view"))
      if (looks >= 0) return looks
      path[position] ??= { taken: 0, of: options.length }
      return path[position++]?.taken ?? 0
    }
    runs.push(run(agreed, steps, "{}", { choose }))
    for (let last = path.at(-1); last !== undefined && last.taken + 1 >= last.of; last = path.at(-1)) path.pop()
    const last = path.at(-1)
    if (last === undefined) return runs
    last.taken += 1
  }
}

/** What the courier was answered and what the other one was, in each order. */
const outcomesOf = (other: string, doing: string): ReadonlyArray<string> => {
  const steps = `  - { as: dana, do: signIn }
  - { as: dana, do: readOwnProject, on: "\${project}" }
  - { as: sam, do: readOwnProject, on: "\${project}" }
  - together:${submit().replaceAll("\n", "\n    ")}
      - { as: ${other}, ${doing} }`
  const outcomes = everyOrder(steps).map((simulated) => {
    const from = simulated.observations.findIndex(({ kind }) => kind === "choice")
    const answers = seen({ ...simulated, observations: simulated.observations.slice(from) }, "response")
    const of = (actor: string) => {
      const { status, body } = answers.find((answer) => answer.actor === actor) ?? {}
      return status === 200 ? "done" : String(valueAt(body ?? null, "error"))
    }
    return `${of("courier")}, ${of(other)}`
  })
  return outcomes.toSorted()
}

describe("a delivery of an agent, and at once", () => {
  it.each([
    // What is committed first counts; the other has planned on what is over.
    [
      "another date",
      "dana",
      "do: requestDateChange, on: '${project}', input: { purpose: DELIVERY, reason: Later. }",
      ["STALE_EVENT_HEAD, done", "done, STALE_EVENT_HEAD"]
    ],
    // A delivery that is committed stands, and one that is not finds the pause.
    [
      "a pause",
      "dana",
      "do: pauseProject, on: '${project}', input: { reason: A second copy. }",
      ["AGENT_PAUSED, done", "done, done"]
    ],
    ["the end of its grant", "sam", "do: revokeGrant, input: { agent: courier }", ["AUTH_INVALID, done", "done, done"]],
    ["a look", "scout", "do: readProject, on: '${project}'", ["done, done"]]
  ] as const)("%s: every order has an outcome that the rules allow", (_, other, doing, outcomes) => {
    assert.deepStrictEqual(outcomesOf(other, doing), outcomes)
  })
})

describe("choices of a step", () => {
  const together = (choose: string) =>
    run(
      agreed,
      `  - together:${submit().replaceAll("\n", "\n    ")}
      - { as: scout, do: readProject, on: "\${project}" }
    choose: [${choose}]`
    )

  it("are told with all there was to choose from, those after the last that is said too", () => {
    const simulated = together('"scout:view"')
    assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
    assert.deepStrictEqual(
      seen(simulated, "choice").map(({ options, chosen }) => [chosen, ...options]),
      [
        ["scout:view", "courier:view", "scout:view"],
        ["courier:view", "courier:view", "scout:view"],
        ["scout:view", "scout:view", "courier:transaction"]
      ]
    )
  })

  it.each([
    ["what nobody waits for", '"dana:view"', "dana:view was not offered here: there were courier:view, scout:view"],
    ["more than there is", '"scout:view", "scout:view", "courier:view", "courier:transaction"', "never offered"]
  ])("that name %s make the step unusable", (_, choose, reason) => {
    const simulated = together(choose)
    assert.strictEqual(simulated.verdict, "UNUSABLE", simulated.story)
    assert.include(simulated.story, reason)
  })

  it("are the world's where a step says none, and are not told then", () => {
    const simulated = run(agreed, submit())
    assert.deepStrictEqual(seen(simulated, "choice"), [])
  })
})

describe("a transaction that is tried again", () => {
  it.each(["40001", "commit-lost-aborted"])("lets the others go on before its next try (%s)", (fault) => {
    const inject = `inject: { database: "${fault}", at: commit, in: project_events }`
    const simulated = run(
      agreed,
      `  - together:${submit(inject).replaceAll("\n", "\n    ")}
      - { as: scout, do: me }`,
      "{}",
      { choose: (options) => Math.max(0, options.indexOf("courier:transaction")) }
    )
    const struck = simulated.observations.findIndex(({ kind }) => kind === "fault")
    const answers = seen({ ...simulated, observations: simulated.observations.slice(struck) }, "response")
    assert.deepStrictEqual(
      answers.map(({ actor, status }) => `${actor} ${status}`),
      ["scout 200", "courier 200"]
    )
    assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
  })
})
