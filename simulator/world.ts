/**
 * One world: the whole service, from its HTTP routes down, over a store and the ports that a seed gives, all running
 * under one driver. The service is the production one; nothing in it knows that it is simulated.
 */
import { Context, Effect, Layer, Scope } from "effect"
import type { SecureRandom } from "effect/crypto"
import { HttpClientRequest, HttpServer, HttpServerRequest, HttpServerResponse, type HttpMethod } from "effect/http"
import { Storage } from "../src/ports/storage.ts"
import { HttpApp, Service } from "../src/service.ts"
import { Actor } from "./kernel/actor.ts"
import type { Kernel } from "./kernel/kernel.ts"
import { RandomStream } from "./kernel/random.ts"
import { Names } from "./kernel/choice.ts"
import { type Ports, seededPorts, siteUrl } from "./ports.ts"
import type { Recorder } from "./recorder.ts"
import type { Json } from "./script/json.ts"
import { watchCommits } from "./watched-storage.ts"

export interface Request {
  readonly actor: string
  readonly method: HttpMethod.HttpMethod
  readonly path: string
  readonly token: string | undefined
  readonly body: Json | undefined
}

export interface Response {
  readonly status: number
  /** Undefined where the answer is empty; a text that is not JSON stays a text. */
  readonly body: Json | undefined
}

export interface World {
  /** An HTTP request, answered by the real handlers in this process. */
  readonly send: (request: Request) => Effect.Effect<Response>
  /** Runs an operation on behalf of someone. */
  readonly act: <A, E>(
    actor: string,
    doing: Effect.Effect<A, E, Ports | SecureRandom.SecureRandom>
  ) => Effect.Effect<A, E, SecureRandom.SecureRandom>
}

export const makeWorld = Effect.fnUntraced(function* (
  kernel: Kernel,
  recorder: Recorder,
  storage: Layer.Layer<Storage>
): Effect.fn.Return<World, never, SecureRandom.SecureRandom | Scope.Scope> {
  const watched = Layer.effect(
    Storage,
    Effect.map(Storage, (storage) =>
      watchCommits(storage, (actor, writes) => recorder.observe({ kind: "commit", actor, writes }))
    )
  ).pipe(Layer.provide(storage))
  const scope = yield* Effect.service(Scope.Scope)
  const ports = yield* Layer.buildWithScope(Layer.merge(watched, seededPorts(kernel)), scope)
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
    send: (request) => {
      const asked = clientRequest(request)
      return app.pipe(
        Effect.flatMap((answer) =>
          readAnswer(HttpServerResponse.toClientResponse(answer, { request: asked }).text, answer.status)
        ),
        Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromClientRequest(asked)),
        Effect.scoped,
        Effect.orDie,
        onBehalfOf(request.actor)
      )
    },
    act: (actor, doing) => doing.pipe(Effect.provide(ports), onBehalfOf(actor))
  }
  return world
})

const clientRequest = ({ method, path, token, body }: Request): HttpClientRequest.HttpClientRequest =>
  HttpClientRequest.make(method)(
    `${siteUrl}${path}`,
    token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }
  ).pipe(
    body === undefined ? (request) => request : HttpClientRequest.bodyText(JSON.stringify(body), "application/json")
  )

const readAnswer = <E>(text: Effect.Effect<string, E>, status: number): Effect.Effect<Response, E> =>
  Effect.map(text, (text) => ({ status, body: text === "" ? undefined : jsonOrText(text) }))

const jsonOrText = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
