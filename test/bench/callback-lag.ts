/**
 * The latency from the commit of an event to its webhook at the receiver, over TLS on loopback, with an in-process
 * worker.
 */
import { Context, Effect, Layer, Queue } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { CallbackSender } from "../../src/ports/callback-sender.ts"
import { CallbackWakeup } from "../../src/ports/callback-wakeup.ts"
import { callbackWorker } from "../../src/webhooks/worker.ts"
import { makeArena, nextCommand } from "../processes/arena.ts"
import { answers, request, senderTo, startReceiver, target } from "../support/callback-receiver.ts"
import { subscribed } from "../support/callbacks.ts"
import { command } from "../support/parties.ts"
import { postgresStorage, testService } from "../support/service.ts"
import type { Extent } from "./extent.ts"
import { readable, type Figure } from "./figure.ts"
import { median } from "./measure.ts"

/** Commits for each project, whose history is limited to a hundred events. */
const commitsEach = 90

export const measureLag = (database: ConnectionOptions, { commits }: Extent) =>
  Effect.gen(function* () {
    const arrivals = yield* Queue.unbounded<number>()
    const acknowledge = answers(204)
    const receiver = yield* startReceiver((arrival, number) => {
      Queue.offerUnsafe(arrivals, performance.now())
      acknowledge(arrival, number)
    })
    const sender = yield* senderTo(receiver)
    const alone = yield* repeatMeasurement(commits, bareSend(sender, arrivals))
    const arena = yield* makeArena(Math.ceil(commits / commitsEach))
    const projectIds = arena.lanes.map(({ projectId }) => projectId)
    yield* subscribed(arena.buyerAgent.token, projectIds, { target })
    const committed = yield* startWorker(sender)
    const lags = yield* repeatMeasurement(commits, (turn) =>
      Effect.gen(function* () {
        const lane = arena.lanes[Math.floor(turn / commitsEach)]!
        const { token, operation, body } = nextCommand(arena, lane)
        lane.view = (yield* command(token, lane.projectId, operation, body)).body
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

const bareSend = (sender: CallbackSender["Service"], arrivals: Queue.Queue<number>) => () =>
  Effect.gen(function* () {
    const began = performance.now()
    yield* Effect.scoped(Effect.flatMap(sender.open(target), (open) => open.send(request)))
    return (yield* Queue.take(arrivals)) - began
  })

const repeatMeasurement = <E, R>(times: number, measure: (turn: number) => Effect.Effect<number, E, R>) =>
  Effect.forEach(Array.from({ length: times }), (_, turn) => measure(turn))

/** Starts a worker; returns the times of the commits, each of which wakes it. */
const startWorker = Effect.fnUntraced(function* (sender: CallbackSender["Service"]) {
  const { ring, rung } = yield* CallbackWakeup
  const committed = yield* Queue.unbounded<number>()
  const told = Effect.tap(rung, () => Queue.offer(committed, performance.now()))
  const context = Context.make(CallbackSender, sender).pipe(Context.add(CallbackWakeup, { ring, rung: told }))
  yield* Layer.build(callbackWorker.pipe(Layer.provide(Layer.succeedContext(context))))
  return committed
})

const percentile = (values: ReadonlyArray<number>, part: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1]!
