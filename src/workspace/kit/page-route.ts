/** A route that renders a page, with the checks and error handling that every page needs. */
import { Cause, Effect } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { refuseCrossSite } from "../../http/cross-site.ts"
import { Load } from "../../http/load.ts"
import { RateLimits } from "../../http/rate-limits.ts"
import { classOf } from "../../http/request-class.ts"
import { requestedFrom } from "../../http/requester.ts"
import { Transport } from "../../http/transport.ts"
import { Installation } from "../../ports/installation.ts"
import { StorageUnavailable } from "../../ports/storage.ts"
import { refusal, type Refusal } from "../../vocabulary/refusals.ts"
import { runBody } from "../../vocabulary/effect-body.ts"
import { canonicalUrl } from "./canonical-host.ts"
import type { Viewer } from "./page.ts"
import { failurePage, refusalPage } from "./refusal-page.ts"
import { pageResponse, redirectTo } from "./response.ts"
import { findVisitor } from "./visitor.ts"

/** The handler of a page: its HTML or a response, or a refusal that is rendered as a page. */
export type PageHandler<R> = Effect.Effect<Page, Refusal, R>

type Page = HttpServerResponse.HttpServerResponse | string

/** What a handler returns: an effect, or the steps of a generator function, as that of `Effect.gen`. */
export type HandlerBody = Effect.Effect<Page, Refusal, any> | Generator<Effect.Effect<any, Refusal, any>, Page, never>

/** The services that a handler requires. */
type ServicesOf<Body> =
  Body extends Effect.Effect<any, any, infer R>
    ? R
    : Body extends Generator<infer Step extends Effect.Effect<any, any, any>, any, any>
      ? Effect.Services<Step>
      : never

/** The handler that runs this body. */
export const handlerOf = <Body extends HandlerBody>(body: () => Body): PageHandler<ServicesOf<Body>> => runBody(body)

type PageMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"

export const pageRoute = <R>(method: PageMethod, path: HttpRouter.PathInput, handler: PageHandler<R>) =>
  HttpRouter.add(method, path, withPageChecks(handler))

/** Checks load, transport, rate limits and cross-site requests, and renders each failure as a page. */
const withPageChecks = <R>(handler: PageHandler<R>) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { siteUrl } = yield* Installation
    const transport = yield* Transport
    const rates = yield* RateLimits
    const load = yield* Load
    const requestClass = classOf(request.method, request.url)
    const address = transport.addressOf(request)
    const early =
      (yield* load.refuseOverload(requestClass)) ??
      (transport.isSecure(request) ? undefined : refusal("HTTPS_REQUIRED", { detail: overHttps })) ??
      (yield* rates.check(request, address))
    // These are refused before the session and the body are read: they protect against overload and insecure transport.
    if (early !== undefined) return refusalPage(early, { request })
    const crossSite = refuseCrossSite(siteUrl, request)
    const redirectTarget = canonicalUrl(siteUrl, request)
    if (crossSite === undefined && redirectTarget !== undefined) return redirectTo(redirectTarget)
    const answer = crossSite === undefined ? handler : Effect.fail(crossSite)
    return yield* load.counted(requestClass, requestedFrom(address, requestClass, renderFailures(answer, request)))
  })

const overHttps = "Pages are served over HTTPS only."

/** Renders failures as pages, for the known viewer or else for the session of the request. */
export const renderFailures = <R>(
  answer: PageHandler<R>,
  request: HttpServerRequest.HttpServerRequest,
  known?: Viewer | undefined
) => {
  const viewer = known === undefined ? findViewer : Effect.succeed(known)
  return answer.pipe(
    Effect.map((page) => (typeof page === "string" ? pageResponse(page) : page)),
    Effect.catchTag("Refusal", (refused) =>
      refused.code === "SIGN_IN_REQUIRED"
        ? Effect.succeed(refusalPage(refused, { request }))
        : Effect.map(viewer, (viewer) => refusalPage(refused, { request, viewer }))
    ),
    Effect.catchCause((cause) => renderFailure(cause, request, viewer))
  )
}

/** Undefined where the session cannot be read: rendering a failure never fails because of its navigation. */
const findViewer = findVisitor.pipe(
  Effect.map((visitor) => visitor?.viewer),
  Effect.catchCause(() => Effect.undefined)
)

/** As for API operations: unavailable storage is 503; anything else is a defect and is logged completely. */
const renderFailure = <R>(
  cause: Cause.Cause<never>,
  request: HttpServerRequest.HttpServerRequest,
  viewer: Effect.Effect<Viewer | undefined, never, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
  const defect = cause.reasons.find(Cause.isDieReason)?.defect
  const isStorage = defect instanceof StorageUnavailable
  const logged = isStorage
    ? Effect.logWarning("storage unavailable", { reason: defect.reason })
    : Effect.logError("defect", cause)
  return Effect.andThen(
    logged,
    Effect.map(viewer, (viewer) =>
      isStorage ? refusalPage(refusal("TEMPORARILY_UNAVAILABLE"), { request, viewer }) : failurePage(viewer)
    )
  )
}
