/** What was entered for a draft stays, whatever became of the draft or of the form's id meanwhile. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { newPath, projectIn, termsFor, termsIn } from "../support/agreement-pages.ts"
import { discard, preparedFor, published, readDraft, save } from "../support/drafts.ts"
import { formOn, problemsOn, readPage, submit } from "../support/page-forms.ts"
import { faultsOf } from "../support/page-scan.ts"
import { wordsOn } from "../support/project-pages.ts"
import { freshTestService, type Answer } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"
import { made, read } from "../support/workspace.ts"

const formPath = (draftId: string) => `${newPath}?draft=${draftId}`
const draftPath = (draftId: string) => `/workspace/drafts/${draftId}`

/** The page is the form, with its problem said and what was entered in it. */
const assertKept = (shown: Answer, said: string, title: string) => {
  assert.deepStrictEqual([shown.status, faultsOf(shown.text)], [409, []])
  assert.include(wordsOn(shown), said)
  assert.include(shown.text, `value="${title}"`)
}

layer(freshTestService, { excludeTestServices: true })("what was entered for a draft", (it) => {
  it.effect("makes a new draft where somebody discarded that one meanwhile", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const draftId = yield* preparedFor(dana, { title: "Logo", source: "crm" })
      const form = formOn(yield* readPage(dana, formPath(draftId)), newPath)
      made(yield* discard(dana, yield* readDraft(dana, draftId)))
      const late = yield* submit(dana, form, { title: "Better", scope: "Two.", step: "SAVE" })
      assertKept(late, "This draft was discarded meanwhile", "Better")
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

  it.effect("stays where the answer to a save was lost and more was entered since", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const draftId = yield* preparedFor(dana, { title: "Logo" })
      const form = formOn(yield* readPage(dana, formPath(draftId)), newPath)
      assert.strictEqual((yield* submit(dana, form, { title: "Better", step: "SAVE" })).status, 303)
      const more = yield* submit(dana, form, { title: "Best", step: "SAVE" })
      assertKept(more, "This draft was saved meanwhile", "Best")
      assert.strictEqual((yield* readDraft(dana, draftId)).content.title, "Better")
      const kept = yield* submit(dana, formOn(more, newPath), { title: "Best", step: "SAVE" })
      assert.deepStrictEqual([kept.status, kept.headers["location"]], [303, formPath(draftId)])
      assert.strictEqual((yield* readDraft(dana, draftId)).content.title, "Best")
    })
  )

  it.effect("stays where the answer to the first save was lost, and says that there is a draft", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const form = formOn(yield* readPage(dana, newPath), newPath)
      assert.strictEqual((yield* submit(dana, form, { title: "Better", step: "SAVE" })).status, 303)
      const more = yield* submit(dana, form, { title: "Best", step: "SAVE" })
      assertKept(more, "From this form something was saved or made before", "Best")
      assert.include(more.text, 'href="/workspace/drafts"')
      assert.lengthOf((yield* read(dana, "/drafts")).body.drafts, 1)
      assert.strictEqual((yield* submit(dana, formOn(more, newPath), { title: "Best", step: "SAVE" })).status, 303)
      assert.lengthOf((yield* read(dana, "/drafts")).body.drafts, 2)
    })
  )

  it.effect("is not said to be among the projects where it was saved as a draft", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const sam = yield* signInAnew("Sam")
      const form = formOn(yield* readPage(dana, newPath), newPath)
      const values = yield* termsFor(sam)
      assert.strictEqual((yield* submit(dana, form, { ...values, step: "SAVE" })).status, 303)
      const shown = yield* submit(dana, form, values)
      assert.strictEqual(shown.status, 200)
      const used = yield* submit(dana, formOn(shown, newPath))
      assert.strictEqual(used.status, 409)
      assert.include(wordsOn(used), "it is among your drafts or your projects")
      assert.include(used.text, '<a href="/workspace/drafts">drafts</a>')
      assert.lengthOf((yield* read(dana, "/projects")).body.projects, 0)
      assert.strictEqual((yield* submit(dana, formOn(used, newPath))).status, 303)
    })
  )

  it.effect("goes on from the draft as it stands where it was saved before the commit", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const sam = yield* signInAnew("Sam")
      const specification = yield* published
      const { id, version } = specification
      const schema = "service.agreement-draft/v1"
      const draftId = yield* preparedFor(dana, { schema, title: "Logo", specification: { id, version } })
      const values = { ...(yield* termsFor(sam)), title: "Mine" }
      const shown = yield* submit(dana, formOn(yield* readPage(dana, formPath(draftId)), newPath), values)
      const draft = yield* readDraft(dana, draftId)
      made(yield* save(dana, draft, { ...draft.content, title: "Theirs" }))
      const late = yield* submit(dana, formOn(shown, newPath))
      assertKept(late, "This draft was saved meanwhile", "Mine")
      const read = yield* submit(dana, formOn(late, newPath), values)
      assert.deepStrictEqual([read.status, problemsOn(read)], [200, []])
      const done = yield* submit(dana, formOn(read, newPath))
      assert.strictEqual(done.status, 303)
      const projectId = projectIn(done.headers["location"])
      assert.deepInclude(yield* termsIn(dana, projectId), { title: "Mine", specification })
      assert.deepInclude(yield* readDraft(dana, draftId), { state: "COMMITTED", outcomeId: projectId })
    })
  )

  it.effect("is not discarded where somebody saved meanwhile: the page shows what stands there now", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const draftId = yield* preparedFor(dana, { title: "Logo" })
      const action = `${draftPath(draftId)}/discard`
      const form = formOn(yield* readPage(dana, draftPath(draftId)), action)
      made(yield* save(dana, yield* readDraft(dana, draftId), { title: "Theirs" }))
      // The box was forgotten at first: what was read is still what counts.
      const unticked = formOn(yield* submit(dana, form), action)
      const late = yield* submit(dana, unticked, { confirmed: "on" })
      assert.deepStrictEqual([late.status, faultsOf(late.text)], [409, []])
      assert.include(wordsOn(late), "The draft has changed meanwhile. Nothing was done")
      assert.include(wordsOn(late), "Theirs")
      assert.strictEqual((yield* readDraft(dana, draftId)).state, "DRAFT")
      assert.strictEqual((yield* submit(dana, formOn(late, action), { confirmed: "on" })).status, 303)
      assert.strictEqual((yield* readDraft(dana, draftId)).state, "DISCARDED")
    })
  )
})
