/** What goes wrong between the service and a receiver: for each fault, what is noted, what arrives, and what comes next. */
import { assert, describe, it } from "vitest"
import { valueAt } from "../../simulator/script/json.ts"
import { offered, run, seen } from "../support/simulated.ts"

const hooks = "{ receivers: { hooks: { host: hooks.example.com } } }"

/** One callback, whose attempts meet these visits; then the history of deliveries is read. */
const calledBack = (visits: string, given = hooks, passes = "10s") => {
  const simulated = run(
    offered,
    `  - as: scout
    do: createWebhook
    input: { target: "\${hooks.target}", projectIds: ["\${project}"], eventTypes: [agreement.confirmed], expiresAt: 2026-11-30T09:00:00.000Z }
    keep: { subscription: subscription.id, secret: secret }
  - { as: hooks, do: takeSecret, input: { secret: "\${secret}" } }
  - { as: operator, do: setReceiver, input: { receiver: hooks, next: ${visits} } }
  - { as: courier, do: respond, on: "\${project}", input: { action: ACCEPT, reason: Yes. } }
  - { advance: ${passes} }
  - { as: scout, do: listWebhookDeliveries, on: "\${subscription}" }`,
    given
  )
  assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
  const body = seen(simulated, "response").at(-1)?.body ?? null
  const noted = (path: string) => valueAt(body, `deliveries.0.${path}`)
  return {
    simulated,
    outcome: noted("lastAttempt.outcome"),
    statusCode: noted("lastAttempt.statusCode"),
    state: noted("state"),
    arrived: seen(simulated, "received").length,
    connected: seen(simulated, "connection").length
  }
}

/** The fault, what the service notes, the status that came back, how many connections there were, how much arrived. */
const table: ReadonlyArray<
  readonly [visit: string, outcome: string, status: number | null, connected: number, arrived: number]
> = [
  ["{ connects: REFUSED }", "CONNECTION", null, 0, 0],
  ["{ connects: UNTRUSTED }", "TLS", null, 0, 0],
  ["{ finds: NXDOMAIN }", "DNS_FAILURE", null, 0, 0],
  ["{ finds: [10.0.0.5] }", "DNS_REJECTED", null, 0, 0],
  ["{ answers: 302 }", "REDIRECT", 302, 1, 1],
  ["{ answers: RESET }", "CONNECTION", null, 1, 0],
  ["{ answers: LOST }", "CONNECTION", null, 1, 1],
  ["{ answers: NOTHING }", "TIMEOUT", null, 1, 1],
  ["{ answers: 200, after: 11s }", "TIMEOUT", null, 1, 1]
]

describe("a callback that does not get through", () => {
  it.each(table)("%s is noted as %s with status %s, after %i connections and %i arrivals", (visit, ...row) => {
    const { outcome, statusCode, state, connected, arrived } = calledBack(`[${visit}]`)
    assert.deepStrictEqual([outcome, statusCode, connected, arrived], row)
    assert.strictEqual(state, "PENDING")
  })

  it.each(table)("%s is over with its attempt, and the next one gets through", (visit) => {
    const { state } = calledBack(`[${visit}]`, hooks, "2m")
    assert.strictEqual(state, "DELIVERED")
  })
})

describe("a receiver's own clock", () => {
  it.each([
    ["+5m", "TAKEN", 204],
    ["-5m", "TAKEN", 204],
    ["+5m 1s", "STALE", 401],
    ["-5m 1s", "STALE", 401]
  ])("%s off makes a fresh callback %s, and answers %i", (clock, made, status) => {
    const given = `{ receivers: { hooks: { host: hooks.example.com, clock: ${clock} } } }`
    const { simulated, statusCode } = calledBack("[]", given)
    assert.strictEqual(seen(simulated, "received")[0]?.made, made)
    assert.strictEqual(statusCode, status)
  })
})

describe("the public DNS", () => {
  it.each([
    ["NXDOMAIN", "DNS_FAILURE"],
    ["['::1']", "DNS_REJECTED"]
  ])("that knows %s of a name wins over the receiver's own addresses", (answers, outcome) => {
    const given = `{ receivers: { hooks: { host: hooks.example.com } }, zones: { hooks.example.com: ${answers} } }`
    assert.strictEqual(calledBack("[]", given).outcome, outcome)
  })

  it("loses against what one attempt finds", () => {
    const given = "{ receivers: { hooks: { host: hooks.example.com } }, zones: { hooks.example.com: NXDOMAIN } }"
    assert.strictEqual(calledBack("[{ finds: [93.184.215.14] }]", given).state, "DELIVERED")
  })
})
