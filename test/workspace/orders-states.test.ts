/** What each state of an order offers to each person of its parties, and that texts of people and providers stay text. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { OrderState } from "../../src/commerce/moves.ts"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { ResultOrders } from "../../src/commerce/store.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { agreementWithRecord, joinOrganization } from "../support/issued-records.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { externalLinksOn, formsOnOrder, orderFormOf, orderPage } from "../support/order-pages.ts"
import { approved, commandOrder, offered, openAccount, paid, paying, type PayableResult } from "../support/orders.ts"
import { formOn, formsOn, readPage, submit } from "../support/page-forms.ts"
import { uuid } from "../support/parties.ts"
import { atProvider, testProvider } from "../support/payments.ts"
import { projectPage, textOn } from "../support/project-pages.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { createdBody } from "../support/workspace.ts"

/** An order in each state. */
const orderIn: { readonly [S in OrderState]: (result: PayableResult) => Effect.Effect<any, any, any> } = {
  OFFERED: offered,
  APPROVED: approved,
  PAYING: paying,
  PAID: paid,
  DECLINED: Effect.fnUntraced(function* (result) {
    const { order } = yield* offered(result)
    return { order: createdBody(yield* commandOrder(result.buyer, order, "decline")) }
  }),
  WITHDRAWN: Effect.fnUntraced(function* (result) {
    const { order } = yield* approved(result)
    return { order: createdBody(yield* commandOrder(result.supplier, order, "withdraw")) }
  })
}

/** The forms of each state: of members who pay for the buyer, and of the supplier's representative. */
const forms: { readonly [S in OrderState]: readonly [buyer: ReadonlyArray<string>, supplier: ReadonlyArray<string>] } =
  {
    OFFERED: [["approve", "decline"], ["withdraw"]],
    APPROVED: [["payments"], ["withdraw"]],
    PAYING: [[], []],
    PAID: [[], []],
    DECLINED: [[], []],
    WITHDRAWN: [[], []]
  }

/** The sentence that a member with FINANCIAL_READ alone reads, where others can decide. */
const readerTexts: { readonly [S in OrderState]: readonly [buyer: string | null, supplier: string | null] } = {
  OFFERED: ["Approving or declining them requires", "Withdrawing them requires"],
  APPROVED: ["Paying requires a membership", "Withdrawing them requires"],
  PAYING: ["The buyer pays at the checkout.", "Withdrawing them requires"],
  PAID: ["Nothing is left to do: the order is paid.", null],
  DECLINED: ["Nothing is left to do: the order has ended.", null],
  WITHDRAWN: ["Nothing is left to do: the order has ended.", null]
}

/** Offers of other records with the same terms, later than the order. */
const copyOrder = Effect.fnUntraced(function* (resultOrderId: string, copies: number) {
  const storage = yield* Storage
  const row = (yield* storage.view((reader) => reader.get(ResultOrders, [resultOrderId])))!
  yield* storage.transaction({ locks: [exclusive("project", row.projectId)] }, (transaction) =>
    Effect.forEach(Array.from({ length: copies }), (_, index) =>
      transaction.insert(ResultOrders, {
        ...row,
        resultOrderId: `order_${uuid()}`,
        recordId: `record_${uuid()}`,
        offeredAt: addMilliseconds(row.offeredAt, index + 1)
      })
    )
  )
})

layer(memoryTestService, { excludeTestServices: true })("the pages of orders by state", (it) => {
  it.effect("Each state offers each side the acts of its authority, and other people none.", () =>
    Effect.gen(function* () {
      const [buyer, supplier] = [yield* signInNewPerson("Dana"), yield* signInNewPerson("Sam")]
      const accountId = yield* openAccount(supplier)
      const members = {
        payer: yield* joinOrganization(buyer, "Pam", ["FINANCIAL_MANAGE"]),
        reader: yield* joinOrganization(buyer, "Rita", ["FINANCIAL_READ"]),
        other: yield* joinOrganization(buyer, "Otto", ["AGREEMENT_CREATE", "DELIVERY_REVIEW"]),
        colleague: yield* joinOrganization(supplier, "Cleo", ["FINANCIAL_MANAGE"])
      }
      for (const state of Object.keys(orderIn) as ReadonlyArray<OrderState>) {
        const projectId = yield* agreementWithRecord({ buyer, supplier })
        const { order } = yield* orderIn[state]({ buyer, supplier, accountId, projectId })
        const { resultOrderId } = order
        assert.strictEqual(order.state, state)
        const [ofBuyer, ofSupplier] = forms[state]
        const expected: ReadonlyArray<readonly [SignedInPerson, ReadonlyArray<string>]> = [
          [buyer, ofBuyer],
          [members.payer, ofBuyer],
          [members.reader, []],
          [supplier, ofSupplier],
          [members.colleague, []]
        ]
        for (const [person, names] of expected) {
          assert.deepStrictEqual(yield* formsOnOrder(person, resultOrderId), names, `${state} ${person.name}`)
          const page = yield* readPage(person, orderPage(resultOrderId))
          assert.deepStrictEqual(accessibilityFaults(page.text), [], state)
          const isPaying = state === "PAYING" && person !== supplier && person !== members.colleague
          assert.strictEqual(externalLinksOn(page).length, isPaying ? 1 : 0, state)
        }
        const [buyerText, supplierText] = readerTexts[state]
        if (buyerText !== null) {
          assert.include(textOn(yield* readPage(members.reader, orderPage(resultOrderId))), buyerText, state)
        }
        if (supplierText !== null) {
          assert.include(textOn(yield* readPage(members.colleague, orderPage(resultOrderId))), supplierText, state)
        }
        const refused = yield* readPage(members.other, orderPage(resultOrderId))
        assert.deepStrictEqual([refused.status, accessibilityFaults(refused.text)], [403, []])
        const project = yield* readPage(members.other, projectPage(projectId))
        assert.include(textOn(project), "Seeing the Result Orders of this result requires")
        assert.notInclude(project.text, resultOrderId)
        for (const person of [buyer, supplier, members.reader]) {
          const shown = yield* readPage(person, projectPage(projectId))
          assert.include(shown.text, orderPage(resultOrderId))
          const offers = formsOn(shown.text).filter(({ action }) => action.endsWith("/result-orders")).length
          assert.strictEqual(offers, person === supplier && ["DECLINED", "WITHDRAWN"].includes(state) ? 1 : 0)
        }
      }
    })
  )

  it.effect("The start page names what waits for each person, and nothing to people without authority.", () =>
    Effect.gen(function* () {
      const [buyer, supplier] = [yield* signInNewPerson("Dana"), yield* signInNewPerson("Sam")]
      const accountId = yield* openAccount(supplier)
      const reader = yield* joinOrganization(buyer, "Rita", ["FINANCIAL_READ"])
      const resultOf = Effect.map(agreementWithRecord({ buyer, supplier }), (projectId) => ({
        buyer,
        supplier,
        accountId,
        projectId
      }))
      const waitingFor = (person: SignedInPerson) =>
        Effect.map(readPage(person, "/workspace/"), (page) => {
          assert.deepStrictEqual(accessibilityFaults(page.text), [])
          return [...page.text.matchAll(/orders\/order_[^"]*".*?data-heading="What is next">([^:<]*):/g)]
            .map(([, what]) => what)
            .toSorted()
        })
      yield* offered(yield* resultOf)
      yield* approved(yield* resultOf)
      yield* paid(yield* resultOf)
      const open = yield* paying(yield* resultOf)
      assert.deepStrictEqual(yield* waitingFor(buyer), [
        "Approve or decline the terms",
        "Open a checkout, and pay there",
        "Pay at the open checkout"
      ])
      for (const person of [supplier, reader]) assert.deepStrictEqual(yield* waitingFor(person), [])
      ;(yield* testProvider).condition = { availability: "WORKING", readbacks: { fault: "wrong-amount" } }
      yield* atProvider({ act: "pay", commerceOrderId: open.commerceOrderId })
      yield* captureAttempt(open.commerceOrderId)
      ;(yield* testProvider).condition = { availability: "WORKING" }
      for (const person of [supplier, reader]) {
        assert.deepStrictEqual(yield* waitingFor(person), ["Settle a payment with other values than the terms"])
      }
    })
  )

  it.effect("Own offers leave room for the orders that wait, and the start page says where it stops looking.", () =>
    Effect.gen(function* () {
      const [sam, kim] = [yield* signInNewPerson("Sam"), yield* signInNewPerson("Kim")]
      const accountId = yield* openAccount(kim)
      const bought = {
        buyer: sam,
        supplier: kim,
        accountId,
        projectId: yield* agreementWithRecord({ buyer: sam, supplier: kim })
      }
      const { order } = yield* offered(bought)
      yield* openAccount(sam)
      const sold = {
        buyer: kim,
        supplier: sam,
        accountId,
        projectId: yield* agreementWithRecord({ buyer: kim, supplier: sam })
      }
      const { order: own } = yield* offered(sold)
      yield* copyOrder(own.resultOrderId, limits.resultOrdersOnPage)
      const page = yield* readPage(sam, "/workspace/")
      assert.include(page.text, orderPage(order.resultOrderId))
      assert.notInclude(textOn(page), "Only the newest 100 Result Orders")
      assert.strictEqual(page.text.match(/Approve or decline the terms/g)?.length, 1)
      const many = yield* readPage(kim, "/workspace/")
      assert.strictEqual(many.text.match(/Approve or decline the terms/g)?.length, limits.resultOrdersOnPage)
      for (const text of ["Only the newest 100 Result Orders", "at most 20 are shown"]) {
        assert.include(textOn(many), text)
      }
    })
  )

  it.effect("Names, titles and reasons are shown as inert text on every page of an order.", () =>
    Effect.gen(function* () {
      const hostile = `"><script>alert(1)</script>\u202e`
      const [buyer, supplier] = [yield* signInNewPerson(`Dana ${hostile}`), yield* signInNewPerson("Sam")]
      yield* openAccount(supplier)
      const projectId = yield* agreementWithRecord(
        { buyer, supplier },
        { title: hostile, buyerName: hostile, supplierName: hostile }
      )
      const { order } = yield* offered({ buyer, supplier, projectId, accountId: "" })
      const { resultOrderId } = order
      const waiting = yield* readPage(buyer, "/workspace/")
      const declining = yield* orderFormOf(buyer, resultOrderId, "decline")
      const shown = yield* readPage(buyer, orderPage(resultOrderId))
      assert.strictEqual((yield* submit(buyer, declining, { reason: hostile })).status, 303)
      const late = yield* submit(
        buyer,
        { ...formOn(shown, orderPage(resultOrderId, "decline")) },
        { reason: hostile, requestId: "00000000-0000-4000-8000-000000000001" }
      )
      for (const page of [waiting, shown, late, yield* readPage(supplier, orderPage(resultOrderId))]) {
        assert.include(textOn(page), "‹U+202E›")
        assert.notMatch(page.text, /<script>|\u202e/)
        assert.deepStrictEqual(accessibilityFaults(page.text), [])
      }
    })
  )
})
