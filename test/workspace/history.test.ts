/** The history of an agreement on pages: its buyer records it with a passport, and a closure carries it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { extendedPage, referencePage } from "../support/history-pages.ts"
import { agreementWithRecord, joinOrganization } from "../support/issued-records.ts"
import {
  nextAgreement,
  paidAndPublished,
  passportOf,
  referred,
  requestExtended,
  supersedeByRevision
} from "../support/lineage.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { orderPage } from "../support/order-pages.ts"
import { formOn, postMultipart, problemsOn, readPage, submit } from "../support/page-forms.ts"
import { textOn } from "../support/project-pages.ts"
import { publish, withdraw } from "../support/publications.ts"
import { everyRow } from "../support/rows.ts"
import type { Answer } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { createdBody } from "../support/workspace.ts"

const assertAccessible = ({ status, text }: Answer, expected = 200): void =>
  assert.deepStrictEqual([status, accessibilityFaults(text)], [expected, []])

/** Sends a file, as text, to the form that takes a passport. */
const choosePassport = Effect.fnUntraced(function* (by: SignedInPerson, projectId: string, file: string) {
  const page = yield* readPage(by, referencePage(projectId))
  return yield* postMultipart(by, formOn(page, `${referencePage(projectId)}/passport`), {}, { passport: file })
})

const reason = "The earlier logo was delivered as agreed."

layer(memoryTestService, { excludeTestServices: true })("the history of an agreement on pages", (it) => {
  it.effect(
    "A buyer chooses a passport and one result in it, and sees the reference without the earlier project.",
    () =>
      Effect.gen(function* () {
        const original = yield* paidAndPublished
        const { buyer, projectId } = yield* nextAgreement(original)
        const project = yield* readPage(buyer, `/workspace/projects/${projectId}`)
        assert.include(project.text, `href="${referencePage(projectId)}"`)
        const first = yield* readPage(buyer, referencePage(projectId))
        assertAccessible(first)
        assert.include(first.text, `href="/workspace/providers/${original.subjectId}"`)
        const choice = yield* choosePassport(buyer, projectId, JSON.stringify(original.passport, null, 2))
        assertAccessible(choice)
        assert.include(textOn(choice), original.publication.projection.title)
        const form = formOn(choice, `${referencePage(projectId)}/record`)
        const answers = [
          yield* submit(buyer, form, { resultId: original.resultId, reason }),
          yield* submit(buyer, form, { resultId: original.resultId, reason })
        ]
        for (const { status, headers } of answers) {
          assert.deepStrictEqual([status, headers["location"]], [303, referencePage(projectId)])
        }
        const recorded = yield* readPage(buyer, referencePage(projectId))
        assertAccessible(recorded)
        for (const shown of [original.resultId, reason, "Nora", original.subjectId])
          assert.include(recorded.text, shown)
        for (const page of [project, first, choice, recorded]) assert.notInclude(page.text, original.projectId)
        const rows = yield* everyRow
        assert.lengthOf(rows["history_references"]!, 1)
        assert.strictEqual(
          (yield* submit(buyer, form, { resultId: original.resultId, reason: "Another." })).status,
          409
        )
      })
  )

  it.effect("A file that is no passport, or another supplier's, is refused at its field, and nothing is stored.", () =>
    Effect.gen(function* () {
      const original = yield* paidAndPublished
      const { buyer, projectId } = yield* nextAgreement(original)
      const foreign = yield* paidAndPublished
      const { manifest } = foreign.passport
      const rows = yield* everyRow
      const files = [
        ["", "Choose the file passport.json.", 400],
        ["PK\u0003\u0004", "This file is not the passport.json of a Result Passport.", 400],
        ["[".repeat(100_000), "This file is not the passport.json of a Result Passport.", 400],
        [JSON.stringify({ ...original.passport, note: "" }), "This file is not the passport.json", 400],
        [JSON.stringify({ ...original.passport, manifest }), "This service did not make this passport", 409],
        [JSON.stringify(foreign.passport), "This passport is about another supplier.", 409]
      ] as const
      for (const [file, message, status] of files) {
        const answer = yield* choosePassport(buyer, projectId, file)
        assertAccessible(answer, status)
        const [problem, ...more] = problemsOn(answer)
        assert.strictEqual(problem?.[0], "passport", file.slice(0, 40))
        assert.include(problem?.[1], message)
        assert.deepStrictEqual(more, [])
      }
      assert.deepStrictEqual(yield* everyRow, rows)
    })
  )

  it.effect("A result that has been withdrawn is not offered, and is refused if it was chosen before.", () =>
    Effect.gen(function* () {
      const original = yield* paidAndPublished
      const { supplier, buyer: firstBuyer } = original
      const parties = { buyer: firstBuyer, supplier }
      const other = yield* publish({ ...parties, projectId: yield* agreementWithRecord(parties) })
      const passport = yield* passportOf(original.subjectId, [original.publication, other])
      const { buyer, projectId } = yield* nextAgreement(original)
      const choice = yield* choosePassport(buyer, projectId, JSON.stringify(passport))
      const form = formOn(choice, `${referencePage(projectId)}/record`)
      createdBody(yield* withdraw(supplier, original.publication))
      const refused = yield* submit(buyer, form, { resultId: original.resultId, reason })
      assertAccessible(refused, 409)
      assert.deepStrictEqual(problemsOn(refused), [
        ["resultId", "This result is not public now. Choose another one, or ask the supplier to publish it."]
      ])
      assert.include(textOn(refused), reason)
      assert.include(textOn(refused), "Results that cannot be chosen")
      assert.notInclude(refused.text, `value="${original.resultId}"`)
      assert.strictEqual((yield* submit(buyer, formOn(refused, form.action), { reason })).status, 400)
      const { resultId } = other.projection
      assert.strictEqual((yield* submit(buyer, formOn(refused, form.action), { resultId, reason })).status, 303)
    })
  )

  it.effect("The page says who can record a history, and when none can be recorded.", () =>
    Effect.gen(function* () {
      const original = yield* paidAndPublished
      const next = yield* nextAgreement(original)
      const reader = yield* joinOrganization(next.buyer, "Rea", ["FINANCIAL_READ"])
      assert.include(
        textOn(yield* readPage(reader, referencePage(next.projectId))),
        "Recording one requires a membership that permits making agreements."
      )
      const thirdParty = yield* signInNewPerson("Tina")
      for (const other of [next.supplier, original.buyer, thirdParty]) {
        assert.strictEqual((yield* readPage(other, referencePage(next.projectId))).status, 403)
      }
      yield* supersedeByRevision(next.buyer, next.supplier, next.projectId)
      const ended = yield* readPage(next.buyer, referencePage(next.projectId))
      assertAccessible(ended)
      assert.include(textOn(ended), "The agreement has ended, or the supplier has not confirmed it.")
    })
  )

  it.effect("A person of both transactions downloads the closure with its history, the same as the API's.", () =>
    Effect.gen(function* () {
      const { original, next } = yield* referred
      const { supplier, order, passport } = original
      const another = yield* nextAgreement(original)
      const path = extendedPage(order.resultOrderId)
      assert.include((yield* readPage(supplier, orderPage(order.resultOrderId))).text, `href="${path}"`)
      const page = yield* readPage(supplier, path)
      assertAccessible(page)
      for (const offered of [next.projectId, another.projectId]) assert.include(page.text, `value="${offered}"`)
      assert.notInclude(page.text, `value="${original.projectId}"`)
      const form = formOn(page, path)
      const send = (nextTaskId: string, file: unknown) =>
        postMultipart(supplier, form, { nextTaskId }, { passport: JSON.stringify(file) })
      const file = yield* send(next.projectId, passport)
      assert.deepStrictEqual(
        [file.status, file.headers["content-disposition"]],
        [200, 'attachment; filename="transaction-records-with-history.json"']
      )
      const byApi = createdBody(
        yield* requestExtended(supplier, order.resultOrderId, { passport, nextTaskId: next.projectId })
      )
      assert.deepStrictEqual(Object.keys(file.body).toSorted(), Object.keys(byApi).toSorted())
      assert.strictEqual(file.body.body.lineage.historyReference, byApi.body.lineage.historyReference)
      const unreferred = yield* send(another.projectId, passport)
      assertAccessible(unreferred, 409)
      assert.deepStrictEqual(
        problemsOn(unreferred).map(([field]) => field),
        ["nextTaskId"]
      )
      const wrong = yield* passportOf(original.subjectId, [original.publication])
      const mismatched = yield* send(next.projectId, wrong)
      assert.deepStrictEqual(
        problemsOn(mismatched).map(([field]) => field),
        ["passport"]
      )
    })
  )

  it.effect("A person who may copy no other agreement of the supplier is told so, and third parties see nothing.", () =>
    Effect.gen(function* () {
      const { original, next } = yield* referred
      const path = extendedPage(original.order.resultOrderId)
      const page = yield* readPage(original.buyer, path)
      assertAccessible(page)
      assert.include(textOn(page), "You can copy no other agreement with this supplier.")
      assert.notInclude(page.text, next.projectId)
      assert.strictEqual((yield* readPage(next.buyer, path)).status, 404)
      const colleague = yield* joinOrganization(original.supplier, "Cleo", ["FINANCIAL_READ"])
      assert.strictEqual((yield* readPage(colleague, path)).status, 403)
    })
  )
})
