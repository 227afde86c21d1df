/** A subscription's state to the millisecond, its concurrent sends, and its next due time. */
import { assert, describe, it } from "@effect/vitest"
import { addMilliseconds, never, type Instant } from "../../src/vocabulary/instant.ts"
import {
  hasEnded,
  isSubscriptionId,
  sendsInProgress,
  nextDueAt,
  concurrencyLimit,
  stateOf,
  subscriptionStates
} from "../../src/webhooks/subscription.ts"

const expiresAt = "2026-11-22T00:00:00.000Z" as Instant
const now = "2026-11-21T16:00:00.000Z" as Instant
const later = (seconds: number) => addMilliseconds(now, seconds * 1_000)
const active = { revokedAt: null, expiresAt, isPaused: false, failures: 0 }

describe("the state of a subscription", () => {
  it.each([
    ["ACTIVE", {}, -1],
    ["EXPIRED", {}, 0],
    ["EXPIRED", {}, 1],
    ["PAUSED", { isPaused: true }, -1],
    ["EXPIRED", { isPaused: true }, 0],
    ["REVOKED", { revokedAt: now }, -1],
    ["REVOKED", { revokedAt: now, isPaused: true }, -1],
    // A revocation stays one after the expiry.
    ["REVOKED", { revokedAt: now }, 1]
  ] as const)("A subscription is %s with %j, %i ms from its expiry.", (state, changes, milliseconds) => {
    assert.strictEqual(stateOf({ ...active, ...changes }, addMilliseconds(expiresAt, milliseconds)), state)
  })

  it("A revoked or expired subscription has ended.", () => {
    assert.deepStrictEqual(subscriptionStates.filter(hasEnded), ["REVOKED", "EXPIRED"])
  })

  it.each([
    ["webhook_00000000-0000-4000-8000-000000000001", true],
    ["webhook_00000000-0000-1000-8000-000000000001", false],
    ["Webhook_00000000-0000-4000-8000-000000000001", false],
    ["delivery_00000000-0000-4000-8000-000000000001", false],
    ["webhook_00000000-0000-4000-8000-000000000001 ", false],
    ["", false]
  ])("is named by %j: %s", (text, expected) => {
    assert.strictEqual(isSubscriptionId(text), expected)
  })

  it("A subscription has five places while it succeeds, and one after a failure.", () => {
    assert.deepStrictEqual(
      [0, 1, 2, 80].map((failures) => concurrencyLimit({ failures })),
      [5, 1, 1, 1]
    )
  })
})

describe("sends in progress", () => {
  it("A send is in progress until its lease expires, to the millisecond.", () => {
    const flights = [-1, 0, 1].map((milliseconds) => ({
      deliveryId: `whd_${milliseconds}`,
      until: addMilliseconds(now, milliseconds)
    }))
    assert.deepStrictEqual(sendsInProgress({ flights }, now), flights.slice(2))
  })
})

describe("the next due time of a subscription", () => {
  const due = (...seconds: ReadonlyArray<number>) => seconds.map(later)
  const inProgress = (...seconds: ReadonlyArray<number>) =>
    seconds.map((second) => ({ deliveryId: `whd_${second}`, until: later(second) }))

  it.each([
    ["at its expiry, with nothing to send", {}, [], [], expiresAt],
    ["when its first delivery is due", {}, [], due(60, 15, 30), later(15)],
    ["now, if one is overdue", {}, [], due(-10, 15), now],
    ["at its expiry, if its next delivery is due later", {}, [], [addMilliseconds(expiresAt, 1)], expiresAt],
    ["when its next delivery is due, with four sends in progress", {}, inProgress(30, 30, 30, 30), due(5), later(5)],
    [
      "when the first lease expires, with five sends in progress",
      {},
      inProgress(30, 29, 30, 30, 30),
      due(5),
      later(29)
    ],
    [
      "when the lease expires, with one send in progress of a failing subscription",
      { failures: 1 },
      inProgress(30),
      due(-5),
      later(30)
    ],
    ["at its expiry, if no delivery is due before", {}, [], [never], expiresAt],
    ["never, if it is paused", { isPaused: true }, inProgress(30), due(-5), never],
    ["never, if it is revoked", { revokedAt: now }, [], due(-5), never],
    ["at its expiry, if it has expired", { expiresAt: later(-1) }, [], due(5), later(-1)],
    ["now, if it expires now", { expiresAt: now }, [], due(5), now]
  ] as const)("A subscription is due %s.", (_, changes, flights, upcoming, expected) => {
    assert.strictEqual(nextDueAt({ ...active, ...changes }, flights, upcoming, now), expected)
  })
})
