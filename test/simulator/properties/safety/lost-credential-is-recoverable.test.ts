import { assert, describe, it } from "@effect/vitest"
import { Connections, Credentials, Grants } from "../../../../src/access/store.ts"
import { Memberships } from "../../../../src/people/store.ts"
import { RequestKeys } from "../../../../src/replay/store.ts"
import { addMilliseconds } from "../../../../src/vocabulary/instant.ts"
import { limits } from "../../../../src/vocabulary/limits.ts"
import { tokenHash } from "../../../../src/vocabulary/token.ts"
import { lostCredentialIsRecoverable } from "../../../../simulator/properties/safety/lost-credential-is-recoverable.ts"
import { SyntheticRun, noon, put } from "../../support/synthetic-run.ts"

const poll = "/api/agents/v1/connections/poll"
const grants = "/api/workspace/grants"
const credential = put(Credentials, {
  tokenHash: tokenHash("token 1"),
  grantId: "grant_1",
  membershipId: "membership_1",
  generation: 1,
  createdAt: noon
})

const world = () =>
  new SyntheticRun(lostCredentialIsRecoverable)
    .person("dana", "person_dana")
    .holds(
      put(Memberships, { membershipId: "membership_1" }),
      put(Grants, { grantId: "grant_1", generation: 1, expiresAt: addMilliseconds(noon, limits.secretRecovery * 9) })
    )

const connecting = () =>
  world().holds(
    put(Connections, {
      connectionId: "connection_1",
      deviceCodeHash: tokenHash("device 1"),
      grantId: "grant_1",
      expiresAt: addMilliseconds(noon, limits.secretRecovery * 2)
    })
  )

const polls = (seen: SyntheticRun) => seen.asks("scout", "POST", poll, { deviceCode: "device 1" })
const lost = (seen: SyntheticRun) =>
  seen.observes({
    kind: "response",
    actor: "scout",
    status: 200,
    body: { credential: { token: "token 1" } },
    lost: true
  })
const refused = (seen: SyntheticRun) => polls(seen).answers("scout", 400, { error: "CONNECTION_EXPIRED" })

describe("lost credential is recoverable", () => {
  it("A refused poll for a credential whose response was lost is a violation", () => {
    assert.include(refused(lost(polls(connecting()).commits("scout", credential))).violation, "was never delivered")
  })

  it("A refusal is allowed after a credential was delivered, used, or is no longer recoverable", () => {
    const made = () => polls(connecting()).commits("scout", credential)
    assert.isUndefined(refused(made().answers("scout", 200, { credential: { token: "token 1" } })).violation)
    assert.isUndefined(
      refused(lost(made()).holds(put(Credentials, { ...credential.row, firstUsedAt: noon }))).violation
    )
    assert.isUndefined(refused(lost(made()).later(limits.secretRecovery)).violation)
    assert.isUndefined(refused(lost(made()).holds(put(Grants, { grantId: "grant_1", revokedAt: noon }))).violation)
  })

  it("A refused retry of a person's request, after its process crashed, is a violation", () => {
    const asks = (seen: SyntheticRun) => seen.asks("dana", "POST", grants, { requestId: "1" })
    const key = put(RequestKeys, { owner: "person_dana", requestId: "1", target: "grant_1" })
    const made = () => asks(world()).commits("dana", credential, key)
    const again = (seen: SyntheticRun) => asks(seen).answers("dana", 409, { error: "SECRET_ALREADY_SHOWN" })
    assert.include(again(made()).violation, "was never delivered")
    assert.isUndefined(again(made().answers("dana", 201, { token: "token 1" })).violation)
  })
})
