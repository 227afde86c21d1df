import { assert, describe, it } from "@effect/vitest"
import { gracefulStopReleasesLeases } from "../../../simulator/properties/safety/graceful-stop-releases-leases.ts"
import { expiredLeaseIsReclaimed } from "../../../simulator/properties/liveness/expired-lease-is-reclaimed.ts"
import { WebhookDeliveries, WebhookEvents, WebhookSubscriptions } from "../../../src/webhooks/store.ts"
import { addMilliseconds, never } from "../../../src/vocabulary/instant.ts"
import { SyntheticRun, noon, put } from "../support/synthetic-run.ts"
import { delivered, delivery, event, leased, subscription } from "../support/webhook-rows.ts"

const started = (run: SyntheticRun, actor: string) => run.observes({ kind: "worker", actor, did: "STARTED" })
const held = { ...event, leasedUntil: addMilliseconds(noon, 30_000), leaseToken: "token 1" }

describe("graceful stop releases leases", () => {
  const begun = () =>
    started(new SyntheticRun(gracefulStopReleasesLeases), "worker")
      .holds(put(WebhookSubscriptions, subscription), put(WebhookDeliveries, delivery), put(WebhookEvents, event))
      .commits("worker", put(WebhookDeliveries, leased))

  const stopped = (run: SyntheticRun, ...between: ReadonlyArray<(run: SyntheticRun) => SyntheticRun>) => {
    run.observes({ kind: "act", actor: "operator", operation: "stopWorker", on: undefined, input: {} })
    run.observes({ kind: "worker", actor: "worker", did: "STOPPED" })
    return between
      .reduce((one, next) => next(one), run)
      .observes({ kind: "answer", actor: "operator", refused: undefined, body: {} })
  }

  it("A worker may stop after it released or completed its delivery", () => {
    for (const row of [delivery, delivered]) {
      assert.isUndefined(stopped(begun(), (run) => run.commits("worker", put(WebhookDeliveries, row))).violation)
    }
  })

  it("A worker may stop with a lease after a storage failure or after another worker reclaimed it", () => {
    const fault = { kind: "fault", actor: "worker", fault: "57014", where: "lock", what: [] } as const
    assert.isUndefined(stopped(begun(), (run) => run.observes(fault)).violation)
    const over = begun().commits("worker-2", put(WebhookDeliveries, { ...leased, leaseToken: "token 2" }))
    assert.isUndefined(stopped(over).violation)
  })

  const lost = { kind: "fault", actor: "worker", fault: "commit-lost-unknown", where: "commit", what: [] } as const

  it("A worker may stop with a lease whose grant it did not learn", () => {
    const unaware = begun().observes(lost).commits("worker", put(WebhookEvents, held))
    assert.isUndefined(stopped(unaware).violation)
  })

  it("A stop with a lease that was granted after an unknown outcome is a violation", () => {
    const unaware = begun()
      .observes(lost)
      .commits("worker", put(WebhookDeliveries, { ...leased, leaseToken: "token 2" }))
    assert.include(stopped(unaware.commits("worker", put(WebhookEvents, held))).violation, "still holds event_1")
  })

  it("A stopped worker that still holds a delivery or an event is a violation", () => {
    assert.include(stopped(begun()).violation, "worker was stopped and still holds whd_1")
    const numbering = begun().commits("worker", put(WebhookDeliveries, delivery), put(WebhookEvents, held))
    assert.include(stopped(numbering).violation, "still holds event_1")
  })
})

describe("expired lease is reclaimed", () => {
  const crashed = () =>
    started(new SyntheticRun(expiredLeaseIsReclaimed), "worker")
      .holds(put(WebhookSubscriptions, subscription), put(WebhookDeliveries, leased), put(WebhookEvents, held))
      .observes({ kind: "worker", actor: "worker", did: "CRASHED" })

  const taken = (run: SyntheticRun) =>
    run.commits(
      "worker-2",
      put(WebhookDeliveries, { ...leased, leaseToken: "token 2" }),
      put(WebhookEvents, { ...held, leaseToken: "", dueAt: never })
    )

  it("Another worker has one minute to reclaim the leases of a crashed worker", () => {
    assert.isUndefined(taken(started(crashed(), "worker-2")).later(90_000).ends().violation)
    assert.isUndefined(started(crashed().later(90_000), "worker-2").later(59_999).ends().violation)
  })

  it("The leases of a crashed worker may remain without a worker or a deliverable subscription", () => {
    assert.isUndefined(crashed().later(90_000).ends().violation)
    const paused = put(WebhookSubscriptions, { ...subscription, isPaused: true })
    const run = started(crashed(), "worker-2").commits(
      "worker-2",
      paused,
      put(WebhookEvents, { ...held, dueAt: never })
    )
    assert.isUndefined(run.later(90_000).ends().violation)
  })

  it("A lease that stays with a crashed worker is a violation", () => {
    const left = () => started(crashed(), "worker-2")
    assert.isDefined(left().later(90_000).ends().violation)
    const half = left().commits("worker-2", put(WebhookDeliveries, delivered))
    assert.include(half.later(90_000).ends().violation, "event_1 is still leased to a crashed worker")
  })
})
