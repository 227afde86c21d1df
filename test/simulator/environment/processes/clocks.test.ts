/** Clock skew: processes with a clock offset, and event histories written by several clocks. */
import { assert, describe, it } from "vitest"
import {
  agreementPart,
  newAgreementPart,
  runSteps,
  observationsOf,
  submitStep
} from "../../../support/short-scenarios.ts"

const probe = "visitors: { probe: Load balancer }"
const ready = (status: number) =>
  `  - { as: probe, send: { method: GET, path: /readyz }, expect: { status: ${status}, body: { checks.clock: ${status === 200} } } }`
const setClock = (process: string, offset: string) =>
  `  - { as: operator, do: setClock, input: { process: ${process}, offset: ${offset} } }`

describe("clock of the service", () => {
  it.each([
    ["+1s", 200],
    ["-1s", 200],
    ["+1001ms", 503],
    ["-1001ms", 503],
    ["+1d", 503]
  ])("A service with the clock offset %s answers %i to a readiness probe", (offset, status) => {
    const simulated = runSteps(agreementPart, `${setClock("service", offset)}\n${ready(status)}`, `{ ${probe} }`)
    assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
  })

  it.each(["+999ms", "-999ms"])(
    "A service with the clock offset %s dates no event before its predecessor",
    (offset) => {
      const simulated = runSteps(
        agreementPart,
        `  - advance: 1m
${setClock("service", offset)}
${submitStep()}
${setClock("service", offset.startsWith("+") ? "-999ms" : "+999ms")}
  - { as: scout, do: readProject, on: "\${project}" }
  - { as: scout, do: review, on: "\${project}", input: { action: ACCEPT, reason: Yes., decisions: [{ criterionId: chart, decision: MET }] } }
  - { as: scout, do: readProject, on: "\${project}", keep: { events: project.events } }`
      )
      assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
      const body = JSON.stringify(observationsOf(simulated, "response").at(-1)?.body)
      const moments = [...body.matchAll(/"occurredAt":"([^"]*)"/g)].map(([, moment]) => moment ?? "")
      const events = moments.slice(-4)
      assert.deepStrictEqual(events, events.toSorted())
      assert.strictEqual(new Set(events).size, offset.startsWith("+") ? 2 : 3)
    }
  )

  it("The initial clock offset of the service applies to requests and not to the worker", () => {
    const simulated = runSteps(
      newAgreementPart,
      `  - { as: courier, do: readProject, on: "\${project}", expect: { body: { project.events.0.occurredAt: 2026-11-02T09:00:00.400Z } } }`,
      "{ clocks: { service: +400ms } }"
    )
    assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
  })
})

describe("clock of a worker", () => {
  const deliveries = (offset: string) =>
    runSteps(
      newAgreementPart,
      `  - as: scout
    do: createWebhook
    input: { target: "\${hooks.target}", projectIds: ["\${project}"], eventTypes: [agreement.confirmed], expiresAt: 2026-11-30T09:00:00.000Z }
    keep: { secret: secret }
  - { as: hooks, do: takeSecret, input: { secret: "\${secret}" } }
${setClock("worker", offset)}
  - { as: courier, do: respond, on: "\${project}", input: { action: ACCEPT, reason: Yes. } }
  - advance: 5m
${setClock("worker", "+0s")}
  - { as: hooks, do: received, within: 30s, expect: { body: { count: 1, callbacks.0.made: TAKEN } } }`,
      "{ receivers: { hooks: { host: hooks.example.com } } }"
    )

  it.each([
    ["+1s", "2026-11-02T09:00:00.000Z"],
    ["-1s", "2026-11-02T09:00:15.000Z"],
    ["+1001ms", "2026-11-02T09:05:"],
    ["-1001ms", "2026-11-02T09:05:"]
  ])("A worker with the clock offset %s sends its webhook at %s", (offset, at) => {
    const simulated = deliveries(offset)
    assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
    assert.deepStrictEqual(
      observationsOf(simulated, "received").map((received) => received.at.slice(0, at.length)),
      [at]
    )
  })
})
