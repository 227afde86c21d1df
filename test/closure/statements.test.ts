/** What closures and their statuses ask of Postgres. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { requestClosure, requestClosureStatus } from "../support/closures.ts"
import { Counted, countingService, statementsOf } from "../support/counting-service.ts"
import { growJournal } from "../support/journals.ts"
import { extendedPage, referencePage } from "../support/history-pages.ts"
import { agreementWithRecord } from "../support/issued-records.ts"
import {
  nextAgreement,
  paidAndPublished,
  passportOf,
  refer,
  referenceBody,
  requestExtended
} from "../support/lineage.ts"
import { paid, payableResult } from "../support/orders.ts"
import { atProvider } from "../support/payments.ts"
import { formOn, postMultipart, readPage } from "../support/page-forms.ts"
import { publish } from "../support/publications.ts"
import { createdBody } from "../support/workspace.ts"

/** The statements of each transaction and view of a request, its session first. */
const observedIn = Effect.fnUntraced(function* <A extends { readonly status: number }, E, R>(
  request: Effect.Effect<A, E, R>
) {
  const { observed } = yield* Counted
  observed.length = 0
  assert.strictEqual((yield* request).status, 200)
  return statementsOf(observed)
})

layer(countingService, { excludeTestServices: true })("the statements of closures", (it) => {
  it.effect("A closure is one view and one transaction, whatever the length of the history and the journal.", () =>
    Effect.gen(function* () {
      const { buyer, order, commerceOrderId } = yield* paid(yield* payableResult)
      const { resultOrderId } = order
      const first = yield* observedIn(requestClosure(buyer, resultOrderId))
      const later = yield* observedIn(requestClosure(buyer, resultOrderId))
      const status = yield* observedIn(requestClosureStatus(buyer, resultOrderId))
      yield* atProvider({ act: "refund", commerceOrderId })
      yield* captureAttempt(commerceOrderId)
      yield* growJournal(commerceOrderId, 100)
      const grown = yield* observedIn(requestClosure(buyer, resultOrderId))
      assert.deepStrictEqual({ first, later, grown }, { first: [2, 5, 9], later: [2, 5, 7], grown: [2, 5, 9] })
      // Reads whose answers arrive together share statements.
      assert.lengthOf(status, 2)
      assert.isAtMost(status[1]!, 12)
    })
  )

  it.effect("A history reference, its replay and a closure with it are one view and one transaction each.", () =>
    Effect.gen(function* () {
      const { observed } = yield* Counted
      const original = yield* paidAndPublished
      const { buyer, projectId } = yield* nextAgreement(original)
      const body = referenceBody(original)
      observed.length = 0
      createdBody(yield* refer(buyer, projectId, body))
      const made = statementsOf(observed)
      observed.length = 0
      createdBody(yield* refer(buyer, projectId, body))
      const replayed = statementsOf(observed)
      const history = { passport: original.passport, nextTaskId: projectId }
      const closure = yield* observedIn(requestExtended(original.supplier, original.order.resultOrderId, history))
      assert.deepStrictEqual(
        { made, replayed, closure },
        { made: [2, 5, 9], replayed: [2, 5, 7], closure: [2, 10, 13] }
      )
    })
  )

  it.effect("Each page about a history has a fixed number of statements, however many results a passport holds.", () =>
    Effect.gen(function* () {
      const original = yield* paidAndPublished
      const { buyer, projectId } = yield* nextAgreement(original)
      const { resultOrderId } = original.order
      const reference = referencePage(projectId)
      const others = yield* Effect.forEach(Array.from({ length: 8 }), () =>
        Effect.flatMap(agreementWithRecord(original), (id) => publish({ ...original, projectId: id }))
      )
      const [five, nine] = yield* Effect.forEach([4, 8], (more) =>
        passportOf(original.subjectId, [original.publication, ...others.slice(0, more)])
      )
      const empty = yield* observedIn(readPage(buyer, reference))
      const form = formOn(yield* readPage(buyer, reference), `${reference}/passport`)
      const choice = (passport: object) =>
        observedIn(postMultipart(buyer, form, {}, { passport: JSON.stringify(passport) }))
      const choices = yield* Effect.forEach([original.passport, five, nine], choice)
      createdBody(yield* refer(buyer, projectId, referenceBody(original)))
      const recorded = yield* observedIn(readPage(buyer, reference))
      const extended = yield* observedIn(readPage(original.supplier, extendedPage(resultOrderId)))
      assert.deepStrictEqual(
        { empty, choices, recorded, extended },
        {
          empty: [2, 5],
          choices: [
            [2, 5, 6],
            [2, 5, 8],
            [2, 5, 8]
          ],
          recorded: [2, 6],
          extended: [2, 6, 2, 3]
        }
      )
    })
  )
})
