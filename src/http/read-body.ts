/** Reads the body of the request in hand: bounded in bytes and in time, and not counted as in flight meanwhile. */
import { type Context, Effect, Fiber, Stream } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { networkOf } from "../vocabulary/address.ts"
import { refusal, type Refused } from "../vocabulary/refusals.ts"
import type { ArrivingBody } from "./arriving-bodies.ts"
import { Load } from "./load.ts"
import { originOf } from "./transport.ts"

export interface BodyBounds {
  readonly bytes: number
  /** True where no credential was checked before the body. */
  readonly isAnonymous: boolean
}

/** The whole body; 413 where it is larger, 503 where it is late or dropped for others, and then the connection closes. */
export const readBody = Effect.fnUntraced(function* (
  bounds: BodyBounds
): Effect.fn.Return<Uint8Array, Refused, HttpServerRequest.HttpServerRequest | Load> {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { bodies, receiving } = yield* Load
  const address = yield* originOf
  // Only a request from inside this process has no address, and no client to wait for: a server that listens serves no
  // request without one.
  if (address === undefined) return yield* presentBody(request, bounds.bytes)
  const reading = new Reading()
  const body: ArrivingBody = {
    network: networkOf(address),
    isAnonymous: bounds.isAnonymous,
    drop: (refused) => reading.stop(refused)
  }
  const received = receivedBody(request, bounds.bytes, (bytes) => bodies.receive(body, bytes))
  return yield* receiving(body, reading.run(received))
})

type WithRequest<A> = Effect.Effect<A, Refused, HttpServerRequest.HttpServerRequest>

/** A reading that can be stopped from outside of its fiber. */
class Reading {
  #refused: Refused | undefined
  #refuse: ((refused: Refused) => void) | undefined

  /** Ends the reading with this refusal, unless it has ended; the connection closes after the answer. */
  stop(refused: Refused): void {
    this.#refused = refused
    this.#refuse?.(refused)
  }

  run<A>(received: WithRequest<A>): WithRequest<A> {
    return Effect.contextWith((context: Context.Context<HttpServerRequest.HttpServerRequest>) =>
      Effect.callback<A, Refused, HttpServerRequest.HttpServerRequest>((resume) => {
        const fiber = Effect.runForkWith(context)(received)
        this.#refuse = (refused) => {
          resume(Effect.andThen(closeConnection, Effect.fail(refused)))
          fiber.interruptUnsafe()
        }
        // What the body itself brought over a bound while the fiber started.
        if (this.#refused !== undefined) this.#refuse(this.#refused)
        fiber.addObserver(resume)
        return Fiber.interrupt(fiber)
      })
    )
  }
}

const presentBody = (request: HttpServerRequest.HttpServerRequest, bytesMost: number) =>
  request.arrayBuffer.pipe(
    Effect.mapError(() => refusal("INVALID_REQUEST")),
    Effect.filterOrFail(
      (body) => body.byteLength <= bytesMost,
      () => refusal("REQUEST_TOO_LARGE")
    ),
    Effect.map((body) => new Uint8Array(body))
  )

/** By its stream: to stop in the middle leaves the connection open for the answer. */
const receivedBody = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  bytesMost: number,
  receive: (bytes: number) => void
) {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  yield* Stream.runForEach(request.stream, (chunk) => {
    bytes += chunk.byteLength
    if (bytes > bytesMost) return Effect.fail(refusal("REQUEST_TOO_LARGE"))
    chunks.push(chunk)
    receive(chunk.byteLength)
    return Effect.void
  }).pipe(Effect.catchTag("HttpServerError", () => Effect.fail(refusal("INVALID_REQUEST"))))
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes)
})

/** The rest of the body is not waited for. */
const closeConnection = HttpEffect.appendPreResponseHandler((_, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "connection", "close"))
)
