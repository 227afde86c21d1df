/** Projects and tasks in browsers without script: agents are paused, and a task is offered, assisted and completed. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { acceptParticipation } from "../../src/participation/invitations.ts"
import { Chromium, screenshot, servedSite, Site } from "../support/browser.ts"
import { makeUnnamedProject } from "../support/person-requests.ts"
import { uuid } from "../support/parties.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { visitAs } from "../support/signed-in-browser.ts"
import { press, tick, type, unfold } from "../support/keyboard-user.ts"

const service = Layer.merge(servedSite(), Chromium.layer)
const textOf = (page: Page) => Effect.promise(() => page.getByRole("main").innerText())
const secretOn = (page: Page) => Effect.promise(() => page.locator("code.secret").innerText())
const hostileNote = `<script>document.title="owned"</script><img src=x onerror=alert(1)>\u202egnitsurt`

const participation = (url: string, path: string, token: string, body?: object) =>
  Effect.promise(() =>
    fetch(`${url}/api/participation/item${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    }).then(({ status }) => status)
  )

layer(service, { excludeTestServices: true })("projects and tasks", (it) => {
  it.effect("The agents of a project are paused and resumed, and its supplier is invited.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const dana = yield* signInNewPerson("Dana")
      yield* makeUnnamedProject(dana)
      const { page, complaints } = yield* visitAs(url, dana)
      yield* Effect.promise(() => page.goto(`${url}/workspace/projects`))
      yield* screenshot(page, "projects")
      yield* Effect.promise(async () => {
        await press(page, page.getByRole("link", { name: "Logo" }))
        await unfold(page, "Pause agents")
        await type(page, page.getByLabel("Reason"), "I want to look first.")
        await press(page, page.getByRole("button", { name: "Pause agents" }))
      })
      assert.include(yield* textOf(page), "Paused for the buyer by Dana")
      yield* screenshot(page, "projects-paused")
      yield* Effect.promise(async () => {
        await unfold(page, "Resume agents")
        await type(page, page.getByLabel("Reason"), "It is fine.")
        await press(page, page.getByRole("button", { name: "Resume agents" }))
      })
      assert.notInclude(yield* textOf(page), "Paused for")
      assert.include(yield* textOf(page), "Dana for the buyer resumed the agents")
      yield* screenshot(page, "projects-detail")
      yield* Effect.promise(() => press(page, page.getByRole("button", { name: "Invite the supplier" })))
      const code = yield* secretOn(page)
      assert.notInclude(page.url(), code)
      yield* screenshot(page, "projects-supplier-code")
      assert.deepStrictEqual(complaints, [])
    })
  )

  it.effect("A task is offered and accepted, and its assistant's hostile note is shown as text to both persons.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const dana = yield* signInNewPerson("Dana")
      const kim = yield* signInNewPerson("Kim")
      const projectId = yield* makeUnnamedProject(dana)
      const { page } = yield* visitAs(url, dana)
      yield* Effect.promise(async () => {
        await page.goto(`${url}/workspace/projects/${projectId}`)
        await unfold(page, "Invite a person to a task")
        await type(page, page.getByRole("textbox", { name: "Task" }), "Photos")
        await type(page, page.getByLabel("Instructions"), "Take ten photos of the shop.")
        await press(page, page.getByRole("button", { name: "Invite to the task" }))
      })
      yield* acceptParticipation(kim, yield* secretOn(page))
      yield* screenshot(page, "projects-task-code")

      const { page: own, complaints } = yield* visitAs(url, kim)
      yield* Effect.promise(() => own.goto(`${url}/workspace/tasks`))
      yield* screenshot(own, "tasks")
      yield* Effect.promise(async () => {
        await press(own, own.getByRole("link", { name: "Photos" }))
        await press(own, own.getByRole("button", { name: "Create and show a token" }))
      })
      const token = yield* secretOn(own)
      assert.match(token, /^dpa_/)
      yield* screenshot(own, "tasks-token")
      const note = { requestId: uuid(), text: hostileNote }
      assert.strictEqual(yield* participation(url, "/notes", token, note), 201)
      yield* Effect.promise(() => press(own, own.getByRole("link", { name: "Go to the task" })))
      yield* Effect.promise(async () => {
        await page.goto(`${url}/workspace/projects/${projectId}`)
        await press(page, page.getByRole("link", { name: "Photos" }))
      })
      for (const one of [own, page]) {
        assert.include(yield* textOf(one), "‹U+202E›gnitsurt")
        assert.strictEqual(yield* Effect.promise(() => one.locator("img, body script, [onerror]").count()), 0)
      }
      yield* screenshot(own, "tasks-detail")
      yield* screenshot(page, "projects-task")

      yield* Effect.promise(async () => {
        await tick(own, own.getByRole("checkbox", { name: "I am done" }))
        await press(own, own.getByRole("button", { name: "Mark as done" }))
      })
      assert.match(yield* textOf(own), /State\s+done/)
      assert.strictEqual(yield* participation(url, "", token), 401)
      yield* screenshot(own, "tasks-done")
      assert.deepStrictEqual(complaints, [])
    })
  )
})
