/** Pages and forms of signed-in persons: sessions and form tokens. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { signIn } from "../../src/people/sessions.ts"
import { Secrets } from "../../src/ports/secrets.ts"
import { StorageUnavailable } from "../../src/ports/storage.ts"
import { fromMilliseconds } from "../../src/vocabulary/instant.ts"
import { refuse } from "../../src/vocabulary/refusals.ts"
import { page } from "../../src/workspace/kit/page.ts"
import { formToken } from "../../src/workspace/kit/csrf.ts"
import { pageResponse, seeOther } from "../../src/workspace/kit/response.ts"
import { pageRoute } from "../../src/workspace/kit/page-route.ts"
import { signedInForm, signedInPage } from "../../src/workspace/kit/signed-in.ts"
import { pagesApp } from "../support/pages.ts"
import { freshService, postgresStorage, send, siteUrl } from "../support/service.ts"

const submissions: Array<string> = []

const routes = Layer.mergeAll(
  signedInPage("/workspace/mine", ({ viewer }) => Effect.sync(() => pageResponse(page({ title: "Mine", viewer })))),
  signedInPage("/workspace/refused", () => refuse("FORBIDDEN")),
  pageRoute("GET", "/workspace/nowhere", refuse("NOT_FOUND")),
  pageRoute("GET", "/workspace/early", Effect.die(new Error("inside"))),
  signedInPage("/workspace/late", () => Effect.die(new Error("inside"))),
  signedInPage("/workspace/down", () =>
    Effect.die(new StorageUnavailable({ reason: "refused", mayBeCommitted: false }))
  ),
  signedInForm({ path: "/workspace/things/:name/end", shownAt: "/workspace/things/:name" }, () =>
    refuse("RECENT_SIGN_IN_REQUIRED")
  ),
  signedInForm("/workspace/mine", (visitor, { fields }) =>
    Effect.sync(
      () => (submissions.push(`${visitor.person.personId} ${String(fields["a"])}`), seeOther("/workspace/mine"))
    )
  )
)

const service = Layer.unwrap(
  Effect.map(freshService, (connection) => pagesApp(routes, { storage: postgresStorage(connection) }))
)

const authenticatedAt = fromMilliseconds(0)
const start = (subject: string) =>
  signIn(
    { issuer: "https://people.test", subject, name: `<${subject}>`, email: null, authenticatedAt },
    { isInvited: false }
  )

const withCookie = (token: string) => ({ cookie: `__Host-countersign=${token}` })
const form = { "content-type": "application/x-www-form-urlencoded", origin: siteUrl }

layer(service, { excludeTestServices: true })("pages and forms of a session", (it) => {
  it.effect("A page of a person requires a live session and shows the person's name as text.", () =>
    Effect.gen(function* () {
      const session = yield* start("Ada")
      const shown = yield* send("GET", "/workspace/mine", { headers: withCookie(session.token) })
      assert.strictEqual(shown.status, 200)
      assert.include(shown.text, '<bdi class="untrusted">&lt;Ada></bdi>')
      assert.notInclude(shown.text, session.token)
      for (const headers of [{}, withCookie("dds_a"), { authorization: `Bearer ${session.token}` }]) {
        const refused = yield* send("GET", "/workspace/mine", { headers })
        assert.strictEqual(refused.status, 401)
        assert.include(refused.text, "/workspace/sign-in?returnTo=%2Fworkspace%2Fmine")
      }
    })
  )

  it.effect("A refusal keeps the navigation.", () =>
    Effect.gen(function* () {
      const session = yield* start("Bea")
      const refused = yield* send("GET", "/workspace/refused", { headers: withCookie(session.token) })
      assert.strictEqual(refused.status, 403)
      assert.include(refused.text, '<nav aria-label="Workspace">')
    })
  )

  it.effect("An unknown page, an internal error and a cross-site form keep the navigation.", () =>
    Effect.gen(function* () {
      const { token } = yield* start("Eva")
      for (const [path, status] of [
        ["nowhere", 404],
        ["early", 500],
        ["late", 500],
        ["down", 503]
      ] as const) {
        const answer = yield* send("GET", `/workspace/${path}`, { headers: withCookie(token) })
        assert.strictEqual(answer.status, status, path)
        assert.include(answer.text, '<nav aria-label="Workspace">', path)
        const anonymous = yield* send("GET", `/workspace/${path}`, { headers: withCookie("dds_a") })
        assert.notInclude(anonymous.text, "<nav", path)
      }
      const headers = { ...form, ...withCookie(token), origin: "https://evil.test" }
      const crossSite = yield* send("POST", "/workspace/mine", { raw: "a=1", headers })
      assert.strictEqual(crossSite.status, 403)
      assert.include(crossSite.text, '<nav aria-label="Workspace">')
    })
  )

  it.effect("A form whose session has ended leads to the sign-in, and from there to the form's page.", () =>
    Effect.gen(function* () {
      const { token, sessionId } = yield* start("Fay")
      const path = "/workspace/things/one/end"
      const led = yield* send("GET", path)
      assert.deepStrictEqual([led.status, led.headers["location"]], [303, "/workspace/things/one"])
      const lost = "Nothing was done, and the entered values were not saved."
      const ended = yield* send("POST", path, { raw: "a=1", headers: { ...form, ...withCookie("dds_a") } })
      assert.strictEqual(ended.status, 401)
      assert.include(ended.text, "/workspace/sign-in?returnTo=%2Fworkspace%2Fthings%2Fone%2Fend")
      assert.include(ended.text, lost)
      const own = formToken(yield* Secrets, sessionId)
      const old = yield* send("POST", path, { raw: `formToken=${own}`, headers: { ...form, ...withCookie(token) } })
      assert.include(old.text, "returnTo=%2Fworkspace%2Fthings%2Fone%2Fend&amp;freshly=on")
      assert.include(old.text, lost)
      const read = yield* send("GET", "/workspace/mine")
      assert.notInclude(read.text, lost)
    })
  )

  it.effect("A form of an earlier session is reported as such and links to its page.", () =>
    Effect.gen(function* () {
      const { token } = yield* start("Gwen")
      const headers = { ...form, ...withCookie(token) }
      const outdated = yield* send("POST", "/workspace/things/one/end", { raw: "formToken=of-another", headers })
      assert.strictEqual(outdated.status, 403)
      assert.include(outdated.text, "The form belongs to an earlier session; open its page again.")
      assert.include(outdated.text, '<a href="/workspace/things/one/end">Open the page again</a>')
      assert.notInclude(outdated.text, "did not come from a page of this site")
    })
  )

  it.effect("A form is accepted only with the form token of its session.", () =>
    Effect.gen(function* () {
      const secrets = yield* Secrets
      const session = yield* start("Cara")
      const other = yield* start("Dora")
      const post = (raw: string, token = session.token) =>
        Effect.map(
          send("POST", "/workspace/mine", { raw, headers: { ...form, ...withCookie(token) } }),
          ({ status }) => status
        )
      const own = formToken(secrets, session.sessionId)
      assert.strictEqual(yield* post(`a=1&formToken=${own}`), 303)
      assert.deepStrictEqual(submissions, [`${session.personId} 1`])
      assert.strictEqual(yield* post("a=2"), 403)
      assert.strictEqual(yield* post("a=2&formToken="), 403)
      assert.strictEqual(yield* post(`a=2&formToken=${formToken(secrets, other.sessionId)}`), 403)
      assert.strictEqual(yield* post(`a=2&formToken=${own}`, other.token), 403)
      assert.strictEqual(yield* post(`a=2&formToken=${own}`, "none"), 401)
      assert.lengthOf(submissions, 1)
    })
  )
})
