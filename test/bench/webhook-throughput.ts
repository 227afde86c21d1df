/** Webhooks per second through claims, records and settlements, without a network, against job queues. */
import { Effect, Layer } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { WebhookSender } from "../../src/ports/webhook-sender.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { claimSends, type LeasedSend } from "../../src/webhooks/claim.ts"
import { sendWebhook } from "../../src/webhooks/send.ts"
import { CurrentSendSteps, makeBatchedSteps, type SendSteps } from "../../src/webhooks/send-steps.ts"
import { postgresStorage, testService } from "../support/service.ts"
import { makeSubscriptions, queueDeliveries } from "./backlog.ts"
import type { Extent } from "./extent.ts"
import { readable, type Figure } from "./figure.ts"
import { measureGraphileWorker, measurePgBoss } from "./job-queues.ts"

/** Concurrent loops, as in a worker. */
const loops = 4
const subscriptions = 40

export const compareThroughput = (database: ConnectionOptions, { jobs, webhooks }: Extent) =>
  Effect.gen(function* () {
    const subscriptionIds = yield* makeSubscriptions(subscriptions)
    const figures: Array<Figure> = []
    for (const batch of [20, 100]) {
      const pgBoss = yield* measurePgBoss(database, jobs, batch)
      const peers: ReadonlyArray<readonly [string, number, Figure["aim"]]> =
        batch === 20
          ? [["pg-boss", pgBoss, { atLeast: 3 }]]
          : [
              ["pg-boss", pgBoss, undefined],
              ["graphile-worker", yield* measureGraphileWorker(database, jobs), { atLeast: 1.2 }]
            ]
      yield* queueDeliveries(database, subscriptionIds, webhooks)
      const steps = yield* makeBatchedSteps
      const acknowledged = yield* pace(batch, acknowledge(steps))
      yield* queueDeliveries(database, subscriptionIds, webhooks)
      const sent = yield* pace(batch, sendWithoutNetwork(steps))
      for (const [peer, against, aim] of peers) {
        figures.push(
          figureOf(`claimed and acknowledged in batches of ${batch}, against ${peer}`, acknowledged, against, aim)
        )
        figures.push(figureOf(`the same with authority check, body and record, against ${peer}`, sent, against))
      }
    }
    return figures
  }).pipe(Effect.provide(testService(postgresStorage(database))))

const figureOf = (what: string, measured: number, against: number, aim?: Figure["aim"]): Figure => ({
  what,
  measured: `${readable(measured)}/s`,
  against: `${readable(against)}/s`,
  ratio: measured / against,
  ...(aim === undefined ? {} : { aim })
})

/** Claims batches until nothing is due; returns sends per second. */
const pace = Effect.fnUntraced(function* <R>(
  batch: number,
  work: (send: LeasedSend) => Effect.Effect<unknown, never, R>
) {
  let done = 0
  const loop = Effect.gen(function* () {
    for (;;) {
      const { sends } = yield* claimSends({ places: batch, failing: batch / 2 })
      if (sends.length === 0) return
      yield* Effect.forEach(sends, work, { concurrency: "unbounded", discard: true })
      done += sends.length
    }
  })
  const began = performance.now()
  const together = { concurrency: "unbounded", discard: true } as const
  yield* Effect.forEach(Array.from({ length: loops }), () => loop, together)
  return done / ((performance.now() - began) / 1000)
})

const acknowledge =
  ({ settle }: SendSteps) =>
  (send: LeasedSend) =>
    Effect.flatMap(now, (at) =>
      settle({
        send,
        result: {
          kind: "ATTEMPTED",
          at,
          durationMs: 1,
          outcome: "ACKNOWLEDGED",
          statusCode: 204,
          recorded: undefined
        }
      })
    )

/** A receiver that acknowledges immediately. */
const acknowledgingSender = Layer.succeed(WebhookSender, {
  open: () => Effect.succeed({ send: () => Effect.succeed({ statusCode: 204 }) })
})

const sendWithoutNetwork = (steps: SendSteps) => (send: LeasedSend) =>
  Effect.provide(Effect.provideService(sendWebhook(send), CurrentSendSteps, steps), acknowledgingSender)
