/** A past day in a form is a problem at its field. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makeUnnamedProject } from "../support/person-requests.ts"
import { formOn, problemsOn, readPage, submit } from "../support/page-forms.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

layer(freshTestService, { excludeTestServices: true })("invitations to a task", (it) => {
  it.effect("An invitation to a task that is due on a past day is refused at its field.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const page = `/workspace/projects/${yield* makeUnnamedProject(dana)}`
      const form = formOn(yield* readPage(dana, page), `${page}/tasks`)
      const task = { title: "Photos", instructions: "Ten photos." }
      const refused = yield* submit(dana, form, { ...task, due: "2020-01-31" })
      assert.deepStrictEqual([refused.status, problemsOn(refused)], [400, [["due", "The day has already passed."]]])
      assert.include(refused.text, "Ten photos.")
      assert.strictEqual((yield* submit(dana, form, { ...task, due: "2030-01-31" })).status, 200)
    })
  )
})
