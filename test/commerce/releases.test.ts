/** When an attempt is released, and what becomes of the open checkout of an order that was paid late. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { paymentsProblem } from "../../src/integrity/journals.ts"
import { captureWith } from "../support/attempts.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { externalLinksOn, orderPage } from "../support/order-pages.ts"
import { commandOrder, payableResult, paying, readOrder, type Order } from "../support/orders.ts"
import { readPage } from "../support/page-forms.ts"
import { atProvider } from "../support/payments.ts"
import { textOn } from "../support/project-pages.ts"
import { freshTestService } from "../support/service.ts"
import type { SignedInPerson } from "../support/sessions.ts"
import { createdBody, outcome } from "../support/workspace.ts"

const stores = [
  ["in memory", memoryTestService],
  ["on Postgres", freshTestService]
] as const

/** The states of an order and of its attempts. */
const statesOf = (by: SignedInPerson, order: Order) =>
  Effect.map(readOrder(by, order), ({ state, attempts }) => [
    state,
    ...attempts.map((one: { readonly state: string }) => one.state)
  ])

describe.each(stores)("the end of an attempt %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect("While its payment cannot be read an expired attempt stays live, and no second one is opened.", () =>
      Effect.gen(function* () {
        const { buyer, order, commerceOrderId } = yield* paying(yield* payableResult)
        for (const act of ["decline", "expire", "pay"] as const) yield* atProvider({ act, commerceOrderId })
        for (let count = 0; count < 2; count++) {
          yield* captureWith(commerceOrderId, { fault: "component-fails", component: "PAYMENT" })
          assert.deepStrictEqual(yield* statesOf(buyer, order), ["PAYING", "OPEN"])
          const second = yield* commandOrder(buyer, yield* readOrder(buyer, order), "payments")
          assert.deepStrictEqual(outcome(second), [409, "PAYMENT_ATTEMPT_OPEN"])
        }
        yield* captureAttempt(commerceOrderId)
        assert.deepStrictEqual(yield* statesOf(buyer, order), ["PAID", "PAID"])
      })
    )

    it.effect("An expired attempt is released by the next readback of its payment, which appends no entry.", () =>
      Effect.gen(function* () {
        const { buyer, order, commerceOrderId } = yield* paying(yield* payableResult)
        yield* atProvider({ act: "decline", commerceOrderId })
        yield* captureAttempt(commerceOrderId)
        yield* atProvider({ act: "expire", commerceOrderId })
        yield* captureWith(commerceOrderId, { fault: "component-fails", component: "PAYMENT" })
        const before = yield* readOrder(buyer, order)
        assert.deepStrictEqual([before.state, before.attempts[0].state], ["PAYING", "OPEN"])
        yield* captureAttempt(commerceOrderId)
        const after = yield* readOrder(buyer, order)
        assert.deepStrictEqual([after.state, after.attempts[0].state], ["APPROVED", "RELEASED"])
        assert.deepStrictEqual(after.attempts[0].journal, before.attempts[0].journal)
        assert.deepStrictEqual(after.financialEvents.at(-1).payload, {
          commerceOrderId,
          reason: "CHECKOUT_EXPIRED",
          journal: before.attempts[0].journal
        })
      })
    )

    it.effect("A payment that arrives beside an open attempt is no damage, and two open attempts are.", () =>
      Effect.gen(function* () {
        const { buyer, order, commerceOrderId } = yield* paying(yield* payableResult)
        for (const act of ["decline", "expire"] as const) yield* atProvider({ act, commerceOrderId })
        yield* captureAttempt(commerceOrderId)
        createdBody(yield* commandOrder(buyer, yield* readOrder(buyer, order), "payments"))
        yield* atProvider({ act: "pay", commerceOrderId })
        yield* captureAttempt(commerceOrderId)
        const { attempts, financialEvents } = yield* readOrder(buyer, order)
        assert.deepStrictEqual(
          attempts.map(({ state }: { readonly state: string }) => state),
          ["PAID", "OPEN"]
        )
        assert.isUndefined(paymentsProblem(attempts, financialEvents))
        const reopened = [{ ...attempts[0], state: "OPEN" }, attempts[1]]
        assert.strictEqual(paymentsProblem(reopened, financialEvents), "has 2 payment attempts that are not released")
        const awaited = financialEvents.filter(({ kind }: { readonly kind: string }) => kind !== "ATTEMPT_RELEASED")
        assert.strictEqual(paymentsProblem(attempts, awaited), "has 2 payment attempts that are not released")
      })
    )

    it.effect("The open checkout of an order that an earlier attempt paid is shown to no person.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, order, commerceOrderId } = yield* paying(yield* payableResult)
        for (const act of ["decline", "expire"] as const) yield* atProvider({ act, commerceOrderId })
        yield* captureAttempt(commerceOrderId)
        const opened = createdBody(yield* commandOrder(buyer, yield* readOrder(buyer, order), "payments"))
        assert.match(opened.attempts[1].checkoutUrl, /^https:/)
        const page = orderPage(order.resultOrderId)
        assert.lengthOf(externalLinksOn(yield* readPage(buyer, page)), 1)
        yield* atProvider({ act: "pay", commerceOrderId })
        yield* captureAttempt(commerceOrderId)
        const late = yield* readOrder(buyer, order)
        assert.deepStrictEqual(yield* statesOf(buyer, order), ["PAYING", "PAID", "OPEN"])
        assert.deepStrictEqual(late.attention, [{ commerceOrderId, reason: "LATE_PAYMENT" }])
        assert.isNull(late.attempts[1].checkoutUrl)
        for (const person of [buyer, supplier]) {
          const shown = yield* readPage(person, page)
          assert.deepStrictEqual(externalLinksOn(shown), [])
          assert.include(textOn(shown), "Whose turn it is Both parties settle a payment that needs attention.")
          assert.include(textOn(shown), "Do not pay at the open checkout of attempt 2")
          assert.notInclude(textOn(shown), "The checkout can be paid until")
        }
      })
    )
  })
})
