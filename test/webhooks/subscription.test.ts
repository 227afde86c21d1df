/** A subscription's state to the millisecond, how many of its sends are under way, and when it is looked at next. */
import { assert, describe, it } from "@effect/vitest"
import { addMilliseconds, never, type Instant } from "../../src/vocabulary/instant.ts"
import {
  hasEnded,
  isSubscriptionId,
  liveFlights,
  nextLook,
  placesOf,
  stateOf,
  subscriptionStates
} from "../../src/webhooks/subscription.ts"

const expiresAt = "2026-11-22T00:00:00.000Z" as Instant
const now = "2026-11-21T16:00:00.000Z" as Instant
const later = (seconds: number) => addMilliseconds(now, seconds * 1_000)
const active = { revokedAt: null, expiresAt, isPaused: false, failures: 0 }

describe("a subscription", () => {
  it.each([
    ["ACTIVE", {}, -1],
    ["EXPIRED", {}, 0],
    ["EXPIRED", {}, 1],
    ["PAUSED", { isPaused: true }, -1],
    ["EXPIRED", { isPaused: true }, 0],
    ["REVOKED", { revokedAt: now }, -1],
    ["REVOKED", { revokedAt: now, isPaused: true }, -1],
    // What somebody ended stays ended by them.
    ["REVOKED", { revokedAt: now }, 1]
  ] as const)("is %s with %j, %i ms from its end", (state, changes, milliseconds) => {
    assert.strictEqual(stateOf({ ...active, ...changes }, addMilliseconds(expiresAt, milliseconds)), state)
  })

  it("has ended for good where it is revoked or expired", () => {
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

  it("has five places while it answers, and one from its first failure on", () => {
    assert.deepStrictEqual(
      [0, 1, 2, 80].map((failures) => placesOf({ failures })),
      [5, 1, 1, 1]
    )
  })
})

describe("sends under way", () => {
  it("are those whose lease has not ended, to the millisecond", () => {
    const flights = [-1, 0, 1].map((milliseconds) => ({
      deliveryId: `whd_${milliseconds}`,
      until: addMilliseconds(now, milliseconds)
    }))
    assert.deepStrictEqual(liveFlights({ flights }, now), flights.slice(2))
  })
})

describe("a subscription is looked at next", () => {
  const due = (...seconds: ReadonlyArray<number>) => seconds.map((second) => ({ dueAt: later(second) }))
  const flying = (...seconds: ReadonlyArray<number>) =>
    seconds.map((second) => ({ deliveryId: `whd_${second}`, until: later(second) }))

  it.each([
    ["at its end, with nothing to send", {}, [], [], expiresAt],
    ["when its first delivery is due", {}, [], due(60, 15, 30), later(15)],
    ["at once, behind whoever waited before, where one is overdue", {}, [], due(-10, 15), now],
    [
      "at its end at the latest, where one is due after it",
      {},
      [],
      [{ dueAt: addMilliseconds(expiresAt, 1) }],
      expiresAt
    ],
    ["when its next is due, beside four that are under way", {}, flying(30, 30, 30, 30), due(5), later(5)],
    ["when the first of five that are under way would have died", {}, flying(30, 29, 30, 30, 30), due(5), later(29)],
    ["when the one that is under way would have died, while it fails", { failures: 1 }, flying(30), due(-5), later(30)],
    ["at its end, where nothing is due before", {}, [], [{ dueAt: never }], expiresAt],
    ["never, while it is paused", { isPaused: true }, flying(30), due(-5), never],
    ["never, once it was revoked", { revokedAt: now }, [], due(-5), never],
    ["at once, to end it, where it has expired", { expiresAt: later(-1) }, [], due(5), later(-1)],
    ["at once, to end it, where it expires now", { expiresAt: now }, [], due(5), now]
  ] as const)("%s", (_, changes, flights, upcoming, expected) => {
    assert.strictEqual(nextLook({ ...active, ...changes }, flights, upcoming, now), expected)
  })
})
