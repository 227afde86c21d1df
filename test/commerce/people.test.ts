import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { digestOf } from "../../src/canonical/digest.ts"
import { parseSigned } from "../../src/canonical/jws.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { CommerceOrders, ResultOrderPackages } from "../../src/commerce/store.ts"
import { Storage } from "../../src/ports/storage.ts"
import type { ResultPackage } from "../../src/records/package.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { agreementWithRecord, joinOrganization, termsWithRecipients } from "../support/issued-records.ts"
import { memoryTestService } from "../support/memory-service.ts"
import {
  approved,
  commandOrder,
  exportRecord,
  offer,
  offered,
  orderBody,
  paid,
  payableResult,
  paying,
  readOrder,
  type OrderOperation
} from "../support/orders.ts"
import { documentedResponse, readDocument } from "../support/openapi.ts"
import { uuid } from "../support/parties.ts"
import { atProvider, testProvider } from "../support/payments.ts"
import { runToAccepted } from "../support/person-commands.ts"
import { contest } from "../support/publications.ts"
import { everyRow } from "../support/rows.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { createdBody, outcome, post, read } from "../support/workspace.ts"

const stores = [
  ["in memory", memoryTestService],
  ["on Postgres", freshTestService]
] as const

describe.each(stores)("Result Orders %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect("An offer names the accepted result and its price, and the signed package is kept with it.", () =>
      Effect.gen(function* () {
        const result = yield* payableResult
        const answer = yield* offer(result.supplier, result.projectId)
        assert.strictEqual(answer.status, 201, answer.text)
        const { terms, termsDigest, financialEvents, financialHead, ...view } = answer.body
        assert.deepStrictEqual(view, {
          resultOrderId: view.resultOrderId,
          projectId: result.projectId,
          side: "SUPPLIER",
          state: "OFFERED",
          attempts: [],
          attention: [],
          availableActions: ["WITHDRAW_RESULT_ORDER"]
        })
        assert.strictEqual(termsDigest, digestOf(terms))
        assert.deepInclude(terms, {
          projectId: result.projectId,
          provider: "SIMULATED",
          environment: "TEST",
          recipientAccount: result.accountId,
          currency: "EUR",
          amountMinor: 125_000,
          buyer: { organizationId: result.buyer.organizationId, name: terms.buyer.name },
          item: { type: "RESULT_RECORD", id: terms.record.id, digest: terms.record.digest }
        })
        const [{ hash, ...event }] = financialEvents
        assert.deepStrictEqual([hash, hash], [digestOf(event), financialHead])
        assert.deepInclude(event, { sequence: 1, previous: termsDigest, kind: "OFFERED", payload: { termsDigest } })
        assert.deepStrictEqual(event.actor, {
          personId: result.supplier.personId,
          organizationId: result.supplier.organizationId
        })
        const storage = yield* Storage
        const kept = yield* storage.view((reader) => reader.get(ResultOrderPackages, [view.resultOrderId]))
        const payload = parseSigned<ResultPackage>(kept!.package)
        assert.deepStrictEqual([digestOf(payload), kept!.digest], [terms.packageDigest, terms.packageDigest])
        assert.isTrue(payload.issuedAt <= event.occurredAt)
      })
    )

    it.effect("An order is offered, approved and paid, and both sides read the same order.", () =>
      Effect.gen(function* () {
        const result = yield* payableResult
        const open = yield* paying(result)
        assert.strictEqual(open.order.state, "PAYING")
        const [attempt] = open.order.attempts
        assert.deepInclude(attempt, { number: 1, state: "OPEN" })
        assert.match(attempt.checkoutUrl, /^https:/)
        assert.isNull((yield* readOrder(result.supplier, open.order)).attempts[0].checkoutUrl)
        const { order } = yield* paid(yield* payableResult)
        assert.strictEqual(order.state, "PAID")
        assert.deepStrictEqual(
          order.financialEvents.map((event: { readonly kind: string }) => event.kind),
          ["OFFERED", "APPROVED", "ATTEMPT_OPENED", "ATTEMPT_PAID"]
        )
        const last = order.financialEvents.at(-1)
        assert.deepStrictEqual([last.requestId, last.actor], [null, null])
        assert.deepStrictEqual(last.payload.journal, order.attempts[0].journal)
        assert.deepStrictEqual(order.availableActions, [])
      })
    )

    it.effect("An offer with an invalid amount, currency or record is refused, and nothing is stored.", () =>
      Effect.gen(function* () {
        const { supplier, projectId } = yield* payableResult
        const other = yield* payableResult
        const before = yield* everyRow
        for (const amountMinor of [0, -1, 100_000_000, 1.5, "125000", null]) {
          const answer = yield* offer(supplier, projectId, { amountMinor })
          assert.deepStrictEqual(outcome(answer), [400, "INVALID_REQUEST"], String(amountMinor))
          assert.strictEqual(answer.body.issues[0].path, "amountMinor")
        }
        for (const currency of ["GBP", "XXX", "eur", "", 978]) {
          const answer = yield* offer(supplier, projectId, { currency })
          assert.deepStrictEqual(outcome(answer), [400, "INVALID_REQUEST"], String(currency))
          assert.strictEqual(answer.body.issues[0].path, "currency")
        }
        const foreign = createdBody(yield* offer(other.supplier, other.projectId)).terms.record.id
        const wrongRecord = yield* offer(supplier, projectId, { recordId: foreign })
        assert.deepStrictEqual(outcome(wrongRecord), [409, "RESULT_NOT_ISSUED"])
        const wrongDigest = yield* offer(supplier, projectId, { agreementDigest: "0".repeat(64) })
        assert.deepStrictEqual(outcome(wrongDigest), [409, "AGREEMENT_DIGEST_MISMATCH"])
        const after = (yield* everyRow).result_orders as ReadonlyArray<{ readonly projectId: string }>
        assert.isFalse(after.some((row) => row.projectId === projectId))
        assert.deepStrictEqual((yield* everyRow).memberships, before.memberships)
      })
    )

    it.effect("An offer requires an issued record, a valid confirmation and a recipient account.", () =>
      Effect.gen(function* () {
        const result = yield* payableResult
        const { buyer, supplier, projectId } = result
        const without = yield* runToAccepted({ buyer, supplier }, termsWithRecipients)
        const actionsOf = (by: SignedInPerson, id: string) =>
          Effect.map(read(by, `/projects/${id}/result-orders`), (answer) => createdBody(answer).availableActions)
        assert.deepStrictEqual(outcome(yield* offer(supplier, without)), [409, "RESULT_NOT_ISSUED"])
        assert.deepStrictEqual(yield* actionsOf(supplier, without), [])
        assert.deepStrictEqual(yield* actionsOf(supplier, projectId), ["OFFER_RESULT_ORDER"])
        yield* contest(result)
        assert.deepStrictEqual(outcome(yield* offer(supplier, projectId)), [409, "STATE_CONFLICT"])
        const accountless = yield* signInNewPerson("Sol")
        const issued = yield* agreementWithRecord({ buyer, supplier: accountless })
        const refused = yield* offer(accountless, issued)
        assert.deepStrictEqual(outcome(refused), [409, "RECIPIENT_NOT_PAYABLE"])
        assert.strictEqual(refused.body.nextAction, "OPEN_RECIPIENT_ACCOUNT")
        assert.deepStrictEqual(yield* actionsOf(accountless, issued), [])
      })
    )

    it.effect("A record has at most one live order, and a project at most 20 orders.", () =>
      Effect.gen(function* () {
        const { supplier, buyer, projectId } = yield* payableResult
        const listed = () => Effect.map(read(supplier, `/projects/${projectId}/result-orders`), createdBody)
        assert.deepStrictEqual((yield* listed()).availableActions, ["OFFER_RESULT_ORDER"])
        for (let count = 0; count < limits.resultOrders; count++) {
          const order = createdBody(yield* offer(supplier, projectId))
          if (count < 2) assert.deepStrictEqual(outcome(yield* offer(supplier, projectId)), [409, "ALREADY_EXISTS"])
          const ending =
            count % 2 === 0 ? commandOrder(supplier, order, "withdraw") : commandOrder(buyer, order, "decline")
          createdBody(yield* ending)
        }
        assert.deepStrictEqual(outcome(yield* offer(supplier, projectId)), [409, "RESULT_ORDER_LIMIT"])
        const { resultOrders, availableActions } = yield* listed()
        assert.lengthOf(resultOrders, limits.resultOrders)
        assert.deepStrictEqual(availableActions, [])
        const page = createdBody(yield* read(buyer, `/result-orders?organizationId=${buyer.organizationId}`))
        assert.lengthOf(page.resultOrders, limits.resultOrdersOnPage)
        assert.isNull(page.next)
      })
    )

    it.effect("Terms digest, financial head and state refuse a command in this order, with the current head.", () =>
      Effect.gen(function* () {
        const result = yield* payableResult
        const { order } = yield* offered(result)
        const wrong = { termsDigest: "0".repeat(64), financialHead: "1".repeat(64) }
        const current = { termsDigest: order.termsDigest, financialHead: order.financialHead }
        const early = yield* commandOrder(result.buyer, order, "payments", wrong)
        assert.deepStrictEqual(outcome(early), [409, "TERMS_DIGEST_MISMATCH"])
        assert.deepStrictEqual(early.body.current, current)
        const stale = yield* commandOrder(result.buyer, order, "payments", { financialHead: wrong.financialHead })
        assert.deepStrictEqual(outcome(stale), [409, "STALE_FINANCIAL_HEAD"])
        assert.deepStrictEqual([stale.body.current, stale.body.nextAction], [current, "REREAD_ORDER"])
        const unapproved = yield* commandOrder(result.buyer, order, "payments")
        assert.deepStrictEqual(outcome(unapproved), [409, "STATE_CONFLICT"])
        const approvedOrder = createdBody(yield* commandOrder(result.buyer, order, "approve"))
        const twice = yield* commandOrder(result.buyer, approvedOrder, "approve")
        assert.deepStrictEqual(outcome(twice), [409, "STATE_CONFLICT"])
        createdBody(yield* commandOrder(result.buyer, approvedOrder, "payments"))
        const open = yield* readOrder(result.buyer, order)
        const second = yield* commandOrder(result.buyer, open, "payments")
        assert.deepStrictEqual(outcome(second), [409, "PAYMENT_ATTEMPT_OPEN"])
        const withdrawn = yield* commandOrder(result.supplier, open, "withdraw")
        assert.deepStrictEqual(outcome(withdrawn), [409, "PAYMENT_ATTEMPT_OPEN"])
      })
    )

    it.effect(
      "Each command is refused with the current terms and head if it names others, and in states that do not allow it.",
      () =>
        Effect.gen(function* () {
          const { buyer, supplier, order } = yield* offered(yield* payableResult)
          const wrong = "0".repeat(64)
          const byOperation = { approve: buyer, decline: buyer, withdraw: supplier, payments: buyer } as const
          const operations = Object.keys(byOperation) as ReadonlyArray<OrderOperation>
          const assertDocumented = documentedResponse(yield* readDocument("/api/workspace"))
          for (const operation of operations) {
            const by = byOperation[operation]
            const terms = yield* commandOrder(by, order, operation, { termsDigest: wrong })
            assert.deepStrictEqual(outcome(terms), [409, "TERMS_DIGEST_MISMATCH"], operation)
            const head = yield* commandOrder(by, order, operation, { financialHead: wrong })
            assert.deepStrictEqual(outcome(head), [409, "STALE_FINANCIAL_HEAD"], operation)
            const current = { termsDigest: order.termsDigest, financialHead: order.financialHead }
            for (const refused of [terms, head]) {
              assert.deepStrictEqual([refused.body.current, refused.body.nextAction], [current, "REREAD_ORDER"])
              assertDocumented(`/api/workspace/result-orders/{orderId}/${operation}`, "post", refused)
            }
          }
          const declined = createdBody(yield* commandOrder(buyer, order, "decline"))
          for (const operation of operations) {
            const refused = yield* commandOrder(byOperation[operation], declined, operation)
            assert.deepStrictEqual(outcome(refused), [409, "STATE_CONFLICT"], operation)
          }
        })
    )

    it.effect("An order requires the authority on its side, and is unknown to other organizations.", () =>
      Effect.gen(function* () {
        const result = yield* payableResult
        const { order } = yield* offered(result)
        const clerk = yield* joinOrganization(result.buyer, "Clerk", ["FINANCIAL_READ"])
        const payer = yield* joinOrganization(result.buyer, "Payer", ["FINANCIAL_MANAGE"])
        const reviewer = yield* joinOrganization(result.buyer, "Rev", ["DELIVERY_REVIEW"])
        const seller = yield* joinOrganization(result.supplier, "Seller", ["FINANCIAL_MANAGE"])
        const outsider = yield* signInNewPerson("Fay")
        const path = `/result-orders/${order.resultOrderId}`
        assert.deepStrictEqual((yield* readOrder(clerk, order)).availableActions, [])
        assert.deepStrictEqual((yield* readOrder(seller, order)).availableActions, [])
        assert.include((yield* readOrder(payer, order)).availableActions, "APPROVE_RESULT_ORDER")
        assert.deepStrictEqual(outcome(yield* read(reviewer, path)), [403, "FORBIDDEN"])
        assert.deepStrictEqual(outcome(yield* read(outsider, path)), [404, "NOT_FOUND"])
        assert.deepStrictEqual(outcome(yield* read(payer, `/result-orders/order_${uuid()}`)), [404, "NOT_FOUND"])
        for (const by of [clerk, seller, result.supplier]) {
          assert.deepStrictEqual(outcome(yield* commandOrder(by, order, "approve")), [403, "FORBIDDEN"])
        }
        assert.deepStrictEqual(outcome(yield* commandOrder(outsider, order, "approve")), [404, "NOT_FOUND"])
        assert.deepStrictEqual(outcome(yield* commandOrder(payer, order, "withdraw")), [403, "FORBIDDEN"])
        assert.deepStrictEqual(outcome(yield* commandOrder(seller, order, "withdraw")), [403, "FORBIDDEN"])
        assert.strictEqual((yield* commandOrder(payer, order, "approve")).status, 200)
        const own = `/result-orders?organizationId=${result.buyer.organizationId}`
        assert.deepStrictEqual(outcome(yield* read(outsider, own)), [403, "FORBIDDEN"])
        assert.lengthOf(createdBody(yield* read(clerk, own)).resultOrders, 1)
      })
    )

    it.effect("A person with memberships on both sides acts for the recorded side only.", () =>
      Effect.gen(function* () {
        const result = yield* payableResult
        const { order } = yield* offered(result)
        const { personId } = result.supplier
        const validUntil = addMilliseconds(yield* now, 86_400_000)
        const { organizationId } = result.buyer
        yield* createMembership({ personId, organizationId, authorities: ["FINANCIAL_MANAGE"], validUntil })
        const approval = yield* commandOrder(result.supplier, order, "approve")
        assert.deepStrictEqual(outcome(approval), [403, "FORBIDDEN"])
        const listed = createdBody(yield* read(result.supplier, `/result-orders?organizationId=${organizationId}`))
        assert.deepStrictEqual(listed.resultOrders, [])
      })
    )

    it.effect("A replayed command has no second effect: it answers with the first status and the current order.", () =>
      Effect.gen(function* () {
        const result = yield* payableResult
        const { order } = yield* approved(result)
        const body = orderBody(order, "payments")
        const path = `/result-orders/${order.resultOrderId}/payments`
        const first = yield* post(result.buyer, path, body)
        const second = yield* post(result.buyer, path, body)
        assert.deepStrictEqual([second.status, second.body], [201, { ...first.body, replayed: true }])
        const other = yield* post(result.buyer, path, { ...body, financialHead: "0".repeat(64) })
        assert.deepStrictEqual(outcome(other), [409, "REQUEST_ID_CONFLICT"])
        const { commerceOrderId } = first.body.attempts[0]
        const { purchases } = (yield* testProvider).state
        assert.lengthOf(
          purchases.filter((one) => one.request.commerceOrderId === commerceOrderId),
          1
        )
      })
    )

    it.effect("A payment needs an account that the provider lets receive payments.", () =>
      Effect.gen(function* () {
        const result = yield* payableResult
        const accountless = yield* signInNewPerson("Sue")
        const path = `/organizations/${accountless.organizationId}/recipient-account`
        assert.deepStrictEqual(outcome(yield* read(accountless, path)), [404, "NOT_FOUND"])
        const opened = createdBody(yield* post(accountless, path))
        assert.deepInclude(opened, { provider: "SIMULATED", environment: "TEST", payable: false })
        const again = createdBody(yield* post(accountless, path))
        assert.strictEqual(again.accountId, opened.accountId)
        const projectId = yield* agreementWithRecord({ buyer: result.buyer, supplier: accountless })
        const order = createdBody(yield* offer(accountless, projectId))
        const agreed = createdBody(yield* commandOrder(result.buyer, order, "approve"))
        const refused = yield* commandOrder(result.buyer, agreed, "payments")
        assert.deepStrictEqual(outcome(refused), [409, "RECIPIENT_NOT_PAYABLE"])
        yield* atProvider({ act: "onboard", accountId: opened.accountId })
        assert.strictEqual((yield* commandOrder(result.buyer, agreed, "payments")).status, 201)
        assert.isTrue(createdBody(yield* read(accountless, path)).payable)
      })
    )

    it.effect("The Result Order record of an attempt holds the order as it was before that attempt.", () =>
      Effect.gen(function* () {
        const result = yield* payableResult
        const { order: before } = yield* approved(result)
        const open = createdBody(yield* commandOrder(result.buyer, before, "payments"))
        const { commerceOrderId } = open.attempts[0]
        const storage = yield* Storage
        const row = (yield* storage.view((reader) => reader.get(CommerceOrders, [commerceOrderId])))!
        const record = parseSigned<any>(row.orderRecord)
        const { terms, termsDigest, financialHead, financialEvents } = before
        assert.deepInclude(record, { commerceOrderId, terms, termsDigest, financialHead, financialEvents })
        const { baseUrl, acceptedSourceDigest } = record
        const source = [termsDigest, financialHead, baseUrl, baseUrl, terms.agreement.digest]
        assert.strictEqual(acceptedSourceDigest, digestOf(source))
        const opening = open.financialEvents.at(-1)
        assert.strictEqual(opening.payload.acceptedSourceDigest, acceptedSourceDigest)
        assert.isTrue(record.issuedAt <= opening.occurredAt)
      })
    )

    it.effect("A Commerce Record is signed once for each length of the journal.", () =>
      Effect.gen(function* () {
        const result = yield* payableResult
        const { commerceOrderId } = yield* paying(result)
        const empty = yield* exportRecord(result.buyer, commerceOrderId)
        assert.strictEqual(empty.status, 200, empty.text)
        assert.strictEqual(empty.headers["cache-control"], "no-store")
        assert.strictEqual(empty.headers["content-disposition"], 'attachment; filename="commerce-record.json"')
        const payload = parseSigned<any>(empty.body.record)
        assert.strictEqual(empty.body.recordDigest, digestOf(payload))
        assert.deepInclude(payload, { firstCapturedAt: null, labels: [], bankReceiptVerified: false })
        assert.deepStrictEqual(payload.journal, { count: 0, head: digestOf(payload.binding), entries: [] })
        assert.strictEqual((yield* exportRecord(result.supplier, commerceOrderId)).text, empty.text)
        const other = yield* paid(yield* payableResult)
        const full = parseSigned<any>((yield* exportRecord(other.supplier, other.commerceOrderId)).body.record)
        assert.deepStrictEqual(full.labels, [null, "PROVIDER_VERIFIED_PAYMENT", "PROVIDER_VERIFIED_TRANSFER"])
        assert.strictEqual(full.firstCapturedAt, full.journal.entries[0].observedAt)
        const outsider = yield* signInNewPerson("Fay")
        const reviewer = yield* joinOrganization(result.buyer, "Rev", ["DELIVERY_REVIEW"])
        assert.deepStrictEqual(outcome(yield* exportRecord(outsider, commerceOrderId)), [404, "NOT_FOUND"])
        assert.deepStrictEqual(outcome(yield* exportRecord(outsider, `commerce_${uuid()}`)), [404, "NOT_FOUND"])
        assert.deepStrictEqual(outcome(yield* exportRecord(outsider, "commerce_1")), [404, "NOT_FOUND"])
        assert.deepStrictEqual(outcome(yield* exportRecord(reviewer, commerceOrderId)), [403, "FORBIDDEN"])
      })
    )
  })
})
