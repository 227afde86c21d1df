/** Reads the body of the request in hand: bounded in bytes and in time, and not counted as in flight meanwhile. */
import { Deferred, Effect, Stream } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { networkOf } from "../vocabulary/address.ts"
import { limits } from "../vocabulary/limits.ts"
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
  const load = yield* Load
  const address = yield* originOf
  // Inside this process there is no client to wait for.
  if (address === undefined) return yield* presentBody(request, bounds.bytes)
  return yield* load.uncounted(
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const dropped = Deferred.makeUnsafe<never, Refused>()
        const body: ArrivingBody = {
          network: networkOf(address),
          isAnonymous: bounds.isAnonymous,
          drop: (refused) => void Deferred.doneUnsafe(dropped, Effect.fail(refused))
        }
        load.bodies.add(body)
        return { body, dropped }
      }),
      ({ body, dropped }) =>
        Effect.raceAllFirst([
          receivedBody(request, bounds.bytes, (bytes) => load.bodies.receive(body, bytes)),
          Deferred.await(dropped).pipe(Effect.tapError(() => closeConnection)),
          deadline(bounds.isAnonymous, () => load.bodies.markSlow(body))
        ]),
      ({ body }) => Effect.sync(() => load.bodies.remove(body))
    )
  )
})

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
  return new Uint8Array(Buffer.concat(chunks, bytes))
})

const deadline = (isAnonymous: boolean, isSlow: () => void) => {
  const most = isAnonymous ? limits.anonymousBodyArrival : limits.bodyArrival
  const detail = `The request body took longer than ${most / 1000} seconds to arrive; send it at once.`
  return Effect.sleep(limits.bodyGrace).pipe(
    Effect.andThen(Effect.sync(isSlow)),
    Effect.andThen(Effect.sleep(most - limits.bodyGrace)),
    Effect.andThen(closeConnection),
    Effect.andThen(Effect.fail(refusal("TEMPORARILY_UNAVAILABLE", { detail })))
  )
}

/** The rest of the body is not waited for. */
const closeConnection = HttpEffect.appendPreResponseHandler((_, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "connection", "close"))
)
