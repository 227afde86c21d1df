/** The pages of projects and of their tasks. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { acceptParticipation } from "../../src/participation/invitations.ts"
import { inAnotherSession, makeUnnamedProject } from "../support/person-requests.ts"
import { uuid } from "../support/parties.ts"
import { formOn, problemsOn, readPage, secretOn, submit } from "../support/page-forms.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { post } from "../support/workspace.ts"

const startedProject = Effect.gen(function* () {
  const dana = yield* signInNewPerson("Dana")
  const projectId = yield* makeUnnamedProject(dana)
  return { dana, projectId, page: `/workspace/projects/${projectId}` }
})

const acceptedTask = Effect.gen(function* () {
  const world = yield* startedProject
  const kim = yield* signInNewPerson("Kim")
  const form = formOn(yield* readPage(world.dana, world.page), `${world.page}/tasks`)
  const values = { title: "Photos", instructions: "Ten <b>photos</b>.\n\u202eNow.", due: "2030-01-31" }
  const code = secretOn(yield* submit(world.dana, form, values))
  const { itemId } = yield* acceptParticipation(kim, code)
  return {
    ...world,
    kim,
    form,
    values,
    code,
    task: `/workspace/tasks/${itemId}`,
    given: `${world.page}/tasks/${itemId}`
  }
})

const readItem = (token: string) => send("GET", "/api/participation/item", { token })

layer(freshTestService, { excludeTestServices: true })("the page of a project", (it) => {
  it.effect("The state of a project is shown only to its parties.", () =>
    Effect.gen(function* () {
      const { dana, page } = yield* startedProject
      const list = yield* readPage(dana, "/workspace/projects")
      assert.include(list.text, page)
      const shown = yield* readPage(dana, page)
      assert.include(shown.text, "The supplier has not answered the terms yet.")
      const sam = yield* signInNewPerson("Sam")
      assert.strictEqual((yield* readPage(sam, page)).status, 403)
      assert.notInclude((yield* readPage(sam, "/workspace/projects")).text, page)
    })
  )

  it.effect("The agents of a project are paused and resumed, once for each form.", () =>
    Effect.gen(function* () {
      const { dana, page } = yield* startedProject
      const pause = formOn(yield* readPage(dana, page), `${page}/pause`)
      const wordless = yield* submit(dana, pause, { reason: " " })
      assert.deepStrictEqual([wordless.status, problemsOn(wordless)], [400, [["reason", "The reason is needed."]]])
      for (const _ of [1, 2]) assert.strictEqual((yield* submit(dana, pause, { reason: "<i>Wait</i>" })).status, 303)
      const paused = yield* readPage(dana, page)
      assert.include(paused.text, "&lt;i>Wait&lt;/i>")
      assert.include(paused.text, "Paused for the buyer by")
      assert.strictEqual(
        (yield* submit(dana, { ...pause, hidden: { ...pause.hidden, requestId: uuid() } }, { reason: "Again" })).status,
        409
      )
      const resume = formOn(paused, `${page}/resume`)
      assert.strictEqual((yield* submit(dana, resume, { reason: "Go on" })).status, 303)
      assert.include((yield* readPage(dana, page)).text, "Agents of both parties may act")
      const sam = yield* signInNewPerson("Sam")
      const own = formOn(yield* readPage(sam, "/workspace/projects"), "/workspace/sign-out")
      const forged = yield* submit(sam, { ...own, action: `${page}/pause` }, { requestId: uuid(), reason: "Stop" })
      assert.strictEqual(forged.status, 403)
    })
  )

  it.effect("The supplier is invited by one code.", () =>
    Effect.gen(function* () {
      const { dana, page } = yield* startedProject
      const form = formOn(yield* readPage(dana, page), `${page}/representative`)
      const code = secretOn(yield* submit(dana, form))
      assert.strictEqual(secretOn(yield* submit(dana, form)), code)
      const sam = yield* signInNewPerson("Sam")
      const body = { requestId: uuid(), code, organizationId: sam.organizationId }
      assert.strictEqual((yield* post(sam, "/invitations/accept-representation", body)).status, 200)
      assert.notInclude((yield* readPage(dana, page)).text, `${page}/representative`)
      assert.strictEqual((yield* readPage(sam, page)).status, 200)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("tasks", (it) => {
  it.effect("A task is offered by one code and shown to the person who accepted it without its project.", () =>
    Effect.gen(function* () {
      const { dana, kim, form, values, code, task, given, page, projectId } = yield* acceptedTask
      assert.strictEqual(secretOn(yield* submit(dana, form, values)), code)
      const shown = yield* readPage(kim, task)
      assert.include(shown.text, "Ten &lt;b>photos&lt;/b>.")
      assert.include(shown.text, "‹U+202E›Now.")
      assert.include(shown.text, "31 January 2030")
      assert.notInclude(shown.text, projectId)
      assert.include((yield* readPage(kim, "/workspace/tasks")).text, task)
      assert.include((yield* readPage(dana, page)).text, given)
      assert.strictEqual((yield* readPage(dana, given)).status, 200)
      assert.strictEqual((yield* readPage(dana, task)).status, 404)
      assert.strictEqual((yield* readPage(yield* signInNewPerson("Sam"), task)).status, 404)
    })
  )

  it.effect.each([
    [{ title: "" }, ["title", "The task is needed."]],
    [{ instructions: " " }, ["instructions", "The text of the instructions is needed."]],
    [{ due: "soon" }, ["due", "The day is a date such as 2026-11-21."]]
  ] as const)("A task offer with %o is refused at its field.", ([change, problem]) =>
    Effect.gen(function* () {
      const { dana, form, values } = yield* acceptedTask
      const refused = yield* submit(dana, form, { ...values, ...change })
      assert.deepStrictEqual([refused.status, problemsOn(refused)], [400, [problem]])
    })
  )

  it.effect("An assistant's token is shown once, and the assistant's notes are shown as text.", () =>
    Effect.gen(function* () {
      const { dana, kim, task, given } = yield* acceptedTask
      const form = formOn(yield* readPage(kim, task), `${task}/assistant`)
      const token = secretOn(yield* submit(kim, form))
      assert.strictEqual(secretOn(yield* submit(kim, form)), token)
      const text = "<script>alert(1)</script>\u202e"
      const body = { requestId: uuid(), text }
      assert.strictEqual((yield* send("POST", "/api/participation/item/notes", { token, body })).status, 201)
      for (const shown of [yield* readPage(kim, task), yield* readPage(dana, given)]) {
        assert.include(shown.text, "&lt;script>alert(1)&lt;/script>‹U+202E›")
        assert.notMatch(shown.text, /<script>|\u202e/)
        assert.notInclude(shown.text, token)
      }
      const end = formOn(yield* readPage(kim, task), `${task}/assistant/end`)
      assert.strictEqual((yield* submit(kim, end)).status, 303)
      assert.strictEqual((yield* readItem(token)).status, 401)
    })
  )

  it.effect("A task is ended by its helper or by the person who offered it, after a confirmation.", () =>
    Effect.gen(function* () {
      const one = yield* acceptedTask
      const token = secretOn(
        yield* submit(one.kim, formOn(yield* readPage(one.kim, one.task), `${one.task}/assistant`))
      )
      const done = formOn(yield* readPage(one.kim, one.task), `${one.task}/done`)
      assert.deepStrictEqual(problemsOn(yield* submit(one.kim, done)), [
        ["confirmed", "Tick the box to mark the task as done."]
      ])
      assert.strictEqual((yield* readItem(token)).status, 200)
      assert.strictEqual((yield* submit(one.kim, done, { confirmed: "on" })).status, 303)
      assert.strictEqual((yield* readItem(token)).status, 401)
      const two = yield* acceptedTask
      const withdraw = formOn(yield* readPage(two.dana, two.given), `${two.given}/withdraw`)
      assert.deepStrictEqual(problemsOn(yield* submit(two.dana, withdraw)), [
        ["confirmed", "Tick the box to withdraw the task."]
      ])
      assert.strictEqual((yield* submit(two.dana, withdraw, { confirmed: "on" })).status, 303)
      assert.include((yield* readPage(two.kim, two.task)).text, "withdrawn")
      const elsewhere = (yield* startedProject).page
      const other = two.given.replace(two.page, elsewhere)
      assert.strictEqual((yield* readPage(two.dana, other)).status, 404)
    })
  )

  it.effect("A task form of another session of the same person is refused.", () =>
    Effect.gen(function* () {
      const { kim, task } = yield* acceptedTask
      const form = formOn(yield* readPage(kim, task), `${task}/assistant`)
      const elsewhere = yield* inAnotherSession(kim)
      assert.strictEqual((yield* submit(elsewhere, form)).status, 403)
    })
  )
})
