import { assert, describe, it } from "@effect/vitest"
import { everyEventIsQueuedExactly } from "../../../simulator/invariants/every-event-is-queued-exactly.ts"
import { GrantProjects, Grants, type GrantRow } from "../../../src/access/store.ts"
import { Memberships } from "../../../src/people/store.ts"
import { ProjectEvents } from "../../../src/projects/store.ts"
import { addMilliseconds, never } from "../../../src/vocabulary/instant.ts"
import {
  WebhookDeliveries,
  WebhookEvents,
  WebhookReaches,
  WebhookSubscriptions,
  type SubscriptionRow
} from "../../../src/webhooks/store.ts"
import { jwsOf, MadeUp, noon, put } from "../support/made-up.ts"
import { delivery, event, subscription } from "../support/callback-rows.ts"

const link = { grantId: "grant_1", projectId: "delivery_1", salt: "", sequence: 1, linkedAt: noon }
const grant = { grantId: "grant_1", revokedAt: null, expiresAt: never } as GrantRow

const begun = (changes: Partial<SubscriptionRow> = {}, standing: Partial<GrantRow> = {}) =>
  new MadeUp(everyEventIsQueuedExactly).holds(
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
const reach = put(WebhookReaches, { subscriptionId: "webhook_1", projectId: "delivery_1", numberedThrough: 2 })
const numbered = put(WebhookDeliveries, delivery)

describe("every event is queued exactly", () => {
  it("holds from the event to its delivery", () => {
    assert.isUndefined(
      begun().commits("worker", submitted, queued).commits("worker", numbered, reach).commits("worker", passed).broken
    )
  })

  it.each<readonly [string, Partial<SubscriptionRow>]>([
    ["paused", { isPaused: true }],
    ["revoked", { revokedAt: noon }],
    ["expired", { expiresAt: noon }],
    ["for other projects", { projectIds: ["delivery_2"] }],
    ["for other types", { eventTypes: ["record.changed"] }]
  ])("wants nothing queued for a subscription that is %s", (_, changes) => {
    assert.isUndefined(begun(changes).commits("worker", submitted).broken)
    assert.isDefined(begun(changes).commits("worker", submitted, queued).broken)
  })

  it("is broken where the event is queued for nobody, for the wrong ones, or as another event", () => {
    assert.isDefined(begun().commits("worker", submitted).broken)
    assert.isDefined(begun().commits("worker", submitted, put(WebhookEvents, { ...event, subscriptionIds: [] })).broken)
    assert.isDefined(
      begun().commits(
        "worker",
        submitted,
        put(WebhookEvents, { ...event, subscriptionIds: ["webhook_1", "webhook_2"] })
      ).broken
    )
    assert.isDefined(
      begun().commits("worker", submitted, put(WebhookEvents, { ...event, type: "record.changed" })).broken
    )
    assert.isDefined(begun().commits("worker", submitted, put(WebhookEvents, { ...event, event: "{}" })).broken)
  })

  it("is broken where the events are behind the fan-out and one has no delivery", () => {
    const run = () => begun().commits("worker", submitted, queued)
    assert.isDefined(run().commits("worker", passed).broken)
    assert.isDefined(run().commits("worker", reach).broken)
  })

  it("is broken where an event is delivered twice, or was queued for nobody of that name", () => {
    const run = () => begun().commits("worker", submitted, queued).commits("worker", numbered, reach)
    assert.isDefined(
      run().commits("worker", put(WebhookDeliveries, { ...delivery, deliveryId: "whd_2", number: 2 })).broken
    )
    assert.isDefined(
      run().commits("worker", put(WebhookDeliveries, { ...delivery, deliveryId: "whd_2", subscriptionId: "webhook_2" }))
        .broken
    )
  })

  it("wants nothing delivered of what was committed once the authority had ended, and either at once", () => {
    const ended = () => begun({}, { revokedAt: noon }).commits("worker", submitted, queued)
    assert.isUndefined(ended().commits("worker", passed).broken)
    assert.isDefined(ended().commits("worker", numbered, reach).broken)
    const atOnce = begun()
      .commits("worker", submitted, queued)
      .holds(put(Grants, { ...grant, revokedAt: noon }))
    assert.isUndefined(atOnce.commits("worker", passed).broken)
    const later = begun()
      .commits("worker", submitted, queued)
      .holds(put(Grants, { ...grant, revokedAt: addMilliseconds(noon, 1) }))
    assert.isDefined(later.commits("worker", passed).broken)
  })
})
