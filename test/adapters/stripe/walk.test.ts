/** The adapter over the server of Stripe's form reads what the simulated layer reads of the same machine. */
import { assert, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import fc from "fast-check"
import { performAct, type ProviderAct } from "../../../simulator/payments/acts.ts"
import { simulatedPayments } from "../../../simulator/payments/layer.ts"
import type { CheckoutRequest, PaymentProvider, Readback } from "../../../src/ports/payments.ts"
import { addMilliseconds, type Instant } from "../../../src/vocabulary/instant.ts"
import { components, type CommerceBinding } from "../../../src/vocabulary/payments.ts"
import { binding as someBinding } from "../../support/payment-facts.ts"
import { uuidOf } from "../../support/project-people.ts"
import { paymentsOver } from "../../support/stripe/payments.ts"
import { startStripeServer } from "../../support/stripe/server.ts"
import { at } from "../../support/time.ts"

/** Stripe counts whole seconds, and so do these. */
const start = "2026-01-02T09:00:00.000Z" as Instant
const returnUrl = "https://example.org/workspace"
const orders = [`commerce_${uuidOf(1)}`, `commerce_${uuidOf(2)}`]

type Step = Extract<ProviderAct, { readonly commerceOrderId: string }> | { readonly act: "payOut" | "failPayout" }

const onOrder = (act: string, more: object = {}): ReadonlyArray<Step> =>
  orders.map((commerceOrderId) => ({ act, commerceOrderId, ...more }) as Step)

/** Those that many others need, or that matter for several payments only, are likelier. */
const steps: ReadonlyArray<Step> = [
  ...onOrder("pay"),
  ...onOrder("pay"),
  ...onOrder("decline"),
  ...onOrder("expire"),
  ...onOrder("refund", { amountMinor: 40_000 }),
  ...onOrder("refund"),
  ...onOrder("failRefund"),
  ...onOrder("dispute"),
  ...onOrder("closeDispute", { status: "lost" }),
  ...onOrder("reverseTransfer", { amountMinor: 1 }),
  { act: "payOut" },
  { act: "payOut" },
  { act: "payOut" },
  { act: "failPayout" }
]

it.live("At every step of a random walk the adapter reads back what the simulated layer reads.", () =>
  Effect.gen(function* () {
    const performed = new Set<string>()
    const choices = fc.array(fc.nat(), { minLength: 12, maxLength: 12 })
    for (const walk of fc.sample(choices, { numRuns: 9, seed: 11 })) {
      for (const act of yield* walked(walk)) performed.add(act)
    }
    assert.sameMembers([...performed], [...new Set(steps.map(({ act }) => act))])
  })
)

/** Walks on a machine of its own, at each step by one of the acts that are possible; returns the acts. */
const walked = (choices: ReadonlyArray<number>) =>
  Effect.scoped(
    Effect.gen(function* () {
      let now = start
      const server = yield* startStripeServer({ now: () => now })
      const payments = yield* paymentsOver(server)
      const { provider } = server
      const simulated = simulatedPayments(provider)
      const { accountId } = yield* payments.openRecipientAccount(someBinding.recipientScope, returnUrl)
      Result.getOrThrow(provider.perform({ act: "onboard", accountId }, now))
      const attempts: Array<readonly [checkoutId: string, binding: CommerceBinding]> = []
      for (const [index, commerceOrderId] of orders.entries()) {
        const request = requestOf(commerceOrderId, accountId, 100_000 + index)
        const { checkoutId } = yield* payments.openCheckout(request)
        attempts.push([checkoutId, { ...someBinding, ...bound(request) }])
      }
      const walk: Array<ProviderAct> = []
      for (const choice of choices) {
        now = addMilliseconds(now, 5 * 60_000)
        const acts = steps.map((step): ProviderAct => ("commerceOrderId" in step ? step : { ...step, accountId }))
        const possible = acts.filter((act) => Result.isSuccess(performAct(provider.state, act, now)))
        const act = possible[choice % possible.length]
        if (act === undefined) break
        Result.getOrThrow(provider.perform(act, now))
        walk.push(act)
        // An act on one checkout leaves the other's answers as they were.
        const isChanged = ({ commerceOrderId }: CommerceBinding) =>
          "accountId" in act || act.commerceOrderId === commerceOrderId
        for (const [checkoutId, binding] of attempts.filter(([, binding]) => isChanged(binding))) {
          const read = (from: PaymentProvider) => at(now)(from.readBack({ checkoutId, known: [], binding }))
          assert.deepStrictEqual(sorted(yield* read(payments)), sorted(yield* read(simulated)), JSON.stringify(walk))
        }
      }
      return walk.map(({ act }) => act)
    })
  )

const requestOf = (commerceOrderId: string, recipientAccount: string, amountMinor: number): CheckoutRequest => ({
  commerceOrderId,
  acceptedSourceDigest: someBinding.acceptedSourceDigest,
  currency: "EUR",
  amountMinor,
  recipientAccount,
  title: "A logo",
  expiresAt: addMilliseconds(start, 3_600_000),
  returnUrl
})

const bound = ({ commerceOrderId, amountMinor, recipientAccount }: CheckoutRequest) => ({
  commerceOrderId,
  amountMinor,
  recipientAccount
})

/** A component's entities have no order. */
const sorted = (readback: Readback) =>
  components.map((component) => {
    const read = readback[component]
    assert.strictEqual(read.outcome, "READ", component)
    if (read.outcome === "FAILED") return []
    return [component, [...read.entities].toSorted((a, b) => (a.entity < b.entity ? -1 : 1))]
  })
