/** Results of attempts: outcomes by status, backoff, and limits of attempts. */
import { assert, describe, it } from "@effect/vitest"
import { addMilliseconds, never, type Instant } from "../../src/vocabulary/instant.ts"
import { afterAttempt, hasAttemptLeft, outcomeOf, outcomes, backoffAfter } from "../../src/webhooks/delivery.ts"

const now = "2026-11-21T16:00:00.000Z" as Instant
const second = 1_000
const backoff = 15 * second

describe("the outcome of a response status", () => {
  it("Only a 2xx status acknowledges, 3xx is a redirect, and any other is a status failure.", () => {
    for (let status = 100; status < 600; status++) {
      const hundreds = Math.floor(status / 100)
      const expected = hundreds === 2 ? "ACKNOWLEDGED" : hundreds === 3 ? "REDIRECT" : "HTTP_STATUS"
      assert.strictEqual(outcomeOf(status), expected, String(status))
    }
  })
})

describe("the backoff after a failure", () => {
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
  ])("The backoff after attempt %i is %i seconds.", (attempt, seconds) => {
    assert.strictEqual(backoffAfter(attempt, backoff), seconds * second)
  })

  it("The backoff is never more than an hour, for any configured base.", () => {
    assert.strictEqual(backoffAfter(1, 2 * 3_600 * second), 3_600 * second)
    assert.strictEqual(backoffAfter(1, 1), 1)
  })
})

describe("a delivery after an attempt", () => {
  const failures = outcomes.filter((outcome) => outcome !== "ACKNOWLEDGED")

  it("An acknowledgement delivers, even in the last allowed attempt.", () => {
    for (const scheduledAttempts of [1, 8]) {
      const counts = { scheduledAttempts, totalAttempts: 80 }
      assert.deepStrictEqual(afterAttempt(counts, "ACKNOWLEDGED", now, backoff), { state: "DELIVERED", dueAt: never })
    }
  })

  it.each(failures)("A delivery is retried after %s, and is exhausted by the eighth attempt.", (outcome) => {
    for (let scheduledAttempts = 1; scheduledAttempts < 8; scheduledAttempts++) {
      const dueAt = addMilliseconds(now, backoff * 2 ** (scheduledAttempts - 1))
      const counts = { scheduledAttempts, totalAttempts: scheduledAttempts }
      assert.deepStrictEqual(afterAttempt(counts, outcome, now, backoff), { state: "PENDING", dueAt })
    }
    const eighth = { scheduledAttempts: 8, totalAttempts: 8 }
    assert.deepStrictEqual(afterAttempt(eighth, outcome, now, backoff), { state: "EXHAUSTED", dueAt: never })
  })

  it("A delivery is exhausted by the eightieth attempt in all, with any number of scheduled ones.", () => {
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
  ])(
    "After %i scheduled attempts and %i in all, another attempt is allowed: %s.",
    (scheduledAttempts, totalAttempts, expected) => {
      assert.strictEqual(hasAttemptLeft({ scheduledAttempts, totalAttempts }), expected)
    }
  )
})
