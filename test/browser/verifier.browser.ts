/** The page that verifies files in the browser, without a network: its reports are those of the command line. */
import { execFileSync } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { printReport } from "../../src/verifier/report.ts"
import { textOfCheck } from "../../src/browser/verifier/check-texts.ts"
import { axeViolations } from "../support/axe.ts"
import { Chromium, screenshot, servedSite, Site, visit } from "../support/browser.ts"
import { press, tabTo } from "../support/keyboard-user.ts"
import { caseNames, casesFolder, readCase } from "../verifier/corpus/folder.ts"
import { reportOf } from "../verifier/corpus/verdict.ts"

const service = Layer.merge(servedSite(), Chromium.layer)
const root = join(import.meta.dirname, "../..")

/** The page, after the network was cut; the site's icon is the last file that a browser requests by itself. */
const offlineVerifier = (width = 1024) =>
  Effect.gen(function* () {
    const { url } = yield* Site
    const opened = yield* visit({ width })
    const requests: Array<string> = []
    yield* Effect.promise(async () => {
      const icon = opened.page.waitForEvent(
        "requestfinished",
        (request) => request.url() === `${url}/workspace/icon.svg`
      )
      await opened.page.goto(`${url}/verify`)
      await icon
      await opened.context.setOffline(true)
    })
    opened.page.on("request", (request) => void requests.push(request.url()))
    return { ...opened, requests }
  })

interface EncodedCase {
  readonly files: { readonly [id: string]: string }
  readonly checkedAt: string
}

const encoded = (name: string): EncodedCase => {
  const { artifact, trust, status, policy, checkedAt } = readCase(name)
  const files = { artifact, keys: trust, status, authority: policy }
  return {
    checkedAt,
    files: Object.fromEntries(
      Object.entries(files).flatMap(([id, bytes]) =>
        bytes === undefined ? [] : [[id, Buffer.from(bytes).toString("base64")]]
      )
    )
  }
}

/** Chooses the files of each case in the page, one case after another, and reads the report that the page shows. */
const reportsIn = (page: Page, cases: ReadonlyArray<EncodedCase>): Promise<ReadonlyArray<string>> =>
  page.evaluate(
    `(async (cases) => {
      const bytesOf = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      const reports = []
      for (const { files, checkedAt } of cases) {
        for (const id of ["artifact", "keys", "status", "authority"]) {
          const chosen = new DataTransfer()
          if (files[id] !== undefined) chosen.items.add(new File([bytesOf(files[id])], id))
          document.getElementById(id).files = chosen.files
        }
        document.getElementById("checked-at").value = checkedAt
        document.querySelector("[data-part=result]").replaceChildren()
        document.querySelector("[data-enhance=verifier]").requestSubmit()
        let shown = null
        while ((shown = document.querySelector("[data-part=report-json]")) === null) {
          await new Promise((resolve) => setTimeout(resolve))
        }
        reports.push(shown.textContent)
      }
      return reports
    })(${JSON.stringify(cases)})`
  )

layer(service, { excludeTestServices: true })("the verifier in a browser", (it) => {
  it.effect(
    "On every case of the corpus whose time can be entered, the report of the browser has the bytes of that of the command line.",
    () =>
      Effect.gen(function* () {
        const { page, complaints, requests } = yield* offlineVerifier()
        // A line of text cannot end with a line break, so that the page never sees such a time.
        const names = caseNames().filter((name) => !readCase(name).checkedAt.includes("\n"))
        assert.isAbove(names.length, 1_300)
        for (let from = 0; from < names.length; from += 50) {
          const batch = names.slice(from, from + 50)
          const reports = yield* Effect.promise(() => reportsIn(page, batch.map(encoded)))
          for (const [index, name] of batch.entries()) {
            assert.strictEqual(reports[index], printReport(reportOf(readCase(name))), name)
          }
        }
        assert.deepStrictEqual(requests, [])
        assert.deepStrictEqual(complaints, [])
      }),
    600_000
  )

  it.effect("A person verifies a package with the keyboard, and saves the report of the command line.", () =>
    Effect.gen(function* () {
      const name = "agreement/signed-here_ok"
      const place = join(casesFolder, name)
      const { checkedAt } = readCase(name)
      const { page } = yield* offlineVerifier()
      const [artifact, keys] = [join(place, "artifact.json"), join(place, "keys.json")]
      const saved = yield* Effect.promise(async () => {
        await page.getByLabel("The file to verify").setInputFiles(artifact)
        await page.getByLabel("The issuer’s keys").setInputFiles(keys)
        await tabTo(page, page.getByLabel("The time of the check"))
        await page.keyboard.press("Control+A")
        await page.keyboard.type(checkedAt)
        await page.keyboard.press("Enter")
        await page.getByRole("heading", { name: "The result" }).waitFor()
        await tabTo(page, page.getByRole("link", { name: "Save the report as JSON" }))
        const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")])
        return readFile(await download.path(), "utf8")
      })
      const words = ["src/verifier/main.ts", artifact, keys, checkedAt]
      assert.strictEqual(saved, execFileSync(process.execPath, words, { cwd: root, encoding: "utf8" }))
      const shown = yield* Effect.promise(() => page.getByRole("main").innerText())
      assert.include(shown, "Verified, with the limits below: no check failed.")
      assert.include(shown, "Each event names its number and the hash of the event before it")
      assert.include(shown, "Nothing here proves that the delivery is good.")
      assert.deepStrictEqual(yield* Effect.promise(() => axeViolations(page)), [])
      yield* screenshot(page, "verifier-verified")
    })
  )

  it.effect("A refused file is explained: the failed check, what was found, and what was not checked for it.", () =>
    Effect.gen(function* () {
      const { page } = yield* offlineVerifier(320)
      const name = caseNames().find(
        (one) => one.startsWith("signature/") && readCase(one).expected.verdict === "REFUSED"
      )!
      yield* Effect.promise(() => reportsIn(page, [encoded(name)]))
      const shown = yield* Effect.promise(() => page.getByRole("main").innerText())
      assert.match(shown, /Refused: .* failed\. Do not rely on anything in this file\./)
      assert.include(shown, "not checked")
      assert.match(yield* Effect.promise(() => page.getByRole("status").innerText()), /^Refused/)
      assert.deepStrictEqual(yield* Effect.promise(() => axeViolations(page)), [])
      const wide = yield* Effect.promise(() => page.locator("html").evaluate(({ scrollWidth }) => scrollWidth))
      assert.isAtMost(wide, 320, "the page scrolls sideways")
      yield* screenshot(page, "verifier-refused")
    })
  )

  it.effect("Without a file, the page names the field to fill and moves the focus there.", () =>
    Effect.gen(function* () {
      const { page } = yield* offlineVerifier()
      yield* Effect.promise(async () => {
        await tabTo(page, page.getByRole("button", { name: "Verify", exact: true }))
        await page.keyboard.press("Enter")
      })
      assert.strictEqual(
        yield* Effect.promise(() => page.getByRole("status").innerText()),
        "Choose the file to verify."
      )
      assert.strictEqual(yield* Effect.promise(() => page.locator(":focus").getAttribute("id")), "artifact")
    })
  )

  it.effect("Without script, the page has no form and explains the command line.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const { page } = yield* visit({ runsScript: false, colorScheme: "dark" })
      yield* Effect.promise(() => page.goto(`${url}/verify`))
      assert.isFalse(yield* Effect.promise(() => page.getByLabel("The file to verify").isVisible()))
      assert.include(yield* Effect.promise(() => page.getByRole("main").innerText()), "node verify-result.mjs")
      yield* Effect.promise(() => press(page, page.getByRole("link", { name: "Sign in" })))
    })
  )
})

layer(Layer.empty)("the texts of the checks", (it) => {
  it("Every check of the corpus has a sentence that says what it tests.", () => {
    const ids = new Set(caseNames().flatMap((name) => reportOf(readCase(name)).checks.map(({ id }) => id)))
    assert.isAbove(ids.size, 100)
    assert.deepStrictEqual(
      [...ids].filter((id) => textOfCheck(id) === undefined),
      []
    )
  })
})
