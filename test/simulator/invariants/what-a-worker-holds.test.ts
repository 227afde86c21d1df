import { assert, describe, it } from "@effect/vitest"
import { aStoppedWorkerHoldsNothing } from "../../../simulator/invariants/a-stopped-worker-holds-nothing.ts"
import { whatADeadWorkerHeld } from "../../../simulator/invariants/what-a-dead-worker-held.ts"
import { WebhookDeliveries, WebhookEvents, WebhookSubscriptions } from "../../../src/webhooks/store.ts"
import { addMilliseconds, never } from "../../../src/vocabulary/instant.ts"
import { MadeUp, noon, put } from "../support/made-up.ts"
import { delivered, delivery, event, leased, subscription } from "../support/callback-rows.ts"

const started = (run: MadeUp, actor: string) => run.observes({ kind: "worker", actor, did: "STARTED" })
const held = { ...event, leasedUntil: addMilliseconds(noon, 30_000), leaseToken: "token 1" }

describe("a stopped worker holds nothing", () => {
  const begun = () =>
    started(new MadeUp(aStoppedWorkerHoldsNothing), "worker")
      .holds(put(WebhookSubscriptions, subscription), put(WebhookDeliveries, delivery), put(WebhookEvents, event))
      .commits("worker", put(WebhookDeliveries, leased))

  const stopped = (run: MadeUp, ...between: ReadonlyArray<(run: MadeUp) => MadeUp>) => {
    run.observes({ kind: "act", actor: "operator", operation: "stopWorker", on: undefined, input: {} })
    run.observes({ kind: "worker", actor: "worker", did: "STOPPED" })
    return between
      .reduce((one, next) => next(one), run)
      .observes({ kind: "answer", actor: "operator", refused: undefined, body: {} })
  }

  it("holds where it gives back what it holds, or has written it down", () => {
    for (const row of [delivery, delivered]) {
      assert.isUndefined(stopped(begun(), (run) => run.commits("worker", put(WebhookDeliveries, row))).broken)
    }
  })

  it("holds where the store fails it, and where another has taken it over", () => {
    const fault = { kind: "fault", actor: "worker", fault: "57014", where: "lock", what: [] } as const
    assert.isUndefined(stopped(begun(), (run) => run.observes(fault)).broken)
    const over = begun().commits("worker-2", put(WebhookDeliveries, { ...leased, leaseToken: "token 2" }))
    assert.isUndefined(stopped(over).broken)
  })

  const lost = { kind: "fault", actor: "worker", fault: "commit-lost-unknown", where: "commit", what: [] } as const

  it("holds where the store never told it that it had taken something", () => {
    const unaware = begun().observes(lost).commits("worker", put(WebhookEvents, held))
    assert.isUndefined(stopped(unaware).broken)
  })

  it("is broken where it was told of what it took after that", () => {
    const unaware = begun()
      .observes(lost)
      .commits("worker", put(WebhookDeliveries, { ...leased, leaseToken: "token 2" }))
    assert.include(stopped(unaware.commits("worker", put(WebhookEvents, held))).broken, "still holds event_1")
  })

  it("is broken where it keeps a delivery, or an event", () => {
    assert.include(stopped(begun()).broken, "worker was stopped, and still holds whd_1")
    const numbering = begun().commits("worker", put(WebhookDeliveries, delivery), put(WebhookEvents, held))
    assert.include(stopped(numbering).broken, "still holds event_1")
  })
})

describe("what a dead worker held is taken over", () => {
  const crashed = () =>
    started(new MadeUp(whatADeadWorkerHeld), "worker")
      .holds(put(WebhookSubscriptions, subscription), put(WebhookDeliveries, leased), put(WebhookEvents, held))
      .observes({ kind: "worker", actor: "worker", did: "CRASHED" })

  const taken = (run: MadeUp) =>
    run.commits(
      "worker-2",
      put(WebhookDeliveries, { ...leased, leaseToken: "token 2" }),
      put(WebhookEvents, { ...held, leaseToken: "", dueAt: never })
    )

  it("holds where another takes it over, and as long as that takes", () => {
    assert.isUndefined(taken(started(crashed(), "worker-2")).later(90_000).ends().broken)
    assert.isUndefined(started(crashed().later(90_000), "worker-2").later(59_999).ends().broken)
  })

  it("holds where nobody works, or nothing may be sent", () => {
    assert.isUndefined(crashed().later(90_000).ends().broken)
    const paused = put(WebhookSubscriptions, { ...subscription, isPaused: true })
    const run = started(crashed(), "worker-2").commits(
      "worker-2",
      paused,
      put(WebhookEvents, { ...held, dueAt: never })
    )
    assert.isUndefined(run.later(90_000).ends().broken)
  })

  it("is broken where it stays with the one that is gone", () => {
    const left = () => started(crashed(), "worker-2")
    assert.isDefined(left().later(90_000).ends().broken)
    const half = left().commits("worker-2", put(WebhookDeliveries, delivered))
    assert.include(half.later(90_000).ends().broken, "event_1 was held by a worker that crashed")
  })
})
