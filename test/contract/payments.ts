/** The contract of every payment provider: one suite, run on each implementation of the port. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import type { ProviderAct } from "../../simulator/payments/acts.ts"
import type { ProviderCondition } from "../../simulator/payments/layer.ts"
import type { NotificationRequest } from "../../simulator/payments/notification.ts"
import type { LatestObservation } from "../../src/commerce/attempt.ts"
import { capture, isOwnCheckout, type CapturedAttempt } from "../../src/commerce/capture.ts"
import { emptyJournal, type JournalEntry } from "../../src/commerce/journal.ts"
import { labelsOf } from "../../src/commerce/labels.ts"
import type { CheckoutRequest, PaymentProvider, Readback } from "../../src/ports/payments.ts"
import { addMilliseconds, now, type Instant } from "../../src/vocabulary/instant.ts"
import { components, type CommerceBinding, type Component } from "../../src/vocabulary/payments.ts"
import { binding as someBinding } from "../support/payment-facts.ts"

/** An implementation with the provider behind it, which the test controls. */
export interface PaymentsUnderTest {
  readonly payments: PaymentProvider
  readonly perform: (act: ProviderAct) => Effect.Effect<void>
  readonly setCondition: (condition: ProviderCondition) => Effect.Effect<void>
  /** An authentic notification about the checkout of this attempt. */
  readonly notificationAbout: (commerceOrderId: string, at: Instant) => Effect.Effect<NotificationRequest>
}

const returnUrl = "https://example.org/workspace"
const hour = 3_600_000
const { commerceOrderId, recipientScope } = someBinding

/** An attempt whose checkout is open, with its journal so far. */
class Attempt {
  readonly checkoutId: string
  readonly binding: CommerceBinding
  entries: ReadonlyArray<JournalEntry> = []
  #attempt: CapturedAttempt
  readonly #under: PaymentsUnderTest

  constructor(under: PaymentsUnderTest, request: CheckoutRequest, checkoutId: string, openedAt: Instant) {
    const { currency, amountMinor, recipientAccount, expiresAt } = request
    const { provider, environment } = under.payments
    this.binding = { ...someBinding, provider, environment, currency, amountMinor, recipientAccount }
    this.checkoutId = checkoutId
    this.#under = under
    this.#attempt = {
      state: "OPEN",
      binding: this.binding,
      checkoutId,
      expiresAt,
      observations: [],
      openedAt,
      journal: emptyJournal(this.binding),
      lastObservedAt: {}
    }
  }

  /** An act on the attempt's checkout, or on its recipient's account. */
  readonly perform = (act: ProviderAct["act"], more: object = {}) => {
    const isOfAccount = act === "onboard" || act === "payOut" || act === "failPayout"
    const subject = isOfAccount ? { accountId: this.binding.recipientAccount } : { commerceOrderId }
    return this.#under.perform({ act, ...subject, ...more } as ProviderAct)
  }

  get known(): ReadonlyArray<LatestObservation> {
    return this.#attempt.observations
  }

  readonly readBack: Effect.Effect<Readback> = Effect.suspend(() =>
    this.#under.payments.readBack({ checkoutId: this.checkoutId, known: this.known, binding: this.binding })
  )

  /** Captures a readback; returns the components and labels of its new entries, and the failures. */
  readonly capture = Effect.map(Effect.zip(now, this.readBack), ([startedAt, readback]) => {
    const made = capture(this.#attempt, readback, startedAt)
    this.#attempt = { ...this.#attempt, ...made, state: made.outcome?.state ?? this.#attempt.state }
    this.entries = [...this.entries, ...made.entries]
    const labels = labelsOf(this.binding, this.entries).slice(this.entries.length - made.entries.length)
    return {
      entries: made.entries.map(({ component }, index) => [component, labels[index] ?? null] as const),
      failures: made.components.flatMap(({ component, reason }) =>
        reason === null ? [] : [[component, reason] as const]
      ),
      state: this.#attempt.state
    }
  })
}

type Fresh = Effect.Effect<PaymentsUnderTest, never, Scope.Scope>

const requestTo = (recipientAccount: string, at: Instant): CheckoutRequest => ({
  commerceOrderId,
  acceptedSourceDigest: someBinding.acceptedSourceDigest,
  currency: "EUR",
  amountMinor: someBinding.amountMinor,
  recipientAccount,
  title: "A logo",
  expiresAt: addMilliseconds(at, hour),
  returnUrl
})

/** A provider with an account that takes payments, and the request of a checkout to it. */
const withAccount = (fresh: Fresh) =>
  Effect.gen(function* () {
    const under = yield* fresh
    const { accountId } = yield* under.payments.openRecipientAccount(recipientScope, returnUrl)
    yield* under.perform({ act: "onboard", accountId })
    return { under, request: requestTo(accountId, yield* now) }
  })

const withCheckout = (fresh: Fresh) =>
  Effect.gen(function* () {
    const { under, request } = yield* withAccount(fresh)
    const openedAt = yield* now
    const { checkoutId } = yield* under.payments.openCheckout(request)
    return { under, request, attempt: new Attempt(under, request, checkoutId, openedAt) }
  })

const tagOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.match(effect, { onFailure: ({ _tag }) => _tag, onSuccess: () => "SUCCEEDED" })

export const paymentsContract = (name: string, fresh: Fresh): void => {
  describe(`Payments by ${name}`, () => {
    describe("recipient accounts", () => accountContract(fresh))
    describe("checkouts", () => checkoutContract(fresh))
    describe("readbacks", () => readbackContract(fresh))
    describe("readbacks that fail", () => failureContract(fresh))
    describe("notifications", () => notificationContract(fresh))
  })
}

const accountContract = (fresh: Fresh): void => {
  it.live("An organization has one account, which takes payments once it is completed.", () =>
    Effect.gen(function* () {
      const { payments, perform } = yield* fresh
      const opened = yield* payments.openRecipientAccount(recipientScope, returnUrl)
      const again = yield* payments.openRecipientAccount(recipientScope, returnUrl)
      assert.strictEqual(again.accountId, opened.accountId)
      const other = yield* payments.openRecipientAccount(someBinding.buyerScope, returnUrl)
      assert.notStrictEqual(other.accountId, opened.accountId)
      const before = yield* payments.readRecipientAccount(opened.accountId, returnUrl)
      assert.isFalse(before.payable)
      assert.isNotNull(before.onboardingUrl)
      yield* perform({ act: "onboard", accountId: opened.accountId })
      assert.deepStrictEqual(yield* payments.readRecipientAccount(opened.accountId, returnUrl), {
        payable: true,
        onboardingUrl: null
      })
    })
  )

  it.live("An unknown account is refused.", () =>
    Effect.gen(function* () {
      const { payments } = yield* fresh
      assert.strictEqual(yield* tagOf(payments.readRecipientAccount("acct_unknown", returnUrl)), "ProviderRefused")
    })
  )
}

const checkoutContract = (fresh: Fresh): void => {
  it.live("The same request opens the same checkout, and another one under its key is refused.", () =>
    Effect.gen(function* () {
      const { under, request } = yield* withAccount(fresh)
      const opened = yield* under.payments.openCheckout(request)
      assert.deepStrictEqual(yield* under.payments.openCheckout(request), opened)
      const other = under.payments.openCheckout({ ...request, amountMinor: request.amountMinor + 1 })
      assert.strictEqual(yield* tagOf(other), "ProviderRefused")
    })
  )

  it.live("A checkout to an account that takes no payments is refused.", () =>
    Effect.gen(function* () {
      const { payments } = yield* fresh
      const { accountId } = yield* payments.openRecipientAccount(recipientScope, returnUrl)
      assert.strictEqual(yield* tagOf(payments.openCheckout(requestTo(accountId, yield* now))), "ProviderRefused")
    })
  )

  it.live("A repeated opening whose answer was lost returns the checkout that it had opened.", () =>
    Effect.gen(function* () {
      const { under, request } = yield* withAccount(fresh)
      yield* under.setCondition({ availability: "WORKING", losesOpenings: true })
      assert.strictEqual(yield* tagOf(under.payments.openCheckout(request)), "ProviderUnavailable")
      yield* under.setCondition({ availability: "WORKING" })
      const { checkoutId } = yield* under.payments.openCheckout(request)
      assert.strictEqual((yield* under.payments.openCheckout(request)).checkoutId, checkoutId)
    })
  )

  it.live("A provider that is down and one that refuses are told apart.", () =>
    Effect.gen(function* () {
      const { under, request } = yield* withAccount(fresh)
      yield* under.setCondition({ availability: "DOWN" })
      assert.strictEqual(yield* tagOf(under.payments.openCheckout(request)), "ProviderUnavailable")
      yield* under.setCondition({ availability: "REFUSING" })
      assert.strictEqual(yield* tagOf(under.payments.openCheckout(request)), "ProviderRefused")
    })
  )
}

const readbackContract = (fresh: Fresh): void => {
  it.live("An open checkout is read with the values of its request, and nothing else is found.", () =>
    Effect.gen(function* () {
      const { attempt } = yield* withCheckout(fresh)
      const readback = yield* attempt.readBack
      const { CHECKOUT: checkout } = readback
      assert.deepStrictEqual(
        components.map((component) => {
          const read = readback[component]
          return read.outcome === "READ" ? read.entities.length : read.reason
        }),
        [1, 0, 0, 0, 0, 0]
      )
      const [found] = checkout.outcome === "READ" ? checkout.entities : []
      assert.strictEqual(found?.entity, attempt.checkoutId)
      assert.isTrue(isOwnCheckout(attempt.binding, found!.facts))
      assert.deepStrictEqual((yield* attempt.capture).entries, [["CHECKOUT", "PAYMENT_NOT_CONFIRMED"]])
    })
  )

  it.live("A paid checkout has a verified payment and its transfer, and unchanged readbacks add nothing.", () =>
    Effect.gen(function* () {
      const { attempt } = yield* withCheckout(fresh)
      yield* attempt.perform("pay")
      assert.deepStrictEqual(yield* attempt.capture, {
        entries: [
          ["CHECKOUT", null],
          ["PAYMENT", "PROVIDER_VERIFIED_PAYMENT"],
          ["TRANSFER", "PROVIDER_VERIFIED_TRANSFER"]
        ],
        failures: [],
        state: "PAID"
      })
      assert.deepStrictEqual((yield* attempt.capture).entries, [])
    })
  )

  it.live("A declined checkout stays open, and can be paid by another charge.", () =>
    Effect.gen(function* () {
      const { attempt } = yield* withCheckout(fresh)
      yield* attempt.perform("decline")
      const declined = yield* attempt.capture
      assert.deepStrictEqual([declined.state, declined.failures], ["OPEN", []])
      yield* attempt.perform("pay")
      const paid = yield* attempt.capture
      assert.deepStrictEqual([paid.state, paid.failures], ["PAID", []])
    })
  )

  it.live("An expired checkout is released.", () =>
    Effect.gen(function* () {
      const { attempt } = yield* withCheckout(fresh)
      yield* attempt.perform("expire")
      const { entries, state } = yield* attempt.capture
      assert.deepStrictEqual([entries, state], [[["CHECKOUT", "PAYMENT_NOT_CONFIRMED"]], "RELEASED"])
    })
  )

  it.live("Refund, its return, dispute, reversal and payouts are each captured with what may be said of them.", () =>
    Effect.gen(function* () {
      const { attempt } = yield* withCheckout(fresh)
      yield* attempt.perform("pay")
      yield* attempt.capture
      const after = (act: ProviderAct["act"], more: object = {}) =>
        Effect.gen(function* () {
          yield* attempt.perform(act, more)
          const { entries, failures, state } = yield* attempt.capture
          assert.deepStrictEqual([failures, state], [[], "PAID"], act)
          return entries
        })
      const verified = ["PAYMENT", "PROVIDER_VERIFIED_PAYMENT"] as const
      const refunded = ["REFUND", "PROVIDER_VERIFIED_REFUND"] as const
      assert.deepStrictEqual(yield* after("refund", { amountMinor: 25_000 }), [verified, refunded])
      assert.deepStrictEqual(yield* after("failRefund"), [verified, ["REFUND", null]])
      assert.deepStrictEqual(yield* after("refund"), [verified, refunded])
      assert.deepStrictEqual(yield* after("reverseTransfer", { amountMinor: 25_000 }), [
        ["TRANSFER", "PROVIDER_VERIFIED_TRANSFER"]
      ])
      assert.deepStrictEqual(yield* after("dispute"), [verified, ["DISPUTE", "DISPUTED"]])
      assert.deepStrictEqual(yield* after("closeDispute", { status: "won" }), [["DISPUTE", "DISPUTED"]])
      assert.deepStrictEqual(yield* after("payOut"), [["PAYOUT", "PROVIDER_OBSERVED_PAYOUT"]])
      assert.deepStrictEqual(yield* after("failPayout"), [["PAYOUT", null]])
      assert.deepStrictEqual(yield* after("payOut"), [["PAYOUT", "PROVIDER_OBSERVED_PAYOUT"]])
    })
  )
}

const failureContract = (fresh: Fresh): void => {
  const failuresUnder = (condition: ProviderCondition) =>
    Effect.gen(function* () {
      const { under, attempt } = yield* withCheckout(fresh)
      yield* attempt.perform("pay")
      yield* under.setCondition(condition)
      return (yield* attempt.capture).failures
    })

  it.live("Of a provider that does not answer every component fails.", () =>
    Effect.gen(function* () {
      const failures = yield* failuresUnder({ availability: "DOWN" })
      assert.deepStrictEqual(
        failures,
        components.map((component) => [component, "PROVIDER_UNAVAILABLE"])
      )
    })
  )

  it.live.each<readonly [Component, ReadonlyArray<Component>]>([
    ["CHECKOUT", []],
    ["PAYMENT", ["REFUND", "DISPUTE", "TRANSFER", "PAYOUT"]],
    ["REFUND", []],
    ["DISPUTE", []],
    ["TRANSFER", ["PAYOUT"]],
    ["PAYOUT", []]
  ])("If %s fails, of the others only what depends on it fails: %s.", ([component, dependent]) =>
    Effect.gen(function* () {
      const failures = yield* failuresUnder({
        availability: "WORKING",
        readbacks: { fault: "component-fails", component }
      })
      assert.sameMembers(
        failures.map(([one]) => one),
        [component, ...dependent]
      )
    })
  )

  it.live("A word that is unknown is no fact.", () =>
    Effect.gen(function* () {
      for (const component of ["CHECKOUT", "PAYMENT", "TRANSFER"] as const) {
        const failures = yield* failuresUnder({
          availability: "WORKING",
          readbacks: { fault: "unknown-word", component }
        })
        assert.deepInclude(failures, [component, "FACTS_UNKNOWN"])
      }
    })
  )

  it.live.each(["wrong-amount", "wrong-currency", "wrong-account", "wrong-reference"] as const)(
    "A payment with a %s is captured without a label.",
    (fault) =>
      Effect.gen(function* () {
        const { under, attempt } = yield* withCheckout(fresh)
        yield* attempt.perform("pay")
        yield* under.setCondition({ availability: "WORKING", readbacks: { fault } })
        const { entries, state } = yield* attempt.capture
        assert.deepInclude(entries, ["PAYMENT", null])
        assert.strictEqual(state, "UNVERIFIED")
      })
  )

  it.live("An answer that is older than an earlier one is not captured.", () =>
    Effect.gen(function* () {
      const { under, attempt } = yield* withCheckout(fresh)
      yield* attempt.perform("pay")
      yield* attempt.capture
      yield* under.setCondition({ availability: "WORKING", readbacks: "STALE" })
      const { entries, failures, state } = yield* attempt.capture
      assert.deepStrictEqual([entries, state], [[], "PAID"])
      assert.deepInclude(failures, ["CHECKOUT", "STEP_BACK"])
      assert.deepInclude(failures, ["PAYMENT", "ENTITY_ABSENT"])
    })
  )
}

const notificationContract = (fresh: Fresh): void => {
  it.live(
    "A notification names its attempt and checkout, and is authentic within 300 seconds in both directions.",
    () =>
      Effect.gen(function* () {
        const { under, attempt } = yield* withCheckout(fresh)
        const at = yield* now
        const { rawBody, headers } = yield* under.notificationAbout(commerceOrderId, at)
        const outcomes = []
        for (const offset of [-301_000, -300_000, 0, 300_000, 301_000]) {
          outcomes.push(yield* tagOf(under.payments.authenticate(rawBody, headers, addMilliseconds(at, offset))))
        }
        const invalid = "NotificationInvalid"
        assert.deepStrictEqual(outcomes, [invalid, "SUCCEEDED", "SUCCEEDED", "SUCCEEDED", invalid])
        const notification = yield* under.payments.authenticate(rawBody, headers, at)
        assert.deepInclude([commerceOrderId, undefined], notification.commerceOrderId)
        assert.deepInclude([attempt.checkoutId, undefined], notification.checkoutId)
        assert.deepInclude([attempt.checkoutId, undefined], notification.entity)
      })
  )

  it.live("A notification with other bytes, or without its signature, is not authentic.", () =>
    Effect.gen(function* () {
      const { under } = yield* withCheckout(fresh)
      const at = yield* now
      const { rawBody, headers } = yield* under.notificationAbout(commerceOrderId, at)
      const forged = rawBody.map((byte, index) => (index === 2 ? byte ^ 1 : byte))
      assert.strictEqual(yield* tagOf(under.payments.authenticate(forged, headers, at)), "NotificationInvalid")
      assert.strictEqual(yield* tagOf(under.payments.authenticate(rawBody, {}, at)), "NotificationInvalid")
    })
  )
}
