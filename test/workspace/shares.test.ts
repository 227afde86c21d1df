/** Shared records on pages: sharing, opening and revocation. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { addContact } from "../../src/people/contacts.ts"
import {
  agreementWithRecord,
  joinOrganization,
  termsWithRecipients,
  recipient,
  createShare,
  shareWith
} from "../support/issued-records.ts"
import { formOn, formsOn, problemsOn, readPage, submit, type Values } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { makeAgent, uuid } from "../support/parties.ts"
import { runToAccepted } from "../support/person-commands.ts"
import { pageInputs, actSuccessfully, projectPage, textOn } from "../support/project-pages.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"

const sharesPath = (projectId: string) => projectPage(projectId, "shares")
const receivedPath = "/workspace/shared-records"

const issuedRecord = Effect.gen(function* () {
  const buyer = yield* signInNewPerson("Dana")
  const supplier = yield* signInNewPerson("Sam")
  const eve = yield* signInNewPerson("Eve")
  return { buyer, supplier, eve, projectId: yield* agreementWithRecord({ buyer, supplier }) }
})

/** Submits the form of the page. */
const shareOnPage = Effect.fnUntraced(function* (by: SignedInPerson, projectId: string, values: Values) {
  const path = sharesPath(projectId)
  return yield* submit(by, formOn(yield* readPage(by, path), path), values)
})

const shareIdOn = ({ text }: { readonly text: string }) => /share_[0-9a-f-]{36}/.exec(text)![0]

layer(freshTestService, { excludeTestServices: true })("shared records", (it) => {
  it.effect("A record is shared with a contact, opened on request, and revoked.", () =>
    Effect.gen(function* () {
      const { buyer, eve, projectId } = yield* issuedRecord
      const { organizationId } = buyer
      const contact = yield* addContact(buyer, { organizationId, reference: "E1", name: "Eve", personId: eve.personId })
      const path = sharesPath(projectId)
      const shownForm = yield* readPage(buyer, path)
      assert.deepStrictEqual(accessibilityFaults(shownForm.text), [])
      const values = { recipient: "1", contact: contact.contactId, personId: "" }
      for (const _ of [1, 2]) {
        assert.strictEqual((yield* submit(buyer, formOn(shownForm, path), values)).status, 303)
      }
      const listed = yield* readPage(eve, receivedPath)
      assert.deepStrictEqual(accessibilityFaults(listed.text), [])
      const link = `${receivedPath}/${shareIdOn(listed)}`
      const closed = yield* readPage(eve, link)
      for (const expected of ["Dana", recipient, "It is not open yet."]) assert.include(textOn(closed), expected)
      assert.notInclude(closed.text, "record_")
      assert.include(textOn(yield* readPage(buyer, path)), "never")

      const opened = yield* submit(eve, formOn(closed, link))
      assert.strictEqual(opened.status, 200)
      assert.deepStrictEqual(accessibilityFaults(opened.text), [])
      const { token } = yield* makeAgent(buyer, "BUYER", [], [projectId])
      const { body } = yield* send("GET", `/api/agents/v1/projects/${projectId}/record`, { token })
      assert.include(opened.text, `>${body.record}</textarea>`)
      for (const expected of [
        "The acceptance is valid as the record states.",
        body.metadata.recordId,
        "Dana Ltd",
        "Sam Studio"
      ]) {
        assert.include(textOn(opened), expected)
      }
      const seen = yield* readPage(buyer, path)
      assert.match(textOn(seen), /Eve .* 1 .* accepted/)
      const back = formsOn(seen.text).find(({ action }) => action.endsWith("/revoke"))!
      for (const _ of [1, 2]) assert.strictEqual((yield* submit(buyer, back)).status, 303)
      assert.include(textOn(yield* readPage(buyer, path)), "Revoked")
      assert.strictEqual((yield* readPage(eve, link)).status, 404)
      assert.strictEqual((yield* submit(eve, formOn(closed, link))).status, 404)
      assert.include(textOn(yield* readPage(eve, receivedPath)), "No record is shared with you now.")
    })
  )

  it.effect("An opened record states whether the acceptance can be relied on.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, eve, projectId } = yield* issuedRecord
      const link = `${receivedPath}/${yield* createShare(buyer, projectId, shareWith(eve))}`
      const form = formOn(yield* readPage(eve, link), link)
      yield* actSuccessfully(supplier, projectId, "concern", pageInputs.concern)
      assert.include(textOn(yield* submit(eve, form)), "The acceptance is contested: do not rely on the record")
      yield* actSuccessfully(buyer, projectId, "uphold-concern", pageInputs.final)
      assert.include(textOn(yield* submit(eve, form)), "The acceptance is no longer valid: do not rely on the record.")
      assert.include(textOn(yield* readPage(buyer, sharesPath(projectId))), "the record can no longer be shared")
    })
  )

  it.effect("A record cannot be shared while its acceptance is contested, and the entered values are kept.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, eve, projectId } = yield* issuedRecord
      const path = sharesPath(projectId)
      const form = formOn(yield* readPage(buyer, path), path)
      yield* actSuccessfully(supplier, projectId, "concern", pageInputs.concern)
      const values = { recipient: "2", personId: eve.personId }
      const refused = yield* submit(buyer, form, values)
      assert.deepStrictEqual([refused.status, accessibilityFaults(refused.text)], [409, []])
      assert.include(
        textOn(refused),
        "Nothing was shared now. The current state does not allow this operation; read it again."
      )
      assert.include(textOn(refused), "the record can no longer be shared")
      assert.include(refused.text, `href="${projectPage(projectId)}"`)
      assert.match(refused.text, /value="2"[^>]* checked/)
      assert.include(refused.text, `value="${eve.personId}"`)
      yield* actSuccessfully(supplier, projectId, "dismiss-concern", { reason: "It was the right file." })
      assert.strictEqual((yield* submit(buyer, formOn(refused, path), values)).status, 303)
      assert.match(textOn(yield* readPage(supplier, path)), /for the buyer 0 never active/)
    })
  )

  it.effect("A record can be shared only with a recipient named in the terms and an existing person.", () =>
    Effect.gen(function* () {
      const { buyer, eve, projectId } = yield* issuedRecord
      const { organizationId } = buyer
      const contact = yield* addContact(buyer, { organizationId, reference: "E1", name: "Eve", personId: eve.personId })
      const good = { recipient: "1", contact: "", personId: eve.personId }
      const cases: ReadonlyArray<readonly [Values, number, string, string]> = [
        [{ recipient: [] }, 400, "recipient", "Choose one: the recipient."],
        [{ recipient: "3" }, 400, "recipient", "Choose one: the recipient."],
        [{ personId: "" }, 400, "personId", "Choose who opens it."],
        [{ personId: "eve" }, 400, "personId", "A person’s id looks like person_1b4e28ba-2fa1-4d2b-a3f5-0de1f0a1c2d3."],
        [{ contact: "contact_x" }, 400, "personId", "This contact no longer exists: choose again."],
        [{ contact: contact.contactId, personId: buyer.personId }, 400, "personId", "Choose a contact or another person, not both."],
        [{ personId: buyer.personId }, 409, "personId", "You cannot share a record with yourself."],
        [{ personId: `person_${uuid()}` }, 404, "personId", "No person has this personId; correct it."]
      ] // prettier-ignore
      for (const [change, status, field, message] of cases) {
        const refused = yield* shareOnPage(buyer, projectId, { ...good, ...change })
        assert.deepStrictEqual([refused.status, problemsOn(refused)], [status, [[field, message]]])
        assert.deepStrictEqual(accessibilityFaults(refused.text), [])
      }
      assert.strictEqual((yield* shareOnPage(buyer, projectId, good)).status, 303)
      const twice = yield* shareOnPage(buyer, projectId, good)
      assert.deepStrictEqual(problemsOn(twice), [
        ["personId", "The record is already shared with this person for this recipient."]
      ])
    })
  )

  it.effect("A share requires an issued record and the authority, and is revoked only by its own party.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, eve, projectId } = yield* issuedRecord
      const path = sharesPath(projectId)
      const form = formOn(yield* readPage(buyer, path), path)
      const member = yield* joinOrganization(buyer, "Mia", ["AGREEMENT_CREATE"])
      const colleague = yield* joinOrganization(supplier, "Cleo")
      for (const person of [member, colleague]) {
        const page = yield* readPage(person, path)
        assert.include(textOn(page), "Sharing requires a membership of this party")
        const formToken = formsOn(page.text)[0]!.hidden["formToken"]!
        const values = { recipient: "1", personId: eve.personId, formToken }
        const refused = yield* submit(person, form, values)
        assert.strictEqual(refused.status, 403)
        assert.include(textOn(refused), "Sharing requires a membership of this party")
        assert.include(refused.text, `href="${projectPage(projectId)}"`)
      }
      assert.strictEqual((yield* readPage(eve, path)).status, 403)
      assert.strictEqual(
        (yield* shareOnPage(supplier, projectId, { recipient: "2", personId: eve.personId })).status,
        303
      )
      // The other party sees the share and cannot revoke it.
      const seen = yield* readPage(buyer, path)
      assert.include(textOn(seen), "by Sam for the supplier")
      assert.isFalse(formsOn(seen.text).some(({ action }) => action.endsWith("/revoke")))
      const foreign = { ...form, action: `${path}/${shareIdOn(yield* readPage(eve, receivedPath))}/revoke` }
      assert.include([400, 404], (yield* submit(buyer, { ...foreign, names: [] })).status)
      assert.strictEqual((yield* readPage(eve, receivedPath)).text.match(/share_[0-9a-f-]{36}<\/code>/g)?.length, 1)
      const unissued = yield* runToAccepted({ buyer, supplier }, termsWithRecipients)
      assert.include(textOn(yield* readPage(buyer, sharesPath(unissued))), "No record was issued yet.")
    })
  )

  it.effect("A shared record is opened only by its recipient, who returns to it after the sign-in.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, eve, projectId } = yield* issuedRecord
      const link = `${receivedPath}/${yield* createShare(buyer, projectId, shareWith(eve))}`
      const form = formOn(yield* readPage(eve, link), link)
      for (const person of [buyer, supplier, yield* signInNewPerson("Mallory")]) {
        const away = yield* readPage(person, link)
        assert.strictEqual(away.status, 404)
        assert.notInclude(away.text, recipient)
        const formToken = formsOn(away.text)[0]!.hidden["formToken"]!
        assert.strictEqual((yield* submit(person, form, { formToken })).status, 404)
      }
      const nothing = `${receivedPath}/share_${uuid()}`
      assert.strictEqual((yield* readPage(eve, nothing)).status, 404)
      assert.strictEqual((yield* submit(eve, { ...form, action: nothing })).status, 404)
      const unknown = yield* send("GET", link, { headers: {} })
      assert.strictEqual(unknown.status, 401)
      assert.include(unknown.text, `/workspace/sign-in?returnTo=${encodeURIComponent(link)}`)
      assert.include(textOn(yield* readPage(buyer, sharesPath(projectId))), "never")
    })
  )

  it.effect("Texts of the terms are shown as inert text in a shared record.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, eve } = yield* issuedRecord
      const hostile = `<script>alert(1)</script>\u202e`
      const projectId = yield* agreementWithRecord({ buyer, supplier }, { buyerName: hostile, supplierName: hostile })
      const link = `${receivedPath}/${yield* createShare(buyer, projectId, shareWith(eve))}`
      const opened = yield* submit(eve, formOn(yield* readPage(eve, link), link))
      assert.include(textOn(opened), "‹U+202E›")
      assert.notInclude(opened.text, "<script>")
      assert.notInclude((yield* readPage(buyer, sharesPath(projectId))).text, "<script>")
    })
  )
})
