/** The home page: the projects that need the person's party. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readPage } from "../support/page-forms.ts"
import { createAgreementAsPerson, answerOf, commandAsPerson, readProjectAsPerson } from "../support/person-commands.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { makeAgent } from "../support/parties.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody } from "../support/workspace.ts"

layer(freshTestService, { excludeTestServices: true })("the first steps", (it) => {
  it.effect("The home page names the first steps until the person has a project, a proposal or an agent.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const empty = yield* readPage(dana, "/workspace/")
      assert.deepStrictEqual(accessibilityFaults(empty.text), [])
      assert.include(empty.text, "First steps")
      for (const path of ["projects/new", "proposals/new", "connect", "members"])
        assert.include(empty.text, `<a href="/workspace/${path}">`)
      yield* makeAgent(dana, "BUYER", ["REVIEW_DELIVERY"])
      assert.notInclude((yield* readPage(dana, "/workspace/")).text, "First steps")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("the home page", (it) => {
  it.effect("The home page names the projects that need the person's party, with their next action.", () =>
    Effect.gen(function* () {
      const buyer = yield* signInNewPerson("Dana")
      const supplier = yield* signInNewPerson("Sam")
      assert.include((yield* readPage(supplier, "/workspace/")).text, "Nothing waits for you.")
      const projectId = yield* createAgreementAsPerson(buyer, supplier, { title: "<b>Logo</b>" })
      const waiting = yield* readPage(supplier, "/workspace/")
      assert.include(waiting.text, "Waiting for you: 1 project")
      assert.include(waiting.text, `/workspace/projects/${projectId}`)
      assert.include(waiting.text, "&lt;b>Logo&lt;/b>")
      assert.notInclude(waiting.text, "Nothing waits for you.")
      assert.include((yield* readPage(buyer, "/workspace/")).text, "Nothing waits for you.")
      createdBody(
        yield* commandAsPerson(
          supplier,
          projectId,
          "respond",
          answerOf(yield* readProjectAsPerson(supplier, projectId), supplier, { action: "REQUEST_CHANGES" })
        )
      )
      assert.include((yield* readPage(buyer, "/workspace/")).text, "Waiting for you: 1 project")
      assert.include((yield* readPage(supplier, "/workspace/")).text, "Nothing waits for you.")
    })
  )
})
