/** Entered values are kept when the draft or the form's requestId was used concurrently. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  newPath,
  projectIn,
  stepPath,
  termsFor,
  termsFormOn,
  termsIn,
  throughSteps,
  valuesIn
} from "../support/agreement-pages.ts"
import { prepareDraftFor, publishNewSpecification, readDraft, saveDraft } from "../support/drafts.ts"
import { formOn, readPage, submit } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { textOn } from "../support/project-pages.ts"
import { freshTestService, type Answer } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody, read } from "../support/workspace.ts"

const draftPath = (draftId: string) => `/workspace/drafts/${draftId}`

/** Asserts that the page is the step with its problem and the entered title. */
const assertFormKept = (shown: Answer, expected: string, title: string) => {
  assert.deepStrictEqual([shown.status, accessibilityFaults(shown.text)], [409, []])
  assert.include(textOn(shown), expected)
  assert.include(shown.text, `value="${title}"`)
}

layer(freshTestService, { excludeTestServices: true })("values entered for a draft", (it) => {
  it.effect("Values entered after a save with a lost response are kept and can be saved.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const draftId = yield* prepareDraftFor(dana, { title: "Logo" })
      const work = stepPath(draftId, "work")
      const form = formOn(yield* readPage(dana, work), work)
      assert.strictEqual((yield* submit(dana, form, { title: "Better", step: "SAVE" })).status, 303)
      const more = yield* submit(dana, form, { title: "Best", step: "SAVE" })
      assertFormKept(more, "This draft was saved meanwhile", "Best")
      assert.strictEqual((yield* readDraft(dana, draftId)).content.title, "Better")
      const kept = yield* submit(dana, formOn(more, work), { title: "Best", step: "SAVE" })
      assert.deepStrictEqual([kept.status, kept.headers["location"]], [303, draftPath(draftId)])
      assert.strictEqual((yield* readDraft(dana, draftId)).content.title, "Best")
    })
  )

  it.effect("A step that was submitted twice is saved once and leads to the same next step.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const draftId = yield* prepareDraftFor(dana, { title: "Logo" })
      const dates = stepPath(draftId, "dates")
      const form = formOn(yield* readPage(dana, dates), dates)
      const values = valuesIn("dates", yield* termsFor(sam))
      const answers = [yield* submit(dana, form, values), yield* submit(dana, form, values)]
      assert.deepStrictEqual(
        answers.map(({ status, headers }) => [status, headers["location"]]),
        [[303, stepPath(draftId, "terms")], [303, stepPath(draftId, "terms")]]
      ) // prettier-ignore
      assert.strictEqual((yield* readDraft(dana, draftId)).revision, 2)
    })
  )

  it.effect("Values entered after a first save with a lost response are kept, and the page links to the drafts.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const form = formOn(yield* readPage(dana, newPath), newPath)
      assert.strictEqual((yield* submit(dana, form, { supplierName: "Better", step: "SAVE" })).status, 303)
      const more = yield* submit(dana, form, { supplierName: "Best", step: "SAVE" })
      assertFormKept(more, "This form was already used to start a draft", "Best")
      assert.include(more.text, 'href="/workspace/drafts"')
      assert.lengthOf((yield* read(dana, "/drafts")).body.drafts, 1)
      const again = formOn(more, newPath)
      assert.strictEqual((yield* submit(dana, again, { supplierName: "Best", step: "SAVE" })).status, 303)
      assert.lengthOf((yield* read(dana, "/drafts")).body.drafts, 2)
    })
  )

  it.effect("A commit of a concurrently saved draft is refused and continues from the current terms.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const specification = yield* publishNewSpecification
      const { id, version } = specification
      const schema = "service.agreement-draft/v1"
      const draftId = yield* prepareDraftFor(dana, { schema, title: "Logo", specification: { id, version } })
      const shown = yield* throughSteps(dana, yield* termsFor(sam), stepPath(draftId, "parties"))
      const draft = yield* readDraft(dana, draftId)
      createdBody(yield* saveDraft(dana, draft, { ...draft.content, title: "Theirs" }))
      const late = yield* submit(dana, termsFormOn(shown))
      assert.deepStrictEqual([late.status, accessibilityFaults(late.text)], [409, []])
      for (const expected of ["This draft was saved meanwhile", "Theirs"]) assert.include(textOn(late), expected)
      const done = yield* submit(dana, termsFormOn(late))
      assert.strictEqual(done.status, 303)
      const projectId = projectIn(done.headers["location"])
      assert.deepInclude(yield* termsIn(dana, projectId), { title: "Theirs", specification })
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
