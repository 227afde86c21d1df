/** The scorecard of an examination, opened from a file without a network and used with the keyboard alone. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import type { LessonReport } from "../../simulator/examination/reports/lesson-report.ts"
import { scorecard } from "../../simulator/examination/reports/scorecard.ts"
import { axeViolations } from "../support/axe.ts"
import { Chromium, screenshot, type VisitOptions } from "../support/browser.ts"
import { tabTo } from "../support/keyboard-user.ts"
import { hostileLesson, reportOf } from "../support/lesson-reports.ts"
import { openOffline } from "../support/offline-page.ts"
import { hostileText, longRun } from "../support/timeline-run.ts"

const each = (["PASS", "FAIL", "UNKNOWN", "ERROR"] as const).map((verdict) => reportOf(verdict))

const openScorecard = (lessons: ReadonlyArray<LessonReport>, options: VisitOptions = {}, rounds = 20) =>
  openOffline(
    scorecard(
      lessons.map((report) => ({
        report,
        output: `Traceback: ${hostileText} ${"x".repeat(300)}`,
        timeline: () => ({ ...longRun(rounds), title: report.title, verdict: report.verdict })
      }))
    ),
    options
  )

const rowOf = (page: Page, name: string) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) })
const timelineLink = (page: Page, name: string) => page.getByRole("link", { name: `Timeline of ${name}`, exact: true })
const overflow = (page: Page) =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth").then(Number)

layer(Chromium.layer, { excludeTestServices: true })("the scorecard of an examination", (it) => {
  it.effect("A scorecard leads from a lesson to its timeline and back, with the keyboard alone.", () =>
    Effect.gen(function* () {
      const { page, complaints, asked, url } = yield* openScorecard(each)
      yield* Effect.promise(async () => {
        assert.strictEqual(
          await page.getByRole("heading", { level: 1 }).innerText(),
          "Examination: 1 of 4 lessons passed"
        )
        assert.deepStrictEqual(await page.getByRole("columnheader").allInnerTexts(), [
          "Verdict",
          "Lesson",
          "Rule",
          "Result"
        ])
        const row = await rowOf(page, "lesson-fail").innerText()
        for (const words of ["FAIL", "Section 7 rule 4", "Broken: never: a second", "Not reached:", "Hint: Save"]) {
          assert.include(row, words)
        }
        await tabTo(page, timelineLink(page, "lesson-fail"))
        await page.keyboard.press("Enter")
        await page.getByRole("heading", { level: 1, name: "A lesson that ends with FAIL" }).waitFor()
        assert.isTrue(await page.getByRole("table", { name: "Lessons" }).isHidden())
        assert.isAbove(await page.getByRole("option").count(), 10)
        await page.keyboard.press("Escape")
        assert.isTrue(await timelineLink(page, "lesson-fail").evaluate((link) => link.matches(":focus")))
        await page.goto(`${url}#run-1-event-7`)
        assert.strictEqual(await page.locator("#run-verdict.passed").innerText(), "PASS")
      })
      assert.deepStrictEqual([asked, complaints], [[], []])
    })
  )

  it.effect("A scorecard of one lesson is shown before its timeline.", () =>
    Effect.gen(function* () {
      const { page, complaints } = yield* openScorecard([reportOf("PASS")])
      yield* Effect.promise(async () => {
        await page.getByRole("table", { name: "Lessons" }).waitFor()
        await tabTo(page, timelineLink(page, "lesson-pass"))
        await page.keyboard.press("Enter")
        await page.getByRole("heading", { level: 1, name: "A lesson that ends with PASS" }).waitFor()
        await page.getByRole("button", { name: "All runs" }).click()
        await page.getByRole("table", { name: "Lessons" }).waitFor()
      })
      assert.deepStrictEqual(complaints, [])
    })
  )

  it.effect("A scorecard shows every text as text.", () =>
    Effect.gen(function* () {
      const { page, complaints, asked } = yield* openScorecard([...each, hostileLesson(hostileText)])
      yield* Effect.promise(async () => {
        assert.strictEqual(await page.title(), "Examination: 1 of 5 lessons passed")
        assert.strictEqual(await page.locator("img, main script").count(), 0)
        assert.include(await page.locator("main#runs").innerText(), `<img src=x onerror="document.title='owned'">`)
      })
      assert.deepStrictEqual([asked, complaints], [[], []])
    })
  )

  for (const colorScheme of ["light", "dark"] as const) {
    it.effect(`A scorecard has no horizontal scrolling at 320 pixels, and stays a table (${colorScheme}).`, () =>
      Effect.gen(function* () {
        const long = hostileLesson("a-name-without-any-space-".repeat(20))
        const { page, complaints } = yield* openScorecard([...each, long], { width: 320, colorScheme })
        assert.isAtMost(yield* Effect.promise(() => overflow(page)), 0)
        const table = page.getByRole("table", { name: "Lessons" })
        assert.strictEqual(yield* Effect.promise(() => table.getByRole("row").count()), 6)
        assert.strictEqual(yield* Effect.promise(() => table.getByRole("columnheader").count()), 4)
        yield* screenshot(page, `scorecard-narrow-${colorScheme}`)
        yield* Effect.promise(() => page.setViewportSize({ width: 1280, height: 800 }))
        assert.isAtMost(yield* Effect.promise(() => overflow(page)), 0)
        yield* screenshot(page, `scorecard-${colorScheme}`)
        assert.deepStrictEqual(complaints, [])
      })
    )
  }

  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [320, 1280]) {
      it.effect(`axe finds nothing in a scorecard and its timeline at ${width} pixels (${colorScheme}).`, () =>
        Effect.gen(function* () {
          const lessons = [...each, hostileLesson(hostileText)]
          const { page, complaints } = yield* openScorecard(lessons, { width, colorScheme }, 51)
          yield* Effect.promise(async () => {
            assert.deepStrictEqual(await axeViolations(page), [], "the scorecard")
            await timelineLink(page, "lesson-fail").press("Enter")
            await page.getByRole("option").first().waitFor()
            await page.keyboard.press("End")
            await page.getByRole("option", { name: "409" }).waitFor()
            assert.deepStrictEqual(await axeViolations(page), [], "the timeline")
            await page.keyboard.press("Enter")
            await page.getByRole("region").waitFor()
            assert.deepStrictEqual(await axeViolations(page), [], "the details of an event")
            for (const keys of ["Escape", "t"]) await page.keyboard.press(keys)
            await page.getByRole("table", { name: "Events in order" }).waitFor()
            assert.deepStrictEqual(await axeViolations(page), [], "the timeline as a table")
            await page.keyboard.press("?")
            await page.getByRole("dialog", { name: "Legend and keys" }).waitFor()
            assert.deepStrictEqual(await axeViolations(page), [], "the help")
          })
          assert.deepStrictEqual(complaints, [])
        })
      )
    }
  }

  it.effect("A scorecard of forty lessons opens each timeline.", () =>
    Effect.gen(function* () {
      const lessons = [...Array(40).keys()].map((index) => reportOf("PASS", { name: `lesson-${index + 1}` }))
      const { page, complaints } = yield* openScorecard(lessons)
      yield* Effect.promise(async () => {
        await tabTo(page, timelineLink(page, "lesson-40"))
        await page.keyboard.press("Enter")
        await page.getByRole("option").first().waitFor()
      })
      assert.deepStrictEqual(complaints, [])
    })
  )

  it.effect("Without script, a scorecard states the result of each lesson.", () =>
    Effect.gen(function* () {
      const { page, asked } = yield* openScorecard(each, { runsScript: false })
      const text = yield* Effect.promise(() => page.locator("body").innerText())
      for (const words of ["1 of 4 lessons passed", "Hint: Save the bytes", "require JavaScript"]) {
        assert.include(text, words)
      }
      assert.deepStrictEqual(asked, [])
    })
  )
})
