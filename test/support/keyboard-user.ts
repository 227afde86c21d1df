/** Acts of people on pages with the keyboard only, and the local directory for their sign-in. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect, Option } from "effect"
import type { Locator, Page } from "playwright-core"
import { directoryIn, setPassword } from "../../src/adapters/sign-in/directory.ts"

export const passwordOf = (name: string) => `${name}-of-the-directory`

/** A directory with these people. */
export const directoryOf = (...names: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "countersign-directory-"))),
      (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
    )
    for (const name of names) yield* Effect.orDie(setPassword(folder, name, Option.none(), passwordOf(name)))
    return directoryIn(folder)
  })

/** Presses Tab until this is focused. */
export const tabTo = async (page: Page, target: Locator): Promise<void> => {
  for (let steps = 0; steps < 120; steps++) {
    if (await target.evaluate((element) => element.matches(":focus"))) return
    await page.keyboard.press("Tab")
  }
  throw new Error(`Tab does not reach ${String(target)}`)
}

/** What a person did on a page: the values that they entered, and the links and buttons that they activated. */
export interface Effort {
  readonly values: number
  readonly presses: number
}

const efforts = new WeakMap<Page, Effort>()

export const effortOn = (page: Page): Effort => efforts.get(page) ?? { values: 0, presses: 0 }

const count = (page: Page, what: keyof Effort): void => {
  const before = effortOn(page)
  efforts.set(page, { ...before, [what]: before[what] + 1 })
}

export const type = async (page: Page, target: Locator, text: string): Promise<void> => {
  await tabTo(page, target)
  await page.keyboard.type(text)
  count(page, "values")
}

/** Enters a date such as `2026-12-06 04:30` in the parts of its control, in the order of an American browser. */
export const typeDate = async (page: Page, target: Locator, date: string): Promise<void> => {
  const [, year = "", month = "", day = "", hour = "", minute = ""] =
    /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d)$/.exec(date) ?? []
  await tabTo(page, target)
  await page.keyboard.type(`${month}${day}${year}`)
  await page.keyboard.press("ArrowRight")
  const hours = String(Number(hour) % 12 || 12).padStart(2, "0")
  await page.keyboard.type(`${hours}${minute}${Number(hour) < 12 ? "AM" : "PM"}`)
  const entered = await target.inputValue()
  if (entered !== date.replace(" ", "T")) throw new Error(`the control has ${entered} and not ${date}`)
  count(page, "values")
}

/** Selects the entry of a list by its first characters. */
export const pick = async (page: Page, list: Locator, letters: string): Promise<void> => {
  await tabTo(page, list)
  await page.keyboard.type(letters)
  count(page, "values")
}

export const tick = async (page: Page, target: Locator): Promise<void> => {
  await tabTo(page, target)
  await page.keyboard.press("Space")
  count(page, "values")
}

/** Chooses files in the dialog that the control opens: one press, and each file is one value. */
export const chooseFiles = async (page: Page, control: Locator, files: ReadonlyArray<string>): Promise<void> => {
  const open = async () => {
    await tabTo(page, control)
    await page.keyboard.press("Enter")
  }
  // The browser needs a moment until it gives its dialog to the test, so it is asked for before the first key.
  const [dialog] = await Promise.all([page.waitForEvent("filechooser"), open()])
  count(page, "presses")
  await dialog.setFiles([...files])
  for (const _ of files) count(page, "values")
}

/** Opens what is folded under this label. */
export const unfold = async (page: Page, label: string): Promise<void> => {
  await tabTo(page, page.locator("summary").filter({ hasText: label }))
  await page.keyboard.press("Enter")
}

/** Activates a button or a link, and waits for the page that it leads to. */
export const press = async (page: Page, target: Locator): Promise<void> => {
  await tabTo(page, target)
  await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")])
  count(page, "presses")
}

/** Chooses one radio button of its group: Tab enters the group, the arrow keys move inside it. */
export const choose = async (page: Page, target: Locator): Promise<void> => {
  const name = (await target.getAttribute("name")) ?? ""
  const focused = page.locator(`input[name="${name}"]:focus`)
  for (let steps = 0; steps < 120 && (await focused.count()) === 0; steps++) await page.keyboard.press("Tab")
  await page.keyboard.press("Space")
  count(page, "values")
  for (let steps = 0; steps < 20; steps++) {
    if (await target.evaluate((element) => element.matches(":checked"))) return
    await page.keyboard.press("ArrowDown")
  }
  throw new Error(`the arrow keys do not reach ${String(target)}`)
}

/** Signs in by the form of the directory, from any page that leads to it. */
export const signInBy = async (page: Page, name: string, password = passwordOf(name)): Promise<void> => {
  await type(page, page.getByLabel("Name"), name)
  await type(page, page.getByLabel("Password"), password)
  await press(page, page.getByRole("main").getByRole("button", { name: "Sign in" }))
}
