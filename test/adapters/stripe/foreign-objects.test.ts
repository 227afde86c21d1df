/** Objects that are not what the adapter asked for, and openings that are repeated, over a server of Stripe's form. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { isOwnCheckout } from "../../../src/commerce/capture.ts"
import { labelsOf } from "../../../src/commerce/labels.ts"
import type { Observation } from "../../../src/commerce/journal.ts"
import type { Readback } from "../../../src/ports/payments.ts"
import { components, type Component } from "../../../src/vocabulary/payments.ts"
import { uuidOf } from "../../support/project-people.ts"
import type { Fault } from "../../support/stripe/faults.ts"
import { openedAttempt, performAt } from "../../support/stripe/payments.ts"
import { commerceOrderId } from "../../support/stripe/requests.ts"

/** An attempt with an entity of every component. */
const paidAttempt = Effect.gen(function* () {
  const attempt = yield* openedAttempt()
  performAt(attempt.server, { act: "pay", commerceOrderId })
  performAt(attempt.server, { act: "refund", commerceOrderId, amountMinor: 25_000 })
  performAt(attempt.server, { act: "dispute", commerceOrderId })
  performAt(attempt.server, { act: "reverseTransfer", commerceOrderId, amountMinor: 25_000 })
  performAt(attempt.server, { act: "payOut", accountId: attempt.accountId })
  return attempt
})

const failuresOf = (readback: Readback) =>
  components.flatMap((component) => {
    const read = readback[component]
    return read.outcome === "FAILED" ? [[component, read.reason]] : []
  })

type Change = (object: any) => object

const changed = (change: Change): Fault => ({ kind: "CHANGE", change })
const onIntent =
  (change: Change): Change =>
  (session) => ({ ...session, payment_intent: { ...session.payment_intent, ...change(session.payment_intent) } })
const onEach =
  (change: Change): Change =>
  (list) => ({ ...list, data: list.data.map((one: object) => ({ ...one, ...change(one) })) })

const checkout = /^\/v1\/checkout\/sessions\/[^/]+$/
const transfer = /^\/v1\/transfers\/[^/]+$/
const reversals = /^\/v1\/transfers\/[^/]+\/reversals$/
const live: Change = () => ({ livemode: true })
const ofPayment = ["REFUND", "DISPUTE", "TRANSFER", "PAYOUT"] as const

/** The failures of a readback in which the answers of one path are changed. */
const failuresWith = Effect.fnUntraced(function* (path: RegExp, change: Change) {
  const { server, payments, readback } = yield* paidAttempt
  assert.deepStrictEqual(failuresOf(yield* payments.readBack(readback)), [])
  server.fault = (request) => (path.test(request.path) ? changed(change) : undefined)
  return failuresOf(yield* Effect.provide(payments.readBack(readback), Logger.layer([])))
})

type Case = readonly [
  what: string,
  path: RegExp,
  change: Change,
  component: Component,
  dependents: ReadonlyArray<Component>
]

const otherEnvironment: ReadonlyArray<Case> = [
  ["checkout", checkout, (session) => ({ ...session, livemode: true }), "CHECKOUT", []],
  ["payment", checkout, onIntent(live), "PAYMENT", ofPayment],
  [
    "charge",
    checkout,
    onIntent(({ latest_charge: charge }) => ({ latest_charge: { ...charge, livemode: true } })),
    "PAYMENT",
    ofPayment
  ],
  ["dispute", /^\/v1\/disputes$/, onEach(live), "DISPUTE", []],
  ["transfer", transfer, (one) => ({ ...one, livemode: true }), "TRANSFER", ["PAYOUT"]],
  ["payout", /^\/v1\/payouts$/, onEach(live), "PAYOUT", []]
]

const anotherObject: ReadonlyArray<Case> = [
  ["checkout with another id", checkout, (session) => ({ ...session, id: "cs_sim_other" }), "CHECKOUT", []],
  [
    "charge of another payment",
    checkout,
    onIntent(({ latest_charge: charge }) => ({ latest_charge: { ...charge, payment_intent: "pi_sim_other" } })),
    "PAYMENT",
    ofPayment
  ],
  ["refund of another payment", /^\/v1\/refunds$/, onEach(() => ({ payment_intent: "pi_sim_other" })), "REFUND", []],
  ["dispute of another charge", /^\/v1\/disputes$/, onEach(() => ({ charge: "ch_sim_other" })), "DISPUTE", []],
  ["transfer with another id", transfer, (one) => ({ ...one, id: "tr_sim_other" }), "TRANSFER", ["PAYOUT"]],
  ["transfer of another charge", transfer, (one) => ({ ...one, source_transaction: "ch_x" }), "TRANSFER", ["PAYOUT"]],
  ["reversal of another transfer", reversals, onEach(() => ({ transfer: "tr_x" })), "TRANSFER", ["PAYOUT"]]
]

const dependencyFailed = (component: Component) => [component, "DEPENDENCY_FAILED"]

describe("Objects that were not asked for", () => {
  it.live.each(otherEnvironment)(
    "A %s of the other environment fails its component.",
    ([, path, change, component, dependents]) =>
      Effect.gen(function* () {
        const failures = yield* failuresWith(path, change)
        assert.deepStrictEqual(failures, [[component, "LIST_INCONSISTENT"], ...dependents.map(dependencyFailed)])
      })
  )

  it.live.each(anotherObject)("A %s fails its component.", ([, path, change, component, dependents]) =>
    Effect.gen(function* () {
      const failures = yield* failuresWith(path, change)
      assert.deepStrictEqual(failures, [[component, "LIST_INCONSISTENT"], ...dependents.map(dependencyFailed)])
    })
  )

  it.live("A payment to another account is read as it is, and has no label.", () =>
    Effect.gen(function* () {
      const { payments, readback, accountId } = yield* paidAttempt
      const bound = { ...readback.binding, recipientAccount: "acct_sim_other" }
      const observations = observed(yield* payments.readBack({ ...readback, binding: bound }))
      const found = observations.find(({ component }) => component === "PAYMENT")
      assert.include(found?.facts, { recipientAccount: accountId })
      const labels = labelsOf(bound, observations)
      const unlabelled = components.filter((_, index) => labels[index] === null)
      assert.deepStrictEqual(unlabelled, ["CHECKOUT", "PAYMENT", "TRANSFER", "PAYOUT"])
    })
  )

  it.live("A checkout of another attempt or digest is not that of the attempt.", () =>
    Effect.gen(function* () {
      const { payments, readback } = yield* paidAttempt
      const { CHECKOUT: read } = yield* payments.readBack(readback)
      const facts = read.outcome === "READ" ? read.entities[0]!.facts : assert.fail(read.reason)
      const { binding } = readback
      assert.isTrue(isOwnCheckout(binding, facts))
      assert.isFalse(isOwnCheckout({ ...binding, commerceOrderId: `commerce_${uuidOf(9)}` }, facts))
      assert.isFalse(isOwnCheckout({ ...binding, acceptedSourceDigest: "0".repeat(64) }, facts))
      assert.isFalse(isOwnCheckout({ ...binding, environment: "LIVE" }, facts))
    })
  )
})

/** One observation a component, in their order. */
const observed = (readback: Readback): ReadonlyArray<Observation> =>
  components.flatMap((component) => {
    const read = readback[component]
    const [first] = read.outcome === "READ" ? read.entities : []
    return first === undefined ? [] : [{ component, entity: first.entity, facts: first.facts } as Observation]
  })

describe("Openings that are repeated", () => {
  it.live.each(["BEFORE", "AFTER"] as const)(
    "If the connection is reset %s an opening takes effect, its repetition opens one checkout.",
    (when) =>
      Effect.gen(function* () {
        const { server, payments, request } = yield* openedAttempt()
        const other = { ...request, commerceOrderId: `commerce_${uuidOf(9)}` }
        const before = server.received.length
        server.fault = () => (server.received.length === before + 1 ? { kind: "RESET", when } : undefined)
        const { checkoutId } = yield* payments.openCheckout(other)
        assert.strictEqual(server.received.length, before + 2)
        assert.strictEqual(server.provider.state.purchases.at(-1)?.checkout.entity, checkoutId)
        assert.lengthOf(server.provider.state.purchases, 2)
      })
  )

  it.live("Two openings of one attempt at the same time open one checkout.", () =>
    Effect.gen(function* () {
      const { server, payments, request } = yield* openedAttempt()
      const other = { ...request, commerceOrderId: `commerce_${uuidOf(9)}` }
      server.fault = () => ({ kind: "DELAY", milliseconds: 100 })
      const opening = payments.openCheckout(other)
      const [one, two] = yield* Effect.all([opening, opening], { concurrency: "unbounded" })
      assert.deepStrictEqual(one, two)
      assert.lengthOf(server.provider.state.purchases, 2)
    })
  )
})
