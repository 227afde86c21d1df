import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { addMilliseconds, type Instant } from "../../../src/vocabulary/instant.ts"
import { limits } from "../../../src/vocabulary/limits.ts"
import { assertRefusal } from "../../support/errors.ts"
import { inAnotherSession, makeUnnamedProject } from "../../support/person-requests.ts"
import { uuid } from "../../support/parties.ts"
import { freshTestService, send } from "../../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../../support/sessions.ts"
import { at } from "../../support/time.ts"
import { agentChoice, createdBody, outcome, post, read } from "../../support/workspace.ts"

const noon = "2026-11-21T12:00:00.000Z" as Instant
const after = (milliseconds: number) => at(addMilliseconds(noon, milliseconds))
const agents = "/api/agents/v1"

const start = (changes: object = {}) =>
  Effect.map(
    send("POST", `${agents}/connections`, { body: { agentName: "Scout", client: "scout 1.0", ...changes } }),
    createdBody
  )

const poll = (deviceCode: string) => send("POST", `${agents}/connections/poll`, { body: { deviceCode } })

const enter = (by: SignedInPerson, userCode: string) => post(by, "/connections/enter", { userCode })

const approval = (by: SignedInPerson, changes: object = {}) => ({ codeMatches: true, ...agentChoice(by, changes) })

/** A connection started at noon, its code entered by Dana. */
const entered = Effect.gen(function* () {
  const dana = yield* signInNewPerson("Dana")
  const asked = { requestedRole: "BUYER", requestedActions: ["CREATE_PROJECT", "CONFIRM_COMPLETION"] }
  const connection = yield* start(asked)
  const { connectionId } = createdBody(yield* enter(dana, connection.userCode))
  return { dana, ...connection, connectionId, path: `/connections/${connectionId}` }
}).pipe(at(noon))

layer(freshTestService, { excludeTestServices: true })("answers of a person to a connection", (it) => {
  it.effect("A connection needs an agent name and a client with a visible character", () =>
    Effect.gen(function* () {
      for (const member of ["agentName", "client"]) {
        for (const text of [" ", "\u2800", "\u200b\u3164 \u00a0", "\t"]) {
          const body = { agentName: "Scout", client: "scout 1.0", [member]: text }
          const answer = yield* send("POST", `${agents}/connections`, { body })
          assert.deepStrictEqual(
            [answer.status, answer.body.issues?.map(({ path }: { readonly path: string }) => path)],
            [400, [member]],
            JSON.stringify(body)
          )
        }
      }
      assert.strictEqual((yield* start({ agentName: " 株\u2800" })).interval, 5)
    })
  )

  it.effect("A connection shows its request, and its grant has exactly the chosen authority", () =>
    Effect.gen(function* () {
      const { dana, deviceCode, connectionId, path, expiresAt } = yield* entered
      const projectId = yield* makeUnnamedProject(dana).pipe(at(noon))
      const shown = yield* read(dana, path).pipe(at(noon))
      assert.deepStrictEqual(shown.body, {
        connectionId,
        agentName: "Scout",
        client: "scout 1.0",
        origin: null,
        requestedRole: "BUYER",
        requestedActions: ["CREATE_PROJECT", "CONFIRM_COMPLETION"],
        createdAt: noon,
        expiresAt,
        state: "PENDING"
      })
      const chosen = { actions: ["REVIEW_DELIVERY"], projectIds: [projectId] }
      const approved = yield* post(dana, `${path}/approve`, approval(dana, chosen)).pipe(after(1_000))
      assert.hasAllKeys(approved.body, ["connectionId", "grantId"])
      const again = yield* post(dana, `${path}/approve`, approval(dana)).pipe(after(2_000))
      assert.deepStrictEqual(again.body, approved.body)
      const { grantId } = approved.body
      const waiting = (yield* read(dana, `/grants/${grantId}`).pipe(after(2_000))).body
      assert.deepInclude(waiting, { ...chosen, agentName: "Scout", isCollected: false, lastUsedAt: null })
      const collected = yield* poll(deviceCode).pipe(after(5_000))
      assert.strictEqual(collected.body.state, "CONNECTED")
      const { token } = collected.body.credential
      const grant = (yield* send("GET", `${agents}/me`, { token }).pipe(after(5_000))).body
      assert.deepInclude(grant, { id: grantId, ...chosen })
      assert.strictEqual((yield* read(dana, path).pipe(after(6_000))).body.state, "COLLECTED")
    })
  )

  it.effect("A denied connection yields no credential", () =>
    Effect.gen(function* () {
      const { dana, deviceCode, connectionId, path } = yield* entered
      const denied = yield* post(dana, `${path}/deny`).pipe(after(1_000))
      assert.deepStrictEqual([denied.status, denied.body], [200, { connectionId }])
      assert.strictEqual((yield* post(dana, `${path}/deny`).pipe(after(1_000))).status, 200)
      assert.deepStrictEqual(outcome(yield* poll(deviceCode).pipe(after(5_000))), [409, "CONNECTION_DENIED"])
      const refused = yield* post(dana, `${path}/approve`, approval(dana)).pipe(after(2_000))
      assert.deepStrictEqual(outcome(refused), [409, "CONNECTION_DENIED"])
      assert.lengthOf((yield* read(dana, "/grants").pipe(at(noon))).body.grants, 0)
    })
  )

  it.effect("An approved connection cannot be denied", () =>
    Effect.gen(function* () {
      const { dana, path } = yield* entered
      createdBody(yield* post(dana, `${path}/approve`, approval(dana)).pipe(after(1_000)))
      const refused = yield* post(dana, `${path}/deny`).pipe(after(2_000))
      assert.deepStrictEqual(outcome(refused), [409, "STATE_CONFLICT"])
    })
  )

  it.effect("A connection is unknown to every session but the one that entered its code", () =>
    Effect.gen(function* () {
      const { dana, userCode, path } = yield* entered
      const sam = yield* signInNewPerson("Sam").pipe(at(noon))
      for (const by of [sam, yield* inAnotherSession(dana).pipe(at(noon))]) {
        const answers = [
          yield* enter(by, userCode).pipe(at(noon)),
          yield* read(by, path).pipe(at(noon)),
          yield* post(by, `${path}/approve`, approval(by)).pipe(at(noon)),
          yield* post(by, `${path}/deny`).pipe(at(noon))
        ]
        for (const answer of answers) {
          assert.deepStrictEqual(outcome(answer), [404, "USER_CODE_UNKNOWN"])
          assertRefusal(answer)
        }
      }
      const unknown = yield* read(dana, `/connections/connection_${uuid()}`).pipe(at(noon))
      assert.deepStrictEqual(outcome(unknown), [404, "USER_CODE_UNKNOWN"])
      assert.strictEqual((yield* enter(dana, userCode).pipe(at(noon))).status, 200)
    })
  )

  it.effect("A connection ends after ten minutes", () =>
    Effect.gen(function* () {
      const { dana, userCode, path } = yield* entered
      const late = after(limits.connectionLifetime)
      // The session that entered its code can still read the outcome.
      assert.strictEqual((yield* read(dana, path).pipe(late)).body.state, "PENDING")
      assert.deepStrictEqual(outcome(yield* enter(dana, userCode).pipe(late)), [404, "USER_CODE_UNKNOWN"])
      const refused = yield* post(dana, `${path}/approve`, approval(dana)).pipe(late)
      assert.deepStrictEqual(outcome(refused), [404, "USER_CODE_UNKNOWN"])
      const denied = yield* post(dana, `${path}/deny`).pipe(late)
      assert.deepStrictEqual(outcome(denied), [404, "USER_CODE_UNKNOWN"])
    })
  )

  it.effect("An approval needs a matching code, a party, and the consents of its actions", () =>
    Effect.gen(function* () {
      const { dana, path } = yield* entered
      const guarded = { actions: ["CONFIRM_COMPLETION"] }
      const consented = { ...guarded, consents: ["CONFIRM_COMPLETION"] }
      const approve = (changes: object, milliseconds = 0) =>
        post(dana, `${path}/approve`, approval(dana, changes)).pipe(after(milliseconds))
      const refused: ReadonlyArray<readonly [changes: object, status: number, code: string]> = [
        [{ codeMatches: false }, 400, "INVALID_REQUEST"],
        [{ codeMatches: undefined }, 400, "INVALID_REQUEST"],
        [{ agentName: "Another" }, 400, "INVALID_REQUEST"],
        [guarded, 400, "INVALID_REQUEST"],
        [{ projectIds: [`delivery_${uuid()}`] }, 403, "FORBIDDEN"],
        [{ organizationId: `organization_${uuid()}` }, 404, "UNKNOWN_PARTY"]
      ]
      for (const [changes, status, code] of refused) {
        assert.deepStrictEqual(outcome(yield* approve(changes)), [status, code], JSON.stringify(changes))
      }
      const stale = yield* approve(consented, limits.recentSignIn)
      assert.deepStrictEqual(outcome(stale), [401, "RECENT_SIGN_IN_REQUIRED"])
      assert.strictEqual((yield* approve(consented, limits.recentSignIn - 1)).status, 200)
    })
  )

  it.effect("Five wrong codes refuse further guesses for ten minutes", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana").pipe(at(noon))
      const { userCode } = yield* start().pipe(at(noon))
      for (let wrong = 0; wrong < limits.attemptsPerPerson; wrong++) {
        const answer = yield* enter(dana, ["BCDF-GHJK", "nonsense"][wrong % 2]!).pipe(at(noon))
        assert.deepStrictEqual(outcome(answer), [404, "USER_CODE_UNKNOWN"])
      }
      const locked = yield* enter(dana, userCode).pipe(at(noon))
      assert.deepStrictEqual(outcome(locked), [503, "TOO_MANY_ATTEMPTS"])
      assert.strictEqual(locked.headers["retry-after"], String(limits.attemptsWindow / 1000))
      const sam = yield* signInNewPerson("Sam").pipe(at(noon))
      assert.strictEqual((yield* enter(sam, userCode.toLowerCase().replace("-", " ")).pipe(at(noon))).status, 200)
      const another = yield* start().pipe(after(limits.attemptsWindow))
      assert.strictEqual((yield* enter(dana, another.userCode).pipe(after(limits.attemptsWindow))).status, 200)
    })
  )
})
