/** Histories and redelivery over HTTP, called by agents. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { Grants } from "../../src/access/store.ts"
import { onBehalfOf } from "../../src/people/acting-person.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { addMilliseconds, never, now, type Instant } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { formatCheckpoint } from "../../src/webhooks/opaque-ids.ts"
import { readHistory } from "../../src/webhooks/history.ts"
import { redeliver } from "../../src/webhooks/redeliver.ts"
import { personCaller } from "../../src/webhooks/subscriber.ts"
import { viewHistory } from "../../src/webhooks/view.ts"
import {
  changeWebhook,
  insertDeliveries,
  runWorkerPass,
  readDeliveries,
  redeliverWebhook,
  assertRefused,
  setDelivery,
  storedOf,
  subscribeAsAgent,
  removeFromScope,
  projectWithDelivery,
  type ReceivedWebhook
} from "../support/webhooks.ts"
import { assertRefusal } from "../support/errors.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { sendCommand, readProject, respondTo, startProject, submissionFor } from "../support/parties.ts"
import { renewAs } from "../support/people.ts"
import type { Answer } from "../support/service.ts"
import { at } from "../support/time.ts"
import { createdBody } from "../support/workspace.ts"

const day = 86_400_000

const ids = ({ body }: Answer): ReadonlyArray<string> =>
  body.deliveries.map(({ deliveryId }: { readonly deliveryId: string }) => deliveryId)

layer(memoryTestService, { excludeTestServices: true })("a delivery history", (it) => {
  it.effect("An empty history returns a checkpoint, and reading after it returns the deliveries that follow.", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { supplierAgent, projectId } = started
      const { token } = supplierAgent
      const { subscription } = yield* subscribeAsAgent(token, [projectId])
      const empty = yield* readDeliveries(token, subscription.id)
      const checkpoint = formatCheckpoint(subscription.id, undefined)
      assert.deepStrictEqual([empty.status, empty.body], [200, { deliveries: [], next: null, checkpoint }])
      assert.deepStrictEqual((yield* readDeliveries(token, subscription.id, checkpoint)).body, empty.body)
      const view = yield* readProject(token, projectId)
      createdBody(yield* sendCommand(token, projectId, "respond", respondTo(view, started)))
      // No worker has fanned out: the read numbers the committed events.
      const first = yield* readDeliveries(token, subscription.id, checkpoint)
      const [delivery] = first.body.deliveries
      assert.hasAllKeys(delivery, [
        "deliveryId",
        "event",
        "eventType",
        "state",
        "scheduledAttempts",
        "totalAttempts",
        "nextAttemptAt",
        "lastAttempt"
      ])
      assert.deepInclude(delivery, {
        eventType: "agreement.confirmed",
        state: "PENDING",
        scheduledAttempts: 0,
        totalAttempts: 0,
        lastAttempt: null
      })
      assert.isString(delivery.nextAttemptAt)
      assert.isNull(first.body.next)
      const again = yield* readDeliveries(token, subscription.id, first.body.checkpoint)
      assert.deepStrictEqual(again.body, { deliveries: [], next: null, checkpoint: first.body.checkpoint })
    })
  )

  it.effect("A history is read in pages of 100, and its last page has no next cursor.", () =>
    Effect.gen(function* () {
      const { token, id } = yield* projectWithDelivery
      const whole = Effect.gen(function* () {
        const pages = [yield* readDeliveries(token, id)]
        while (pages.at(-1)!.body.next !== null) {
          const { next, checkpoint } = pages.at(-1)!.body
          assert.strictEqual(next, checkpoint)
          pages.push(yield* readDeliveries(token, id, next))
        }
        return pages
      })
      for (const [count, sizes] of [
        [100, [100]],
        [101, [100, 1]],
        [201, [100, 100, 1]]
      ] as const) {
        yield* insertDeliveries(id, count)
        const pages = yield* whole
        assert.deepStrictEqual(
          pages.map(({ body }) => body.deliveries.length),
          [...sizes]
        )
        const stored = (yield* storedOf(id)).deliveries.map(({ deliveryId }) => deliveryId)
        assert.deepStrictEqual(pages.flatMap(ids), stored)
        assert.strictEqual(pages.at(-1)!.body.checkpoint, formatCheckpoint(id, stored.at(-1)))
      }
    })
  )

  it.effect("A history refuses a checkpoint that is not its own.", () =>
    Effect.gen(function* () {
      const { token, id, projectId, received } = yield* projectWithDelivery
      const { subscription } = yield* subscribeAsAgent(token, [projectId])
      const own = (yield* readDeliveries(token, id)).body.checkpoint as string
      const deliveryId = received.headers["service-delivery-id"]!
      for (const earlier of [deliveryId, `whd_${"0".repeat(64)}`, "whd_"]) {
        const answer = yield* readDeliveries(token, id, earlier)
        assertRefused(answer, 409, "WEBHOOK_CURSOR_RESET_REQUIRED")
        assert.deepInclude(answer.body, { retryable: false, nextAction: "RESTART_DELIVERY_HISTORY" })
      }
      const foreign = [
        formatCheckpoint(subscription.id, undefined),
        formatCheckpoint(subscription.id, deliveryId),
        formatCheckpoint(id, "whd_1"),
        own.toUpperCase(),
        own.slice(0, -1),
        `${own}0`,
        `${own}\n`,
        ` ${own}`,
        "whc1_",
        "whc2_whd_1",
        "1",
        "\u0000",
        "%",
        "",
        "a".repeat(4_000)
      ]
      for (const after of foreign) {
        const answer = yield* readDeliveries(token, id, after)
        assert.strictEqual(answer.status, 400, JSON.stringify(after))
        assertRefusal(answer)
        if (!after.includes("\u0000")) assert.strictEqual(answer.body.error, "WEBHOOK_CURSOR_INVALID")
      }
      assertRefused(yield* readDeliveries(token, subscription.id, own), 400, "WEBHOOK_CURSOR_INVALID")
    })
  )

  it.effect(
    "A history shows pending deliveries of an ended subscription as cancelled, and those of an expired grant as held.",
    () =>
      Effect.gen(function* () {
        const { supplier, supplierAgent, token, projectId, id } = yield* projectWithDelivery
        const queued = Effect.gen(function* () {
          const view = yield* readProject(token, projectId)
          createdBody(yield* sendCommand(token, projectId, "submit", submissionFor(view)))
        })
        yield* queued
        const start = yield* now
        const person = personCaller(onBehalfOf(supplier.personId))
        const seen = Effect.map(readHistory(person, id, undefined), (history) =>
          viewHistory(history).deliveries.map(({ state, held, nextAttemptAt }) => [state, held, nextAttemptAt !== null])
        )
        assert.deepStrictEqual(yield* seen, [
          ["DELIVERED", undefined, false],
          ["PENDING", undefined, true]
        ])
        const { grantId, expiresAt } = supplierAgent
        // The subscription ends after a day and its grant later: it is renewed until then, or not at all.
        assert.isAbove(expiresAt.localeCompare(addMilliseconds(start, day)), 0)
        yield* endGrantAt(grantId, addMilliseconds(start, 3_600_000))
        const afterGrant = addMilliseconds(start, 3_600_000)
        assert.deepStrictEqual(yield* seen.pipe(at(addMilliseconds(afterGrant, -1))), [
          ["DELIVERED", undefined, false],
          ["PENDING", undefined, true]
        ])
        assert.deepStrictEqual(yield* seen.pipe(at(afterGrant)), [
          ["DELIVERED", undefined, false],
          ["PENDING", true, false]
        ])
        assert.strictEqual((yield* readDeliveries(token, id).pipe(at(afterGrant))).status, 401)
        const { personId } = supplier
        yield* renewAs({ personId, grantId, expectedGeneration: 1 }).pipe(at(afterGrant))
        assert.deepStrictEqual((yield* seen.pipe(at(afterGrant)))[1], ["PENDING", undefined, true])
        const ended = [
          ["DELIVERED", undefined, false],
          ["CANCELLED", undefined, false]
        ]
        assert.deepStrictEqual(yield* seen.pipe(at(addMilliseconds(start, day + 1_000))), ended)
        yield* revokeGrant("OPERATOR", { grantId })
        assert.deepStrictEqual(yield* seen, ended)
      })
  )
})

const endGrantAt = Effect.fnUntraced(function* (grantId: string, expiresAt: Instant) {
  const storage = yield* Storage
  yield* storage.transaction({ locks: [exclusive("grant", grantId)] }, (transaction) =>
    transaction.update(Grants, [grantId], { expiresAt })
  )
})

layer(memoryTestService, { excludeTestServices: true })("a redelivery", (it) => {
  it.effect(
    "A redelivery starts eight more attempts of a delivered or exhausted delivery, immediately and under the same id.",
    () =>
      Effect.gen(function* () {
        const { token, id, received, receiver } = yield* projectWithDelivery
        const deliveryId = received.headers["service-delivery-id"]!
        const answer = yield* redeliverWebhook(token, id, deliveryId)
        assert.strictEqual(answer.status, 200)
        assert.deepInclude(answer.body, { deliveryId, state: "PENDING", scheduledAttempts: 0, totalAttempts: 1 })
        assert.isString(answer.body.nextAttemptAt)
        assert.deepStrictEqual((yield* readDeliveries(token, id)).body.deliveries, [answer.body])
        const again = yield* redeliverWebhook(token, id, deliveryId)
        assert.deepStrictEqual([again.status, again.body], [200, answer.body])
        receiver.last = 500
        const start = yield* now
        for (let attempt = 1; attempt <= 10; attempt++) {
          yield* runWorkerPass.pipe(Effect.provide(receiver.layer), at(addMilliseconds(start, attempt * 3_600_000)))
        }
        assert.lengthOf(receiver.requestsOf(id), 1 + limits.webhookAttempts)
        const same = ({ headers }: ReceivedWebhook) => [headers["service-delivery-id"], headers["service-event-id"]]
        for (const one of receiver.requestsOf(id)) assert.deepStrictEqual(same(one), same(received))
        const [exhausted] = (yield* readDeliveries(token, id)).body.deliveries
        assert.deepInclude(exhausted, {
          state: "EXHAUSTED",
          scheduledAttempts: 8,
          totalAttempts: 9,
          nextAttemptAt: null
        })
        assert.deepInclude(exhausted.lastAttempt, { outcome: "HTTP_STATUS", statusCode: 500 })
        const revived = yield* redeliverWebhook(token, id, deliveryId)
        assert.deepInclude(revived.body, { state: "PENDING", scheduledAttempts: 0, totalAttempts: 9 })
      })
  )

  it.effect("A redelivery is refused after 80 attempts in all.", () =>
    Effect.gen(function* () {
      const { token, id, received, receiver } = yield* projectWithDelivery
      const deliveryId = received.headers["service-delivery-id"]!
      yield* setDelivery(id, deliveryId, { state: "EXHAUSTED", scheduledAttempts: 8, totalAttempts: 79, dueAt: never })
      assert.strictEqual((yield* redeliverWebhook(token, id, deliveryId)).status, 200)
      receiver.last = "CONNECTION"
      yield* runWorkerPass.pipe(Effect.provide(receiver.layer))
      const [last] = (yield* readDeliveries(token, id)).body.deliveries
      assert.deepInclude(last, { state: "EXHAUSTED", scheduledAttempts: 1, totalAttempts: 80 })
      assertRefused(yield* redeliverWebhook(token, id, deliveryId), 429, "REDELIVERY_LIMIT")
      yield* setDelivery(id, deliveryId, { state: "DELIVERED" })
      assertRefused(yield* redeliverWebhook(token, id, deliveryId), 429, "REDELIVERY_LIMIT")
    })
  )

  it.effect(
    "A redelivery is refused if the delivery is cancelled, its project out of scope, or the subscription ended.",
    () =>
      Effect.gen(function* () {
        const { supplier, supplierAgent, token, id, projectId, received } = yield* projectWithDelivery
        const deliveryId = received.headers["service-delivery-id"]!
        yield* setDelivery(id, deliveryId, { state: "CANCELLED" })
        assertRefused(yield* redeliverWebhook(token, id, deliveryId), 409, "STATE_CONFLICT")
        yield* setDelivery(id, deliveryId, { state: "DELIVERED" })
        yield* changeWebhook(token, id, "pause")
        assert.strictEqual((yield* redeliverWebhook(token, id, deliveryId)).body.state, "PENDING")
        // A person cannot start a redelivery after the grant has ended either, even if no worker has processed the end.
        const person = personCaller(onBehalfOf(supplier.personId))
        const other = yield* projectWithDelivery
        const otherId = other.received.headers["service-delivery-id"]!
        const otherPerson = personCaller(onBehalfOf(other.supplier.personId))
        yield* revokeGrant("OPERATOR", other.supplierAgent)
        const { code } = yield* Effect.flip(redeliver(otherPerson, other.id, otherId))
        assert.strictEqual(code, "STATE_CONFLICT")
        assert.strictEqual((yield* storedOf(other.id)).deliveries[0]!.state, "DELIVERED")
        yield* removeFromScope(supplierAgent.grantId, projectId)
        assertRefused(yield* redeliverWebhook(token, id, deliveryId), 403, "FORBIDDEN_AGENT_PROJECT_SCOPE")
        assert.strictEqual(
          (yield* Effect.flip(redeliver(person, id, deliveryId))).code,
          "FORBIDDEN_AGENT_PROJECT_SCOPE"
        )
      })
  )

  it.effect("A redelivery is a conflict once the subscription has ended, and 404 for an unknown delivery", () =>
    Effect.gen(function* () {
      const { token, id, projectId, received } = yield* projectWithDelivery
      const deliveryId = received.headers["service-delivery-id"]!
      const { subscription } = yield* subscribeAsAgent(token, [projectId])
      assertRefused(yield* redeliverWebhook(token, subscription.id, deliveryId), 404, "NOT_FOUND")
      const end = addMilliseconds(yield* now, day)
      assertRefused(yield* redeliverWebhook(token, id, deliveryId).pipe(at(end)), 409, "STATE_CONFLICT")
      yield* changeWebhook(token, id, "revoke")
      assertRefused(yield* redeliverWebhook(token, id, deliveryId), 409, "STATE_CONFLICT")
    })
  )
})
