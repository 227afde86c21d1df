/**
 * The service processes: one, or several that share the store and answer in turn. A crashed process is replaced at the
 * next request.
 */
import { Context, Effect, Fiber, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { load } from "../../../src/http/load.ts"
import { Owner } from "../../kernel/actor.ts"
import type { Ports } from "../ports.ts"
import { Process } from "./process.ts"
import { CurrentProcessServices, type ProcessServices, sharedApp } from "./shared-app.ts"

/** The environment of the service processes. */
export interface ServiceEnvironment {
  readonly portsOf: (process: Process) => Context.Context<Ports>
  /** Called when a process crashes, and when another one replaces it. */
  readonly changed: (process: Process, did: "STARTED" | "CRASHED") => void
}

interface Instance {
  readonly process: Process
  readonly own: Context.Context<ProcessServices>
}

type Needs = HttpServerRequest.HttpServerRequest | SecureRandom.SecureRandom

export class Services {
  readonly #environment: ServiceEnvironment
  readonly #instances: Array<Instance | undefined>
  /** The index of the process that answers. */
  #turn = 0
  #started = 0

  constructor(environment: ServiceEnvironment, count: number) {
    this.#environment = environment
    this.#instances = Array.from({ length: count }, () => undefined)
  }

  /** Starts all processes that are not running. */
  readonly start = Effect.fnUntraced(function* (
    this: Services
  ): Effect.fn.Return<void, never, SecureRandom.SecureRandom> {
    for (const place of this.#instances.keys()) yield* this.#at(place)
  })

  /** Ends all processes; requires that no request is in progress. */
  retire(): void {
    for (const [place, instance] of this.#instances.entries()) {
      instance?.process.retire()
      this.#instances[place] = undefined
    }
  }

  copyStateFrom(earlier: Services): void {
    this.#turn = earlier.#turn
    this.#started = earlier.#started
  }

  /** Switches to the next process. Concurrent steps share one process. */
  next(): void {
    this.#turn += 1
  }

  /** Handles the request in the current process; `GONE` if the process ends meanwhile. */
  readonly answer = Effect.fnUntraced(function* <A, E>(
    this: Services,
    read: (response: HttpServerResponse.HttpServerResponse) => Effect.Effect<A, E>
  ): Effect.fn.Return<A | "GONE", E, Needs> {
    // All ended processes are replaced at the same time.
    yield* this.start()
    const { process, own } = yield* this.#at(this.#turn % this.#instances.length)
    const answering = yield* sharedApp().pipe(
      Effect.orDie,
      Effect.flatMap(read),
      Effect.scoped,
      Effect.provideService(CurrentProcessServices, own),
      Effect.provideService(Owner, process),
      Effect.forkDetach
    )
    return yield* Effect.raceFirst(Fiber.join(answering), Effect.as(process.ended, "GONE" as const))
  })

  readonly #at = Effect.fnUntraced(function* (
    this: Services,
    place: number
  ): Effect.fn.Return<Instance, never, SecureRandom.SecureRandom> {
    const found = this.#instances[place]
    if (found !== undefined && !found.process.hasEnded) return found
    this.#started += 1
    const name = this.#started === 1 ? "service" : `service-${this.#started}`
    const process: Process = new Process(name, "service", () => this.#environment.changed(process, "CRASHED"))
    const counts = yield* Effect.scoped(Layer.build(load))
    const random = Context.make(SecureRandom.SecureRandom, yield* SecureRandom.SecureRandom)
    const instance = { process, own: Context.mergeAll(this.#environment.portsOf(process), counts, random) }
    this.#instances[place] = instance
    if (found !== undefined) this.#environment.changed(process, "STARTED")
    return instance
  })
}
