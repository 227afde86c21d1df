/** Reads the body of the current request: bounded in bytes and time, and not counted as in flight meanwhile. */
import { type Context, Effect, Fiber, Stream } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { networkOf } from "../vocabulary/address.ts"
import { refusal, type Refusal } from "../vocabulary/refusals.ts"
import type { ArrivingBody } from "./arriving-bodies.ts"
import { Load } from "./load.ts"
import { clientAddress } from "./transport.ts"

export interface BodyBounds {
  readonly bytes: number
  /** True where the body is read before any credential. */
  readonly isAnonymous: boolean
}

/** The whole body; 413 where it is too large, 503 where it is late or dropped, after which the connection is closed. */
export const readBody = Effect.fnUntraced(function* (
  bounds: BodyBounds
): Effect.fn.Return<Uint8Array, Refusal, HttpServerRequest.HttpServerRequest | Load> {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { bodies, receiving } = yield* Load
  const address = yield* clientAddress
  // Only a request inside this process has no address, and no client to wait for: a listening server serves no request
  // without one.
  if (address === undefined) return yield* presentBody(request, bounds.bytes)
  const reader = new BodyReader()
  const body: ArrivingBody = {
    network: networkOf(address),
    isAnonymous: bounds.isAnonymous,
    drop: (refused) => reader.stop(refused)
  }
  const received = receivedBody(request, bounds.bytes, (bytes) => bodies.receive(body, bytes))
  return yield* receiving(body, reader.run(received))
})

type WithRequest<A> = Effect.Effect<A, Refusal, HttpServerRequest.HttpServerRequest>

/** A body reader that another fiber can stop. */
class BodyReader {
  #refused: Refusal | undefined
  #refuse: ((refused: Refusal) => void) | undefined

  /** Fails with this refusal, unless the reader has finished; the connection closes after the response. */
  stop(refused: Refusal): void {
    this.#refused = refused
    this.#refuse?.(refused)
  }

  run<A>(received: WithRequest<A>): WithRequest<A> {
    return Effect.contextWith((context: Context.Context<HttpServerRequest.HttpServerRequest>) =>
      Effect.callback<A, Refusal, HttpServerRequest.HttpServerRequest>((resume) => {
        const fiber = Effect.runForkWith(context)(received)
        this.#refuse = (refused) => {
          resume(Effect.andThen(closeConnection, Effect.fail(refused)))
          fiber.interruptUnsafe()
        }
        // The body itself exceeded a limit while the fiber started.
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
      () => refuseTooLarge(bytesMost)
    ),
    Effect.map((body) => new Uint8Array(body))
  )

/** Reads the request as a stream: aborting it leaves the connection open for the response. */
const receivedBody = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  bytesMost: number,
  receive: (bytes: number) => void
) {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  yield* Stream.runForEach(request.stream, (chunk) => {
    bytes += chunk.byteLength
    if (bytes > bytesMost) return Effect.fail(refuseTooLarge(bytesMost))
    chunks.push(chunk)
    receive(chunk.byteLength)
    return Effect.void
  }).pipe(Effect.catchTag("HttpServerError", () => Effect.fail(refusal("INVALID_REQUEST"))))
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes)
})

/** The refusal of a body beyond the limit of its operation. */
export const refuseTooLarge = (bytes: number): Refusal =>
  refusal("REQUEST_TOO_LARGE", { detail: `Limit reached: ${bytes} bytes in this request body; send a smaller one.` })

/** The rest of the body is not awaited. */
const closeConnection = HttpEffect.appendPreResponseHandler((_, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "connection", "close"))
)
