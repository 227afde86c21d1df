/** Clocks that disagree: what a process does whose own is off, and what a history looks like that several have written. */
import { assert, describe, it } from "vitest"
import { agreed, offered, run, seen, submit } from "../support/simulated.ts"

const probe = "visitors: { probe: Load balancer }"
const ready = (status: number) =>
  `  - { as: probe, send: { method: GET, path: /readyz }, expect: { status: ${status}, body: { checks.clock: ${status === 200} } } }`
const setClock = (process: string, offset: string) =>
  `  - { as: operator, do: setClock, input: { process: ${process}, offset: ${offset} } }`

describe("the clock of the service", () => {
  it.each([
    ["+1s", 200],
    ["-1s", 200],
    ["+1001ms", 503],
    ["-1001ms", 503],
    ["+1d", 503]
  ])("%s off answers %i to whoever asks whether it is ready", (offset, status) => {
    const simulated = run(agreed, `${setClock("service", offset)}\n${ready(status)}`, `{ ${probe} }`)
    assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
  })

  it.each(["+999ms", "-999ms"])("%s off dates what happens, but never before what happened last", (offset) => {
    const simulated = run(
      agreed,
      `  - advance: 1m
${setClock("service", offset)}
${submit()}
${setClock("service", offset.startsWith("+") ? "-999ms" : "+999ms")}
  - { as: scout, do: readProject, on: "\${project}" }
  - { as: scout, do: review, on: "\${project}", input: { action: ACCEPT, reason: Yes., decisions: [{ criterionId: chart, decision: MET }] } }
  - { as: scout, do: readProject, on: "\${project}", keep: { events: project.events } }`
    )
    assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
    const body = JSON.stringify(seen(simulated, "response").at(-1)?.body)
    const moments = [...body.matchAll(/"occurredAt":"([^"]*)"/g)].map(([, moment]) => moment ?? "")
    const events = moments.slice(-4)
    assert.deepStrictEqual(events, events.toSorted())
    assert.strictEqual(new Set(events).size, offset.startsWith("+") ? 2 : 3)
  })

  it("is given from the start, for what is asked and for no worker", () => {
    const simulated = run(
      offered,
      `  - { as: courier, do: readProject, on: "\${project}", expect: { body: { project.events.0.occurredAt: 2026-11-02T09:00:00.400Z } } }`,
      "{ clocks: { service: +400ms } }"
    )
    assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
  })
})

describe("the clock of a worker", () => {
  const calledBack = (offset: string) =>
    run(
      offered,
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
  ])("%s off has it call back at %s", (offset, at) => {
    const simulated = calledBack(offset)
    assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
    assert.deepStrictEqual(
      seen(simulated, "received").map((received) => received.at.slice(0, at.length)),
      [at]
    )
  })
})
