/**
 * Stops of webhooks against sends in flight: in each round a worker has about a hundred sends in all their phases, and one
 * subscription is revoked or paused, its secret is rotated, or the grant of five is revoked, over HTTP.
 */
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { WebhookWakeup } from "../../src/ports/webhook-wakeup.ts"
import { SeededRandom } from "../../simulator/kernel/seeded-random.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { changeWebhook } from "../support/webhooks.ts"
import { cookieOf, createdBody, RequestOrigin } from "../support/workspace.ts"
import { startSubscriber, type Acknowledgement, type Subscriber } from "./subscriber.ts"
import {
  makeSubscriptions,
  queueSends,
  sendsAtOnce,
  startCountedWorker,
  subscribe,
  subscribeRevocable,
  untilSent,
  type Sends,
  type Subscription,
  type Subscriptions
} from "./webhook-stop-arena.ts"
import { checkStop, type StoppedRound } from "./webhook-stop-checks.ts"

export const stops = ["revocation", "grant revocation", "pause", "rotation"] as const
export type Stop = (typeof stops)[number]

export interface StopOutcome {
  readonly stop: Stop
  /** Sends in flight when the stop was requested. */
  readonly inFlight: number
  /** Requests of the stopped subscriptions whose first byte was written before the acknowledgement. */
  readonly before: number
  /** Milliseconds from the last of these first bytes to the acknowledgement; infinite if there was none. */
  readonly closest: number
  /** Of the acknowledgement. */
  readonly milliseconds: number
  readonly violations: ReadonlyArray<string>
}

/** The longest wait from the sends to the stop, in milliseconds. */
const stopWithin = 150

/** The service listens at `origin`; the worker runs in this process on the ports in context. */
export const stopWebhooks = Effect.fnUntraced(function* (options: {
  readonly connection: ConnectionOptions
  readonly origin: string
  readonly rounds: number
  readonly seed: number
}) {
  const random = SeededRandom.derived(options.seed, "stops")
  const session = yield* Effect.orDie(PgConnection.make(options.connection))
  const subscriptions = yield* makeSubscriptions
  const subscriber = yield* startSubscriber(options.seed)
  const sends = yield* startCountedWorker(subscriber.port, random)
  const all = [...subscriptions.lasting, ...subscriptions.revocable]
  for (let waited = 0; waited < 10_000 && sends.begun < all.length; waited++) yield* Effect.sleep(1)
  yield* untilSent(session, all)
  const arena: Arena = { ...options, random, session, subscriptions, subscriber, sends }
  const outcomes: Array<StopOutcome> = []
  for (let number = 0; number < options.rounds; number++) {
    outcomes.push(yield* stopOnce(arena, stops[number % stops.length]!))
  }
  return outcomes
})

interface Arena {
  readonly origin: string
  readonly random: SeededRandom
  readonly session: PgConnection.PgConnection
  readonly subscriptions: Subscriptions
  readonly subscriber: Subscriber
  readonly sends: Sends
}

const stopOnce = Effect.fnUntraced(function* (arena: Arena, stop: Stop) {
  const { random, session, subscriptions, subscriber, sends } = arena
  const all = [...subscriptions.lasting, ...subscriptions.revocable]
  yield* reset(arena)
  const queued = yield* queueSends(session, all)
  for (let waited = 0; waited < 10_000 && sends.begun < sendsAtOnce * 0.9; waited++) yield* Effect.sleep(1)
  yield* Effect.sleep(random.below(stopWithin))
  const inFlight = sends.inFlight
  const stopped = stop === "grant revocation" ? subscriptions.revocable : [random.pick(subscriptions.lasting)]
  const acknowledged = yield* performStop(arena, stop, stopped[0]!)
  const others = stop === "rotation" ? all : all.filter((subscription) => !stopped.includes(subscription))
  yield* untilSent(session, others)
  const round: StoppedRound = {
    stop,
    stopped,
    queued,
    acknowledged,
    recorded: yield* readRecorded(session),
    firstBytes: new Map(sends.firstBytes),
    requests: yield* subscriber.takeRequests
  }
  const restored = yield* restore(arena, stop, { stopped, acknowledged })
  const { violations, ...counts } = checkStop(round)
  const milliseconds = acknowledged.acknowledgedAt - acknowledged.sentAt
  return { stop, inFlight, ...counts, milliseconds, violations: [...violations, ...restored] }
})

/** The deliveries of which an attempt to send something was recorded. */
const readRecorded = (session: PgConnection.PgConnection) =>
  session.queryValues("select delivery_id from webhook_attempts where envelope_digest <> ''").pipe(
    Effect.orDie,
    Effect.map((rows) => new Set(rows.map(([id]) => String(id))))
  )

/** Forgets what the round before has sent. */
const reset = Effect.fnUntraced(function* ({ session, sends, subscriber }: Arena) {
  for (const table of ["webhook_attempts", "webhook_deliveries"]) {
    yield* Effect.orDie(session.queryValues(`delete from ${table}`))
  }
  yield* subscriber.takeRequests
  sends.begun = 0
  sends.firstBytes.clear()
})

const performStop = Effect.fnUntraced(function* (
  { origin, subscriber, subscriptions }: Arena,
  stop: Stop,
  { id, agent }: Subscription
) {
  const asAgent = { authorization: `Bearer ${agent.token}`, "content-type": "application/json" }
  const webhook = `${origin}/api/agents/v1/webhooks/${id}`
  switch (stop) {
    case "revocation":
      return yield* subscriber.post({ url: `${webhook}/revoke`, headers: asAgent, body: "{}" })
    case "pause":
      return yield* subscriber.post({ url: `${webhook}/pause`, headers: asAgent, body: "{}" })
    case "rotation":
      return yield* subscriber.post({ url: `${webhook}/rotate-secret`, headers: asAgent, body: "{}" })
    case "grant revocation": {
      const headers = { cookie: cookieOf(subscriptions.buyer.token), origin: yield* RequestOrigin }
      return yield* subscriber.post({ url: `${origin}/api/workspace/grants/${agent.grantId}/revoke`, headers })
    }
  }
})

interface Ending {
  readonly stopped: ReadonlyArray<Subscription>
  readonly acknowledged: Acknowledgement
}

/** Replaces or resumes what was stopped; the deliveries that a pause kept are sent then. */
const restore = Effect.fnUntraced(function* (
  { session, subscriptions }: Arena,
  stop: Stop,
  { stopped, acknowledged }: Ending
) {
  const { projectId } = subscriptions
  const [{ id, agent }] = stopped as [Subscription]
  const replaceBy = (subscription: Subscription) => {
    subscriptions.lasting = subscriptions.lasting.map((one) => (one.id === id ? subscription : one))
  }
  if (stop === "grant revocation") subscriptions.revocable = yield* subscribeRevocable(subscriptions)
  if (stop === "revocation") replaceBy(yield* subscribe(agent, projectId))
  if (stop === "rotation") replaceBy({ ...stopped[0]!, secret: JSON.parse(acknowledged.text).secret })
  if (stop !== "pause") return []
  createdBody(yield* changeWebhook(agent.token, id, "resume"))
  yield* Effect.orDie(session.queryValues(`update webhook_deliveries set due_at = now() where state = 'PENDING'`))
  yield* Effect.orDie(
    session.queryValues(`update webhook_subscriptions set due_at = now() where subscription_id = '${id}'`)
  )
  yield* (yield* WebhookWakeup).notify
  yield* untilSent(session, stopped)
  const unsent = yield* Effect.orDie(session.queryValues(unsentDeliveries))
  return unsent.map(([row, subscription]) => `${row} was not sent after the resumption of ${subscription}`)
})

const unsentDeliveries = `select to_jsonb(d)::text, (to_jsonb(s) - 'sealed_secret')::text from webhook_deliveries d
  join webhook_subscriptions s using (subscription_id) where state = 'PENDING'`
