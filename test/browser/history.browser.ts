/**
 * A buyer records on which public result its agreement rests, with the file of a passport, and the supplier downloads the
 * closure that carries it; without script, with the keyboard alone, on a narrow window.
 */
import { readFile, writeFile } from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { Chromium, servedSite, Site } from "../support/browser.ts"
import { extendedPage, referencePage } from "../support/history-pages.ts"
import { choose, press, tabTo, type } from "../support/keyboard-user.ts"
import { nextAgreement, paidAndPublished } from "../support/lineage.ts"
import { orderPage } from "../support/order-pages.ts"
import { assertShown } from "../support/shown-page.ts"
import { visitAs } from "../support/signed-in-browser.ts"
import { RequestOrigin } from "../support/workspace.ts"

const service = Layer.merge(servedSite(), Chromium.layer)

const textOf = (page: Page) => Effect.promise(() => page.getByRole("main").innerText())
const button = (page: Page, name: string) => page.getByRole("main").getByRole("button", { name })
const link = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name })

/** Chooses a file for the field that Tab reaches; the dialog itself is the browser's. */
const chooseFile = async (page: Page, file: string) => {
  const field = page.getByLabel("Result Passport")
  await tabTo(page, field)
  await field.setInputFiles(file)
}

const temporaryFile = (name: string, text: string) =>
  Effect.promise(async () => {
    const file = path.join(os.tmpdir(), `countersign-${process.pid}-${name}`)
    await writeFile(file, text)
    return file
  })

layer(service, { excludeTestServices: true })("the history of an agreement in a browser", (it) => {
  it.effect(
    "A buyer chooses passport.json and one result in it, and the supplier downloads the closure with that history.",
    () =>
      Effect.gen(function* () {
        const { url } = yield* Site
        const asPages = Effect.provideService(RequestOrigin, url)
        const original = yield* asPages(paidAndPublished)
        const { buyer, supplier, projectId } = yield* asPages(nextAgreement(original))
        const passport = yield* temporaryFile("passport.json", JSON.stringify(original.passport))
        const archive = yield* temporaryFile("passport.zip", "PK\u0003\u0004")
        const { page, complaints } = yield* visitAs(url, buyer, { width: 320 })
        yield* Effect.promise(async () => {
          await page.goto(`${url}/workspace/projects/${projectId}`)
          await press(page, link(page, "The history that this agreement rests on"))
        })
        assert.strictEqual(page.url(), `${url}${referencePage(projectId)}`)
        yield* assertShown(page, "history-file-narrow")
        yield* Effect.promise(async () => {
          await chooseFile(page, archive)
          await press(page, button(page, "Show the results of the passport"))
        })
        assert.include(yield* textOf(page), "unpack it and choose the passport.json in it")
        yield* assertShown(page, "history-file-problem-narrow")
        yield* Effect.promise(async () => {
          await chooseFile(page, passport)
          await press(page, button(page, "Show the results of the passport"))
        })
        yield* assertShown(page, "history-choice-narrow")
        yield* Effect.promise(async () => {
          await choose(page, page.getByRole("radio", { name: original.publication.projection.title }))
          await type(page, page.getByLabel("Reason"), "The earlier logo was good.")
          await press(page, button(page, "Record the reference"))
        })
        assert.strictEqual(page.url(), `${url}${referencePage(projectId)}`)
        assert.include(yield* textOf(page), "The earlier logo was good.")
        yield* assertShown(page, "history-recorded-narrow")

        const { page: downloading, complaints: otherComplaints } = yield* visitAs(url, supplier, { width: 320 })
        const { resultOrderId } = original.order
        const file = yield* Effect.promise(async () => {
          await downloading.goto(`${url}${orderPage(resultOrderId)}`)
          await press(downloading, link(downloading, "get the closure with that history"))
          await choose(downloading, downloading.locator(`input[value="${projectId}"]`))
          await chooseFile(downloading, passport)
          const send = button(downloading, "Download the closure with its history")
          await tabTo(downloading, send)
          const [saved] = await Promise.all([downloading.waitForEvent("download"), downloading.keyboard.press("Enter")])
          return { name: saved.suggestedFilename(), bytes: await readFile(await saved.path()) }
        })
        assert.strictEqual(downloading.url(), `${url}${extendedPage(resultOrderId)}`)
        yield* assertShown(downloading, "history-download-narrow")
        assert.strictEqual(file.name, "transaction-records-with-history.json")
        assert.deepStrictEqual(JSON.parse(file.bytes.toString()).body.lineage.passport, original.passport)
        // The browser reports the refused file.
        const unexpected = [...complaints, ...otherComplaints].filter((one) => !one.includes("400 (Bad Request)"))
        assert.deepStrictEqual(unexpected, [])
      }),
    120_000
  )
})
