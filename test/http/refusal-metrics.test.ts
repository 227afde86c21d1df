/** Refusals of operations and pages are counted by their code, and the count shows in no response. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { refusals } from "../../src/vocabulary/refusal-rules.ts"
import { valuesByLabels, withOwnMetrics } from "../support/metrics.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { send, siteUrl } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { cookieOf, post, read } from "../support/workspace.ts"

const counted = valuesByLabels("countersign_refusals_total")

layer(memoryTestService, { excludeTestServices: true })("refusals", (it) => {
  it.effect("A refused operation and a refused page are counted by code and status, an answer is not.", () =>
    Effect.gen(function* () {
      const person = yield* signInNewPerson("Dana")
      const page = { headers: { cookie: cookieOf(person.token), origin: siteUrl } }
      assert.strictEqual((yield* read(person, "/session")).status, 200)
      assert.deepStrictEqual(yield* counted, {})
      for (const [status, sent] of [
        [401, send("GET", "/api/agents/v1/me", { token: "unknown" })],
        [404, send("GET", "/api/agents/v1/no-such-operation")],
        [403, read(person, "/projects/delivery_00000000-0000-4000-8000-000000000000")],
        [400, post(person, "/grants", {})],
        [403, send("GET", "/workspace/projects/delivery_00000000-0000-4000-8000-000000000000", page)],
        [401, send("GET", "/workspace/account")]
      ] as const) {
        const refused = yield* sent
        assert.strictEqual(refused.status, status, refused.text)
        assert.notProperty(refused.headers, "countersign-refusal")
      }
      assert.deepStrictEqual(yield* counted, {
        "AUTH_INVALID 401": 1,
        "NOT_FOUND 404": 1,
        "FORBIDDEN 403": 2,
        "INVALID_REQUEST 400": 1,
        "SIGN_IN_REQUIRED 401": 1
      })
    }).pipe(withOwnMetrics)
  )

  it.effect("A code that is not registered is no label.", () =>
    Effect.gen(function* () {
      yield* send("GET", "/workspace/account", { headers: { "countersign-refusal": "OTHER" } })
      const codes = Object.keys(yield* counted).map((labels) => labels.split(" ")[0]!)
      assert.deepStrictEqual(codes, ["SIGN_IN_REQUIRED"])
      for (const code of codes) assert.property(refusals, code)
    }).pipe(withOwnMetrics)
  )
})
