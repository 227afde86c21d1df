/** The page of a connection after its answer or its time: what became of it, for the session that typed its code. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readOwnGrant, revokeGrant } from "../../src/access/grants.ts"
import { pollConnection, startConnection } from "../../src/access/connections.ts"
import { sweepConnections } from "../../src/access/sweep.ts"
import { addMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { hiddenIn, open, post, submit } from "../support/forms.ts"
import { freshTestService } from "../support/service.ts"
import { inAnotherSession } from "../support/human-requests.ts"
import { signInAnew } from "../support/sessions.ts"
import { at } from "../support/time.ts"

const noon = "2026-11-21T12:00:00.000Z" as Instant
const over = at(addMilliseconds(noon, limits.connectionLifetime))

/** A person who typed the code of an agent at noon, with the two tabs in which the second step is open. */
const begun = Effect.gen(function* () {
  const person = yield* signInAnew("Dana")
  const { userCode, deviceCode } = yield* startConnection({ agentName: "Scout", client: "scout" }, "203.0.113.7")
  const jar = { session: person.token }
  const path = (yield* submit("/workspace/connect", { code: userCode }, jar)).headers["location"] ?? ""
  const step = `${path}?organizationId=${person.organizationId}&role=BUYER`
  const formToken = hiddenIn((yield* open(step, jar)).text, "formToken")
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

layer(freshTestService, { excludeTestServices: true })("a connection that is over", (it) => {
  it.effect("was answered by nobody", () =>
    Effect.gen(function* () {
      const { person, jar, path, step, fine } = yield* begun
      for (const sweep of [Effect.void, sweepConnections()]) {
        yield* over(sweep)
        for (const address of [path, step]) {
          const { status, text } = yield* over(open(address, jar))
          assert.strictEqual(status, 200)
          assert.include(text, "Nobody answered within ten minutes: the agent got nothing.")
          assert.notInclude(text, "APPROVE")
        }
        for (const decision of ["APPROVE", "DENY"]) {
          const late = yield* over(post(path, { ...fine, decision }, jar))
          assert.deepStrictEqual([late.status, late.headers["location"]], [303, path])
        }
      }
      const other = yield* at(noon)(inAnotherSession(person))
      assert.strictEqual((yield* over(open(path, { session: other.token }))).status, 404)
    })
  )

  it.effect("was denied", () =>
    Effect.gen(function* () {
      const { jar, path, fine } = yield* begun
      assert.strictEqual((yield* at(noon)(post(path, { ...fine, decision: "DENY" }, jar))).status, 303)
      assert.include((yield* over(open(path, jar))).text, "You denied the agent")
      yield* over(sweepConnections())
      assert.include((yield* over(open(path, jar))).text, "You denied the agent")
    })
  )

  it.effect("was approved and collected", () =>
    Effect.gen(function* () {
      const { jar, path, fine, deviceCode } = yield* begun
      assert.strictEqual((yield* at(noon)(post(path, fine, jar))).status, 303)
      assert.strictEqual((yield* at(noon)(pollConnection(deviceCode))).state, "CONNECTED")
      assert.include((yield* over(open(path, jar))).text, "It has collected its credential.")
    })
  )

  it.effect("was approved and never collected", () =>
    Effect.gen(function* () {
      const { jar, path, fine } = yield* begun
      assert.strictEqual((yield* at(noon)(post(path, fine, jar))).status, 303)
      for (const sweep of [Effect.void, sweepConnections()]) {
        yield* over(sweep)
        assert.include((yield* over(open(path, jar))).text, "did not collect what you gave it in time")
        const late = yield* over(post(path, fine, jar))
        assert.deepStrictEqual([late.status, late.headers["location"]], [303, path])
      }
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("a connection in two tabs", (it) => {
  it.effect("has what was approved first, and the second tab says so", () =>
    Effect.gen(function* () {
      const { person, jar, path, fine } = yield* begun
      const first = { ...fine, preset: "CHOSEN", actions: "CREATE_PROJECT", days: "2" }
      assert.strictEqual((yield* at(noon)(post(path, first, jar))).status, 303)
      const second = yield* at(noon)(post(path, { ...fine, preset: "REVIEW" }, jar))
      assert.strictEqual(second.status, 409)
      const shown = yield* at(noon)(open(path, jar))
      assert.strictEqual(shown.status, 200)
      for (const { text } of [second, shown]) {
        assert.include(text, "Create agreements that bind your organization as buyer")
        assert.notInclude(text, "Review what is delivered")
        assert.include(text, "23 November 2026")
        assert.notInclude(text, "that you chose")
      }
      assert.include(second.text, "was approved already")
      assert.notInclude(shown.text, "was approved already")
      const [, grantId = ""] = /\/workspace\/agents\/(grant_[0-9a-f-]+)/.exec(shown.text) ?? []
      assert.deepStrictEqual((yield* readOwnGrant(person, grantId)).grant.actions, ["CREATE_PROJECT"])
      yield* at(noon)(revokeGrant(person, { grantId }))
      assert.include((yield* at(noon)(open(path, jar))).text, "revoked")
    })
  )
})
