/** Result Orders on pages: offered, approved, declined, withdrawn and paid, each with what a person can correct. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import {
  accountPage,
  externalLinksOn,
  formTokenOf,
  formsOnOrder,
  orderFormOf,
  orderPage
} from "../support/order-pages.ts"
import { approved, offered, openAccount, paid, payableResult, paying, readOrder } from "../support/orders.ts"
import { agreementWithRecord } from "../support/issued-records.ts"
import { formOn, formsOn, problemsOn, readPage, submit } from "../support/page-forms.ts"
import { uuid } from "../support/parties.ts"
import { atProvider, testProvider } from "../support/payments.ts"
import { runToAccepted } from "../support/person-commands.ts"
import { projectPage, textOn } from "../support/project-pages.ts"
import { contest } from "../support/publications.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { createdBody, read } from "../support/workspace.ts"

const home = "/workspace/"
const price = { offeredCurrency: "EUR", offeredAmount: "1250.00" }

const offerFormOf = (by: SignedInPerson, projectId: string) =>
  Effect.map(readPage(by, projectPage(projectId)), (page) => formOn(page, projectPage(projectId, "result-orders")))

const ordersOf = (by: SignedInPerson, projectId: string) =>
  Effect.map(read(by, `/projects/${projectId}/result-orders`), (answer) => createdBody(answer).resultOrders)

layer(freshTestService, { excludeTestServices: true })("Result Orders on pages", (it) => {
  it.effect("An order is offered, approved, opened and paid on pages, and its Commerce Record is downloaded.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* payableResult
      const offering = yield* offerFormOf(supplier, projectId)
      const offeredOn = yield* submit(supplier, offering, price)
      assert.strictEqual((yield* submit(supplier, offering, price)).headers["location"], offeredOn.headers["location"])
      const [{ resultOrderId, terms, termsDigest }] = yield* ordersOf(buyer, projectId)
      assert.deepStrictEqual([offeredOn.status, offeredOn.headers["location"]], [303, orderPage(resultOrderId)])
      assert.strictEqual(terms.amountMinor, 125_000)

      const waiting = yield* readPage(buyer, home)
      assert.include(textOn(waiting), "Approve or decline the terms: 1250.00 EUR")
      assert.include(waiting.text, `href="${orderPage(resultOrderId)}"`)
      assert.notInclude(textOn(yield* readPage(supplier, home)), "1 Result Order")
      const shown = yield* readPage(buyer, orderPage(resultOrderId))
      assert.deepStrictEqual(accessibilityFaults(shown.text), [])
      assert.include(textOn(shown), "Total, taxes and fees included 1250.00 EUR")
      assert.include(shown.text, termsDigest)
      for (const text of textsIn(terms)) assert.include(shown.text, text)

      const approving = formOn(shown, orderPage(resultOrderId, "approve"))
      const unticked = yield* submit(buyer, approving)
      assert.deepStrictEqual(
        [unticked.status, problemsOn(unticked)],
        [400, [["approvedTerms", "Tick the box to approve the terms."]]]
      )
      assert.deepStrictEqual(accessibilityFaults(unticked.text), [])
      for (const _ of [1, 2]) {
        const answer = yield* submit(buyer, approving, { approvedTerms: "on" })
        assert.deepStrictEqual([answer.status, answer.headers["location"]], [303, orderPage(resultOrderId)])
      }
      assert.include(textOn(yield* readPage(buyer, home)), "Open a checkout, and pay there: 1250.00 EUR")
      const opening = yield* orderFormOf(buyer, resultOrderId, "payments")
      for (const _ of [1, 2]) assert.strictEqual((yield* submit(buyer, opening)).status, 303)
      const open = yield* readPage(buyer, orderPage(resultOrderId))
      const [{ attempts }] = yield* ordersOf(buyer, projectId)
      const [{ commerceOrderId, checkoutUrl }, ...others] = attempts
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual(externalLinksOn(open), [[checkoutUrl, "noreferrer noopener"]])
      assert.include(textOn(open), "This leads to another site: payments.simulated.test")
      assert.deepStrictEqual(externalLinksOn(yield* readPage(supplier, orderPage(resultOrderId))), [])
      assert.include(textOn(yield* readPage(buyer, home)), "Pay at the open checkout: 1250.00 EUR")

      yield* atProvider({ act: "pay", commerceOrderId })
      const returned = yield* readPage(buyer, `${orderPage(resultOrderId)}?redirect_status=succeeded&attempt=1`)
      assert.include(textOn(returned), "being paid")
      assert.include(textOn(returned), "once the service has asked the provider, which it does about every 2 minutes")
      yield* captureAttempt(commerceOrderId)
      for (const party of [buyer, supplier]) {
        const page = yield* readPage(party, orderPage(resultOrderId))
        assert.deepStrictEqual([externalLinksOn(page), accessibilityFaults(page.text)], [[], []])
        assert.include(textOn(page), "paid The payment provider reported the payment with exactly these terms.")
        assert.include(textOn(page), "The provider verified the payment: every value is that of the terms.")
        assert.include(textOn(page), "Succeeded: 1250.00 EUR, received 1250.00 EUR.")
        assert.include(textOn(page), "Dana for the buyer Approved exactly these terms.")
        assert.include(textOn(page), "This service, from what the provider said Payment attempt 1 is paid.")
        assert.deepStrictEqual(yield* formsOnOrder(party, resultOrderId), [])
        const [, file = ""] = /<a href="([^"]*)">Download the Commerce Record<\/a>/.exec(page.text) ?? []
        const record = yield* readPage(party, file)
        assert.deepStrictEqual([record.status, record.body.schema], [200, "service.commerce-record/v1"])
        assert.include(
          textOn(yield* readPage(party, projectPage(projectId))),
          "Nothing is left to do: the order is paid."
        )
      }
      assert.include(textOn(yield* readPage(buyer, home)), "Nothing waits for you.")
    })
  )

  it.effect("A decision on another digest or an older head has no effect, and shows what happened since.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, order } = yield* offered(yield* payableResult)
      const { resultOrderId } = order
      const approving = yield* orderFormOf(buyer, resultOrderId, "approve")
      const declining = yield* orderFormOf(buyer, resultOrderId, "decline")
      const forged = { approvedTerms: "on", termsDigest: "0".repeat(64), requestId: uuid() }
      const other = yield* submit(buyer, approving, forged)
      assert.deepStrictEqual([other.status, accessibilityFaults(other.text)], [409, []])
      assert.include(textOn(other), "The terms digest of the request is not that of this Result Order")
      assert.include(textOn(other), "Open the Result Order again to see its current state.")
      for (const broken of [{ termsDigest: "" }, { financialHead: "x" }, { requestId: "1" }]) {
        const refused = yield* submit(buyer, approving, { approvedTerms: "on", ...broken })
        assert.deepStrictEqual([refused.status, accessibilityFaults(refused.text)], [400, []])
        assert.include(textOn(refused), "The form was not sent as its page shows it.")
      }
      assert.strictEqual((yield* submit(buyer, approving, { approvedTerms: "on" })).status, 303)

      const late = yield* submit(buyer, declining, { reason: "Too much for a <b>logo</b>." })
      assert.deepStrictEqual([late.status, accessibilityFaults(late.text)], [409, []])
      for (const text of [
        "The order has changed meanwhile",
        "Nothing was done",
        "What happened since",
        "Approved exactly these terms.",
        "What you had written"
      ]) {
        assert.include(textOn(late), text)
      }
      assert.include(late.text, "Too much for a &lt;b>logo&lt;/b>.")
      assert.include(late.text, `href="${orderPage(resultOrderId)}"`)

      const withdrawing = yield* orderFormOf(supplier, resultOrderId, "withdraw")
      const opening = yield* orderFormOf(buyer, resultOrderId, "payments")
      const blank = yield* submit(supplier, withdrawing, { reason: " " })
      assert.deepStrictEqual([blank.status, problemsOn(blank)], [400, [["reason", "The reason is needed."]]])
      for (const _ of [1, 2])
        assert.strictEqual((yield* submit(supplier, withdrawing, { reason: "A typo." })).status, 303)
      assert.strictEqual((yield* submit(buyer, opening)).status, 409)
      const { financialHead } = yield* readOrder(buyer, order)
      const ended = yield* submit(buyer, opening, { financialHead, requestId: uuid() })
      assert.include(textOn(ended), "Open a checkout: The order is withdrawn, and this is no longer possible.")
      assert.include(textOn(ended), "Open the Result Order again to see its current state.")
      const untold = yield* submit(buyer, declining, { reason: "", requestId: uuid() })
      assert.strictEqual(untold.status, 400)
      assert.include(textOn(untold), "Nothing was done: the order has changed meanwhile")
      assert.deepStrictEqual([problemsOn(untold), accessibilityFaults(untold.text)], [[], []])
      const page = yield* readPage(buyer, orderPage(resultOrderId))
      assert.include(textOn(page), "Sam for the supplier Withdrew these terms: A typo.")
      assert.include(textOn(yield* readPage(supplier, projectPage(order.projectId))), "Declined and withdrawn orders")
    })
  )

  it.effect("An order that is paid, being paid or not payable says why it takes no payment.", () =>
    Effect.gen(function* () {
      const result = yield* approved(yield* payableResult)
      const { buyer, supplier, order, accountId } = result
      const { resultOrderId, projectId } = order
      const opening = yield* orderFormOf(buyer, resultOrderId, "payments")
      const provider = yield* testProvider
      const account = provider.state.accounts.find((one) => one.accountId === accountId)!
      provider.change({ ...provider.state, accounts: [{ ...account, isPayable: false }] })
      const unpayable = yield* submit(buyer, opening)
      assert.deepStrictEqual([unpayable.status, accessibilityFaults(unpayable.text)], [409, []])
      assert.include(textOn(unpayable), "recipient account cannot take payments yet")
      assert.include(textOn(unpayable), "The other party has to act first.")
      yield* atProvider({ act: "onboard", accountId })

      yield* contest({ buyer, supplier, projectId })
      const contested = yield* readPage(buyer, orderPage(resultOrderId))
      assert.include(textOn(contested), "It cannot be paid now: An order is paid only while the acceptance")
      assert.include(textOn(contested), "The project is: contested.")
      assert.deepStrictEqual(yield* formsOnOrder(buyer, resultOrderId), [])
      const refused = yield* submit(buyer, opening, { requestId: uuid() })
      assert.strictEqual(refused.status, 409)
      assert.include(textOn(refused), "The project is: contested.")
      assert.notInclude(textOn(refused), "BUYER_CONFIRMED")
      assert.notInclude(textOn(yield* readPage(buyer, home)), "Waiting for you: 1 Result Order")

      const open = yield* paying(yield* payableResult)
      const second = yield* submit(open.buyer, {
        action: orderPage(open.order.resultOrderId, "payments"),
        names: [],
        hidden: {
          formToken: yield* formTokenOf(open.buyer),
          requestId: uuid(),
          termsDigest: open.order.termsDigest,
          financialHead: open.order.financialHead
        }
      })
      assert.strictEqual(second.status, 409)
      assert.include(textOn(second), "A checkout of this Result Order is open; use that one")
      const done = yield* paid(yield* payableResult)
      const again = yield* submit(done.buyer, {
        action: orderPage(done.order.resultOrderId, "payments"),
        names: [],
        hidden: {
          formToken: yield* formTokenOf(done.buyer),
          requestId: uuid(),
          termsDigest: done.order.termsDigest,
          financialHead: done.order.financialHead
        }
      })
      assert.strictEqual(again.status, 409)
      assert.include(textOn(again), "The order is paid, and this is no longer possible.")
    })
  )

  it.effect("Orders of other people are unknown, and forged forms of the other side are refused.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, order } = yield* offered(yield* payableResult)
      const { resultOrderId, termsDigest, financialHead } = order
      const eve = yield* signInNewPerson("Eve")
      for (const path of [orderPage(resultOrderId), orderPage(`order_${uuid()}`), orderPage("order_1")]) {
        assert.strictEqual((yield* readPage(eve, path)).status, 404)
      }
      const cases = [
        [eve, "approve", 404],
        [supplier, "approve", 403],
        [supplier, "payments", 403],
        [buyer, "withdraw", 403]
      ] as const
      for (const [person, name, status] of cases) {
        const hidden = { formToken: yield* formTokenOf(person), requestId: uuid(), termsDigest, financialHead }
        const values = name === "withdraw" ? { reason: "Mine." } : name === "approve" ? { approvedTerms: "on" } : {}
        const refused = yield* submit(person, { action: orderPage(resultOrderId, name), names: [], hidden }, values)
        assert.deepStrictEqual([refused.status, accessibilityFaults(refused.text)], [status, []], name)
        if (status === 403) assert.include(refused.text, `href="${orderPage(resultOrderId)}"`)
      }
      assert.strictEqual((yield* readOrder(buyer, order)).state, "OFFERED")
      const shownAt = yield* readPage(buyer, orderPage(resultOrderId, "approve"))
      assert.deepStrictEqual([shownAt.status, shownAt.headers["location"]], [303, orderPage(resultOrderId)])
    })
  )

  it.effect("The amount of an offer is read exactly, and its problems are shown at the field.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* payableResult
      const form = yield* offerFormOf(supplier, projectId)
      const inEuro = "The amount is from 0.01 EUR to 999999.99 EUR: digits, with a point before at most 2 decimals."
      const inYen = "The amount is from 1 JPY to 99999999 JPY: digits without decimals."
      const cases = [
        ["EUR", "", "The amount is needed."],
        ["EUR", "0", inEuro],
        ["EUR", "0.001", inEuro],
        ["EUR", "-1", inEuro],
        ["EUR", "1,250.00", inEuro],
        ["EUR", "1e3", inEuro],
        ["EUR", "1250.", inEuro],
        ["EUR", "1000000", inEuro],
        ["EUR", "99999999999999999999", inEuro],
        ["EUR", "<b>1</b>", inEuro],
        ["JPY", "1.5", inYen],
        ["JPY", "100000000", inYen]
      ] as const
      for (const [offeredCurrency, amount, message] of cases) {
        const refused = yield* submit(supplier, form, { offeredCurrency, offeredAmount: amount })
        assert.deepStrictEqual([refused.status, problemsOn(refused)], [400, [["offeredAmount", message]]], amount)
        assert.deepStrictEqual(accessibilityFaults(refused.text), [])
      }
      const unknown = yield* submit(supplier, form, { offeredCurrency: "XAU", offeredAmount: "1" })
      assert.deepStrictEqual(problemsOn(unknown), [["offeredCurrency", "Choose one: the currency."]])
      const other = yield* submit(supplier, form, { offeredCurrency: "BHD", offeredAmount: "1.234" })
      assert.strictEqual(other.status, 400)
      assert.strictEqual(
        (yield* submit(supplier, form, { offeredCurrency: "JPY", offeredAmount: " 1250 " })).status,
        303
      )
      const [{ terms, resultOrderId }] = yield* ordersOf(buyer, projectId)
      assert.deepStrictEqual([terms.currency, terms.amountMinor], ["JPY", 1250])
      assert.include(textOn(yield* readPage(buyer, orderPage(resultOrderId))), "1250 JPY")
      const secondLive = yield* submit(supplier, form, { ...price, requestId: uuid() })
      assert.deepStrictEqual([secondLive.status, accessibilityFaults(secondLive.text)], [409, []])
      assert.include(textOn(secondLive), "withdraw it before a new offer")
    })
  )

  it.effect("The project's page says who can offer its result, and what is missing.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* payableResult
      const accountless = yield* signInNewPerson("Sol")
      const other = yield* agreementWithRecord({ buyer, supplier: accountless })
      const unissued = yield* runToAccepted({ buyer, supplier })
      assert.notInclude((yield* readPage(supplier, projectPage(unissued))).text, "<h2>Payment</h2>")
      const missing = yield* readPage(accountless, projectPage(other))
      assert.include(textOn(missing), "needs an account at the payment provider")
      assert.include(missing.text, `href="${accountPage(accountless.organizationId)}"`)
      assert.include(textOn(yield* readPage(buyer, projectPage(other))), "has not offered this result yet. You approve")
      yield* openAccount(accountless)
      assert.include((yield* readPage(accountless, projectPage(other))).text, "Offer the result for a fixed total")
      const form = yield* offerFormOf(supplier, projectId)
      yield* contest({ buyer, supplier, projectId })
      assert.include(textOn(yield* readPage(supplier, projectPage(projectId))), "no Result Order can be offered")
      const late = yield* submit(supplier, form, price)
      assert.deepStrictEqual([late.status, accessibilityFaults(late.text)], [409, []])
      assert.strictEqual(formsOn(late.text).filter(({ action }) => action.endsWith("result-orders")).length, 0)
    })
  )
})

/** Every text and number of the terms, as the page has to show it; the amount is shown in its currency. */
const textsIn = (terms: object): ReadonlyArray<string> =>
  Object.entries(terms).flatMap(([name, value]) => {
    if (name === "amountMinor" || name === "provider" || name === "environment" || name === "type") return []
    return typeof value === "object" ? textsIn(value) : [String(value)]
  })
