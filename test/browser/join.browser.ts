/** People join by an invitation code: as the supplier of an agreement, and for a task. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { inviteParticipant } from "../../src/participation/invitations.ts"
import { inviteRepresentative } from "../../src/projects/representative.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { Chromium, screenshot, servedSite, Site, visit } from "../support/browser.ts"
import { makeUnnamedProject } from "../support/person-requests.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { choose, directoryOf, press, signInBy, type } from "../support/keyboard-user.ts"

const service = Layer.merge(
  servedSite(() => directoryOf("ada", "bea")),
  Chromium.layer
)

const textOf = (page: Page) => page.getByRole("main").innerText()

/** An agreement that waits for its supplier, and its buyer. */
const openAgreement = Effect.gen(function* () {
  const buyer = yield* signInNewPerson("Buyer")
  return { buyer, projectId: yield* makeUnnamedProject(buyer), request: yield* nonIdempotentRequest(buyer.personId) }
})

const enter = async (page: Page, url: string, code: string): Promise<void> => {
  await page.goto(`${url}/workspace/join`)
  await type(page, page.getByLabel("Code of the invitation"), code)
  await press(page, page.getByRole("button", { name: "Continue" }))
}

layer(service, { excludeTestServices: true })("invitation codes", (it) => {
  it.effect("A person who enters a code becomes the supplier, for a workspace created on the way.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const { buyer, projectId, request } = yield* openAgreement
      const made = yield* inviteRepresentative(buyer, request, { projectId })
      const { page, complaints } = yield* visit({ runsScript: false })
      yield* Effect.promise(() => page.goto(`${url}/workspace/join`))
      yield* screenshot(page, "join")
      yield* Effect.promise(async () => {
        await enter(page, url, "code" in made ? made.code : "")
        await signInBy(page, "ada")
      })
      assert.include(yield* Effect.promise(() => textOf(page)), "You need an organization first")
      yield* screenshot(page, "join-without-organization")
      yield* Effect.promise(() => press(page, page.getByRole("button", { name: "Create your own workspace" })))
      const terms = yield* Effect.promise(() => textOf(page))
      assert.match(terms, /Logo\s+Digest of the agreement\s+[0-9a-f]{64}/)
      yield* screenshot(page, "join-supplier")
      yield* Effect.promise(async () => {
        await choose(page, page.getByRole("radio", { name: "ada" }))
        await press(page, page.getByRole("button", { name: "Become the supplier’s representative" }))
      })
      assert.include(yield* Effect.promise(() => textOf(page)), "You are named as supplier in Logo.")
      yield* screenshot(page, "join-supplier-accepted")
      assert.deepStrictEqual(complaints, [])
    })
  )

  it.effect("A person who enters a code reads the instructions of a task before accepting it.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const { buyer, projectId, request } = yield* openAgreement
      const instructions = "Measure both sides.\n<img src=x onerror=alert(1)>\u202eThen write them down."
      const made = yield* inviteParticipant(buyer, request, { projectId, title: "Measure", instructions, dueAt: null })
      const { page, complaints } = yield* visit({ width: 400 })
      yield* Effect.promise(async () => {
        await enter(page, url, "code" in made ? made.code : "")
        await signInBy(page, "bea")
      })
      const terms = yield* Effect.promise(() => textOf(page))
      assert.include(terms, "<img src=x onerror=alert(1)>‹U+202E›Then write them down.")
      assert.strictEqual(yield* Effect.promise(() => page.locator("img, body script").count()), 0)
      yield* screenshot(page, "join-task")
      yield* Effect.promise(() => press(page, page.getByRole("button", { name: "Accept the task" })))
      yield* screenshot(page, "join-task-accepted")
      yield* Effect.promise(() => page.goto(`${url}/workspace/`))
      assert.include(yield* Effect.promise(() => textOf(page)), "Measure")
      yield* screenshot(page, "home-with-task")
      assert.deepStrictEqual(complaints, [])
    })
  )
})
