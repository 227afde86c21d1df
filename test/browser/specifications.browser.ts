/** A visitor finds a public specification, signs in, and starts a draft from it, with the keyboard and without script. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { publishSpecification } from "../../src/discovery/publish.ts"
import { Chromium, screenshot, servedSite, Site, visit } from "../support/browser.ts"
import { specificationOf } from "../support/specifications.ts"
import { choose, directoryOf, press, signInBy, type } from "../support/keyboard-user.ts"

const service = Layer.merge(
  servedSite(() => directoryOf("ada")),
  Chromium.layer
)

const textOf = (page: Page) => page.getByRole("main").innerText()

layer(service, { excludeTestServices: true })("public specifications", (it) => {
  it.effect("A public specification is found, read, and carried through the sign-in into a draft.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const content = specificationOf("brand-logo", { title: "A brand logo", references: ["SVG 2"] })
      const { digest } = yield* publishSpecification(content)
      const { page, complaints } = yield* visit({ runsScript: false })
      yield* Effect.promise(async () => {
        await page.goto(`${url}/workspace/`)
        await press(page, page.getByRole("link", { name: "Search public specifications" }))
        await type(page, page.getByLabel("Search text"), "LOGO bra")
        await press(page, page.getByRole("button", { name: "Search" }))
      })
      yield* screenshot(page, "specifications")
      yield* Effect.promise(() => press(page, page.getByRole("link", { name: "A brand logo" })))
      assert.include(yield* Effect.promise(() => textOf(page)), digest)
      yield* screenshot(page, "specification")
      yield* Effect.promise(async () => {
        await press(page, page.getByRole("button", { name: "Start a draft from this" }))
        await signInBy(page, "ada")
      })
      assert.strictEqual(page.url(), `${url}/workspace/drafts/from-specification`)
      assert.include(yield* Effect.promise(() => textOf(page)), "A brand logo")
      yield* screenshot(page, "draft-from-specification")
      yield* Effect.promise(async () => {
        await choose(page, page.getByRole("radio", { name: "Buyer" }))
        await press(page, page.getByRole("button", { name: "Start the draft" }))
      })
      assert.match(page.url(), /draft_[0-9a-f-]{36}/)
      yield* Effect.promise(() => page.goto(`${url}/workspace/drafts/from-specification`))
      assert.include(yield* Effect.promise(() => textOf(page)), "This browser has no selected specification")
      assert.deepStrictEqual(
        complaints.filter((complaint) => !complaint.includes("409")),
        []
      )
    })
  )
})
