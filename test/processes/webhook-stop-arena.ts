/** Subscriptions of two agents of one person, a worker with a real sender in this process, and due deliveries. */
import * as diagnostics from "node:diagnostics_channel"
import { PgConnection } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { ConfiguredWebhookTiming, defaultWebhookTiming } from "../../src/ports/webhook-timing.ts"
import { WebhookSender } from "../../src/ports/webhook-sender.ts"
import { WebhookWakeup } from "../../src/ports/webhook-wakeup.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { webhookWorker } from "../../src/webhooks/worker.ts"
import type { SeededRandom } from "../../simulator/kernel/seeded-random.ts"
import {
  buyerActions,
  confirmAgreement,
  creationInput,
  makeAgent,
  makeParty,
  readProject,
  respondTo,
  sendCommand,
  supplierActions
} from "../support/parties.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { host, senderTo } from "../support/webhook-receiver.ts"
import { subscribeAsAgent } from "../support/webhooks.ts"
import { createdBody } from "../support/workspace.ts"
import { createWith } from "./arena.ts"
import { monotonicNow } from "./subscriber.ts"

/** Sends in flight at once, over all subscriptions; as many as a worker has places. */
export const sendsAtOnce = 100
const sendsEach = limits.webhookAttemptsPerSubscription

/** The longest wait for the answer of a name server, in milliseconds. */
const resolutionDelay = 40

/** Of an agent that stays, and of one whose grant can be revoked. */
const subscriptionsOf = { lasting: 15, revocable: 5 }

export interface Agent {
  readonly grantId: string
  readonly token: string
}

export interface Subscription {
  readonly id: string
  readonly agent: Agent
  readonly secret: string
}

/** The subscriptions that are active, and what their agents read about. */
export interface Subscriptions {
  readonly buyer: SignedInPerson
  readonly projectId: string
  lasting: ReadonlyArray<Subscription>
  revocable: ReadonlyArray<Subscription>
}

/** One project with an event, and its subscriptions. */
export const makeSubscriptions = Effect.gen(function* () {
  const buyer = yield* signInNewPerson("Dana")
  const supplier = yield* makeParty("Sam")
  const agent = yield* makeAgent(buyer, "BUYER", buyerActions)
  const input = creationInput(supplier, yield* confirmAgreement, yield* now)
  const projectId: string = createdBody(yield* createWith(agent.token, input)).project.taskId
  const lasting = yield* repeated(subscriptionsOf.lasting, subscribe(agent, projectId))
  const revocable = yield* subscribeRevocable({ buyer, projectId })
  const { token } = yield* makeAgent(supplier, "SUPPLIER", supplierActions, [projectId])
  const view = yield* readProject(token, projectId)
  createdBody(yield* sendCommand(token, projectId, "respond", respondTo(view, { supplier })))
  return { buyer, projectId, lasting, revocable } as Subscriptions
})

export const subscribe = (agent: Agent, projectId: string) =>
  Effect.suspend(() => subscribeAsAgent(agent.token, [projectId], { target: `https://${host}/events` })).pipe(
    Effect.map(({ subscription: { id }, secret }): Subscription => ({ id, agent, secret }))
  )

/** A new agent and its subscriptions. */
export const subscribeRevocable = Effect.fnUntraced(function* ({
  buyer,
  projectId
}: Pick<Subscriptions, "buyer" | "projectId">) {
  const agent = yield* makeAgent(buyer, "BUYER", buyerActions, [projectId])
  return yield* repeated(subscriptionsOf.revocable, subscribe(agent, projectId))
})

const repeated = <A, E, R>(count: number, effect: Effect.Effect<A, E, R>) =>
  Effect.forEach(Array.from({ length: count }), () => effect)

/** The sends of the worker since the last reset. */
export interface Sends {
  /** Sends that have begun to connect. */
  begun: number
  inFlight: number
  /** When the first byte of each delivery's request was written. */
  readonly firstBytes: Map<string, number>
}

/** Starts a worker that sends to this port; every name takes a while to resolve. */
export const startCountedWorker = Effect.fnUntraced(function* (port: number, random: SeededRandom) {
  const sends: Sends = { begun: 0, inFlight: 0, firstBytes: new Map() }
  const resolve = () =>
    Effect.suspend(() => Effect.as(Effect.sleep(random.below(resolutionDelay, "resolution")), ["127.0.0.1"]))
  const sender = yield* senderTo({ port }, { resolve })
  const counted = WebhookSender.of({
    open: (target) => Effect.andThen(countInFlight(sends), sender.open(target))
  })
  yield* recordFirstBytes(sends)
  const timing = { ...defaultWebhookTiming, batch: sendsAtOnce }
  const given = Layer.merge(Layer.succeed(WebhookSender, counted), Layer.succeed(ConfiguredWebhookTiming, timing))
  yield* Layer.build(Layer.provide(webhookWorker, given))
  return sends
})

const countInFlight = (sends: Sends) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      sends.begun += 1
      sends.inFlight += 1
    }),
    () => Effect.sync(() => void (sends.inFlight -= 1))
  )

/** The HTTP client announces a request immediately before it writes the head, in the same turn. */
const recordFirstBytes = ({ firstBytes }: Sends) => {
  const record = (message: unknown) => {
    const { headers } = message as { readonly headers: string }
    const [, deliveryId] = /^service-delivery-id: (\w+)/m.exec(headers) ?? []
    if (deliveryId !== undefined) firstBytes.set(deliveryId, monotonicNow())
  }
  return Effect.acquireRelease(
    Effect.sync(() => diagnostics.subscribe("undici:client:sendHeaders", record)),
    () => Effect.sync(() => void diagnostics.unsubscribe("undici:client:sendHeaders", record))
  )
}

/** Makes as many deliveries due as a worker sends at once, and wakes it. Returns the subscription of each delivery. */
export const queueSends = Effect.fnUntraced(function* (
  session: PgConnection.PgConnection,
  subscriptions: ReadonlyArray<Subscription>
) {
  const ids = subscriptions.map(({ id }) => `'${id}'`).join(", ")
  const query = (sql: string) => Effect.orDie(session.queryValues(sql))
  const rows = yield* query(`
    insert into webhook_deliveries (delivery_id, subscription_id, number, checkpoint, event_id, event_type, project_id, state,
      scheduled_attempts, total_attempts, last_attempt, due_at, lease_token, leased_until)
    select 'whd_' || key, subscription_id, delivery_count + step, 'whc1_whd_' || key, event_id, type, project_id,
      'PENDING', 0, 0, null, now(), '', now()
    from webhook_subscriptions, generate_series(1, ${sendsEach}) as step,
      (select event_id, type, project_id from webhook_events limit 1) as event,
      lateral (select encode(sha256(convert_to(subscription_id || (delivery_count + step), 'UTF8')), 'hex') as key) as keys
    where subscription_id in (${ids}) returning delivery_id, subscription_id`)
  yield* query(`update webhook_subscriptions set due_at = now(), delivery_count = delivery_count + ${sendsEach}
    where subscription_id in (${ids})`)
  yield* (yield* WebhookWakeup).notify
  const byId = new Map(subscriptions.map((subscription) => [subscription.id, subscription]))
  return new Map(rows.map(([deliveryId, id]) => [String(deliveryId), byId.get(String(id))!]))
})

/** Waits until nothing is leased, and everything of these subscriptions has been sent. */
export const untilSent = Effect.fnUntraced(function* (
  session: PgConnection.PgConnection,
  subscriptions: ReadonlyArray<Subscription>
) {
  const ids = subscriptions.map(({ id }) => `'${id}'`).join(", ")
  const unfinished = `select from webhook_deliveries
    where lease_token <> '' or state = 'PENDING' and subscription_id in (${ids}) limit 1`
  for (let waited = 0; waited < 30_000; waited += 10) {
    if ((yield* Effect.orDie(session.queryValues(unfinished))).length === 0) return
    yield* Effect.sleep(10)
  }
})
