/** Pages and forms of people who are signed in: who they are for, and what a form needs besides. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { signIn } from "../../src/people/sessions.ts"
import { Secrets } from "../../src/ports/secrets.ts"
import { fromMilliseconds } from "../../src/vocabulary/instant.ts"
import { refuse } from "../../src/vocabulary/refusals.ts"
import { page } from "../../src/workspace/page.ts"
import { formToken } from "../../src/workspace/protection.ts"
import { pageResponse, seeOther } from "../../src/workspace/response.ts"
import { signedInForm, signedInPage } from "../../src/workspace/signed-in.ts"
import { pagesApp } from "../support/pages.ts"
import { freshService, postgresStorage, send, siteUrl } from "../support/service.ts"

const taken: Array<string> = []

const routes = Layer.mergeAll(
  signedInPage("/workspace/mine", ({ viewer }) => Effect.sync(() => pageResponse(page({ title: "Mine", viewer })))),
  signedInPage("/workspace/refused", () => refuse("FORBIDDEN")),
  signedInForm("/workspace/mine", (visitor, { fields }) =>
    Effect.sync(() => (taken.push(`${visitor.person.personId} ${String(fields["a"])}`), seeOther("/workspace/mine")))
  )
)

const service = Layer.unwrap(
  Effect.map(freshService, (connection) => pagesApp(routes, { storage: postgresStorage(connection) }))
)

const authenticatedAt = fromMilliseconds(0)
const start = (subject: string) =>
  signIn({ issuer: "https://people.test", subject, name: `<${subject}>`, authenticatedAt }, { isInvited: false })

const withCookie = (token: string) => ({ cookie: `__Host-countersign=${token}` })
const form = { "content-type": "application/x-www-form-urlencoded", origin: siteUrl }

layer(service, { excludeTestServices: true })("a page of a signed-in person", (it) => {
  it.effect("is shown to a live session alone, with the person's name as text", () =>
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

  it.effect("keeps the navigation around a refusal", () =>
    Effect.gen(function* () {
      const session = yield* start("Bea")
      const refused = yield* send("GET", "/workspace/refused", { headers: withCookie(session.token) })
      assert.strictEqual(refused.status, 403)
      assert.include(refused.text, '<nav aria-label="Workspace">')
    })
  )

  it.effect("takes a form with the token of this session alone", () =>
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
      assert.deepStrictEqual(taken, [`${session.personId} 1`])
      assert.strictEqual(yield* post("a=2"), 403)
      assert.strictEqual(yield* post("a=2&formToken="), 403)
      assert.strictEqual(yield* post(`a=2&formToken=${formToken(secrets, other.sessionId)}`), 403)
      assert.strictEqual(yield* post(`a=2&formToken=${own}`, other.token), 403)
      assert.strictEqual(yield* post(`a=2&formToken=${own}`, "none"), 401)
      assert.lengthOf(taken, 1)
    })
  )
})
