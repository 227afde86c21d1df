/** Verification of webhooks over HTTP, called by their receiver. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { addMilliseconds, fromMilliseconds } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { signatureOf } from "../../src/webhooks/signature.ts"
import {
  verificationOf,
  changeWebhook,
  runWorkerPass,
  redeliverWebhook,
  assertRefused,
  subscribeAsAgent,
  removeFromScope,
  projectWithDelivery
} from "../support/webhooks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { readProject } from "../support/parties.ts"
import { jobOn } from "../support/requests.ts"
import { send } from "../support/service.ts"
import { at } from "../support/time.ts"
import { createdBody } from "../support/workspace.ts"

layer(memoryTestService, { excludeTestServices: true })("verification of a webhook", (it) => {
  it.effect("A verification returns the event, the next action and the saved jobs, and is repeatable.", () =>
    Effect.gen(function* () {
      const { token, id, projectId, received } = yield* projectWithDelivery
      const view = yield* readProject(token, projectId)
      const job = createdBody(yield* send("POST", "/api/agents/v1/jobs", { token, body: jobOn(view) }))
      const webhook = verificationOf(received)
      const answers = [
        yield* changeWebhook(token, id, "verify", webhook),
        yield* changeWebhook(token, id, "verify", webhook)
      ]
      const { currentNextAction, ...event } = JSON.parse(received.body)
      for (const { status, body } of answers) {
        assert.strictEqual(status, 200)
        const { jobs, ...rest } = body
        assert.deepStrictEqual(rest, {
          verified: true,
          deliveryId: received.headers["service-delivery-id"],
          event,
          currentNextAction
        })
        assert.deepStrictEqual(currentNextAction, view.project.nextAction)
        assert.deepStrictEqual(
          jobs.map(({ jobId, state }: any) => [jobId, state]),
          [[job.jobId, "PREPARED"]]
        )
      }
      // The next action is the current one, not the one sent.
      createdBody(yield* send("POST", `/api/agents/v1/jobs/${job.jobId}/submit`, { token, body: { confirmed: true } }))
      const later = (yield* changeWebhook(token, id, "verify", webhook)).body
      assert.deepStrictEqual(later.event, event)
      assert.deepStrictEqual(later.currentNextAction, (yield* readProject(token, projectId)).project.nextAction)
      assert.notDeepEqual(later.currentNextAction, currentNextAction)
      assert.strictEqual(later.jobs[0].state, "SUBMITTED")
    })
  )

  it.effect("A verification checks the timestamp, then the signature, then that the webhook was sent.", () =>
    Effect.gen(function* () {
      const { token, id, secret, projectId, received } = yield* projectWithDelivery
      const webhook = verificationOf(received)
      const verify = (changes: Partial<typeof webhook>, subscriptionId = id) =>
        changeWebhook(token, subscriptionId, "verify", { ...webhook, ...changes })
      const signed = (timestamp: string, rawBody: string, key = secret) => ({
        timestamp,
        rawBody,
        signature: signatureOf(key, timestamp, rawBody)
      })
      const { timestamp, rawBody } = webhook
      const sentAt = fromMilliseconds(Number(timestamp) * 1_000)
      const wrong = { signature: `v1=${"0".repeat(64)}`, rawBody: "{}" }
      assertRefused(yield* verify({ ...wrong, timestamp: "1" }), 409, "WEBHOOK_TIMESTAMP_STALE")
      assertRefused(yield* verify({ ...wrong, timestamp: "now" }), 409, "WEBHOOK_TIMESTAMP_STALE")
      assertRefused(yield* verify(wrong), 409, "WEBHOOK_SIGNATURE_INVALID")
      assertRefused(yield* verify(signed(timestamp, rawBody, `${secret}0`)), 409, "WEBHOOK_SIGNATURE_INVALID")
      assertRefused(yield* verify(signed(timestamp, `${rawBody} `)), 409, "WEBHOOK_EVENT_UNKNOWN")
      assertRefused(yield* verify(signed(timestamp, "")), 409, "WEBHOOK_EVENT_UNKNOWN")
      // Another subscription never sent it, even if its own secret signs it.
      const other = yield* subscribeAsAgent(token, [projectId])
      assertRefused(yield* verify({}, other.subscription.id), 409, "WEBHOOK_SIGNATURE_INVALID")
      const stolen = signed(timestamp, rawBody, other.secret)
      assertRefused(yield* verify(stolen, other.subscription.id), 409, "WEBHOOK_EVENT_UNKNOWN")
      const tolerance = limits.webhookTimestampTolerance
      for (const [milliseconds, status] of [
        [tolerance, 200],
        [tolerance + 1, 409]
      ] as const) {
        const answer = yield* verify({}).pipe(at(addMilliseconds(sentAt, milliseconds)))
        assert.strictEqual(answer.status, status, `${milliseconds} ${answer.text}`)
      }
    })
  )

  it.effect(
    "A verification requires the current secret and a project in scope; a paused subscription still verifies.",
    () =>
      Effect.gen(function* () {
        const { supplierAgent, token, id, projectId, received, receiver } = yield* projectWithDelivery
        const webhook = verificationOf(received)
        const verify = (one = webhook) => changeWebhook(token, id, "verify", one)
        const rotated = createdBody(yield* changeWebhook(token, id, "rotate-secret"))
        assertRefused(yield* verify(), 409, "WEBHOOK_SIGNATURE_INVALID")
        const { timestamp, rawBody } = webhook
        const resigned = { timestamp, rawBody, signature: signatureOf(rotated.secret, timestamp, rawBody) }
        assert.strictEqual((yield* verify(resigned)).status, 200)
        yield* redeliverWebhook(token, id, received.headers["service-delivery-id"]!)
        yield* runWorkerPass.pipe(Effect.provide(receiver.layer))
        const second = verificationOf(receiver.requestsOf(id)[1]!)
        assert.strictEqual((yield* verify(second)).status, 200)
        yield* changeWebhook(token, id, "pause")
        assert.strictEqual((yield* verify(second)).status, 200)
        yield* removeFromScope(supplierAgent.grantId, projectId)
        assertRefused(yield* verify(second), 403, "FORBIDDEN_AGENT_PROJECT_SCOPE")
        yield* revokeGrant("OPERATOR", supplierAgent)
        assertRefused(yield* verify(second), 401, "AUTH_INVALID")
      })
  )
})
