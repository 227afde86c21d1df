/** What an attempt comes to: outcomes by status, waits, and how many attempts there are. */
import { assert, describe, it } from "@effect/vitest"
import { addMilliseconds, never, type Instant } from "../../src/vocabulary/instant.ts"
import {
  afterAttempt,
  checkpointOf,
  hasAttemptLeft,
  outcomeOf,
  outcomes,
  waitAfter
} from "../../src/webhooks/delivery.ts"

const now = "2026-11-21T16:00:00.000Z" as Instant
const second = 1_000
const backoff = 15 * second

describe("the outcome of a status", () => {
  it("is an acknowledgement for 2xx alone, a redirect for 3xx, and a status for every other", () => {
    for (let status = 100; status < 600; status++) {
      const hundreds = Math.floor(status / 100)
      const expected = hundreds === 2 ? "ACKNOWLEDGED" : hundreds === 3 ? "REDIRECT" : "HTTP_STATUS"
      assert.strictEqual(outcomeOf(status), expected, String(status))
    }
  })
})

describe("the wait after a failure", () => {
  it.each([
    [1, 15],
    [2, 30],
    [3, 60],
    [4, 120],
    [5, 240],
    [6, 480],
    [7, 960],
    [8, 1_920],
    [9, 3_600],
    [10, 3_600],
    [80, 3_600]
  ])("of attempt %i is %i seconds", (attempt, seconds) => {
    assert.strictEqual(waitAfter(attempt, backoff), seconds * second)
  })

  it("is never more than an hour, whatever is configured", () => {
    assert.strictEqual(waitAfter(1, 2 * 3_600 * second), 3_600 * second)
    assert.strictEqual(waitAfter(1, 1), 1)
  })
})

describe("a delivery after an attempt", () => {
  const failures = outcomes.filter((outcome) => outcome !== "ACKNOWLEDGED")

  it("is delivered by an acknowledgement, even the last one that it could get", () => {
    for (const scheduledAttempts of [1, 8]) {
      const counts = { scheduledAttempts, totalAttempts: 80 }
      assert.deepStrictEqual(afterAttempt(counts, "ACKNOWLEDGED", now, backoff), { state: "DELIVERED", dueAt: never })
    }
  })

  it.each(failures)("waits after %s, and is exhausted by the eighth", (outcome) => {
    for (let scheduledAttempts = 1; scheduledAttempts < 8; scheduledAttempts++) {
      const dueAt = addMilliseconds(now, backoff * 2 ** (scheduledAttempts - 1))
      const counts = { scheduledAttempts, totalAttempts: scheduledAttempts }
      assert.deepStrictEqual(afterAttempt(counts, outcome, now, backoff), { state: "PENDING", dueAt })
    }
    const eighth = { scheduledAttempts: 8, totalAttempts: 8 }
    assert.deepStrictEqual(afterAttempt(eighth, outcome, now, backoff), { state: "EXHAUSTED", dueAt: never })
  })

  it("is exhausted by the eightieth attempt in all, however few were scheduled", () => {
    const counts = { scheduledAttempts: 3, totalAttempts: 80 }
    assert.deepStrictEqual(afterAttempt(counts, "TIMEOUT", now, backoff), { state: "EXHAUSTED", dueAt: never })
    assert.isTrue(hasAttemptLeft({ scheduledAttempts: 3, totalAttempts: 79 }))
  })

  it.each([
    [0, 0, true],
    [7, 7, true],
    [8, 8, false],
    [0, 72, true],
    [0, 79, true],
    [0, 80, false],
    [7, 79, true],
    [8, 79, false]
  ])("with %i scheduled and %i in all has one left: %s", (scheduledAttempts, totalAttempts, expected) => {
    assert.strictEqual(hasAttemptLeft({ scheduledAttempts, totalAttempts }), expected)
  })
})

describe("a checkpoint", () => {
  const subscriptionId = "webhook_00000000-0000-4000-8000-000000000001"

  it("is a digest of the subscription and the delivery, or of the subscription alone", () => {
    // printf '<subscription id>.whd_1' | sha256sum, and without the delivery
    assert.strictEqual(
      checkpointOf(subscriptionId, "whd_1"),
      "whc1_whd_41429f29558908b18e5c07612885d13c3341f76a732d432daf6de8755358310d"
    )
    assert.strictEqual(
      checkpointOf(subscriptionId, undefined),
      "whc1_whd_4b1d13a06af2d3cc5f8932705de42845204e4f7b727fed5527c2c87f252c069e"
    )
  })
})
