/** Captures: from readbacks to the entries of a journal, their times, and the components that failed. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import fc from "fast-check"
import { digestOf } from "../../src/canonical/digest.ts"
import { capture, isOwnCheckout, type Capture, type CapturedAttempt } from "../../src/commerce/capture.ts"
import { emptyJournal, JournalEntry, type Observation } from "../../src/commerce/journal.ts"
import { failedComponent, failedReadback } from "../../src/ports/payment-readback.ts"
import type { Readback } from "../../src/ports/payments.ts"
import { addMilliseconds, later, type Instant } from "../../src/vocabulary/instant.ts"
import { components, type Component } from "../../src/vocabulary/payments.ts"
import {
  binding,
  charge,
  checkout,
  checkoutId,
  dispute,
  observed,
  paidCheckout,
  payment,
  paymentId,
  payout,
  readbackOf,
  refund,
  reversal,
  transfer,
  unpaid
} from "../support/payment-facts.ts"

const openedAt = "2026-01-02T09:00:00.000Z" as Instant
const at = (seconds: number): Instant => addMilliseconds(openedAt, seconds * 1_000)

const opened: CapturedAttempt = {
  state: "OPEN",
  binding,
  checkoutId,
  expiresAt: at(3_600),
  observations: [],
  openedAt,
  journal: emptyJournal(binding),
  lastObservedAt: {}
}

/** The attempt after a capture. */
const afterCapture = (attempt: CapturedAttempt, made: Capture): CapturedAttempt => ({
  ...attempt,
  state: made.outcome?.state ?? attempt.state,
  observations: made.observations,
  journal: made.journal,
  lastObservedAt: Object.fromEntries(
    made.components.flatMap(({ component, lastObservedAt }) =>
      lastObservedAt === null ? [] : [[component, lastObservedAt]]
    )
  )
})

const after = (observations: ReadonlyArray<Observation>, attempt = opened): CapturedAttempt =>
  afterCapture(attempt, capture(attempt, readbackOf(observations), at(5)))

const open = [observed("CHECKOUT", checkout())]
const whole: ReadonlyArray<Observation> = [
  observed("CHECKOUT", paidCheckout()),
  observed(
    "PAYMENT",
    payment({ charge: charge({ amountRefundedMinor: 25_000, disputed: true, transferId: "tr_sim_1" }) })
  ),
  observed("REFUND", refund()),
  observed("DISPUTE", dispute()),
  observed("TRANSFER", transfer({ amountReversedMinor: 25_000, reversals: [reversal] })),
  observed("PAYOUT", payout())
]

/** The observations with another entity of a component, or changed facts of its one entity. */
const replaced = (component: Component, ...by: ReadonlyArray<Observation>) => [
  ...whole.filter((one) => one.component !== component),
  ...by
]

const failuresOf = ({ components }: Pick<Capture, "components">) =>
  Object.fromEntries(components.flatMap(({ component, reason }) => (reason === null ? [] : [[component, reason]])))

describe("the entries of a capture", () => {
  it("A first readback captures every entity, in the order of the components.", () => {
    const { entries, journal, outcome } = capture(opened, readbackOf(whole.toReversed()), at(5))
    assert.deepStrictEqual(
      entries.map(({ component }) => component),
      [...components]
    )
    assert.deepStrictEqual(journal, { count: 6, head: entries[5]!.hash })
    assert.deepStrictEqual(outcome, { state: "PAID" })
  })

  it("Unchanged facts are not captured again, however often they are read.", () => {
    let attempt = after(whole)
    for (let poll = 1; poll <= 10; poll++) {
      const made = capture(attempt, readbackOf(whole), at(5 + poll))
      assert.deepStrictEqual([made.entries, made.journal, made.outcome], [[], attempt.journal, undefined])
      assert.isTrue(made.components.every(({ lastObservedAt }) => lastObservedAt === at(5 + poll)))
      attempt = afterCapture(attempt, made)
    }
  })

  it("Only the entity whose facts changed is captured again.", () => {
    const made = capture(after(open), readbackOf([observed("CHECKOUT", checkout({ state: "EXPIRED" }))]), at(9))
    assert.deepStrictEqual(
      made.entries.map(({ sequence, component, observedAt }) => [sequence, component, observedAt]),
      [[2, "CHECKOUT", at(9)]]
    )
    assert.deepStrictEqual(made.outcome, { state: "RELEASED", reason: "CHECKOUT_EXPIRED" })
  })

  it("Entities of one component are captured by the time of their creation, then by their id.", () => {
    const refunds = [
      observed("REFUND", refund({ createdAt: at(30) }), "re_1"),
      observed("REFUND", refund({ createdAt: at(20) }), "re_3"),
      observed("REFUND", refund({ createdAt: at(20) }), "re_2")
    ]
    const { entries } = capture(opened, readbackOf(replaced("REFUND", ...refunds)), at(60))
    assert.deepStrictEqual(
      entries.flatMap(({ component, entity }) => (component === "REFUND" ? [entity] : [])),
      ["re_2", "re_3", "re_1"]
    )
  })

  it("An entry is observed when the provider was asked, and never before the opening or the last observation.", () => {
    const observedAt = (attempt: CapturedAttempt, startedAt: Instant) =>
      capture(attempt, readbackOf(open), startedAt).observedAt
    assert.strictEqual(observedAt(opened, at(7)), at(7))
    assert.strictEqual(observedAt(opened, at(-60)), openedAt)
    assert.strictEqual(observedAt(after(open), at(4)), at(5))
  })
})

describe("a component that was not read", () => {
  it("A failed component keeps its entries and its time, and the others are captured.", () => {
    const attempt = after(whole)
    const readback: Readback = { ...readbackOf(whole), DISPUTE: failedComponent("PROVIDER_UNAVAILABLE") }
    const { entries, components: parts } = capture(attempt, readback, at(30))
    assert.deepStrictEqual(entries, [])
    assert.deepStrictEqual<unknown>(
      parts.map(({ component, outcome, lastObservedAt }) => [component, outcome, lastObservedAt]),
      components.map((one) => (one === "DISPUTE" ? [one, "FAILED", at(5)] : [one, "READ", at(30)]))
    )
  })

  it("A component that was never read has no time.", () => {
    const { components: parts, entries } = capture(opened, failedReadback("PROVIDER_UNAVAILABLE"), at(5))
    assert.isTrue(parts.every(({ outcome, lastObservedAt }) => outcome === "FAILED" && lastObservedAt === null))
    assert.deepStrictEqual(entries, [])
  })

  it("Refunds, disputes and transfers are not read without the payment, nor payouts without the transfers.", () => {
    const without = (component: Component) =>
      failuresOf(capture(opened, { ...readbackOf(whole), [component]: failedComponent("PROVIDER_REFUSED") }, at(5)))
    const dependent = "DEPENDENCY_FAILED"
    assert.deepStrictEqual(without("PAYMENT"), {
      PAYMENT: "PROVIDER_REFUSED",
      REFUND: dependent,
      DISPUTE: dependent,
      TRANSFER: dependent,
      PAYOUT: dependent
    })
    assert.deepStrictEqual(without("TRANSFER"), { TRANSFER: "PROVIDER_REFUSED", PAYOUT: dependent })
    assert.deepStrictEqual(without("REFUND"), { REFUND: "PROVIDER_REFUSED" })
    assert.deepStrictEqual(without("CHECKOUT"), { CHECKOUT: "PROVIDER_REFUSED" })
  })

  it.each(components)("A known entity that is missing makes its component fail: %s.", (component) => {
    const attempt = after(whole)
    const other = component === "CHECKOUT" ? [] : [{ ...whole[components.indexOf(component)]!, entity: "new" }]
    const failures = failuresOf(capture(attempt, readbackOf(replaced(component, ...other)), at(9)))
    assert.oneOf(failures[component], ["ENTITY_ABSENT", "LIST_INCONSISTENT"])
  })

  it.each<[string, ReadonlyArray<Observation>, Component]>([
    ["two checkouts", [...whole, observed("CHECKOUT", checkout(), "cs_sim_2")], "CHECKOUT"],
    ["the checkout of another attempt", replaced("CHECKOUT", observed("CHECKOUT", checkout(), "cs_sim_2")), "CHECKOUT"],
    ["an entity twice", [...whole, observed("REFUND", refund())], "REFUND"],
    ["a checkout whose payment is not listed", replaced("PAYMENT", observed("PAYMENT", payment(), "pi_2")), "PAYMENT"],
    ["a refunded charge without a refund", replaced("REFUND"), "REFUND"],
    ["a flagged charge without a dispute", replaced("DISPUTE"), "DISPUTE"],
    [
      "a dispute without its charge's flag",
      replaced("DISPUTE", observed("DISPUTE", dispute({ disputed: false }))),
      "DISPUTE"
    ],
    ["a transferred charge without a transfer", replaced("TRANSFER"), "TRANSFER"],
    [
      "fewer reversals than were reversed",
      replaced("TRANSFER", observed("TRANSFER", transfer({ amountReversedMinor: 1 }))),
      "TRANSFER"
    ]
  ])("A readback with %s is inconsistent.", (_, observations, component) => {
    assert.strictEqual(failuresOf(capture(opened, readbackOf(observations), at(5)))[component], "LIST_INCONSISTENT")
    assert.deepStrictEqual(failuresOf(capture(opened, readbackOf(whole), at(5))), {})
  })

  it("An expired checkout releases its attempt only when the payment is read too, without another entry.", () => {
    const expired = readbackOf([
      observed("CHECKOUT", checkout({ state: "EXPIRED", paymentId })),
      observed("PAYMENT", unpaid())
    ])
    const unread = { ...expired, PAYMENT: failedComponent("PROVIDER_UNAVAILABLE") }
    // The second readback has the time of the first, as after a clock that was set back.
    const read = after([observed("CHECKOUT", checkout({ paymentId })), observed("PAYMENT", unpaid())])
    for (const attempt of [opened, read]) {
      const ended = capture(attempt, unread, at(5))
      assert.isUndefined(ended.outcome)
      const known = afterCapture(attempt, ended)
      assert.isUndefined(capture(known, unread, at(9)).outcome)
      const released = { state: "RELEASED", reason: "CHECKOUT_EXPIRED" }
      assert.deepStrictEqual<unknown>(capture(known, expired, at(12)).outcome, released)
      const withoutCheckout = { ...expired, CHECKOUT: failedComponent("PROVIDER_UNAVAILABLE") } as const
      assert.deepStrictEqual<unknown>(capture(known, withoutCheckout, at(12)).outcome, released)
    }
    const made = capture(afterCapture(read, capture(read, unread, at(9))), expired, at(12))
    assert.deepStrictEqual(made.entries, [])
  })

  it("A step back is not captured, and the component is read again once the provider repeats what it had said.", () => {
    const attempt = after([observed("CHECKOUT", checkout({ state: "EXPIRED" }))])
    const made = capture(attempt, readbackOf(open), at(9))
    assert.deepStrictEqual(failuresOf(made), { CHECKOUT: "STEP_BACK" })
    assert.deepStrictEqual(made.entries, [])
  })

  it("A refund that comes back lowers the refunded sum of its charge by so much and no more.", () => {
    const attempt = after(whole)
    const lowered = (amountRefundedMinor: number) => [
      ...whole.filter(({ component }) => component !== "PAYMENT" && component !== "REFUND"),
      observed("PAYMENT", payment({ charge: charge({ amountRefundedMinor, disputed: true, transferId: "tr_sim_1" }) })),
      observed("REFUND", refund({ state: "FAILED" }))
    ]
    const made = capture(attempt, readbackOf(lowered(0)), at(9))
    assert.deepStrictEqual(failuresOf(made), {})
    assert.deepStrictEqual(
      made.entries.map(({ component }) => component),
      ["PAYMENT", "REFUND"]
    )
    const stillSucceeded = lowered(0).map((one) => (one.component === "REFUND" ? observed("REFUND", refund()) : one))
    assert.strictEqual(failuresOf(capture(attempt, readbackOf(stillSucceeded), at(9)))["PAYMENT"], "STEP_BACK")
  })
})

describe("the refunded sum of a charge", () => {
  const [first, second] = ["re_1", "re_2"]
  const refunded = (amountRefundedMinor: number, ...refunds: ReadonlyArray<Observation>) => [
    observed("CHECKOUT", paidCheckout()),
    observed("PAYMENT", payment({ charge: charge({ amountRefundedMinor }) })),
    ...refunds
  ]
  const ofSum = (entity: string, amountMinor: number, state: "SUCCEEDED" | "FAILED") =>
    observed("REFUND", refund({ amountMinor, state }), entity)
  const earlier = ofSum(first, 25_000, "FAILED")

  it("A refund that had come back before lowers it no further: an answer of the past is a step back.", () => {
    const attempt = after(refunded(10_000, earlier, ofSum(second, 10_000, "SUCCEEDED")))
    const stale = capture(attempt, readbackOf(refunded(1, earlier, ofSum(second, 10_000, "SUCCEEDED"))), at(9))
    assert.strictEqual(failuresOf(stale)["PAYMENT"], "STEP_BACK")
    const returned = capture(attempt, readbackOf(refunded(0, earlier, ofSum(second, 10_000, "FAILED"))), at(9))
    assert.deepStrictEqual(failuresOf(returned), {})
  })

  it("It shrinks in a later readback, where it was read before the refund came back, or the refund was never read.", () => {
    const late = after(refunded(25_000, earlier))
    assert.deepStrictEqual(failuresOf(capture(late, readbackOf(refunded(0, earlier)), at(9))), {})
    const unread: Readback = { ...readbackOf(refunded(25_000)), REFUND: failedComponent("PROVIDER_UNAVAILABLE") }
    const unknown = afterCapture(opened, capture(opened, unread, at(5)))
    assert.deepStrictEqual(failuresOf(capture(unknown, readbackOf(refunded(0, earlier)), at(9))), {})
    assert.strictEqual(failuresOf(capture(unknown, readbackOf(refunded(0)), at(9)))["PAYMENT"], "STEP_BACK")
  })
})

describe("the adoption of a checkout", () => {
  it("A checkout is the attempt's own only with its reference, source and environment.", () => {
    assert.isTrue(isOwnCheckout(binding, checkout()))
    const others = [
      { commerceOrderId: "x" },
      { commerceOrderId: null },
      { acceptedSourceDigest: "x" },
      { environment: "LIVE" }
    ] as const
    for (const changes of others) assert.isFalse(isOwnCheckout(binding, checkout(changes)))
  })
})

/** Readbacks of a provider that answers truly, fails in part, or answers with something older. */
const story: ReadonlyArray<ReadonlyArray<Observation>> = [
  open,
  [observed("CHECKOUT", checkout({ paymentId })), observed("PAYMENT", unpaid())],
  [observed("CHECKOUT", checkout({ paymentId })), observed("PAYMENT", unpaid({ state: "PROCESSING" }))],
  [observed("CHECKOUT", paidCheckout()), observed("PAYMENT", payment())],
  whole.filter(({ component }) => component !== "PAYOUT"),
  whole
]

const anyReadbacks = fc.array(
  fc.record({
    progress: fc.integer({ min: 0, max: story.length - 1 }),
    isOlder: fc.boolean(),
    fails: fc.subarray([...components], { maxLength: 2 }),
    wait: fc.integer({ min: -120, max: 120 })
  }),
  { maxLength: 12 }
)

const forEachHistory = (
  check: (entries: ReadonlyArray<JournalEntry>, attempt: CapturedAttempt, made: Capture) => void
) => {
  for (const readbacks of fc.sample(anyReadbacks, { numRuns: 300, seed: 20_260_102 })) {
    let attempt = opened
    let entries: ReadonlyArray<JournalEntry> = []
    let progress = 0
    let now = openedAt
    for (const { progress: next, isOlder, fails, wait } of readbacks) {
      progress = isOlder ? progress : Math.max(progress, next)
      now = addMilliseconds(now, wait * 1_000)
      const failed = Object.fromEntries(fails.map((one) => [one, failedComponent("PROVIDER_UNAVAILABLE")]))
      const readback = { ...readbackOf(story[isOlder ? next : progress]!), ...failed }
      const made = capture(attempt, readback, now)
      entries = [...entries, ...made.entries]
      check(entries, attempt, made)
      attempt = afterCapture(attempt, made)
    }
  }
}

describe("the journals of random readbacks", () => {
  it("A journal only grows, and its entries form a hash chain from the binding.", () => {
    forEachHistory((entries, _, { journal }) => {
      let previousHash = digestOf(binding)
      for (const [index, { hash, ...content }] of entries.entries()) {
        assert.deepStrictEqual(
          [content.sequence, content.previousHash, hash],
          [index + 1, previousHash, digestOf(content)]
        )
        assert.isTrue(Schema.is(JournalEntry)({ ...content, hash }))
        previousHash = hash
      }
      assert.deepStrictEqual(journal, { count: entries.length, head: previousHash })
    })
  })

  it("Observation times never fall, even if the clock is set back.", () => {
    forEachHistory((entries, attempt, { observedAt }) => {
      const latest = Object.values(attempt.lastObservedAt).reduce(later, openedAt)
      assert.isTrue(observedAt >= latest)
      for (const [index, one] of entries.entries()) {
        assert.isTrue(one.observedAt >= (entries[index - 1]?.observedAt ?? openedAt))
      }
    })
  })

  it("An entry differs from the entry before it of the same entity.", () => {
    forEachHistory((entries) => {
      const latest = new Map<string, string>()
      for (const { component, entity, facts } of entries) {
        const digest = digestOf(facts)
        assert.notStrictEqual(latest.get(`${component} ${entity}`), digest)
        latest.set(`${component} ${entity}`, digest)
      }
    })
  })

  it("An attempt that is PAID stays so, whatever is read later.", () => {
    forEachHistory((_, attempt, { outcome }) => {
      if (attempt.state === "PAID") assert.isUndefined(outcome)
    })
  })
})
