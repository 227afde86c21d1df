/** Creation of a proposal on pages: form, preview and idempotent commit. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createMembership } from "../../src/people/memberships.ts"
import { listProposalsAsPerson } from "../../src/proposals/person-operations.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { commitPreview, dayFrom } from "../support/agreement-pages.ts"
import {
  prepareDraftFor,
  publishNewSpecification as publishedSpecification,
  readDraft,
  saveDraft
} from "../support/drafts.ts"
import { encode, formOn, postRaw, problemsOn, readPage, submit } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { addMember, textOn } from "../support/project-pages.ts"
import {
  makeContact,
  makeProposalContacts,
  newPath,
  previewProposal,
  proposalIn,
  proposalPage,
  readAsAuthor,
  writeOnPages,
  proposalFormValues
} from "../support/proposal-pages.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

layer(freshTestService, { excludeTestServices: true })("creation of proposals", (it) => {
  it.effect("A proposal is previewed in full and stored as a draft, once.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const shown = yield* previewProposal(supplier, yield* proposalFormValues(couple))
      assert.deepStrictEqual([shown.status, accessibilityFaults(shown.text)], [200, []])
      const words = textOn(shown)
      for (const expected of ["In colour.", "An SVG.", `Dana ( ${buyer.personId} ), known to you as dana`, "TERMS"]) {
        assert.include(words, expected)
      }
      assert.strictEqual((yield* listProposalsAsPerson(supplier)).length, 0)
      const proposalId = proposalIn(yield* commitPreview(supplier, shown, newPath))
      assert.strictEqual(proposalIn(yield* commitPreview(supplier, shown, newPath)), proposalId)
      const { state, version, recipient, terms, supplier: named } = yield* readAsAuthor(supplier, proposalId)
      assert.deepStrictEqual(
        [state, version, recipient, named.actorId, terms.supplierActorId, terms.legalContext?.documents.length],
        ["DRAFT", 1, { actorId: buyer.personId, reference: "dana" }, supplier.personId, supplier.personId, 1]
      )
      assert.strictEqual((yield* listProposalsAsPerson(supplier)).length, 1)
      const page = yield* readPage(supplier, proposalPage(proposalId))
      assert.deepStrictEqual(accessibilityFaults(page.text), [])
      assert.include(page.text, `href="${proposalPage(proposalId, "publish")}"`)
      const empty = yield* readPage(supplier, newPath)
      assert.match(empty.text, /<select id="field-recipient"[^>]*><option[^>]*>Choose a contact</)
    })
  )

  it.effect("Missing values of a proposal are reported at their fields, and the entered values are kept.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const today = yield* now
      const bad = yield* previewProposal(
        supplier,
        yield* proposalFormValues(couple, {
          recipient: "",
          scope: "",
          supplierActorId: buyer.personId,
          reviewDeadline: dayFrom(today, 1),
          title: "Kept <b>"
        })
      )
      assert.strictEqual(bad.status, 400)
      assert.sameDeepMembers(
        [...problemsOn(bad)],
        [
          ["recipient", "Choose one of the contacts to send it to."],
          ["scope", "The scope is needed."],
          ["supplierActorId", "Choose a member of your organization as representative of the supplier."]
        ]
      )
      assert.include(bad.text, 'value="Kept &lt;b>"')
      const past = yield* previewProposal(supplier, yield* proposalFormValues(couple, { deadline: dayFrom(today, -1) }))
      assert.deepStrictEqual(problemsOn(past), [["deadline", "The delivery date lies in the past."]])
    })
  )

  it.effect("Rows are added, and the preview leads back to the form with all values.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier } = couple
      const values = yield* proposalFormValues(couple)
      const more = yield* previewProposal(supplier, { ...values, step: "ADD_CRITERION" })
      assert.include(more.text, 'name="criterion2Title"')
      const second = {
        ...values,
        criterionRows: "2",
        criterion2Id: "2",
        criterion2Title: "Print",
        criterion2Requirement: "A PDF."
      }
      const shown = yield* submit(supplier, formOn(more, newPath), second)
      assert.include(textOn(shown), "A PDF.")
      const again = yield* submit(supplier, formOn(shown, newPath), { step: "EDIT" })
      assert.include(again.text, 'value="Print"')
      const strange = yield* submit(supplier, formOn(shown, newPath), { step: "ELSE" })
      assert.strictEqual(strange.status, 400)
    })
  )

  it.effect("The recipient signs for the buyer unless the form names another person.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const kim = yield* signInNewPerson("Kim")
      yield* addMember(kim, supplier.organizationId)
      const today = yield* now
      const signing = {
        signing: "EXTERNAL",
        counterparty: kim.personId,
        agreementSignBy: dayFrom(today, 6),
        acceptanceSignBy: dayFrom(today, 14)
      }
      const first = yield* readAsAuthor(
        supplier,
        yield* writeOnPages(couple, { ...signing, supplierActorId: kim.personId })
      )
      assert.deepStrictEqual(
        [first.supplier.actorId, first.terms.signing?.principal, first.terms.signing?.counterparty],
        [kim.personId, buyer.personId, kim.personId]
      )
      const eve = yield* signInNewPerson("Eve")
      const second = yield* readAsAuthor(supplier, yield* writeOnPages(couple, { ...signing, principal: eve.personId }))
      assert.strictEqual(second.terms.signing?.principal, eve.personId)
      const wrong = yield* previewProposal(
        supplier,
        yield* proposalFormValues(couple, { ...signing, counterparty: eve.personId, principal: "me" })
      )
      assert.sameDeepMembers(
        [...problemsOn(wrong)],
        [
          ["counterparty", "Choose a member of your organization who signs for the supplier."],
          ["principal", "Choose who signs for the buyer."]
        ]
      )
    })
  )

  it.effect("A proposal to oneself or to an unknown contact is refused at its field.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier } = couple
      const own = { ...couple, contactId: yield* makeContact(supplier, supplier, "me") }
      const shown = yield* previewProposal(supplier, yield* proposalFormValues(own))
      const refused = yield* commitPreview(supplier, shown, newPath)
      assert.deepStrictEqual(
        [refused.status, problemsOn(refused)],
        [409, [["recipient", "Buyer and supplier must be different persons, also as signers."]]]
      )
      const { contactId } = yield* makeProposalContacts
      const foreign = yield* previewProposal(supplier, yield* proposalFormValues(couple, { recipient: contactId }))
      assert.deepStrictEqual(problemsOn(foreign), [["recipient", "Choose one of the contacts to send it to."]])
      assert.strictEqual((yield* listProposalsAsPerson(supplier)).length, 0)
    })
  )

  it.effect("Exactly the previewed proposal is stored, and one for each form.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier } = couple
      const shown = yield* previewProposal(supplier, yield* proposalFormValues(couple))
      const form = formOn(shown, newPath)
      const forged = yield* submit(supplier, form, { shownDigest: "0".repeat(64) })
      assert.strictEqual(forged.status, 409)
      assert.include(textOn(forged), "This differs from the previous page. Nothing was done")
      const other = yield* submit(supplier, form, { scope: "Two logos." })
      assert.strictEqual(other.status, 409)
      assert.include(textOn(other), "Two logos.")
      assert.strictEqual((yield* listProposalsAsPerson(supplier)).length, 0)
      proposalIn(yield* submit(supplier, form))
      // The second preview differs from the proposal that this form already stored.
      const spent = yield* submit(supplier, formOn(other, newPath))
      assert.strictEqual(spent.status, 409)
      assert.include(textOn(spent), "This form was already used to save something else")
      proposalIn(yield* submit(supplier, formOn(spent, newPath)))
      assert.strictEqual((yield* listProposalsAsPerson(supplier)).length, 2)
    })
  )

  it.effect("A proposal form requires one of several organizations and offers only its contacts.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier } = couple
      const kim = yield* signInNewPerson("Kim")
      yield* addMember(supplier, kim.organizationId)
      const choice = yield* readPage(supplier, newPath)
      for (const { organizationId } of [supplier, kim]) {
        assert.include(choice.text, `href="${newPath}?organizationId=${organizationId}"`)
      }
      const own = yield* readPage(supplier, `${newPath}?organizationId=${supplier.organizationId}`)
      const other = yield* readPage(supplier, `${newPath}?organizationId=${kim.organizationId}`)
      assert.deepStrictEqual(
        [own, other].map(({ text }) => text.includes(couple.contactId)),
        [true, false]
      )
      const shown = yield* submit(supplier, formOn(own, newPath), yield* proposalFormValues(couple))
      const proposalId = proposalIn(yield* commitPreview(supplier, shown, newPath))
      assert.strictEqual((yield* readAsAuthor(supplier, proposalId)).supplier.organizationId, supplier.organizationId)
      const crossed = yield* submit(supplier, formOn(other, newPath), yield* proposalFormValues(couple))
      assert.deepStrictEqual(problemsOn(crossed), [["recipient", "Choose one of the contacts to send it to."]])
    })
  )

  it.effect("A proposal form requires a member with the authority and exactly its own fields.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier } = couple
      const kim = yield* signInNewPerson("Kim")
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const { organizationId } = supplier
      yield* createMembership({ personId: kim.personId, organizationId, authorities: ["TERMS_RESPOND"], validUntil })
      const closed = yield* readPage(kim, `${newPath}?organizationId=${organizationId}`)
      assert.deepStrictEqual([closed.status, textOn(closed).includes("You may not write proposals")], [403, true])
      const shown = yield* readPage(supplier, newPath)
      const form = formOn(shown, newPath)
      const values = yield* proposalFormValues(couple)
      const forgeries = [
        { supplierBy: "LATER" },
        { organizationId: "organization_x" },
        { extra: "1" },
        { draft: "draft_x" },
        { draftRevision: "1" },
        { criterionRows: "99" }
      ]
      for (const forged of forgeries) {
        const answer = yield* submit(supplier, form, { ...values, ...forged })
        assert.strictEqual(answer.status, 400, JSON.stringify(forged))
      }
      const foreign = yield* submit(
        kim,
        { ...form, hidden: formOn(yield* readPage(kim, newPath), newPath).hidden },
        {
          ...values,
          organizationId
        }
      )
      assert.strictEqual(foreign.status, 403)
      const { formToken: _, ...bare } = form.hidden
      assert.strictEqual((yield* postRaw(supplier, newPath, encode({ ...bare, ...values }))).status, 403)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("proposals from a supplier's draft", (it) => {
  it.effect("A supplier's draft prefills the form, binds its specification and is committed with the proposal.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const specification = yield* publishedSpecification
      const { id, version, digest } = specification
      const fields = {
        schema: "service.agreement-draft/v1",
        title: "From a draft",
        specification: { id, version, digest },
        recipientActorId: buyer.personId,
        recipientReference: "dana",
        source: "An agent"
      }
      const draftId = yield* prepareDraftFor(supplier, fields, "SUPPLIER")
      const address = `${newPath}?draft=${draftId}`
      const page = yield* readPage(supplier, address)
      assert.deepStrictEqual(accessibilityFaults(page.text), [])
      assert.include(page.text, 'value="From a draft"')
      assert.include(page.text, `<option value="${couple.contactId}" selected`)
      const { recipient: _, title: __, ...rest } = yield* proposalFormValues(couple)
      const shown = yield* previewProposal(
        supplier,
        { ...rest, recipient: couple.contactId, title: "From a draft" },
        address
      )
      assert.include(textOn(shown), `${id}, version ${version}`)
      const answer = yield* commitPreview(supplier, shown, newPath)
      const proposalId = proposalIn(answer)
      assert.strictEqual(proposalIn(yield* commitPreview(supplier, shown, newPath)), proposalId)
      const { terms } = yield* readAsAuthor(supplier, proposalId)
      assert.deepStrictEqual(terms.specification, { id, version, digest })
      const draft = yield* readDraft(supplier, draftId)
      assert.deepStrictEqual([draft.state, draft.outcomeId], ["COMMITTED", proposalId])
      const gone = yield* readPage(supplier, address)
      assert.deepStrictEqual([gone.status, gone.headers["location"]], [303, `/workspace/drafts/${draftId}`])
      const proposalPageShown = yield* readPage(supplier, proposalPage(proposalId))
      assert.include(proposalPageShown.text, `/workspace/specifications/${id}/versions/${version}`)
    })
  )

  it.effect("A draft that was changed, has another role or belongs to another organization is not committed.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier } = couple
      const draftId = yield* prepareDraftFor(supplier, { title: "From a draft" }, "SUPPLIER")
      // A draft without a recipient preselects no contact.
      const bare = yield* readPage(supplier, `${newPath}?draft=${draftId}`)
      assert.notInclude(bare.text, `<option value="${couple.contactId}" selected`)
      const kim = yield* signInNewPerson("Kim")
      yield* addMember(supplier, kim.organizationId)
      const crossed = { ...(yield* proposalFormValues(couple)), organizationId: kim.organizationId }
      const refused = yield* submit(supplier, formOn(bare, newPath), crossed)
      assert.include(textOn(refused), "The form was not sent as its page shows it.")
      const shown = yield* previewProposal(supplier, yield* proposalFormValues(couple), `${newPath}?draft=${draftId}`)
      yield* saveDraft(supplier, yield* readDraft(supplier, draftId), { title: "Changed" })
      const stale = yield* commitPreview(supplier, shown, newPath)
      assert.strictEqual(stale.status, 409)
      assert.include(textOn(stale), "The draft was changed meanwhile")
      assert.strictEqual((yield* listProposalsAsPerson(supplier)).length, 0)
      const buyers = yield* prepareDraftFor(supplier, { title: "To buy" }, "BUYER")
      const other = yield* readPage(supplier, `${newPath}?draft=${buyers}`)
      assert.deepStrictEqual([other.status, other.headers["location"]], [303, `/workspace/drafts/${buyers}`])
      const eve = yield* signInNewPerson("Eve")
      assert.strictEqual((yield* readPage(eve, `${newPath}?draft=${draftId}`)).status, 403)
      assert.strictEqual((yield* readPage(supplier, `${newPath}?draft=nothing`)).status, 404)
    })
  )
})
