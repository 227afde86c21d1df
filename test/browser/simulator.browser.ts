/** The page of `simulate serve`, by keyboard alone: time is moved, a person acts, something goes wrong, one goes back. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Locator, Page } from "playwright-core"
import { Chromium, screenshot, visit, type VisitOptions } from "../support/browser.ts"
import { serveSimulator, SimulatedWorld } from "../support/simulated-world.ts"
import { tabTo } from "../support/visitor.ts"

const opening = path.resolve(import.meta.dirname, "../../docs/learning/simulate-an-agent.yaml")
const scenario = fs.readFileSync(opening, "utf8")
const hostile = `<img src=x onerror="document.title='taken over'"></script><script>document.title='taken over'</script>`

const opened = Effect.fnUntraced(function* (options: VisitOptions = {}) {
  const origin = yield* serveSimulator(opening, "--patience", "2")
  const world = yield* Effect.promise(() => SimulatedWorld.begun(origin, { scenario, play: true }))
  const visited = yield* visit(options)
  const asked: Array<string> = []
  yield* Effect.promise(async () => {
    visited.page.on("request", (request) => void (request.url().startsWith(origin) || asked.push(request.url())))
    await visited.page.goto(`${origin}/sim/#${world.id}`)
    await visited.page.locator("#events li").first().waitFor()
  })
  return { ...visited, asked, world, origin }
})

const press = async (page: Page, target: Locator) => {
  await tabTo(page, target)
  await page.keyboard.press("Enter")
}
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
const write = async (page: Page, label: string, text: string) => {
  const field = page.getByLabel(label, { exact: true })
  await tabTo(page, field)
  await page.keyboard.press("ControlOrMeta+a")
  await page.keyboard.type(text)
}
/** Waits until the page has said this. */
const said = (page: Page, text: string | RegExp) => page.getByRole("status").filter({ hasText: text }).waitFor()
const events = (page: Page) => page.locator("#events").innerText()
const now = (page: Page) => page.locator("#now").innerText()

layer(Chromium.layer, { excludeTestServices: true })("the page of the simulator", (it) => {
  it.effect("moves time, acts as a person and goes back, by keyboard", () =>
    Effect.gen(function* () {
      const { page, complaints, asked, world } = yield* opened()
      yield* Effect.promise(async () => {
        assert.strictEqual(await now(page), "2026-03-02T09:00:00.000Z")
        assert.include(await events(page), "createProject")
        await write(page, "Snapshot", "offered")
        await page.keyboard.press("Enter")
        await said(page, "Snapshot offered is taken.")
        await press(page, button(page, "+ 1h"))
        await said(page, "It is 2026-03-02T10:00:00.000Z")
        await write(page, "Until", "2026-03-03T12:00:00.000Z")
        await page.keyboard.press("Enter")
        await said(page, "It is 2026-03-03T12:00:00.000Z")
        assert.strictEqual(await now(page), "2026-03-03T12:00:00.000Z")

        for (const [does, on] of [
          ["signIn", ""],
          ["readOwnProject", "${project}"]
        ]) {
          await write(page, "Who", "sam")
          await write(page, "Does", does!)
          if (on !== "") await write(page, "On", on!)
          await press(page, button(page, "Do it"))
          await said(page, `${does} as sam: 200`)
        }
        await write(page, "Does", "respondAsPerson")
        await write(page, "Input", `{"action": "ACCEPT", "reason": "As offered."}`)
        await press(page, button(page, "Do it"))
        await said(page, "respondAsPerson as sam: 200 LOCKED")
        assert.include(await page.locator("#answer").innerText(), `"state": "LOCKED"`)
        assert.include(await events(page), "/respond")
      })
      yield* screenshot(page, "simulator")
      yield* Effect.promise(async () => {
        await press(page, button(page, "Fork from offered"))
        await said(page, "a world of its own")
        assert.notStrictEqual(await page.getByLabel("World", { exact: true }).inputValue(), world.id)
        assert.strictEqual(await now(page), "2026-03-02T09:00:00.000Z")
        assert.notInclude(await events(page), "respondAsPerson")
        await tabTo(page, page.getByLabel("World", { exact: true }))
        await page.keyboard.press("ArrowUp")
        await page.locator("#events").filter({ hasText: "respondAsPerson" }).waitFor()
        await press(page, button(page, "Rewind to offered"))
        await said(page, "This world is at offered again. It is 2026-03-02T09:00:00.000Z.")
        assert.notInclude(await events(page), "respondAsPerson")
        assert.notInclude(await world.text("trace"), "respondAsPerson")
      })
      assert.deepStrictEqual([asked, complaints], [[], []])
    })
  )

  it.effect("injects what goes wrong, and holds requests back", () =>
    Effect.gen(function* () {
      const { page, complaints, world } = yield* opened({ colorScheme: "dark" })
      yield* Effect.promise(async () => {
        await world.do({ as: "sam", do: "signIn" })
        await world.do({ as: "sam", do: "readOwnProject", on: "${project}" })
        await tabTo(page, page.getByLabel("Fault", { exact: true }))
        await page.keyboard.type("database 57014")
        await write(page, "Strikes", "sam")
        assert.deepStrictEqual(JSON.parse(await page.getByLabel("As a step").inputValue()), {
          inject: { of: "sam", database: "57014" }
        })
        await press(page, button(page, "Inject"))
        await said(page, "Inject: done")
        await page.locator("#events").filter({ hasText: "readOwnProject" }).waitFor()
        await write(page, "Who", "sam")
        await write(page, "Does", "respondAsPerson")
        await write(page, "On", "${project}")
        await write(page, "Input", `{"action": "ACCEPT", "reason": "As offered."}`)
        await press(page, button(page, "Do it"))
        await said(page, "503 TEMPORARILY_UNAVAILABLE")
        assert.include(await events(page), "fault")

        await write(page, "Requests of", "sam")
        await press(page, button(page, "Hold"))
        await said(page, "Requests of sam are held back")
        await press(page, button(page, "Do it"))
        await page.locator("#standing").filter({ hasText: "respondAsPerson of sam" }).waitFor()
        await press(page, button(page, "+ 1m"))
        await said(page, "TIME_STANDS_STILL")
        await press(page, button(page, "Release"))
        await page.locator("#standing").filter({ hasText: "nothing" }).waitFor()
        await page.locator("#events").filter({ hasText: "LOCKED" }).waitFor()
      })
      yield* screenshot(page, "simulator-dark")
      assert.deepStrictEqual(
        complaints.filter((text) => !text.includes("409")),
        []
      )
    })
  )

  it.effect("shows hostile texts as texts, says what is refused, and stays usable when narrow", () =>
    Effect.gen(function* () {
      const { page, complaints, asked, world } = yield* opened({ width: 400 })
      yield* Effect.promise(async () => {
        await write(page, "Who", "sam")
        await write(page, "Does", `\u202e${hostile}`)
        await press(page, button(page, "Do it"))
        await said(page, "‹U+202E›<img src=x onerror=")
        await write(page, "Input", "[1")
        await press(page, button(page, "Do it"))
        await said(page, "The input is no JSON object.")
        await world.do({ as: "sam", do: "signIn" })
        await world.do({ as: "sam", do: "pauseProject", on: "${project}", input: { reason: hostile } })
        await write(page, "Does", "readOwnProject")
        await write(page, "On", "${project}")
        await write(page, "Input", "{}")
        await press(page, button(page, "Do it"))
        await said(page, "readOwnProject as sam: 200")
        assert.include(await page.locator("#answer").innerText(), "<img src=x onerror=")
        assert.strictEqual(await page.title(), "Simulator")
        assert.strictEqual(await page.locator("main img, main script").count(), 0)
        await world.post("snapshots", { name: "b" })
      })
      yield* screenshot(page, "simulator-narrow")
      assert.deepStrictEqual(
        complaints.filter((text) => !text.includes("400")),
        []
      )
      assert.deepStrictEqual(asked, [])
    })
  )
})
