import { assert, describe, it } from "@effect/vitest"
import { Connections, Credentials } from "../../../../src/access/store.ts"
import { AttemptCounters, Sessions } from "../../../../src/people/store.ts"
import { Projects } from "../../../../src/projects/store.ts"
import { WebhookDeliveries, WebhookProjectCursors } from "../../../../src/webhooks/store.ts"
import { readsAndRefusalsWriteNothing } from "../../../../simulator/properties/safety/reads-and-refusals-write-nothing.ts"
import { type Change, SyntheticRun, noon, put } from "../../support/synthetic-run.ts"

const world = () =>
  new SyntheticRun(readsAndRefusalsWriteNothing).holds(
    put(Credentials, { tokenHash: "1" }),
    put(Sessions, { sessionId: "1" })
  )

const project: Change = put(Projects, { projectId: "delivery_1" })
const submits = () => world().asks("courier", "POST", "/api/agents/v1/projects/delivery_1/submit", {})

describe("reads and refusals write nothing", () => {
  it("A write of a refused, replayed or read-only request is a violation", () => {
    assert.include(submits().commits("courier", project).answers("courier", 409, {}).violation, "was refused")
    const replayed = submits().commits("courier", project).answers("courier", 200, { replayed: true })
    assert.include(replayed.violation, "was replayed")
    const read = world().asks("courier", "GET", "/api/agents/v1/projects/delivery_1").commits("courier", project)
    assert.include(read.answers("courier", 200, {}).violation, "was a read")
    const status = world().asks("courier", "POST", "/api/agents/v1/projects/delivery_1/status", { nonce: "1" })
    assert.include(status.commits("courier", project).answers("courier", 200, {}).violation, "was a read")
  })

  it("A write of a successful request, or of one with an unknown outcome, is allowed", () => {
    assert.isUndefined(submits().commits("courier", project).answers("courier", 200, {}).violation)
    assert.isUndefined(submits().commits("courier", project).answers("courier", 503, {}).violation)
  })

  it("Writes of an earlier request of the same actor do not count", () => {
    const again = submits().commits("courier", project).answers("courier", 200, {})
    assert.isUndefined(again.asks("courier", "GET", "/api/agents/v1/me").answers("courier", 401, {}).violation)
  })

  it("Last-used updates, attempt counters and delivery numbers may be written by any request", () => {
    const noted = submits()
      .commits("courier", put(Credentials, { tokenHash: "1", lastUsedAt: noon }))
      .commits("courier", put(Sessions, { sessionId: "1", lastSeenAt: noon }))
      .commits("courier", put(AttemptCounters, { counterId: "1", attempts: 1 }))
    assert.isUndefined(noted.answers("courier", 409, {}).violation)
    const polled = world().asks("courier", "POST", "/api/agents/v1/connections/poll", { deviceCode: "1" })
    assert.isUndefined(
      polled.commits("courier", put(Connections, { connectionId: "1" })).answers("courier", 409).violation
    )
    const read = world().asks("courier", "GET", "/api/agents/v1/webhooks/webhook_1/deliveries")
    const numbered = read.commits(
      "courier",
      put(WebhookDeliveries, { deliveryId: "1" }),
      put(WebhookProjectCursors, {})
    )
    assert.isUndefined(numbered.answers("courier", 200, {}).violation)
  })
})
