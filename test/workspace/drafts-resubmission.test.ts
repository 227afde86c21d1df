/** Entered values are kept when the draft or the form's requestId was used concurrently. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { newPath, projectIn, termsFor, termsIn } from "../support/agreement-pages.ts"
import { discardDraft, prepareDraftFor, publishNewSpecification, readDraft, saveDraft } from "../support/drafts.ts"
import { formOn, problemsOn, readPage, submit } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { textOn } from "../support/project-pages.ts"
import { freshTestService, type Answer } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody, read } from "../support/workspace.ts"

const formPath = (draftId: string) => `${newPath}?draft=${draftId}`
const draftPath = (draftId: string) => `/workspace/drafts/${draftId}`

/** Asserts that the page is the form with its problem and the entered title. */
const assertFormKept = (shown: Answer, expected: string, title: string) => {
  assert.deepStrictEqual([shown.status, accessibilityFaults(shown.text)], [409, []])
  assert.include(textOn(shown), expected)
  assert.include(shown.text, `value="${title}"`)
}

layer(freshTestService, { excludeTestServices: true })("values entered for a draft", (it) => {
  it.effect("The values entered for a draft that was discarded concurrently create a new draft.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const draftId = yield* prepareDraftFor(dana, { title: "Logo", source: "crm" })
      const form = formOn(yield* readPage(dana, formPath(draftId)), newPath)
      createdBody(yield* discardDraft(dana, yield* readDraft(dana, draftId)))
      const late = yield* submit(dana, form, { title: "Better", scope: "Two.", step: "SAVE" })
      assertFormKept(late, "This draft was discarded meanwhile", "Better")
      assert.include(late.text, `href="${draftPath(draftId)}"`)
      const again = formOn(late, newPath)
      assert.notEqual(again.hidden["requestId"], form.hidden["requestId"])
      assert.deepStrictEqual([again.hidden["draft"], again.hidden["draftRevision"]], [undefined, undefined])
      const kept = yield* submit(dana, again, { title: "Better", scope: "Two.", step: "SAVE" })
      assert.strictEqual(kept.status, 303)
      const newId = /draft=(draft_[0-9a-f-]+)$/.exec(kept.headers["location"] ?? "")![1]!
      assert.notEqual(newId, draftId)
      assert.deepInclude((yield* readDraft(dana, newId)).content, { title: "Better", scope: "Two." })
      assert.deepInclude(yield* readDraft(dana, draftId), { state: "DISCARDED", revision: 2 })
    })
  )

  it.effect("Values entered after a save with a lost response are kept and can be saved.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const draftId = yield* prepareDraftFor(dana, { title: "Logo" })
      const form = formOn(yield* readPage(dana, formPath(draftId)), newPath)
      assert.strictEqual((yield* submit(dana, form, { title: "Better", step: "SAVE" })).status, 303)
      const more = yield* submit(dana, form, { title: "Best", step: "SAVE" })
      assertFormKept(more, "This draft was saved meanwhile", "Best")
      assert.strictEqual((yield* readDraft(dana, draftId)).content.title, "Better")
      const kept = yield* submit(dana, formOn(more, newPath), { title: "Best", step: "SAVE" })
      assert.deepStrictEqual([kept.status, kept.headers["location"]], [303, formPath(draftId)])
      assert.strictEqual((yield* readDraft(dana, draftId)).content.title, "Best")
    })
  )

  it.effect("Values entered after a first save with a lost response are kept, and the page links to the drafts.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const form = formOn(yield* readPage(dana, newPath), newPath)
      assert.strictEqual((yield* submit(dana, form, { title: "Better", step: "SAVE" })).status, 303)
      const more = yield* submit(dana, form, { title: "Best", step: "SAVE" })
      assertFormKept(more, "This form was already used to save a draft or make an agreement", "Best")
      assert.include(more.text, 'href="/workspace/drafts"')
      assert.lengthOf((yield* read(dana, "/drafts")).body.drafts, 1)
      assert.strictEqual((yield* submit(dana, formOn(more, newPath), { title: "Best", step: "SAVE" })).status, 303)
      assert.lengthOf((yield* read(dana, "/drafts")).body.drafts, 2)
    })
  )

  it.effect("A commit of a form that was already saved as a draft names the drafts as the place of the result.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const form = formOn(yield* readPage(dana, newPath), newPath)
      const values = yield* termsFor(sam)
      assert.strictEqual((yield* submit(dana, form, { ...values, step: "SAVE" })).status, 303)
      const shown = yield* submit(dana, form, values)
      assert.strictEqual(shown.status, 200)
      const used = yield* submit(dana, formOn(shown, newPath))
      assert.strictEqual(used.status, 409)
      assert.include(textOn(used), "it is among your drafts or your projects")
      assert.include(used.text, '<a href="/workspace/drafts">drafts</a>')
      assert.lengthOf((yield* read(dana, "/projects")).body.projects, 0)
      assert.strictEqual((yield* submit(dana, formOn(used, newPath))).status, 303)
    })
  )

  it.effect("A commit of a concurrently saved draft is refused and continues from the current draft.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const specification = yield* publishNewSpecification
      const { id, version } = specification
      const schema = "service.agreement-draft/v1"
      const draftId = yield* prepareDraftFor(dana, { schema, title: "Logo", specification: { id, version } })
      const values = { ...(yield* termsFor(sam)), title: "Mine" }
      const shown = yield* submit(dana, formOn(yield* readPage(dana, formPath(draftId)), newPath), values)
      const draft = yield* readDraft(dana, draftId)
      createdBody(yield* saveDraft(dana, draft, { ...draft.content, title: "Theirs" }))
      const late = yield* submit(dana, formOn(shown, newPath))
      assertFormKept(late, "This draft was saved meanwhile", "Mine")
      const read = yield* submit(dana, formOn(late, newPath), values)
      assert.deepStrictEqual([read.status, problemsOn(read)], [200, []])
      const done = yield* submit(dana, formOn(read, newPath))
      assert.strictEqual(done.status, 303)
      const projectId = projectIn(done.headers["location"])
      assert.deepInclude(yield* termsIn(dana, projectId), { title: "Mine", specification })
      assert.deepInclude(yield* readDraft(dana, draftId), { state: "COMMITTED", outcomeId: projectId })
    })
  )

  it.effect("A draft that was saved concurrently is not discarded, and the page shows its current content.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const draftId = yield* prepareDraftFor(dana, { title: "Logo" })
      const action = `${draftPath(draftId)}/discard`
      const form = formOn(yield* readPage(dana, draftPath(draftId)), action)
      createdBody(yield* saveDraft(dana, yield* readDraft(dana, draftId), { title: "Theirs" }))
      // The first submission lacks the ticked box; the form keeps the revision that was shown.
      const unticked = formOn(yield* submit(dana, form), action)
      const late = yield* submit(dana, unticked, { confirmed: "on" })
      assert.deepStrictEqual([late.status, accessibilityFaults(late.text)], [409, []])
      assert.include(textOn(late), "The draft has changed meanwhile. Nothing was done")
      assert.include(textOn(late), "Theirs")
      assert.strictEqual((yield* readDraft(dana, draftId)).state, "DRAFT")
      assert.strictEqual((yield* submit(dana, formOn(late, action), { confirmed: "on" })).status, 303)
      assert.strictEqual((yield* readDraft(dana, draftId)).state, "DISCARDED")
    })
  )
})
