/** What happens between a proposal's form and what is kept of it: nothing that a person typed or read is lost by it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { removeContact } from "../../src/people/contacts.ts"
import { endMembership } from "../../src/people/memberships.ts"
import { listProposalsAsPerson } from "../../src/proposals/person-operations.ts"
import { commitShown, dayFrom } from "../support/agreement-pages.ts"
import { discard, preparedFor, published, readDraft, save } from "../support/drafts.ts"
import { formOn, formsOn, problemsOn, readPage, submit } from "../support/page-forms.ts"
import { faultsOf } from "../support/page-scan.ts"
import { joinedBy, wordsOn } from "../support/project-pages.ts"
import {
  accepting,
  makeCouple,
  mustDo,
  newPath,
  openForm,
  previewed,
  proposalIn,
  proposalPage,
  publishOnPages,
  standing,
  updateOnPages,
  writeOnPages,
  written
} from "../support/proposal-pages.ts"
import { freshTestService } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"
import { now } from "../../src/vocabulary/instant.ts"

const mine = { title: "Mine", scope: "All of it,\nand more.", location: "Shelf 3" }

layer(freshTestService, { excludeTestServices: true })("a version of a proposal that ends meanwhile", (it) => {
  it.effect("is not lost at either step: it is shown whole, and goes on in a proposal of its own", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const values = yield* written(couple, mine)
      const proposalId = yield* publishOnPages(couple)
      const path = proposalPage(proposalId, "update")
      const form = yield* openForm(supplier, proposalId, "update")
      const shown = yield* submit(supplier, form, values)
      yield* mustDo(buyer, proposalId, "respond", { ...accepting, action: "DECLINE" })
      for (const closed of [yield* submit(supplier, form, values), yield* commitShown(supplier, shown, path)]) {
        assert.deepStrictEqual([closed.status, faultsOf(closed.text)], [409, []])
        for (const said of [
          "You cannot do this now",
          "Title Mine",
          "Scope All of it, and more.",
          "Where they are Shelf 3",
          "Title of criterion 1 Vector files",
          "What is required by criterion 1 An SVG."
        ]) {
          assert.include(wordsOn(closed), said)
        }
        assert.notInclude(wordsOn(closed), "Task Mine")
        const anew = yield* submit(supplier, formOn(closed, newPath))
        assert.deepStrictEqual([anew.status, faultsOf(anew.text), problemsOn(anew)], [200, [], []])
        assert.include(anew.text, 'value="Mine"')
        assert.include(anew.text, `<option value="${couple.contactId}" selected`)
        const again = yield* submit(supplier, formOn(anew, newPath), values)
        const madeId = proposalIn(yield* commitShown(supplier, again, newPath))
        assert.strictEqual((yield* standing(supplier, madeId)).terms.title, "Mine")
      }
      assert.strictEqual((yield* standing(supplier, proposalId)).version, 1)
    })
  )

  it.effect("is shown to who may no longer write one, and not offered", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier } = couple
      const kim = yield* signInAnew("Kim")
      const { membershipId } = yield* joinedBy(kim, supplier.organizationId)
      const proposalId = yield* writeOnPages(couple)
      const form = yield* openForm(kim, proposalId, "update")
      yield* endMembership("OPERATOR", { membershipId })
      yield* joinedBy(kim, supplier.organizationId, ["TERMS_RESPOND"])
      const closed = yield* submit(kim, form, yield* written(couple, mine))
      assert.strictEqual(closed.status, 409)
      assert.include(wordsOn(closed), "Where they are Shelf 3")
      assert.notInclude(
        formsOn(closed.text).map(({ action }) => action),
        newPath
      )
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("a version that a colleague wrote meanwhile", (it) => {
  it.effect("is read before it is replaced, from the first step on", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier } = couple
      const proposalId = yield* writeOnPages(couple)
      const path = proposalPage(proposalId, "update")
      const form = yield* openForm(supplier, proposalId, "update")
      yield* updateOnPages(couple, proposalId, { scope: "What Kim wrote." })
      const stale = yield* submit(supplier, form, yield* written(couple, mine))
      assert.deepStrictEqual([stale.status, faultsOf(stale.text), problemsOn(stale)], [409, [], []])
      for (const said of ["The proposal has changed meanwhile", "Version 2, which stands now", "What Kim wrote."]) {
        assert.include(wordsOn(stale), said)
      }
      assert.include(stale.text, `href="${proposalPage(proposalId)}"`)
      assert.include(stale.text, 'value="Mine"')
      const again = yield* submit(supplier, formOn(stale, path), yield* written(couple, mine))
      assert.strictEqual((yield* commitShown(supplier, again, path)).status, 303)
      assert.strictEqual((yield* standing(supplier, proposalId)).version, 3)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("a supplier's draft", (it) => {
  it.effect("that was changed meanwhile goes on as it is now, with what was entered", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier } = couple
      const draftId = yield* preparedFor(supplier, { title: "From a draft" }, "SUPPLIER")
      const address = `${newPath}?draft=${draftId}`
      const values = yield* written(couple, mine)
      const form = formOn(yield* readPage(supplier, address), newPath)
      const shown = yield* submit(supplier, form, values)
      yield* save(supplier, yield* readDraft(supplier, draftId), { title: "Changed" })
      for (const stale of [yield* submit(supplier, form, values), yield* commitShown(supplier, shown, newPath)]) {
        assert.deepStrictEqual([stale.status, faultsOf(stale.text)], [409, []])
        assert.include(wordsOn(stale), "The draft was changed meanwhile")
        assert.include(stale.text, `href="/workspace/drafts/${draftId}"`)
        assert.include(stale.text, 'value="Mine"')
        assert.strictEqual(formOn(stale, newPath).hidden["draftRevision"], "2")
      }
      assert.strictEqual((yield* listProposalsAsPerson(supplier)).length, 0)
      const stale = yield* commitShown(supplier, shown, newPath)
      const again = yield* submit(supplier, formOn(stale, newPath), values)
      const proposalId = proposalIn(yield* commitShown(supplier, again, newPath))
      const { state, outcomeId } = yield* readDraft(supplier, draftId)
      assert.deepStrictEqual([state, outcomeId], ["COMMITTED", proposalId])
    })
  )

  it.effect("that has ended meanwhile is left, and what was entered becomes a proposal beside it", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier } = couple
      const { id, version, digest } = yield* published
      const fields = { schema: "service.agreement-draft/v1", specification: { id, version, digest } }
      const draftId = yield* preparedFor(supplier, fields, "SUPPLIER")
      const values = yield* written(couple, mine)
      const shown = yield* previewed(supplier, values, `${newPath}?draft=${draftId}`)
      yield* discard(supplier, yield* readDraft(supplier, draftId))
      const stale = yield* commitShown(supplier, shown, newPath)
      assert.deepStrictEqual([stale.status, faultsOf(stale.text)], [409, []])
      assert.include(wordsOn(stale), "The draft was finished meanwhile")
      const { hidden } = formOn(stale, newPath)
      assert.deepStrictEqual(
        [hidden["draft"], hidden["draftRevision"], hidden["organizationId"]],
        [undefined, undefined, supplier.organizationId]
      )
      const again = yield* submit(supplier, formOn(stale, newPath), values)
      const { terms } = yield* standing(supplier, proposalIn(yield* commitShown(supplier, again, newPath)))
      assert.deepStrictEqual([terms.title, terms.specification], ["Mine", undefined])
      assert.strictEqual((yield* readDraft(supplier, draftId)).state, "DISCARDED")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("an answer that was lost", (it) => {
  it.effect("is told again as what it was, also where the recipient is no contact any more", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier } = couple
      const { organizationId } = supplier
      const values = yield* written(couple)
      const shown = yield* previewed(supplier, values)
      const proposalId = proposalIn(yield* commitShown(supplier, shown, newPath))
      const path = proposalPage(proposalId, "update")
      const again = yield* submit(supplier, yield* openForm(supplier, proposalId, "update"), values)
      assert.strictEqual((yield* commitShown(supplier, again, path)).status, 303)
      yield* removeContact(supplier, { organizationId, reference: "dana" })
      assert.strictEqual(proposalIn(yield* commitShown(supplier, shown, newPath)), proposalId)
      assert.strictEqual(proposalIn(yield* commitShown(supplier, again, path)), proposalId)
      yield* mustDo(supplier, proposalId, "withdraw", { confirmed: "on" })
      assert.strictEqual(proposalIn(yield* commitShown(supplier, again, path)), proposalId)
      assert.deepStrictEqual((yield* standing(supplier, proposalId)).version, 2)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("who signs for the supplier", (it) => {
  it.effect("is chosen anew where the person is no member any more, and nobody in their place", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier } = couple
      const kim = yield* signInAnew("Kim")
      const { membershipId } = yield* joinedBy(kim, supplier.organizationId)
      const today = yield* now
      const signing = {
        signing: "EXTERNAL",
        counterparty: kim.personId,
        agreementSignBy: dayFrom(today, 6),
        acceptanceSignBy: dayFrom(today, 14)
      }
      const proposalId = yield* writeOnPages(couple, signing)
      yield* endMembership("OPERATOR", { membershipId })
      const path = proposalPage(proposalId, "update")
      const page = yield* readPage(supplier, path)
      const [, chosen] =
        /<select id="field-counterparty".*?<option value="([^"]*)" selected[^>]*>Choose a person</s.exec(page.text) ?? [
          ""
        ]
      assert.strictEqual(chosen, kim.personId)
      const refused = yield* submit(
        supplier,
        formOn(page, path),
        yield* written(couple, { ...signing, counterparty: chosen! })
      )
      assert.deepStrictEqual(problemsOn(refused), [
        ["counterparty", "Choose a member of your organization who signs for the supplier."]
      ])
    })
  )
})
