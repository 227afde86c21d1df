/** The financial events of a Result Order: a hash chain, whatever happens to the order. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { digestOf } from "../../src/canonical/digest.ts"
import { isLiveAttempt, type AttemptState } from "../../src/commerce/attempt.ts"
import { decideOrder, type OrderCommand } from "../../src/commerce/decide.ts"
import { FinancialEvent, nextFinancialEvent } from "../../src/commerce/financial-event.ts"
import { orderPreconditions } from "../../src/commerce/guards.ts"
import { orderFrom, type ResultOrder } from "../../src/commerce/result-order.ts"
import { resultOrderPayload, ResultOrderRecord } from "../../src/commerce/result-order-record.ts"
import { addMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"
import { digestOfCharacter } from "../support/project-people.ts"
import {
  append,
  attemptId,
  baseUrl,
  buyer,
  factsWith,
  offered,
  orderIn,
  orderTime,
  pay,
  released,
  resultOrderId,
  supplier,
  terms
} from "../support/result-orders.ts"

type Step = OrderCommand["action"] | "RELEASE" | "PAID"

interface Walk {
  readonly order: ResultOrder
  readonly attempts: ReadonlyArray<{ readonly commerceOrderId: string; readonly state: AttemptState }>
}

const journal = { count: 0, head: digestOfCharacter("8") }

const end = ({ order, attempts }: Walk, state: "RELEASED" | "PAID", now: Instant): Walk => {
  const commerceOrderId = order.openAttemptId
  if (commerceOrderId === null) return { order, attempts }
  const content =
    state === "PAID"
      ? ({ kind: "ATTEMPT_PAID", payload: { commerceOrderId, journal } } as const)
      : ({
          kind: "ATTEMPT_RELEASED",
          payload: { commerceOrderId, reason: "PAYMENT_FAILED", journal }
        } as const)
  return {
    order: append(order, content, "SERVICE", now),
    attempts: attempts.map((one) => (one.commerceOrderId === commerceOrderId ? { ...one, state } : one))
  }
}

const walkOn = (walk: Walk, step: Step, now: Instant): Walk => {
  if (step === "RELEASE") return end(walk, "RELEASED", now)
  if (step === "PAID") return end(walk, "PAID", now)
  const { order, attempts } = walk
  const command: OrderCommand =
    step === "DECLINE_RESULT_ORDER" || step === "WITHDRAW_RESULT_ORDER"
      ? { action: step, reason: "No." }
      : { action: step }
  const commerceOrderId = attemptId(order.attempts + 1)
  const preconditions = orderPreconditions(order)
  const decided = decideOrder(order, command, {
    preconditions,
    facts: factsWith({ attempts }),
    now,
    commerceOrderId,
    baseUrl
  })
  if (Result.isFailure(decided)) return walk
  const opened = decided.success.kind === "ATTEMPT_OPENED" ? [{ commerceOrderId, state: "OPEN" } as const] : []
  return {
    order: append(order, decided.success, step === "WITHDRAW_RESULT_ORDER" ? supplier : buyer, now),
    attempts: [...attempts, ...opened]
  }
}

const steps: ReadonlyArray<Step> = [
  "APPROVE_RESULT_ORDER",
  "PAY_RESULT_ORDER",
  "RELEASE",
  "PAY_RESULT_ORDER",
  "PAID",
  "WITHDRAW_RESULT_ORDER",
  "DECLINE_RESULT_ORDER"
]

const anyWalk = fc
  .array(fc.record({ step: fc.constantFrom(...steps), wait: fc.integer({ min: -60_000, max: 60_000 }) }), {
    maxLength: 20
  })
  .map((taken) => {
    let now = orderTime
    let walk: Walk = { order: offered(), attempts: [] }
    for (const { step, wait } of taken) {
      now = addMilliseconds(now, wait)
      walk = walkOn(walk, step, now)
    }
    return walk
  })
const walks = fc.sample(anyWalk, { numRuns: 400, seed: 20_260_201 })

describe("the financial events of random histories", () => {
  it("Random histories reach every state of an order.", () => {
    assert.sameMembers(
      [...new Set(walks.map(({ order }) => order.state))],
      ["OFFERED", "APPROVED", "PAYING", "PAID", "DECLINED", "WITHDRAWN"]
    )
  })

  it("Events form a hash chain from the digest of the terms, with monotonic times, even if the clock is set back.", () => {
    for (const { order } of walks) {
      let previous = digestOf(terms)
      let earliest = ""
      for (const [index, { hash, ...event }] of order.events.entries()) {
        assert.deepStrictEqual([event.sequence, event.previous, hash], [index + 1, previous, digestOf(event)])
        assert.isTrue(event.occurredAt >= earliest)
        assert.isTrue(Schema.is(FinancialEvent)({ ...event, hash }))
        previous = hash
        earliest = event.occurredAt
      }
      assert.strictEqual(order.financialHead, previous)
    }
  })

  it("An order equals the fold of its events.", () => {
    for (const { order } of walks) assert.deepStrictEqual(orderFrom(resultOrderId, terms, order.events), order)
  })

  it("An order has at most one live attempt and takes one payment.", () => {
    for (const { order, attempts } of walks) {
      assert.isAtMost(attempts.filter(({ state }) => isLiveAttempt(state)).length, 1)
      assert.isAtMost(order.events.filter(({ kind }) => kind === "ATTEMPT_PAID").length, 1)
      assert.strictEqual(order.openAttemptId !== null, order.state === "PAYING")
    }
  })
})

describe("the Result Order record", () => {
  const issuer = { issuer: "https://example.org", environment: "test" }
  const of = (order: ResultOrder, now = orderTime) =>
    resultOrderPayload(order, { commerceOrderId: attemptId(order.attempts + 1), baseUrl }, issuer, now)

  it("The record of an attempt encloses the events before it and ends at their head.", () => {
    const order = orderIn("APPROVED")
    const record = of(order)
    assert.isTrue(Schema.is(ResultOrderRecord)(record))
    assert.deepStrictEqual(record.financialEvents, order.events)
    assert.strictEqual(record.financialHead, order.financialHead)
    assert.strictEqual(
      record.acceptedSourceDigest,
      digestOf([record.termsDigest, record.financialHead, baseUrl, baseUrl, terms.agreement.digest])
    )
  })

  it("The record of a second attempt encloses the opening and the release of the first.", () => {
    const kinds = of(released(orderIn("PAYING"))).financialEvents.map(({ kind }) => kind)
    assert.deepStrictEqual(kinds, ["OFFERED", "APPROVED", "ATTEMPT_OPENED", "ATTEMPT_RELEASED"])
  })

  it("The source of the record is the one that the opening of the attempt names.", () => {
    const order = orderIn("APPROVED")
    const paying = walkOn({ order, attempts: [] }, pay.action, orderTime).order.events.at(-1)!
    assert.strictEqual(
      paying.kind === "ATTEMPT_OPENED" && paying.payload.acceptedSourceDigest,
      of(order).acceptedSourceDigest
    )
  })

  it("A record is not issued before its last event, even if the clock was set back.", () => {
    assert.strictEqual(of(orderIn("APPROVED"), addMilliseconds(orderTime, -1)).issuedAt, orderTime)
  })

  it("An event of the service names no request and no person.", () => {
    const event = nextFinancialEvent(
      offered(),
      { kind: "APPROVED", payload: { termsDigest: "" } },
      { by: "SERVICE", now: orderTime }
    )
    assert.deepStrictEqual([event.requestId, event.actor], [null, null])
  })
})
