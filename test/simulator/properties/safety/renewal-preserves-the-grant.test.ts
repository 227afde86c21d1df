import { assert, describe, it } from "@effect/vitest"
import { Credentials, GrantProjects, Grants } from "../../../../src/access/store.ts"
import { Jobs } from "../../../../src/jobs/store.ts"
import { RequestKeys } from "../../../../src/replay/store.ts"
import { addMilliseconds } from "../../../../src/vocabulary/instant.ts"
import { WebhookSubscriptions } from "../../../../src/webhooks/store.ts"
import { renewalPreservesTheGrant } from "../../../../simulator/properties/safety/renewal-preserves-the-grant.ts"
import { type Change, SyntheticRun, noon, put, remove } from "../../support/synthetic-run.ts"

const grantId = "grant_1"

const world = () =>
  new SyntheticRun(renewalPreservesTheGrant).holds(
    put(Grants, { grantId, generation: 1, actions: ["SUBMIT_MATERIALS"] }),
    put(GrantProjects, { grantId, projectId: "delivery_1" }),
    put(Jobs, { jobId: "job_1", grantId }),
    put(WebhookSubscriptions, { subscriptionId: "webhook_1", grantId }),
    put(RequestKeys, { owner: grantId, requestId: "1" })
  )

const renewal: Change = put(Grants, { grantId, generation: 2, expiresAt: addMilliseconds(noon, 1) })

describe("renewal preserves the grant", () => {
  it("A renewal may change the expiry, the generation and the credential", () => {
    const seen = world().commits(
      "dana",
      renewal,
      put(Credentials, { tokenHash: "2", grantId, generation: 2 }),
      put(RequestKeys, { owner: "person_dana", requestId: "2" })
    )
    assert.isUndefined(seen.violation)
  })

  it.each<[string, Change]>([
    ["actions", put(Grants, { grantId, generation: 2, actions: [] })],
    ["projects", put(GrantProjects, { grantId, projectId: "delivery_2" })],
    ["jobs", remove(Jobs, { jobId: "job_1", grantId })],
    ["subscriptions", put(WebhookSubscriptions, { subscriptionId: "webhook_1", isPaused: true })],
    ["idempotency keys", remove(RequestKeys, { owner: grantId, requestId: "1" })]
  ])("A renewal that changes the grant's %s is a violation", (what, change) => {
    assert.include(world().commits("dana", renewal, change).violation, `changed its ${what}`)
  })

  it("A change of a grant without a renewal is allowed", () => {
    assert.isUndefined(world().commits("dana", put(Grants, { grantId, actions: [] })).violation)
  })
})
