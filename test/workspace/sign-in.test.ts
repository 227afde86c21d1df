/** Sign-ins over HTTP: the sealed cookie, the redirects and the sessions. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Sessions } from "../../src/people/store.ts"
import { signIn } from "../../src/people/sessions.ts"
import { readProfile } from "../../src/people/profile.ts"
import { unconfirmedSignIn, type SignIn, type SignInAttempt } from "../../src/ports/sign-in.ts"
import { Storage } from "../../src/ports/storage.ts"
import { addMilliseconds, now, type Instant } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { refuse } from "../../src/vocabulary/refusals.ts"
import { tokenFrom, tokenHash } from "../../src/vocabulary/token.ts"
import { uuid } from "../support/parties.ts"
import { cookieFrom, openPage, post, submit } from "../support/forms.ts"
import { freshService, postgresStorage, send, testService } from "../support/service.ts"
import { at } from "../support/time.ts"

const attempts: Array<SignInAttempt> = []

/** A provider whose authorization code is the subject; it verifies the state of the attempt. */
const provider: SignIn["Service"] = {
  kind: "OPENID_CONNECT",
  begin: (attempt) =>
    Effect.sync(() => (attempts.push(attempt), `https://provider.test/authorize?state=${attempt.state}`)),
  complete: (attempt, query) => {
    const answer = new URLSearchParams(query)
    if (answer.get("code") === "unknown") return refuse("SIGN_IN_FAILED")
    if (answer.get("code") === "unproven") return refuse("SIGN_IN_FAILED", { detail: unconfirmedSignIn })
    return answer.get("state") === attempt.state
      ? Effect.map(now, (authenticatedAt) => identityOf(answer.get("code") ?? "", authenticatedAt))
      : refuse("SIGN_IN_FAILED")
  }
}

const identityOf = (subject: string, authenticatedAt: Instant) => ({
  issuer: "https://provider.test",
  subject,
  name: subject,
  email: null,
  authenticatedAt
})

const directory: SignIn["Service"] = {
  kind: "DIRECTORY",
  check: (name, password) =>
    password === "right" ? Effect.map(now, (time) => identityOf(name, time)) : refuse("SIGN_IN_FAILED")
}

const serviceWith = (signIn: SignIn["Service"]) =>
  Layer.unwrap(Effect.map(freshService, (connection) => testService(postgresStorage(connection), signIn)))

const hostilePaths = [
  "https://evil.test/",
  "//evil.test/",
  "/\\evil.test",
  "/workspace/../evil",
  "/workspace//evil.test",
  "/api/workspace/session",
  "javascript:alert(1)",
  "/workspace/\r\nset-cookie: a=b",
  ""
]

const failedPage = "The sign-in did not succeed"
const startPath = "/workspace/sign-in/start"

/** Starts a sign-in and returns the state and the cookie of its attempt. */
const begin = (query = "") =>
  Effect.map(openPage(`${startPath}${query}`), (answer) => ({
    answer,
    signIn: cookieFrom(answer, "signIn") ?? "",
    state: new URL(answer.headers["location"] ?? "").searchParams.get("state") ?? ""
  }))

const finish = (state: string, subject: string, jar: Parameters<typeof openPage>[1]) =>
  openPage(`/workspace/sign-in/callback?code=${encodeURIComponent(subject)}&state=${state}`, jar)

layer(serviceWith(provider), { excludeTestServices: true })("sign-ins through a provider", (it) => {
  it.effect("The secrets of a sign-in attempt are kept in a sealed cookie and in no address.", () =>
    Effect.gen(function* () {
      const { answer, signIn } = yield* begin("?returnTo=%2Fworkspace%2Faccount")
      const { state, nonce, codeVerifier } = attempts.at(-1)!
      assert.strictEqual(answer.status, 303)
      assert.match(answer.cookies[0] ?? "", /; Max-Age=600;.*HttpOnly; Secure; SameSite=Lax/)
      for (const secret of [state, nonce, codeVerifier]) {
        assert.match(secret, /^[0-9a-f]{64}$/)
        assert.notInclude(signIn, secret)
      }
      assert.lengthOf(new Set([state, nonce, codeVerifier]), 3)
      assert.notInclude(answer.headers["location"], codeVerifier)
    })
  )

  it.effect("A sign-in starts a session, clears the attempt's cookie and returns to the requested page.", () =>
    Effect.gen(function* () {
      const { signIn, state } = yield* begin("?returnTo=%2Fworkspace%2Faccount%3Fa%3D1")
      const done = yield* finish(state, "ada", { signIn })
      assert.deepStrictEqual([done.status, done.headers["location"]], [303, "/workspace/account?a=1"])
      assert.match(cookieFrom(done, "session") ?? "", /^dds_/)
      assert.strictEqual(cookieFrom(done, "signIn"), "")
      const account = yield* openPage("/workspace/account", { session: cookieFrom(done, "session")! })
      assert.include(account.text, "https://provider.test")
    })
  )

  it.effect("A sign-in requests a fresh authentication from the provider only where one is needed.", () =>
    Effect.gen(function* () {
      yield* begin("?freshly=on")
      assert.isTrue(attempts.at(-1)?.freshly)
      yield* begin()
      assert.isFalse(attempts.at(-1)?.freshly)
      const again = yield* openPage("/workspace/sign-in?freshly=on&returnTo=%2Fworkspace%2Faccount")
      assert.include(again.text, `href="${startPath}?returnTo=%2Fworkspace%2Faccount&amp;freshly=on"`)
    })
  )

  it.effect("A sign-in with a missing, foreign, changed or expired cookie ends on one page.", () =>
    Effect.gen(function* () {
      const mine = yield* begin()
      const another = yield* begin()
      const invited = yield* post("/workspace/join", { code: tokenFrom("invitation", "a".repeat(64)) })
      const changed = `${mine.signIn.slice(0, -3)}${mine.signIn.endsWith("AAA") ? "BBB" : "AAA"}`
      const late = addMilliseconds(yield* now, limits.sealedCookieLifetime)
      const answers = [
        yield* finish(mine.state, "eve", {}),
        yield* finish(mine.state, "eve", { signIn: another.signIn }),
        yield* finish(mine.state, "eve", { signIn: changed }),
        yield* finish(mine.state, "eve", { signIn: "nonsense" }),
        yield* finish(mine.state, "eve", { signIn: cookieFrom(invited, "invitation") ?? "" }),
        yield* finish(mine.state, "eve", { signIn: mine.signIn }).pipe(at(late)),
        yield* finish("", "eve", { signIn: mine.signIn })
      ]
      for (const answer of answers) {
        assert.strictEqual(answer.status, 401)
        assert.include(answer.text, failedPage)
        assert.isUndefined(cookieFrom(answer, "session"))
        assert.isUndefined(cookieFrom(answer, "signIn"), "the attempt of another tab goes on")
      }
      const texts = answers.map(({ text }) => text)
      assert.lengthOf(new Set(texts), 1)
      // The correct response in the same browser still starts a session.
      assert.strictEqual((yield* finish(mine.state, "eve", { signIn: mine.signIn })).status, 303)
    })
  )

  it.effect("A sign-in attempt ends with its own response, also when the provider reports a failure.", () =>
    Effect.gen(function* () {
      const { signIn, state } = yield* begin()
      const answer = yield* finish(state, "unknown", { signIn })
      assert.strictEqual(answer.status, 401)
      assert.strictEqual(cookieFrom(answer, "signIn"), "")
    })
  )

  it.effect("A sign-in whose provider does not prove a fresh authentication is refused with that reason.", () =>
    Effect.gen(function* () {
      const { signIn, state } = yield* begin("?freshly=on&returnTo=%2Fworkspace%2Faccount")
      const answer = yield* finish(state, "unproven", { signIn })
      assert.strictEqual(answer.status, 401)
      assert.include(answer.text, "The provider did not prove a new sign-in")
      assert.notInclude(answer.text, failedPage)
      assert.include(answer.text, "the operator of this site")
      assert.include(answer.text, 'href="/workspace/account"')
    })
  )

  it.effect("A stored invitation remains only for the person who entered it.", () =>
    Effect.gen(function* () {
      const entered = yield* post("/workspace/join", { code: tokenFrom("invitation", "c".repeat(64)) })
      const invitation = cookieFrom(entered, "invitation") ?? ""
      const signInAs = Effect.fnUntraced(function* (subject: string, session?: string) {
        const { signIn, state } = yield* begin()
        const jar = { signIn, invitation, ...(session === undefined ? {} : { session }) }
        return yield* finish(state, subject, jar)
      })
      const [nina, otto] = [`nina-${uuid()}`, `otto-${uuid()}`]
      const first = yield* signInAs(nina)
      assert.isUndefined(cookieFrom(first, "invitation"))
      const again = yield* signInAs(nina, cookieFrom(first, "session"))
      assert.isUndefined(cookieFrom(again, "invitation"))
      const another = yield* signInAs(otto, cookieFrom(again, "session"))
      assert.strictEqual(cookieFrom(another, "invitation"), "")
      const home = yield* openPage("/workspace/", { session: cookieFrom(another, "session")! })
      assert.notInclude(home.text, "You are in no organization", "Otto was not invited")
    })
  )

  it.effect("The sign-out page states that the session at the provider may continue.", () =>
    Effect.gen(function* () {
      const { signIn, state } = yield* begin()
      const session = cookieFrom(yield* finish(state, "pia", { signIn }), "session")!
      const out = yield* submit("/workspace/sign-out", {}, { session }, "/workspace/account")
      assert.include(out.text, "You may still be signed in at the provider")
      for (const name of ["session", "signIn", "invitation"] as const) assert.strictEqual(cookieFrom(out, name), "")
    })
  )

  it.effect("A sign-in through a provider returns only to pages of this site.", () =>
    Effect.gen(function* () {
      for (const path of hostilePaths) {
        const { signIn, state } = yield* begin(`?returnTo=${encodeURIComponent(path)}`)
        const done = yield* finish(state, "ada", { signIn })
        assert.strictEqual(done.headers["location"], "/workspace/", path)
        const page = yield* openPage(`/workspace/sign-in?returnTo=${encodeURIComponent(path)}`)
        assert.notInclude(page.text, "evil")
      }
      const twice = yield* begin("?returnTo=%2Fworkspace%2Faccount&returnTo=%2Fworkspace%2Fagents")
      assert.strictEqual(
        (yield* finish(twice.state, "ada", { signIn: twice.signIn })).headers["location"],
        "/workspace/"
      )
      const long = yield* begin(`?returnTo=${encodeURIComponent(`/workspace/${'"'.repeat(1800)}`)}`)
      assert.strictEqual((yield* finish(long.state, "ada", { signIn: long.signIn })).status, 303)
    })
  )

  it.effect("A new sign-in of the same person rotates the session's token; another person gets another session.", () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const rowOf = (token: string) => storage.view((reader) => reader.find(Sessions, "byToken", [tokenHash(token)]))
      const sessionAfter = Effect.fnUntraced(function* (subject: string, session?: string) {
        const { signIn, state } = yield* begin("?freshly=on")
        const done = yield* finish(state, subject, { signIn, ...(session === undefined ? {} : { session }) })
        return cookieFrom(done, "session") ?? ""
      })
      const first = yield* sessionAfter("kim")
      const row = yield* rowOf(first)
      const second = yield* sessionAfter("kim", first)
      assert.notStrictEqual(second, first)
      assert.strictEqual((yield* rowOf(second))?.sessionId, row?.sessionId)
      assert.isUndefined(yield* rowOf(first))
      const other = yield* sessionAfter("lee", second)
      assert.notStrictEqual((yield* rowOf(other))?.sessionId, row?.sessionId)
      assert.isNotNull((yield* rowOf(second))?.endedAt)
    })
  )

  it.effect("A first sign-in creates a workspace unless the browser stores an invitation.", () =>
    Effect.gen(function* () {
      const entered = yield* post("/workspace/join", { code: tokenFrom("invitation", "b".repeat(64)) })
      const invitation = cookieFrom(entered, "invitation") ?? ""
      assert.strictEqual(entered.headers["location"], "/workspace/sign-in?returnTo=%2Fworkspace%2Fjoin")
      assert.notInclude(entered.headers["location"], "ddi_")
      const late = addMilliseconds(yield* now, limits.sealedCookieLifetime)
      const mine = yield* begin()
      const workspacesOf = Effect.fnUntraced(function* (subject: string, kept: string, time: Instant) {
        const { signIn: signInCookie, state } = yield* begin().pipe(at(time))
        yield* finish(state, subject, { signIn: signInCookie, invitation: kept }).pipe(at(time))
        const session = yield* signIn(identityOf(subject, time), { isInvited: true })
        return (yield* readProfile({ ...session })).memberships.length
      })
      const today = yield* now
      assert.strictEqual(yield* workspacesOf(`a-${uuid()}`, invitation, today), 0)
      assert.strictEqual(yield* workspacesOf(`b-${uuid()}`, "", today), 1)
      assert.strictEqual(yield* workspacesOf(`c-${uuid()}`, `${invitation}x`, today), 1)
      assert.strictEqual(yield* workspacesOf(`d-${uuid()}`, mine.signIn, today), 1)
      assert.strictEqual(yield* workspacesOf(`e-${uuid()}`, invitation, late), 1)
    })
  )

  it.effect("A site with a provider accepts no password.", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* post("/workspace/sign-in", { name: "ada", password: "right" })).status, 404)
    })
  )
})

layer(serviceWith(directory), { excludeTestServices: true })("sign-ins by the directory", (it) => {
  it.effect("A sign-in by the directory starts a session, and no page shows the password again.", () =>
    Effect.gen(function* () {
      const wrong = yield* post("/workspace/sign-in", { name: "<ada>", password: "canary-of-a-password" })
      assert.strictEqual(wrong.status, 401)
      assert.include(wrong.text, 'value="&lt;ada>"')
      assert.notInclude(wrong.text, "canary")
      const empty = yield* post("/workspace/sign-in", { name: "", password: "canary-of-a-password" })
      assert.strictEqual(empty.status, 400)
      assert.notInclude(empty.text, "canary")
      const right = yield* post("/workspace/sign-in", {
        name: "ada",
        password: "right",
        returnTo: "/workspace/account"
      })
      assert.deepStrictEqual([right.status, right.headers["location"]], [303, "/workspace/account"])
    })
  )

  it.effect("A sign-in by the directory returns only to pages of this site.", () =>
    Effect.gen(function* () {
      for (const returnTo of hostilePaths) {
        const done = yield* post("/workspace/sign-in", { name: "ada", password: "right", returnTo })
        assert.oneOf(done.headers["location"], ["/workspace/", undefined], returnTo)
        assert.notInclude(done.text, 'value="https://evil')
      }
    })
  )

  it.effect("A sign-in from another site is refused with 403.", () =>
    Effect.gen(function* () {
      for (const headers of [{ origin: "https://evil.test" }, { "sec-fetch-site": "cross-site" }]) {
        const refused = yield* post("/workspace/sign-in", { name: "ada", password: "right" }, {}, headers)
        assert.strictEqual(refused.status, 403)
        assert.isUndefined(cookieFrom(refused, "session"))
      }
    })
  )

  it.effect("Guessing passwords is rate-limited, and the page states when to retry.", () =>
    Effect.gen(function* () {
      const guess = () => post("/workspace/sign-in", { name: "guessed", password: "wrong" })
      for (let count = 0; count < limits.attemptsPerPerson; count++) yield* guess()
      const stopped = yield* guess()
      assert.deepStrictEqual([stopped.status, stopped.headers["retry-after"]], [503, "600"])
      assert.include(stopped.text, "Too many wrong passwords")
      assert.include(stopped.text, 'value="guessed"')
    })
  )

  it.effect("A session ends only by its own form, which clears the browser's cookies.", () =>
    Effect.gen(function* () {
      const done = yield* post("/workspace/sign-in", { name: "ada", password: "right" })
      const session = cookieFrom(done, "session")!
      assert.strictEqual((yield* post("/workspace/sign-out", {}, { session })).status, 403)
      assert.strictEqual((yield* openPage("/workspace/sign-out", { session })).status, 303)
      assert.strictEqual((yield* openPage("/workspace/account", { session })).status, 200)
      const out = yield* submit("/workspace/sign-out", {}, { session }, "/workspace/account")
      assert.strictEqual(out.status, 200)
      assert.notInclude(out.text, "at the provider")
      assert.strictEqual(cookieFrom(out, "session"), "")
      assert.strictEqual((yield* openPage("/workspace/account", { session })).status, 401)
    })
  )

  it.effect("A site with a directory offers no sign-in through a provider.", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* openPage(startPath)).status, 404)
      assert.strictEqual((yield* openPage("/workspace/sign-in/callback?code=a&state=b")).status, 404)
    })
  )
})

layer(serviceWith({ kind: "NONE" }), { excludeTestServices: true })("a site without a sign-in method", (it) => {
  it.effect("A site without a sign-in method states so.", () =>
    Effect.gen(function* () {
      const page = yield* openPage("/workspace/sign-in")
      assert.strictEqual(page.status, 200)
      assert.include(page.text, "Sign-in is not configured")
      assert.strictEqual((yield* post("/workspace/sign-in", { name: "ada", password: "right" })).status, 404)
    })
  )

  it.effect("A visitor under another host name is redirected to the canonical one; a proxied request is not.", () =>
    Effect.gen(function* () {
      const ask = (
        host: string,
        more: Readonly<Record<string, string>> = {},
        path = "/workspace/sign-in?returnTo=%2Fworkspace%2F"
      ) =>
        Effect.map(send("GET", path, { headers: { host, ...more } }), ({ status, headers }) => [
          status,
          headers["location"]
        ])
      assert.deepStrictEqual(yield* ask("other.test"), [
        303,
        "https://countersign.test/workspace/sign-in?returnTo=%2Fworkspace%2F"
      ])
      for (const host of ["countersign.test", "COUNTERSIGN.test", "countersign.test:443"]) {
        assert.deepStrictEqual(yield* ask(host), [200, undefined], host)
      }
      // Behind a proxy the host name is not reliable, and a redirect could loop.
      assert.deepStrictEqual(yield* ask("127.0.0.1:8080"), [200, undefined])
      assert.deepStrictEqual(yield* ask("backend:8080", { "x-forwarded-proto": "https" }), [200, undefined])
      assert.deepStrictEqual(yield* ask("a b"), [200, undefined])
      assert.deepStrictEqual(yield* ask("other.test", {}, "/workspace//evil.test"), [404, undefined])
    })
  )
})
