/** The page of `simulate serve`, by keyboard alone: time, commands of people, faults and going back. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Locator, Page } from "playwright-core"
import { instantText } from "../../simulator/view-model/instant-text.js"
import type { SessionEvent } from "../../simulator/view-model/session-events.ts"
import { toneText } from "../../simulator/view-model/tone-text.js"
import { Chromium, screenshot, visit, type VisitOptions } from "../support/browser.ts"
import { serveSimulator, SimulatedWorld } from "../support/simulator-process.ts"
import { tabTo } from "../support/keyboard-user.ts"

const opening = path.resolve(import.meta.dirname, "../../docs/learning/simulate-an-agent.yaml")
const scenario = fs.readFileSync(opening, "utf8")
const hostile = `<img src=x onerror="document.title='taken over'"></script><script>document.title='taken over'</script>`

const openSimulator = Effect.fnUntraced(function* (options: VisitOptions = {}) {
  const origin = yield* serveSimulator(opening, "--program-timeout", "2")
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
/** Waits until the page shows this text. */
const waitForText = (page: Page, text: string | RegExp) => page.getByRole("status").filter({ hasText: text }).waitFor()
const events = (page: Page) => page.locator("#events").innerText()
/** The text of each event in the list, with its mark. */
const shownEvents = (page: Page) => page.locator("#events li").allTextContents()
/** The same from the events of the world; the page shows the last 300. */
const eventsOf = async (world: SimulatedWorld): Promise<ReadonlyArray<string>> => {
  const { events } = JSON.parse(await world.text("events")) as { readonly events: ReadonlyArray<SessionEvent> }
  return events.slice(-300).map((event) => {
    const mark = toneText(event) === "" ? "" : ` ${toneText(event)}`
    return `${instantText(event.at)}${event.actor ?? ""}${event.text}${mark}`
  })
}
const now = (page: Page) => page.locator("#now").innerText()

layer(Chromium.layer, { excludeTestServices: true })("the simulator's page", (it) => {
  it.effect("The simulator's page advances time, acts as a person and goes back, with the keyboard alone.", () =>
    Effect.gen(function* () {
      const { page, complaints, asked, world } = yield* openSimulator()
      yield* Effect.promise(async () => {
        assert.strictEqual(await now(page), "2026-03-02T09:00:00.000Z")
        assert.include(await events(page), "createProject")
        assert.deepStrictEqual(await shownEvents(page), await eventsOf(world))
        assert.match(await page.locator("#session").innerText(), /, seed \d+, now 2026-03-02 09:00:00, UNDER WAY$/)
        await write(page, "Snapshot", "offered")
        await page.keyboard.press("Enter")
        await waitForText(page, "Snapshot offered taken.")
        await press(page, button(page, "+ 1h"))
        await waitForText(page, "Now: 2026-03-02T10:00:00.000Z")
        await write(page, "Until", "2026-03-03T12:00:00.000Z")
        await page.keyboard.press("Enter")
        await waitForText(page, "Now: 2026-03-03T12:00:00.000Z")
        assert.strictEqual(await now(page), "2026-03-03T12:00:00.000Z")

        for (const [does, on] of [
          ["signIn", ""],
          ["readOwnProject", "${project}"]
        ]) {
          await write(page, "Actor", "sam")
          await write(page, "Operation", does!)
          if (on !== "") await write(page, "Target", on!)
          await press(page, button(page, "Send"))
          await waitForText(page, `${does} as sam: 200`)
        }
        await write(page, "Operation", "respondAsPerson")
        await write(page, "Input", `{"action": "ACCEPT", "reason": "As offered."}`)
        await press(page, button(page, "Send"))
        await waitForText(page, "respondAsPerson as sam: 200 LOCKED")
        assert.include(await page.locator("#answer").innerText(), `"state": "LOCKED"`)
        assert.include(await events(page), "/respond")
      })
      yield* screenshot(page, "simulator")
      yield* Effect.promise(async () => {
        await press(page, button(page, "Fork from offered"))
        await waitForText(page, "Forked to")
        assert.notStrictEqual(await page.getByLabel("World", { exact: true }).inputValue(), world.id)
        assert.strictEqual(await now(page), "2026-03-02T09:00:00.000Z")
        assert.notInclude(await events(page), "respondAsPerson")
        await tabTo(page, page.getByLabel("World", { exact: true }))
        await page.keyboard.press("ArrowUp")
        await page.locator("#events").filter({ hasText: "respondAsPerson" }).waitFor()
        await press(page, button(page, "Rewind to offered"))
        await waitForText(page, "Rewound to offered. Now: 2026-03-02T09:00:00.000Z.")
        assert.notInclude(await events(page), "respondAsPerson")
        assert.notInclude(await world.text("trace"), "respondAsPerson")
      })
      assert.deepStrictEqual([asked, complaints], [[], []])
    })
  )

  it.effect("The simulator's page injects faults and holds requests.", () =>
    Effect.gen(function* () {
      const { page, complaints, world } = yield* openSimulator({ colorScheme: "dark" })
      yield* Effect.promise(async () => {
        await world.do({ as: "sam", do: "signIn" })
        await world.do({ as: "sam", do: "readOwnProject", on: "${project}" })
        await tabTo(page, page.getByLabel("Fault", { exact: true }))
        await page.keyboard.type("database 57014")
        await write(page, "Applies to", "sam")
        assert.deepStrictEqual(JSON.parse(await page.getByLabel("As a step").inputValue()), {
          inject: { of: "sam", database: "57014" }
        })
        await press(page, button(page, "Inject"))
        await waitForText(page, "Inject: done")
        await page.locator("#events").filter({ hasText: "readOwnProject" }).waitFor()
        await write(page, "Actor", "sam")
        await write(page, "Operation", "respondAsPerson")
        await write(page, "Target", "${project}")
        await write(page, "Input", `{"action": "ACCEPT", "reason": "As offered."}`)
        await press(page, button(page, "Send"))
        await waitForText(page, "503 TEMPORARILY_UNAVAILABLE")
        assert.include(await events(page), "fault")
        assert.deepStrictEqual(await shownEvents(page), await eventsOf(world))

        await write(page, "Requests of", "sam")
        await press(page, button(page, "Hold"))
        await waitForText(page, "Requests of sam are held.")
        await press(page, button(page, "Send"))
        await page.locator("#standing").filter({ hasText: "respondAsPerson of sam" }).waitFor()
        await press(page, button(page, "+ 1m"))
        await waitForText(page, "TIME_STANDS_STILL")
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

  it.effect("The simulator's page shows hostile texts as text and reports refusals on a narrow screen.", () =>
    Effect.gen(function* () {
      const { page, complaints, asked, world } = yield* openSimulator({ width: 400 })
      yield* Effect.promise(async () => {
        await write(page, "Actor", "sam")
        await write(page, "Operation", `\u202e${hostile}`)
        await press(page, button(page, "Send"))
        await waitForText(page, "‹U+202E›<img src=x onerror=")
        await write(page, "Input", "[1")
        await press(page, button(page, "Send"))
        await waitForText(page, "The input is not a JSON object.")
        await world.do({ as: "sam", do: "signIn" })
        await world.do({ as: "sam", do: "pauseProject", on: "${project}", input: { reason: hostile } })
        await write(page, "Operation", "readOwnProject")
        await write(page, "Target", "${project}")
        await write(page, "Input", "{}")
        await press(page, button(page, "Send"))
        await waitForText(page, "readOwnProject as sam: 200")
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
