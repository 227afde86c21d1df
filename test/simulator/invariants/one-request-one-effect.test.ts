import { assert, describe, it } from "@effect/vitest"
import { Credentials, Grants } from "../../../src/access/store.ts"
import { Issuances, ProjectEvents } from "../../../src/projects/store.ts"
import { tokenHash } from "../../../src/vocabulary/token.ts"
import { oneRequestOneEffect } from "../../../simulator/invariants/one-request-one-effect.ts"
import { type Change, MadeUp, noon, put } from "../support/made-up.ts"

const path = "/api/agents/v1/projects/delivery_1/submit"
const body = (requestId: string) => ({ input: { requestId } })

const world = () =>
  new MadeUp(oneRequestOneEffect)
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

describe("one request, one effect", () => {
  it("holds for an effect, a note of the credential's use, and the record that was wished for", () => {
    const seen = world()
      .asks("courier", "POST", path, body("1"))
      .commits("courier", put(Credentials, { tokenHash: tokenHash("token 1"), lastUsedAt: noon }))
      .commits("courier", event(1))
      .commits("courier", event(2), put(Issuances, { projectId: "delivery_1", status: "ISSUED" }))
      .answers("courier", 200, {})
    assert.isUndefined(seen.broken)
  })

  it("is broken by two effects of one request that has no id", () => {
    const asked = world().asks("courier", "POST", "/api/agents/v1/webhooks/webhook_1/rotate-secret", {})
    assert.include(asked.commits("courier", event(1)).commits("courier", event(2)).broken, "a second effect")
  })

  it("lets the same be asked twice without an id", () => {
    const ask = (seen: MadeUp, sequence: number) =>
      seen
        .asks("courier", "POST", "/api/agents/v1/webhooks/webhook_1/rotate-secret", {})
        .commits("courier", event(sequence))
        .answers("courier", 200, {})
    assert.isUndefined(ask(ask(world(), 1), 2).broken)
  })

  it("is broken by the effect of a retry, also after a renewal", () => {
    const again = (seen: MadeUp) => seen.asks("courier", "POST", path, body("1")).commits("courier", event(2))
    assert.include(again(submitted()).broken, "an earlier effect")
    assert.include(again(submitted().agent("courier", "grant_1", "token 2")).broken, "an earlier effect")
  })

  it("holds for a retry that has none, and for another id", () => {
    const seen = submitted().asks("courier", "POST", path, body("1")).answers("courier", 200, { replayed: true })
    assert.isUndefined(seen.asks("courier", "POST", path, body("2")).commits("courier", event(2)).broken)
  })
})
