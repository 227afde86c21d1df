import { assert, describe, it } from "@effect/vitest"
import { Credentials, Grants } from "../../../../src/access/store.ts"
import { Memberships } from "../../../../src/people/store.ts"
import { tokenHash } from "../../../../src/vocabulary/token.ts"
import { oneLiveCredentialPerGrant } from "../../../../simulator/properties/safety/one-live-credential-per-grant.ts"
import { type Change, SyntheticRun, put } from "../../support/synthetic-run.ts"

const grantId = "grant_1"
const credential = (generation: number, token = `token ${generation}`): Change =>
  put(Credentials, { tokenHash: tokenHash(token), grantId, membershipId: "membership_1", generation })

const world = (grant: object = {}) =>
  new SyntheticRun(oneLiveCredentialPerGrant)
    .agent("courier", grantId, "token 1")
    .holds(
      put(Memberships, { membershipId: "membership_1" }),
      put(Grants, { grantId, membershipId: "membership_1", generation: 1, ...grant }),
      credential(1)
    )

const reads = (seen: SyntheticRun) => seen.asks("courier", "GET", "/api/agents/v1/me")

describe("one live credential per grant", () => {
  it("A renewal may replace the credential of a grant", () => {
    assert.isUndefined(world().commits("dana", put(Grants, { grantId, generation: 2 }), credential(2)).violation)
  })

  it("A second credential of the same or a future generation is a violation", () => {
    const twin: Change = put(Credentials, { tokenHash: "other", grantId, generation: 1 })
    assert.include(world().commits("dana", twin).violation, "2 credentials")
    assert.include(world().commits("dana", credential(2)).violation, "future generation")
  })

  it("Success with a credential that was replaced or revoked before the request is a violation", () => {
    assert.include(reads(world({ generation: 2 })).answers("courier", 200, {}).violation, "replaced or revoked")
    assert.include(reads(world({ revokedAt: "2026" })).answers("courier", 200, {}).violation, "replaced or revoked")
    assert.isUndefined(reads(world({ generation: 2 })).answers("courier", 401, {}).violation)
  })

  it("Success with a credential that was replaced during the request is allowed", () => {
    const seen = reads(world()).commits("dana", put(Grants, { grantId, generation: 2 }), credential(2))
    assert.isUndefined(seen.agent("courier", grantId, "token 2").answers("courier", 200, {}).violation)
  })
})
