/** What a buyer and a supplier do on pages, with the keyboard alone, from a new agreement to the downloaded record. */
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import * as path from "node:path"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Locator, Page } from "playwright-core"
import { chooseFiles, choose, press, tabTo, tick, type, typeDate, unfold } from "./keyboard-user.ts"
import type { Look } from "./page-looks.ts"

/** A window of a person. */
export interface PersonWindow {
  readonly page: Page
  readonly runsScript: boolean
  readonly look: Look
}

const link = (page: Page, name: string): Locator => page.getByRole("main").getByRole("link", { name })
const button = (page: Page, name: string): Locator => page.getByRole("main").getByRole("button", { name })

/** Opens the start page. */
const goHome = (page: Page): Promise<void> => press(page, page.getByRole("link", { name: "Countersign" }))

/** The sentence on what the last form did, which has the focus. */
const acknowledgementOn = (page: Page): Promise<string> => page.locator(".notice:focus").innerText()

/** Reads the person id on the start page, to give it to a buyer. */
export const personIdOn = async (page: Page): Promise<string> => {
  await unfold(page, "Who you are")
  return await page.locator("main code.secret").innerText()
}

/** The page of the project titled `Logo` that waits for this person. */
const openWaiting = async (page: Page): Promise<void> => {
  await goHome(page)
  await press(page, link(page, "Logo"))
}

interface AgreementFacts {
  readonly supplierId: string
  readonly deadline: string
  readonly reviewDeadline: string
}

/** From the start page of a new person to the agreement. */
export const makeAgreement = Effect.fnUntraced(function* (
  { page, look }: PersonWindow,
  { supplierId, deadline, reviewDeadline }: AgreementFacts
) {
  const next = () => press(page, button(page, "Save and continue"))
  yield* Effect.promise(() => press(page, link(page, "Make an agreement")))
  yield* look(page, "agreement-parties")
  yield* Effect.promise(async () => {
    await type(page, page.getByLabel("Name of the supplier"), "Sam Studio")
    await type(page, page.getByLabel("How you refer to the supplier"), "Offer 7")
    await choose(page, page.getByRole("radio", { name: "Another person" }))
    await type(page, page.getByLabel("Person id of the supplier"), supplierId)
    await next()
  })
  yield* look(page, "agreement-work")
  yield* Effect.promise(async () => {
    await type(page, page.getByLabel("Title", { exact: true }), "Logo")
    await type(page, page.getByLabel("Scope"), "One logo, in colour.")
    await type(page, page.getByLabel("State at the start"), "None yet.")
    await type(page, page.getByLabel("Title of criterion 1"), "Vector files")
    await type(page, page.getByLabel("What criterion 1 requires"), "An SVG, and a PDF of it.")
    await next()
  })
  yield* look(page, "agreement-dates")
  yield* Effect.promise(async () => {
    await typeDate(page, page.getByLabel("Delivered until"), deadline)
    await typeDate(page, page.getByLabel("Reviewed until"), reviewDeadline)
    await next()
  })
  yield* look(page, "agreement-terms")
  yield* Effect.promise(async () => {
    await type(page, page.getByLabel("Purpose"), "A record for the bank.")
    await type(page, page.getByLabel("What is shared with whom"), "The record, with the bank.")
    await type(page, page.getByLabel("Who keeps the originals"), "Sam")
    await type(page, page.getByLabel("Where they are"), "Folder 7")
    await type(page, page.getByLabel("Who may open them"), "Both sides")
    await next()
  })
  yield* look(page, "agreement-preview")
  yield* Effect.promise(() => press(page, button(page, "Make this agreement")))
  assert.include(yield* Effect.promise(() => acknowledgementOn(page)), "You made this agreement.")
  yield* look(page, "agreement-made")
})

/** From the start page to the accepted terms. */
export const acceptTerms = Effect.fnUntraced(function* ({ page, look }: PersonWindow) {
  yield* Effect.promise(() => openWaiting(page))
  yield* look(page, "terms-offered")
  yield* Effect.promise(() => press(page, link(page, "Answer the terms")))
  yield* look(page, "terms-answer")
  yield* Effect.promise(async () => {
    await choose(page, page.getByRole("radio", { name: "Accept the terms" }))
    await type(page, page.getByLabel("Reason"), "As discussed.")
    await tick(page, page.getByRole("checkbox", { name: "I am entitled" }))
    await press(page, button(page, "Send the answer"))
  })
  assert.include(yield* Effect.promise(() => acknowledgementOn(page)), "You accepted the terms.")
  yield* look(page, "terms-accepted")
})

/** From the project's page to the delivery of these files. */
export const deliverFiles = Effect.fnUntraced(function* (
  { page, runsScript, look }: PersonWindow,
  files: ReadonlyArray<string>
) {
  yield* Effect.promise(() => press(page, link(page, "Deliver")))
  yield* look(page, "delivery")
  yield* Effect.promise(async () => {
    await type(page, page.getByLabel("Summary of the delivery"), "The logo.")
    await type(page, page.getByLabel("What answers criterion 1"), "The SVG, and the PDF.")
    const lines = (await Promise.all(files.map(fileLine))).join("\n")
    const field = page.getByLabel("Files for criterion 1")
    if (runsScript) await pickFiles(page, "Choose files that answer criterion 1", files)
    else await type(page, field, lines)
    assert.strictEqual(await field.inputValue(), lines)
  })
  yield* look(page, "delivery-filled-in")
  yield* Effect.promise(() => press(page, button(page, "Deliver")))
  assert.include(yield* Effect.promise(() => acknowledgementOn(page)), "You delivered.")
  yield* look(page, "delivered")
})

/** The line by which a person without script names a file. */
const fileLine = async (file: string): Promise<string> => {
  const bytes = await readFile(file)
  return `${path.basename(file)} | Folder 7 | ${bytes.length} | ${createHash("sha256").update(bytes).digest("hex")}`
}

/** From the start page to the acceptance, with copies of the delivered files. */
export const acceptDelivery = Effect.fnUntraced(function* (
  { page, runsScript, look }: PersonWindow,
  copies: ReadonlyArray<string>
) {
  yield* Effect.promise(() => openWaiting(page))
  yield* look(page, "delivery-to-review")
  yield* Effect.promise(() => press(page, link(page, "Review the delivery")))
  yield* look(page, "review")
  yield* Effect.promise(async () => {
    if (runsScript) {
      await pickFiles(page, "Compare your copies", copies)
      const outcomes = page.locator("[data-outcome]")
      assert.deepStrictEqual(await outcomes.allInnerTexts(), ["same bytes", "same bytes"])
      for (const outcome of await outcomes.all()) {
        const { x, width } = (await outcome.boundingBox())!
        assert.isAtMost(x + width, page.viewportSize()!.width, "the outcome is in view")
      }
    }
    const decisions = page.getByRole("group", { name: "Your decision on criterion 1" })
    await choose(page, decisions.getByRole("radio", { name: "Met", exact: true }))
    await choose(page, page.getByRole("radio", { name: "Accept the delivery" }))
    await type(page, page.getByLabel("Reason"), "Opened both.")
    for (const copy of copies) await tick(page, page.getByRole("checkbox", { name: path.basename(copy) }))
  })
  yield* look(page, "review-filled-in")
  yield* Effect.promise(() => press(page, button(page, "Send the decision")))
  assert.include(yield* Effect.promise(() => acknowledgementOn(page)), "You accepted the delivery.")
  yield* look(page, "accepted")
})

/** Chooses files and waits until the page has their digests. */
const pickFiles = async (page: Page, label: string, files: ReadonlyArray<string>): Promise<void> => {
  await chooseFiles(page, page.getByLabel(label), files)
  await page.locator("[data-part=status]").filter({ hasText: "Nothing was uploaded." }).waitFor()
}

/** From the accepted project's page to the request of its record. */
export const requestRecord = Effect.fnUntraced(function* ({ page, look }: PersonWindow) {
  yield* Effect.promise(() => press(page, link(page, "Issue the record")))
  yield* look(page, "record-request")
  yield* Effect.promise(async () => {
    await type(page, page.getByLabel("Reason"), "The bank asks for it.")
    await press(page, button(page, "Issue the record"))
  })
  assert.include(yield* Effect.promise(() => acknowledgementOn(page)), "You requested the record.")
  yield* look(page, "record-requested")
})

/** Opens the project from the list of projects, and saves its signed package. */
export const downloadRecord = Effect.fnUntraced(function* ({ page, look }: PersonWindow) {
  yield* Effect.promise(async () => {
    await goHome(page)
    await unfold(page, "Work")
  })
  yield* look(page, "menu")
  yield* Effect.promise(() => press(page, page.getByRole("navigation").getByRole("link", { name: "Projects" })))
  yield* look(page, "projects")
  yield* Effect.promise(() => press(page, link(page, "Logo")))
  yield* look(page, "record-issued")
  return yield* Effect.promise(async () => {
    await tabTo(page, link(page, "Download the signed package"))
    const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")])
    return await readFile(await file.path())
  })
})
