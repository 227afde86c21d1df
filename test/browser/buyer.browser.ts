/** The buyer's agreement in browsers without script, with the keyboard alone: from its terms to its shared record. */
import { readFile } from "node:fs/promises"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Locator, Page } from "playwright-core"
import { RecordIssuance } from "../../src/projects/issuance.ts"
import { grantCredits } from "../../src/records/credits.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { addContact } from "../../src/people/contacts.ts"
import { Chromium, screenshot, servedSite, Site } from "../support/browser.ts"
import { offlineVerdict } from "../support/offline-verdict.ts"
import { sha } from "../support/parties.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { visitAs } from "../support/signed-in-browser.ts"
import { choose, effortOn, pick, press, tabTo, tick, type, typeDate } from "../support/keyboard-user.ts"

const service = Layer.merge(servedSite(), Chromium.layer)
const day = 86_400_000
const textOf = (page: Page) => Effect.promise(() => page.getByRole("main").innerText())

/** Dana is the buyer; Sam, the supplier, and Eve, the recipient of the record, are her contacts. Each has a window. */
const parties = Effect.gen(function* () {
  const { url } = yield* Site
  const dana = yield* signInNewPerson("Dana")
  const sam = yield* signInNewPerson("Sam")
  const eve = yield* signInNewPerson("Eve")
  const { organizationId } = dana
  yield* addContact(dana, { organizationId, reference: "S7", name: "Sam", personId: sam.personId })
  yield* addContact(dana, { organizationId, reference: "E1", name: "Eve", personId: eve.personId })
  const today = yield* now
  return {
    url,
    dana,
    dates: [7, 14].map((days) => dateText(addMilliseconds(today, days * day))),
    buyer: yield* visitAs(url, dana),
    supplier: yield* visitAs(url, sam),
    recipient: yield* visitAs(url, eve)
  }
})

const dateText = (instant: string): string => instant.slice(0, 16).replace("T", " ")

const button = (page: Page, name: string) => page.getByRole("main").getByRole("button", { name })
const link = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name })

const next = (page: Page) => press(page, button(page, "Save and continue"))

/** Fills in the steps, up to the preview. */
const drawUp = async (page: Page, [deadline = "", reviewDeadline = ""]: ReadonlyArray<string>) => {
  await type(page, page.getByLabel("Name of the supplier"), "Sam Studio")
  await type(page, page.getByLabel("How you refer to the supplier"), "Offer 7")
  await choose(page, page.getByRole("radio", { name: "One of the contacts" }))
  await pick(page, page.getByRole("combobox", { name: "Contact" }), "Sam")
  await next(page)
  await type(page, page.getByLabel("Title", { exact: true }), "Logo")
  await type(page, page.getByLabel("Scope"), "One logo, in colour.")
  await type(page, page.getByLabel("State at the start"), "None yet.")
  await type(page, page.getByLabel("Title of criterion 1"), "Vector files")
  await type(page, page.getByLabel("What criterion 1 requires"), "An SVG.")
  await press(page, button(page, "Add a criterion"))
  await type(page, page.getByLabel("Title of criterion 2"), "Print")
  await type(page, page.getByLabel("What criterion 2 requires"), "A PDF.")
  await next(page)
  await typeDate(page, page.getByLabel("Delivered until"), deadline)
  await typeDate(page, page.getByLabel("Reviewed until"), reviewDeadline)
  await next(page)
  await type(page, page.getByLabel("Purpose"), "A record for the bank.")
  await type(page, page.getByLabel("What is shared with whom"), "The record, with the bank.")
  await type(page, page.getByLabel("Recipients of the record"), "The bank")
  await type(page, page.getByLabel("Who keeps the originals"), "Sam")
  await type(page, page.getByLabel("Where they are"), "Folder 7")
  await type(page, page.getByLabel("Who may open them"), "Both sides")
  await next(page)
}

const answerTerms = async (page: Page, url: string) => {
  await page.goto(`${url}/workspace/projects`)
  await press(page, link(page, "Logo"))
  await press(page, link(page, "Answer the terms"))
  await choose(page, page.getByRole("radio", { name: "Accept the terms" }))
  await type(page, page.getByLabel("Reason"), "Agreed.")
  await tick(page, page.getByRole("checkbox", { name: "I am entitled" }))
  await press(page, button(page, "Send the answer"))
}

const deliver = async (page: Page) => {
  await press(page, link(page, "Deliver"))
  await type(page, page.getByLabel("Summary of the delivery"), "The logo.")
  await type(page, page.getByLabel("What answers criterion 1"), "An SVG of four layers.")
  await type(page, page.getByLabel("Files for criterion 1"), `logo.svg | folder/logo.svg | 41 | ${sha}`)
  await type(page, page.getByLabel("What answers criterion 2"), "A PDF of one page.")
  await press(page, button(page, "Deliver"))
}

const accept = async (page: Page) => {
  await page.reload()
  await press(page, link(page, "Review the delivery"))
  for (const criterion of [1, 2]) {
    const decisions = page.getByRole("group", { name: `Your decision on criterion ${criterion}` })
    await choose(page, decisions.getByRole("radio", { name: "Met", exact: true }))
  }
  await choose(page, page.getByRole("radio", { name: "Accept the delivery" }))
  await type(page, page.getByLabel("Reason"), "Looked at both.")
  await tick(page, page.getByRole("checkbox", { name: "logo.svg" }))
  await press(page, page.getByRole("main").getByRole("button"))
}

/** Downloads the file of a link: its name and its bytes. */
const take = async (page: Page, target: Locator) => {
  await tabTo(page, target)
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")])
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

layer(service, { excludeTestServices: true })("a buyer's browser", (it) => {
  it.effect(
    "A buyer makes an agreement, accepts a delivery, downloads the package, and shares the record.",
    () =>
      Effect.gen(function* () {
        const { url, dana, dates, buyer, supplier, recipient } = yield* parties
        const { page } = buyer
        yield* Effect.promise(async () => {
          await page.goto(`${url}/workspace/projects`)
          await press(page, link(page, "Make an agreement"))
        })
        yield* screenshot(page, "buyer-form")
        yield* Effect.promise(() => drawUp(page, dates))
        const shown = yield* textOf(page)
        for (const expected of ["One logo, in colour.", "A PDF.", "The bank", "It is sent, not a private draft."]) {
          assert.include(shown, expected)
        }
        yield* screenshot(page, "buyer-preview")
        // "Make an agreement", four steps and one more criterion; "Make this agreement" is still to come.
        assert.deepStrictEqual(effortOn(page), { values: 19, presses: 6 })
        yield* Effect.promise(async () => {
          await press(page, link(page, "Work and criteria"))
          await page.getByLabel("Title of criterion 2").focus()
          await page.keyboard.press("End")
          await page.keyboard.type(" files")
          // Enter in a field saves the step and adds no row.
          await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")])
        })
        assert.include(yield* textOf(page), "Delivered until")
        // The draft is continued later, from the list of drafts.
        yield* Effect.promise(async () => {
          await page.goto(`${url}/workspace/drafts`)
          await press(page, link(page, "Logo"))
          await press(page, link(page, "Continue"))
        })
        assert.include(yield* textOf(page), "Print files")
        yield* Effect.promise(() => press(page, button(page, "Make this agreement")))
        assert.include(yield* textOf(page), "The supplier has not answered the terms yet.")
        const projectId = new URL(page.url()).pathname.split("/").at(-1)!
        yield* Effect.promise(() => answerTerms(supplier.page, url))
        assert.deepStrictEqual(effortOn(supplier.page), { values: 3, presses: 3 })
        yield* Effect.promise(() => deliver(supplier.page))
        yield* Effect.promise(() => accept(page))
        assert.include(yield* textOf(page), "The buyer accepted what was delivered.")
        assert.include(yield* textOf(page), "The buyer’s organization has no credit left.")

        yield* Effect.promise(async () => {
          await press(page, link(page, "Issue the record"))
          await type(page, page.getByLabel("Reason"), "The bank asks for it.")
          await press(page, button(page, "Issue the record"))
        })
        assert.include(yield* textOf(page), "waits for a credit")
        yield* screenshot(page, "buyer-waits")
        yield* Effect.promise(async () => {
          await press(page, link(page, "See the credits").first())
          await tabTo(page, page.locator("main summary"))
          await page.keyboard.press("Enter")
        })
        const funding = yield* textOf(page)
        assert.include(funding, "0 credits")
        assert.include(funding, `countersign admin grant-credits --organization ${dana.organizationId}`)
        yield* screenshot(page, "buyer-funding")
        // The operator grants a credit, and the worker issues the record.
        yield* grantCredits({ organizationId: dana.organizationId, credits: 1, reference: "order 1" })
        yield* Effect.flatMap(RecordIssuance, (records) => records.issue(projectId))
        yield* Effect.promise(() => page.reload())
        assert.include(yield* textOf(page), "order 1")

        for (const each of [page, supplier.page]) {
          yield* Effect.promise(() => each.goto(`${url}/workspace/projects/${projectId}`))
          const file = yield* Effect.promise(() => take(each, link(each, "Download the signed package")))
          assert.strictEqual(file.name, `result-package-${projectId}.jws`)
          assert.strictEqual(yield* offlineVerdict(file.bytes), "VERIFIED_WITH_LIMITATIONS")
        }
        yield* screenshot(page, "buyer-package")

        yield* Effect.promise(async () => {
          await press(page, link(page, "Share the record"))
          await choose(page, page.getByRole("radio", { name: "The bank" }))
          await pick(page, page.getByRole("combobox"), "Eve")
          await press(page, button(page, "Share the record"))
        })
        assert.include(yield* textOf(page), "never")
        yield* screenshot(page, "buyer-shares")

        const theirs = recipient.page
        yield* Effect.promise(async () => {
          await theirs.goto(`${url}/workspace/shared-records`)
          await press(theirs, link(theirs, "Read what"))
        })
        assert.include(yield* textOf(theirs), "It is not open yet.")
        yield* Effect.promise(() => press(theirs, button(theirs, "Open the record")))
        assert.include(yield* textOf(theirs), "The acceptance is valid as the record states.")
        const record = yield* Effect.promise(() => theirs.getByLabel("The record as it was issued").inputValue())
        assert.match(record, /^[\w-]+\.[\w-]+\.[\w-]+$/)
        yield* screenshot(theirs, "buyer-record-opened")

        yield* Effect.promise(() => page.reload())
        assert.match(yield* textOf(page), /accepted/)
        yield* Effect.promise(() => press(page, button(page, "Revoke")))
        assert.include(yield* textOf(page), "Revoked")
        yield* Effect.promise(() => theirs.goto(`${url}/workspace/shared-records`))
        assert.include(yield* textOf(theirs), "No record is shared with you now.")
        for (const { complaints } of [buyer, supplier, recipient]) assert.deepStrictEqual(complaints, [])
      }),
    240_000
  )

  it.effect(
    "A buyer revises terms after a request for changes and reads the pages on a narrow screen.",
    () =>
      Effect.gen(function* () {
        const { url, dana, dates, buyer, supplier } = yield* parties
        const { page } = buyer
        yield* Effect.promise(async () => {
          await page.goto(`${url}/workspace/projects/new`)
          await next(page)
        })
        assert.include(yield* textOf(page), "The supplier’s name is needed.")
        yield* screenshot(page, "buyer-form-problems")
        yield* Effect.promise(async () => {
          await page.goto(`${url}/workspace/projects/new`)
          await drawUp(page, dates)
          await press(page, button(page, "Make this agreement"))
          await supplier.page.goto(page.url())
          await press(supplier.page, link(supplier.page, "Answer the terms"))
          await choose(supplier.page, supplier.page.getByRole("radio", { name: "Ask for other terms" }))
          await type(supplier.page, supplier.page.getByLabel("Reason"), "Without the PDF.")
          await tick(supplier.page, supplier.page.getByRole("checkbox", { name: "I am entitled" }))
          await press(supplier.page, button(supplier.page, "Send the answer"))
          await page.reload()
          await press(page, link(page, "Revise the terms"))
        })
        assert.include(yield* textOf(page), "They are replaced at once by the new ones")
        yield* screenshot(page, "buyer-revise")
        const paths = [
          "/workspace/projects/new",
          new URL(page.url()).pathname,
          "/workspace/funding",
          "/workspace/shared-records"
        ]
        yield* Effect.promise(async () => {
          await type(page, page.getByLabel("Reason for the revision"), "Without the PDF.")
          for (const label of ["Title of criterion 2", "What criterion 2 requires"]) {
            await tabTo(page, page.getByLabel(label))
            await page.keyboard.press("Control+A")
            await page.keyboard.press("Delete")
          }
          await press(page, button(page, "Continue to the preview"))
          await press(page, button(page, "Replace the terms"))
        })
        const revised = yield* textOf(page)
        assert.include(revised, "Version before")
        assert.notInclude(revised, "A PDF.")
        const narrow = yield* visitAs(url, dana, { width: 360, colorScheme: "dark" })
        for (const path of paths) {
          yield* Effect.promise(() => narrow.page.goto(`${url}${path}`))
          const beyond = yield* Effect.promise(() =>
            narrow.page
              .locator("body")
              .evaluate((body) => body.ownerDocument.documentElement.scrollWidth - body.clientWidth)
          )
          assert.strictEqual(beyond, 0, path)
        }
        yield* screenshot(narrow.page, "buyer-narrow")
      }),
    240_000
  )
})
