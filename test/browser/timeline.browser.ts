/** A timeline of ten thousand events, opened from a file without a network and navigated with the keyboard alone. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { renderTimeline } from "../../simulator/reports/timeline/page.ts"
import type { TimelineRun } from "../../simulator/view-model/timeline-run.ts"
import { Chromium, screenshot, type VisitOptions } from "../support/browser.ts"
import { longRun } from "../support/timeline-run.ts"
import { tabTo } from "../support/keyboard-user.ts"
import { openOffline } from "../support/offline-page.ts"

/** The maximum number of rows in the document, for a run of any length. */
const elementsMax = 1500

/** Opens the page of these runs in a window without a network. */
const openTimeline = (runs: ReadonlyArray<TimelineRun>, options: VisitOptions = {}) =>
  openOffline(renderTimeline(runs), options)

const keys = async (page: Page, ...pressed: ReadonlyArray<string>) => {
  for (const key of pressed) await page.keyboard.press(key)
}
const filterBy = async (page: Page, text: string) => {
  await keys(page, "/")
  await page.keyboard.type(text)
  await keys(page, "Enter")
}
const chosen = (page: Page) => page.getByRole("option", { selected: true })
const details = (page: Page) => page.locator("#details")
const statusText = (page: Page) => page.locator("#said").innerText()
const positionText = async (page: Page) => Number(/^\d+/.exec(await statusText(page))?.[0])
const focusedId = (page: Page) => page.evaluate(`document.activeElement.id`).then(String)
const laneWidth = async (page: Page) => (await page.locator(".lane").first().boundingBox())!.width
const countElements = (page: Page) => page.evaluate(`document.querySelectorAll("*").length`).then(Number)

/** The number of address changes while a key is held. */
const addressChangesWhilePressing = (page: Page, key: string, times: number) =>
  page
    .evaluate(
      `(() => {
        const [note, presses] = [history.replaceState.bind(history), ${times}]
        let noted = 0
        history.replaceState = (...address) => { noted++; note(...address) }
        for (let press = 0; press < presses; press++) {
          document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "${key}", bubbles: true }))
        }
        history.replaceState = note
        return noted
      })()`
    )
    .then(Number)

/** Scrolling draws in the next frame, which may come after the table is shown. */
const drawAfterScrolling = (page: Page) =>
  page.evaluate(
    `new Promise((resolve) => {
      document.querySelector("#scroller").dispatchEvent(new Event("scroll"))
      requestAnimationFrame(() => requestAnimationFrame(resolve))
    })`
  )

layer(Chromium.layer, { excludeTestServices: true })("a timeline of ten thousand events", (it) => {
  it.effect("A timeline of ten thousand events is navigated by event, lane and fault, a few rows at a time.", () =>
    Effect.gen(function* () {
      const { page, complaints, asked } = yield* openTimeline([longRun(1050)])
      yield* Effect.promise(async () => {
        assert.strictEqual(await focusedId(page), "rows")
        assert.isBelow(await countElements(page), elementsMax)
        await keys(page, "ArrowDown", "j", "ArrowUp", "k", "j")
        assert.match(await statusText(page), /^2 of 10503, dana, 2026-01-05 09:00:00, given dana person$/)
        assert.strictEqual(await page.locator("#step-say").innerText(), "")
        await keys(page, "End")
        assert.match(await page.locator("#step-say").innerText(), /^Dana begins\./)
        assert.match(await statusText(page), /^10503 of 10503, .*as expected$/)
        const { y, height } = (await chosen(page).boundingBox())!
        assert.isAtMost(y + height, 801)
        await keys(page, "PageUp", "PageUp", "PageDown")
        assert.isBelow(await positionText(page), 10503 - 10)
        assert.isBelow(await countElements(page), elementsMax)
        await keys(page, "Home", "n")
        assert.match(await statusText(page), /hooks to worker, .*replies 503, fault$/)
        const fault = await positionText(page)
        await keys(page, "n", "p")
        assert.strictEqual(await positionText(page), fault)
        await keys(page, "ArrowLeft")
        assert.match(await statusText(page), / of 10503, worker, /)
        await keys(page, "ArrowRight")
        assert.match(await statusText(page), / of 10503, hooks to worker, /)
        await keys(page, "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft")
        assert.match(await statusText(page), /^2 of 10503, dana, /, "a lane whose only event is far above")
        assert.isBelow(await addressChangesWhilePressing(page, "j", 300), 10, "browsers refuse more than a few hundred")
        assert.strictEqual(await positionText(page), 302)
      })
      yield* screenshot(page, "timeline")
      assert.deepStrictEqual([asked, complaints], [[], []])
    })
  )

  it.effect("An event of a timeline shows its request, response and state difference, and leads back.", () =>
    Effect.gen(function* () {
      const { page, complaints, asked } = yield* openTimeline([longRun(1050)])
      yield* Effect.promise(async () => {
        const width = await laneWidth(page)
        await filterBy(page, `"request-515"`)
        assert.strictEqual(await page.getByRole("status").innerText(), "1 of 10503 events")
        await keys(page, "Enter")
        assert.strictEqual(await focusedId(page), "details-title")
        assert.isBelow(await laneWidth(page), width, "the lanes make room for the details")
        const text = await details(page).innerText()
        for (const words of [
          "POST /api/agents/v1/projects/delivery_1/submit",
          `"requestId": "request-515"`,
          `"state": "ROUND_515"`,
          "Agents paused",
          "<img src=x",
          "‹U+202E›"
        ]) {
          assert.include(text, words)
        }
        const changed = details(page).getByRole("row", { name: "eventCount" })
        assert.deepStrictEqual(await changed.getByRole("cell").allInnerTexts(), ["515", "516"])
        assert.strictEqual(await details(page).getByRole("row", { name: "title" }).count(), 0)
      })
      yield* screenshot(page, "timeline-details")
      yield* Effect.promise(async () => {
        await keys(page, "Tab", "Enter")
        assert.match(await page.locator("#details-title").innerText(), /^commit update projects$/)
        assert.strictEqual(await focusedId(page), "details-title")
        assert.strictEqual(await page.getByLabel("Filter").inputValue(), "", "what the filter hid is shown again")
        await keys(page, "n")
        assert.match(await page.locator("#details-title").innerText(), /^replies|^409/)
        await keys(page, "Escape")
        assert.strictEqual(await focusedId(page), "rows")
        assert.isTrue(await details(page).isHidden())
        await filterBy(page, "no such thing <")
        assert.strictEqual(await page.getByRole("option").count(), 0)
        await keys(page, "Enter", "n", "End", "Escape")
        assert.strictEqual(await page.getByLabel("Filter").inputValue(), "")
        assert.isAbove(await page.getByRole("option").count(), 10)
      })
      assert.deepStrictEqual([asked, complaints], [[], []])
    })
  )

  it.effect("A timeline is also a table, lists its keys, and shows every text as text.", () =>
    Effect.gen(function* () {
      const { page, complaints, asked } = yield* openTimeline([longRun(1050)], { colorScheme: "dark" })
      const focusedRow = page.getByRole("row").filter({ has: page.locator(":focus") })
      yield* Effect.promise(async () => {
        await keys(page, "End", "p", "t")
        await drawAfterScrolling(page)
        assert.include(await focusedRow.innerText(), "STALE_EVENT_HEAD")
        assert.include(await focusedRow.innerText(), "refused")
        assert.isBelow(await countElements(page), elementsMax)
        await page.getByRole("button", { name: "Previous page" }).focus()
        await keys(page, "Enter")
        assert.match(await page.locator("#table-pages").innerText(), /page 174 of 176/)
        assert.strictEqual(await focusedRow.count(), 1)
      })
      yield* Effect.promise(async () => {
        await keys(page, "Home", "j", "j", "j")
        assert.include(await focusedRow.innerText(), "step 1 scout submit")
        assert.include(await focusedRow.innerText(), "Dana begins.")
        await keys(page, "Enter")
        assert.include(await details(page).innerText(), "Narration")
        await keys(page, "Escape")
        assert.include(await focusedRow.innerText(), "step 1 scout submit")
        await keys(page, "?")
        const help = page.getByRole("dialog", { name: "Legend and keys" })
        assert.include(await help.innerText(), "next fault, refusal or failure")
        assert.include(await help.innerText(), "a commit: rows of the store changed")
      })
      yield* screenshot(page, "timeline-table-and-keys")
      yield* Effect.promise(async () => {
        await keys(page, "Escape", "t")
        assert.strictEqual(await page.getByRole("dialog").count(), 0)
        assert.strictEqual(await focusedId(page), "rows")
        await filterBy(page, "eclipse moon: </SCRIPT>")
        assert.strictEqual(await page.getByRole("status").innerText(), "1050 of 10503 events")
        await keys(page, "Enter")
        assert.include(await details(page).innerText(), `"kind": "eclipse"`)
        assert.match(await page.title(), /^A long run/)
        assert.strictEqual(await page.locator("img, main script, nav script").count(), 0)
      })
      assert.deepStrictEqual([asked, complaints], [[], []])
    })
  )
})

layer(Chromium.layer, { excludeTestServices: true })("pages of several runs", (it) => {
  const huge = "x".repeat(2_000_000)
  const failed: TimelineRun = {
    title: "It goes wrong",
    say: "Something is too long.",
    file: "scenarios/98-wrong.yaml",
    seed: 98,
    verdict: "FAILED",
    lines: [
      {
        at: "2026-01-05T09:00:00.000Z",
        kind: "request",
        actor: "scout",
        method: "GET",
        path: "/api/agents/v1/me",
        body: huge,
        lost: false
      },
      {
        at: "2026-01-05T09:00:00.000Z",
        kind: "expectation",
        step: 1,
        differences: [{ path: "status", expected: 200, actual: 401 }]
      }
    ]
  }

  it.effect("A page of several runs shows one run at each address, and a huge body in parts.", () =>
    Effect.gen(function* () {
      const { page, complaints, asked, url } = yield* openTimeline([longRun(20), failed], { width: 400 })
      yield* Effect.promise(async () => {
        await tabTo(page, page.getByRole("link", { name: "It goes wrong" }))
        await keys(page, "Enter")
        await page.getByRole("heading", { level: 1, name: "It goes wrong" }).waitFor()
        assert.strictEqual(await focusedId(page), "details-title", "a failed run opens at its failure")
        assert.include(await details(page).getByRole("row", { name: "status" }).innerText(), "401")
        await keys(page, "Escape", "Home", "Enter")
        const body = page.getByLabel("body")
        assert.isBelow((await body.innerText()).length, 15_000)
        await tabTo(page, body.getByRole("button"))
        await keys(page, "Enter", "Enter")
        assert.match(await body.getByRole("button").innerText(), /^Show more \(1,9\d\d,\d\d\d characters left\)$/)
        await keys(page, "n")
        assert.include(await details(page).getByRole("row", { name: "status" }).innerText(), "401")
      })
      yield* screenshot(page, "timeline-narrow")
      yield* Effect.promise(async () => {
        await page.waitForURL(`${url}#run-2-event-2`)
        await keys(page, "Escape", "Escape")
        assert.isTrue(await page.getByRole("navigation", { name: "Runs" }).isVisible())
        assert.isTrue(
          await page.getByRole("link", { name: "It goes wrong" }).evaluate((link) => link.matches(":focus"))
        )
        await page.goto(`${url}#run-1-event-7`)
        assert.match(await statusText(page), /^7 of 203, /)
        await page.evaluate(`dispatchEvent(new Event("beforeprint"))`)
        assert.strictEqual(await page.locator("#table-rows tr").count(), 203, "the whole run is printed, as a table")
        await page.evaluate(`dispatchEvent(new Event("afterprint"))`)
        assert.isTrue(await page.locator("#table").isHidden())
      })
      assert.deepStrictEqual([asked, complaints], [[], []])
    })
  )

  it.effect("The description of a run scrolls by keyboard.", () =>
    Effect.gen(function* () {
      const run: TimelineRun = { ...longRun(20), say: "A long description. ".repeat(100) }
      const { page, complaints } = yield* openTimeline([run], { width: 320 })
      yield* Effect.promise(async () => {
        const description = page.getByRole("group", { name: "Description" })
        await tabTo(page, description)
        const scrolled = () => description.evaluate((element) => element.scrollTop)
        for (let presses = 0; presses < 50 && (await scrolled()) === 0; presses++) await keys(page, "ArrowDown")
        assert.isAbove(await scrolled(), 0)
        assert.match(await statusText(page), /^1 of /, "the selected event stays")
      })
      assert.deepStrictEqual(complaints, [])
    })
  )

  it.effect("A page of runs shows a run without data, and a page without runs.", () =>
    Effect.gen(function* () {
      const { page, complaints } = yield* openTimeline([{ ...failed, lines: [] }])
      yield* Effect.promise(async () => {
        await keys(page, "j", "End", "n", "ArrowRight", "Enter", "t", "j", "Enter", "t", "Escape")
        assert.strictEqual(await page.getByRole("heading", { level: 1 }).innerText(), "It goes wrong")
        assert.isTrue(await details(page).isHidden())
      })
      const none = yield* openTimeline([])
      assert.include(yield* Effect.promise(() => none.page.locator("body").innerText()), "0 runs, 0 passed")
      assert.deepStrictEqual([complaints, none.complaints], [[], []])
    })
  )

  it.effect("Without script, a page of runs states the outcome of each.", () =>
    Effect.gen(function* () {
      const { page, asked } = yield* openTimeline([longRun(20), failed], { runsScript: false })
      const text = yield* Effect.promise(() => page.locator("body").innerText())
      for (const words of [
        "A long run",
        "PASSED",
        "It goes wrong",
        "FAILED",
        "Something is too long.",
        "require JavaScript"
      ]) {
        assert.include(text, words)
      }
      yield* screenshot(page, "timeline-without-script")
      assert.deepStrictEqual(asked, [])
    })
  )
})
