import { assert, describe, it } from "@effect/vitest"
import { canonicalText } from "../../../../src/canonical/jcs.ts"
import { eventIsQueuedOncePerActiveSubscription } from "../../../../simulator/properties/safety/event-is-queued-once-per-active-subscription.ts"
import { GrantProjects, Grants, type GrantRow } from "../../../../src/access/store.ts"
import { Memberships } from "../../../../src/people/store.ts"
import { ProjectEvents } from "../../../../src/projects/store.ts"
import { addMilliseconds, never } from "../../../../src/vocabulary/instant.ts"
import {
  WebhookDeliveries,
  WebhookEvents,
  WebhookProjectCursors,
  WebhookSubscriptions,
  type SubscriptionRow
} from "../../../../src/webhooks/store.ts"
import { jwsOf, SyntheticRun, noon, put } from "../../support/synthetic-run.ts"
import { delivery, event, subscription } from "../../support/webhook-rows.ts"

const link = { grantId: "grant_1", projectId: "delivery_1", salt: "", sequence: 1, linkedAt: noon }
const grant = { grantId: "grant_1", revokedAt: null, expiresAt: never } as GrantRow

const begun = (changes: Partial<SubscriptionRow> = {}, standing: Partial<GrantRow> = {}) =>
  new SyntheticRun(eventIsQueuedOncePerActiveSubscription).holds(
    put(WebhookSubscriptions, { ...subscription, ...changes }),
    put(Grants, { ...grant, ...standing }),
    put(GrantProjects, link),
    put(Memberships, {
      membershipId: "membership_1",
      tenantId: "",
      organizationId: "organization_1",
      personId: "person_1",
      authorities: [],
      validFrom: noon,
      validUntil: never,
      endedAt: null
    })
  )

const submitted = put(ProjectEvents, {
  projectId: "delivery_1",
  sequence: 2,
  kind: "SUBMIT",
  hash: "hash 2",
  jws: jwsOf({}),
  occurredAt: noon
})
const queued = put(WebhookEvents, event)
const passed = put(WebhookEvents, { ...event, dueAt: never })
const reach = put(WebhookProjectCursors, { subscriptionId: "webhook_1", projectId: "delivery_1", numberedThrough: 2 })
const numbered = put(WebhookDeliveries, delivery)

describe("event is queued once per active subscription", () => {
  it("An event may be queued, numbered and delivered", () => {
    assert.isUndefined(
      begun().commits("worker", submitted, queued).commits("worker", numbered, reach).commits("worker", passed)
        .violation
    )
  })

  it.each<readonly [string, Partial<SubscriptionRow>]>([
    ["paused", { isPaused: true }],
    ["revoked", { revokedAt: noon }],
    ["expired", { expiresAt: noon }],
    ["for other projects", { projectIds: ["delivery_2"] }],
    ["for other types", { eventTypes: ["record.changed"] }]
  ])("An event queued for a subscription that is %s is a violation", (_, changes) => {
    assert.isUndefined(begun(changes).commits("worker", submitted).violation)
    assert.isDefined(begun(changes).commits("worker", submitted, queued).violation)
  })

  it("An event that is not queued, queued for a wrong subscription or queued as another event is a violation", () => {
    assert.isDefined(begun().commits("worker", submitted).violation)
    assert.isDefined(
      begun().commits("worker", submitted, put(WebhookEvents, { ...event, subscriptionIds: [] })).violation
    )
    assert.isDefined(
      begun().commits(
        "worker",
        submitted,
        put(WebhookEvents, { ...event, subscriptionIds: ["webhook_1", "webhook_2"] })
      ).violation
    )
    assert.isDefined(
      begun().commits("worker", submitted, put(WebhookEvents, { ...event, type: "record.changed" })).violation
    )
    assert.isDefined(
      begun().commits("worker", submitted, put(WebhookEvents, { ...event, event: canonicalText({} as never) }))
        .violation
    )
  })

  it("An event marked as numbered without a delivery is a violation", () => {
    const run = () => begun().commits("worker", submitted, queued)
    assert.isDefined(run().commits("worker", passed).violation)
    assert.isDefined(run().commits("worker", reach).violation)
  })

  it("A second delivery of an event, and one for a subscription that it was not queued for, are violations", () => {
    const run = () => begun().commits("worker", submitted, queued).commits("worker", numbered, reach)
    assert.isDefined(
      run().commits("worker", put(WebhookDeliveries, { ...delivery, deliveryId: "whd_2", number: 2 })).violation
    )
    assert.isDefined(
      run().commits("worker", put(WebhookDeliveries, { ...delivery, deliveryId: "whd_2", subscriptionId: "webhook_2" }))
        .violation
    )
  })

  it("An event committed after the end of the authority has no delivery, and one at that time may have one", () => {
    const ended = () => begun({}, { revokedAt: noon }).commits("worker", submitted, queued)
    assert.isUndefined(ended().commits("worker", passed).violation)
    assert.isDefined(ended().commits("worker", numbered, reach).violation)
    const atOnce = begun()
      .commits("worker", submitted, queued)
      .holds(put(Grants, { ...grant, revokedAt: noon }))
    assert.isUndefined(atOnce.commits("worker", passed).violation)
    const later = begun()
      .commits("worker", submitted, queued)
      .holds(put(Grants, { ...grant, revokedAt: addMilliseconds(noon, 1) }))
    assert.isDefined(later.commits("worker", passed).violation)
  })
})
