import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { approveConnection, denyConnection, enterUserCode, readConnection } from "../../src/access/approval.ts"
import { pollConnection, startConnection, type PollResult } from "../../src/access/connections.ts"
import { renewGrant, revokeGrant } from "../../src/access/grants.ts"
import { sweepConnections } from "../../src/access/sweep.ts"
import { endMembership } from "../../src/people/memberships.ts"
import { endSession, signIn } from "../../src/people/sessions.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { addMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import type { Refusal } from "../../src/vocabulary/refusals.ts"
import { uuid } from "../support/parties.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"

const noon = "2026-11-21T12:00:00.000Z" as Instant
const after = (seconds: number) => addMilliseconds(noon, seconds * 1000)

const codeOf = <A, R>(operation: Effect.Effect<A, Refusal, R>) =>
  Effect.match(operation, { onFailure: ({ code }) => code as string, onSuccess: () => "DONE" })

const stateOf = <R>(poll: Effect.Effect<PollResult, Refusal, R>) =>
  Effect.match(poll, { onFailure: ({ code }) => code as string, onSuccess: ({ state }) => state as string })

const connectionInput = { agentName: "Scout", client: "scout 1.0", requestedRole: "BUYER" as const }

const choice = ({ organizationId }: SignedInPerson) => ({
  organizationId,
  role: "BUYER" as const,
  actions: ["CREATE_PROJECT"] as const,
  consents: [],
  projectIds: [],
  subjectRequirements: []
})

/** A connection started at noon, and a person who signed in then. */
const startedConnection = Effect.gen(function* () {
  const dana = yield* signInNewPerson("Dana")
  const connection = yield* startConnection(connectionInput, "203.0.113.7")
  return { dana, ...connection }
}).pipe(at(noon))

/** The same, approvedConnection a second later. */
const approvedConnection = Effect.gen(function* () {
  const { dana, userCode, deviceCode } = yield* startedConnection
  const { connectionId } = yield* enterUserCode(dana, userCode, "203.0.113.8").pipe(at(after(1)))
  const { grantId } = yield* approveConnection(dana, connectionId, choice(dana)).pipe(at(after(1)))
  return { dana, userCode, deviceCode, connectionId, grantId }
})

const collectedConnection = Effect.gen(function* () {
  const connection = yield* approvedConnection
  const poll = yield* pollConnection(connection.deviceCode).pipe(at(after(5)))
  if (poll.state !== "CONNECTED") throw new Error(poll.state)
  return { ...connection, ...poll.credential }
})

const me = (token: string) => send("GET", "/api/agents/v1/me", { token })

layer(freshTestService, { excludeTestServices: true })("connections", (it) => {
  it.effect(
    "A connection has no authority until approvedConnection, then yields one credential with exactly the chosen authority",
    () =>
      Effect.gen(function* () {
        const { dana, userCode, deviceCode } = yield* startedConnection
        assert.strictEqual(yield* stateOf(pollConnection(deviceCode).pipe(at(noon))), "PENDING")
        const { connectionId } = yield* enterUserCode(dana, userCode.toLowerCase(), undefined).pipe(at(after(2)))
        const shown = yield* readConnection(dana, connectionId).pipe(at(after(2)))
        assert.deepInclude(shown, { agentName: "Scout", client: "scout 1.0", origin: "203.0.113.7" })
        assert.strictEqual(yield* stateOf(pollConnection(deviceCode).pipe(at(after(5)))), "PENDING")
        yield* approveConnection(dana, connectionId, choice(dana)).pipe(at(after(6)))
        const poll = yield* pollConnection(deviceCode).pipe(at(after(10)))
        assert.strictEqual(poll.state, "CONNECTED")
        if (poll.state !== "CONNECTED") return
        const grant = yield* me(poll.credential.token).pipe(at(after(11)))
        assert.strictEqual(grant.status, 200)
        assert.deepInclude(grant.body, {
          id: poll.credential.grantId,
          agentId: poll.credential.agentId,
          delegatedBy: dana.personId,
          role: "BUYER",
          actions: ["CREATE_PROJECT"],
          expiresAt: poll.credential.expiresAt
        })
      })
  )

  it.effect("An early poll is answered SLOW_DOWN in every state and increases the interval permanently", () =>
    Effect.gen(function* () {
      const { dana, userCode, deviceCode } = yield* startedConnection
      const polled = (seconds: number) => pollConnection(deviceCode).pipe(at(after(seconds)))
      assert.deepInclude(yield* polled(0), { state: "PENDING", interval: 5 })
      assert.deepInclude(yield* polled(4), { state: "SLOW_DOWN", interval: 10 })
      assert.deepInclude(yield* polled(14), { state: "PENDING", interval: 10 })
      const { connectionId } = yield* enterUserCode(dana, userCode, undefined).pipe(at(after(15)))
      yield* approveConnection(dana, connectionId, choice(dana)).pipe(at(after(15)))
      assert.deepInclude(yield* polled(23), { state: "SLOW_DOWN", interval: 15 })
      assert.deepInclude(yield* polled(38), { state: "CONNECTED", interval: 15 })
      assert.deepInclude(yield* polled(40), { state: "SLOW_DOWN", interval: 20 })
      assert.deepInclude(yield* polled(60), { state: "CONNECTED", interval: 20 })
    })
  )

  it.effect("A poll returns the same credential until its first use", () =>
    Effect.gen(function* () {
      const { deviceCode, token } = yield* collectedConnection
      const again = yield* pollConnection(deviceCode).pipe(at(after(10)))
      assert.deepInclude(again, { state: "CONNECTED" })
      assert.strictEqual(again.state === "CONNECTED" && again.credential.token, token)
      assert.strictEqual((yield* me(token).pipe(at(after(11)))).status, 200)
      assert.strictEqual(yield* stateOf(pollConnection(deviceCode).pipe(at(after(20)))), "CONNECTION_EXPIRED")
    })
  )

  it.effect("A hundred polls racing an approval yield exactly one credential", () =>
    Effect.gen(function* () {
      const { dana, userCode, deviceCode } = yield* startedConnection
      const { connectionId } = yield* enterUserCode(dana, userCode, undefined).pipe(at(after(1)))
      const polls = Array.from({ length: 100 }, () =>
        Effect.match(pollConnection(deviceCode).pipe(at(after(10))), {
          onFailure: ({ code }) => code as string,
          onSuccess: (poll) => (poll.state === "CONNECTED" ? poll.credential.token : poll.state)
        })
      )
      const approval = approveConnection(dana, connectionId, choice(dana)).pipe(at(after(10)))
      const [, answers] = yield* Effect.all([approval, Effect.all(polls, { concurrency: 100 })], { concurrency: 2 })
      const rest = answers.filter((answer) => !answer.startsWith("dda_"))
      for (const state of rest) assert.include(["PENDING", "SLOW_DOWN"], state)
      // Once the increased interval has passed, every poll returns the same credential.
      const last = yield* pollConnection(deviceCode).pipe(at(after(520)))
      if (last.state !== "CONNECTED") return assert.fail(last.state)
      const tokens = new Set([...answers.filter((answer) => answer.startsWith("dda_")), last.credential.token])
      assert.strictEqual(tokens.size, 1)
      assert.strictEqual((yield* me(last.credential.token).pipe(at(after(521)))).status, 200)
    })
  )

  it.effect("A connection expires after ten minutes, to the millisecond, for agent and person", () =>
    Effect.gen(function* () {
      const { dana, userCode, deviceCode, expiresAt } = yield* startedConnection
      assert.strictEqual(expiresAt, after(600))
      const last = addMilliseconds(expiresAt, -1)
      const { connectionId } = yield* enterUserCode(dana, userCode, undefined).pipe(at(last))
      assert.strictEqual(yield* stateOf(pollConnection(deviceCode).pipe(at(last))), "PENDING")
      assert.strictEqual(yield* stateOf(pollConnection(deviceCode).pipe(at(expiresAt))), "CONNECTION_EXPIRED")
      assert.strictEqual((yield* readConnection(dana, connectionId).pipe(at(expiresAt))).state, "PENDING")
      const late = approveConnection(dana, connectionId, choice(dana)).pipe(at(expiresAt))
      assert.strictEqual(yield* codeOf(late), "USER_CODE_UNKNOWN")
      assert.strictEqual(
        yield* codeOf(enterUserCode(dana, userCode, undefined).pipe(at(expiresAt))),
        "USER_CODE_UNKNOWN"
      )
    })
  )

  it.effect("A denial ends a connection, and a later approval has no effect", () =>
    Effect.gen(function* () {
      const { dana, userCode, deviceCode } = yield* startedConnection
      const { connectionId } = yield* enterUserCode(dana, userCode, undefined).pipe(at(after(1)))
      yield* denyConnection(dana, connectionId).pipe(at(after(2)))
      yield* denyConnection(dana, connectionId).pipe(at(after(2)))
      assert.strictEqual(yield* stateOf(pollConnection(deviceCode).pipe(at(after(5)))), "CONNECTION_DENIED")
      const approval = approveConnection(dana, connectionId, choice(dana)).pipe(at(after(6)))
      assert.strictEqual(yield* codeOf(approval), "CONNECTION_DENIED")
    })
  )

  it.effect("A connection belongs to the first session that entered its code", () =>
    Effect.gen(function* () {
      const { dana, userCode } = yield* startedConnection
      const other = yield* signInNewPerson("Mallory").pipe(at(noon))
      const sameInAnotherBrowser = yield* signIn(dana.identity, { isInvited: false }).pipe(at(noon))
      const { connectionId } = yield* enterUserCode(dana, userCode, undefined).pipe(at(after(1)))
      assert.deepStrictEqual(yield* enterUserCode(dana, userCode, undefined).pipe(at(after(1))), { connectionId })
      for (const late of [other, sameInAnotherBrowser]) {
        assert.strictEqual(
          yield* codeOf(enterUserCode(late, userCode, undefined).pipe(at(after(2)))),
          "USER_CODE_UNKNOWN"
        )
        assert.strictEqual(yield* codeOf(readConnection(late, connectionId).pipe(at(after(2)))), "USER_CODE_UNKNOWN")
        assert.strictEqual(yield* codeOf(denyConnection(late, connectionId).pipe(at(after(2)))), "USER_CODE_UNKNOWN")
      }
      const stolen = approveConnection(other, connectionId, choice(other)).pipe(at(after(2)))
      assert.strictEqual(yield* codeOf(stolen), "USER_CODE_UNKNOWN")
    })
  )

  it.effect("A fresh sign-in within a session keeps its connection and permits guarded actions", () =>
    Effect.gen(function* () {
      const { dana, userCode } = yield* startedConnection
      const { connectionId } = yield* enterUserCode(dana, userCode, undefined).pipe(at(after(1)))
      const guarded = {
        ...choice(dana),
        actions: ["CONFIRM_COMPLETION"] as const,
        consents: ["CONFIRM_COMPLETION"] as const
      }
      const late = after(301)
      const stale = approveConnection(dana, connectionId, guarded).pipe(at(late))
      assert.strictEqual(yield* codeOf(stale), "RECENT_SIGN_IN_REQUIRED")
      const proven = { ...dana.identity, authenticatedAt: late }
      const renewed = yield* signIn(proven, { current: dana.token, isInvited: false }).pipe(at(late))
      assert.notStrictEqual(renewed.token, dana.token)
      assert.strictEqual(renewed.sessionId, dana.sessionId)
      yield* approveConnection(renewed, connectionId, guarded).pipe(at(late))
    })
  )

  it.effect("Each guarded action needs its own consent", () =>
    Effect.gen(function* () {
      const { dana, userCode } = yield* startedConnection
      const { connectionId } = yield* enterUserCode(dana, userCode, undefined).pipe(at(after(1)))
      const actions = ["CONFIRM_COMPLETION", "ISSUE_RESULT_RECORD"] as const
      for (const consents of [[], ["CONFIRM_COMPLETION"], ["ISSUE_RESULT_RECORD"]] as const) {
        const approval = approveConnection(dana, connectionId, { ...choice(dana), actions, consents }).pipe(
          at(after(2))
        )
        assert.strictEqual(yield* codeOf(approval), "INVALID_REQUEST")
      }
      yield* approveConnection(dana, connectionId, { ...choice(dana), actions, consents: actions }).pipe(at(after(2)))
    })
  )

  it.effect("A signed-out session cannot approve a connection", () =>
    Effect.gen(function* () {
      const { dana, userCode } = yield* startedConnection
      const { connectionId } = yield* enterUserCode(dana, userCode, undefined).pipe(at(after(1)))
      yield* endSession(dana).pipe(at(after(2)))
      assert.strictEqual(
        yield* codeOf(approveConnection(dana, connectionId, choice(dana)).pipe(at(after(3)))),
        "SIGN_IN_REQUIRED"
      )
    })
  )

  it.effect("Collecting a credential fails after a revocation, a renewal or the end of the membership", () =>
    Effect.gen(function* () {
      const revoked = yield* approvedConnection
      yield* revokeGrant(revoked.dana, revoked).pipe(at(after(2)))
      assert.strictEqual(yield* stateOf(pollConnection(revoked.deviceCode).pipe(at(after(5)))), "CONNECTION_DENIED")

      const renewed = yield* collectedConnection
      const { dana, grantId } = renewed
      const renewal = { grantId, expectedGeneration: 1 }
      yield* renewGrant(dana, yield* nonIdempotentRequest(dana.personId), renewal).pipe(at(after(6)))
      assert.strictEqual(yield* stateOf(pollConnection(renewed.deviceCode).pipe(at(after(10)))), "CONNECTION_EXPIRED")
      assert.strictEqual((yield* me(renewed.token).pipe(at(after(7)))).status, 401)

      const removed = yield* approvedConnection
      yield* endMembership("OPERATOR", removed.dana).pipe(at(after(2)))
      assert.strictEqual(yield* stateOf(pollConnection(removed.deviceCode).pipe(at(after(5)))), "CONNECTION_DENIED")
    })
  )

  it.effect("An expired uncollected connection does not revoke a grant that was renewed in between", () =>
    Effect.gen(function* () {
      const { dana, grantId } = yield* approvedConnection
      const renewal = { grantId, expectedGeneration: 1 }
      const { token } = yield* renewGrant(dana, yield* nonIdempotentRequest(dana.personId), renewal).pipe(at(after(60)))
      yield* sweepConnections().pipe(at(after(600)))
      assert.strictEqual((yield* me(token).pipe(at(after(601)))).status, 200)
    })
  )

  it.effect(
    "An uncollected grant is revoked when its connection expires, and the connection is deleted a day later",
    () =>
      Effect.gen(function* () {
        const { dana, deviceCode, grantId } = yield* approvedConnection
        yield* sweepConnections().pipe(at(after(599)))
        const kept = yield* collectedConnection
        yield* sweepConnections().pipe(at(after(600)))
        const renewal = { grantId, expectedGeneration: 1 }
        const renewed = renewGrant(dana, yield* nonIdempotentRequest(dana.personId), renewal).pipe(at(after(601)))
        assert.strictEqual(yield* codeOf(renewed), "GRANT_REVOKED")
        assert.strictEqual((yield* me(kept.token).pipe(at(after(601)))).status, 200)
        assert.strictEqual(yield* stateOf(pollConnection(deviceCode).pipe(at(after(700)))), "CONNECTION_EXPIRED")
        yield* sweepConnections().pipe(at(addMilliseconds(after(600), limits.connectionRetention)))
        assert.strictEqual(yield* stateOf(pollConnection(deviceCode).pipe(at(after(90_000)))), "AUTH_INVALID")
      })
  )
})

layer(freshTestService, { excludeTestServices: true })("guesses of user codes", (it) => {
  const guess = (person: SignedInPerson, address: string, moment: Instant) =>
    codeOf(enterUserCode(person, "BCDF-GHJK", address).pipe(at(moment)))

  it.effect("After five wrong user codes a person is refused for ten minutes in every session", () =>
    Effect.gen(function* () {
      const { dana, userCode } = yield* startedConnection
      for (let attempt = 0; attempt < limits.attemptsPerPerson; attempt++) {
        assert.strictEqual(yield* guess(dana, `198.51.100.${attempt}`, noon), "USER_CODE_UNKNOWN")
      }
      const elsewhere = yield* signIn(dana.identity, { isInvited: false }).pipe(at(noon))
      const right = (moment: Instant) => codeOf(enterUserCode(elsewhere, userCode, "198.51.100.9").pipe(at(moment)))
      assert.strictEqual(yield* right(after(1)), "TOO_MANY_ATTEMPTS")
      assert.strictEqual(yield* right(after(599)), "TOO_MANY_ATTEMPTS")
      const later = yield* startConnection(connectionInput, undefined).pipe(at(after(600)))
      assert.strictEqual(
        yield* codeOf(enterUserCode(elsewhere, later.userCode, "198.51.100.9").pipe(at(after(600)))),
        "DONE"
      )
    })
  )

  it.effect("After twenty wrong user codes an address is refused for every person", () =>
    Effect.gen(function* () {
      const { dana, userCode } = yield* startedConnection
      for (let person = 0; person < 4; person++) {
        const guesser = yield* signInNewPerson("Guesser").pipe(at(noon))
        for (let attempt = 0; attempt < 5; attempt++) yield* guess(guesser, "192.0.2.1", noon)
      }
      assert.strictEqual(yield* codeOf(enterUserCode(dana, userCode, "192.0.2.1").pipe(at(noon))), "TOO_MANY_ATTEMPTS")
      assert.strictEqual(yield* codeOf(enterUserCode(dana, userCode, "192.0.2.2").pipe(at(noon))), "DONE")
    })
  )

  it.effect("Concurrent wrong user codes are each counted", () =>
    Effect.gen(function* () {
      const { dana } = yield* startedConnection
      const guesses = Array.from({ length: 20 }, (_, index) => guess(dana, `203.0.113.${index}`, noon))
      const answers = yield* Effect.all(guesses, { concurrency: 20 })
      assert.strictEqual(answers.filter((answer) => answer === "USER_CODE_UNKNOWN").length, limits.attemptsPerPerson)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("connections over HTTP", (it) => {
  const agents = "/api/agents/v1"

  it.effect("Connections are accepted over HTTPS only, since they carry secrets", () =>
    Effect.gen(function* () {
      const from = "203.0.113.9"
      const started = yield* send("POST", `${agents}/connections`, { body: connectionInput, from })
      assert.deepStrictEqual([started.status, started.body.error], [400, "HTTPS_REQUIRED"])
      const body = { deviceCode: `ddc_${"0".repeat(49)}` }
      const polled = yield* send("POST", `${agents}/connections/poll`, { body, from })
      assert.deepStrictEqual([polled.status, polled.body.error], [400, "HTTPS_REQUIRED"])
      assert.strictEqual((yield* send("GET", `${agents}/capabilities`, { from })).status, 200)
    })
  )

  it.effect("A connection starts with the details that a person needs, and is polled without a credential", () =>
    Effect.gen(function* () {
      const started = yield* send("POST", `${agents}/connections`, { body: connectionInput })
      assert.strictEqual(started.status, 201)
      assert.sameMembers(Object.keys(started.body), [
        "userCode",
        "verificationUrl",
        "deviceCode",
        "interval",
        "expiresAt"
      ])
      assert.strictEqual(started.body.verificationUrl, "https://countersign.test/workspace/connect")
      const { deviceCode } = started.body
      const polled = yield* send("POST", `${agents}/connections/poll`, { body: { deviceCode } })
      assert.strictEqual(polled.status, 200)
      assert.deepInclude(polled.body, { state: "PENDING", interval: 5 })
      const early = yield* send("POST", `${agents}/connections/poll`, { body: { deviceCode } })
      assert.deepInclude(early.body, { state: "SLOW_DOWN", interval: 10 })
      assert.strictEqual(polled.headers["cache-control"], "no-store")
    })
  )

  it.effect.each([
    ["an unknown device code", { deviceCode: `ddc_${"0".repeat(49)}` }],
    ["an agent token", { deviceCode: `dda_${"0".repeat(49)}` }],
    ["an empty text", { deviceCode: "" }]
  ])("Polling with %s is 401", ([, body]) =>
    Effect.gen(function* () {
      const { status, body: refused } = yield* send("POST", `${agents}/connections/poll`, { body })
      assert.deepStrictEqual([status, refused.error], [401, "AUTH_INVALID"])
    })
  )

  it.effect.each([
    [{ agentName: "", client: "x" }, "agentName"],
    [{ agentName: "x".repeat(201), client: "x" }, "agentName"],
    [{ agentName: "Scout" }, "client"],
    [{ ...connectionInput, requestedActions: ["PAY"] }, "requestedActions[0]"],
    [{ ...connectionInput, requestedRole: "ADMIN" }, "requestedRole"],
    [{ ...connectionInput, token: uuid() }, "token"]
  ])("A connection request %j is 400", ([body, path]) =>
    Effect.gen(function* () {
      const { status, body: refused } = yield* send("POST", `${agents}/connections`, { body })
      assert.strictEqual(status, 400)
      assert.strictEqual(refused.issues[0].path, path)
    })
  )
})
