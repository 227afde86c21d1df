/** What the provider said, on an order's page: each component with its label, failures, other values and late payments. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { AnswerFault } from "../../simulator/payments/answers.ts"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { openCheckout } from "../../src/commerce/opening.ts"
import { CommerceOrders } from "../../src/commerce/store.ts"
import { Storage } from "../../src/ports/storage.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { captureWith, changeAttempt } from "../support/attempts.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { externalLinksOn, formsOnOrder, formTokenOf, orderPage } from "../support/order-pages.ts"
import { approved, commandOrder, paid, payableResult, paying, readOrder } from "../support/orders.ts"
import { formOn, readPage, submit } from "../support/page-forms.ts"
import { atProvider, testProvider } from "../support/payments.ts"
import { textOn } from "../support/project-pages.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { createdBody } from "../support/workspace.ts"

const shownTo = Effect.fnUntraced(function* (person: SignedInPerson, path: string) {
  const page = yield* readPage(person, path)
  assert.deepStrictEqual([page.status, accessibilityFaults(page.text)], [200, []])
  return textOn(page)
})

layer(memoryTestService, { excludeTestServices: true })("what the provider said, on pages", (it) => {
  it.effect("Every component is shown with its latest facts, what follows from them, and when it was asked.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, order, commerceOrderId, accountId } = yield* paid(yield* payableResult)
      yield* atProvider({ act: "payOut", accountId })
      yield* atProvider({ act: "refund", commerceOrderId, amountMinor: 25_000 })
      yield* atProvider({ act: "dispute", commerceOrderId })
      yield* atProvider({ act: "reverseTransfer", commerceOrderId, amountMinor: 100 })
      yield* captureAttempt(commerceOrderId)
      for (const person of [buyer, supplier]) {
        const text = yield* shownTo(person, orderPage(order.resultOrderId))
        for (const sentence of [
          "Complete, paid, for 1250.00 EUR. What follows from it Nothing.",
          "Succeeded: 1250.00 EUR, received 1250.00 EUR. The charge succeeded; captured 1250.00 EUR, refunded 250.00 EUR, disputed.",
          "The provider verified the payment: every value is that of the terms.",
          "250.00 EUR, succeeded. What follows from it The provider verified a refund of this payment.",
          "1250.00 EUR, state needs_response , reason fraudulent . The charge is marked as disputed. What follows from it The payment is disputed.",
          `1250.00 EUR, of which 1.00 EUR came back, to the account ${accountId} . What follows from it The provider verified the transfer`,
          "Paid out, from the account",
          "The provider paid out a sum that includes this transfer.",
          "Payment attempts",
          "What was decided"
        ]) {
          assert.include(text, sentence)
        }
        assert.match(text, /As reported when the service last asked, on \d+ \w+ \d{4}, \d\d:\d\d UTC :/)
        assert.notInclude(text, "not read the last time")
      }
    })
  )

  it.effect("A member of either side has the provider asked now, and sees its answer.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, order, commerceOrderId } = yield* paying(yield* payableResult)
      yield* atProvider({ act: "pay", commerceOrderId })
      const path = orderPage(order.resultOrderId, `attempts/${commerceOrderId}`)
      const refresh = formOn(yield* readPage(buyer, orderPage(order.resultOrderId)), `${path}/refresh`)
      const asked = yield* submit(buyer, refresh)
      assert.deepStrictEqual([asked.status, asked.headers["location"]], [303, path])
      assert.include(yield* shownTo(supplier, path), "Complete, paid, for 1250.00 EUR.")
      const coalesced = yield* submit(supplier, formOn(yield* readPage(supplier, path), `${path}/refresh`))
      assert.strictEqual(coalesced.status, 303)
      const stranger = yield* signInNewPerson("Mina")
      const foreign = { ...refresh, hidden: { ...refresh.hidden, formToken: yield* formTokenOf(stranger) } }
      assert.strictEqual((yield* submit(stranger, foreign)).status, 404)
    })
  )

  it.effect("A component that could not be read says why, and keeps what was known.", () =>
    Effect.gen(function* () {
      const { buyer, order, commerceOrderId } = yield* paid(yield* payableResult)
      yield* captureWith(commerceOrderId, { fault: "component-fails", component: "PAYOUT" })
      const path = orderPage(order.resultOrderId)
      assert.match(
        yield* shownTo(buyer, path),
        /Payouts .*: none\. not read the last time The reason: the provider did not answer\./
      )
      yield* captureWith(commerceOrderId, { fault: "unknown-word", component: "PAYMENT" })
      const text = yield* shownTo(buyer, path)
      assert.include(text, "The reason: the answer had a word or a value that this service does not know.")
      assert.include(text, "The reason: something on which it depends could not be read.")
      assert.include(text, "Succeeded: 1250.00 EUR, received 1250.00 EUR.")
    })
  )

  it.effect("A payment with other values names each of them, and what people do next.", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [AnswerFault, RegExp]> = [
        [{ fault: "wrong-amount" }, /The amount is \d+\.\d\d EUR, and the terms say 1250\.00 EUR\./],
        [
          { fault: "wrong-currency" },
          /The amount is 125000 in the minor unit of XTS, and the terms say 1250\.00 EUR\./
        ],
        [
          { fault: "wrong-account" },
          /The account that receives it is acct_sim_other , which is not that of the terms\./
        ],
        [{ fault: "wrong-reference" }, /The payment does not refer to this payment attempt\./]
      ]
      for (const [fault, difference] of cases) {
        const { buyer, supplier, order, commerceOrderId } = yield* paying(yield* payableResult)
        yield* atProvider({ act: "pay", commerceOrderId })
        yield* captureWith(commerceOrderId, fault)
        for (const person of [buyer, supplier]) {
          const text = yield* shownTo(person, orderPage(order.resultOrderId))
          assert.match(text, difference)
          assert.include(
            text,
            "The provider reports a payment of payment attempt 1, but with other values than the terms."
          )
          assert.include(text, "Whose turn it is Both parties settle a payment that needs attention.")
        }
        assert.deepStrictEqual(yield* formsOnOrder(supplier, order.resultOrderId), ["withdraw"])
        assert.deepStrictEqual(yield* formsOnOrder(buyer, order.resultOrderId), [])
      }
    })
  )

  it.effect("A payment with other values names what is left to do, by the state of its order.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, order, commerceOrderId } = yield* paying(yield* payableResult)
      const page = orderPage(order.resultOrderId)
      const payWrongly = Effect.fnUntraced(function* (id: string) {
        yield* atProvider({ act: "pay", commerceOrderId: id })
        yield* captureWith(id, { fault: "wrong-amount" })
      })
      yield* payWrongly(commerceOrderId)
      assert.include(yield* shownTo(buyer, page), "The supplier can withdraw this order once no checkout of it is open")
      createdBody(yield* commandOrder(supplier, yield* readOrder(supplier, order), "withdraw"))
      const withdrawn = yield* shownTo(buyer, page)
      assert.include(withdrawn, "The supplier has withdrawn this order, and can offer the result again.")
      assert.notInclude(withdrawn, "can withdraw this order")

      const other = yield* paying(yield* payableResult)
      yield* atProvider({ act: "decline", commerceOrderId: other.commerceOrderId })
      yield* atProvider({ act: "expire", commerceOrderId: other.commerceOrderId })
      yield* captureAttempt(other.commerceOrderId)
      const again = createdBody(
        yield* commandOrder(other.buyer, yield* readOrder(other.buyer, other.order), "payments")
      )
      const second = again.attempts[1].commerceOrderId as string
      yield* atProvider({ act: "pay", commerceOrderId: second })
      yield* captureAttempt(second)
      yield* payWrongly(other.commerceOrderId)
      const text = yield* shownTo(other.buyer, orderPage(other.order.resultOrderId))
      assert.include(text, "The order was paid by another attempt, which this does not change.")
      assert.notInclude(text, "can withdraw this order")
    })
  )

  it.effect("Former attempts have pages of their own, and a payment of one is named as late.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, order, commerceOrderId } = yield* paying(yield* payableResult)
      const { resultOrderId } = order
      yield* atProvider({ act: "decline", commerceOrderId })
      yield* atProvider({ act: "expire", commerceOrderId })
      yield* captureAttempt(commerceOrderId)
      const ended = yield* shownTo(buyer, orderPage(resultOrderId))
      assert.include(ended, "Payment attempt 1 ended: the checkout expired without a payment.")
      assert.deepStrictEqual(yield* formsOnOrder(buyer, resultOrderId), ["payments"])
      const again = createdBody(yield* commandOrder(buyer, yield* readOrder(buyer, order), "payments"))
      const second = again.attempts[1].commerceOrderId as string
      assert.include(yield* shownTo(buyer, orderPage(resultOrderId)), "What the payment provider said about attempt 2")
      const former = orderPage(resultOrderId, `attempts/${commerceOrderId}`)
      const text = yield* shownTo(buyer, former)
      assert.include(text, "What the payment provider said about attempt 1")
      assert.include(text, "Go to the newest attempt of this order")
      assert.strictEqual(
        (yield* readPage(
          buyer,
          orderPage(resultOrderId, `attempts/${order.resultOrderId.replace("order", "commerce")}`)
        )).status,
        404
      )

      yield* atProvider({ act: "expire", commerceOrderId: second })
      yield* captureAttempt(second)
      yield* atProvider({ act: "pay", commerceOrderId })
      yield* captureAttempt(commerceOrderId)
      for (const person of [buyer, supplier]) {
        const late = yield* shownTo(person, orderPage(resultOrderId))
        assert.include(late, "The provider reports a payment of payment attempt 1, which had ended before.")
        assert.include(late, "takes no other payment")
        assert.include(yield* shownTo(person, "/workspace/"), "Settle a payment that the order no longer awaited")
      }
      assert.include(yield* shownTo(buyer, orderPage(resultOrderId)), "It cannot be paid now:")
      assert.deepStrictEqual(yield* formsOnOrder(buyer, resultOrderId), [])
    })
  )

  it.effect("An opening without an answer says so, and its page has no checkout until there is one.", () =>
    Effect.gen(function* () {
      const { buyer, order } = yield* approved(yield* payableResult)
      const provider = yield* testProvider
      provider.condition = { availability: "DOWN" }
      const { attempts } = createdBody(yield* commandOrder(buyer, order, "payments"))
      provider.condition = { availability: "WORKING" }
      const opening = yield* readPage(buyer, orderPage(order.resultOrderId))
      assert.deepStrictEqual(externalLinksOn(opening), [])
      assert.include(textOn(opening), "The service opens the checkout. Load this page again in a minute.")
      assert.include(textOn(opening), "The provider has not been asked about this attempt yet.")
      assert.include(textOn(opening), "The file holds no entry yet: it proves no payment.")
      const storage = yield* Storage
      const row = yield* storage.view((reader) => reader.get(CommerceOrders, [attempts[0].commerceOrderId]))
      yield* openCheckout(row!)
      provider.condition = { availability: "DOWN" }
      yield* captureAttempt(attempts[0].commerceOrderId)
      provider.condition = { availability: "WORKING" }
      const unread = textOn(yield* readPage(buyer, orderPage(order.resultOrderId)))
      assert.include(unread, "The provider has not answered yet. not read the last time")
      yield* captureAttempt(attempts[0].commerceOrderId)
      const open = textOn(yield* readPage(buyer, orderPage(order.resultOrderId)))
      assert.match(open, /Open, not paid, for 1250\.00 EUR\. It can be paid until .* No payment is confirmed by it\./)
      assert.strictEqual(externalLinksOn(yield* readPage(buyer, orderPage(order.resultOrderId))).length, 1)
    })
  )

  it.effect("A journal of more entries or bytes than a Commerce Record holds names the limit instead of a file.", () =>
    Effect.gen(function* () {
      const { buyer, order, commerceOrderId } = yield* paid(yield* payableResult)
      const cases = [
        [{ journalCount: limits.commerceEntries + 1 }, "Limit reached: 1000 captured entries in one Commerce Record"],
        [
          { journalCount: limits.commerceEntries, journalBytes: limits.commerceEntryBytes + 1 },
          "Limit reached: 1400000 bytes of captured entries in one Commerce Record; use an earlier export."
        ]
      ] as const
      for (const [changes, text] of cases) {
        yield* changeAttempt(commerceOrderId, changes)
        const page = yield* readPage(buyer, orderPage(order.resultOrderId))
        assert.include(textOn(page), text)
        assert.notInclude(page.text, "Download the Commerce Record")
      }
      yield* changeAttempt(commerceOrderId, { journalBytes: limits.commerceEntryBytes })
      assert.include((yield* readPage(buyer, orderPage(order.resultOrderId))).text, "Download the Commerce Record")
    })
  )
})
