/** The page of an answered or expired connection, for the session that typed its code. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readOwnGrant, revokeGrant } from "../../src/access/grants.ts"
import { pollConnection, startConnection } from "../../src/access/connections.ts"
import { sweepConnections } from "../../src/access/sweep.ts"
import { addMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { hiddenIn, openPage, post, submit } from "../support/forms.ts"
import { freshTestService } from "../support/service.ts"
import { inAnotherSession } from "../support/person-requests.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"

const noon = "2026-11-21T12:00:00.000Z" as Instant
const atExpiry = at(addMilliseconds(noon, limits.connectionLifetime))

/** A person who typed an agent's user code at noon, with the second step open in two tabs. */
const connectionAtConsent = Effect.gen(function* () {
  const person = yield* signInNewPerson("Dana")
  const { userCode, deviceCode } = yield* startConnection({ agentName: "Scout", client: "scout" }, "203.0.113.7")
  const jar = { session: person.token }
  const path = (yield* submit("/workspace/connect", { code: userCode }, jar)).headers["location"] ?? ""
  const step = `${path}?organizationId=${person.organizationId}&role=BUYER`
  const formToken = hiddenIn((yield* openPage(step, jar)).text, "formToken")
  const fine = {
    formToken,
    organizationId: person.organizationId,
    role: "BUYER",
    preset: "READ_ONLY",
    days: "30",
    codeMatches: "on",
    decision: "APPROVE"
  }
  return { person, userCode, deviceCode, jar, path, step, fine }
}).pipe(at(noon))

layer(freshTestService, { excludeTestServices: true })("ended connections", (it) => {
  it.effect("The page of an expired connection states that the agent got no access.", () =>
    Effect.gen(function* () {
      const { person, jar, path, step, fine } = yield* connectionAtConsent
      for (const sweep of [Effect.void, sweepConnections()]) {
        yield* atExpiry(sweep)
        for (const address of [path, step]) {
          const { status, text } = yield* atExpiry(openPage(address, jar))
          assert.strictEqual(status, 200)
          assert.include(text, "The request was not answered within ten minutes: the agent got no access.")
          assert.notInclude(text, "APPROVE")
        }
        for (const decision of ["APPROVE", "DENY"]) {
          const late = yield* atExpiry(post(path, { ...fine, decision }, jar))
          assert.deepStrictEqual([late.status, late.headers["location"]], [303, path])
        }
      }
      const other = yield* at(noon)(inAnotherSession(person))
      assert.strictEqual((yield* atExpiry(openPage(path, { session: other.token }))).status, 404)
    })
  )

  it.effect("The page of a denied connection states the denial, also after the connection is swept.", () =>
    Effect.gen(function* () {
      const { jar, path, fine } = yield* connectionAtConsent
      assert.strictEqual((yield* at(noon)(post(path, { ...fine, decision: "DENY" }, jar))).status, 303)
      assert.include((yield* atExpiry(openPage(path, jar))).text, "You denied the agent")
      yield* atExpiry(sweepConnections())
      assert.include((yield* atExpiry(openPage(path, jar))).text, "You denied the agent")
    })
  )

  it.effect("The page of an approved connection states that the agent collected its credential.", () =>
    Effect.gen(function* () {
      const { jar, path, fine, deviceCode } = yield* connectionAtConsent
      assert.strictEqual((yield* at(noon)(post(path, fine, jar))).status, 303)
      assert.strictEqual((yield* at(noon)(pollConnection(deviceCode))).state, "CONNECTED")
      assert.include((yield* atExpiry(openPage(path, jar))).text, "It has collected its credential.")
    })
  )

  it.effect("The page of an approved connection states that the agent did not collect its credential in time.", () =>
    Effect.gen(function* () {
      const { jar, path, fine } = yield* connectionAtConsent
      assert.strictEqual((yield* at(noon)(post(path, fine, jar))).status, 303)
      for (const sweep of [Effect.void, sweepConnections()]) {
        yield* atExpiry(sweep)
        assert.include((yield* atExpiry(openPage(path, jar))).text, "did not collect its credential in time")
        const late = yield* atExpiry(post(path, fine, jar))
        assert.deepStrictEqual([late.status, late.headers["location"]], [303, path])
      }
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("a connection in two tabs", (it) => {
  it.effect("The first of two approvals takes effect; the second is refused with 409 and the granted access.", () =>
    Effect.gen(function* () {
      const { person, jar, path, fine } = yield* connectionAtConsent
      const first = { ...fine, preset: "CHOSEN", actions: "CREATE_PROJECT", days: "2" }
      assert.strictEqual((yield* at(noon)(post(path, first, jar))).status, 303)
      const second = yield* at(noon)(post(path, { ...fine, preset: "REVIEW" }, jar))
      assert.strictEqual(second.status, 409)
      const shown = yield* at(noon)(openPage(path, jar))
      assert.strictEqual(shown.status, 200)
      for (const { text } of [second, shown]) {
        assert.include(text, "Create agreements that bind your organization as buyer")
        assert.notInclude(text, "Review deliveries")
        assert.include(text, "23 November 2026")
        assert.notInclude(text, "that you chose")
      }
      assert.include(second.text, "was already approved")
      assert.notInclude(shown.text, "was already approved")
      const [, grantId = ""] = /\/workspace\/agents\/(grant_[0-9a-f-]+)/.exec(shown.text) ?? []
      assert.deepStrictEqual((yield* readOwnGrant(person, grantId)).grant.actions, ["CREATE_PROJECT"])
      yield* at(noon)(revokeGrant(person, { grantId }))
      assert.include((yield* at(noon)(openPage(path, jar))).text, "revoked")
    })
  )
})
