/** Network faults between the service and a receiver: recorded outcomes, arrivals and retries. */
import { assert, describe, it } from "vitest"
import { valueAt } from "../../../../simulator/vocabulary/json.ts"
import { newAgreementPart, runSteps, observationsOf } from "../../../support/short-scenarios.ts"

const hooks = "{ receivers: { hooks: { host: hooks.example.com } } }"

/** One webhook with these scripted attempts; then the delivery history is read. */
const attemptWith = (visits: string, given = hooks, passes = "10s") => {
  const simulated = runSteps(
    newAgreementPart,
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
  const body = observationsOf(simulated, "response").at(-1)?.body ?? null
  const recorded = (path: string) => valueAt(body, `deliveries.0.${path}`)
  return {
    simulated,
    outcome: recorded("lastAttempt.outcome"),
    statusCode: recorded("lastAttempt.statusCode"),
    state: recorded("state"),
    arrived: observationsOf(simulated, "received").length,
    connected: observationsOf(simulated, "connection").length
  }
}

/** The fault, the recorded outcome and status, the number of connections and of arrivals. */
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

describe("failed webhook attempts", () => {
  it.each(table)(
    "An attempt with %s is recorded as %s with status %s, after %i connections and %i arrivals",
    (visit, ...row) => {
      const { outcome, statusCode, state, connected, arrived } = attemptWith(`[${visit}]`)
      assert.deepStrictEqual([outcome, statusCode, connected, arrived], row)
      assert.strictEqual(state, "PENDING")
    }
  )

  it.each(table)("The attempt after %s succeeds", (visit) => {
    const { state } = attemptWith(`[${visit}]`, hooks, "2m")
    assert.strictEqual(state, "DELIVERED")
  })
})

describe("clock of a receiver", () => {
  it.each([
    ["+5m", "TAKEN", 204],
    ["-5m", "TAKEN", 204],
    ["+5m 1s", "STALE", 401],
    ["-5m 1s", "STALE", 401]
  ])(
    "A receiver with the clock offset %s judges a fresh webhook request as %s and answers %i",
    (clock, made, status) => {
      const given = `{ receivers: { hooks: { host: hooks.example.com, clock: ${clock} } } }`
      const { simulated, statusCode } = attemptWith("[]", given)
      assert.strictEqual(observationsOf(simulated, "received")[0]?.made, made)
      assert.strictEqual(statusCode, status)
    }
  )
})

describe("DNS", () => {
  it.each([
    ["NXDOMAIN", "DNS_FAILURE"],
    ["['::1']", "DNS_REJECTED"]
  ])("The DNS record %s takes precedence over the receiver's addresses", (answers, outcome) => {
    const given = `{ receivers: { hooks: { host: hooks.example.com } }, zones: { hooks.example.com: ${answers} } }`
    assert.strictEqual(attemptWith("[]", given).outcome, outcome)
  })

  it("The look-up result of a scripted attempt takes precedence over DNS records", () => {
    const given = "{ receivers: { hooks: { host: hooks.example.com } }, zones: { hooks.example.com: NXDOMAIN } }"
    assert.strictEqual(attemptWith("[{ finds: [93.184.215.14] }]", given).state, "DELIVERED")
  })
})
