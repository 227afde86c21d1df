/** An ended credential that an instance has authenticated before is refused wherever a request may fail otherwise. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { makeAgent, uuid, buyerActions, supplierActions } from "../support/parties.ts"
import { emptyRequests, validRequests } from "../support/requests.ts"
import { everyRow } from "../support/rows.ts"
import { freshTestService, send, type SendOptions } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"

const agents = "/api/agents/v1"

/** Ways in which a request may fail before and after its authority is checked. */
const contentsOf = (body: unknown): ReadonlyArray<readonly [what: string, content: SendOptions]> => [
  ["as it is", body === undefined ? {} : { body }],
  ...(body === undefined
    ? []
    : ([
        ["without members", { body: {} }],
        ["with an unknown member", { body: { ...(body as object), unknown: 1 } }],
        ["cut off", { raw: JSON.stringify(body).slice(0, -1) }],
        ["as a text", { raw: JSON.stringify(body), headers: { "content-type": "text/plain" } }],
        ["twice", { raw: `{"requestId":"a","requestId":"b"}` }]
      ] as const))
]

layer(freshTestService, { excludeTestServices: true })("an ended credential", (it) => {
  it.effect(
    "A revoked token that was used before is refused with 401 by every operation, whatever else is wrong, and changes nothing",
    () =>
      Effect.gen(function* () {
        const dana = yield* signInNewPerson("Dana")
        const used = yield* Effect.forEach(["BUYER", "SUPPLIER"] as const, (role) =>
          makeAgent(dana, role, role === "BUYER" ? buyerActions : supplierActions)
        )
        const requests = [...(yield* validRequests), ...(yield* emptyRequests)].filter(({ path }) =>
          path.startsWith(agents)
        )
        const reads = ["/me", `/projects/delivery_${uuid()}`, "/projects/none", "/proposals", "/jobs", "/webhooks"]
        for (const agent of used) {
          assert.strictEqual((yield* send("GET", `${agents}/me`, agent)).status, 200)
          yield* revokeGrant("OPERATOR", agent)
        }
        const before = yield* everyRow
        for (const { token } of used) {
          for (const { path, body } of requests) {
            if (path.includes("/connections")) continue
            for (const [what, content] of contentsOf(body)) {
              const answer = yield* send("POST", path, { ...content, token })
              assert.deepStrictEqual([answer.status, answer.body?.error], [401, "AUTH_INVALID"], `${path} ${what}`)
            }
          }
          for (const path of reads) {
            const answer = yield* send("GET", `${agents}${path}`, { token })
            assert.deepStrictEqual([answer.status, answer.body?.error], [401, "AUTH_INVALID"], path)
          }
        }
        assert.deepStrictEqual(yield* everyRow, before)
      })
  )

  it.effect("The use of a token that an instance knows is recorded again after a minute, and not before.", () =>
    Effect.gen(function* () {
      const agent = yield* makeAgent(yield* signInNewPerson("Dana"), "BUYER", [])
      const credentials = Effect.map(everyRow, (rows) => rows["credentials"])
      yield* send("GET", `${agents}/me`, agent)
      const first = yield* credentials
      yield* send("GET", `${agents}/me`, agent)
      assert.deepStrictEqual(yield* credentials, first)
      yield* send("GET", `${agents}/me`, agent).pipe(at(addMilliseconds(yield* now, limits.lastUseResolution + 1_000)))
      assert.notDeepEqual(yield* credentials, first)
    })
  )
})
