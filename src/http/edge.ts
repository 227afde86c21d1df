/** Wraps every route, documented or not: a request id, one log line, the version header, and a response for every defect. */
import { Cause, Clock, Effect, Option, type Types } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse, HttpTraceContext } from "effect/http"
import { StorageUnavailable } from "../ports/storage.ts"
import { refusal } from "../vocabulary/refusals.ts"
import { withTracedSpan } from "../vocabulary/traced.ts"
import { apiVersion } from "../vocabulary/version.ts"
import { refusalResponse } from "./errors.ts"
import { countRefusal, countRequest } from "./metrics.ts"
import { refusalCodeOf, withoutRefusalCode } from "./refusal-code.ts"
import { literalRequest } from "./target.ts"

export const edge = HttpRouter.middleware(
  (respond) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const random = yield* SecureRandom.SecureRandom
      const requestId = yield* random.uuidV4()
      const started = yield* Clock.currentTimeMillis
      const literal = literalRequest(request)
      const routed =
        literal === undefined
          ? Effect.succeed(refusalResponse(refusal("NOT_FOUND")))
          : Effect.provideService(respond, HttpServerRequest.HttpServerRequest, literal)
      const answered = yield* Effect.catchCause(routed, respondToCause).pipe(
        Effect.annotateLogs({ requestId }),
        withTracedSpan("http.request", () => spanOf(request))
      )
      const refused = refusalCodeOf(answered)
      if (refused !== undefined) yield* countRefusal(refused)
      const response = refused === undefined ? answered : withoutRefusalCode(answered)
      const milliseconds = (yield* Clock.currentTimeMillis) - started
      yield* countRequest(request, response.status, milliseconds)
      yield* Effect.logInfo("request").pipe(
        Effect.annotateLogs({
          requestId,
          method: request.method,
          path: pathOf(request.url),
          status: response.status,
          milliseconds
        })
      )
      return HttpServerResponse.setHeaders(response, {
        "service-api-version": apiVersion,
        "service-request-id": requestId,
        // A cacheable response sets its own header.
        "cache-control": response.headers["cache-control"] ?? "no-store"
      })
    }),
  { global: true }
)

/** An unknown route is 404. Any other cause is a defect: logged in full, answered without details. */
const respondToCause = (
  cause: Cause.Cause<unknown>
): Effect.Effect<HttpServerResponse.HttpServerResponse, Types.unhandled> => {
  const failure = cause.reasons.find(Cause.isFailReason)?.error
  if (HttpServerError.isHttpServerError(failure) && failure.reason._tag === "RouteNotFound") {
    return Effect.succeed(refusalResponse(refusal("NOT_FOUND")))
  }
  const defect = cause.reasons.find(Cause.isDieReason)?.defect
  if (defect instanceof StorageUnavailable) {
    return Effect.as(
      Effect.logWarning("storage unavailable", { reason: defect.reason }),
      refusalResponse(refusal("TEMPORARILY_UNAVAILABLE"))
    )
  }
  if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
  return Effect.as(Effect.logError("defect", cause), opaque)
}

/** An own span: the library's contains the whole address with all client data in it. */
const spanOf = (request: HttpServerRequest.HttpServerRequest) => ({
  kind: "server" as const,
  parent: Option.getOrUndefined(HttpTraceContext.fromHeaders(request.headers)),
  attributes: { "http.request.method": request.method, "url.path": pathOf(request.url) }
})

const opaque = HttpServerResponse.jsonUnsafe(
  {
    error: "INTERNAL",
    detail: "The service failed and the outcome is unknown; read the current state before you retry.",
    retryable: false
  },
  { status: 500 }
)

/**
 * The path as logs and spans contain it: known words and ids, any other segment replaced, and no query. A secret in the
 * wrong place is never logged.
 */
const pathOf = (url: string): string =>
  url
    .split("?")[0]!
    .split("/")
    .map((segment) => (ours.test(segment) ? segment : "…"))
    .join("/")

const ours = /^([a-z][a-z0-9.-]{0,60}|[a-z]+_[a-f0-9-]{36}|v?[0-9]{1,9}|)$/
