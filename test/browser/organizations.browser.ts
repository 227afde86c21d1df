/** Members, invitations and contacts in browsers without script: one person invites, another joins and leaves. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { authorityLabels } from "../../src/workspace/kit/labels.ts"
import { Chromium, screenshot, servedSite, Site } from "../support/browser.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { visitAs } from "../support/signed-in-browser.ts"
import { press, tick, type } from "../support/keyboard-user.ts"

const service = Layer.merge(servedSite(), Chromium.layer)
const textOf = (page: Page) => Effect.promise(() => page.getByRole("main").innerText())

layer(service, { excludeTestServices: true })("organizations", (it) => {
  it.effect("An organization is joined by a code, and left when the membership is ended.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const dana = yield* signInNewPerson("Dana")
      const mia = yield* signInNewPerson("Mia")
      const { page, complaints } = yield* visitAs(url, dana)
      yield* Effect.promise(async () => {
        await page.goto(`${url}/workspace/`)
        await page.getByRole("navigation").locator("summary", { hasText: "Organization" }).press("Enter")
        await press(page, page.getByRole("link", { name: "Members", exact: true }))
        await tick(page, page.getByRole("checkbox", { name: authorityLabels.DELIVERY_REVIEW }))
        await press(page, page.getByRole("button", { name: "Invite" }))
      })
      const code = yield* Effect.promise(() => page.locator("code.secret").innerText())
      assert.notInclude(page.url(), code)
      yield* screenshot(page, "members-invitation-code")
      yield* Effect.promise(() => press(page, page.getByRole("link", { name: "Go to the members" })))
      assert.include(yield* textOf(page), "Invited by")
      assert.notInclude(yield* textOf(page), code)
      yield* screenshot(page, "members-invited")

      const other = yield* visitAs(url, mia)
      yield* Effect.promise(async () => {
        await other.page.goto(`${url}/workspace/join`)
        await type(other.page, other.page.getByRole("main").getByRole("textbox"), code)
        await other.page.keyboard.press("Enter")
        await other.page.waitForLoadState()
        await press(other.page, other.page.getByRole("main").getByRole("button", { name: /Join|Accept/ }))
        await other.page.goto(`${url}/workspace/members`)
      })
      yield* screenshot(other.page, "members-choice")
      yield* Effect.promise(() => press(other.page, other.page.getByRole("main").getByRole("link", { name: "Dana" })))
      assert.include(yield* textOf(other.page), "Mia")
      assert.strictEqual(yield* Effect.promise(() => other.page.getByRole("button", { name: "Invite" }).count()), 0)

      yield* Effect.promise(async () => {
        await page.reload()
        await press(page, page.getByRole("link", { name: "Mia" }))
      })
      yield* screenshot(page, "members-member")
      yield* Effect.promise(async () => {
        await tick(page, page.getByRole("checkbox", { name: "I end the membership of Mia" }))
        await press(page, page.getByRole("button", { name: "End the membership" }))
      })
      assert.match(yield* textOf(page), /Mia\s+ended/)
      yield* screenshot(page, "members-ended")
      yield* Effect.promise(() => other.page.reload())
      assert.include(yield* textOf(other.page), "You are not a member of this organization.")
      assert.deepStrictEqual(complaints, [])
    })
  )

  it.effect("An organization keeps contacts.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const dana = yield* signInNewPerson("Dana")
      const { page } = yield* visitAs(url, dana)
      yield* Effect.promise(async () => {
        await page.goto(`${url}/workspace/contacts`)
        await type(page, page.getByLabel("Reference"), "D-17")
        await type(page, page.getByLabel("Name"), "Dana herself")
        await type(page, page.getByLabel("Person"), "Dana")
        await press(page, page.getByRole("button", { name: "Add the contact" }))
      })
      assert.include(yield* Effect.promise(() => page.getByRole("alert").innerText()), "looks like person_")
      yield* screenshot(page, "contacts-problems")
      yield* Effect.promise(async () => {
        await page.getByLabel("Person").fill(dana.personId)
        await press(page, page.getByRole("button", { name: "Add the contact" }))
      })
      assert.include(yield* textOf(page), "Dana herself")
      yield* screenshot(page, "contacts")
      yield* Effect.promise(() => press(page, page.getByRole("button", { name: "Remove D-17" })))
      assert.include(yield* textOf(page), "This organization has no contact yet.")
    })
  )
})
