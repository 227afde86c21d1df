/**
 * The processes that send callbacks in a world: one at a time, from its start to its end. One that crashes is gone at
 * once: whatever it waits for never comes back to it, and so it releases nothing.
 */
import { Effect, Fiber, Queue, type Context } from "effect"
import type { SecureRandom } from "effect/crypto"
import { CallbackSender } from "../../src/ports/callback-sender.ts"
import { CallbackWakeup } from "../../src/ports/callback-wakeup.ts"
import type { Secrets } from "../../src/ports/secrets.ts"
import { Storage } from "../../src/ports/storage.ts"
import { dispatchCallbacks } from "../../src/webhooks/dispatch.ts"
import type { Recorder } from "../recorder.ts"
import type { Network } from "./network.ts"

/** The ports that a worker shares with the service. */
export type WorkerPorts = Storage | Secrets

/** One process, from its start on. */
interface Process {
  readonly name: string
  isGone: boolean
  readonly rings: Queue.Queue<void>
  readonly fiber: Fiber.Fiber<void, unknown>
}

export class Workers {
  /** Reaches whichever process runs. */
  readonly wakeup: CallbackWakeup["Service"] = {
    ring: Effect.suspend(() => (this.#running === undefined ? Effect.void : ringAt(this.#running.rings))),
    // Each process waits at its own end: one that is gone takes no ring from the next.
    rung: Effect.never
  }
  readonly #network: Network
  readonly #recorder: Recorder
  #running: Process | undefined
  #started = 0

  constructor(network: Network, recorder: Recorder) {
    this.#network = network
    this.#recorder = recorder
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** `onBehalfOf` runs an effect as somebody of that name. */
  readonly start = (
    ports: Context.Context<WorkerPorts>,
    onBehalfOf: (name: string) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  ): Effect.Effect<void, never, SecureRandom.SecureRandom> =>
    Effect.suspend(() => {
      this.#started += 1
      const name = this.#started === 1 ? "worker" : `worker-${this.#started}`
      return Effect.flatMap(Queue.sliding<void>(1), (rings) => {
        const process = { name, isGone: false, rings }
        return dispatchCallbacks.pipe(
          Effect.provideService(CallbackSender, senderFor(process, this.#network)),
          Effect.provideService(CallbackWakeup, { ring: this.wakeup.ring, rung: Queue.take(rings) }),
          Effect.updateService(Storage, (storage) => storageFor(process, storage)),
          Effect.provideContext(ports),
          Effect.forkDetach,
          onBehalfOf(name),
          Effect.map((fiber) => {
            this.#running = Object.assign(process, { fiber })
            this.#recorder.observe({ kind: "worker", actor: name, did: "STARTED" })
          })
        )
      })
    })

  /** As on SIGTERM: it gives back what it holds, and ends. */
  readonly stop: Effect.Effect<void> = Effect.suspend(() => {
    const running = this.#end("STOPPED")
    return running === undefined ? Effect.void : Fiber.interrupt(running.fiber)
  })

  /** As on SIGKILL. */
  readonly crash: Effect.Effect<void> = Effect.sync(() => {
    const running = this.#end("CRASHED")
    if (running !== undefined) running.isGone = true
  })

  #end(did: "STOPPED" | "CRASHED"): Process | undefined {
    const running = this.#running
    this.#running = undefined
    if (running !== undefined) this.#recorder.observe({ kind: "worker", actor: running.name, did })
    return running
  }
}

const ringAt = (rings: Queue.Queue<void>) => Effect.asVoid(Queue.offer(rings, undefined))

type Gone = Pick<Process, "name" | "isGone">

/** A process that is gone asks for nothing more. What it had asked for by then has come back, or is the network's. */
const livingOnly = <A, E, R>(process: Gone, asked: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => (process.isGone ? Effect.never : asked))

const senderFor = (process: Gone, network: Network): CallbackSender["Service"] => {
  const sender = network.senderOf(process)
  return {
    open: (target) =>
      livingOnly(process, sender.open(target)).pipe(
        Effect.map(({ send }) => ({ send: (request) => livingOnly(process, send(request)) }))
      )
  }
}

const storageFor = (process: Gone, storage: Storage["Service"]): Storage["Service"] => ({
  transaction: (plan, body) => livingOnly(process, storage.transaction(plan, body)),
  view: (body) => livingOnly(process, storage.view(body)),
  claim: (table, claim) => livingOnly(process, storage.claim(table, claim)),
  health: livingOnly(process, storage.health)
})
