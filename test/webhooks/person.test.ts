/** People's own webhooks, and their control over those of their agents. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { onBehalfOf } from "../../src/people/acting-person.ts"
import { revokeGrant } from "../../src/access/grants.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { signatureOf } from "../../src/webhooks/signature.ts"
import { listWebhooks, subscribeAsAgent, subscriptionTo, TestReceiver } from "../support/webhooks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import {
  acceptTerms,
  historyOf,
  joinNewOrganization,
  ownWebhooksPath,
  pairWithTerms,
  runWorkerPassTo,
  postOwnWebhooks,
  readOwnWebhooks,
  subscribeAsPerson
} from "../support/person-webhooks.ts"
import { makeAgent, uuid } from "../support/parties.ts"
import {
  commandAsPerson,
  createAgreementAsPerson,
  materialsOf,
  readProjectAsPerson
} from "../support/person-commands.ts"
import { everyRow } from "../support/rows.ts"
import { send, siteUrl } from "../support/service.ts"
import { at } from "../support/time.ts"
import { cookieOf, createdBody, outcome } from "../support/workspace.ts"

layer(memoryTestService, { excludeTestServices: true })("webhooks of a person", (it) => {
  it.effect("A person subscribes, receives the next action of their side, and verifies the webhook.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const { id, secret, subscription, body } = yield* subscribeAsPerson(supplier, [projectId])
      assert.deepInclude(subscription, { projectIds: [projectId], state: "ACTIVE", secretVersion: 1 })
      const again = yield* postOwnWebhooks(supplier, "", body)
      assert.deepStrictEqual([again.status, again.body], [201, { subscription, replayed: true }])
      const other = yield* postOwnWebhooks(supplier, "", { ...body, eventTypes: ["record.changed"] })
      assert.deepStrictEqual(outcome(other), [409, "REQUEST_ID_CONFLICT"])
      yield* acceptTerms(supplier, projectId)
      const receiver = new TestReceiver()
      assert.strictEqual(yield* runWorkerPassTo(receiver), 1)
      const [got] = receiver.received
      const { "service-timestamp": timestamp = "", "service-signature": signature } = got!.headers
      assert.strictEqual(signature, signatureOf(secret, timestamp, got!.body))
      const { currentNextAction, ...event } = JSON.parse(got!.body)
      assert.deepInclude(currentNextAction, { party: "SUPPLIER", viewer: "NEEDS_YOU", action: "SUBMIT" })
      const [delivery] = yield* historyOf(supplier, id)
      assert.deepInclude(delivery, { event, state: "DELIVERED", totalAttempts: 1 })
      const webhook = { rawBody: got!.body, timestamp, signature }
      const verified = yield* postOwnWebhooks(supplier, `/${id}/verify`, webhook)
      const { deliveryId } = delivery
      assert.deepStrictEqual(verified.body, { verified: true, deliveryId, event, currentNextAction, jobs: [] })
      assert.deepStrictEqual(outcome(yield* postOwnWebhooks(buyer, `/${id}/verify`, webhook)), [404, "NOT_FOUND"])
      const late = at(addMilliseconds(yield* now, limits.webhookTimestampTolerance + 2_000))
      assert.deepStrictEqual(outcome(yield* late(postOwnWebhooks(supplier, `/${id}/verify`, webhook))), [
        409,
        "WEBHOOK_TIMESTAMP_STALE"
      ])
    })
  )

  it.effect("A person pauses, resumes, rotates the secret, redelivers and revokes.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const { id, secret } = yield* subscribeAsPerson(buyer, [projectId])
      yield* acceptTerms(supplier, projectId)
      const receiver = new TestReceiver()
      const change = (verb: string) => Effect.map(postOwnWebhooks(buyer, `/${id}/${verb}`), createdBody)
      assert.strictEqual((yield* change("pause")).subscription.state, "PAUSED")
      assert.strictEqual((yield* change("pause")).subscription.state, "PAUSED")
      assert.strictEqual(yield* runWorkerPassTo(receiver), 0)
      createdBody(
        yield* commandAsPerson(
          supplier,
          projectId,
          "submit",
          materialsOf(yield* readProjectAsPerson(supplier, projectId))
        )
      )
      assert.strictEqual((yield* change("resume")).subscription.state, "ACTIVE")
      const rotated = yield* change("rotate-secret")
      assert.deepInclude(rotated.subscription, { secretVersion: 2 })
      assert.notStrictEqual(rotated.secret, secret)
      assert.strictEqual(yield* runWorkerPassTo(receiver), 1)
      const [got] = receiver.received
      const timestamp = got!.headers["service-timestamp"]!
      assert.strictEqual(got!.headers["service-signature"], signatureOf(rotated.secret, timestamp, got!.body))
      const [delivery, ...more] = yield* historyOf(buyer, id)
      assert.deepStrictEqual([delivery.eventType, more], ["agreement.confirmed", []])
      const redelivered = yield* postOwnWebhooks(buyer, `/${id}/deliveries/${delivery.deliveryId}/redeliver`)
      assert.deepInclude(redelivered.body, { state: "PENDING", scheduledAttempts: 0, totalAttempts: 1 })
      assert.strictEqual(yield* runWorkerPassTo(receiver), 1)
      assert.strictEqual(receiver.received[1]!.headers["service-delivery-id"], delivery.deliveryId)
      assert.strictEqual((yield* change("revoke")).subscription.state, "REVOKED")
      for (const verb of ["pause", "resume", "revoke", "rotate-secret"]) {
        assert.deepStrictEqual(outcome(yield* postOwnWebhooks(buyer, `/${id}/${verb}`)), [409, "STATE_CONFLICT"], verb)
      }
      const tooLate = yield* postOwnWebhooks(buyer, `/${id}/deliveries/${delivery.deliveryId}/redeliver`)
      assert.deepStrictEqual(outcome(tooLate), [409, "STATE_CONFLICT"])
    })
  )

  it.effect("A person reads the history page by page, and a checkpoint of another subscription is refused.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const { id } = yield* subscribeAsPerson(buyer, [projectId])
      const empty = createdBody(yield* readOwnWebhooks(buyer, `/${id}/deliveries`))
      assert.deepInclude(empty, { deliveries: [], next: null })
      yield* acceptTerms(supplier, projectId)
      const after = (checkpoint: string) => readOwnWebhooks(buyer, `/${id}/deliveries?after=${checkpoint}`)
      const page = createdBody(yield* after(empty.checkpoint))
      assert.lengthOf(page.deliveries, 1)
      assert.deepStrictEqual(createdBody(yield* after(page.checkpoint)), {
        deliveries: [],
        next: null,
        checkpoint: page.checkpoint
      })
      const { deliveryId } = page.deliveries[0]
      assert.deepStrictEqual(outcome(yield* after(deliveryId)), [409, "WEBHOOK_CURSOR_RESET_REQUIRED"])
      assert.deepStrictEqual(outcome(yield* after("elsewhere")), [400, "WEBHOOK_CURSOR_INVALID"])
    })
  )

  it.effect("A person subscribes only to projects that they are a party to, for one organization at a time.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const { projectId: foreign } = yield* pairWithTerms
      const body = yield* subscriptionTo(projectId, foreign)
      const before = yield* everyRow
      for (const projectIds of [[projectId, foreign], [foreign], [`delivery_${uuid()}`]]) {
        const refused = yield* postOwnWebhooks(buyer, "", { ...body, projectIds, requestId: uuid() })
        assert.deepStrictEqual(outcome(refused), [403, "FORBIDDEN"])
      }
      assert.deepStrictEqual(yield* everyRow, before)
      const another = yield* joinNewOrganization(supplier)
      const open = yield* subscriptionTo(projectId)
      assert.deepStrictEqual(outcome(yield* postOwnWebhooks(supplier, "", open)), [400, "INVALID_REQUEST"])
      const { organizationId } = another
      const named = yield* postOwnWebhooks(supplier, "", { ...open, organizationId })
      assert.strictEqual(named.status, 201)
      const none = { ...open, organizationId: buyer.organizationId, requestId: uuid() }
      assert.deepStrictEqual(outcome(yield* postOwnWebhooks(supplier, "", none)), [403, "FORBIDDEN"])
      // One of two projects is of another buyer, so that a single organization is a party to both.
      const answered = yield* createAgreementAsPerson(buyer, supplier)
      yield* acceptTerms(supplier, answered, { organizationId: supplier.organizationId })
      const both = yield* postOwnWebhooks(supplier, "", yield* subscriptionTo(projectId, answered))
      assert.strictEqual(both.status, 201, both.text)
    })
  )

  it.effect("A person has at most fifty subscriptions of their own; those of their agents do not count.", () =>
    Effect.gen(function* () {
      const { buyer, projectId } = yield* pairWithTerms
      const { token } = yield* makeAgent(buyer, "BUYER", ["REVIEW_DELIVERY"], [projectId])
      yield* subscribeAsAgent(token, [projectId])
      for (let count = 0; count < limits.subscriptionsPerOwner; count++) yield* subscribeAsPerson(buyer, [projectId])
      const more = yield* subscriptionTo(projectId)
      assert.deepStrictEqual(outcome(yield* postOwnWebhooks(buyer, "", more)), [429, "SUBSCRIPTION_LIMIT"])
      const { subscriptions } = createdBody(yield* readOwnWebhooks(buyer))
      assert.lengthOf(subscriptions, limits.subscriptionsPerOwner + 1)
      yield* postOwnWebhooks(buyer, `/${subscriptions[0].id}/revoke`)
      assert.strictEqual((yield* postOwnWebhooks(buyer, "", more)).status, 201)
    })
  )
})

layer(memoryTestService, { excludeTestServices: true })("webhooks of a person's agent", (it) => {
  it.effect("A person lists, stops and redelivers an agent's webhooks, but cannot use its secret.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const { token } = yield* makeAgent(buyer, "BUYER", ["REVIEW_DELIVERY"], [projectId])
      const { subscription } = yield* subscribeAsAgent(token, [projectId])
      const own = yield* subscribeAsPerson(buyer, [projectId])
      const { subscriptions } = createdBody(yield* readOwnWebhooks(buyer))
      assert.deepStrictEqual(
        subscriptions.map((one: any) => [one.id, one.agentName]),
        [
          [own.id, null],
          [subscription.id, "Dana's agent"]
        ]
      )
      assert.notInclude(JSON.stringify(subscriptions), own.secret)
      yield* postOwnWebhooks(buyer, `/${own.id}/revoke`)
      yield* acceptTerms(supplier, projectId)
      const receiver = new TestReceiver()
      yield* runWorkerPassTo(receiver)
      const [{ deliveryId }] = (yield* historyOf(buyer, subscription.id)) as [any]
      const { "service-timestamp": timestamp, "service-signature": signature } = receiver.received[0]!.headers
      const webhook = { rawBody: receiver.received[0]!.body, timestamp, signature }
      const before = yield* everyRow
      for (const [verb, body] of [
        ["rotate-secret", {}],
        ["verify", webhook]
      ] as const) {
        const refused = yield* postOwnWebhooks(buyer, `/${subscription.id}/${verb}`, body)
        assert.deepStrictEqual(outcome(refused), [403, "FORBIDDEN"], verb)
        assert.include(refused.body.detail, "agent")
      }
      assert.deepStrictEqual(yield* everyRow, before)
      const again = yield* postOwnWebhooks(buyer, `/${subscription.id}/deliveries/${deliveryId}/redeliver`)
      assert.strictEqual(again.body.state, "PENDING")
      for (const [verb, state] of [
        ["pause", "PAUSED"],
        ["resume", "ACTIVE"],
        ["revoke", "REVOKED"]
      ] as const) {
        assert.strictEqual(
          createdBody(yield* postOwnWebhooks(buyer, `/${subscription.id}/${verb}`)).subscription.state,
          state
        )
      }
      assert.strictEqual((yield* listWebhooks(token)).body.subscriptions[0].state, "REVOKED")
    })
  )

  it.effect("An agent's webhooks end with its grant, and cannot be resumed.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* pairWithTerms
      const agent = yield* makeAgent(buyer, "BUYER", ["REVIEW_DELIVERY"], [projectId])
      const { subscription } = yield* subscribeAsAgent(agent.token, [projectId])
      yield* acceptTerms(supplier, projectId)
      const receiver = new TestReceiver()
      yield* runWorkerPassTo(receiver)
      const [{ deliveryId }] = (yield* historyOf(buyer, subscription.id)) as [any]
      yield* postOwnWebhooks(buyer, `/${subscription.id}/pause`)
      yield* revokeGrant(onBehalfOf(buyer.personId), agent)
      assert.strictEqual(createdBody(yield* readOwnWebhooks(buyer)).subscriptions[0].state, "REVOKED")
      for (const path of ["resume", `deliveries/${deliveryId}/redeliver`]) {
        assert.deepStrictEqual(outcome(yield* postOwnWebhooks(buyer, `/${subscription.id}/${path}`)), [
          409,
          "STATE_CONFLICT"
        ])
      }
    })
  )
})

layer(memoryTestService, { excludeTestServices: true })("access to a person's webhooks", (it) => {
  it.effect(
    "A person's webhooks are unknown to other persons, and refused to agents and unauthenticated callers.",
    () =>
      Effect.gen(function* () {
        const { buyer, supplier, projectId } = yield* pairWithTerms
        const { id, secret } = yield* subscribeAsPerson(buyer, [projectId])
        yield* acceptTerms(supplier, projectId)
        const [{ deliveryId }] = (yield* historyOf(buyer, id)) as [any]
        const { token } = yield* makeAgent(buyer, "BUYER", ["REVIEW_DELIVERY"], [projectId])
        yield* send("GET", "/api/agents/v1/me", { token })
        const webhook = { rawBody: "{}", timestamp: "1", signature: "v1=" }
        const create = yield* subscriptionTo(projectId)
        const operations: ReadonlyArray<readonly ["GET" | "POST", string, object?]> = [
          ["GET", ""],
          ["POST", "", create],
          ...["pause", "resume", "revoke", "rotate-secret"].map((verb) => ["POST", `/${id}/${verb}`, {}] as const),
          ["GET", `/${id}/deliveries`],
          ["POST", `/${id}/deliveries/${deliveryId}/redeliver`, {}],
          ["POST", `/${id}/verify`, webhook]
        ]
        const before = yield* everyRow
        for (const [method, path, body] of operations) {
          const content = body === undefined ? {} : { body }
          const foreign = yield* send(method, `${ownWebhooksPath}${path}`, {
            ...content,
            headers: { cookie: cookieOf(supplier.token), origin: siteUrl }
          })
          if (path === "") continue
          assert.deepStrictEqual(outcome(foreign), [404, "NOT_FOUND"], path)
          assert.notInclude(foreign.text, "hooks.example.com")
        }
        assert.deepStrictEqual((yield* readOwnWebhooks(supplier)).body.subscriptions.length, 1)
        yield* postOwnWebhooks(supplier, `/${(yield* readOwnWebhooks(supplier)).body.subscriptions[0].id}/revoke`)
        const afterForeign = yield* everyRow
        assert.notDeepEqual(afterForeign, before)
        for (const [method, path, body] of operations) {
          const content = body === undefined ? {} : { body }
          for (const credential of [{}, { token }, { headers: { cookie: cookieOf(token), origin: siteUrl } }]) {
            const refused = yield* send(method, `${ownWebhooksPath}${path}`, { ...content, ...credential })
            assert.deepStrictEqual(outcome(refused), [401, "SIGN_IN_REQUIRED"], path)
          }
          if (method === "GET") continue
          for (const origin of ["https://evil.test", "null"]) {
            const crossSite = yield* send(method, `${ownWebhooksPath}${path}`, {
              ...content,
              headers: { cookie: cookieOf(buyer.token), origin }
            })
            assert.deepStrictEqual(outcome(crossSite), [403, "CROSS_SITE_REQUEST"], path)
          }
        }
        assert.deepStrictEqual(yield* everyRow, afterForeign)
        const seen = yield* listWebhooks(token)
        assert.deepStrictEqual(seen.body.subscriptions, [])
        assert.notInclude(seen.text, secret)
        for (const verb of ["pause", "verify"]) {
          const agents = yield* send("POST", `/api/agents/v1/webhooks/${id}/${verb}`, {
            token,
            body: verb === "verify" ? webhook : {}
          })
          assert.deepStrictEqual(outcome(agents), [404, "NOT_FOUND"])
        }
        // The requests are refused for their origin only.
        assert.strictEqual((yield* postOwnWebhooks(buyer, `/${id}/pause`)).status, 200)
        for (const nowhere of ["webhook_1", `webhook_${uuid()}`]) {
          assert.deepStrictEqual(outcome(yield* postOwnWebhooks(buyer, `/${nowhere}/pause`)), [404, "NOT_FOUND"])
        }
        const unknown = yield* postOwnWebhooks(buyer, `/${id}/deliveries/whd_${"0".repeat(64)}/redeliver`)
        assert.deepStrictEqual(outcome(unknown), [404, "NOT_FOUND"])
      })
  )
})
