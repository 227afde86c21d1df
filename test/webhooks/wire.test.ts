/** Webhook subscriptions over HTTP, called by agents: responses, refusals and their order. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { eventTypes } from "../../src/vocabulary/event-types.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import {
  changeWebhook,
  createWebhook,
  listWebhooks,
  readDeliveries,
  redeliverWebhook,
  assertRefused,
  subscribeAsAgent,
  subscriptionTo,
  removeFromScope,
  target
} from "../support/webhooks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { buyerActions, makeAgent, startProject, uuid } from "../support/parties.ts"
import { renewAs } from "../support/people.ts"
import { send, siteUrl, type Answer } from "../support/service.ts"
import { at } from "../support/time.ts"
import { createdBody } from "../support/workspace.ts"

const webhooks = "/api/agents/v1/webhooks"
const day = 86_400_000

const issuesOf = ({ body }: Answer) => body.issues.map(({ path }: { readonly path: string }) => path)

layer(memoryTestService, { excludeTestServices: true })("creation of a subscription", (it) => {
  it.effect("The secret is returned in the first response only.", () =>
    Effect.gen(function* () {
      const { buyerAgent, projectId } = yield* startProject()
      const { token } = buyerAgent
      const body = yield* subscriptionTo(projectId)
      const start = yield* now
      const first = yield* createWebhook(token, body)
      assert.strictEqual(first.status, 201)
      assert.hasAllKeys(first.body, ["subscription", "secret"])
      assert.match(first.body.secret, /^ddw_[0-9A-Za-z]{49}$/)
      const { id, createdAt, ...rest } = first.body.subscription
      assert.match(id, /^webhook_[0-9a-f-]{36}$/)
      assert.isAtLeast(createdAt.localeCompare(start), 0)
      assert.deepStrictEqual(rest, {
        target,
        projectIds: [projectId],
        eventTypes: [...eventTypes],
        state: "ACTIVE",
        expiresAt: body.expiresAt,
        secretVersion: 1
      })
      const again = yield* createWebhook(token, body)
      assert.deepStrictEqual(
        [again.status, again.body],
        [201, { subscription: first.body.subscription, replayed: true }]
      )
      const listed = yield* listWebhooks(token)
      assert.deepStrictEqual([listed.status, listed.body], [200, { subscriptions: [first.body.subscription] }])
      for (const { text } of [again, listed]) assert.notInclude(text, first.body.secret)
      const other = yield* createWebhook(token, { ...body, eventTypes: ["record.changed"] })
      assertRefused(other, 409, "REQUEST_ID_CONFLICT")
      assert.lengthOf((yield* listWebhooks(token)).body.subscriptions, 1)
    })
  )

  it.effect(
    "A replay of a creation returns the current subscription, also after its end and under a renewed grant, but not under another grant.",
    () =>
      Effect.gen(function* () {
        const { buyer, buyerAgent, projectId } = yield* startProject()
        const body = yield* subscriptionTo(projectId)
        const { subscription } = createdBody(yield* createWebhook(buyerAgent.token, body))
        yield* changeWebhook(buyerAgent.token, subscription.id, "revoke")
        const { grantId } = buyerAgent
        const renewed = yield* renewAs({ personId: buyer.personId, grantId, expectedGeneration: 1 })
        const token = "token" in renewed ? renewed.token : assert.fail("the renewal shows its token")
        const late = yield* createWebhook(token, body).pipe(at(addMilliseconds(body.expiresAt, 1)))
        assert.deepStrictEqual([late.status, late.body.replayed], [201, true])
        assert.deepStrictEqual(late.body.subscription, { ...subscription, state: "REVOKED" })
        const other = yield* makeAgent(buyer, "BUYER", buyerActions, [projectId])
        const fresh = createdBody(yield* createWebhook(other.token, body))
        assert.notStrictEqual(fresh.subscription.id, subscription.id)
        assert.notProperty(fresh, "replayed")
        assert.deepStrictEqual((yield* listWebhooks(other.token)).body.subscriptions, [fresh.subscription])
      })
  )

  it.effect("The target is normalized, and the expiry is at most 30 days ahead, to the millisecond.", () =>
    Effect.gen(function* () {
      const { buyerAgent, projectId } = yield* startProject()
      const { token } = buyerAgent
      const start = addMilliseconds(yield* now, 1_000)
      const create = (changes: object) =>
        Effect.gen(function* () {
          return yield* createWebhook(token, { ...(yield* subscriptionTo(projectId)), ...changes })
        }).pipe(at(start))
      const spelled = createdBody(yield* create({ target: "https://HOOKS.example.com:443/a?b=1" }))
      assert.strictEqual(spelled.subscription.target, "https://hooks.example.com/a?b=1")
      const most = addMilliseconds(start, 30 * day)
      const longest = createdBody(yield* create({ expiresAt: most }))
      assert.strictEqual(longest.subscription.expiresAt, most)
      const shortest = createdBody(yield* create({ expiresAt: addMilliseconds(start, 1) }))
      assert.strictEqual(shortest.subscription.state, "ACTIVE")
      for (const expiresAt of [addMilliseconds(most, 1), start, addMilliseconds(start, -1)]) {
        const refused = yield* create({ expiresAt })
        assertRefused(refused, 400, "INVALID_REQUEST")
        assert.deepStrictEqual(issuesOf(refused), ["expiresAt"])
      }
    })
  )

  it.effect("An invalid member is answered with 400 and its path.", () =>
    Effect.gen(function* () {
      const { buyerAgent, projectId } = yield* startProject()
      const valid = yield* subscriptionTo(projectId)
      const many = Array.from({ length: 51 }, () => `delivery_${uuid()}`)
      const wrong: ReadonlyArray<readonly [path: string, changes: object]> = [
        ["target", { target: "http://hooks.example.com/" }],
        ["target", { target: "https://hooks.example.com:8443/" }],
        ["target", { target: "https://user:password@hooks.example.com/" }],
        ["target", { target: "https://192.0.2.1/" }],
        ["target", { target: "https://localhost/" }],
        ["target", { target: `${siteUrl}/hooks` }],
        ["target", { target: "" }],
        ["target", { target: 1 }],
        ["projectIds", { projectIds: [] }],
        ["projectIds", { projectIds: [projectId, projectId] }],
        ["projectIds", { projectIds: many }],
        ["projectIds[1]", { projectIds: [projectId, "delivery_1"] }],
        ["eventTypes", { eventTypes: [] }],
        ["eventTypes", { eventTypes: ["record.changed", "record.changed"] }],
        ["eventTypes[0]", { eventTypes: ["record.changes"] }],
        ["eventTypes[0]", { eventTypes: ["*"] }],
        ["expiresAt", { expiresAt: "2026-02-30T00:00:00.000Z" }],
        ["expiresAt", { expiresAt: "2026-11-30T00:00:00Z" }],
        ["confirmed", { confirmed: false }],
        ["confirmed", { confirmed: undefined }],
        ["confirmed", { confirmed: "true" }],
        ["requestId", { requestId: "1" }],
        ["requestId", { requestId: undefined }],
        ["secret", { secret: "mine" }],
        ["isPaused", { isPaused: true }]
      ]
      for (const [path, changes] of wrong) {
        const answer = yield* createWebhook(buyerAgent.token, { ...valid, ...changes })
        assertRefused(answer, 400, "INVALID_REQUEST")
        assert.include(issuesOf(answer), path, JSON.stringify(changes))
      }
      assert.isEmpty((yield* listWebhooks(buyerAgent.token)).body.subscriptions)
    })
  )

  it.effect("A creation is refused in the documented order of checks.", () =>
    Effect.gen(function* () {
      const { buyer, buyerAgent, projectId } = yield* startProject()
      const { token } = buyerAgent
      const elsewhere = (yield* startProject()).projectId
      const used = yield* subscriptionTo(projectId)
      createdBody(yield* createWebhook(token, used))
      const inScope = { ...used, eventTypes: ["record.changed"] }
      const past = addMilliseconds(yield* now, -1)
      const steps: ReadonlyArray<readonly [status: number, code: string, token: string, body: object]> = [
        [401, "AUTH_INVALID", "dda_unknown", { ...inScope, projectIds: [projectId, elsewhere], confirmed: false }],
        [400, "INVALID_REQUEST", token, { ...inScope, projectIds: [projectId, elsewhere], confirmed: false }],
        [400, "INVALID_REQUEST", token, { ...inScope, projectIds: [projectId, elsewhere], target: "http://a.com/" }],
        [403, "FORBIDDEN_AGENT_PROJECT_SCOPE", token, { ...inScope, projectIds: [projectId, elsewhere] }],
        [403, "FORBIDDEN_AGENT_PROJECT_SCOPE", token, { ...inScope, projectIds: [`delivery_${uuid()}`] }],
        [409, "REQUEST_ID_CONFLICT", token, { ...inScope, expiresAt: past }],
        [400, "INVALID_REQUEST", token, { ...inScope, requestId: uuid(), expiresAt: past }]
      ]
      for (const [status, code, by, body] of steps) assertRefused(yield* createWebhook(by, body), status, code)
      // A project out of scope is not distinguishable from an unknown one, also in a subscription.
      yield* removeFromScope(buyerAgent.grantId, projectId)
      assertRefused(yield* createWebhook(token, used), 403, "FORBIDDEN_AGENT_PROJECT_SCOPE")
      assert.isNotEmpty(buyer.personId)
    })
  )

  it.effect("An owner has at most 50 active subscriptions; ended ones do not count.", () =>
    Effect.gen(function* () {
      const { buyer, buyerAgent, projectId } = yield* startProject()
      const { token } = buyerAgent
      const start = addMilliseconds(yield* now, 1_000)
      const soon = addMilliseconds(start, 60_000)
      const create = (changes: object = {}) =>
        Effect.gen(function* () {
          return yield* createWebhook(token, { ...(yield* subscriptionTo(projectId)), ...changes })
        }).pipe(at(start))
      const first = yield* subscriptionTo(projectId)
      const ids = [createdBody(yield* createWebhook(token, first).pipe(at(start))).subscription.id as string]
      for (let count = 1; count < limits.subscriptionsPerOwner - 1; count++) {
        ids.push(createdBody(yield* create()).subscription.id)
      }
      const ending = createdBody(yield* create({ expiresAt: soon })).subscription.id as string
      const refused = yield* create()
      assertRefused(refused, 429, "SUBSCRIPTION_LIMIT")
      // A replay is answered before any limit is checked.
      assert.strictEqual((yield* createWebhook(token, first).pipe(at(start))).status, 201)
      yield* changeWebhook(token, ids[1]!, "pause").pipe(at(start))
      assertRefused(yield* create(), 429, "SUBSCRIPTION_LIMIT")
      yield* changeWebhook(token, ids[2]!, "revoke").pipe(at(start))
      createdBody(yield* create())
      assertRefused(yield* create(), 429, "SUBSCRIPTION_LIMIT")
      const wish = yield* subscriptionTo(projectId)
      assertRefused(yield* createWebhook(token, wish).pipe(at(addMilliseconds(soon, -1))), 429, "SUBSCRIPTION_LIMIT")
      assert.strictEqual((yield* createWebhook(token, wish).pipe(at(soon))).status, 201)
      const listed = (yield* listWebhooks(token).pipe(at(soon))).body.subscriptions
      const states = listed.map(({ state }: { readonly state: string }) => state)
      const count = (state: string) => states.filter((one: string) => one === state).length
      assert.deepStrictEqual([listed.length, count("ACTIVE"), count("PAUSED")], [52, 49, 1])
      assert.deepStrictEqual([count("REVOKED"), count("EXPIRED")], [1, 1])
      assert.strictEqual(listed.find(({ id }: { readonly id: string }) => id === ending).state, "EXPIRED")
      // Another grant of the same person is another owner.
      const other = yield* makeAgent(buyer, "BUYER", buyerActions, [projectId])
      yield* subscribeAsAgent(other.token, [projectId])
    })
  )
})

layer(memoryTestService, { excludeTestServices: true })("changes of a subscription", (it) => {
  it.effect("A change is idempotent while the subscription is active, and a conflict once it has ended.", () =>
    Effect.gen(function* () {
      const { buyerAgent, projectId } = yield* startProject()
      const { token } = buyerAgent
      const { subscription, secret } = yield* subscribeAsAgent(token, [projectId])
      const verbs = ["resume", "pause", "pause", "resume", "resume"]
      for (const verb of verbs) {
        const answer = yield* changeWebhook(token, subscription.id, verb)
        const state = verb === "pause" ? "PAUSED" : "ACTIVE"
        assert.deepStrictEqual([answer.status, answer.body], [200, { subscription: { ...subscription, state } }])
      }
      const secrets = new Set([secret])
      for (const secretVersion of [2, 3]) {
        const answer = yield* changeWebhook(token, subscription.id, "rotate-secret")
        assert.strictEqual(answer.status, 200)
        assert.deepStrictEqual(answer.body.subscription, { ...subscription, secretVersion })
        assert.match(answer.body.secret, /^ddw_[0-9A-Za-z]{49}$/)
        secrets.add(answer.body.secret)
      }
      assert.strictEqual(secrets.size, 3)
      const revoked = yield* changeWebhook(token, subscription.id, "revoke")
      assert.deepStrictEqual(revoked.body, { subscription: { ...subscription, secretVersion: 3, state: "REVOKED" } })
      const { subscription: short } = yield* subscribeAsAgent(token, [projectId])
      const end = addMilliseconds(yield* now, day)
      for (const verb of ["pause", "resume", "revoke", "rotate-secret"]) {
        assertRefused(yield* changeWebhook(token, subscription.id, verb), 409, "STATE_CONFLICT")
        assertRefused(yield* changeWebhook(token, short.id, verb).pipe(at(end)), 409, "STATE_CONFLICT")
      }
    })
  )

  it.effect(
    "A change of an unknown subscription, or one of another owner, is answered with 404 after authentication and before the body is read.",
    () =>
      Effect.gen(function* () {
        const { buyer, buyerAgent, supplierAgent, projectId } = yield* startProject()
        const sibling = yield* makeAgent(buyer, "BUYER", buyerActions, [projectId])
        const { subscription } = yield* subscribeAsAgent(buyerAgent.token, [projectId])
        const bodies = { verify: { rawBody: "{}", timestamp: "1", signature: "v1=" } }
        const names = ["webhook_1", "a", "a".repeat(4_000), `webhook_${uuid()}`, `delivery_${uuid()}`, "%00"]
        for (const verb of ["pause", "resume", "revoke", "rotate-secret", "verify"]) {
          const body = verb === "verify" ? bodies.verify : {}
          for (const { token } of [sibling, supplierAgent]) {
            assertRefused(yield* changeWebhook(token, subscription.id, verb, body), 404, "NOT_FOUND")
          }
          for (const name of names) {
            assertRefused(yield* changeWebhook(buyerAgent.token, name, verb, body), 404, "NOT_FOUND")
            assertRefused(yield* changeWebhook("dda_unknown", name, verb, body), 401, "AUTH_INVALID")
          }
          assertRefused(yield* changeWebhook(buyerAgent.token, "webhook_1", verb, { more: 1 }), 404, "NOT_FOUND")
          const surplus = yield* changeWebhook(buyerAgent.token, subscription.id, verb, { ...body, more: 1 })
          assertRefused(surplus, 400, "INVALID_REQUEST")
          assert.deepStrictEqual(issuesOf(surplus), ["more"])
        }
        for (const { token } of [sibling, supplierAgent]) {
          assertRefused(yield* readDeliveries(token, subscription.id), 404, "NOT_FOUND")
          assertRefused(yield* redeliverWebhook(token, subscription.id, "whd_1"), 404, "NOT_FOUND")
          assert.isEmpty((yield* listWebhooks(token)).body.subscriptions)
        }
        for (const name of names) assertRefused(yield* readDeliveries(buyerAgent.token, name), 404, "NOT_FOUND")
        const unknown = ["whd_1", `whd_${"0".repeat(64)}`, subscription.id]
        for (const name of unknown) {
          assertRefused(yield* redeliverWebhook(buyerAgent.token, subscription.id, name), 404, "NOT_FOUND")
        }
        assertRefused(yield* send("GET", webhooks), 401, "AUTH_INVALID")
        const [shown] = (yield* listWebhooks(buyerAgent.token)).body.subscriptions
        assert.deepStrictEqual(shown, subscription)
      })
  )
})
