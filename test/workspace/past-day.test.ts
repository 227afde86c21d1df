/** A day that is over already: the form comes back with everything in it, and the problem at its field. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makeUnnamedProject } from "../support/human-requests.ts"
import { formOn, problemsOn, readPage, submit } from "../support/page-forms.ts"
import { freshTestService } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"

layer(freshTestService, { excludeTestServices: true })("a task that somebody is invited to", (it) => {
  it.effect("is due on no day that is over", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const page = `/workspace/projects/${yield* makeUnnamedProject(dana)}`
      const form = formOn(yield* readPage(dana, page), `${page}/tasks`)
      const task = { title: "Photos", instructions: "Ten photos." }
      const refused = yield* submit(dana, form, { ...task, due: "2020-01-31" })
      assert.deepStrictEqual([refused.status, problemsOn(refused)], [400, [["due", "The day is over already."]]])
      assert.include(refused.text, "Ten photos.")
      assert.strictEqual((yield* submit(dana, form, { ...task, due: "2030-01-31" })).status, 200)
    })
  )
})
