/** The page of a timeline: its data, its policy, and the rows of the list. */
import { createHash } from "node:crypto"
import * as vm from "node:vm"
import { assert, describe, it } from "vitest"
import { clientScript } from "../../../../simulator/reports/timeline/client-script.ts"
import { pageScript } from "../../../../simulator/serve/page/script.ts"
import { rowsOf, spanWords } from "../../../../simulator/reports/timeline/client/rows.js"
import { renderTimeline } from "../../../../simulator/reports/timeline/page.ts"
import { modelOf } from "../../../../simulator/view-model/timeline-model.ts"
import { longRun, runOf } from "../../../support/timeline-run.ts"

const at = "2026-01-05T09:00:00.000Z"

const elementsOf = (page: string, type: string): ReadonlyArray<string> =>
  [...page.matchAll(new RegExp(`<script type="${type}"[^>]*>([^<]*)</script>`, "g"))].map(([, text]) => text!)

describe("timeline page", () => {
  const run = longRun(30)
  const page = renderTimeline([run])

  it("The timeline page of a run is deterministic", () => assert.strictEqual(renderTimeline([longRun(30)]), page))

  it("The timeline page has every trace line unchanged, and escapes markup in texts", () => {
    const [lines] = elementsOf(page, "application/x-ndjson")
    assert.deepStrictEqual(
      lines!.split("\n").map((line) => JSON.parse(line) as unknown),
      [...run.lines]
    )
    assert.deepStrictEqual(JSON.parse(elementsOf(page, "application/json")[0]!), modelOf(run))
    for (const markup of [`<script>document`, "<img", "<!--<"]) assert.notInclude(page, markup)
    assert.include(page, "&#60;/script&#62;")
  })

  it("The timeline page loads no resource, and allows only its own script and style by digest", () => {
    const [, policy] = /Content-Security-Policy" content="([^"]+)"/.exec(page)!
    const digest = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`
    const [, script] = /<script>([^]*?)<\/script>/.exec(page)!
    const [, style] = /<style>([^]*?)<\/style>/.exec(page)!
    assert.deepStrictEqual(policy!.split("; "), [
      "default-src 'none'",
      `script-src ${digest(script!)}`,
      `style-src ${digest(style!)}`,
      "base-uri 'none'",
      "form-action 'none'"
    ])
    assert.notMatch(page, /<link|<iframe|\ssrc="|\sstyle="|\son[a-z]+="|url\(|@import/)
  })

  it.each([
    ["timelines", clientScript],
    ["the served page", pageScript]
  ])("The bundled script of %s parses, without imports and without two constants of one name", (_, script) => {
    assert.doesNotThrow(() => new vm.Script(script()))
  })

  it("The timeline page lists the verdicts of several runs without JavaScript", () => {
    const failed = {
      ...runOf({ kind: "verdict", verdict: "FAILED", steps: 3 }),
      verdict: "FAILED",
      say: "It goes wrong."
    }
    const both = renderTimeline([run, failed])
    const [front] = /<nav[^]*<\/nav>/.exec(both)!
    for (const words of [
      "2 runs, 1 passed",
      "1 event, 0 refusals, 0 faults, 1 failure",
      "A run",
      "FAILED",
      "It goes wrong.",
      "<noscript>"
    ])
      assert.include(front, words)
    assert.strictEqual(elementsOf(both, "application/json").length, 2)
  })
})

describe("rows of a timeline", () => {
  const events = [at, at, "2026-01-19T12:00:00.000Z", "2026-01-19T12:00:00.001Z", "2026-01-19T12:00:00.000Z"].map(
    (moment) => ({ at: moment })
  )

  it("The rows have a gap for each advance of virtual time between the filtered events", () => {
    assert.deepStrictEqual(
      rowsOf(events, () => true).map(({ event, gap }) => (gap === undefined ? event : spanWords(gap))),
      [0, 1, "14d 3h", 2, "1ms", 3, 4]
    )
    assert.deepStrictEqual(
      rowsOf(events, (event) => event !== 2).map(({ event, gap }) => (gap === undefined ? event : spanWords(gap))),
      [0, 1, "14d 3h 1ms", 3, 4]
    )
  })
})
