import { assert, describe, it } from "@effect/vitest"
import { GrantProjects, Grants } from "../../../../src/access/store.ts"
import { digestOf } from "../../../../src/canonical/digest.ts"
import { Memberships } from "../../../../src/people/store.ts"
import { Projects } from "../../../../src/projects/store.ts"
import { addMilliseconds } from "../../../../src/vocabulary/instant.ts"
import { WebhookAttempts, WebhookDeliveries, WebhookSubscriptions } from "../../../../src/webhooks/store.ts"
import { noSendWithoutLiveAuthority } from "../../../../simulator/properties/safety/no-send-without-live-authority.ts"
import { type Change, SyntheticRun, noon, put, remove } from "../../support/synthetic-run.ts"

const body = { type: "delivery.submitted" } as const
const at = noon
const later = addMilliseconds(noon, 86_400_000)
const ids = { grantId: "grant_1", membershipId: "membership_1" }
const projectId = "delivery_1"

const ofAgent = () =>
  new SyntheticRun(noSendWithoutLiveAuthority).holds(
    put(Memberships, { ...ids, organizationId: "organization_1", validUntil: later, authorities: ["DELEGATE"] }),
    put(Grants, { ...ids, expiresAt: later }),
    put(GrantProjects, { ...ids, projectId }),
    put(Projects, { projectId, buyerOrganizationId: "organization_1" }),
    put(WebhookSubscriptions, {
      ...ids,
      subscriptionId: "1",
      projectIds: [projectId],
      eventTypes: [body.type],
      expiresAt: later
    }),
    put(WebhookDeliveries, { deliveryId: "whd_1", subscriptionId: "1", projectId, eventType: body.type }),
    put(WebhookAttempts, { deliveryId: "whd_1", attempt: 1, at, envelopeDigest: digestOf(body) })
  )

const ofPerson = () => ofAgent().holds(put(WebhookSubscriptions, { subscriptionId: "1", grantId: null }))

describe("no send without live authority", () => {
  it("A webhook request under an active subscription with live authority is allowed", () => {
    assert.isUndefined(ofAgent().sendsWebhook("whd_1", body).violation)
    assert.isUndefined(ofPerson().sendsWebhook("whd_1", body).violation)
  })

  it.each<[string, Change]>([
    ["is paused", put(WebhookSubscriptions, { subscriptionId: "1", isPaused: true })],
    ["subscription has ended", put(WebhookSubscriptions, { subscriptionId: "1", revokedAt: at })],
    ["subscription has ended", put(WebhookSubscriptions, { subscriptionId: "1", expiresAt: at })],
    ["other events", put(WebhookSubscriptions, { subscriptionId: "1", projectIds: [] })],
    ["grant has ended", put(Grants, { ...ids, revokedAt: at })],
    ["grant has ended", put(Grants, { ...ids, expiresAt: at })],
    ["does not include", remove(GrantProjects, { ...ids, projectId })],
    ["may no longer delegate", put(Memberships, { ...ids, endedAt: at })],
    ["may no longer delegate", put(Memberships, { ...ids, validUntil: at })],
    ["may no longer delegate", put(Memberships, { ...ids, authorities: [] })],
    ["differs from the recorded one", put(WebhookAttempts, { deliveryId: "whd_1", attempt: 1, envelopeDigest: "" })],
    ["nothing is recorded", remove(WebhookAttempts, { deliveryId: "whd_1", attempt: 1 })]
  ])("A webhook request for an agent is a violation because of: %s", (words, change) => {
    assert.include(ofAgent().holds(change).sendsWebhook("whd_1", body).violation, words)
  })

  it.each<[string, Change]>([
    ["no longer a member", put(Memberships, { ...ids, endedAt: at })],
    ["no party", put(Projects, { projectId, buyerOrganizationId: "organization_2" })]
  ])("A webhook request for a person who is %s is a violation", (words, change) => {
    assert.include(ofPerson().holds(change).sendsWebhook("whd_1", body).violation, words)
  })
})
