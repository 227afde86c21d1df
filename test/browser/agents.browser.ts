/** A person creates, renews and revokes an agent's token in a browser without script, with the keyboard alone. */
import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { actionLabels, guardedConsents } from "../../src/workspace/kit/labels.ts"
import { makeUnnamedProject } from "../support/person-requests.ts"
import { makeAgent } from "../support/parties.ts"
import { Chromium, screenshot, servedSite, Site } from "../support/browser.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { visitAs } from "../support/signed-in-browser.ts"
import { choose, press, tabTo, tick, type } from "../support/keyboard-user.ts"

const service = Layer.merge(servedSite(), Chromium.layer)
const hostileName = `"><img src=x onerror="document.title='owned'"><script>document.title="owned"</script>\u202egnitsurt`

const me = (url: string, token: string) =>
  Effect.promise(() =>
    fetch(`${url}/api/agents/v1/me`, { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status)
  )

const secretOn = (page: Page) => Effect.promise(() => page.locator("code.secret").innerText())
const textOf = (page: Page) => Effect.promise(() => page.getByRole("main").innerText())

const typeOver = async (page: Page, label: string, text: string): Promise<void> => {
  await tabTo(page, page.getByLabel(label))
  await page.keyboard.press("Control+A")
  await page.keyboard.type(text)
}

layer(service, { excludeTestServices: true })("agents' tokens", (it) => {
  it.effect("An agent's token is created, renewed and revoked with the keyboard alone.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const dana = yield* signInNewPerson("Dana")
      yield* makeUnnamedProject(dana)
      const { page, complaints } = yield* visitAs(url, dana)
      yield* Effect.promise(async () => {
        await page.goto(`${url}/workspace/agents`)
        await press(page, page.getByRole("link", { name: "Create a token manually" }))
      })
      yield* screenshot(page, "agents-new-first-step")
      yield* Effect.promise(() => press(page, page.getByRole("link", { name: "Buyer for Dana" })))
      assert.strictEqual(yield* Effect.promise(() => page.locator("input:checked").count()), 0)
      yield* Effect.promise(() => press(page, page.getByRole("button", { name: "Create and show the token" })))
      assert.include(
        yield* Effect.promise(() => page.getByRole("alert").innerText()),
        "Choose one: what the agent may do."
      )
      yield* screenshot(page, "agents-new-problems")
      yield* Effect.promise(async () => {
        await type(page, page.getByLabel("Name of the agent"), "Scout")
        await tick(page, page.getByRole("checkbox", { name: "Logo" }))
        await choose(page, page.getByRole("radio", { name: "Single actions" }))
        await tick(page, page.getByRole("checkbox", { name: actionLabels.CREATE_PROJECT }))
        await tick(page, page.getByRole("checkbox", { name: guardedConsents.ISSUE_RESULT_RECORD }))
        await press(page, page.getByRole("button", { name: "Create and show the token" }))
      })
      const first = yield* secretOn(page)
      assert.match(first, /^dda_/)
      assert.notInclude(page.url(), first)
      yield* screenshot(page, "agents-token")
      assert.strictEqual(yield* me(url, first), 200)

      yield* Effect.promise(() => press(page, page.getByRole("link", { name: "Go to the agent" })))
      const detail = page.url()
      const pageText = yield* textOf(page)
      for (const text of ["Scout", "Logo", actionLabels.CREATE_PROJECT, actionLabels.ISSUE_RESULT_RECORD, "active"]) {
        assert.include(pageText, text)
      }
      assert.notInclude(pageText, first)
      yield* screenshot(page, "agents-detail")
      yield* Effect.promise(async () => {
        await typeOver(page, "For how many days from now?", "3")
        await press(page, page.getByRole("button", { name: "Renew" }))
      })
      const renewed = yield* secretOn(page)
      assert.strictEqual(yield* me(url, first), 401)
      yield* Effect.promise(() => page.reload())
      assert.strictEqual(yield* secretOn(page), renewed)
      assert.strictEqual(yield* me(url, renewed), 200)
      yield* Effect.promise(() => page.reload())
      assert.include(yield* textOf(page), "cannot be shown again")
      assert.strictEqual(yield* Effect.promise(() => page.locator("code.secret").count()), 0)
      yield* screenshot(page, "agents-token-spent")

      yield* Effect.promise(async () => {
        await page.goto(detail)
        await press(page, page.getByRole("button", { name: "Revoke" }))
      })
      assert.include(yield* textOf(page), "Tick the box to revoke the agent.")
      assert.strictEqual(yield* me(url, renewed), 200)
      yield* Effect.promise(async () => {
        await tick(page, page.getByRole("checkbox", { name: "I revoke the grant of Scout" }))
        await press(page, page.getByRole("button", { name: "Revoke" }))
      })
      assert.strictEqual(page.url(), detail)
      assert.include(yield* textOf(page), "It was revoked")
      assert.strictEqual(yield* me(url, renewed), 401)
      yield* screenshot(page, "agents-revoked")
      assert.deepStrictEqual(
        complaints.filter((one) => !/40[09]/.test(one)),
        []
      )
    })
  )

  it.effect("A hostile agent name is shown as text in the list and on its own page.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const dana = yield* signInNewPerson("Dana")
      const { grantId } = yield* makeAgent({ ...dana, name: hostileName }, "BUYER", ["REVIEW_DELIVERY"])
      for (const [path, width] of [
        ["/workspace/agents", 1024],
        ["/workspace/agents", 320],
        [`/workspace/agents/${grantId}`, 320]
      ] as const) {
        const { page, complaints } = yield* visitAs(url, dana, { width })
        yield* Effect.promise(() => page.goto(`${url}${path}`))
        assert.include(yield* textOf(page), "‹U+202E›gnitsurt")
        assert.strictEqual(yield* Effect.promise(() => page.locator("img, body script, [onerror]").count()), 0)
        assert.include(yield* Effect.promise(() => page.title()), "Countersign")
        const wide = yield* Effect.promise(() => page.locator("html").evaluate(({ scrollWidth }) => scrollWidth))
        assert.isAtMost(wide, width, "the page scrolls sideways")
        assert.deepStrictEqual(complaints, [])
        yield* screenshot(page, path === "/workspace/agents" ? `agents-hostile-${width}` : "agents-detail-hostile")
      }
    })
  )

  it.effect("A page of another site cannot revoke an agent.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const dana = yield* signInNewPerson("Dana")
      const { grantId, token } = yield* makeAgent(dana, "BUYER", ["REVIEW_DELIVERY"])
      const { page } = yield* visitAs(url, dana)
      const action = `${url}/workspace/agents/${grantId}/revoke`
      const foreign = yield* serveForeign(
        `<form method="post" action="${action}"><input name="confirmed" value="on"><button>Win</button></form>`
      )
      yield* Effect.promise(() => page.goto(foreign))
      const answered = page.waitForResponse(action)
      yield* Effect.promise(() => page.getByRole("button", { name: "Win" }).click())
      assert.strictEqual((yield* Effect.promise(() => answered)).status(), 403)
      assert.strictEqual(yield* me(url, token), 200)
    })
  )
})

/** A page of another origin. */
const serveForeign = (html: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((_, response) => response.setHeader("content-type", "text/html").end(html))
      await once(server.listen(0, "127.0.0.1"), "listening")
      return server
    }),
    (server) => Effect.sync(() => (server.closeAllConnections(), server.close()))
  ).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`))
