/** The accessibility rules of axe-core, run in a page as a browser shows it. */
import axe from "axe-core"
import type { Page } from "playwright-core"

/** A violation names its rule, its element, and what to do. */
export const axeViolations = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate("axe.run()")) as axe.AxeResults
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`)
  )
}
