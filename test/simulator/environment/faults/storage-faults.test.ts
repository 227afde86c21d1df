/** The effects of database errors at each point of a transaction, for the client and in the store. */
import { assert, describe, it } from "vitest"
import { valueAt } from "../../../../simulator/vocabulary/json.ts"
import { agreementPart, commitsTo, runSteps, observationsOf, submitStep } from "../../../support/short-scenarios.ts"

const points = ["at: begin", "at: lock, in: project", "at: read, in: projects", "at: write, in: project_events"]

/** The fault, its number of occurrences, the response status, the number of failed attempts, and the result of a retry. */
type Row = readonly [fault: string, times: number, status: 200 | 503, strikes: number, retry: "DONE" | "REPLAYED"]

/** One fault of each kind. */
const everywhere: ReadonlyArray<Row> = [
  ["40001", 1, 200, 1, "REPLAYED"],
  ["connection-lost", 1, 200, 1, "REPLAYED"],
  ["57014", 1, 503, 1, "DONE"]
]

const atCommit: ReadonlyArray<Row> = [
  ...everywhere,
  ["40001", 10, 200, 10, "REPLAYED"],
  ["40001", 11, 503, 11, "DONE"],
  ["40P01", 1, 200, 1, "REPLAYED"],
  ["connection-lost", 2, 503, 2, "DONE"],
  ["53200", 1, 503, 1, "DONE"],
  ["25006", 1, 503, 1, "DONE"],
  ["commit-lost-committed", 1, 200, 1, "REPLAYED"],
  ["commit-lost-aborted", 1, 200, 1, "REPLAYED"],
  ["commit-lost-running", 1, 200, 1, "REPLAYED"],
  ["commit-lost-unknown", 1, 503, 1, "REPLAYED"]
]

const table = [
  ...points.flatMap((point) => everywhere.map((row) => [point, ...row] as const)),
  ...atCommit.map((row) => ["at: commit", ...row] as const)
]

describe("database errors during a submission", () => {
  it.each(table)(
    "A submission with a fault %s: %s, %i times, gets %i after %i failed attempts, and its retry is %s",
    (...row) => {
      const [point, fault, times, status, strikes, retry] = row
      const inject = `{ database: "${fault}", ${point}, times: ${times} }`
      const isReplayed = retry === "REPLAYED"
      const simulated = runSteps(
        agreementPart,
        `${submitStep(`inject: ${inject}\n    expect: { status: ${status} }`)}
  - { retry: delivery, expect: { body: { project.state: SUBMITTED } } }`
      )
      assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
      assert.strictEqual(observationsOf(simulated, "fault").length, strikes)
      // One event for the acceptance and exactly one for the submission.
      assert.strictEqual(commitsTo(simulated, "project_events", "courier"), 2)
      const last = observationsOf(simulated, "response").at(-1)
      assert.strictEqual(valueAt(last?.body ?? null, "replayed") === true, isReplayed)
    }
  )

  it("Conflicts are retried with backoff, lost connections at once", () => {
    const timeOf = (fault: string, times: number) => {
      const simulated = runSteps(agreementPart, submitStep(`inject: { database: "${fault}", times: ${times} }`))
      return Date.parse(observationsOf(simulated, "verdict")[0]?.at ?? "") - Date.parse("2026-11-02T09:00:00.000Z")
    }
    assert.deepStrictEqual(
      [1, 2, 6, 7, 10].map((times) => timeOf("40001", times)),
      [2, 6, 126, 226, 526]
    )
    assert.strictEqual(timeOf("connection-lost", 1), 0)
    assert.strictEqual(timeOf("commit-lost-running", 1), 10)
  })

  it("A failed read gets 503, and a lost connection during a read is retried", () => {
    for (const [fault, status] of [
      ["57014", 503],
      ["connection-lost", 200]
    ]) {
      const read = `  - { as: courier, do: readProject, on: "\${project}", inject: { database: "${fault}", at: read }, expect: { status: ${status} } }`
      assert.strictEqual(runSteps(agreementPart, read).verdict, "PASSED")
    }
  })
})

describe("armed faults", () => {
  it("An armed fault occurs only for its target", () => {
    const simulated = runSteps(
      agreementPart,
      `  - { inject: { of: scout, database: "57014", at: read } }
${submitStep("expect: { body: { project.state: SUBMITTED } }")}
  - { as: scout, do: readProject, on: "\${project}", expect: { status: 503 } }
  - { as: scout, do: readProject, on: "\${project}" }`
    )
    assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
    assert.deepStrictEqual(
      observationsOf(simulated, "fault").map(({ actor }) => actor),
      ["scout"]
    )
  })

  it("A fault of a step is removed with the step", () => {
    const simulated = runSteps(
      agreementPart,
      `${submitStep('inject: { database: "40001", times: 20 }\n    expect: { status: 503 }')}
  - { as: courier, do: readProject, on: "\${project}" }
  - { retry: delivery }`
    )
    assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
    assert.strictEqual(observationsOf(simulated, "fault").length, 11)
  })

  it.each([
    ["a step whose request never reaches its point", submitStep('inject: { database: "40001", at: write, in: jobs }')],
    [
      "a step that only reads",
      '  - { as: courier, do: readProject, on: "${project}", inject: { crash: after-commit } }'
    ],
    ["a scenario that ends before it occurs", '  - { inject: { of: scout, database: "57014", at: lock } }']
  ])("A fault that does not occur makes %s unusable", (_, steps) => {
    const simulated = runSteps(agreementPart, steps)
    assert.strictEqual(simulated.verdict, "UNUSABLE", simulated.story)
    assert.include(simulated.story, "did not occur")
  })
})
