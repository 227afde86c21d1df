import { assert, describe, it } from "@effect/vitest"
import { Credentials, Grants } from "../../../../src/access/store.ts"
import { Memberships } from "../../../../src/people/store.ts"
import { RequestKeys } from "../../../../src/replay/store.ts"
import { tokenHash } from "../../../../src/vocabulary/token.ts"
import {
  commitWithUnknownOutcome,
  responseLostAfterCommit,
  replayAnswered
} from "../../../../simulator/properties/reachability/lost-response.ts"
import { renewalDuringRequest } from "../../../../simulator/properties/reachability/renewal-during-request.ts"
import {
  refusalAfterADeadline,
  refusalOfAConcurrentRenewal,
  refusalByAPause,
  refusalOfAStaleHead
} from "../../../../simulator/properties/reachability/refusals.ts"
import { SyntheticRun, put } from "../../support/synthetic-run.ts"

const path = "/api/agents/v1/projects/delivery_1/submit"

describe("reachability properties", () => {
  it.each([
    [refusalByAPause, "AGENT_PAUSED"],
    [refusalOfAStaleHead, "STALE_PROPOSAL_HEAD"],
    [refusalAfterADeadline, "DELIVERY_DEADLINE_PASSED"],
    [refusalOfAConcurrentRenewal, "GENERATION_STALE"]
  ])("'$0.name' is reached by that refusal code and no other", (property, error) => {
    const refused = (code: string) => new SyntheticRun(property).answers("courier", 409, { error: code }).isReached
    assert.isTrue(refused(error))
    assert.isFalse(refused("STATE_CONFLICT"))
  })

  it("A lost response of a successful POST reaches 'response lost after commit'", () => {
    const answered = (status: number, lost: boolean) =>
      new SyntheticRun(responseLostAfterCommit)
        .asks("courier", "POST", path, {})
        .observes({ kind: "response", actor: "courier", status, body: {}, lost }).isReached
    assert.isTrue(answered(200, true))
    assert.isFalse(answered(409, true))
    assert.isFalse(answered(200, false))
  })

  it("A commit whose outcome stays unknown reaches 'commit with unknown outcome'", () => {
    const struck = (fault: string) =>
      new SyntheticRun(commitWithUnknownOutcome).observes({
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
      new SyntheticRun(replayAnswered)
        .person("dana", "person_dana")
        .holds(put(RequestKeys, { owner: "person_dana", requestId: "1" }))
        .asks("dana", "POST", "/api/workspace/projects/delivery_1/pause", { requestId })
    assert.isTrue(asked("1").answers("dana", 200, {}).isReached)
    assert.isFalse(asked("1").answers("dana", 409, {}).isReached)
    assert.isFalse(asked("2").answers("dana", 200, {}).isReached)
  })

  it("A renewal between request and 401 reaches 'renewal during request'", () => {
    const world = () =>
      new SyntheticRun(renewalDuringRequest)
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
