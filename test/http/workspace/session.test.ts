import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { cookieNames } from "../../../src/http/cookies.ts"
import { addMilliseconds, type Instant } from "../../../src/vocabulary/instant.ts"
import { limits } from "../../../src/vocabulary/limits.ts"
import { tokenFrom } from "../../../src/vocabulary/token.ts"
import { assertRefusal } from "../../support/errors.ts"
import { inAnotherSession } from "../../support/person-requests.ts"
import { makeAgent, uuid } from "../../support/parties.ts"
import { freshTestService, send, siteUrl, type SendOptions } from "../../support/service.ts"
import { signInNewPerson } from "../../support/sessions.ts"
import { at } from "../../support/time.ts"
import { cookieOf, grantInput, outcome, post, read, workspace } from "../../support/workspace.ts"

const noon = "2026-11-21T12:00:00.000Z" as Instant
const after = (milliseconds: number) => at(addMilliseconds(noon, milliseconds))

layer(freshTestService, { excludeTestServices: true })("sessions over HTTP", (it) => {
  it.effect("The session response names the person and their memberships, and is not cacheable", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { status, body, headers } = yield* read(dana, "/session")
      assert.deepStrictEqual([status, headers["cache-control"]], [200, "no-store"])
      assert.deepInclude(body, { name: "Dana", personId: dana.personId })
      assert.strictEqual(body.authenticatedAt, dana.identity.authenticatedAt)
      assert.deepStrictEqual(body.account, { organizationId: dana.organizationId })
      assert.lengthOf(body.memberships, 1)
      const { membershipId, organizationId } = dana
      const own = { membershipId, organizationId, organizationName: "Dana", isInForce: true }
      assert.deepInclude(body.memberships[0], own)
    })
  )

  it.effect("A session is one known, live cookie; anything else is 401", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const cookie = cookieOf(dana.token)
      const cookies: ReadonlyArray<readonly [cookie: string | undefined, status: number]> = [
        [cookie, 200],
        [`theme=dark; ${cookie}; lang=en`, 200],
        [undefined, 401],
        ["", 401],
        [cookieOf(""), 401],
        [`${cookie}; ${cookie}`, 401],
        [`${cookie}; ${cookieOf(tokenFrom("session", "0".repeat(64)))}`, 401],
        [`${cookieNames.session}="${dana.token}"`, 401],
        [cookieOf(`${dana.token.slice(0, -1)}!`), 401],
        [cookieOf(dana.token.slice(0, -1)), 401],
        [cookieOf(tokenFrom("session", "0".repeat(64))), 401],
        [cookie.replace("__Host-", ""), 401]
      ]
      for (const [sent, status] of cookies) {
        const headers: Record<string, string> = sent === undefined ? {} : { cookie: sent }
        const answer = yield* send("GET", `${workspace}/session`, { headers })
        assert.deepStrictEqual(outcome(answer), status === 200 ? [200] : [401, "SIGN_IN_REQUIRED"], sent)
        if (status !== 200) assertRefusal(answer)
      }
    })
  )

  it.effect("A session ends after an hour without use, and after twelve hours in any case", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana").pipe(at(noon))
      const statusAfter = (milliseconds: number) =>
        Effect.map(read(dana, "/session"), ({ status }) => status).pipe(after(milliseconds))
      assert.strictEqual(yield* statusAfter(limits.sessionIdle - 1), 200)
      assert.strictEqual(yield* statusAfter(2 * limits.sessionIdle - 1), 401)
      assert.strictEqual(yield* statusAfter(2 * limits.sessionIdle - 2), 200)
      for (let idle = 3; idle <= 12; idle++)
        assert.strictEqual(yield* statusAfter(idle * (limits.sessionIdle - 1)), 200)
      assert.strictEqual(yield* statusAfter(limits.sessionLifetime - 1), 200)
      assert.strictEqual(yield* statusAfter(limits.sessionLifetime), 401)
    })
  )

  it.effect("A sign-out ends only its own session; other sessions and agents are not affected", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const elsewhere = yield* inAnotherSession(dana)
      const agent = yield* makeAgent(dana, "BUYER", [])
      const answer = yield* post(dana, "/session/sign-out")
      assert.deepStrictEqual([answer.status, answer.text], [204, ""])
      assert.lengthOf(answer.cookies, 1)
      assert.match(answer.cookies[0]!, /^__Host-countersign=; Max-Age=0; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/)
      assert.strictEqual((yield* read(dana, "/session")).status, 401)
      assert.strictEqual((yield* post(dana, "/session/sign-out")).status, 401)
      assert.strictEqual((yield* read(elsewhere, "/session")).status, 200)
      assert.strictEqual((yield* send("GET", "/api/agents/v1/me", agent)).status, 200)
    })
  )

  it.effect("A session can end the person's other sessions and remains live itself", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const elsewhere = yield* inAnotherSession(dana)
      const agent = yield* makeAgent(dana, "BUYER", [])
      for (const count of [1, 0]) {
        const answer = yield* post(dana, "/session/end-others")
        assert.deepStrictEqual([answer.status, answer.body], [200, { count }])
      }
      assert.deepStrictEqual(outcome(yield* post(elsewhere, "/session/end-others")), [401, "SIGN_IN_REQUIRED"])
      for (const one of [dana, sam]) assert.strictEqual((yield* read(one, "/session")).status, 200)
      assert.strictEqual((yield* send("GET", "/api/agents/v1/me", agent)).status, 200)
    })
  )

  it.effect("A session is accepted over HTTPS only", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      for (const from of ["127.0.0.1", "::1"]) {
        assert.strictEqual((yield* read(dana, "/session", { from })).status, 200)
      }
      const insecure: ReadonlyArray<SendOptions> = [{}, { headers: { "x-forwarded-proto": "https" } }]
      for (const options of insecure) {
        const answer = yield* read(dana, "/session", { ...options, from: "203.0.113.9" })
        assert.deepStrictEqual(outcome(answer), [400, "HTTPS_REQUIRED"])
        assertRefusal(answer)
      }
      const without = yield* send("GET", `${workspace}/session`, { from: "203.0.113.9" })
      assert.deepStrictEqual(outcome(without), [400, "HTTPS_REQUIRED"])
    })
  )

  it.effect("A session writes only from a page of this site", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const cookie = cookieOf(dana.token)
      const write = (headers: Readonly<Record<string, string>>) =>
        send("POST", `${workspace}/grants`, { body: grantInput(dana), headers: { cookie, ...headers } })
      const refused: ReadonlyArray<Readonly<Record<string, string>>> = [
        {},
        { origin: "https://evil.test" },
        { origin: "null" },
        { origin: siteUrl, "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "none" }
      ]
      for (const headers of refused) {
        const answer = yield* write(headers)
        assert.deepStrictEqual(outcome(answer), [403, "CROSS_SITE_REQUEST"], JSON.stringify(headers))
        assertRefusal(answer)
      }
      assert.lengthOf((yield* read(dana, "/grants")).body.grants, 0)
      assert.strictEqual((yield* write({ origin: siteUrl })).status, 201)
      assert.strictEqual((yield* write({ "sec-fetch-site": "same-origin" })).status, 201)
      const reading = { cookie, origin: "https://evil.test", "sec-fetch-site": "cross-site" }
      const answer = yield* send("GET", `${workspace}/session`, { headers: reading })
      assert.strictEqual(answer.status, 200)
      assert.notProperty(answer.headers, "access-control-allow-origin")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("order of checks of operations of people", (it) => {
  it.effect("The checks of an operation of people run in the documented order", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const grant = yield* makeAgent(sam, "BUYER", [])
      const faults = [
        [404, "NOT_FOUND", { path: "/grant" }],
        [413, "REQUEST_TOO_LARGE", { raw: " ".repeat(limits.bodyBytes + 1) }],
        [401, "SIGN_IN_REQUIRED", { cookie: "none=1" }],
        [403, "CROSS_SITE_REQUEST", { origin: "https://evil.test" }],
        [404, "NOT_FOUND", { id: "grant_1" }],
        [400, "INVALID_REQUEST", { raw: '{"requestId":1,"requestId":2}' }],
        [404, "UNKNOWN_PARTY", {}]
      ] as const
      const sound = {
        path: "/grants",
        id: grant.grantId,
        cookie: cookieOf(dana.token),
        origin: siteUrl,
        raw: JSON.stringify({ requestId: uuid(), expectedGeneration: 1 })
      }
      for (const [index, [status, code]] of faults.entries()) {
        const changes = faults.slice(index).reduceRight((all, [, , one]) => ({ ...all, ...one }), {})
        const { path, id, cookie, origin, raw } = { ...sound, ...changes }
        const answer = yield* send("POST", `${workspace}${path}/${id}/renew`, { raw, headers: { cookie, origin } })
        assert.deepStrictEqual(outcome(answer), [status, code])
        assertRefusal(answer)
      }
    })
  )

  it.effect("An address has one spelling and one method for every caller", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      for (const path of ["/Session", "/session/", "//session", "/nothing", ""]) {
        assert.deepStrictEqual(outcome(yield* read(dana, path)), [404, "NOT_FOUND"], path)
      }
      assert.strictEqual((yield* post(dana, "/session")).status, 404)
      assert.strictEqual((yield* send("GET", `${workspace}/account/remove`)).status, 404)
    })
  )

  it.effect("A body of an operation without one is refused, after the form of the id and before the operation", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const body = { confirmed: true }
      const unnamed = yield* post(dana, "/grants/grant_1/revoke", body)
      assert.deepStrictEqual(outcome(unnamed), [404, "NOT_FOUND"])
      for (const path of [`/grants/grant_${uuid()}/revoke`, "/account", "/session/sign-out"]) {
        for (const options of [{ body }, { raw: "null" }, { headers: { "transfer-encoding": "chunked" } }]) {
          const answer = yield* post(dana, path, undefined, options)
          assert.deepStrictEqual(outcome(answer), [400, "INVALID_REQUEST"], path)
          assertRefusal(answer)
        }
      }
      assert.strictEqual((yield* read(dana, "/session")).status, 200)
    })
  )

  it.effect("A person's body is read strictly", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const body = grantInput(dana)
      const text = JSON.stringify(body)
      const sent = [
        JSON.stringify({ ...body, admin: true }),
        JSON.stringify({ ...body, agentName: "a\0b" }),
        text.replace('"Scout"', String.raw`"\ud800"`),
        text.replace('"Scout"', '""'),
        JSON.stringify({ ...body, agentName: "x".repeat(limits.titleCharacters + 1) }),
        text.replace("{", '{"role":"SUPPLIER",'),
        JSON.stringify({ ...body, requestId: "1" }),
        JSON.stringify({ ...body, requestId: body.requestId.toUpperCase() }),
        JSON.stringify({ ...body, actions: ["REVIEW_DELIVERY", "REVIEW_DELIVERY"] }),
        JSON.stringify({ ...body, actions: ["ADMINISTER"] }),
        JSON.stringify({ ...body, expiresAt: "2026-11-30" }),
        JSON.stringify({ ...body, projectIds: ["delivery_1"] }),
        "[]",
        "",
        text.slice(1)
      ]
      for (const raw of sent) {
        const answer = yield* post(dana, "/grants", undefined, { raw })
        assert.deepStrictEqual(outcome(answer), [400, "INVALID_REQUEST"], raw)
        assertRefusal(answer)
      }
      assert.lengthOf((yield* read(dana, "/grants")).body.grants, 0)
    })
  )
})
