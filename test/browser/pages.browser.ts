/** Pages in a real browser: texts are inert, pages cannot be framed, and pages of other sites cannot send their forms. */
import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import { readCookie, setCookie } from "../../src/http/cookies.ts"
import { checkboxGroup, radioGroup } from "../../src/workspace/kit/choices.ts"
import { emptyForm, form, select, textArea, textField, type FormState } from "../../src/workspace/kit/fields.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { readForm } from "../../src/workspace/kit/form.ts"
import { untrusted, untrustedLines } from "../../src/workspace/kit/html.ts"
import { page } from "../../src/workspace/kit/page.ts"
import { pageRoute } from "../../src/workspace/kit/page-route.ts"
import { badge, code, facts, linkTo, notice, paragraph, section, table } from "../../src/workspace/kit/parts.ts"
import { pageResponse, seeOther } from "../../src/workspace/kit/response.ts"
import { workspace } from "../../src/workspace/routes.ts"
import { Chromium, screenshot, servedSite, servePages, Site, visit, type VisitOptions } from "../support/browser.ts"

const hostileName = `"><img src=x onerror="document.title='owned'"><script>document.title="owned"</script>\u202egnitsurt\u200b`

const state: FormState = {
  sent: { name: hostileName, text: hostileName },
  problems: [{ field: "name", message: "The name has at most 80 characters." }]
}

/** Every part of the toolkit with a hostile text. */
const hostilePage = page(
  {
    title: hostileName,
    viewer: { name: hostileName, organization: hostileName, formToken: "token" },
    place: "agents",
    problems: state.problems
  },
  notice("done", "It was saved."),
  notice("warning", "This cannot be taken back."),
  section(
    "The agent’s request",
    facts([
      ["Name", untrusted(hostileName)],
      ["State", badge("good", "active")],
      ["Code", code("BCDF-GHJK")]
    ]),
    untrustedLines(`First line ${hostileName}\nSecond line`)
  ),
  table({
    caption: "Agents",
    columns: ["Agent", "Role", "Last used", "State"],
    rows: [
      [
        linkTo("/workspace/agents/1", untrusted(hostileName)),
        "Buyer",
        "21 November 2026, 09:30 UTC",
        badge("good", "active")
      ],
      [linkTo("/workspace/agents/2", untrusted("Ada")), "Supplier", "never", badge("ended", "revoked")]
    ],
    empty: "No agent yet."
  }),
  form(
    { action: "/workspace/example", formToken: "token", submitLabel: "Approve" },
    textField(state, { name: "name", label: "Name", hint: "As the other side knows you." }),
    textArea(state, { name: "text", label: "Text", isOptional: true }),
    radioGroup(emptyForm, {
      name: "role",
      legend: "Role",
      choices: [
        { value: "BUYER", label: "Buyer", hint: "Reviews what is delivered." },
        { value: "SUPPLIER", label: "Supplier", hint: "Submits what was agreed." }
      ]
    }),
    checkboxGroup(emptyForm, {
      name: "actions",
      legend: "Actions",
      choices: [{ value: "A", label: untrusted(hostileName) }]
    }),
    select(emptyForm, {
      name: "days",
      label: "Days",
      choices: [
        { value: "1", label: "1" },
        { value: "30", label: "30" }
      ]
    })
  )
)

const received: Array<string> = []
const cookiesOfPost: Array<string> = []
const cookiesOf = (request: HttpServerRequest.HttpServerRequest) =>
  `${readCookie(request, "session") ?? "none"} ${readCookie(request, "signIn") ?? "none"}`

const examplePages = Layer.mergeAll(
  workspace,
  pageRoute(
    "GET",
    "/workspace/example",
    Effect.sync(() => pageResponse(hostilePage))
  ),
  pageRoute(
    "POST",
    "/workspace/example",
    Effect.map(readForm, ({ fields }) => {
      received.push(String(fields["name"]))
      return seeOther("/workspace/?sent=1")
    })
  ),
  // Without the headers of every page, so that only the browser's own behavior is tested, under every name of this machine.
  HttpRouter.add("GET", "/workspace/cookies", (request) =>
    Effect.succeed(
      pageResponse(page({ title: "Cookies" }, paragraph(cookiesOf(request)))).pipe(
        setCookie("session", "dds_a"),
        setCookie("signIn", "k.sealed")
      )
    )
  ),
  HttpRouter.add("POST", "/workspace/cookies", (request) => {
    cookiesOfPost.push(cookiesOf(request))
    return Effect.succeed(seeOther("/workspace/"))
  })
)

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

/** Color schemes and widths of browsers. */
const looks: Readonly<Record<string, VisitOptions>> = {
  wide: {},
  narrow: { width: 320 },
  dark: { colorScheme: "dark" },
  "without-script": { runsScript: false }
}

layer(Chromium.layer, { excludeTestServices: true })("pages in a browser", (it) => {
  it.effect("A browser shows a hostile text as text.", () =>
    Effect.gen(function* () {
      const site = yield* servePages(examplePages)
      for (const [name, options] of Object.entries(looks)) {
        const { page, complaints } = yield* visit(options)
        yield* Effect.promise(() => page.goto(`${site}/workspace/example`))
        assert.include(yield* Effect.promise(() => page.title()), "‹U+202E›gnitsurt‹U+200B› – Countersign")
        assert.strictEqual(yield* Effect.promise(() => page.locator("img, body script, [onerror]").count()), 0)
        assert.include(yield* Effect.promise(() => page.locator("h1").innerText()), "<script>")
        assert.isFalse(
          yield* Effect.promise(() =>
            page
              .locator("body")
              .innerText()
              .then((text) => /[\u202e\u200b]/.test(text))
          )
        )
        const width = yield* Effect.promise(() => page.evaluate("document.documentElement.scrollWidth"))
        assert.isAtMost(Number(width), options.width ?? 1024, "the page scrolls sideways")
        assert.deepStrictEqual(complaints, [])
        yield* screenshot(page, `toolkit-${name}`)
      }
    })
  )

  it.effect("Every page has the landmarks that a screen reader announces.", () =>
    Effect.gen(function* () {
      const site = yield* servePages(examplePages)
      const { page } = yield* visit()
      yield* Effect.promise(async () => {
        await page.goto(`${site}/workspace/example`)
        await page.locator("summary", { hasText: "Agents" }).press("Enter")
      })
      const parts = [
        page.getByRole("banner"),
        page.getByRole("navigation", { name: "Workspace" }),
        page.getByRole("link", { name: "Agents", exact: true }).and(page.locator('[aria-current="page"]')),
        page.locator("summary[aria-current]", { hasText: "Agents" }),
        page.getByRole("main"),
        page.getByRole("heading", { level: 1 }),
        page.getByRole("alert", { name: "This could not be sent" }),
        page.getByRole("status"),
        page.getByRole("table", { name: "Agents" }),
        page.getByRole("textbox", { name: "Name", exact: true }),
        page.getByRole("textbox", { name: "Text (optional)" }),
        page.getByRole("group", { name: "Role" }).getByRole("radio", { name: "Buyer" }),
        page.getByRole("group", { name: "Actions" }).getByRole("checkbox"),
        page.getByRole("combobox", { name: "Days" }),
        page.getByRole("button", { name: "Approve" }),
        page.getByRole("button", { name: "Sign out" })
      ]
      for (const part of parts) assert.strictEqual(yield* Effect.promise(() => part.count()), 1, String(part))
    })
  )

  it.effect("Every page is navigable with the keyboard.", () =>
    Effect.gen(function* () {
      const site = yield* servePages(examplePages)
      const { page } = yield* visit()
      yield* Effect.promise(() => page.goto(`${site}/workspace/example`))
      const press = (key: string) => Effect.promise(() => page.keyboard.press(key))
      const focused = Effect.promise(() => page.locator(":focus").evaluate((element) => element.outerHTML.slice(0, 80)))
      assert.include(yield* focused, 'class="problems"', "what was wrong comes first")
      yield* press("Tab")
      assert.include(yield* focused, 'href="#field-name"')
      yield* press("Enter")
      assert.include(yield* focused, 'id="field-name"', "a problem leads to its field")
      const described = yield* Effect.promise(() =>
        page.getByRole("textbox", { name: "Name" }).getAttribute("aria-describedby")
      )
      assert.strictEqual(described, "field-name-hint field-name-problem")
      yield* Effect.promise(() => page.goto(`${site}/workspace/`))
      yield* press("Tab")
      assert.include(yield* focused, 'class="skip"')
      assert.isTrue(yield* Effect.promise(() => page.getByText("Skip to the content").isVisible()))
      yield* screenshot(page, "toolkit-keyboard")
      yield* press("Enter")
      yield* press("Tab")
      assert.include(yield* focused, 'href="/workspace/sign-in"', "the skip link leads past the navigation")
    })
  )

  it.effect("An open group of the navigation closes by Escape, and as soon as a person is outside of it.", () =>
    Effect.gen(function* () {
      const site = yield* servePages(examplePages)
      const { page } = yield* visit()
      const group = page.locator("header details", { hasText: "Proposals" })
      const open = async () => {
        await group.locator("summary").press("Enter")
        assert.isTrue(await group.getByRole("link", { name: "Proposals" }).isVisible())
      }
      const isOpen = () => group.evaluate((element) => element.hasAttribute("open"))
      yield* Effect.promise(async () => {
        await page.goto(`${site}/workspace/example`)
        await open()
        await page.keyboard.press("Tab")
        assert.isTrue(await isOpen(), "a person can go through its entries")
        await page.keyboard.press("Escape")
        assert.isFalse(await isOpen())
        assert.include(await page.locator(":focus").innerText(), "Work", "the focus returns to its label")

        await open()
        await page.keyboard.press("Shift+Tab")
        assert.isFalse(await isOpen())

        await open()
        await page.mouse.click(1000, 780)
        assert.isFalse(await isOpen())
      })
    })
  )

  it.effect("Without script, an open group of the navigation covers nothing of the page.", () =>
    Effect.gen(function* () {
      const site = yield* servePages(examplePages)
      for (const width of [320, 1280]) {
        const { page } = yield* visit({ width, runsScript: false })
        yield* Effect.promise(() => page.goto(`${site}/workspace/example`))
        for (const label of ["Work", "Records", "Agents", "Organization"]) {
          const group = page.locator("header details", { has: page.getByText(label, { exact: true }) })
          yield* Effect.promise(() => group.locator("summary").press("Enter"))
          const [entries, main] = yield* Effect.promise(() =>
            Promise.all([group.locator("ul").boundingBox(), page.getByRole("main").boundingBox()])
          )
          assert.isAtMost(entries!.y + entries!.height, main!.y, `${label} at ${width} pixels`)
        }
      }
    })
  )

  it.effect("A browser returns the cookies over plain HTTP on this machine, and not with a form of another site.", () =>
    Effect.gen(function* () {
      const site = yield* servePages(examplePages)
      const { page, context } = yield* visit()
      const cookies = () =>
        Effect.promise(() =>
          page
            .locator("main")
            .innerText()
            .then((text) => text.split("\n").at(-1))
        )
      for (const url of [site, site.replace("127.0.0.1", "localhost")]) {
        yield* Effect.promise(() => page.goto(`${url}/workspace/cookies`))
        yield* Effect.promise(() => page.goto(`${url}/workspace/cookies`))
        assert.strictEqual(yield* cookies(), "dds_a k.sealed")
      }
      assert.isTrue(
        (yield* Effect.promise(() => context.cookies())).every(({ httpOnly, secure }) => httpOnly && secure)
      )
      const foreign = yield* serveForeign(
        `<form method="post" action="${site.replace("127.0.0.1", "localhost")}/workspace/cookies"><button>Win</button></form>`
      )
      yield* Effect.promise(() => page.goto(foreign))
      yield* Effect.promise(() => page.getByRole("button", { name: "Win" }).click())
      yield* Effect.promise(() => page.waitForURL("**/workspace/"))
      assert.deepStrictEqual(cookiesOfPost, ["none none"])
    })
  )

  it.effect("A form that exceeds its limit is refused with or without a declared length.", () =>
    Effect.gen(function* () {
      const site = yield* servePages(examplePages)
      const chunk = new TextEncoder().encode(`name=${"a".repeat(limits.formBytes)}`)
      const streamed = new ReadableStream({ start: (controller) => (controller.enqueue(chunk), controller.close()) })
      const headers = { origin: site, "content-type": "application/x-www-form-urlencoded" }
      for (const body of [chunk, streamed]) {
        const request = { method: "POST", headers, body, duplex: "half" }
        const answered = yield* Effect.promise(() =>
          fetch(`${site}/workspace/example`, request).then((response) => response.status)
        )
        assert.strictEqual(answered, 413)
      }
      assert.deepStrictEqual(received, [])
    })
  )

  it.effect("A page is not shown in a frame.", () =>
    Effect.gen(function* () {
      const site = yield* servePages(examplePages)
      const foreign = yield* serveForeign(`<iframe src="${site}/workspace/example"></iframe>`)
      const { page, complaints } = yield* visit()
      yield* Effect.promise(() => page.goto(foreign))
      yield* Effect.promise(() => page.waitForLoadState("networkidle"))
      const framed = page.frames()[1] ?? assert.fail("there is no frame")
      assert.notInclude(yield* Effect.promise(() => framed.content()), "Countersign")
      assert.match(complaints.join("\n"), /frame-ancestors/)
    })
  )

  it.effect("A form is accepted from its own page and refused from a page of another site.", () =>
    Effect.gen(function* () {
      const site = yield* servePages(examplePages)
      const { page } = yield* visit()
      yield* Effect.promise(() => page.goto(`${site}/workspace/example`))
      yield* Effect.promise(() => page.getByLabel("Name").fill("Ada"))
      yield* Effect.promise(() => page.keyboard.press("Enter"))
      yield* Effect.promise(() => page.waitForURL(`${site}/workspace/?sent=1`))
      assert.deepStrictEqual(received.splice(0), ["Ada"])

      const foreign = yield* serveForeign(
        `<form method="post" action="${site}/workspace/example"><input name="name" value="forged"><button>Win</button></form>`
      )
      yield* Effect.promise(() => page.goto(foreign))
      const answered = page.waitForResponse(`${site}/workspace/example`)
      yield* Effect.promise(() => page.getByRole("button", { name: "Win" }).click())
      assert.strictEqual((yield* Effect.promise(() => answered)).status(), 403)
      yield* Effect.promise(() => page.waitForURL(`${site}/workspace/example`))
      assert.include(
        yield* Effect.promise(() => page.locator("main").innerText()),
        "did not come from a page of this site"
      )
      assert.deepStrictEqual(received, [])
      yield* screenshot(page, "refused-cross-site")
    })
  )
})

layer(Layer.merge(servedSite(), Chromium.layer), { excludeTestServices: true })("the site in a browser", (it) => {
  it.effect("A visitor without a session sees the home page without an error.", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const { page, complaints } = yield* visit()
      yield* Effect.promise(() => page.goto(`${url}/workspace`))
      assert.strictEqual(page.url(), `${url}/workspace/`)
      assert.strictEqual(
        yield* Effect.promise(() => page.getByRole("main").getByRole("link").first().innerText()),
        "Sign in"
      )
      yield* screenshot(page, "start")
      yield* Effect.promise(() => page.getByRole("main").getByRole("link", { name: "Sign in" }).click())
      yield* Effect.promise(() => page.getByRole("heading", { name: "Sign-in is not configured" }).waitFor())
      yield* screenshot(page, "sign-in-without-session")
      assert.deepStrictEqual(complaints, [])
    })
  )
})
