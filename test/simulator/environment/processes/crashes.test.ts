/** Crashes around a commit: stored writes, known outcomes, and recovery by the next process. */
import { assert, describe, it } from "vitest"
import { valueAt } from "../../../../simulator/vocabulary/json.ts"
import {
  agreementPart,
  commitsTo,
  newAgreementPart,
  runSteps,
  observationsOf,
  submitStep
} from "../../../support/short-scenarios.ts"

const retried = `  - { retry: delivery, expect: { body: { project.state: SUBMITTED } } }`

describe("crashes of a service process", () => {
  it("A crash before the commit stores nothing, and a retry takes effect", () => {
    const simulated = runSteps(
      agreementPart,
      `${submitStep("inject: { crash: before-commit }")}
  - { as: courier, do: readProject, on: "\${project}", expect: { body: { project.state: LOCKED } } }
${retried}`
    )
    assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
    assert.isUndefined(valueAt(observationsOf(simulated, "response").at(-1)?.body ?? null, "replayed"))
    assert.strictEqual(commitsTo(simulated, "project_events", "courier"), 2)
  })

  it("A crash after the commit stores all writes, and a retry is a replay", () => {
    const simulated = runSteps(
      agreementPart,
      `${submitStep("inject: { crash: after-commit }")}
  - { as: courier, do: readProject, on: "\${project}", expect: { body: { project.state: SUBMITTED } } }
${retried}`
    )
    assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
    assert.isTrue(valueAt(observationsOf(simulated, "response").at(-1)?.body ?? null, "replayed"))
    assert.strictEqual(commitsTo(simulated, "project_events", "courier"), 2)
  })

  it("A crashed service process is replaced at the next request, not before", () => {
    const simulated = runSteps(
      agreementPart,
      `${submitStep("inject: { crash: after-commit }")}\n  - advance: 1h\n${retried}`
    )
    assert.deepStrictEqual(
      observationsOf(simulated, "process").map(({ did, at }) => [did, at]),
      [
        ["CRASHED", "2026-11-02T09:00:00.000Z"],
        ["STARTED", "2026-11-02T10:00:00.000Z"]
      ]
    )
  })

  /** Two concurrent requests on the given number of processes. */
  const together = (instances: number, expected = "") =>
    runSteps(
      agreementPart,
      `  - together:${submitStep("inject: { crash: before-commit }").replaceAll("\n", "\n    ")}
      - { as: scout, do: readProject, on: "\${project}"${expected} }`,
      "{}",
      { instances }
    )

  it("A crash ends all requests of the process, for any number of processes", () => {
    const answers = (instances: number) => {
      const simulated = together(instances)
      assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
      const from = simulated.observations.findIndex(({ kind }) => kind === "choice")
      return observationsOf({ ...simulated, observations: simulated.observations.slice(from) }, "response").length
    }
    assert.strictEqual(answers(1), 0)
    assert.strictEqual(answers(2), 0)
    assert.strictEqual(together(1).trace, together(2).trace)
  })

  it("A crash fails a concurrent step of another actor that expects a response", () => {
    const simulated = together(1, ", expect: { status: 200 }")
    assert.strictEqual(simulated.verdict, "FAILED")
    assert.include(simulated.story, "no response")
  })
})

describe("crashes of a worker", () => {
  const subscribed = `
  - as: scout
    do: createWebhook
    input: { target: "\${hooks.target}", projectIds: ["\${project}"], eventTypes: [agreement.confirmed], expiresAt: 2026-11-30T09:00:00.000Z }
    keep: { subscription: subscription.id, secret: secret }
  - { as: hooks, do: takeSecret, input: { secret: "\${secret}" } }`

  const hooks = "{ receivers: { hooks: { host: hooks.example.com } } }"

  const delivered = `
  - { as: courier, do: respond, on: "\${project}", input: { action: ACCEPT, reason: Yes. } }
  - { as: operator, do: startWorker }
  - { as: hooks, do: received, within: 3m, expect: { body: { events: 1 } } }
  - advance: 1m
  - { as: scout, do: listWebhookDeliveries, on: "\${subscription}", expect: { body: { deliveries.0.state: DELIVERED } } }`

  const ending = (inject: string) =>
    runSteps(newAgreementPart, `${subscribed}\n  - { inject: { of: worker, ${inject} } }${delivered}`, hooks)

  /** The worker's commits for one webhook, and the number of requests after a crash before and after each. */
  const commits: ReadonlyArray<readonly [name: string, skip: number, before: number, after: number]> = [
    ["the lease of the event", 0, 1, 1],
    ["the numbering of the deliveries", 1, 1, 1],
    ["the lease of the delivery", 2, 1, 1],
    ["the attempt", 3, 1, 1],
    ["the outcome", 4, 2, 1]
  ]

  it.each(
    commits.flatMap(([name, skip, before, after]) => [
      ["before", name, skip, before] as const,
      ["after", name, skip, after] as const
    ])
  )(
    "After a crash of the worker %s the commit of %s, another worker delivers the webhook",
    (when, _, skip, requests) => {
      const simulated = ending(`crash: ${when}-commit${skip === 0 ? "" : `, skip: ${skip}`}`)
      assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
      const received = observationsOf(simulated, "received")
      assert.strictEqual(received.length, requests)
      assert.strictEqual(new Set(received.map(({ delivery }) => delivery)).size, 1)
      assert.deepStrictEqual(
        observationsOf(simulated, "worker").map(({ actor, did }) => `${actor} ${did}`),
        ["worker STARTED", "worker CRASHED", "worker-2 STARTED"]
      )
    }
  )

  it("A worker that crashes during a graceful stop ends the stopWorker step", () => {
    const simulated = runSteps(
      newAgreementPart,
      `${subscribed}
  - { as: operator, do: stopWorker }
  - { as: courier, do: respond, on: "\${project}", input: { action: ACCEPT, reason: Yes. } }
  - { inject: { of: worker, skip: 1, crash: before-commit } }
  - { inject: { of: worker, database: "40001" } }
  - { as: operator, do: startWorker }
  - { as: operator, do: stopWorker }
  - { as: operator, do: startWorker }
  - { as: hooks, do: received, within: 3m, expect: { body: { events: 1 } } }`,
      hooks
    )
    assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
    assert.deepStrictEqual(
      observationsOf(simulated, "worker").map(({ actor, did }) => `${actor} ${did}`),
      [
        "worker STARTED",
        "worker STOPPED",
        "worker-2 STARTED",
        "worker-2 STOPPED",
        "worker-2 CRASHED",
        "worker-3 STARTED"
      ]
    )
  })

  it.each(["40001", "40P01", "commit-lost-aborted", "commit-lost-running"])(
    "A worker that crashes before a retry holds no locks (%s)",
    (fault) => {
      const simulated = runSteps(
        newAgreementPart,
        `${subscribed}
  - { inject: { of: worker, at: commit, in: webhook_deliveries, database: "${fault}" } }
  - { as: courier, do: respond, on: "\${project}", input: { action: ACCEPT, reason: Yes. } }
  - { as: operator, do: crashWorker }
  - { as: courier, do: readProject, on: "\${project}" }
  - { as: operator, do: startWorker }
  - { as: hooks, do: received, within: 1m, expect: { body: { events: 1 } } }`,
        hooks
      )
      assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
      const [crash] = observationsOf(simulated, "worker").filter(({ did }) => did === "CRASHED")
      const [read] = observationsOf(simulated, "response").slice(-1)
      assert.strictEqual(read?.at, crash?.at)
      assert.deepStrictEqual(
        [...new Set(observationsOf(simulated, "received").map(({ at }) => at))],
        ["2026-11-02T09:00:30.000Z"]
      )
    }
  )

  it("A worker has exactly five commits for one webhook", () => {
    assert.strictEqual(ending("crash: before-commit, skip: 5").verdict, "UNUSABLE")
  })

  it("A fault of the worker applies to any worker process", () => {
    const simulated = runSteps(
      newAgreementPart,
      `${subscribed}
  - { inject: { of: worker, crash: before-commit } }
  - { as: courier, do: respond, on: "\${project}", input: { action: ACCEPT, reason: Yes. } }
  - { inject: { of: worker, crash: before-commit } }
  - { as: operator, do: startWorker }
  - advance: 1m
  - { as: operator, do: startWorker }
  - { as: hooks, do: received, within: 3m, expect: { body: { events: 1 } } }`,
      hooks
    )
    assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
    assert.deepStrictEqual(
      observationsOf(simulated, "fault").map(({ actor }) => actor),
      ["worker", "worker-2"]
    )
  })

  it.each(["crash: after-commit", "database: commit-lost-unknown"])(
    "A worker polls an event whose commit had an unknown outcome (%s), without a wake-up",
    (inject) => {
      const simulated = runSteps(
        newAgreementPart,
        `${subscribed}
  - { as: courier, do: respond, on: "\${project}", input: { action: ACCEPT, reason: Yes. }, inject: { ${inject} }${inject.startsWith("crash") ? "" : ", expect: { status: 503 }"} }
  - { advance: 1m }`,
        hooks
      )
      assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
      assert.deepStrictEqual(
        observationsOf(simulated, "received").map(({ at }) => at),
        ["2026-11-02T09:00:15.000Z"]
      )
    }
  )

  it("A worker continues after database errors", () => {
    for (const fault of ["40001", "57014", "connection-lost", "commit-lost-unknown"]) {
      const simulated = ending(`database: "${fault}"`)
      assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
      assert.strictEqual(observationsOf(simulated, "worker").length, 1)
    }
  })
})
