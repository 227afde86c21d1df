/** The simulated provider alone: what its acts change, when they are impossible, and that its answers never contradict. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import { performAct, type ProviderAct } from "../../../simulator/payments/acts.ts"
import { answerAbout, readbackFrom } from "../../../simulator/payments/answers.ts"
import { emptyProvider, openAccount, openCheckout, type ProviderState } from "../../../simulator/payments/provider.ts"
import { capture, type CapturedAttempt } from "../../../src/commerce/capture.ts"
import { emptyJournal } from "../../../src/commerce/journal.ts"
import type { CheckoutRequest } from "../../../src/ports/payments.ts"
import { addMilliseconds, type Instant } from "../../../src/vocabulary/instant.ts"
import { binding as someBinding } from "../../support/payment-facts.ts"

const start = "2026-01-02T09:00:00.000Z" as Instant
const at = (minutes: number): Instant => addMilliseconds(start, minutes * 60_000)
const { commerceOrderId, acceptedSourceDigest, amountMinor, currency, recipientScope } = someBinding

const [withAccount, { accountId }] = openAccount(emptyProvider, recipientScope)
const request: CheckoutRequest = {
  commerceOrderId,
  acceptedSourceDigest,
  currency,
  amountMinor,
  recipientAccount: accountId,
  title: "A logo",
  expiresAt: at(60),
  returnUrl: "https://example.org/workspace"
}
const payable = Result.getOrThrow(performAct(withAccount, { act: "onboard", accountId }, start))
const [open, checkoutId] = Result.getOrThrow(openCheckout(payable, request, start))

const onCheckout = (act: Extract<ProviderAct, { readonly commerceOrderId: string }>["act"], more: object = {}) =>
  ({ act, commerceOrderId, ...more }) as ProviderAct
const pay = onCheckout("pay")

const after = (state: ProviderState, ...acts: ReadonlyArray<ProviderAct>): ProviderState =>
  acts.reduce((before, act) => Result.getOrThrow(performAct(before, act, at(1))), state)

const whyNot = (state: ProviderState, act: ProviderAct, now = at(1)): string | undefined => {
  const done = performAct(state, act, now)
  return Result.isFailure(done) ? done.failure.reason : undefined
}

const read = (state: ProviderState, now = at(1)) => readbackFrom(answerAbout(state, checkoutId, now))
const checkoutOf = (state: ProviderState, now: Instant) => {
  const { CHECKOUT: found } = read(state, now)
  return found.outcome === "READ" ? found.entities[0]!.facts.state : found.reason
}

describe("the simulated provider", () => {
  it("A checkout expires exactly at its time, and takes no payment from then on.", () => {
    assert.strictEqual(checkoutOf(open, addMilliseconds(at(60), -1)), "OPEN")
    assert.strictEqual(checkoutOf(open, at(60)), "EXPIRED")
    assert.isUndefined(whyNot(open, pay, addMilliseconds(at(60), -1)))
    assert.strictEqual(whyNot(open, pay, at(60)), "the checkout takes no payment")
  })

  it("A payment that began before the expiry can succeed after it.", () => {
    const late = after(open, onCheckout("decline"), onCheckout("expire"), pay)
    const { CHECKOUT: checkout, PAYMENT: payment } = read(late)
    assert.strictEqual(checkout.outcome === "READ" && checkout.entities[0]!.facts.state, "EXPIRED")
    assert.strictEqual(payment.outcome === "READ" && payment.entities[0]!.facts.state, "SUCCEEDED")
  })

  it.each<readonly [string, ReadonlyArray<ProviderAct>, ProviderAct]>([
    ["a second payment", [pay], pay],
    ["a decline after the payment", [pay], onCheckout("decline")],
    ["an expiry of a paid checkout", [pay], onCheckout("expire")],
    ["a refund without a payment", [], onCheckout("refund")],
    ["a refund of more than is left", [pay, onCheckout("refund")], onCheckout("refund", { amountMinor: 1 })],
    ["a refund of nothing", [pay], onCheckout("refund", { amountMinor: 0 })],
    ["the return of no refund", [pay], onCheckout("failRefund")],
    ["a second dispute", [pay, onCheckout("dispute")], onCheckout("dispute")],
    ["the close of no dispute", [pay], onCheckout("closeDispute", { status: "won" })],
    ["a reversal without a transfer", [], onCheckout("reverseTransfer")],
    ["a reversal of more than is left", [pay], onCheckout("reverseTransfer", { amountMinor: amountMinor + 1 })],
    ["a payout of nothing", [], { act: "payOut", accountId }],
    ["a second payout of the same sum", [pay, { act: "payOut", accountId }], { act: "payOut", accountId }],
    ["the failure of no payout", [pay], { act: "failPayout", accountId }],
    ["an act on an unknown account", [], { act: "onboard", accountId: "acct_unknown" }],
    ["an act on an unknown checkout", [], { act: "pay", commerceOrderId: "commerce_unknown" }]
  ])("It is impossible: %s.", (_, before, act) => {
    assert.isString(whyNot(after(open, ...before), act))
  })

  it("A failed payout's sum is in the next payout.", () => {
    const failed = after(open, pay, { act: "payOut", accountId }, { act: "failPayout", accountId })
    const again = after(failed, { act: "payOut", accountId })
    const { PAYOUT: payouts } = read(again)
    assert.deepStrictEqual(payouts.outcome === "READ" && payouts.entities.map(({ facts }) => facts.state), [
      "FAILED",
      "PAID"
    ])
  })

  it("An act or request leaves the state before it as it was.", () => {
    const before = JSON.stringify(open)
    after(open, pay, onCheckout("refund"), onCheckout("dispute"))
    assert.strictEqual(JSON.stringify(open), before)
  })

  it("After any acts every answer is captured without a failure, and each entity is unique.", () => {
    const acts: ReadonlyArray<ProviderAct> = [
      onCheckout("decline"),
      pay,
      onCheckout("expire"),
      onCheckout("refund", { amountMinor: 40_000 }),
      onCheckout("refund"),
      onCheckout("failRefund"),
      onCheckout("dispute"),
      onCheckout("closeDispute", { status: "lost" }),
      onCheckout("reverseTransfer", { amountMinor: 1 }),
      { act: "payOut", accountId },
      { act: "failPayout", accountId }
    ]
    const reached = new Set<string>()
    for (const chosen of fc.sample(fc.array(fc.constantFrom(...acts), { maxLength: 16 }), { numRuns: 300, seed: 7 })) {
      let state = open
      let attempt = openAttempt
      for (const [index, act] of chosen.entries()) {
        const done = performAct(state, act, at(index + 1))
        if (Result.isFailure(done)) continue
        reached.add(act.act)
        state = done.success
        const made = capture(attempt, read(state, at(index + 1)), at(index + 1))
        assert.isTrue(
          made.components.every(({ outcome }) => outcome === "READ"),
          JSON.stringify([act, made.components])
        )
        attempt = { ...attempt, ...made, state: made.outcome?.state ?? attempt.state }
      }
      const names = attempt.observations.map(({ entity }) => entity)
      assert.strictEqual(new Set(names).size, names.length)
    }
    assert.sameMembers([...reached], [...new Set(acts.map(({ act }) => act))])
  })
})

const binding = { ...someBinding, recipientAccount: accountId }
const openAttempt: CapturedAttempt = {
  state: "OPEN",
  binding,
  checkoutId,
  expiresAt: request.expiresAt,
  observations: [],
  openedAt: start,
  journal: emptyJournal(binding),
  lastObservedAt: {}
}
