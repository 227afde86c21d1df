/** Pages of one walk through the workspace: each is saved as a picture, fits its window, and breaks no rule of axe. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { axeViolations, axeViolationsOfCopy } from "./axe.ts"
import { visit } from "./browser.ts"
import { assertShown } from "./shown-page.ts"

/** Checks the page that a window shows, and saves it as the next numbered picture of the folder. */
export type Look = (page: Page, name: string) => Effect.Effect<void>

export const looksIn = Effect.fnUntraced(function* (folder: string, { width, runsScript, colorScheme }: WindowOptions) {
  const scripted = runsScript ? undefined : (yield* visit({ width, colorScheme })).page
  let number = 0
  const look: Look = Effect.fnUntraced(function* (page, name) {
    number++
    const picture = `${folder}/${String(number).padStart(2, "0")}-${name}`
    yield* assertShown(page, picture)
    const violations = scripted === undefined ? axeViolations(page) : axeViolationsOfCopy(page, scripted)
    assert.deepStrictEqual(yield* Effect.promise(() => violations), [], picture)
  })
  return look
})

export interface WindowOptions {
  readonly width: number
  readonly runsScript: boolean
  readonly colorScheme: "light" | "dark"
}
