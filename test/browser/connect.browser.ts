/** An agent asks for access over HTTP, and a person answers with the keyboard alone, in a browser that runs no script. */
import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { directoryIssuer } from "../../src/adapters/sign-in/directory.ts"
import { membershipsOf } from "../../src/people/acting-person.ts"
import { signIn } from "../../src/people/sessions.ts"
import { Sessions } from "../../src/people/store.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { actionLabels, decisionLabels, guardedConsents } from "../../src/workspace/kit/labels.ts"
import { Chromium, foreignHost, screenshot, servedSite, Site, visit, type VisitOptions } from "../support/browser.ts"
import { makeUnnamedProject } from "../support/person-requests.ts"
import { choose, directoryOf, press, signInBy, tabTo, tick, type } from "../support/keyboard-user.ts"

const people = ["ada", "bea", "cara", "dora", "erin", "finn", "gus"]
const service = Layer.merge(
  servedSite(() => directoryOf(...people)),
  Chromium.layer
)

/** Responses of the agent API during and after a connection. */
interface AgentResponse {
  readonly userCode: string
  readonly deviceCode: string
  readonly state: string
  readonly error: string
  readonly credential: { readonly token: string }
  readonly organizationId: string
  readonly role: string
  readonly projectIds: ReadonlyArray<string>
  readonly actions: ReadonlyArray<string>
  readonly subjectRequirements: ReadonlyArray<unknown>
  readonly createdAt: string
  readonly expiresAt: string
}

/** The requests of an agent, which has no browser. */
const agentAt = (url: string) => {
  const call = async (path: string, body?: object, token?: string) => {
    const response = await fetch(`${url}/api/agents/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        "content-type": "application/json",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: response.status, body: (await response.json()) as AgentResponse }
  }
  return {
    start: (asked: object = {}) => call("/connections", { agentName: "Scout", client: "scout 1.0", ...asked }),
    poll: (deviceCode: string) => call("/connections/poll", { deviceCode }),
    me: (token: string) => call("/me", undefined, token)
  }
}

/** A person of the directory with a workspace. */
const personOf = Effect.fnUntraced(function* (name: string) {
  const storage = yield* Storage
  const identity = { issuer: directoryIssuer, subject: name, name, email: null, authenticatedAt: yield* now }
  const session = yield* signIn(identity, { isInvited: false })
  const [membership] = yield* storage.view((reader) => membershipsOf(reader, session.personId))
  const { membershipId, organizationId } = membership!
  return { ...session, name, identity, membershipId, organizationId }
})

/** Ages the sign-in of the person's sessions beyond the limit for guarded actions. */
const ageSignIn = Effect.fnUntraced(function* (personId: string) {
  const storage = yield* Storage
  const long = addMilliseconds(yield* now, -limits.recentSignIn)
  yield* storage.transaction({ locks: [exclusive("person", personId)] }, (transaction) =>
    Effect.gen(function* () {
      const sessions = yield* transaction.range(Sessions, "byPerson", { prefix: [personId], limit: 10 })
      for (const { sessionId } of sessions) {
        yield* transaction.update(Sessions, [sessionId], { authenticatedAt: long })
      }
    })
  )
})

const textOf = (page: Page) => page.getByRole("main").innerText()

const enterCode = async (page: Page, url: string, code: string): Promise<void> => {
  await page.goto(`${url}/workspace/connect?code=${code}&user_code=${code}`)
  assert.strictEqual(await page.getByLabel("Code", { exact: true }).inputValue(), "", "a code is never filled in")
  await type(page, page.getByLabel("Code", { exact: true }), code.toLowerCase().replace("-", ""))
  await page.keyboard.press("Enter")
  await page.waitForURL(/\/workspace\/connections\//)
}

const chooseRole = async (page: Page, role: string): Promise<void> => {
  assert.strictEqual(await page.locator("input[name=role]:checked").count(), 0, "no role is preselected")
  await choose(page, page.getByRole("radio", { name: role }))
  await press(page, page.getByRole("button", { name: "Continue" }))
}

const decide = async (page: Page, decision: "Approve" | "Deny"): Promise<void> => {
  await tick(page, page.getByRole("checkbox", { name: "The code I typed" }))
  await press(page, page.getByRole("button", { name: decision }))
}

/** A signed-in person and an agent with a pending connection. */
const pendingConnection = Effect.fnUntraced(function* (name: string, asked: object = {}, options: VisitOptions = {}) {
  const { url } = yield* Site
  const agent = agentAt(url)
  const { body: connection } = yield* Effect.promise(() => agent.start(asked))
  const visited = yield* visit({ runsScript: false, ...options })
  yield* Effect.promise(async () => {
    await visited.page.goto(`${url}/workspace/sign-in?returnTo=/workspace/connect`)
    await signInBy(visited.page, name)
  })
  return { url, agent, connection, ...visited }
})

layer(service, { excludeTestServices: true })("connections of agents", (it) => {
  it.effect("A connection is approved with the keyboard alone, and the agent gets exactly the chosen access.", () =>
    Effect.gen(function* () {
      const ada = yield* personOf("ada")
      const projectId = yield* makeUnnamedProject(ada)
      const asked = { requestedRole: "BUYER", requestedActions: ["CREATE_PROJECT", "CONFIRM_COMPLETION"] }
      const { url, agent, connection, page, complaints } = yield* pendingConnection("ada", asked)
      yield* screenshot(page, "connect")
      yield* Effect.promise(() => enterCode(page, url, connection.userCode))
      const text = yield* Effect.promise(() => textOf(page))
      for (const expected of ["Scout", "scout 1.0", "127.0.0.1", "Accept a delivery as complete"]) {
        assert.include(text, expected)
      }
      assert.notInclude(page.url(), connection.userCode)
      yield* screenshot(page, "consent-first-step")
      yield* Effect.promise(() => chooseRole(page, "Buyer"))
      assert.strictEqual(
        yield* Effect.promise(() => page.locator("input:checked").count()),
        0,
        "nothing is chosen beforehand"
      )
      assert.include(yield* Effect.promise(() => textOf(page)), connection.userCode)
      yield* screenshot(page, "consent-second-step")

      // Only the button decides; missing values are reported and the entered values are kept.
      let posts = 0
      page.on("request", (request) => void (posts += request.method() === "POST" ? 1 : 0))
      yield* Effect.promise(async () => {
        await tabTo(page, page.getByLabel("For how many days?"))
        await page.keyboard.press("Control+A")
        await page.keyboard.type("31")
        await page.keyboard.press("Enter")
        await press(page, page.getByRole("button", { name: "Approve" }))
      })
      assert.strictEqual(posts, 1, "Enter in a field sends nothing")
      const problems = yield* Effect.promise(() => page.getByRole("alert").innerText())
      for (const expected of ["1 to 30", "Choose one: what the agent may do.", "Compare the code"]) {
        assert.include(problems, expected)
      }
      assert.strictEqual(yield* Effect.promise(() => page.getByLabel("For how many days?").inputValue()), "31")
      yield* screenshot(page, "consent-problems")

      yield* Effect.promise(async () => {
        await tick(page, page.getByRole("checkbox", { name: "Logo" }))
        await choose(page, page.getByRole("radio", { name: "Single actions" }))
        await tick(page, page.getByRole("checkbox", { name: actionLabels.CREATE_PROJECT }))
        await tick(page, page.getByRole("checkbox", { name: "I let this agent accept deliveries" }))
        await tabTo(page, page.getByLabel("For how many days?"))
        await page.keyboard.press("Control+A")
        await page.keyboard.type("2")
        await tabTo(page, page.locator("main summary"))
        await page.keyboard.press("Enter")
        await type(page, page.getByRole("textbox", { name: "Requirement 1" }), "A person looks at the logo")
        await tick(page, page.getByRole("group", { name: "requirement 1" }).getByLabel(decisionLabels.ACCEPT))
        await decide(page, "Approve")
      })
      assert.include(yield* Effect.promise(() => textOf(page)), "Scout was given this access, and nothing else.")
      yield* screenshot(page, "consent-approved")

      const { body: collected } = yield* Effect.promise(() => agent.poll(connection.deviceCode))
      assert.strictEqual(collected.state, "CONNECTED")
      const me = yield* Effect.promise(() => agent.me(collected.credential.token))
      assert.strictEqual(me.status, 200)
      assert.deepInclude(me.body, {
        organizationId: ada.organizationId,
        role: "BUYER",
        projectIds: [projectId],
        actions: ["CREATE_PROJECT", "CONFIRM_COMPLETION"],
        subjectRequirements: [
          { id: "requirement-1", statement: "A person looks at the logo", humanDecisions: ["ACCEPT"] }
        ]
      })
      const days = (Date.parse(me.body.expiresAt) - Date.parse(me.body.createdAt)) / 86_400_000
      assert.approximately(days, 2, 0.01)
      assert.deepStrictEqual(
        complaints.filter((one) => !one.includes("400")),
        []
      )
    })
  )

  it.effect("An agent whose connection is denied learns only the denial.", () =>
    Effect.gen(function* () {
      const { url, agent, connection, page } = yield* pendingConnection("bea")
      yield* Effect.promise(async () => {
        await enterCode(page, url, connection.userCode)
        await chooseRole(page, "Supplier")
        await press(page, page.getByRole("button", { name: "Deny" }))
      })
      assert.include(yield* Effect.promise(() => textOf(page)), "The agent got no access")
      yield* screenshot(page, "consent-denied")
      const polled = yield* Effect.promise(() => agent.poll(connection.deviceCode))
      assert.deepStrictEqual([polled.status, polled.body.error], [409, "CONNECTION_DENIED"])
    })
  )

  it.effect("A mistyped, used and denied code show the same page.", () =>
    Effect.gen(function* () {
      const { url, connection, page } = yield* pendingConnection("cara")
      yield* Effect.promise(() => enterCode(page, url, connection.userCode))
      const other = yield* visit({ runsScript: false })
      const texts: Array<string> = []
      yield* Effect.promise(async () => {
        await other.page.goto(`${url}/workspace/sign-in?returnTo=/workspace/connect`)
        await signInBy(other.page, "dora")
        for (const code of [connection.userCode, "BCDF-GHJK", "nonsense"]) {
          await other.page.goto(`${url}/workspace/connect`)
          await type(other.page, other.page.getByLabel("Code", { exact: true }), code)
          await press(other.page, other.page.getByRole("button", { name: "Continue" }))
          texts.push(await textOf(other.page))
        }
      })
      yield* screenshot(other.page, "connect-unknown-code")
      yield* Effect.promise(async () => {
        await other.page.goto(page.url())
        assert.include(await textOf(other.page), "invalid or expired, or its connection belongs to another session")
      })
      assert.lengthOf(new Set(texts), 1)
      assert.include(texts[0], "Invalid or expired code")
    })
  )

  it.effect("A guarded action leads through a new sign-in before the decision, and back.", () =>
    Effect.gen(function* () {
      const { personId } = yield* personOf("erin")
      const { url, agent, connection, page } = yield* pendingConnection("erin")
      yield* Effect.promise(async () => {
        await enterCode(page, url, connection.userCode)
        await chooseRole(page, "Buyer")
        await choose(page, page.getByRole("radio", { name: "Single actions" }))
        await tick(page, page.getByRole("checkbox", { name: guardedConsents.ISSUE_RESULT_RECORD }))
      })
      const consent = page.url()
      yield* ageSignIn(personId)
      yield* Effect.promise(() => decide(page, "Approve"))
      assert.include(
        yield* Effect.promise(() => textOf(page)),
        "Nothing was approved, and the entered values were not saved."
      )
      yield* screenshot(page, "consent-sign-in-again")

      // The page announces it before the form is filled in.
      yield* Effect.promise(() => page.goto(consent))
      assert.strictEqual(
        yield* Effect.promise(() => page.getByRole("checkbox", { name: "I let this agent" }).count()),
        0
      )
      yield* screenshot(page, "consent-old-sign-in")
      yield* Effect.promise(async () => {
        await press(page, page.getByRole("link", { name: "Sign in again and return to this page" }))
        await signInBy(page, "erin")
        assert.strictEqual(page.url(), consent)
        await choose(page, page.getByRole("radio", { name: "Single actions" }))
        await tick(page, page.getByRole("checkbox", { name: guardedConsents.ISSUE_RESULT_RECORD }))
        await decide(page, "Approve")
      })
      const { body } = yield* Effect.promise(() => agent.poll(connection.deviceCode))
      const me = yield* Effect.promise(() => agent.me(body.credential.token))
      assert.deepStrictEqual(me.body.actions, ["ISSUE_RESULT_RECORD"])
    })
  )

  it.effect("A hostile agent name is shown as text on the consent page.", () =>
    Effect.gen(function* () {
      const hostile = `<script>document.title="owned"</script><img src=x onerror=alert(1)>"'>\u202egnitsurt\u2066\u200b\u001b[31m</title>`
      const agentName = hostile.padEnd(limits.titleCharacters, "A")
      const { url, connection, page, complaints } = yield* pendingConnection(
        "finn",
        { agentName, client: hostile.padEnd(limits.titleCharacters, "\u0301") },
        { runsScript: true, width: 400 }
      )
      assert.isDefined(connection.userCode)
      const inert = async () => {
        assert.notInclude(await page.title(), "owned")
        assert.strictEqual(await page.locator("body script, img, [onerror]").count(), 0)
        const text = await page.locator("body").innerText()
        for (const mark of ["\u202e", "\u2066", "\u200b", "\u001b"]) assert.notInclude(text, mark)
        assert.include(text, "<script>")
        assert.include(text, "‹U+202E›")
        const width = Number(await page.evaluate("document.documentElement.scrollWidth"))
        assert.isAtMost(width, 400, "the page scrolls sideways")
      }
      yield* Effect.promise(async () => {
        await enterCode(page, url, connection.userCode)
        await inert()
      })
      yield* screenshot(page, "consent-hostile")
      yield* Effect.promise(async () => {
        await chooseRole(page, "Buyer")
        await inert()
        await choose(page, page.getByRole("radio", { name: "Read only" }))
        await decide(page, "Approve")
        await inert()
      })
      yield* screenshot(page, "consent-hostile-approved")
      assert.deepStrictEqual(complaints, [])
    })
  )

  it.effect("A connection cannot be approved by a form of another site and is not shown in a frame.", () =>
    Effect.gen(function* () {
      const { organizationId } = yield* personOf("gus")
      const { url, agent, connection, page, complaints } = yield* pendingConnection("gus", {}, { runsScript: true })
      yield* Effect.promise(() => enterCode(page, url, connection.userCode))
      const consent = page.url()
      const fields = {
        organizationId,
        role: "BUYER",
        preset: "READ_ONLY",
        days: "30",
        codeMatches: "on",
        decision: "APPROVE"
      }
      const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`)
      const { port } = yield* serveForeign(
        `<form method="post" action="${consent}">${inputs.join("")}<button>Win</button></form><iframe src="${consent}"></iframe>`
      )
      // Another origin of the same site, whose form carries the cookie, and a site of another domain.
      for (const [host, relation] of [
        ["127.0.0.1", "same-site"],
        [foreignHost, "cross-site"]
      ] as const) {
        const before = complaints.length
        yield* Effect.promise(() => page.goto(`http://${host}:${port}/`))
        const framed = page.frames()[1] ?? assert.fail("there is no frame")
        assert.notInclude(yield* Effect.promise(() => framed.content()), "Scout")
        assert.match(complaints.slice(before).join("\n"), /frame-ancestors/)
        const answered = page.waitForResponse((response) => response.request().method() === "POST")
        yield* Effect.promise(() => page.getByRole("button", { name: "Win" }).click())
        const answer = yield* Effect.promise(() => answered)
        assert.strictEqual(answer.status(), 403)
        const headers = yield* Effect.promise(() => answer.request().allHeaders())
        assert.strictEqual(headers["sec-fetch-site"], relation)
        assert.strictEqual("cookie" in headers, relation === "same-site")
        yield* Effect.promise(() => page.waitForURL(consent))
        assert.include(yield* Effect.promise(() => textOf(page)), "did not come from a page of this site")
      }
      const waiting = yield* Effect.promise(() => agent.poll(connection.deviceCode))
      assert.strictEqual(waiting.body.state, "PENDING")
    })
  )
})

/** A page of other origins. */
const serveForeign = (html: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((_, response) => response.setHeader("content-type", "text/html").end(html))
      await once(server.listen(0, "127.0.0.1"), "listening")
      return server
    }),
    (server) => Effect.sync(() => (server.closeAllConnections(), server.close()))
  ).pipe(Effect.map((server) => server.address() as AddressInfo))
