/**
 * The processes that answer requests: one, or several that share the store, in turn. Where one has crashed, another
 * starts in its place when the next request comes.
 */
import { Context, Effect, Fiber, Layer, type Scope } from "effect"
import type { SecureRandom } from "effect/crypto"
import { HttpServer, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApp, Service } from "../../src/service.ts"
import { Owner } from "../kernel/actor.ts"
import type { Ports } from "../ports.ts"
import { Process } from "./process.ts"

/** What makes the ports of one process, and runs an effect as its own. */
export interface Surroundings {
  readonly portsOf: (process: Process) => Context.Context<Ports>
  /** Told when one starts in the place of another, and when one crashes. */
  readonly changed: (process: Process, did: "STARTED" | "CRASHED") => void
}

interface Instance {
  readonly process: Process
  readonly app: HttpApp["Service"]
}

/** What every process has. */
type Bare = Context.Context<SecureRandom.SecureRandom | Scope.Scope>

type Needs = HttpServerRequest.HttpServerRequest | SecureRandom.SecureRandom | Scope.Scope

export class Services {
  readonly #surroundings: Surroundings
  readonly #bare: Bare
  readonly #instances: Array<Instance | undefined>
  /** Whose turn it is. */
  #turn = 0
  #started = 0

  /** Whatever the fiber has in whose hands it starts. */
  readonly #startsAfresh: (around: Bare) => Bare = () => this.#bare

  constructor(surroundings: Surroundings, bare: Bare, count: number) {
    this.#surroundings = surroundings
    this.#bare = bare
    this.#instances = Array.from({ length: count }, () => undefined)
  }

  /** Starts those that are not there. */
  readonly start = Effect.fnUntraced(function* (
    this: Services
  ): Effect.fn.Return<void, never, SecureRandom.SecureRandom | Scope.Scope> {
    for (const place of this.#instances.keys()) yield* this.#at(place)
  })

  /** From now on the next one answers. What happens beside each other meets one process, however many there are. */
  next(): void {
    this.#turn += 1
  }

  /** Has the process whose turn it is answer; `GONE` where it ended meanwhile. */
  readonly answer = Effect.fnUntraced(function* <A, E>(
    this: Services,
    read: (response: HttpServerResponse.HttpServerResponse) => Effect.Effect<A, E>
  ): Effect.fn.Return<A | "GONE", E, Needs> {
    // However many there are, whoever is gone is replaced at the same moment.
    yield* this.start()
    const { process, app } = yield* this.#at(this.#turn % this.#instances.length)
    const answering = yield* app.pipe(
      Effect.orDie,
      Effect.flatMap(read),
      Effect.scoped,
      Effect.provideService(Owner, process),
      Effect.forkDetach
    )
    return yield* Effect.raceFirst(Fiber.join(answering), Effect.as(process.gone, "GONE" as const))
  })

  readonly #at = Effect.fnUntraced(function* (
    this: Services,
    place: number
  ): Effect.fn.Return<Instance, never, SecureRandom.SecureRandom | Scope.Scope> {
    const found = this.#instances[place]
    if (found !== undefined && !found.process.isGone) return found
    this.#started += 1
    const name = this.#started === 1 ? "service" : `service-${this.#started}`
    const process: Process = new Process(name, "service", () => this.#surroundings.changed(process, "CRASHED"))
    const service = Layer.provide(Service, HttpServer.layerServices)
    const ports = this.#surroundings.portsOf(process)
    // A process knows nothing of whoever's request it starts for.
    const building = Effect.provideContext(Layer.build(service), Context.merge(this.#bare, ports))
    const built = yield* Effect.updateContext(building, this.#startsAfresh)
    const instance = { process, app: Context.get(built, HttpApp) }
    this.#instances[place] = instance
    if (found !== undefined) this.#surroundings.changed(process, "STARTED")
    return instance
  })
}
