/** Creation of a proposal on pages: form, preview and idempotent commit. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createMembership } from "../../src/people/memberships.ts"
import { listProposalsAsPerson } from "../../src/proposals/person-operations.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import {
  commitPreview,
  dayFrom,
  draftIn,
  stepPath as stepPathIn,
  termsFormOn,
  throughSteps,
  valuesIn
} from "../support/agreement-pages.ts"
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

const stepPath = (draftId: string, step: string) => stepPathIn(draftId, step, newPath)

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
          supplierActorId: buyer.personId,
          buyerName: "Kept <b>"
        })
      )
      assert.strictEqual(bad.status, 400)
      assert.sameDeepMembers(
        [...problemsOn(bad)],
        [
          ["recipient", "Choose one of the contacts to send it to."],
          ["supplierActorId", "Choose a member of your organization as representative of the supplier."]
        ]
      )
      assert.include(bad.text, 'value="Kept &lt;b>"')
      const past = yield* previewProposal(supplier, yield* proposalFormValues(couple, { deadline: dayFrom(today, -1) }))
      assert.deepStrictEqual(problemsOn(past), [["deadline", "The delivery date lies in the past."]])
    })
  )

  it.effect("Rows are added in their step, whose values are kept.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier } = couple
      const values = yield* proposalFormValues(couple)
      const draftId = draftIn(yield* previewProposal(supplier, values))
      const work = stepPath(draftId, "work")
      const form = formOn(yield* readPage(supplier, work), work)
      const more = yield* submit(supplier, form, { ...valuesIn("work", values), step: "ADD_CRITERION" })
      assert.include(more.text, 'name="criterion2Title"')
      const second = { criterion2Id: "", criterion2Title: "Print", criterion2Requirement: "A PDF." }
      const saved = yield* submit(supplier, formOn(more, work), { ...valuesIn("work", values), ...second })
      assert.strictEqual(saved.status, 303)
      assert.include((yield* readPage(supplier, work)).text, 'value="Print"')
      const shown = yield* readPage(supplier, stepPath(draftId, "preview"))
      for (const expected of ["A PDF.", "print : Print"]) assert.include(textOn(shown), expected)
      for (const step of ["ELSE", "EDIT", "ADD_REQUIREMENT"]) {
        assert.strictEqual((yield* submit(supplier, form, { ...valuesIn("work", values), step })).status, 400)
      }
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
        yield* proposalFormValues(couple, { ...signing, counterparty: eve.personId })
      )
      assert.deepStrictEqual(problemsOn(wrong), [
        ["counterparty", "Choose a member of your organization who signs for the supplier."]
      ])
      const mistyped = yield* previewProposal(
        supplier,
        yield* proposalFormValues(couple, { ...signing, principal: "me" })
      )
      assert.deepStrictEqual(
        problemsOn(mistyped).map(([field]) => field),
        ["principal"]
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
      assert.strictEqual(refused.status, 409)
      assert.include(
        refused.text,
        `href="${stepPath(draftIn(shown), "parties")}#field-recipient">Buyer and supplier must be different persons`
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
      const form = termsFormOn(shown, newPath)
      const forged = yield* submit(supplier, form, { shownDigest: "0".repeat(64) })
      assert.strictEqual(forged.status, 409)
      assert.include(textOn(forged), "This differs from the previous page. Nothing was done")
      assert.strictEqual((yield* submit(supplier, form, { scope: "Two logos." })).status, 400)
      assert.strictEqual((yield* listProposalsAsPerson(supplier)).length, 0)
      const again = termsFormOn(yield* readPage(supplier, form.action), newPath)
      proposalIn(yield* submit(supplier, form))
      const spent = yield* submit(supplier, again)
      assert.strictEqual(spent.status, 409)
      assert.include(textOn(spent), "This draft was finished meanwhile")
      assert.strictEqual((yield* listProposalsAsPerson(supplier)).length, 1)
    })
  )

  it.effect("A proposal like another one starts with its terms and its recipient, without its dates.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const first = yield* writeOnPages(couple)
      const path = `${newPath}?like=${first}`
      assert.include((yield* readPage(supplier, proposalPage(first))).text, `href="${path}"`)
      const shown = yield* readPage(supplier, path)
      assert.deepStrictEqual([shown.status, problemsOn(shown), accessibilityFaults(shown.text)], [200, [], []])
      const values = valuesIn("parties", yield* proposalFormValues(couple))
      const begun = yield* submit(supplier, termsFormOn(shown, newPath), values)
      const { content } = yield* readDraft(supplier, draftIn(begun))
      assert.deepInclude(content, { title: "Logo", recipient: { actorId: buyer.personId, reference: "dana" } })
      assert.doesNotHaveAnyKeys(content, ["deadline", "reviewDeadline", "legalContext"])
      assert.strictEqual((yield* readPage(buyer, path)).status, 403)
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
      const values = yield* proposalFormValues(couple)
      const shown = yield* throughSteps(supplier, values, `${newPath}?organizationId=${supplier.organizationId}`)
      const proposalId = proposalIn(yield* commitPreview(supplier, shown, newPath))
      assert.strictEqual((yield* readAsAuthor(supplier, proposalId)).supplier.organizationId, supplier.organizationId)
      const crossed = yield* submit(supplier, formOn(other, newPath), valuesIn("parties", values))
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
      const values = valuesIn("parties", yield* proposalFormValues(couple))
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
      const page = yield* readPage(supplier, stepPath(draftId, "parties"))
      assert.deepStrictEqual(accessibilityFaults(page.text), [])
      assert.include((yield* readPage(supplier, stepPath(draftId, "work"))).text, 'value="From a draft"')
      assert.include(page.text, `<option value="${couple.contactId}" selected`)
      const { recipient: _, title: __, ...rest } = yield* proposalFormValues(couple)
      const shown = yield* previewProposal(
        supplier,
        { ...rest, recipient: couple.contactId, title: "From a draft" },
        stepPath(draftId, "parties")
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

  it.effect("A draft that was changed or has another role is not committed.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier } = couple
      const draftId = yield* prepareDraftFor(supplier, { title: "From a draft" }, "SUPPLIER")
      // A draft without a recipient preselects no contact.
      const bare = yield* readPage(supplier, stepPath(draftId, "parties"))
      assert.notInclude(bare.text, `<option value="${couple.contactId}" selected`)
      const shown = yield* previewProposal(supplier, yield* proposalFormValues(couple), stepPath(draftId, "parties"))
      yield* saveDraft(supplier, yield* readDraft(supplier, draftId), { title: "Changed" })
      const stale = yield* commitPreview(supplier, shown, newPath)
      assert.strictEqual(stale.status, 409)
      assert.include(textOn(stale), "This draft was saved meanwhile")
      assert.strictEqual((yield* listProposalsAsPerson(supplier)).length, 0)
      const buyers = yield* prepareDraftFor(supplier, { title: "To buy" }, "BUYER")
      const other = yield* readPage(supplier, `${newPath}?draft=${buyers}`)
      assert.deepStrictEqual([other.status, other.headers["location"]], [303, `/workspace/drafts/${buyers}`])
      assert.strictEqual(
        (yield* readPage(supplier, stepPath(buyers, "work"))).headers["location"],
        `/workspace/drafts/${buyers}`
      )
      const eve = yield* signInNewPerson("Eve")
      assert.strictEqual((yield* readPage(eve, `${newPath}?draft=${draftId}`)).status, 403)
      assert.strictEqual((yield* readPage(supplier, `${newPath}?draft=nothing`)).status, 404)
    })
  )
})
