/** The closure on an order's page: its files for those who pass the gates, and why others cannot have them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { requestClosure } from "../support/closures.ts"
import { joinOrganization } from "../support/issued-records.ts"
import { growJournal } from "../support/journals.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { orderPage } from "../support/order-pages.ts"
import { approved, paid, payableResult, paying } from "../support/orders.ts"
import { readPage } from "../support/page-forms.ts"
import { textOn } from "../support/project-pages.ts"
import { send } from "../support/service.ts"
import type { SignedInPerson } from "../support/sessions.ts"
import { options } from "../support/workspace.ts"

const heading = "The closure: the delivery and its payment in one file"

/** The text of the order's page, and the closure's addresses that it links to. */
const shownTo = Effect.fnUntraced(function* (person: SignedInPerson, resultOrderId: string) {
  const page = yield* readPage(person, orderPage(resultOrderId))
  assert.deepStrictEqual([page.status, accessibilityFaults(page.text)], [200, []])
  const links = [...page.text.matchAll(/<a href="(\/api\/[^"]*\/closure[^"]*)"/g)].map(([, href]) => href!)
  return { text: textOn(page), links }
})

layer(memoryTestService, { excludeTestServices: true })("closures on pages", (it) => {
  it.effect("Persons of both sides who pass the gates download the closure and its status from the order's page.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, order } = yield* paid(yield* payableResult)
      for (const person of [buyer, supplier]) {
        const { text, links } = yield* shownTo(person, order.resultOrderId)
        assert.include(text, heading)
        assert.include(text, "The file is about payment attempt 1, the first one that the provider reports as paid.")
        assert.include(text, "It proves that this delivery was accepted and recorded here")
        assert.include(text, "It does not prove that a bank received money")
        const path = `/api/commerce/result-orders/${order.resultOrderId}/closure`
        assert.deepStrictEqual(links, [path, `${path}/status`])
        for (const href of links) {
          const file = yield* send("GET", href, options(person, {}))
          assert.strictEqual(file.status, 200, file.text)
          assert.match(
            file.headers["content-disposition"]!,
            /^attachment; filename="transaction-(records|status)\.json"$/u
          )
        }
      }
    })
  )

  it.effect("A member who only reads payments, and a colleague of the representative, are told whom to ask.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, order } = yield* paid(yield* payableResult)
      const reader = yield* joinOrganization(buyer, "Rea", ["FINANCIAL_READ"])
      const colleague = yield* joinOrganization(supplier, "Cleo")
      for (const [person, reason] of [
        [reader, "Ask the person who made the agreement for it, or a member of the buyer"],
        [colleague, "only the representative can download it"]
      ] as const) {
        const { text, links } = yield* shownTo(person, order.resultOrderId)
        assert.include(text, heading)
        assert.include(text, reason)
        assert.deepStrictEqual(links, [])
        assert.strictEqual((yield* requestClosure(person, order.resultOrderId)).status, 403)
      }
      const { text } = yield* shownTo(reader, order.resultOrderId)
      for (const permission of ["Create agreements", "Review and reject deliveries", "Publish and withdraw results"]) {
        assert.include(text, permission)
      }
    })
  )

  it.effect("Before the first attempt there is no closure, and before a payment it says that none was reported.", () =>
    Effect.gen(function* () {
      const agreed = yield* approved(yield* payableResult)
      assert.notInclude((yield* shownTo(agreed.buyer, agreed.order.resultOrderId)).text, heading)
      const open = yield* paying(yield* payableResult)
      const { text, links } = yield* shownTo(open.buyer, open.order.resultOrderId)
      assert.include(text, "The provider has not reported it as paid, and the file says so.")
      assert.lengthOf(links, 2)
    })
  )

  it.effect("A journal that is too long for a closure is said instead of a link.", () =>
    Effect.gen(function* () {
      const { buyer, order, commerceOrderId } = yield* paid(yield* payableResult)
      yield* growJournal(commerceOrderId, 1_001)
      const { text, links } = yield* shownTo(buyer, order.resultOrderId)
      assert.include(text, "Limit reached: 1000 captured entries in one Commerce Record")
      assert.deepStrictEqual(links, [])
    })
  )
})
