/** The page of a project on a phone: pause and the next action come first, and no text of others breaks the layout. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { axeViolations } from "../support/axe.ts"
import { Chromium, servedSite, Site } from "../support/browser.ts"
import { press, tabTo, type, unfold } from "../support/keyboard-user.ts"
import { pauseAs } from "../support/people.ts"
import {
  commandAsPerson,
  decisionOf,
  materialsOf,
  readProjectAsPerson,
  runToDelivered,
  runToLocked,
  type Pair
} from "../support/person-commands.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { assertShown } from "../support/shown-page.ts"
import { visitAs } from "../support/signed-in-browser.ts"
import { createdBody, RequestOrigin } from "../support/workspace.ts"

const service = Layer.merge(servedSite(), Chromium.layer)

/** Acts of people on the served site. */
const onSite = <A, E, R>(act: (url: string) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Site, ({ url }) => Effect.provideService(act(url), RequestOrigin, url))

const pair = Effect.gen(function* () {
  return { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") } satisfies Pair
})

const runAs = Effect.fnUntraced(function* (
  by: Pair["buyer"],
  projectId: string,
  operation: "submit" | "review",
  bodyOf: (view: any) => object
) {
  createdBody(yield* commandAsPerson(by, projectId, operation, bodyOf(yield* readProjectAsPerson(by, projectId))))
})

const top = (page: Page, selector: string) =>
  Effect.promise(() =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => element.getBoundingClientRect().top)
  )
const heightOf = (page: Page) => Effect.promise(() => page.locator("html").evaluate((element) => element.scrollHeight))

const longWord = "w".repeat(2_000)
const rightToLeft = "\u05d0\u05d1\u05d2 (\u0627\u0628\u062a) ".repeat(20)
const stacked = `z${"\u0301\u0302\u0303\u0304".repeat(20)}algo`.repeat(5)

layer(service, { excludeTestServices: true })("a project at a glance", (it) => {
  it.effect(
    "On a phone, Pause and the next action are on the first screen, after two corrections as on the first day.",
    () =>
      onSite((url) =>
        Effect.gen(function* () {
          const both = yield* pair
          const projectId = yield* runToDelivered(both)
          const { page, complaints } = yield* visitAs(url, both.buyer, { width: 390 })
          for (const _ of [0, 1, 2]) {
            yield* Effect.promise(() => page.goto(`${url}/workspace/projects/${projectId}`))
            assert.isBelow(yield* top(page, "details.act > summary"), 450)
            assert.isBelow(yield* top(page, "main a.button"), 800)
            assert.isBelow(yield* heightOf(page), 3_500)
            yield* runAs(both.buyer, projectId, "review", (view) => decisionOf(view, "REQUEST_CHANGES"))
            yield* runAs(both.supplier, projectId, "submit", materialsOf)
          }
          yield* assertShown(page, "project-glance-phone")
          assert.deepStrictEqual(complaints, [])
        })
      )
  )

  it.effect(
    "The first Tab after the skip link reaches Pause, and the person returns to the page with the agents paused.",
    () =>
      onSite((url) =>
        Effect.gen(function* () {
          const both = yield* pair
          const projectId = yield* runToLocked(both)
          const { page } = yield* visitAs(url, both.buyer)
          yield* Effect.promise(async () => {
            await page.goto(`${url}/workspace/projects/${projectId}`)
            await tabTo(page, page.getByRole("link", { name: "Skip to the content" }))
            await page.keyboard.press("Enter")
            await page.keyboard.press("Tab")
          })
          const focused = yield* Effect.promise(() => page.locator(":focus").innerText())
          assert.strictEqual(focused, "Pause agents")
          yield* Effect.promise(async () => {
            await unfold(page, "Pause agents")
            await press(page, page.getByRole("button", { name: "Pause agents" }))
          })
          // The form is open again at its problem, which the summary links to.
          assert.isTrue(yield* Effect.promise(() => page.getByLabel("Reason").isVisible()))
          yield* Effect.promise(async () => {
            await type(page, page.getByLabel("Reason"), "I look first.")
            await press(page, page.getByRole("button", { name: "Pause agents" }))
          })
          assert.include(
            yield* Effect.promise(() => page.getByRole("main").innerText()),
            "Paused for the buyer by Dana"
          )
        })
      )
  )

  it.effect(
    "Words of 2,000 characters, right-to-left text and stacked diacritics fit a page of 320 pixels, opened and folded, light and dark.",
    () =>
      onSite((url) =>
        Effect.gen(function* () {
          const both = yield* pair
          const projectId = yield* runToLocked(both, {
            title: stacked.slice(0, 200),
            scope: `${longWord} ${rightToLeft} ${stacked}`,
            baselineStatement: longWord
          })
          yield* runAs(both.supplier, projectId, "submit", (view) =>
            materialsOf(view, { summary: `${longWord} ${rightToLeft} ${stacked}` })
          )
          yield* runAs(both.buyer, projectId, "review", (view) =>
            decisionOf(view, "REQUEST_CHANGES", { reason: longWord, nextAction: rightToLeft })
          )
          yield* pauseAs({ personId: both.buyer.personId, projectId, reason: longWord })
          for (const [colorScheme, paths] of [
            ["light", ["", "/history", "/events/3"]],
            ["dark", [""]]
          ] as const) {
            // The rules of axe run as a script, which the page itself does not need.
            const { page, complaints } = yield* visitAs(url, both.supplier, {
              width: 320,
              colorScheme,
              runsScript: true
            })
            for (const path of paths) {
              yield* Effect.promise(() => page.goto(`${url}/workspace/projects/${projectId}${path}`))
              const name = `project-hostile-${colorScheme}${path.replaceAll("/", "-")}`
              yield* assertShown(page, name)
              yield* Effect.promise(() =>
                page.locator("details").evaluateAll((all) => all.forEach((one) => one.setAttribute("open", "")))
              )
              yield* assertShown(page, `${name}-open`)
              assert.deepStrictEqual(complaints, [])
              assert.deepStrictEqual(yield* Effect.promise(() => axeViolations(page)), [], path)
            }
          }
        })
      )
  )
})
