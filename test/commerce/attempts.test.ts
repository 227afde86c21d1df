/** The state of a payment attempt, derived from its latest observations, and the times of its readbacks. */
import { assert, describe, it } from "@effect/vitest"
import {
  attemptOutcome,
  attentionOf,
  eventOfOutcome,
  type AttemptEvidence,
  type AttemptState
} from "../../src/commerce/attempt.ts"
import { mayRepeatOpening, nextReadback, type ReadbackHistory } from "../../src/commerce/due.ts"
import type { Observation } from "../../src/commerce/journal.ts"
import { addMilliseconds, never, toMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"
import type { Facts } from "../../src/vocabulary/payment-facts.ts"
import { binding, checkout, checkoutId, observed, paidCheckout, payment, unpaid } from "../support/payment-facts.ts"
import { digestOfCharacter } from "../support/project-people.ts"

const openedAt = "2026-01-02T09:00:00.000Z" as Instant
const expiresAt = "2026-01-02T10:00:00.000Z" as Instant
const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const stateAfter = (
  observations: ReadonlyArray<Observation>,
  changes: Partial<AttemptEvidence> = {},
  now: Instant = openedAt
) => {
  const numbered = observations.map((one, index) => ({ ...one, sequence: index + 1 }))
  const known = { binding, checkoutId, expiresAt, observations: numbered, isPaymentRead: true }
  const evidence = { state: "OPEN", ...known, ...changes } as const
  const outcome = attemptOutcome(evidence, now)
  return outcome?.state === "RELEASED" ? `RELEASED ${outcome.reason}` : outcome?.state
}

const expired = observed("CHECKOUT", checkout({ state: "EXPIRED" }))
const complete = observed("CHECKOUT", paidCheckout())
const paymentIn = (state: Facts<"PAYMENT">["state"]) => observed("PAYMENT", unpaid({ state }))

describe("the state of a payment attempt", () => {
  it.each<[string, ReadonlyArray<Observation>, string | undefined]>([
    ["nothing", [], undefined],
    ["an open checkout", [observed("CHECKOUT", checkout())], undefined],
    ["a checkout paid, the payment not read", [complete], undefined],
    ["a verified payment", [complete, observed("PAYMENT", payment())], "PAID"],
    ["a verified payment of an expired checkout", [expired, observed("PAYMENT", payment())], "PAID"],
    ["a payment of another sum", [complete, observed("PAYMENT", payment({ amountMinor: 1 }))], "UNVERIFIED"],
    ["a payment of another attempt", [complete, observed("PAYMENT", payment({ commerceOrderId: "x" }))], "UNVERIFIED"],
    ["a payment to another account", [complete, observed("PAYMENT", payment({ recipientAccount: "x" }))], "UNVERIFIED"],
    ["an expired checkout", [expired], "RELEASED CHECKOUT_EXPIRED"],
    ["an expired checkout, unpaid", [expired, paymentIn("REQUIRES_ACTION")], "RELEASED CHECKOUT_EXPIRED"],
    ["an expired checkout, canceled", [expired, paymentIn("CANCELED")], "RELEASED CHECKOUT_EXPIRED"],
    ["an expired checkout, being paid", [expired, paymentIn("PROCESSING")], undefined],
    ["an expired checkout, to be captured", [expired, paymentIn("REQUIRES_CAPTURE")], undefined],
    ["a completed checkout, being paid", [complete, paymentIn("PROCESSING")], undefined],
    ["a completed checkout, canceled", [complete, paymentIn("CANCELED")], "RELEASED PAYMENT_FAILED"],
    ["an open checkout, canceled", [observed("CHECKOUT", checkout()), paymentIn("CANCELED")], undefined],
    [
      "an expired checkout whose canceled payment was followed by one being made",
      [expired, paymentIn("CANCELED"), observed("PAYMENT", unpaid({ state: "PROCESSING" }), "pi_sim_2")],
      undefined
    ],
    [
      "a completed checkout with one payment being made and a later canceled one",
      [complete, observed("PAYMENT", unpaid({ state: "PROCESSING" }), "pi_sim_2"), paymentIn("CANCELED")],
      undefined
    ]
  ])("After %s an open attempt has the state of the table.", (_, observations, expected) => {
    assert.strictEqual(stateAfter(observations), expected)
  })

  it.each<[string, ReadonlyArray<Observation>]>([
    ["an expired checkout", [expired]],
    ["an expired checkout, unpaid", [expired, paymentIn("REQUIRES_ACTION")]],
    ["an expired checkout, canceled", [expired, paymentIn("CANCELED")]],
    ["a completed checkout, canceled", [complete, paymentIn("CANCELED")]]
  ])("After %s an attempt stays live until its payment is read.", (_, observations) => {
    assert.isUndefined(stateAfter(observations, { isPaymentRead: false }))
    assert.match(stateAfter(observations) ?? "", /^RELEASED/)
  })

  it("Time alone never releases an attempt whose checkout is known.", () => {
    const late = addMilliseconds(expiresAt, 365 * day)
    for (const state of ["OPEN", "PAID", "UNVERIFIED"] as const) assert.isUndefined(stateAfter([], { state }, late))
    assert.isUndefined(stateAfter([observed("CHECKOUT", checkout())], {}, late))
  })

  it("An attempt of which no checkout was learned is released exactly five minutes after its expiry.", () => {
    const unknown = { state: "OPENING", checkoutId: null } as const
    const last = addMilliseconds(expiresAt, 5 * minute)
    assert.isUndefined(stateAfter([], unknown, addMilliseconds(last, -1)))
    assert.strictEqual(stateAfter([], unknown, last), "RELEASED CHECKOUT_NOT_OPENED")
  })

  it("An attempt whose checkout is learned is open, and a released one stays released until it is paid.", () => {
    assert.strictEqual(stateAfter([], { state: "OPENING" }), "OPEN")
    assert.isUndefined(stateAfter([expired], { state: "RELEASED" }))
    assert.isUndefined(stateAfter([], { state: "RELEASED" }))
    assert.strictEqual(stateAfter([expired, observed("PAYMENT", payment())], { state: "RELEASED" }), "PAID")
    assert.strictEqual(
      stateAfter([expired, observed("PAYMENT", payment({ currency: "USD" }))], { state: "RELEASED" }),
      "UNVERIFIED"
    )
  })
})

describe("what the state of an attempt means for its order", () => {
  const journal = { count: 2, head: digestOfCharacter("9") }
  const id = binding.commerceOrderId

  it("Only the end of the attempt that the order awaits is an event of the order.", () => {
    const awaiting = { openAttemptId: id }
    assert.deepStrictEqual(eventOfOutcome(awaiting, id, { state: "PAID" }, journal), {
      kind: "ATTEMPT_PAID",
      payload: { commerceOrderId: id, journal }
    })
    assert.deepStrictEqual(
      eventOfOutcome(awaiting, id, { state: "RELEASED", reason: "CHECKOUT_EXPIRED" }, journal)?.payload,
      { commerceOrderId: id, reason: "CHECKOUT_EXPIRED", journal }
    )
    assert.isUndefined(eventOfOutcome(awaiting, id, { state: "UNVERIFIED" }, journal))
    assert.isUndefined(eventOfOutcome(awaiting, id, undefined, journal))
    assert.isUndefined(eventOfOutcome({ openAttemptId: null }, id, { state: "PAID" }, journal))
    assert.isUndefined(eventOfOutcome({ openAttemptId: "another" }, id, { state: "PAID" }, journal))
  })

  it("An unverified payment, and one that did not pay the order, need attention.", () => {
    const attempts = (["PAID", "PAID", "UNVERIFIED", "OPEN", "RELEASED"] as const).map((state, index) => ({
      commerceOrderId: `${index}`,
      state
    }))
    assert.deepStrictEqual(attentionOf({ paidAttemptId: "0" }, attempts), [
      { commerceOrderId: "1", reason: "LATE_PAYMENT" },
      { commerceOrderId: "2", reason: "UNVERIFIED" }
    ])
  })
})

describe("the times of readbacks", () => {
  const history = (state: AttemptState, changes: Partial<ReadbackHistory> = {}): ReadbackHistory => ({
    state,
    openedAt,
    lastEntryAt: openedAt,
    releasedAt: state === "RELEASED" ? openedAt : null,
    failures: 0,
    ...changes
  })
  /** The wait, of a readback that much after the start. */
  const waitAfter = (past: ReadbackHistory, elapsed: number): number | null => {
    const now = addMilliseconds(openedAt, elapsed)
    const next = nextReadback(past, now)
    return next === never ? null : toMilliseconds(next) - toMilliseconds(now)
  }

  it.each<[AttemptState, number, number | null]>([
    ["OPENING", 0, 2 * minute],
    ["OPEN", 30 * day, 2 * minute],
    ["PAID", 0, 45 * minute],
    ["PAID", 7 * day - 1, 45 * minute],
    ["PAID", 7 * day, day],
    ["UNVERIFIED", 180 * day - 1, day],
    ["PAID", 180 * day, null],
    ["RELEASED", 0, hour],
    ["RELEASED", hour - 1, 1],
    ["RELEASED", hour, 23 * hour],
    ["RELEASED", day - 1, 1],
    ["RELEASED", day, null]
  ])("A readback of an attempt that is %s for %i ms is followed by one after %i ms.", (state, elapsed, wait) => {
    assert.strictEqual(waitAfter(history(state), elapsed), wait)
  })

  it.each([
    [1, 15 * second],
    [2, 30 * second],
    [4, 2 * minute],
    [8, 32 * minute],
    [9, 45 * minute]
  ])("After %i failures a paid attempt is read again after %i ms.", (failures, wait) => {
    assert.strictEqual(waitAfter(history("PAID", { failures }), 0), wait)
  })

  it("The backoff after failures is at most an hour, and ends on day 180.", () => {
    assert.strictEqual(waitAfter(history("PAID", { failures: 60 }), 10 * day), hour)
    assert.strictEqual(waitAfter(history("RELEASED", { failures: 60 }), 10 * day), hour)
    assert.isNull(waitAfter(history("PAID", { failures: 60 }), 180 * day))
  })

  it("A lost opening is repeated while 30 minutes remain.", () => {
    const last = addMilliseconds(expiresAt, -30 * minute)
    assert.isTrue(mayRepeatOpening(expiresAt, last))
    assert.isFalse(mayRepeatOpening(expiresAt, addMilliseconds(last, 1)))
  })
})
