/** Subscriptions as agents make them, and receivers in this process that a worker of the test sends to. */
import { assert } from "@effect/vitest"
import { Effect, Layer, Scope } from "effect"
import {
  CallbackFailed,
  CallbackSender,
  type CallbackFault,
  type CallbackRequest
} from "../../src/ports/callback-sender.ts"
import { GrantProjects } from "../../src/access/store.ts"
import { sha256Hex } from "../../src/canonical/digest.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { checkpointOf } from "../../src/webhooks/delivery.ts"
import { recordAttempt } from "../../src/webhooks/attempt.ts"
import { claimSends, endClaimed, type LeasedSend } from "../../src/webhooks/claim.ts"
import { deliveryIdOf } from "../../src/webhooks/event.ts"
import { fanOutDue } from "../../src/webhooks/fan-out.ts"
import { sendCallback } from "../../src/webhooks/send.ts"
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
import { command, readProject, respondTo, startProject, uuid } from "./parties.ts"
import { send, type Answer } from "./service.ts"
import { made, outcome } from "./workspace.ts"

const webhooks = "/api/agents/v1/webhooks"

export const target = "https://hooks.example.com/countersign"

/** A subscription to everything of a project for a day; `changes` replaces members. */
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

/** A subscription to these projects, as the answer of its creation shows it. */
export const subscribed = Effect.fnUntraced(function* (
  token: string,
  projectIds: ReadonlyArray<string>,
  changes: object = {}
) {
  const body = { ...(yield* subscriptionTo(...projectIds)), ...changes }
  const answer = yield* createWebhook(token, body)
  if (answer.status !== 201) throw new Error(`the subscription was not made: ${answer.text}`)
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

/** What a receiver got. */
export interface Received extends CallbackRequest {
  readonly target: string
}

type Answering = number | CallbackFault | Effect.Effect<number>

/** A receiver at every target: it keeps what it gets and answers as it is told, at last always alike. */
export class TestReceiver {
  readonly received: Array<Received> = []
  readonly opened: Array<string> = []
  answers: Array<Answering> = []
  /** What happens once a connection is open, before the request is sent. */
  onOpen: Effect.Effect<void> = Effect.void
  last: Answering = 204

  readonly layer = Layer.succeed(CallbackSender, {
    open: (target) =>
      Effect.gen({ self: this }, function* () {
        this.opened.push(target)
        yield* this.onOpen
        yield* Effect.service(Scope.Scope)
        return { send: (request) => this.#take({ target, ...request }) }
      })
  })

  /** What came for one subscription: a store that tests share may have had sends of others, too. */
  of(subscriptionId: string): ReadonlyArray<Received> {
    return this.received.filter(
      ({ headers }) =>
        headers["service-delivery-id"] === deliveryIdOf(subscriptionId, headers["service-event-id"] ?? "")
    )
  }

  #take(received: Received) {
    return Effect.gen({ self: this }, function* () {
      this.received.push(received)
      const answer = this.answers.shift() ?? this.last
      if (typeof answer === "string") return yield* new CallbackFailed({ fault: answer })
      return { statusCode: typeof answer === "number" ? answer : yield* answer }
    })
  }
}

/** One pass of a worker: fans out, claims, and sends everything that it claimed; the number of sends. */
export const passOfWorker = Effect.gen(function* () {
  yield* fanOutDue()
  const { sends, ended } = yield* claimSends({ places: limits.callbackBatch, failing: limits.callbackBatch / 2 })
  yield* Effect.forEach(ended, endClaimed, { discard: true })
  yield* Effect.forEach(sends, sendCallback, { concurrency: "unbounded", discard: true })
  return sends.length
})

/** A project whose supplier's agent subscribed, with one event that it was sent. */
export const told = Effect.gen(function* () {
  const receiver = new TestReceiver()
  const started = yield* startProject()
  const { supplierAgent, projectId } = started
  const { token } = supplierAgent
  const { subscription, secret } = yield* subscribed(token, [projectId])
  made(yield* command(token, projectId, "respond", respondTo(yield* readProject(token, projectId), started)))
  yield* passOfWorker.pipe(Effect.provide(receiver.layer))
  const [received] = receiver.of(subscription.id)
  return { ...started, receiver, token, id: subscription.id, secret, received: received! }
})

/** Records an attempt as a worker does before it sends, and is not heard of again. */
export const recordAndDie = Effect.fnUntraced(function* (send: LeasedSend, deadline: Instant = send.until) {
  const storage = yield* Storage
  const planned = yield* storage.view((reader) =>
    Effect.gen(function* () {
      const subscription = (yield* reader.get(WebhookSubscriptions, [send.subscriptionId]))!
      const delivery = (yield* reader.get(WebhookDeliveries, [send.deliveryId]))!
      const event = (yield* reader.get(WebhookEvents, [delivery.eventId]))!
      return { subscription, event, deadline, note: () => Effect.void }
    })
  )
  return yield* recordAttempt(send, planned)
})

/** As its receiver asks whether it was sent. */
export const callbackOf = ({ headers, body }: Received) => ({
  rawBody: body,
  timestamp: headers["service-timestamp"]!,
  signature: headers["service-signature"]!
})

/** Asserts that an answer is this refusal, as it is documented. */
export const refusedAs = (answer: Answer, status: number, code: string): void => {
  assert.deepStrictEqual(outcome(answer), [status, code])
  assertRefusal(answer)
}

/** What the store holds of a subscription, its deliveries in their order. */
export const storedOf = Effect.fnUntraced(function* (subscriptionId: string) {
  const storage = yield* Storage
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const subscription = (yield* reader.get(WebhookSubscriptions, [subscriptionId]))!
      const places = { prefix: [subscriptionId], limit: 10_000 }
      const deliveries = yield* reader.range(WebhookDeliveries, "byPlace", places)
      const attempts = yield* Effect.forEach(deliveries, ({ deliveryId }) =>
        reader.range(WebhookAttempts, "key", { prefix: [deliveryId], limit: 100 })
      )
      return { subscription, deliveries, attempts: attempts.flat() }
    })
  )
})

/** The outbox of a project, in its order. */
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

/** As if that many events had been numbered for it, and gone as far as the first one; `changes` replaces members. */
export const fill = Effect.fnUntraced(function* (
  subscriptionId: string,
  count: number,
  changes: Partial<DeliveryRow> = {}
) {
  const storage = yield* Storage
  const { deliveries } = yield* storedOf(subscriptionId)
  yield* storage.transaction({ roots: [exclusive("subscription", subscriptionId)] }, (transaction) =>
    Effect.gen(function* () {
      for (let number = deliveries.length + 1; number <= count; number++) {
        const deliveryId = `whd_${sha256Hex(`${subscriptionId} ${number}`)}`
        const checkpoint = checkpointOf(subscriptionId, deliveryId)
        yield* transaction.insert(WebhookDeliveries, { ...deliveries[0]!, deliveryId, number, checkpoint, ...changes })
      }
    })
  )
})

export const setSubscription = Effect.fnUntraced(function* (subscriptionId: string, changes: Partial<SubscriptionRow>) {
  const storage = yield* Storage
  yield* storage.transaction({ roots: [exclusive("subscription", subscriptionId)] }, (transaction) =>
    transaction.update(WebhookSubscriptions, [subscriptionId], changes)
  )
})

/** As if a delivery had gone as far as that. */
export const setDelivery = Effect.fnUntraced(function* (
  subscriptionId: string,
  deliveryId: string,
  changes: Partial<DeliveryRow>
) {
  const storage = yield* Storage
  yield* storage.transaction({ roots: [exclusive("subscription", subscriptionId)] }, (transaction) =>
    transaction.update(WebhookDeliveries, [deliveryId], changes)
  )
})

/** As if somebody had taken the project out of what the grant reaches. */
export const takeFromScope = Effect.fnUntraced(function* (grantId: string, projectId: string) {
  const storage = yield* Storage
  yield* storage.transaction({ roots: [exclusive("grant", grantId)] }, (transaction) =>
    transaction.remove(GrantProjects, [grantId, projectId])
  )
})
