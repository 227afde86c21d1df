/**
 * The latency from the commit of an event to its webhook at the receiver, over TLS on loopback, with an in-process
 * worker.
 */
import { Context, Effect, Layer, Queue } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { WebhookSender } from "../../src/ports/webhook-sender.ts"
import { WebhookWakeup } from "../../src/ports/webhook-wakeup.ts"
import { webhookWorker } from "../../src/webhooks/worker.ts"
import { makeArena, nextCommand } from "../processes/arena.ts"
import { respondWith, senderTo, sendOver, startReceiver, target } from "../support/webhook-receiver.ts"
import { subscribeAsAgent } from "../support/webhooks.ts"
import { sendCommand } from "../support/parties.ts"
import { postgresStorage, testService } from "../support/service.ts"
import type { Extent } from "./extent.ts"
import { readable, type Figure } from "./figure.ts"
import { median, percentile } from "./measure.ts"

/** Commits for each project, whose history is limited to a hundred events. */
const commitsEach = 90

export const measureLatency = (database: ConnectionOptions, { commits }: Extent) =>
  Effect.gen(function* () {
    const arrivals = yield* Queue.unbounded<number>()
    const acknowledge = respondWith(204)
    const receiver = yield* startReceiver((arrival, number) => {
      Queue.offerUnsafe(arrivals, performance.now())
      acknowledge(arrival, number)
    })
    const sender = yield* senderTo(receiver)
    const alone = yield* repeatMeasurement(commits, bareSend(sender, arrivals))
    const arena = yield* makeArena(Math.ceil(commits / commitsEach))
    const projectIds = arena.lanes.map(({ projectId }) => projectId)
    yield* subscribeAsAgent(arena.buyerAgent.token, projectIds, { target })
    const committed = yield* startWorker(sender)
    const lags = yield* repeatMeasurement(commits, (turn) =>
      Effect.gen(function* () {
        const lane = arena.lanes[Math.floor(turn / commitsEach)]!
        const { token, operation, body } = nextCommand(arena, lane)
        lane.view = (yield* sendCommand(token, lane.projectId, operation, body)).body
        const lag = (yield* Queue.take(arrivals)) - (yield* Queue.take(committed))
        // By then the worker is idle again, as it was before this commit.
        yield* Effect.sleep("20 millis")
        return lag
      })
    )
    return {
      what: `${commits} commits, against a send alone over an open connection`,
      measured: `median ${readable(median(lags))} ms, p99 ${readable(percentile(lags, 0.99))} ms`,
      against: `median ${readable(median(alone))} ms`,
      ratio: median(lags) / median(alone)
    } satisfies Figure
  }).pipe(Effect.scoped, Effect.provide(testService(postgresStorage(database))))

const bareSend = (sender: WebhookSender["Service"], arrivals: Queue.Queue<number>) => () =>
  Effect.gen(function* () {
    const began = performance.now()
    yield* Effect.scoped(Effect.flatMap(sender.open(target), sendOver))
    return (yield* Queue.take(arrivals)) - began
  })

const repeatMeasurement = <E, R>(times: number, measure: (turn: number) => Effect.Effect<number, E, R>) =>
  Effect.forEach(Array.from({ length: times }), (_, turn) => measure(turn))

/** Starts a worker; returns the times of the commits, each of which wakes it. */
const startWorker = Effect.fnUntraced(function* (sender: WebhookSender["Service"]) {
  const { notify: ring, awaitNotification } = yield* WebhookWakeup
  const committed = yield* Queue.unbounded<number>()
  const told = Effect.tap(awaitNotification, () => Queue.offer(committed, performance.now()))
  const context = Context.make(WebhookSender, sender).pipe(
    Context.add(WebhookWakeup, { notify: ring, awaitNotification: told })
  )
  yield* Layer.build(webhookWorker.pipe(Layer.provide(Layer.succeedContext(context))))
  return committed
})
