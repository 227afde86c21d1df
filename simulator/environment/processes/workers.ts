/** The worker process of a world, at most one at a time. The pending calls of a crashed one never return. */
import { Effect, Exit, Fiber, Layer, Queue, Scope, type Context } from "effect"
import type { SecureRandom } from "effect/crypto"
import { connectionWorker } from "../../../src/access/worker.ts"
import { paymentWorker } from "../../../src/commerce/worker.ts"
import { WebhookSender } from "../../../src/ports/webhook-sender.ts"
import { WebhookWakeup } from "../../../src/ports/webhook-wakeup.ts"
import { issuanceWorker } from "../../../src/records/worker.ts"
import { committedEvents } from "../../../src/webhooks/committed-events-layer.ts"
import { webhookWorker } from "../../../src/webhooks/worker.ts"
import type { Network } from "../webhook-receivers/network.ts"
import type { VirtualScheduler } from "../../kernel/scheduler.ts"
import { CurrentHistory, type FiberHistory } from "../../kernel/fiber-history.ts"
import type { Ports } from "../ports.ts"
import type { Recorder } from "../../observation/recorder.ts"
import { Process } from "./process.ts"
import type { Task } from "./tasks.ts"

const layers = {
  CALLBACKS: webhookWorker,
  RECORDS: issuanceWorker.pipe(Layer.provide(committedEvents)),
  CONNECTIONS: connectionWorker,
  PAYMENTS: paymentWorker
} as const satisfies { readonly [T in Task]: Layer.Layer<never, never, unknown> }

interface Running {
  readonly process: Process
  readonly notifications: Queue.Queue<void>
  readonly scope: Scope.Closeable
  readonly line: FiberHistory | undefined
}

export class Workers {
  /** Wakes the running worker. */
  readonly wakeup: WebhookWakeup["Service"] = {
    notify: Effect.suspend(() => {
      if (this.#running === undefined) return Effect.void
      this.#running.line?.record("RUNG")
      return Effect.asVoid(Queue.offer(this.#running.notifications, undefined))
    }),
    // Each process has its own queue: an ended one consumes no wake-up of the next.
    awaitNotification: Effect.never
  }
  readonly #scheduler: VirtualScheduler
  readonly #network: Network
  readonly #recorder: Recorder
  readonly #tasks: ReadonlyArray<Task>
  #running: Running | undefined
  #started = 0

  constructor(scheduler: VirtualScheduler, network: Network, recorder: Recorder, given: ReadonlyArray<Task>) {
    this.#scheduler = scheduler
    this.#network = network
    this.#recorder = recorder
    this.#tasks = given
  }

  copyStateFrom(earlier: Workers): void {
    this.#started = earlier.#started
  }

  /** True if this world has a worker. */
  get areConfigured(): boolean {
    return this.#tasks.length > 0
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** The running worker process, if any. */
  get process(): Process | undefined {
    return this.#running?.process
  }

  /** `portsOf` returns the ports of a process, and `as` runs an effect in it. */
  readonly start = (
    portsOf: (process: Process) => Context.Context<Ports>,
    as: (process: Process) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  ): Effect.Effect<void, never, SecureRandom.SecureRandom> =>
    Effect.gen({ self: this }, function* () {
      this.#started += 1
      const name = this.#started === 1 ? "worker" : `worker-${this.#started}`
      const process: Process = new Process(name, "worker", () => this.#crashed(process))
      const notifications = yield* Queue.sliding<void>(1)
      const scope = yield* Scope.make()
      const sender = Layer.succeed(WebhookSender, senderFor(process, this.#network))
      const wakeup = Layer.succeed(WebhookWakeup, {
        notify: this.wakeup.notify,
        awaitNotification: Queue.take(notifications)
      })
      const working = Layer.mergeAll(Layer.empty, ...this.#tasks.map((task) => layers[task]))
      const line = this.#scheduler.startHistory(name)
      this.#running = { process, notifications, scope, line }
      this.#recorder.observe({ kind: "worker", actor: process.name, did: "STARTED" })
      yield* Layer.buildWithScope(Layer.provide(working, [sender, wakeup]), scope).pipe(
        Effect.provideContext(portsOf(process)),
        Effect.provideService(CurrentHistory, line),
        as(process)
      )
    })

  /** Stops gracefully as on SIGTERM: releases its leases and ends, or crashes before that. */
  readonly stop: Effect.Effect<void> = Effect.suspend(() => {
    const running = this.#end("STOPPED")
    if (running === undefined) return Effect.void
    const { scope, process } = running
    return Effect.flatMap(Effect.forkDetach(Scope.close(scope, Exit.void)), (closing) =>
      Effect.raceFirst(Fiber.join(closing), process.ended)
    )
  })

  /** Crashes as on SIGKILL. */
  readonly crash: Effect.Effect<void> = Effect.sync(() => this.#running?.process.crash())

  /** A stopping worker is no longer the running one. */
  #crashed({ name }: Process): void {
    if (this.#running?.process.name === name) this.#end("CRASHED")
    else this.#recorder.observe({ kind: "worker", actor: name, did: "CRASHED" })
  }

  #end(did: "STOPPED" | "CRASHED"): Running | undefined {
    const running = this.#running
    this.#running = undefined
    running?.line?.record(did)
    if (running !== undefined) this.#recorder.observe({ kind: "worker", actor: running.process.name, did })
    return running
  }
}

const senderFor = (process: Process, network: Network): WebhookSender["Service"] => {
  const sender = network.senderOf(process)
  return {
    open: (target) =>
      process.whileAlive(sender.open(target)).pipe(
        Effect.map(({ send }) => ({
          send: (request) => process.whileAlive(Effect.map(send(request), process.whileAlive))
        }))
      )
  }
}
