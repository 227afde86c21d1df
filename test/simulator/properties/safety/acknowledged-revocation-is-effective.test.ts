import { assert, describe, it } from "@effect/vitest"
import { Credentials, Grants } from "../../../../src/access/store.ts"
import { Jobs } from "../../../../src/jobs/store.ts"
import { Memberships } from "../../../../src/people/store.ts"
import { AutomationChanges, Issuances, ProjectEvents } from "../../../../src/projects/store.ts"
import { RequestKeys } from "../../../../src/replay/store.ts"
import { tokenHash } from "../../../../src/vocabulary/token.ts"
import { WebhookDeliveries, WebhookSubscriptions } from "../../../../src/webhooks/store.ts"
import { acknowledgedRevocationIsEffective } from "../../../../simulator/properties/safety/acknowledged-revocation-is-effective.ts"
import { type Change, jwsOf, SyntheticRun, put } from "../../support/synthetic-run.ts"

const grantId = "grant_1"
const projectId = "delivery_1"

const world = () =>
  new SyntheticRun(acknowledgedRevocationIsEffective)
    .agent("courier", grantId, "token 1")
    .person("dana", "person_dana")
    .holds(
      put(Memberships, { membershipId: "membership_1", personId: "person_sam", organizationId: "organization_1" }),
      put(Grants, { grantId, membershipId: "membership_1", generation: 1 }),
      put(Credentials, { tokenHash: tokenHash("token 1"), grantId, membershipId: "membership_1", generation: 1 }),
      put(WebhookSubscriptions, { subscriptionId: "webhook_1", grantId, membershipId: "membership_1" }),
      put(WebhookDeliveries, { deliveryId: "whd_1", subscriptionId: "webhook_1" })
    )

const byAgent = { id: "person_sam", organizationId: "organization_1", execution: { grantId } }
const byPerson = { ...byAgent, execution: null }

const event = (sequence: number, actor: object = byAgent): Change =>
  put(ProjectEvents, { projectId, sequence, kind: "SUBMIT", hash: `hash ${sequence}`, jws: jwsOf({ actor }) })

const automation = (revision: number, paused: boolean, by = "person_dana"): Change =>
  put(AutomationChanges, { projectId, revision, paused, side: "BUYER", by })

const paused = () =>
  world()
    .asks("dana", "POST", `/api/workspace/projects/${projectId}/pause`, { requestId: "1" })
    .commits("dana", automation(1, true))
    .answers("dana", 200, { projectId, automation: { paused: true, revision: 1 } })

const revoked = () =>
  world()
    .asks("dana", "POST", `/api/workspace/grants/${grantId}/revoke`)
    .answers("dana", 200, { grantId, revokedAt: "2026-11-02T09:00:00.000Z" })

describe("acknowledged revocation is effective", () => {
  it("An agent's commit before the acknowledgement of a pause is allowed", () => {
    const seen = world()
      .asks("dana", "POST", `/api/workspace/projects/${projectId}/pause`, { requestId: "1" })
      .commits("courier", event(1))
      .answers("dana", 200, { projectId, automation: { paused: true, revision: 1 } })
    assert.isUndefined(seen.violation)
  })

  it("An agent's commit after the acknowledgement of a pause is a violation", () => {
    assert.include(paused().commits("courier", event(1)).violation, "was paused")
  })

  it("A job and an issuance request of a paused agent are violations", () => {
    assert.include(paused().commits("courier", put(Jobs, { jobId: "job_1", grantId, projectId })).violation, "a job")
    const issuance: Change = put(Issuances, { projectId, grantId, status: "PENDING" })
    const key: Change = put(RequestKeys, { owner: grantId, requestId: "2" })
    assert.include(paused().commits("courier", issuance, key).violation, "an issuance request")
    assert.isUndefined(paused().commits("dana", put(Issuances, { projectId, status: "PENDING" }), key).violation)
  })

  it("A hand-off by a paused agent is a violation", () => {
    assert.include(paused().commits("courier", automation(2, true, "agent_courier")).violation, "handed")
    assert.isUndefined(
      paused()
        .commits("dana", automation(2, false))
        .commits("courier", automation(3, true, "agent_courier")).violation
    )
  })

  it("People may commit during a pause, and agents after the resume", () => {
    assert.isUndefined(paused().commits("sam", event(1, byPerson)).violation)
    assert.isUndefined(paused().commits("dana", automation(2, false)).commits("courier", event(1)).violation)
  })

  it("An agent's commit is allowed if a resume was committed before the acknowledgement of the pause", () => {
    const seen = world()
      .asks("dana", "POST", `/api/workspace/projects/${projectId}/pause`, { requestId: "1" })
      .commits("dana", automation(1, true))
      .commits("kim", automation(2, false))
      .answers("dana", 200, { projectId, automation: { paused: true, revision: 1 } })
      .commits("courier", event(1))
    assert.isUndefined(seen.violation)
  })

  it("A commit and a webhook request under a revoked grant are violations", () => {
    assert.include(revoked().commits("worker", event(1)).violation, "the grant of courier had ended")
    assert.include(revoked().sendsWebhook("whd_1").violation, "a webhook request")
    assert.isUndefined(world().sendsWebhook("whd_1").violation)
  })

  it("A commit after an operator ended the grant or the membership is a violation", () => {
    const ended = world().acts("operator", "revokeGrant", { grantId, revokedAt: "2026-11-02T09:00:00.000Z" })
    assert.include(ended.commits("courier", event(1)).violation, "the grant of courier had ended")
    const left = () => world().acts("operator", "endMembership", { membershipId: "membership_1", endedAt: "2026" })
    assert.include(left().commits("courier", event(1)).violation, "membership_1")
    assert.include(left().commits("sam", event(1, byPerson)).violation, "membership had ended")
    const back: Change = put(Memberships, {
      membershipId: "membership_2",
      personId: "person_sam",
      organizationId: "organization_1"
    })
    assert.isUndefined(left().commits("operator", back).commits("sam", event(1, byPerson)).violation)
  })

  it("A commit with a credential that a renewal replaced during the request is a violation", () => {
    const raced = (answered: boolean) => {
      const seen = world().asks("courier", "POST", `/api/agents/v1/projects/${projectId}/submit`, { input: {} })
      seen.asks("dana", "POST", `/api/workspace/grants/${grantId}/renew`, { requestId: "1" })
      if (answered) seen.answers("dana", 200, { grantId, generation: 2 })
      return seen.agent("courier", grantId, "token 2").commits("courier", event(1))
    }
    assert.include(raced(true).violation, "replaced")
    assert.isUndefined(raced(false).violation)
  })
})
