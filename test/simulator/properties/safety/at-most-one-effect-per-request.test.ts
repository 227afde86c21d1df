import { assert, describe, it } from "@effect/vitest"
import { Credentials, Grants } from "../../../../src/access/store.ts"
import { Issuances, ProjectEvents } from "../../../../src/projects/store.ts"
import { tokenHash } from "../../../../src/vocabulary/token.ts"
import { atMostOneEffectPerRequest } from "../../../../simulator/properties/safety/at-most-one-effect-per-request.ts"
import { type Change, SyntheticRun, noon, put } from "../../support/synthetic-run.ts"

const path = "/api/agents/v1/projects/delivery_1/submit"
const body = (requestId: string) => ({ input: { requestId } })

const world = () =>
  new SyntheticRun(atMostOneEffectPerRequest)
    .agent("courier", "grant_1", "token 1")
    .holds(
      put(Grants, { grantId: "grant_1", generation: 1 }),
      put(Credentials, { tokenHash: tokenHash("token 1"), grantId: "grant_1", generation: 1 }),
      put(Credentials, { tokenHash: tokenHash("token 2"), grantId: "grant_1", generation: 2 }),
      put(Issuances, { projectId: "delivery_1" })
    )

const event = (sequence: number): Change => put(ProjectEvents, { projectId: "delivery_1", sequence })

const submitted = () =>
  world().asks("courier", "POST", path, body("1")).commits("courier", event(1)).answers("courier", 200, {})

describe("at most one effect per request", () => {
  it("A request may commit its effect, the last-used update and the requested record", () => {
    const seen = world()
      .asks("courier", "POST", path, body("1"))
      .commits("courier", put(Credentials, { tokenHash: tokenHash("token 1"), lastUsedAt: noon }))
      .commits("courier", event(1))
      .commits("courier", event(2), put(Issuances, { projectId: "delivery_1", status: "ISSUED" }))
      .answers("courier", 200, {})
    assert.isUndefined(seen.violation)
  })

  it("Two effects of one request without a request id are a violation", () => {
    const asked = world().asks("courier", "POST", "/api/agents/v1/webhooks/webhook_1/rotate-secret", {})
    assert.include(asked.commits("courier", event(1)).commits("courier", event(2)).violation, "took effect twice")
  })

  it("A sign-in is no second effect of a request that was never answered", () => {
    const crashed = world().asks("courier", "POST", path, body("1")).commits("courier", event(1))
    assert.isUndefined(crashed.commitsWithoutRequest("courier", event(2)).violation)
    assert.include(crashed.commits("courier", event(3)).violation, "took effect twice")
  })

  it("Two equal requests without a request id may both take effect", () => {
    const ask = (seen: SyntheticRun, sequence: number) =>
      seen
        .asks("courier", "POST", "/api/agents/v1/webhooks/webhook_1/rotate-secret", {})
        .commits("courier", event(sequence))
        .answers("courier", 200, {})
    assert.isUndefined(ask(ask(world(), 1), 2).violation)
  })

  it("A second effect under the same request id is a violation, also after a renewal", () => {
    const again = (seen: SyntheticRun) => seen.asks("courier", "POST", path, body("1")).commits("courier", event(2))
    assert.include(again(submitted()).violation, "an already used request id")
    assert.include(again(submitted().agent("courier", "grant_1", "token 2")).violation, "an already used request id")
  })

  it("A replayed retry without an effect, and an effect under another request id, are allowed", () => {
    const seen = submitted().asks("courier", "POST", path, body("1")).answers("courier", 200, { replayed: true })
    assert.isUndefined(seen.asks("courier", "POST", path, body("2")).commits("courier", event(2)).violation)
  })
})
