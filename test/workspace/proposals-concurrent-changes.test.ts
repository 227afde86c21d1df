/** Concurrent changes between a proposal's form and its commit: no entered value is lost. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { removeContact } from "../../src/people/contacts.ts"
import { endMembership } from "../../src/people/memberships.ts"
import { listProposalsAsPerson } from "../../src/proposals/person-operations.ts"
import { proposalFromEntriesPath } from "../../src/workspace/proposals/path.ts"
import { commitPreview, dayFrom, draftIn, stepPath } from "../support/agreement-pages.ts"
import { discardDraft, prepareDraftFor, readDraft, saveDraft } from "../support/drafts.ts"
import { formOn, formsOn, problemsOn, readPage, submit } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { addMember, textOn } from "../support/project-pages.ts"
import {
  acceptanceValues,
  makeProposalContacts,
  actOnProposalSuccessfully,
  newPath,
  openForm,
  previewProposal,
  proposalIn,
  proposalPage,
  publishOnPages,
  readAsAuthor,
  updateOnPages,
  writeOnPages,
  proposalFormValues
} from "../support/proposal-pages.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { now } from "../../src/vocabulary/instant.ts"

const mine = { title: "Mine", scope: "All of it,\nand more.", location: "Shelf 3" }

layer(freshTestService, { excludeTestServices: true })("versions of an ended proposal", (it) => {
  it.effect("A version entered for an ended proposal is shown in full and can become a new proposal.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const values = yield* proposalFormValues(couple, mine)
      const proposalId = yield* publishOnPages(couple)
      const path = proposalPage(proposalId, "update")
      const form = yield* openForm(supplier, proposalId, "update")
      const shown = yield* submit(supplier, form, values)
      yield* actOnProposalSuccessfully(buyer, proposalId, "respond", { ...acceptanceValues, action: "DECLINE" })
      for (const closed of [yield* submit(supplier, form, values), yield* commitPreview(supplier, shown, path)]) {
        assert.deepStrictEqual([closed.status, accessibilityFaults(closed.text)], [409, []])
        for (const expected of [
          "You cannot do this now",
          "Title Mine",
          "Scope All of it, and more.",
          "Where they are Shelf 3",
          "Title of criterion 1 Vector files",
          "What is required by criterion 1 An SVG."
        ]) {
          assert.include(textOn(closed), expected)
        }
        assert.notInclude(textOn(closed), "Task Mine")
        const anew = yield* submit(supplier, formOn(closed, proposalFromEntriesPath))
        const opened = yield* readPage(supplier, anew.headers["location"]!)
        // The draft is complete: its preview is next.
        assert.strictEqual(opened.headers["location"], stepPath(draftIn(anew), "preview", newPath))
        const shownAgain = yield* readPage(supplier, opened.headers["location"]!)
        for (const expected of ["Mine", "Shelf 3", "known to you as dana"]) assert.include(textOn(shownAgain), expected)
        const madeId = proposalIn(yield* commitPreview(supplier, shownAgain, newPath))
        assert.strictEqual((yield* readAsAuthor(supplier, madeId)).terms.title, "Mine")
      }
      assert.strictEqual((yield* readAsAuthor(supplier, proposalId)).version, 1)
    })
  )

  it.effect("A version entered by a member who lost the authority is shown without the offer of a new proposal.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier } = couple
      const kim = yield* signInNewPerson("Kim")
      const { membershipId } = yield* addMember(kim, supplier.organizationId)
      const proposalId = yield* writeOnPages(couple)
      const form = yield* openForm(kim, proposalId, "update")
      yield* endMembership("OPERATOR", { membershipId })
      yield* addMember(kim, supplier.organizationId, ["TERMS_RESPOND"])
      const closed = yield* submit(kim, form, yield* proposalFormValues(couple, mine))
      assert.strictEqual(closed.status, 409)
      assert.include(textOn(closed), "Where they are Shelf 3")
      assert.notInclude(
        formsOn(closed.text).map(({ action }) => action),
        proposalFromEntriesPath
      )
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("concurrent versions of a proposal", (it) => {
  it.effect("A version written concurrently by a colleague is shown at the first step before it is replaced.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier } = couple
      const proposalId = yield* writeOnPages(couple)
      const path = proposalPage(proposalId, "update")
      const form = yield* openForm(supplier, proposalId, "update")
      yield* updateOnPages(couple, proposalId, { scope: "What Kim wrote." })
      const stale = yield* submit(supplier, form, yield* proposalFormValues(couple, mine))
      assert.deepStrictEqual([stale.status, accessibilityFaults(stale.text), problemsOn(stale)], [409, [], []])
      for (const expected of ["The proposal has changed meanwhile", "Version 2, the current one", "What Kim wrote."]) {
        assert.include(textOn(stale), expected)
      }
      assert.include(stale.text, `href="${proposalPage(proposalId)}"`)
      assert.include(stale.text, 'value="Mine"')
      const again = yield* submit(supplier, formOn(stale, path), yield* proposalFormValues(couple, mine))
      assert.strictEqual((yield* commitPreview(supplier, again, path)).status, 303)
      assert.strictEqual((yield* readAsAuthor(supplier, proposalId)).version, 3)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("concurrent changes of a supplier's draft", (it) => {
  it.effect("A proposal from a concurrently changed draft is refused and continues from the current terms.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier } = couple
      const draftId = yield* prepareDraftFor(supplier, { title: "From a draft" }, "SUPPLIER")
      const values = yield* proposalFormValues(couple, mine)
      const shown = yield* previewProposal(supplier, values, stepPath(draftId, "parties", newPath))
      const { content, ...draft } = yield* readDraft(supplier, draftId)
      yield* saveDraft(supplier, draft, { ...content, title: "Changed" })
      const stale = yield* commitPreview(supplier, shown, newPath)
      assert.deepStrictEqual([stale.status, accessibilityFaults(stale.text)], [409, []])
      for (const expected of ["This draft was saved meanwhile", "Changed", "Shelf 3"]) {
        assert.include(textOn(stale), expected)
      }
      assert.include(stale.text, `href="/workspace/drafts/${draftId}"`)
      assert.strictEqual((yield* listProposalsAsPerson(supplier)).length, 0)
      const proposalId = proposalIn(yield* commitPreview(supplier, stale, newPath))
      const { state, outcomeId } = yield* readDraft(supplier, draftId)
      assert.deepStrictEqual([state, outcomeId], ["COMMITTED", proposalId])
    })
  )

  it.effect("The preview of a draft that has ended makes no proposal.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier } = couple
      const shown = yield* previewProposal(supplier, yield* proposalFormValues(couple, mine))
      const draftId = draftIn(shown)
      yield* discardDraft(supplier, yield* readDraft(supplier, draftId))
      const stale = yield* commitPreview(supplier, shown, newPath)
      assert.deepStrictEqual([stale.status, accessibilityFaults(stale.text)], [409, []])
      assert.include(textOn(stale), "This draft was discarded meanwhile")
      assert.strictEqual((yield* listProposalsAsPerson(supplier)).length, 0)
      assert.strictEqual((yield* readDraft(supplier, draftId)).state, "DISCARDED")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("lost responses", (it) => {
  it.effect("A resubmitted proposal is answered as done, although the recipient is no longer a contact.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier } = couple
      const { organizationId } = supplier
      const values = yield* proposalFormValues(couple)
      const shown = yield* previewProposal(supplier, values)
      const proposalId = proposalIn(yield* commitPreview(supplier, shown, newPath))
      const path = proposalPage(proposalId, "update")
      const again = yield* submit(supplier, yield* openForm(supplier, proposalId, "update"), values)
      assert.strictEqual((yield* commitPreview(supplier, again, path)).status, 303)
      yield* removeContact(supplier, { organizationId, reference: "dana" })
      assert.strictEqual(proposalIn(yield* commitPreview(supplier, shown, newPath)), proposalId)
      assert.strictEqual(proposalIn(yield* commitPreview(supplier, again, path)), proposalId)
      yield* actOnProposalSuccessfully(supplier, proposalId, "withdraw", { confirmed: "on" })
      assert.strictEqual(proposalIn(yield* commitPreview(supplier, again, path)), proposalId)
      assert.deepStrictEqual((yield* readAsAuthor(supplier, proposalId)).version, 2)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("the supplier's signer", (it) => {
  it.effect("The supplier's signer must be chosen again once the person is no longer a member.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier } = couple
      const kim = yield* signInNewPerson("Kim")
      const { membershipId } = yield* addMember(kim, supplier.organizationId)
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
        yield* proposalFormValues(couple, { ...signing, counterparty: chosen! })
      )
      assert.deepStrictEqual(problemsOn(refused), [
        ["counterparty", "Choose a member of your organization who signs for the supplier."]
      ])
    })
  )
})
