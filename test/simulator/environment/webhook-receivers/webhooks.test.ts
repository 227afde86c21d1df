/** Observations of workers and webhook receivers during the steps of a scenario. */
import { Result } from "effect"
import { assert, describe, it } from "vitest"
import type { TimedObservation } from "../../../../simulator/observation/observation.ts"
import { readScenario } from "../../../../simulator/scenario/format/read.ts"
import { simulate } from "../../../../simulator/scenario/simulate.ts"
import type { JsonObject } from "../../../../simulator/vocabulary/json.ts"

const people = `scenario: Inline
given:
  organizations: { harbor: Harbor Museum, lumen: Lumen Studio }
  people:
    dana: { name: Dana, member: { harbor: [DELEGATE, AGREEMENT_CREATE, DELIVERY_REVIEW] } }
    sam: { name: Sam, member: { lumen: [DELEGATE, TERMS_RESPOND] } }
`

const created = `steps:
  - { as: dana, do: signIn }
  - { as: sam, do: signIn }
  - { as: dana, do: grantAgent, input: { agent: scout, role: BUYER, actions: [CREATE_PROJECT] } }
  - { as: scout, do: legalConfig }
  - { as: scout, do: confirmationPreview }
  - as: scout
    do: createProject
    keep: { project: project.taskId }
    input:
      title: A chart
      scope: One chart.
      buyerName: Harbor Museum
      supplierName: Lumen Studio
      supplierActorId: \${sam.id}
      supplierReference: Offer
      criteria: [{ id: chart, title: The chart, requirement: Complete. }]
      deadline: 2026-02-01T00:00:00.000Z
      reviewDeadline: 2026-03-01T00:00:00.000Z
      baselineStatement: None.
      materialPolicy: FILE_DIGESTS
      termsPolicy: { purpose: A record., contractBasis: THIS_AGREEMENT, sharing: None., sharingRecipients: [] }
      originals: { custodian: Lumen Studio, location: Archive, access: Both. }
      subjectRequirements: []
`

const subscribed = `
  - as: scout
    do: createWebhook
    keep: { subscription: subscription.id, secret: secret }
    input:
      target: https://hooks.example.com/callbacks
      projectIds: ["\${project}"]
      eventTypes: [agreement.confirmed, record.changed]
      expiresAt: 2026-01-20T00:00:00.000Z
`

const accepted = `
  - { as: sam, do: readOwnProject, on: "\${project}" }
  - { as: sam, do: respondAsPerson, on: "\${project}", input: { action: ACCEPT, reason: Yes. } }
`

const changed = `
  - { as: dana, do: readOwnProject, on: "\${project}" }
  - { as: dana, do: requestDateChange, on: "\${project}", input: { purpose: DELIVERY, reason: Later. } }
`

const receivers = "  receivers: { hooks: { host: hooks.example.com } }\n"
const taken = `  - { as: hooks, do: takeSecret, input: { secret: "\${secret}" } }\n`
const next = (visit: string) => `  - { as: operator, do: setReceiver, input: { receiver: hooks, next: [${visit}] } }\n`

const run = (steps: string, given = receivers) => {
  const text = `${people}${given}${created}${subscribed}${given === "" ? "" : taken}${steps}`
  const simulated = simulate(Result.getOrThrow(readScenario("inline.yaml", text)), { file: "inline.yaml" })
  assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
  const lines = simulated.trace
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as TimedObservation)
  return { ...simulated, lines }
}

const by = (lines: ReadonlyArray<TimedObservation>, actor: string) =>
  lines.flatMap((line) => ("actor" in line && line.actor === actor ? [line.kind] : []))

describe("workers", () => {
  it("A worker runs only in a scenario with receivers", () => {
    assert.include(by(run(accepted).lines, "worker"), "callback")
    assert.deepStrictEqual(by(run(accepted, "").lines, "worker"), [])
  })

  it("A worker becomes quiescent before the next step begins", () => {
    const { lines } = run(`${accepted}  - { as: scout, do: me }`)
    const received = lines.findIndex(({ kind }) => kind === "received")
    const following = lines.slice(received).find(({ kind }) => kind === "step")
    assert.isAbove(received, 0)
    assert.strictEqual(following?.kind === "step" ? following.operation : "", "me")
    assert.strictEqual(new Set(lines.map(({ at }) => at)).size, 1)
  })

  it("A crashed worker has no later observations", () => {
    const { lines } = run(`${next("{ stalls: ANSWER }")}${accepted}
  - { as: operator, do: crashWorker }
  - { as: operator, do: goOn, input: { receiver: hooks }, expect: { body: { wentOn: 1 } } }
  - { as: operator, do: goOn, input: { receiver: hooks }, expect: { body: { wentOn: 0 } } }
  - advance: 1h`)
    const crash = lines.findIndex((line) => line.kind === "worker" && line.did === "CRASHED")
    assert.isAbove(crash, 0)
    assert.deepStrictEqual(by(lines.slice(crash + 1), "worker"), [])
  })

  it("A worker that crashed during a stalled handshake neither connects nor hangs up", () => {
    const { lines } = run(`${next("{ stalls: HANDSHAKE }")}${accepted}
  - { as: operator, do: crashWorker }
  - advance: 1m
  - { as: operator, do: goOn, input: { receiver: hooks } }`)
    assert.notInclude(by(lines, "worker"), "connection")
    assert.notInclude(by(lines, "worker"), "hangup")
  })

  it("A worker that replaced a crashed one is woken by the next commit", () => {
    const { lines, story } = run(`${accepted}
  - { as: operator, do: crashWorker }
  - { as: operator, do: startWorker }
${changed}
  - { as: hooks, do: received, expect: { body: { count: 2 } } }`)
    assert.include(by(lines, "worker-2"), "callback")
    assert.include(story, "worker-2  starts")
  })

  it("A stopped worker hangs up and releases its leases", () => {
    const { lines } = run(`${next("{ answers: NOTHING }")}${accepted}
  - { as: operator, do: stopWorker }
  - as: scout
    do: listWebhookDeliveries
    on: \${subscription}
    expect: { body: { deliveries.0: { state: PENDING, nextAttemptAt: 2026-01-05T09:00:00.000Z } } }
  - advance: 1h`)
    const stop = lines.findIndex((line) => line.kind === "worker" && line.did === "STOPPED")
    assert.deepStrictEqual(by(lines.slice(stop + 1), "worker"), ["hangup", "commit"])
  })
})

describe("webhooks in a trace", () => {
  it("A trace contains the exact signed bytes of a webhook request and no secret", () => {
    const { lines, trace, story } = run(`${accepted}
  - { as: scout, do: rotateWebhookSecret, on: "\${subscription}", keep: { second: secret } }
  - { as: hooks, do: received, keep: { body: last.rawBody } }`)
    assert.notMatch(trace + story, /ddw_[0-9A-Za-z]{49}/)
    for (const shown of ["{callback secret of scout}", "{callback secret of scout #2}"]) assert.include(trace, shown)
    const sent = lines.find((line) => line.kind === "callback")
    const sentLines = lines.findLast((line) => line.kind === "answer")
    const raw = sentLines?.kind === "answer" ? (sentLines.body as JsonObject)["last"] : undefined
    assert.strictEqual(JSON.stringify(sent?.kind === "callback" ? sent.body : ""), (raw as JsonObject)["rawBody"])
  })
})

describe("webhooks in a story", () => {
  it("A story has one line for the result of each attempt", () => {
    const { story } = run(`${next("{ answers: 503 }, { finds: [10.0.0.1] }, { answers: RESET }, { answers: LOST }")}
${accepted}  - advance: 10m`)
    const sentLines = story
      .split("\n")
      .filter((line) => / (callback|lookup) /.test(line))
      .map((line) => line.slice(13).replaceAll(/ {2,}/g, " "))
    assert.deepStrictEqual(sentLines, [
      "09:00:00 hooks callback agreement.confirmed 2: 503",
      "09:00:15 worker lookup hooks.example.com: 10.0.0.1 is not public",
      "09:00:45 hooks callback resets the connection",
      "09:01:45 hooks callback agreement.confirmed 2 again, taken: the response is lost",
      "09:03:45 hooks callback agreement.confirmed 2 again, known already: 204"
    ])
  })
})

describe("webhooks that a visitor sends", () => {
  it("A receiver with the secret refuses a forged webhook, and properties judge its answer.", () => {
    const properties = `
never:
  - name: a forgery is acknowledged
    answers: { as: mallory, do: forgeWebhook }
    matches: { body.acknowledged: true }`
    const { lines } = run(
      `  - as: mallory
    do: forgeWebhook
    input: { receiver: hooks, event: { id: event_1, type: record.changed, projectId: "\${project}", sequence: 2 } }
    expect: { body: { answer: 401, acknowledged: false } }
${accepted}
  - { as: hooks, do: received, expect: { body: { count: 2, callbacks.0.made: FORGED, callbacks.1.made: TAKEN } } }
${properties}`,
      `${receivers}  visitors: { mallory: A program that is not the service }\n`
    )
    assert.deepStrictEqual(by(lines, "mallory"), ["step", "act", "answer"])
  })

  it.each([
    ["4m 59s", 204, "REPEATED"],
    ["5m 1s", 401, "STALE"]
  ])("A webhook that is replayed after %s is answered with %i.", (age, answer, made) => {
    run(
      `${accepted}  - { advance: ${age} }
  - as: mallory
    do: replayWebhook
    input: { receiver: hooks }
    expect: { body: { answer: ${answer} } }
  - { as: hooks, do: received, expect: { body: { count: 2, callbacks.0.made: TAKEN, callbacks.1.made: ${made} } } }
`,
      `${receivers}  visitors: { mallory: A program that is not the service }\n`
    )
  })

  it("Where no webhook has arrived, nothing is replayed.", () => {
    run(
      `  - { as: mallory, do: replayWebhook, input: { receiver: hooks } }
  - { as: hooks, do: received, expect: { body: { count: 0 } } }
`,
      `${receivers}  visitors: { mallory: A program that is not the service }\n`
    )
  })
})
