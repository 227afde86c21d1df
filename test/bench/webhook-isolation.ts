/** How much a receiver that never answers delays webhooks to others, over TLS on loopback, with an in-process worker. */
import { Effect, Layer } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { WebhookSender } from "../../src/ports/webhook-sender.ts"
import { WebhookWakeup } from "../../src/ports/webhook-wakeup.ts"
import { never } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { webhookWorker } from "../../src/webhooks/worker.ts"
import { respond, startLoggingReceiver, until, type LoggingReceiver } from "../processes/webhook-processes.ts"
import { valuesOf } from "../support/postgres.ts"
import { postgresStorage, testService } from "../support/service.ts"
import { host, senderTo } from "../support/webhook-receiver.ts"
import { inDatabase, makeSubscriptions, queueDeliveries } from "./backlog.ts"
import type { Extent } from "./extent.ts"
import { readable, type Figure } from "./figure.ts"
import { median, percentile } from "./measure.ts"

/** As many as a worker has places; the receiver of one never answers. */
const subscriptions = limits.webhookBatch

/** The sends to that receiver in a round: none, one, and as many as a subscription can have at once. */
const hangingSends = [0, 1, limits.webhookAttemptsPerSubscription] as const

/** Rounds in turns: a webhook of each other subscription, alone and beside those that are never answered. */
export const compareIsolation = (database: ConnectionOptions, { webhooks }: Pick<Extent, "webhooks">) =>
  Effect.gen(function* () {
    const [hanging = "", ...answered] = yield* makeSubscriptions(subscriptions)
    yield* inDatabase(database, [
      `update webhook_subscriptions set target =
         'https://${host}/' || case subscription_id when '${hanging}' then 'hangs' else 'answers' end`,
      `update webhook_deliveries set state = 'DELIVERED', due_at = '${never}'`
    ])
    const receiver = yield* startLoggingReceiver((logged) => {
      if (logged.path === "/answers") respond(logged, 204)
    })
    const sender = yield* senderTo(receiver)
    yield* Layer.build(Layer.provide(webhookWorker, Layer.succeed(WebhookSender, sender)))
    const delays = hangingSends.map((): Array<number> => [])
    const turns = Math.ceil(webhooks / answered.length / hangingSends.length)
    for (let turn = 0; turn <= turns; turn++) {
      for (const [index, count] of hangingSends.entries()) {
        if (count > 0) yield* hang(database, receiver, { hanging, count })
        // Opens the connections again that were closed since the last round.
        yield* sendToEach(database, receiver, answered)
        const measured = yield* sendToEach(database, receiver, answered)
        // The first turn warms up.
        if (turn > 0) delays[index]!.push(...measured)
        if (count > 0) yield* stopHanging(database, receiver, hanging)
      }
    }
    const [alone = [], ...beside] = delays
    return beside.flatMap((others, index): ReadonlyArray<Figure> => {
      const what = `of ${answered.length} webhooks beside ${hangingSends[index + 1]} never answered, against alone`
      return [
        { ...figureOf(`p99 ${what}`, percentile(others, 0.99), percentile(alone, 0.99)), aim: { atMost: 1.2 } },
        figureOf(`median ${what}`, median(others), median(alone))
      ]
    })
  }).pipe(Effect.scoped, Effect.provide(Layer.fresh(testService(postgresStorage(database)))))

const figureOf = (what: string, beside: number, alone: number) => ({
  what,
  measured: `${readable(beside)} ms`,
  against: `${readable(alone)} ms`,
  ratio: beside / alone
})

/** Milliseconds from the wake-up of the worker to the arrival of each request. */
const sendToEach = Effect.fnUntraced(function* (
  database: ConnectionOptions,
  { log }: LoggingReceiver,
  subscriptionIds: ReadonlyArray<string>
) {
  const before = log.length
  yield* queueDeliveries(database, subscriptionIds, subscriptionIds.length)
  const wokenAt = performance.now()
  yield* (yield* WebhookWakeup).notify
  yield* until("the webhooks", () => log.length - before === subscriptionIds.length)
  yield* untilSettled(database, subscriptionIds)
  return log.slice(before).map(({ at }) => at - wokenAt)
})

/** Begins sends that are never answered. */
const hang = Effect.fnUntraced(function* (
  database: ConnectionOptions,
  { log }: LoggingReceiver,
  { hanging, count }: { readonly hanging: string; readonly count: number }
) {
  const before = log.length
  yield* queueDeliveries(database, [hanging], count)
  yield* (yield* WebhookWakeup).notify
  yield* until("the sends that hang", () => log.length - before === count)
})

/** Resets the open connections, and forgets the failures and what would be tried again. */
const stopHanging = Effect.fnUntraced(function* (
  database: ConnectionOptions,
  { log }: LoggingReceiver,
  hanging: string
) {
  for (const { path, arrival } of log) if (path === "/hangs") arrival.reset()
  yield* untilSettled(database, [hanging])
  yield* inDatabase(database, [
    `delete from webhook_attempts where subscription_id = '${hanging}'`,
    `delete from webhook_deliveries where subscription_id = '${hanging}' and state = 'PENDING'`,
    `update webhook_subscriptions set failures = 0, due_at = '${never}' where subscription_id = '${hanging}'`
  ])
})

const untilSettled = Effect.fnUntraced(function* (database: ConnectionOptions, subscriptionIds: ReadonlyArray<string>) {
  const leased = `select delivery_id from webhook_deliveries where lease_token <> ''
    and subscription_id in (${subscriptionIds.map((id) => `'${id}'`).join(", ")}) limit 1`
  while ((yield* valuesOf(database, leased)).length > 0) yield* Effect.sleep("10 millis")
})
