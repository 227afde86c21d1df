/** A record that is shared on pages: who shares it, who opens it, and what is left when it is taken back. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { addContact } from "../../src/people/contacts.ts"
import { issued, join, namingRecipients, recipient, shared, shareWith } from "../support/issued.ts"
import { formOn, formsOn, problemsOn, readPage, submit, type Values } from "../support/page-forms.ts"
import { faultsOf } from "../support/page-scan.ts"
import { makeAgent, uuid } from "../support/parties.ts"
import { accepted } from "../support/person-commands.ts"
import { filled, mustAct, projectPage, wordsOn } from "../support/project-pages.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInAnew, type SignedInPerson } from "../support/sessions.ts"

const sharesPath = (projectId: string) => projectPage(projectId, "shares")
const receivedPath = "/workspace/shared-records"

const world = Effect.gen(function* () {
  const buyer = yield* signInAnew("Dana")
  const supplier = yield* signInAnew("Sam")
  const eve = yield* signInAnew("Eve")
  return { buyer, supplier, eve, projectId: yield* issued({ buyer, supplier }) }
})

/** Sends the form of the page. */
const shareOnPage = Effect.fnUntraced(function* (by: SignedInPerson, projectId: string, values: Values) {
  const path = sharesPath(projectId)
  return yield* submit(by, formOn(yield* readPage(by, path), path), values)
})

const shareIdOn = ({ text }: { readonly text: string }) => /share_[0-9a-f-]{36}/.exec(text)![0]

layer(freshTestService, { excludeTestServices: true })("a record", (it) => {
  it.effect("is shared with a contact, opened once it is asked for, and taken back", () =>
    Effect.gen(function* () {
      const { buyer, eve, projectId } = yield* world
      const { organizationId } = buyer
      const contact = yield* addContact(buyer, { organizationId, reference: "E1", name: "Eve", personId: eve.personId })
      const path = sharesPath(projectId)
      const shownForm = yield* readPage(buyer, path)
      assert.deepStrictEqual(faultsOf(shownForm.text), [])
      const values = { recipient: "1", contact: contact.contactId, personId: "" }
      for (const _ of [1, 2]) {
        assert.strictEqual((yield* submit(buyer, formOn(shownForm, path), values)).status, 303)
      }
      const listed = yield* readPage(eve, receivedPath)
      assert.deepStrictEqual(faultsOf(listed.text), [])
      const link = `${receivedPath}/${shareIdOn(listed)}`
      const closed = yield* readPage(eve, link)
      for (const said of ["Dana", recipient, "It is not open yet."]) assert.include(wordsOn(closed), said)
      assert.notInclude(closed.text, "record_")
      assert.include(wordsOn(yield* readPage(buyer, path)), "never")

      const opened = yield* submit(eve, formOn(closed, link))
      assert.strictEqual(opened.status, 200)
      assert.deepStrictEqual(faultsOf(opened.text), [])
      const { token } = yield* makeAgent(buyer, "BUYER", [], [projectId])
      const { body } = yield* send("GET", `/api/agents/v1/projects/${projectId}/record`, { token })
      assert.include(opened.text, `>${body.record}</textarea>`)
      for (const said of [
        "The acceptance stands as the record says.",
        body.metadata.recordId,
        "Dana Ltd",
        "Sam Studio"
      ]) {
        assert.include(wordsOn(opened), said)
      }
      const seen = yield* readPage(buyer, path)
      assert.match(wordsOn(seen), /Eve .* 1 .* accepted/)
      const back = formsOn(seen.text).find(({ action }) => action.endsWith("/revoke"))!
      for (const _ of [1, 2]) assert.strictEqual((yield* submit(buyer, back)).status, 303)
      assert.include(wordsOn(yield* readPage(buyer, path)), "Taken back")
      assert.strictEqual((yield* readPage(eve, link)).status, 404)
      assert.strictEqual((yield* submit(eve, formOn(closed, link))).status, 404)
      assert.include(wordsOn(yield* readPage(eve, receivedPath)), "Nobody shares a record with you now.")
    })
  )

  it.effect("says what can be relied on when it is opened", () =>
    Effect.gen(function* () {
      const { buyer, supplier, eve, projectId } = yield* world
      const link = `${receivedPath}/${yield* shared(buyer, projectId, shareWith(eve))}`
      const form = formOn(yield* readPage(eve, link), link)
      yield* mustAct(supplier, projectId, "concern", filled.concern)
      assert.include(wordsOn(yield* submit(eve, form)), "The acceptance is contested: do not rely on the record")
      yield* mustAct(buyer, projectId, "uphold-concern", filled.final)
      assert.include(wordsOn(yield* submit(eve, form)), "The acceptance stands no more: do not rely on the record.")
      assert.include(wordsOn(yield* readPage(buyer, sharesPath(projectId))), "nothing more is shared")
    })
  )

  it.effect("is not shared once the acceptance is contested, and the page keeps what was entered", () =>
    Effect.gen(function* () {
      const { buyer, supplier, eve, projectId } = yield* world
      const path = sharesPath(projectId)
      const form = formOn(yield* readPage(buyer, path), path)
      yield* mustAct(supplier, projectId, "concern", filled.concern)
      const values = { recipient: "2", personId: eve.personId }
      const refused = yield* submit(buyer, form, values)
      assert.deepStrictEqual([refused.status, faultsOf(refused.text)], [409, []])
      assert.include(wordsOn(refused), "Nothing was shared now. The project's state does not allow this.")
      assert.include(wordsOn(refused), "nothing more is shared")
      assert.include(refused.text, `href="${projectPage(projectId)}"`)
      assert.match(refused.text, /value="2"[^>]* checked/)
      assert.include(refused.text, `value="${eve.personId}"`)
      yield* mustAct(supplier, projectId, "dismiss-concern", { reason: "It was the right file." })
      assert.strictEqual((yield* submit(buyer, formOn(refused, path), values)).status, 303)
      assert.match(wordsOn(yield* readPage(supplier, path)), /for the buyer 0 never stands/)
    })
  )

  it.effect("is shared only with a recipient of the terms and a person there is", () =>
    Effect.gen(function* () {
      const { buyer, eve, projectId } = yield* world
      const { organizationId } = buyer
      const contact = yield* addContact(buyer, { organizationId, reference: "E1", name: "Eve", personId: eve.personId })
      const good = { recipient: "1", contact: "", personId: eve.personId }
      const cases: ReadonlyArray<readonly [Values, number, string, string]> = [
        [{ recipient: [] }, 400, "recipient", "Choose one: the recipient."],
        [{ recipient: "3" }, 400, "recipient", "Choose one: the recipient."],
        [{ personId: "" }, 400, "personId", "Say who opens it."],
        [{ personId: "eve" }, 400, "personId", "A person’s id looks like person_1b4e28ba-2fa1-4d2b-a3f5-0de1f0a1c2d3."],
        [{ contact: "contact_x" }, 400, "personId", "This contact is gone: choose again."],
        [{ contact: contact.contactId, personId: buyer.personId }, 400, "personId", "Choose a contact or another person, not both."],
        [{ personId: buyer.personId }, 409, "personId", "Whoever shares a record is not the one who opens it."],
        [{ personId: `person_${uuid()}` }, 404, "personId", "No person has this id."]
      ] // prettier-ignore
      for (const [change, status, field, message] of cases) {
        const refused = yield* shareOnPage(buyer, projectId, { ...good, ...change })
        assert.deepStrictEqual([refused.status, problemsOn(refused)], [status, [[field, message]]])
        assert.deepStrictEqual(faultsOf(refused.text), [])
      }
      assert.strictEqual((yield* shareOnPage(buyer, projectId, good)).status, 303)
      const twice = yield* shareOnPage(buyer, projectId, good)
      assert.deepStrictEqual(problemsOn(twice), [
        ["personId", "The record is shared with this person for this recipient already."]
      ])
    })
  )

  it.effect("is shared by those who publish for a side, and not before it is issued", () =>
    Effect.gen(function* () {
      const { buyer, supplier, eve, projectId } = yield* world
      const path = sharesPath(projectId)
      const form = formOn(yield* readPage(buyer, path), path)
      const member = yield* join(buyer, "Mia", ["AGREEMENT_CREATE"])
      const colleague = yield* join(supplier, "Cleo")
      for (const person of [member, colleague]) {
        const page = yield* readPage(person, path)
        assert.include(wordsOn(page), "This is for a person of this side")
        const formToken = formsOn(page.text)[0]!.hidden["formToken"]!
        const values = { recipient: "1", personId: eve.personId, formToken }
        const refused = yield* submit(person, form, values)
        assert.strictEqual(refused.status, 403)
        assert.include(wordsOn(refused), "This is for a person of this side")
        assert.include(refused.text, `href="${projectPage(projectId)}"`)
      }
      assert.strictEqual((yield* readPage(eve, path)).status, 403)
      assert.strictEqual(
        (yield* shareOnPage(supplier, projectId, { recipient: "2", personId: eve.personId })).status,
        303
      )
      // What one side shared, the other sees and cannot take back.
      const seen = yield* readPage(buyer, path)
      assert.include(wordsOn(seen), "by Sam for the supplier")
      assert.isFalse(formsOn(seen.text).some(({ action }) => action.endsWith("/revoke")))
      const foreign = { ...form, action: `${path}/${shareIdOn(yield* readPage(eve, receivedPath))}/revoke` }
      assert.include([400, 404], (yield* submit(buyer, { ...foreign, names: [] })).status)
      assert.strictEqual((yield* readPage(eve, receivedPath)).text.match(/share_[0-9a-f-]{36}<\/code>/g)?.length, 1)
      const unissued = yield* accepted({ buyer, supplier }, namingRecipients)
      assert.include(wordsOn(yield* readPage(buyer, sharesPath(unissued))), "No record was issued yet.")
    })
  )

  it.effect("is opened by its recipient alone, who comes back to it after signing in", () =>
    Effect.gen(function* () {
      const { buyer, supplier, eve, projectId } = yield* world
      const link = `${receivedPath}/${yield* shared(buyer, projectId, shareWith(eve))}`
      const form = formOn(yield* readPage(eve, link), link)
      for (const person of [buyer, supplier, yield* signInAnew("Mallory")]) {
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
      assert.include(wordsOn(yield* readPage(buyer, sharesPath(projectId))), "never")
    })
  )

  it.effect("is text to whoever reads it, whatever is in the terms", () =>
    Effect.gen(function* () {
      const { buyer, supplier, eve } = yield* world
      const hostile = `<script>alert(1)</script>\u202e`
      const projectId = yield* issued({ buyer, supplier }, { buyerName: hostile, supplierName: hostile })
      const link = `${receivedPath}/${yield* shared(buyer, projectId, shareWith(eve))}`
      const opened = yield* submit(eve, formOn(yield* readPage(eve, link), link))
      assert.include(wordsOn(opened), "‹U+202E›")
      assert.notInclude(opened.text, "<script")
      assert.notInclude((yield* readPage(buyer, sharesPath(projectId))).text, "<script")
    })
  )
})
