/** Subscriptions of agents, and in-process receivers for a test's worker. */
import { assert } from "@effect/vitest"
import { Effect, Layer, Scope } from "effect"
import {
  WebhookFailure,
  WebhookSender,
  type PendingResponse,
  type WebhookFailureReason,
  type WebhookRequest
} from "../../src/ports/webhook-sender.ts"
import { GrantProjects } from "../../src/access/store.ts"
import { sha256Hex } from "../../src/canonical/digest.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { formatCheckpoint, formatDeliveryId } from "../../src/webhooks/opaque-ids.ts"
import { recordAttempts } from "../../src/webhooks/attempt.ts"
import { runAlone } from "../../src/webhooks/batch.ts"
import { claimSends, endClaimedSubscription, type LeasedSend } from "../../src/webhooks/claim.ts"
import { fanOutDue } from "../../src/webhooks/fan-out.ts"
import { sendWebhook } from "../../src/webhooks/send.ts"
import { settleSends, type SendResult } from "../../src/webhooks/settle.ts"
import {
  WebhookAttempts,
  WebhookDeliveries,
  WebhookEvents,
  WebhookListeners,
  WebhookSubscriptions,
  type DeliveryRow,
  type SubscriptionRow
} from "../../src/webhooks/store.ts"
import type { HttpApp } from "../../src/service.ts"
import { eventTypes } from "../../src/vocabulary/event-types.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { addMilliseconds, now, type Instant } from "../../src/vocabulary/instant.ts"
import { assertRefusal } from "./errors.ts"
import { sendCommand, readProject, respondTo, startProject, uuid } from "./parties.ts"
import { send, type Answer } from "./service.ts"
import { createdBody, outcome } from "./workspace.ts"

const webhooks = "/api/agents/v1/webhooks"

export const target = "https://hooks.example.com/countersign"

/** A subscription to all events of these projects for a day; `changes` replaces members. */
export const subscriptionTo = (...projectIds: ReadonlyArray<string>) =>
  Effect.map(now, (at) => ({
    requestId: uuid(),
    target,
    projectIds,
    eventTypes,
    expiresAt: addMilliseconds(at, 24 * 3_600_000),
    confirmed: true
  }))

export const createWebhook = (token: string, body: unknown) => send("POST", webhooks, { token, body })

/** Creates a subscription to these projects; returns the response. */
export const subscribeAsAgent = Effect.fnUntraced(function* (
  token: string,
  projectIds: ReadonlyArray<string>,
  changes: object = {}
) {
  const body = { ...(yield* subscriptionTo(...projectIds)), ...changes }
  const answer = yield* createWebhook(token, body)
  if (answer.status !== 201) throw new Error(`the subscription was not created: ${answer.text}`)
  return answer.body as { readonly subscription: { readonly id: string }; readonly secret: string }
})

export const changeWebhook = (
  token: string,
  id: string,
  verb: string,
  body: unknown = {}
): Effect.Effect<Answer, never, HttpApp> => send("POST", `${webhooks}/${id}/${verb}`, { token, body })

export const listWebhooks = (token: string) => send("GET", webhooks, { token })

export const readDeliveries = (token: string, id: string, after?: string) =>
  send("GET", `${webhooks}/${id}/deliveries${after === undefined ? "" : `?after=${encodeURIComponent(after)}`}`, {
    token
  })

export const redeliverWebhook = (token: string, id: string, deliveryId: string) =>
  send("POST", `${webhooks}/${id}/deliveries/${deliveryId}/redeliver`, { token, body: {} })

/** A request received. */
export interface ReceivedWebhook extends WebhookRequest {
  readonly target: string
}

type ConfiguredAnswer = number | WebhookFailureReason | Effect.Effect<number>

/** A receiver that acknowledges immediately. */
export const acknowledgingSender = Layer.succeed(WebhookSender, {
  open: () => Effect.succeed({ send: () => Effect.succeed(Effect.succeed({ statusCode: 204 })) })
})

/** A receiver for every target: it records requests and answers as configured, repeating the last answer. */
export class TestReceiver {
  readonly received: Array<ReceivedWebhook> = []
  readonly opened: Array<string> = []
  answers: Array<ConfiguredAnswer> = []
  /** Runs when a connection is open, before the request is sent. */
  onOpen: Effect.Effect<void> = Effect.void
  last: ConfiguredAnswer = 204

  readonly layer = Layer.succeed(WebhookSender, {
    open: (target) =>
      Effect.gen({ self: this }, function* () {
        this.opened.push(target)
        yield* this.onOpen
        yield* Effect.service(Scope.Scope)
        return { send: (request) => Effect.sync(() => this.#take({ target, ...request })) }
      })
  })

  /** The requests of one subscription: a store shared by tests may send those of others too. */
  requestsOf(subscriptionId: string): ReadonlyArray<ReceivedWebhook> {
    return this.received.filter(
      ({ headers }) =>
        headers["service-delivery-id"] === formatDeliveryId(subscriptionId, headers["service-event-id"] ?? "")
    )
  }

  #take(received: ReceivedWebhook): PendingResponse {
    this.received.push(received)
    const answer = this.answers.shift() ?? this.last
    return Effect.gen(function* () {
      if (typeof answer === "string") return yield* new WebhookFailure({ fault: answer })
      return { statusCode: typeof answer === "number" ? answer : yield* answer }
    })
  }
}

/** One pass of a worker: fans out, claims, and sends everything claimed; returns the number of sends. */
export const runWorkerPass = Effect.gen(function* () {
  yield* fanOutDue()
  const { sends, ended } = yield* claimSends({ places: limits.webhookBatch, failing: limits.webhookBatch / 2 })
  yield* Effect.forEach(ended, endClaimedSubscription, { discard: true })
  yield* Effect.forEach(sends, sendWebhook, { concurrency: "unbounded", discard: true })
  return sends.length
})

/** A project whose supplier's agent has subscribed and has received one event. */
export const projectWithDelivery = Effect.gen(function* () {
  const receiver = new TestReceiver()
  const started = yield* startProject()
  const { supplierAgent, projectId } = started
  const { token } = supplierAgent
  const { subscription, secret } = yield* subscribeAsAgent(token, [projectId])
  createdBody(yield* sendCommand(token, projectId, "respond", respondTo(yield* readProject(token, projectId), started)))
  yield* runWorkerPass.pipe(Effect.provide(receiver.layer))
  const [received] = receiver.requestsOf(subscription.id)
  return { ...started, receiver, token, id: subscription.id, secret, received: received! }
})

/** Records an attempt as a worker does before a send, without sending or settling. */
export const recordAttemptOnly = Effect.fnUntraced(function* (send: LeasedSend, deadline: Instant = send.until) {
  const storage = yield* Storage
  const planned = yield* storage.view((reader) =>
    Effect.gen(function* () {
      const subscription = (yield* reader.get(WebhookSubscriptions, [send.subscriptionId]))!
      const delivery = (yield* reader.get(WebhookDeliveries, [send.deliveryId]))!
      const event = (yield* reader.get(WebhookEvents, [delivery.eventId]))!
      return { subscription, event, deadline, note: () => Effect.void }
    })
  )
  return yield* runAlone(recordAttempts)({ send, plan: planned })
})

/** Settles a send as a worker does, alone. */
export const settleSend = (send: LeasedSend, result: SendResult) => runAlone(settleSends)({ send, result })

/** The body of a receiver's verification request. */
export const verificationOf = ({ headers, body }: ReceivedWebhook) => ({
  rawBody: body,
  timestamp: headers["service-timestamp"]!,
  signature: headers["service-signature"]!
})

/** Asserts that a response is this refusal and is documented. */
export const assertRefused = (answer: Answer, status: number, code: string): void => {
  assert.deepStrictEqual(outcome(answer), [status, code])
  assertRefusal(answer)
}

/** The stored subscription with its deliveries, in order. */
export const storedOf = Effect.fnUntraced(function* (subscriptionId: string) {
  const storage = yield* Storage
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const subscription = (yield* reader.get(WebhookSubscriptions, [subscriptionId]))!
      const places = { prefix: [subscriptionId], limit: 10_000 }
      const deliveries = yield* reader.range(WebhookDeliveries, "byNumber", places)
      const attempts = yield* Effect.forEach(deliveries, ({ deliveryId }) =>
        reader.range(WebhookAttempts, "key", { prefix: [deliveryId], limit: 100 })
      )
      return { subscription, deliveries, attempts: attempts.flat() }
    })
  )
})

/** The outbox of a project, in order. */
export const outboxOf = Effect.fnUntraced(function* (projectId: string) {
  const storage = yield* Storage
  return yield* storage.view((reader) =>
    reader.range(WebhookEvents, "byProject", { prefix: [projectId], limit: 1_000 })
  )
})

export const listenersOf = Effect.fnUntraced(function* (projectId: string) {
  const storage = yield* Storage
  return yield* storage.view((reader) => reader.range(WebhookListeners, "key", { prefix: [projectId], limit: 1_000 }))
})

/** Inserts deliveries of that many events, as copies of the first one; `changes` replaces members. */
export const insertDeliveries = Effect.fnUntraced(function* (
  subscriptionId: string,
  count: number,
  changes: Partial<DeliveryRow> = {}
) {
  const storage = yield* Storage
  const { deliveries } = yield* storedOf(subscriptionId)
  yield* storage.transaction({ locks: [exclusive("subscription", subscriptionId)] }, (transaction) =>
    Effect.gen(function* () {
      for (let number = deliveries.length + 1; number <= count; number++) {
        const deliveryId = `whd_${sha256Hex(`${subscriptionId} ${number}`)}`
        const checkpoint = formatCheckpoint(subscriptionId, deliveryId)
        yield* transaction.insert(WebhookDeliveries, { ...deliveries[0]!, deliveryId, number, checkpoint, ...changes })
      }
    })
  )
})

export const setSubscription = Effect.fnUntraced(function* (subscriptionId: string, changes: Partial<SubscriptionRow>) {
  const storage = yield* Storage
  yield* storage.transaction({ locks: [exclusive("subscription", subscriptionId)] }, (transaction) =>
    transaction.update(WebhookSubscriptions, [subscriptionId], changes)
  )
})

/** Changes the stored row of a delivery. */
export const setDelivery = Effect.fnUntraced(function* (
  subscriptionId: string,
  deliveryId: string,
  changes: Partial<DeliveryRow>
) {
  const storage = yield* Storage
  yield* storage.transaction({ locks: [exclusive("subscription", subscriptionId)] }, (transaction) =>
    transaction.update(WebhookDeliveries, [deliveryId], changes)
  )
})

/** Removes the project from the scope of the grant. */
export const removeFromScope = Effect.fnUntraced(function* (grantId: string, projectId: string) {
  const storage = yield* Storage
  yield* storage.transaction({ locks: [exclusive("grant", grantId)] }, (transaction) =>
    transaction.remove(GrantProjects, [grantId, projectId])
  )
})
