/** Where people start: what waits for them is named, and nothing else is said to. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readPage } from "../support/page-forms.ts"
import { agreeing, answerOf, act, see } from "../support/person-commands.ts"
import { freshTestService } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"
import { made } from "../support/workspace.ts"

layer(freshTestService, { excludeTestServices: true })("the home page", (it) => {
  it.effect("names the projects that need the person's side, with what is next", () =>
    Effect.gen(function* () {
      const buyer = yield* signInAnew("Dana")
      const supplier = yield* signInAnew("Sam")
      assert.include((yield* readPage(supplier, "/workspace/")).text, "Nothing waits for you.")
      const projectId = yield* agreeing(buyer, supplier, { title: "<b>Logo</b>" })
      const waiting = yield* readPage(supplier, "/workspace/")
      assert.include(waiting.text, "Projects that need your side")
      assert.include(waiting.text, `/workspace/projects/${projectId}`)
      assert.include(waiting.text, "&lt;b>Logo&lt;/b>")
      assert.notInclude(waiting.text, "Nothing waits for you.")
      assert.include((yield* readPage(buyer, "/workspace/")).text, "Nothing waits for you.")
      made(
        yield* act(
          supplier,
          projectId,
          "respond",
          answerOf(yield* see(supplier, projectId), supplier, { action: "REQUEST_CHANGES" })
        )
      )
      assert.include((yield* readPage(buyer, "/workspace/")).text, "Projects that need your side")
      assert.include((yield* readPage(supplier, "/workspace/")).text, "Nothing waits for you.")
    })
  )
})
