/** The worker process of a world, at most one at a time. The pending calls of a crashed one never return. */
import { Effect, Exit, Fiber, Layer, Queue, Scope, type Context } from "effect"
import type { SecureRandom } from "effect/crypto"
import { connectionWorker } from "../../src/access/worker.ts"
import { CallbackSender } from "../../src/ports/callback-sender.ts"
import { CallbackWakeup } from "../../src/ports/callback-wakeup.ts"
import { issuanceWorker } from "../../src/records/worker.ts"
import { committedEvents } from "../../src/webhooks/supply.ts"
import { callbackWorker } from "../../src/webhooks/worker.ts"
import type { Network } from "../callbacks/network.ts"
import type { Kernel } from "../kernel/kernel.ts"
import { InLine, type Line } from "../kernel/line.ts"
import type { Ports } from "../ports.ts"
import type { Recorder } from "../recorder.ts"
import { Process } from "./process.ts"
import type { Task } from "./tasks.ts"

const layers = {
  CALLBACKS: callbackWorker,
  RECORDS: issuanceWorker.pipe(Layer.provide(committedEvents)),
  CONNECTIONS: connectionWorker
} as const satisfies { readonly [T in Task]: Layer.Layer<never, never, unknown> }

interface Running {
  readonly process: Process
  readonly rings: Queue.Queue<void>
  readonly scope: Scope.Closeable
  readonly line: Line | undefined
}

export class Workers {
  /** Wakes the running worker. */
  readonly wakeup: CallbackWakeup["Service"] = {
    ring: Effect.suspend(() => {
      if (this.#running === undefined) return Effect.void
      this.#running.line?.tell("RUNG")
      return Effect.asVoid(Queue.offer(this.#running.rings, undefined))
    }),
    // Each process has its own queue: an ended one consumes no wake-up of the next.
    rung: Effect.never
  }
  readonly #kernel: Kernel
  readonly #network: Network
  readonly #recorder: Recorder
  readonly #tasks: ReadonlyArray<Task>
  #running: Running | undefined
  #started = 0

  constructor(kernel: Kernel, network: Network, recorder: Recorder, given: ReadonlyArray<Task>) {
    this.#kernel = kernel
    this.#network = network
    this.#recorder = recorder
    this.#tasks = given
  }

  takeOver(earlier: Workers): void {
    this.#started = earlier.#started
  }

  /** True if this world has a worker. */
  get areGiven(): boolean {
    return this.#tasks.length > 0
  }

  get isRunning(): boolean {
    return this.#running !== undefined
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
      const rings = yield* Queue.sliding<void>(1)
      const scope = yield* Scope.make()
      const sender = Layer.succeed(CallbackSender, senderFor(process, this.#network))
      const wakeup = Layer.succeed(CallbackWakeup, { ring: this.wakeup.ring, rung: Queue.take(rings) })
      const working = Layer.mergeAll(Layer.empty, ...this.#tasks.map((task) => layers[task]))
      const line = this.#kernel.line(name)
      this.#running = { process, rings, scope, line }
      this.#recorder.observe({ kind: "worker", actor: process.name, did: "STARTED" })
      yield* Layer.buildWithScope(Layer.provide(working, [sender, wakeup]), scope).pipe(
        Effect.provideContext(portsOf(process)),
        Effect.provideService(InLine, line),
        as(process)
      )
    })

  /** Stops gracefully as on SIGTERM: releases its leases and ends, or crashes before that. */
  readonly stop: Effect.Effect<void> = Effect.suspend(() => {
    const running = this.#end("STOPPED")
    if (running === undefined) return Effect.void
    const { scope, process } = running
    return Effect.flatMap(Effect.forkDetach(Scope.close(scope, Exit.void)), (closing) =>
      Effect.raceFirst(Fiber.join(closing), process.gone)
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
    running?.line?.tell(did)
    if (running !== undefined) this.#recorder.observe({ kind: "worker", actor: running.process.name, did })
    return running
  }
}

const senderFor = (process: Process, network: Network): CallbackSender["Service"] => {
  const sender = network.senderOf(process)
  return {
    open: (target) =>
      process
        .living(sender.open(target))
        .pipe(Effect.map(({ send }) => ({ send: (request) => process.living(send(request)) })))
  }
}
