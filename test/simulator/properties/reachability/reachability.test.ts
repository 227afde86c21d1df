import { assert, describe, it } from "@effect/vitest"
import { Credentials, Grants } from "../../../../src/access/store.ts"
import { Memberships } from "../../../../src/people/store.ts"
import { RequestKeys } from "../../../../src/replay/store.ts"
import { tokenHash } from "../../../../src/vocabulary/token.ts"
import { propertyNamed } from "../../support/property-named.ts"
import { SyntheticRun, put } from "../../support/synthetic-run.ts"

const path = "/api/agents/v1/projects/delivery_1/submit"

describe("reachability properties", () => {
  it.each([
    ["refusal by a pause", "AGENT_PAUSED"],
    ["refusal of a stale head", "STALE_PROPOSAL_HEAD"],
    ["refusal after a deadline", "DELIVERY_DEADLINE_PASSED"],
    ["refusal of a concurrent renewal", "GENERATION_STALE"]
  ])("'%s' is reached by %s and no other refusal code", (name, error) => {
    const refused = (code: string) =>
      new SyntheticRun(propertyNamed(name)).answers("courier", 409, { error: code }).isReached
    assert.isTrue(refused(error))
    assert.isFalse(refused("STATE_CONFLICT"))
  })

  it("A lost response of a successful POST reaches 'response lost after commit'", () => {
    const answered = (status: number, lost: boolean) =>
      new SyntheticRun(propertyNamed("response lost after commit"))
        .asks("courier", "POST", path, {})
        .observes({ kind: "response", actor: "courier", status, body: {}, lost }).isReached
    assert.isTrue(answered(200, true))
    assert.isFalse(answered(409, true))
    assert.isFalse(answered(200, false))
  })

  it("A commit whose outcome stays unknown reaches 'commit with unknown outcome'", () => {
    const struck = (fault: string) =>
      new SyntheticRun(propertyNamed("commit with unknown outcome")).observes({
        kind: "fault",
        actor: "dana",
        fault,
        where: "commit",
        what: []
      })
    assert.isTrue(struck("commit-lost-unknown").isReached)
    assert.isFalse(struck("40001").isReached)
  })

  it("A successful repeated request id reaches 'replay answered'", () => {
    const asked = (requestId: string) =>
      new SyntheticRun(propertyNamed("replay answered"))
        .person("dana", "person_dana")
        .holds(put(RequestKeys, { owner: "person_dana", requestId: "1" }))
        .asks("dana", "POST", "/api/workspace/projects/delivery_1/pause", { requestId })
    assert.isTrue(asked("1").answers("dana", 200, {}).isReached)
    assert.isFalse(asked("1").answers("dana", 409, {}).isReached)
    assert.isFalse(asked("2").answers("dana", 200, {}).isReached)
  })

  it("A renewal between request and 401 reaches 'renewal during request'", () => {
    const world = () =>
      new SyntheticRun(propertyNamed("renewal during request"))
        .agent("courier", "grant_1", "token 1")
        .holds(
          put(Memberships, { membershipId: "1" }),
          put(Grants, { grantId: "grant_1", generation: 1 }),
          put(Credentials, { tokenHash: tokenHash("token 1"), grantId: "grant_1", membershipId: "1", generation: 1 })
        )
    const renewed = (seen: SyntheticRun) => seen.commits("dana", put(Grants, { grantId: "grant_1", generation: 2 }))
    const asks = (seen: SyntheticRun) => seen.asks("courier", "POST", path, {})
    assert.isTrue(renewed(asks(world())).answers("courier", 401, {}).isReached)
    assert.isFalse(asks(renewed(world())).answers("courier", 401, {}).isReached)
    assert.isFalse(asks(world()).answers("courier", 401, {}).isReached)
  })
})
