/** Writing a proposal on pages: the form, the preview, what is kept, and once however often it is sent. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createMembership } from "../../src/people/memberships.ts"
import { listProposalsAsPerson } from "../../src/proposals/person-operations.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { commitShown, dayFrom } from "../support/agreement-pages.ts"
import { preparedFor, published as publishedSpecification, readDraft, save } from "../support/drafts.ts"
import { encode, formOn, postRaw, problemsOn, readPage, submit } from "../support/page-forms.ts"
import { faultsOf } from "../support/page-scan.ts"
import { joinedBy, wordsOn } from "../support/project-pages.ts"
import {
  knowing,
  makeCouple,
  newPath,
  previewed,
  proposalIn,
  proposalPage,
  standing,
  writeOnPages,
  written
} from "../support/proposal-pages.ts"
import { freshTestService } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"

layer(freshTestService, { excludeTestServices: true })("writing a proposal", (it) => {
  it.effect("shows it whole before it is kept, and keeps it as a draft, once", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const shown = yield* previewed(supplier, yield* written(couple))
      assert.deepStrictEqual([shown.status, faultsOf(shown.text)], [200, []])
      const words = wordsOn(shown)
      for (const said of ["In colour.", "An SVG.", `Dana ( ${buyer.personId} ), known to you as dana`, "TERMS"]) {
        assert.include(words, said)
      }
      assert.strictEqual((yield* listProposalsAsPerson(supplier)).length, 0)
      const proposalId = proposalIn(yield* commitShown(supplier, shown, newPath))
      assert.strictEqual(proposalIn(yield* commitShown(supplier, shown, newPath)), proposalId)
      const { state, version, recipient, terms, supplier: named } = yield* standing(supplier, proposalId)
      assert.deepStrictEqual(
        [state, version, recipient, named.actorId, terms.supplierActorId, terms.legalContext?.documents.length],
        ["DRAFT", 1, { actorId: buyer.personId, reference: "dana" }, supplier.personId, supplier.personId, 1]
      )
      assert.strictEqual((yield* listProposalsAsPerson(supplier)).length, 1)
      const page = yield* readPage(supplier, proposalPage(proposalId))
      assert.deepStrictEqual(faultsOf(page.text), [])
      assert.include(page.text, `href="${proposalPage(proposalId, "publish")}"`)
      const empty = yield* readPage(supplier, newPath)
      assert.match(empty.text, /<select id="field-recipient"[^>]*><option[^>]*>Choose a contact</)
    })
  )

  it.effect("tells what is missing at its field, and keeps what was entered", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const today = yield* now
      const bad = yield* previewed(
        supplier,
        yield* written(couple, {
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
          ["supplierActorId", "Choose a member of your organization who stands for the supplier."]
        ]
      )
      assert.include(bad.text, 'value="Kept &lt;b>"')
      const past = yield* previewed(supplier, yield* written(couple, { deadline: dayFrom(today, -1) }))
      assert.deepStrictEqual(problemsOn(past), [["deadline", "The delivery date lies in the past."]])
    })
  )

  it.effect("adds rows, and goes back to the form with everything in it", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier } = couple
      const values = yield* written(couple)
      const more = yield* previewed(supplier, { ...values, step: "ADD_CRITERION" })
      assert.include(more.text, 'name="criterion2Title"')
      const second = {
        ...values,
        criterionRows: "2",
        criterion2Id: "2",
        criterion2Title: "Print",
        criterion2Requirement: "A PDF."
      }
      const shown = yield* submit(supplier, formOn(more, newPath), second)
      assert.include(wordsOn(shown), "A PDF.")
      const again = yield* submit(supplier, formOn(shown, newPath), { step: "EDIT" })
      assert.include(again.text, 'value="Print"')
      const strange = yield* submit(supplier, formOn(shown, newPath), { step: "ELSE" })
      assert.strictEqual(strange.status, 400)
    })
  )

  it.effect("names a colleague, and signs for the buyer with the recipient unless another is named", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const kim = yield* signInAnew("Kim")
      yield* joinedBy(kim, supplier.organizationId)
      const today = yield* now
      const signing = {
        signing: "EXTERNAL",
        counterparty: kim.personId,
        agreementSignBy: dayFrom(today, 6),
        acceptanceSignBy: dayFrom(today, 14)
      }
      const first = yield* standing(
        supplier,
        yield* writeOnPages(couple, { ...signing, supplierActorId: kim.personId })
      )
      assert.deepStrictEqual(
        [first.supplier.actorId, first.terms.signing?.principal, first.terms.signing?.counterparty],
        [kim.personId, buyer.personId, kim.personId]
      )
      const eve = yield* signInAnew("Eve")
      const second = yield* standing(supplier, yield* writeOnPages(couple, { ...signing, principal: eve.personId }))
      assert.strictEqual(second.terms.signing?.principal, eve.personId)
      const wrong = yield* previewed(
        supplier,
        yield* written(couple, { ...signing, counterparty: eve.personId, principal: "me" })
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

  it.effect("is refused to oneself and to nobody's contact, at the field", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier } = couple
      const own = { ...couple, contactId: yield* knowing(supplier, supplier, "me") }
      const shown = yield* previewed(supplier, yield* written(own))
      const refused = yield* commitShown(supplier, shown, newPath)
      assert.deepStrictEqual(
        [refused.status, problemsOn(refused)],
        [409, [["recipient", "Buyer and supplier are different persons, also where they sign."]]]
      )
      const { contactId } = yield* makeCouple
      const foreign = yield* previewed(supplier, yield* written(couple, { recipient: contactId }))
      assert.deepStrictEqual(problemsOn(foreign), [["recipient", "Choose one of the contacts to send it to."]])
      assert.strictEqual((yield* listProposalsAsPerson(supplier)).length, 0)
    })
  )

  it.effect("keeps what the preview showed and nothing else, and one proposal of one form", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier } = couple
      const shown = yield* previewed(supplier, yield* written(couple))
      const form = formOn(shown, newPath)
      const forged = yield* submit(supplier, form, { shownDigest: "0".repeat(64) })
      assert.strictEqual(forged.status, 409)
      assert.include(wordsOn(forged), "This is not what the page before showed. Nothing was done")
      const other = yield* submit(supplier, form, { scope: "Two logos." })
      assert.strictEqual(other.status, 409)
      assert.include(wordsOn(other), "Two logos.")
      assert.strictEqual((yield* listProposalsAsPerson(supplier)).length, 0)
      proposalIn(yield* submit(supplier, form))
      // What the second preview shows is another proposal than the one that was kept from this form.
      const spent = yield* submit(supplier, formOn(other, newPath))
      assert.strictEqual(spent.status, 409)
      assert.include(wordsOn(spent), "From this form something else was kept before")
      proposalIn(yield* submit(supplier, formOn(spent, newPath)))
      assert.strictEqual((yield* listProposalsAsPerson(supplier)).length, 2)
    })
  )

  it.effect("asks for which organization where there are several, each with its own contacts", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier } = couple
      const kim = yield* signInAnew("Kim")
      yield* joinedBy(supplier, kim.organizationId)
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
      const shown = yield* submit(supplier, formOn(own, newPath), yield* written(couple))
      const proposalId = proposalIn(yield* commitShown(supplier, shown, newPath))
      assert.strictEqual((yield* standing(supplier, proposalId)).supplier.organizationId, supplier.organizationId)
      const crossed = yield* submit(supplier, formOn(other, newPath), yield* written(couple))
      assert.deepStrictEqual(problemsOn(crossed), [["recipient", "Choose one of the contacts to send it to."]])
    })
  )

  it.effect("is for members who may, and takes no form that the page does not show", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier } = couple
      const kim = yield* signInAnew("Kim")
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const { organizationId } = supplier
      yield* createMembership({ personId: kim.personId, organizationId, authorities: ["TERMS_RESPOND"], validUntil })
      const closed = yield* readPage(kim, `${newPath}?organizationId=${organizationId}`)
      assert.deepStrictEqual([closed.status, wordsOn(closed).includes("You may not write proposals")], [403, true])
      const shown = yield* readPage(supplier, newPath)
      const form = formOn(shown, newPath)
      const values = yield* written(couple)
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

layer(freshTestService, { excludeTestServices: true })("finishing a supplier's draft", (it) => {
  it.effect("fills the form, binds the specification, and is marked with the proposal", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
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
      const draftId = yield* preparedFor(supplier, fields, "SUPPLIER")
      const address = `${newPath}?draft=${draftId}`
      const page = yield* readPage(supplier, address)
      assert.deepStrictEqual(faultsOf(page.text), [])
      assert.include(page.text, 'value="From a draft"')
      assert.include(page.text, `<option value="${couple.contactId}" selected`)
      const { recipient: _, title: __, ...rest } = yield* written(couple)
      const shown = yield* previewed(supplier, { ...rest, recipient: couple.contactId, title: "From a draft" }, address)
      assert.include(wordsOn(shown), `${id}, version ${version}`)
      const answer = yield* commitShown(supplier, shown, newPath)
      const proposalId = proposalIn(answer)
      assert.strictEqual(proposalIn(yield* commitShown(supplier, shown, newPath)), proposalId)
      const { terms } = yield* standing(supplier, proposalId)
      assert.deepStrictEqual(terms.specification, { id, version, digest })
      const draft = yield* readDraft(supplier, draftId)
      assert.deepStrictEqual([draft.state, draft.outcomeId], ["COMMITTED", proposalId])
      const gone = yield* readPage(supplier, address)
      assert.deepStrictEqual([gone.status, gone.headers["location"]], [303, `/workspace/drafts/${draftId}`])
      const told = yield* readPage(supplier, proposalPage(proposalId))
      assert.include(told.text, `/workspace/specifications/${id}/versions/${version}`)
    })
  )

  it.effect("does nothing with a draft that was changed meanwhile, of another side, or of somebody else", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier } = couple
      const draftId = yield* preparedFor(supplier, { title: "From a draft" }, "SUPPLIER")
      // A draft that names nobody goes to nobody until somebody is chosen.
      const bare = yield* readPage(supplier, `${newPath}?draft=${draftId}`)
      assert.notInclude(bare.text, `<option value="${couple.contactId}" selected`)
      const kim = yield* signInAnew("Kim")
      yield* joinedBy(supplier, kim.organizationId)
      const crossed = { ...(yield* written(couple)), organizationId: kim.organizationId }
      const refused = yield* submit(supplier, formOn(bare, newPath), crossed)
      assert.include(wordsOn(refused), "The form was not sent as its page shows it.")
      const shown = yield* previewed(supplier, yield* written(couple), `${newPath}?draft=${draftId}`)
      yield* save(supplier, yield* readDraft(supplier, draftId), { title: "Changed" })
      const stale = yield* commitShown(supplier, shown, newPath)
      assert.strictEqual(stale.status, 409)
      assert.include(wordsOn(stale), "The draft was changed meanwhile")
      assert.strictEqual((yield* listProposalsAsPerson(supplier)).length, 0)
      const buyers = yield* preparedFor(supplier, { title: "To buy" }, "BUYER")
      const other = yield* readPage(supplier, `${newPath}?draft=${buyers}`)
      assert.deepStrictEqual([other.status, other.headers["location"]], [303, `/workspace/drafts/${buyers}`])
      const eve = yield* signInAnew("Eve")
      assert.strictEqual((yield* readPage(eve, `${newPath}?draft=${draftId}`)).status, 403)
      assert.strictEqual((yield* readPage(supplier, `${newPath}?draft=nothing`)).status, 404)
    })
  )
})
