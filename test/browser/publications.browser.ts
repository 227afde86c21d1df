/**
 * A result becomes public: proposed and approved by its parties, selected by a visitor, and withdrawn; without
 * script and with the keyboard alone.
 */
import { readFile } from "node:fs/promises"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { unzipSync } from "fflate"
import type { Page } from "playwright-core"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { Chromium, screenshot, servedSite, Site, visit } from "../support/browser.ts"
import { choose, press, tabTo, tick, type } from "../support/keyboard-user.ts"
import { issuedResult, publishedResult } from "../support/publications.ts"
import { visitAs } from "../support/signed-in-browser.ts"
import { copyPublication } from "../support/stored-publications.ts"
import { RequestOrigin } from "../support/workspace.ts"

const service = Layer.merge(servedSite(), Chromium.layer)

const textOf = (page: Page) => Effect.promise(() => page.getByRole("main").innerText())
const button = (page: Page, name: string) => page.getByRole("main").getByRole("button", { name })
const link = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name })

/** Sends the selection, and reads the file that the browser saves. */
const download = async (page: Page) => {
  const send = button(page, "Get the selected results as a file")
  await tabTo(page, send)
  const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")])
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

/** The pixels by which the page is wider than its window. */
const overflow = (page: Page) =>
  Effect.promise(() =>
    page.locator("body").evaluate((body) => body.ownerDocument.documentElement.scrollWidth - body.clientWidth)
  )

const hostile = `<b>Logo</b> "><script>document.title="owned"</script>\u202e`

layer(service, { excludeTestServices: true })("public results in a browser", (it) => {
  it.effect(
    "A result is proposed, approved, selected as JSON and as ZIP by a visitor, and withdrawn.",
    () =>
      Effect.gen(function* () {
        const { url } = yield* Site
        const { buyer, supplier, projectId } = yield* Effect.provideService(issuedResult, RequestOrigin, url)
        const own = `${url}/workspace/projects/${projectId}`
        const { page: proposing, complaints } = yield* visitAs(url, supplier)
        yield* Effect.promise(async () => {
          await proposing.goto(own)
          await press(proposing, button(proposing, "Propose the summary to the buyer"))
        })
        assert.include(yield* textOf(proposing), "The title is needed.")
        yield* screenshot(proposing, "publication-problems")
        yield* Effect.promise(async () => {
          await type(proposing, proposing.getByLabel("Title of the summary"), hostile)
          await type(proposing, proposing.getByLabel("Summary", { exact: true }), "One logo, delivered on time.")
          await tick(proposing, proposing.getByRole("checkbox", { name: "Name the buyer" }))
          await press(proposing, button(proposing, "Propose the summary to the buyer"))
        })
        assert.include(yield* textOf(proposing), "The buyer approves it, or withdraws it.")

        const { page: approving } = yield* visitAs(url, buyer, { width: 320 })
        yield* Effect.promise(async () => {
          await approving.goto(`${url}/workspace/`)
          await press(approving, link(approving, "<b>Logo</b>"))
        })
        assert.strictEqual(approving.url(), own)
        const shown = yield* textOf(approving)
        for (const text of [hostile.replace("\u202e", "‹U+202E›"), "One logo, delivered on time.", "Dana Ltd"]) {
          assert.include(shown, text)
        }
        yield* screenshot(approving, "publication-approval-narrow")
        assert.strictEqual(yield* overflow(approving), 0)
        yield* Effect.promise(async () => {
          await tick(approving, approving.getByRole("checkbox", { name: "I agree, for the buyer" }))
          await press(approving, button(approving, "Approve, and make the summary public"))
        })

        const { page, complaints: visitorComplaints, context } = yield* visit({ runsScript: false, width: 320 })
        const address = yield* Effect.promise(() =>
          approving.getByRole("link", { name: "/workspace/providers/" }).innerText()
        )
        yield* Effect.promise(() => page.goto(address))
        assert.include(yield* textOf(page), hostile.replace("\u202e", "‹U+202E›"))
        assert.strictEqual(yield* Effect.promise(() => page.locator("main script, main b").count()), 0)
        assert.strictEqual(yield* overflow(page), 0)
        yield* screenshot(page, "provider-results-narrow")
        yield* Effect.promise(() => press(page, button(page, "Get the selected results as a file")))
        assert.include(yield* textOf(page), "Select at least one result.")
        assert.deepStrictEqual(accessibilityFaults(yield* Effect.promise(() => page.content())), [])
        yield* Effect.promise(() => tick(page, page.getByRole("checkbox")))
        const json = yield* Effect.promise(() => download(page))
        yield* Effect.promise(() => choose(page, page.getByRole("radio", { name: "passport.zip" })))
        const zip = yield* Effect.promise(() => download(page))
        assert.deepStrictEqual([json.name, zip.name], ["passport.json", "passport.zip"])
        const passport = JSON.parse(json.bytes.toString())
        assert.strictEqual(passport.schema, "service.result-passport/v1")
        const entries = unzipSync(zip.bytes)
        assert.deepStrictEqual(Object.keys(entries), ["passport.json", "README.txt"])
        const zipped = JSON.parse(new TextDecoder().decode(entries["passport.json"]))
        assert.deepStrictEqual(zipped.summaries, passport.summaries)
        assert.deepStrictEqual(yield* Effect.promise(() => context.cookies()), [])

        yield* Effect.promise(async () => {
          await proposing.reload()
          await type(proposing, proposing.getByLabel("Reason for the withdrawal"), "Too early.")
          await press(proposing, button(proposing, "Withdraw the summary"))
        })
        assert.include(yield* textOf(proposing), "Withdrawn summaries, newest first")
        yield* Effect.promise(() => press(page, button(page, "Get the selected results as a file")))
        assert.include(yield* textOf(page), "is no longer public as it was shown")
        assert.include(yield* textOf(page), "No result is public now.")
        assert.deepStrictEqual(
          [...complaints, ...visitorComplaints].filter((complaint) => !/\b(?:400|409)\b/.test(complaint)),
          []
        )
      }),
    120_000
  )

  it.effect("More results than one page holds are reached with the keyboard, page by page.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const { publication, subjectId } = yield* Effect.provideService(publishedResult, RequestOrigin, url)
      yield* copyPublication(publication, 59)
      const { page } = yield* visit({ runsScript: false, width: 320 })
      const titles = Effect.promise(() => page.getByRole("checkbox").count())
      yield* Effect.promise(() => page.goto(`${url}/workspace/providers/${subjectId}`))
      assert.strictEqual(yield* titles, 50)
      yield* screenshot(page, "provider-results-pages")
      yield* Effect.promise(() => press(page, link(page, "Earlier results")))
      assert.strictEqual(yield* titles, 10)
      assert.strictEqual(yield* overflow(page), 0)
      yield* Effect.promise(() => tick(page, page.getByRole("checkbox").first()))
      assert.strictEqual((yield* Effect.promise(() => download(page))).name, "passport.json")
      yield* Effect.promise(() => press(page, link(page, "Latest results")))
      assert.strictEqual(yield* titles, 50)
    })
  )
})
