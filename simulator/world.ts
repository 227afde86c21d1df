/**
 * One world: the whole service, from its HTTP routes down, over a store and the ports that a seed gives, all running
 * under one driver. The service is the production one; nothing in it knows that it is simulated.
 */
import { Context, Effect, Layer, Scope } from "effect"
import type { SecureRandom } from "effect/crypto"
import { HttpClientRequest, HttpServer, HttpServerRequest, HttpServerResponse, type HttpMethod } from "effect/http"
import { cookieNames } from "../src/http/cookies.ts"
import { Storage } from "../src/ports/storage.ts"
import { HttpApp, Service } from "../src/service.ts"
import type { Network } from "./callbacks/network.ts"
import { Workers } from "./callbacks/workers.ts"
import { Actor } from "./kernel/actor.ts"
import type { Kernel } from "./kernel/kernel.ts"
import { RandomStream } from "./kernel/random.ts"
import { Names } from "./kernel/choice.ts"
import { Turnstile } from "./kernel/turnstile.ts"
import { holdForMeanwhile, InRequest, type Meanwhile } from "./meanwhile.ts"
import { type Ports, seededPorts } from "./ports.ts"
import type { Recorder } from "./recorder.ts"
import type { Json } from "./script/json.ts"
import { siteUrl, type Surroundings } from "./surroundings.ts"
import { inTurn } from "./storage-in-turn.ts"
import { watchCommits } from "./watched-storage.ts"

/** What is around the service in a world. */
export interface Around {
  readonly surroundings: Surroundings
  readonly network: Network
}

export interface Request {
  readonly actor: string
  readonly method: HttpMethod.HttpMethod
  readonly path: string
  /** The actor's bearer token. */
  readonly token: string | undefined
  /** The one to show instead, where the step says so. */
  readonly shows: string | undefined
  /** The token in the cookie of a person's browser. */
  readonly session: string | undefined
  readonly body: Json | undefined
}

export interface Response {
  readonly status: number
  /** Undefined where the answer is empty; a text that is not JSON stays a text. */
  readonly body: Json | undefined
}

export interface World {
  readonly surroundings: Surroundings
  readonly network: Network
  readonly workers: Workers
  /** Starts a process that sends callbacks. */
  readonly startWorker: Effect.Effect<void, never, SecureRandom.SecureRandom>
  /** Lets whatever runs beside the steps of a script come as far as it can at this moment. */
  readonly settled: Effect.Effect<void>
  /** An HTTP request, answered by the real handlers in this process; `meanwhile` happens once it was let in. */
  readonly send: (request: Request, meanwhile?: Meanwhile) => Effect.Effect<Response>
  /** Runs an operation on behalf of someone. */
  readonly act: <A, E>(
    actor: string,
    doing: Effect.Effect<A, E, Ports | SecureRandom.SecureRandom>
  ) => Effect.Effect<A, E, SecureRandom.SecureRandom>
}

export const makeWorld = Effect.fnUntraced(function* (
  kernel: Kernel,
  recorder: Recorder,
  { surroundings, network }: Around,
  storage: Layer.Layer<Storage>
): Effect.fn.Return<World, never, SecureRandom.SecureRandom | Scope.Scope> {
  const hasReceivers = network.receivers.size > 0
  const workers = new Workers(network, recorder)
  const watched = Layer.effect(
    Storage,
    Effect.map(Storage, (storage) =>
      holdForMeanwhile(
        watchCommits(hasReceivers ? inTurn(new Turnstile(kernel), storage) : storage, (actor, writes) =>
          recorder.observe({ kind: "commit", actor, writes })
        )
      )
    )
  ).pipe(Layer.provide(storage))
  const scope = yield* Effect.service(Scope.Scope)
  const ports = yield* Layer.buildWithScope(
    Layer.merge(watched, seededPorts(kernel, surroundings, workers.wakeup)),
    scope
  )
  const service = Layer.provide(Service, HttpServer.layerServices)
  const app = Context.get(yield* Layer.buildWithScope(service, scope).pipe(Effect.provide(ports)), HttpApp)
  const streams = new Names()
  const onBehalfOf =
    (actor: string) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      effect.pipe(
        Effect.provideService(Actor, actor),
        Effect.provideService(RandomStream, streams.number(`for ${actor}`))
      )
  const world: World = {
    surroundings,
    network,
    workers,
    startWorker: workers.start(ports, onBehalfOf),
    settled: hasReceivers ? kernel.settled : Effect.void,
    send: (request, meanwhile) => {
      const asked = clientRequest(request)
      return app.pipe(
        Effect.flatMap((answer) =>
          readAnswer(HttpServerResponse.toClientResponse(answer, { request: asked }).text, answer.status)
        ),
        Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromClientRequest(asked)),
        Effect.scoped,
        Effect.orDie,
        Effect.provideService(InRequest, meanwhile),
        onBehalfOf(request.actor)
      )
    },
    act: (actor, doing) => doing.pipe(Effect.provide(ports), onBehalfOf(actor))
  }
  return world
})

const clientRequest = (request: Request): HttpClientRequest.HttpClientRequest =>
  HttpClientRequest.make(request.method)(`${siteUrl}${request.path}`, { headers: headersOf(request) }).pipe(
    request.body === undefined
      ? (asked) => asked
      : HttpClientRequest.bodyText(JSON.stringify(request.body), "application/json")
  )

/** A browser sends its cookie, and says from which site it asks for a change. */
const headersOf = ({ method, token, shows = token, session }: Request): { readonly [name: string]: string } => ({
  ...(shows === undefined ? {} : { authorization: `Bearer ${shows}` }),
  ...(session === undefined ? {} : { cookie: `${cookieNames.session}=${session}` }),
  ...(session === undefined || method === "GET" ? {} : { origin: siteUrl })
})

const readAnswer = <E>(text: Effect.Effect<string, E>, status: number): Effect.Effect<Response, E> =>
  Effect.map(text, (text) => ({ status, body: text === "" ? undefined : jsonOrText(text) }))

const jsonOrText = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
