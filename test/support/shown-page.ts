/** A page as a browser shows it: saved as a picture, accessible, and not wider than its window. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { accessibilityFaults } from "./accessibility-rules.ts"
import { screenshot } from "./browser.ts"

export const assertShown = Effect.fnUntraced(function* (page: Page, name: string) {
  yield* screenshot(page, name)
  assert.deepStrictEqual(accessibilityFaults(yield* Effect.promise(() => page.content())), [], name)
  const overflow = yield* Effect.promise(() =>
    page.locator("body").evaluate((body) => body.ownerDocument.documentElement.scrollWidth - body.clientWidth)
  )
  assert.strictEqual(overflow, 0, name)
})
