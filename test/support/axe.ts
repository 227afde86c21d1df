/** The accessibility rules of axe-core, run in a page as a browser shows it. */
import axe from "axe-core"
import type { Page } from "playwright-core"

/** Large text needs as much contrast as other text, which is more than the rule asks for. */
const options = {
  checks: { "color-contrast": { options: { contrastRatio: { large: { expected: 4.5 } } } } },
  resultTypes: ["violations"]
}

// The rules that hold would be most of the result, and their way from the page takes longer than checking them.
const script = `${axe.source};axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`

/** A violation names its rule, its element, and what to do. */
export const axeViolations = async (page: Page): Promise<ReadonlyArray<string>> => {
  const violations = (await page.evaluate(script)) as axe.AxeResults["violations"]
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`)
  )
}

/**
 * The same for a page whose browser runs no script, which axe itself needs: a window that runs some opens the page's
 * elements without its scripts.
 */
export const axeViolationsOfCopy = async (page: Page, scripted: Page): Promise<ReadonlyArray<string>> => {
  const html = (await page.content()).replaceAll(/<script.*?<\/script>/gs, "")
  await scripted.route(page.url(), (route) => route.fulfill({ contentType: "text/html; charset=utf-8", body: html }))
  await scripted.goto(page.url())
  const violations = await axeViolations(scripted)
  await scripted.unrouteAll()
  return violations
}
