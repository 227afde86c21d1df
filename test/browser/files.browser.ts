/** Files that a supplier delivers and a buyer reviews are hashed in their browsers, and never sent. */
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { axeViolations } from "../support/axe.ts"
import { Chromium, screenshot, servedSite, Site } from "../support/browser.ts"
import { folderWith } from "../support/folders.ts"
import { choose, press, tabTo, tick, type } from "../support/keyboard-user.ts"
import { confirmAgreement, creationInput, makeAgent, readProject } from "../support/parties.ts"
import { projectPage } from "../support/project-pages.ts"
import { runCommand } from "../support/run-command.ts"
import { send } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { visitAs } from "../support/signed-in-browser.ts"

const service = Layer.merge(servedSite(), Chromium.layer)

/** A file that takes no space on the disk. */
const sparseFile = (file: string, bytes: number): string => {
  fs.closeSync(fs.openSync(file, "w"))
  fs.truncateSync(file, bytes)
  return file
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** An agreement that both parties made, with a browser window of each. */
const agreed = (runsScript: boolean) =>
  Effect.gen(function* () {
    const { url } = yield* Site
    const dana = yield* signInNewPerson("Dana")
    const sam = yield* signInNewPerson("Sam")
    const { token } = yield* makeAgent(dana, "BUYER", ["CREATE_PROJECT"])
    const body = creationInput(sam, yield* confirmAgreement, yield* now)
    const made = yield* send("POST", "/api/agents/v1/projects", { token, body })
    const projectId = made.body.project.taskId as string
    const addressOf = (act: string) => `${url}${projectPage(projectId, act)}`
    const buyer = yield* visitAs(url, dana, { runsScript })
    const supplier = yield* visitAs(url, sam, { runsScript })
    yield* Effect.promise(() => answerTerms(supplier.page, addressOf("respond")))
    const delivered = Effect.map(readProject(token, projectId), (view) => view.project.submission.items[0].files)
    return { addressOf, delivered, buyer, supplier }
  })

const chooser = (page: Page) => page.getByLabel(/^Choose files that answer criterion 1/)
const lines = (page: Page) => page.getByLabel("Files for criterion 1")
const status = (page: Page) => page.locator("[data-part=status]").first()
const results = (page: Page) => page.locator("[data-part=results]").first()

/** Waits for the sentence after all files. */
const settled = (page: Page) => status(page).filter({ hasText: "Nothing was uploaded." }).waitFor()

const answerTerms = async (page: Page, address: string) => {
  await page.goto(address)
  await choose(page, page.getByRole("radio", { name: "Accept the terms" }))
  await type(page, page.getByLabel("Reason"), "As discussed.")
  await tick(page, page.getByRole("checkbox", { name: "I am entitled" }))
  await press(page, page.getByRole("button", { name: "Send the answer" }))
}

const deliver = async (page: Page) => {
  await type(page, page.getByLabel("Summary of the delivery"), "The logo.")
  await type(page, page.getByLabel("What answers criterion 1"), "An SVG.")
  await press(page, page.getByRole("main").getByRole("button", { name: "Deliver" }))
}

const logo = "<svg>the logo</svg>"

layer(service, { excludeTestServices: true })("files in the browser", (it) => {
  it.effect(
    "A supplier delivers chosen files and a buyer compares copies, without one byte of a file in a request.",
    () =>
      Effect.gen(function* () {
        const { addressOf, delivered, buyer, supplier } = yield* agreed(true)
        const folder = yield* folderWith({ "logo.svg": logo, "empty.txt": "", "print.pdf": "a PDF" })
        const sent: Array<string> = []
        for (const { page } of [supplier, buyer]) {
          page.on("request", (request) => void sent.push(`${request.url()} ${request.postData() ?? ""}`))
        }
        const { page } = supplier
        yield* Effect.promise(async () => {
          await page.goto(addressOf("submit"))
          const files = ["logo.svg", "empty.txt", "print.pdf"].map((name) => path.join(folder, name))
          await chooser(page).setInputFiles(files)
          await settled(page)
        })
        const place = yield* Effect.promise(() => page.getByLabel("Where the files that you choose").inputValue())
        assert.deepStrictEqual((yield* Effect.promise(() => lines(page).inputValue())).split("\n"), [
          `logo.svg | ${place} | ${logo.length} | ${sha256(logo)}`,
          `empty.txt | ${place} | 0 | ${sha256("")}`,
          `print.pdf | ${place} | 5 | ${sha256("a PDF")}`
        ])
        assert.include(yield* Effect.promise(() => results(page).innerText()), "empty.txt was added: an empty file")
        assert.deepStrictEqual(yield* Effect.promise(() => axeViolations(page)), [])
        yield* screenshot(page, "files-deliver")
        yield* Effect.promise(() => deliver(page))
        assert.deepStrictEqual((yield* delivered)[0], {
          name: "logo.svg",
          reference: place,
          size: logo.length,
          sha256: sha256(logo)
        })

        const copies = yield* folderWith({ "renamed.svg": logo, "print.pdf": "another PDF", "notes.txt": "mine" })
        yield* Effect.promise(async () => {
          await buyer.page.goto(addressOf("review"))
          const files = fs.readdirSync(copies).map((name) => path.join(copies, name))
          await buyer.page.getByLabel(/^Compare your copies/).setInputFiles(files)
          await settled(buyer.page)
        })
        const outcomes = buyer.page.locator("[data-outcome]")
        assert.deepStrictEqual(yield* Effect.promise(() => outcomes.allInnerTexts()), ["same bytes", "different"])
        const compared = yield* Effect.promise(() => results(buyer.page).innerText())
        assert.include(compared, "notes.txt is not in this delivery")
        assert.include(compared, "renamed.svg has the same bytes as a delivered file of another name.")
        assert.include(compared, `print.pdf is different: this file has 11 bytes and SHA-256 ${sha256("another PDF")}`)
        assert.include(
          yield* Effect.promise(() => status(buyer.page).innerText()),
          "Of 3 delivered files: 1 with the same bytes, 1 different, 1 not compared."
        )
        assert.strictEqual(yield* Effect.promise(() => buyer.page.locator("input:checked").count()), 0)
        assert.deepStrictEqual(yield* Effect.promise(() => axeViolations(buyer.page)), [])
        yield* screenshot(buyer.page, "files-review")
        yield* Effect.promise(async () => {
          await buyer.page.getByLabel(/^Compare your copies/).setInputFiles([path.join(folder, "print.pdf")])
          await settled(buyer.page)
        })
        assert.deepStrictEqual(yield* Effect.promise(() => outcomes.allInnerTexts()), ["same bytes", "same bytes"])
        yield* Effect.promise(() => accept(buyer.page))
        assert.include(
          yield* Effect.promise(() => buyer.page.getByRole("main").innerText()),
          "The buyer accepted what was delivered."
        )
        for (const content of [logo, "a PDF", "another PDF", "renamed.svg", "multipart"]) {
          assert.notInclude(sent.join("\n"), content)
        }
        assert.deepStrictEqual([...supplier.complaints, ...buyer.complaints], [])
      })
  )

  it.effect("Without script, the same file is delivered by the line that `countersign digest` gives.", () =>
    Effect.gen(function* () {
      const { addressOf, delivered, buyer, supplier } = yield* agreed(false)
      const folder = yield* folderWith({ "logo.svg": logo })
      const { page } = supplier
      const printed = yield* runCommand({}, "digest", path.join(folder, "logo.svg"), "--reference", "shared folder")
      const [file] = JSON.parse(printed.stdout)
      yield* Effect.promise(async () => {
        await page.goto(addressOf("submit"))
        await type(page, lines(page), `${file.name} | ${file.reference} | ${file.size} | ${file.sha256}`)
      })
      assert.isFalse(yield* Effect.promise(() => chooser(page).isVisible()))
      yield* Effect.promise(() => deliver(page))
      assert.deepStrictEqual(yield* delivered, [file])
      yield* Effect.promise(async () => {
        await buyer.page.goto(addressOf("review"))
        await accept(buyer.page)
      })
      assert.include(
        yield* Effect.promise(() => buyer.page.getByRole("main").innerText()),
        "The buyer accepted what was delivered."
      )
    })
  )

  it.effect("A file that cannot become a line is named with its reason, and the other files are added.", () =>
    Effect.gen(function* () {
      const { addressOf, supplier } = yield* agreed(true)
      const long = `${"n".repeat(limits.titleCharacters)}.txt`
      const folder = yield* folderWith({
        "a|b.txt": "1",
        [long]: "2",
        "plain.txt": "3",
        "first.bin": "",
        "gone.txt": "4"
      })
      const other = yield* folderWith({ "plain.txt": "another" })
      const { page } = supplier
      sparseFile(path.join(folder, "first.bin"), 100_000_000)
      yield* Effect.promise(async () => {
        await page.goto(addressOf("submit"))
        const files = ["first.bin", "a|b.txt", long, "plain.txt", "gone.txt"].map((name) => path.join(folder, name))
        await chooser(page).setInputFiles([...files, path.join(other, "plain.txt")])
        // The first file takes a while; the last one is deleted in that time.
        fs.rmSync(path.join(folder, "gone.txt"))
        await settled(page)
      })
      const shown = yield* Effect.promise(() => results(page).innerText())
      for (const expected of [
        "a|b.txt was not added: a name with a bar",
        `was not added: a name has at most ${limits.titleCharacters} characters, and this one ${long.length}.`,
        "gone.txt could not be read",
        "plain.txt was not added: a file with this name is listed"
      ]) {
        assert.include(shown, expected)
      }
      const added = yield* Effect.promise(() => lines(page).inputValue())
      assert.deepStrictEqual(
        added.split("\n").map((line) => line.split(" | ")[0]),
        ["first.bin", "plain.txt"]
      )
      const many = Array.from({ length: limits.filesHashedAtOnce + 1 }, (_, index) => ({
        name: `${index}`,
        mimeType: "text/plain",
        buffer: Buffer.from("x")
      }))
      yield* Effect.promise(() => chooser(page).setInputFiles(many))
      assert.include(
        yield* Effect.promise(() => status(page).innerText()),
        `At most ${limits.filesHashedAtOnce} files at once; these are ${limits.filesHashedAtOnce + 1}, and none was hashed.`
      )
      yield* Effect.promise(async () => {
        await chooser(page).setInputFiles(many.slice(0, limits.filesPerItem))
        await settled(page)
      })
      assert.include(
        yield* Effect.promise(() => results(page).innerText()),
        `was not added: at most ${limits.filesPerItem} files per criterion.`
      )
      assert.lengthOf((yield* Effect.promise(() => lines(page).inputValue())).split("\n"), limits.filesPerItem)
    })
  )

  it.effect(
    "Files are dropped on the page, a dropped folder is refused by name, and a drop elsewhere keeps the page.",
    () =>
      Effect.gen(function* () {
        const { addressOf, supplier } = yield* agreed(true)
        const folder = yield* folderWith({ "logo.svg": logo })
        fs.mkdirSync(path.join(folder, "originals"))
        const { page, context } = supplier
        const drop = async (x: number, y: number, ...names: ReadonlyArray<string>) => {
          const client = await context.newCDPSession(page)
          const data = { items: [], files: names.map((name) => path.join(folder, name)), dragOperationsMask: 1 }
          for (const type of ["dragEnter", "dragOver", "drop"] as const) {
            await client.send("Input.dispatchDragEvent", { type, x, y, data })
          }
        }
        yield* Effect.promise(async () => {
          await page.goto(addressOf("submit"))
          await chooser(page).scrollIntoViewIfNeeded()
          const { x, y } = (await page.locator(".file-picker").first().boundingBox())!
          await drop(x + 20, y + 5, "logo.svg", "originals")
          await settled(page)
        })
        const shown = yield* Effect.promise(() => results(page).innerText())
        assert.include(shown, "originals is a folder: choose the files in it.")
        assert.include(yield* Effect.promise(() => lines(page).inputValue()), sha256(logo))
        yield* Effect.promise(() => drop(5, 5, "logo.svg"))
        assert.strictEqual(page.url(), addressOf("submit"))
      })
  )

  it.effect(
    "A file of 2 GiB is hashed in constant memory with visible progress, and cancelled with the keyboard.",
    () =>
      Effect.gen(function* () {
        const browser = yield* Chromium
        const { addressOf, supplier } = yield* agreed(true)
        const folder = yield* folderWith({})
        const large = sparseFile(path.join(folder, "film.mov"), 2 * 1_073_741_824)
        const { page } = supplier
        const renderers = async () => {
          const client = await browser.newBrowserCDPSession()
          const { processInfo } = await client.send("SystemInfo.getProcessInfo")
          return processInfo.filter(({ type }) => type === "renderer").map(({ id }) => residentBytes(id))
        }
        const measured = yield* Effect.promise(async () => {
          await page.goto(addressOf("submit"))
          await chooser(page).setInputFiles([large])
          await page.getByRole("progressbar").waitFor()
          await tabTo(page, page.getByRole("button", { name: "Cancel" }))
          await page.keyboard.press("Enter")
          await settled(page)
          assert.include(await status(page).innerText(), "Cancelled. 0 files were added")
          assert.strictEqual(await lines(page).inputValue(), "")

          const before = Math.max(...(await renderers()))
          await chooser(page).setInputFiles([large])
          // By its part: the role is gone once the last byte is hashed, which can be between two of the reads below.
          const progress = page.locator("[data-part=progress]").first()
          const [values, memory] = [new Set<number>(), [before]]
          while (await progress.isVisible()) {
            values.add(await progress.evaluate((element) => Number(element.getAttribute("value"))))
            memory.push(...(await renderers()))
            await page.waitForTimeout(250)
          }
          await settled(page)
          return { values: [...values], growth: Math.max(...memory) - before }
        })
        const { values, growth } = measured
        assert.isAbove(values.filter((value) => value > 0 && value < 1).length, 3)
        assert.isAtMost(growth, 200_000_000)
        const line = yield* Effect.promise(() => lines(page).inputValue())
        assert.match(
          line,
          /^film\.mov \| .* \| 2147483648 \| a7c744c13cc101ed66c29f672f92455547889cc586ce6d44fe76ae824958ea51$/
        )
      }),
    240_000
  )
})

const accept = async (page: Page) => {
  const decisions = page.getByRole("group", { name: "Your decision on criterion 1" })
  await choose(page, decisions.getByRole("radio", { name: "Met", exact: true }))
  await choose(page, page.getByRole("radio", { name: "Accept the delivery" }))
  await type(page, page.getByLabel("Reason"), "Compared.")
  const boxes = page.getByRole("group", { name: /^The originals that you opened/ }).getByRole("checkbox")
  for (const box of await boxes.all()) await tick(page, box)
  await press(page, page.getByRole("main").getByRole("button", { name: "Send the decision" }))
}

const residentBytes = (processId: number): number =>
  Number(/VmRSS:\s*(\d+)/.exec(fs.readFileSync(`/proc/${processId}/status`, "utf8"))?.[1]) * 1_024
