/** The API reference in a browser: served from here alone, linkable, and readable by everyone. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { axeViolations } from "../support/axe.ts"
import { Chromium, screenshot, servedSite, Site, visit } from "../support/browser.ts"

const service = Layer.merge(servedSite(), Chromium.layer)

/** The reference of agents at 1280 or 320 pixels, with the origins of all requests. */
const openReference = (options: { readonly width: number; readonly colorScheme?: "light" | "dark" }, hash = "") =>
  Effect.gen(function* () {
    const { url } = yield* Site
    const opened = yield* visit(options)
    const origins = new Set<string>()
    opened.page.on(
      "request",
      (request) => void origins.add(new URL(request.url()).protocol + new URL(request.url()).host)
    )
    yield* Effect.promise(async () => {
      await opened.page.goto(`${url}/docs/agents${hash}`)
      await opened.page.getByRole("button", { name: "Commit materials as digests" }).waitFor()
    })
    return { ...opened, origins, host: new URL(url).host }
  })

layer(service, { excludeTestServices: true })("the API reference", (it) => {
  it.effect("The reference loads from this site alone, and an address leads to an operation with its example.", () =>
    Effect.gen(function* () {
      const { page, complaints, origins, host } = yield* openReference({ width: 1280 }, "#/projects/submit")
      yield* Effect.promise(async () => {
        const operation = page.locator("#operations-projects-submit")
        await operation.getByText("harbor-1782.pdf").first().waitFor()
        assert.include(await operation.innerText(), "SUBMISSION_MISMATCH")
      })
      yield* screenshot(page, "reference")
      assert.deepStrictEqual(
        [...origins].filter((origin) => origin !== `http:${host}` && origin !== "data:"),
        []
      )
      assert.deepStrictEqual(complaints, [])
    })
  )

  it.effect.each([
    { width: 1280, colorScheme: "light" as const },
    { width: 320, colorScheme: "dark" as const }
  ])("axe finds nothing in the reference with an open operation at $width pixels ($colorScheme).", (options) =>
    Effect.gen(function* () {
      const { page } = yield* openReference(options, "#/connections/startConnection")
      const found = yield* Effect.promise(async () => {
        await page.locator("#operations-connections-startConnection .responses-wrapper").waitFor()
        return axeViolations(page)
      })
      assert.deepStrictEqual(found, [])
      const width = yield* Effect.promise(() => page.evaluate("document.documentElement.scrollWidth"))
      assert.isAtMost(Number(width), options.width)
    })
  )

  it.effect("Without script the reference names the document with the same operations.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const { page } = yield* visit({ width: 320, runsScript: false })
      yield* Effect.promise(async () => {
        await page.goto(`${url}/docs/agents`)
        assert.include(await page.locator("main").innerText(), "needs script")
        await page.goto(`${url}/docs/refusals`)
        assert.include(
          await page.locator("tr", { has: page.locator("#STALE_EVENT_HEAD") }).innerText(),
          "REREAD_PROJECT"
        )
      })
    })
  )
})
