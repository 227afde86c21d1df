/** A page at an address: what every page has around it, so that none can be without it. */
import { Cause, Effect } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { refuseCrossSite } from "../http/cross-site.ts"
import { Load } from "../http/load.ts"
import { Rates } from "../http/rates.ts"
import { Transport } from "../http/transport.ts"
import { Installation } from "../ports/installation.ts"
import { StorageUnavailable } from "../ports/storage.ts"
import { refusal, type Refused } from "../vocabulary/refusals.ts"
import { addressElsewhere } from "./host.ts"
import type { Viewer } from "./page.ts"
import { failurePage, refusalPage } from "./refusal-page.ts"
import { movedTo } from "./response.ts"
import { findVisitor } from "./visitor.ts"

/** What a page does with a request: a response, or a refusal that is shown as a page. */
export type PageHandler<R> = Effect.Effect<HttpServerResponse.HttpServerResponse, Refused, R>

type PageMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"

export const pageRoute = <R>(method: PageMethod, path: HttpRouter.PathInput, handler: PageHandler<R>) =>
  HttpRouter.add(method, path, answerAsPage(handler))

/** Checks how much is going on, how a request came, how often its sender asks and which page sent it, and turns whatever ends badly into a page. */
const answerAsPage = <R>(handler: PageHandler<R>) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { siteUrl } = yield* Installation
    const transport = yield* Transport
    const rates = yield* Rates
    const load = yield* Load
    const early =
      load.refuseOverload() ??
      (transport.isSecure(request) ? undefined : refusal("HTTPS_REQUIRED", { detail: overHttps })) ??
      (yield* rates.check(request, transport.addressOf(request)))
    // Nothing is read for these: they are what keeps too much from being read, and a session from an open wire.
    if (early !== undefined) return refusalPage(early, { request })
    const crossSite = refuseCrossSite(siteUrl, request)
    const elsewhere = addressElsewhere(siteUrl, request)
    if (crossSite === undefined && elsewhere !== undefined) return movedTo(elsewhere)
    const answer = crossSite === undefined ? handler : Effect.fail(crossSite)
    return yield* load.counted(answerEnd(answer, request))
  })

const overHttps = "Pages travel over HTTPS only."

/** Whatever ends badly as a page: for the person who is known to look, else for whom the session's cookie says. */
export const answerEnd = <R>(
  answer: PageHandler<R>,
  request: HttpServerRequest.HttpServerRequest,
  known?: Viewer | undefined
) => {
  const viewer = known === undefined ? findViewer : Effect.succeed(known)
  return answer.pipe(
    Effect.catchTag("Refused", (refused) =>
      refused.code === "SIGN_IN_REQUIRED"
        ? Effect.succeed(refusalPage(refused, { request }))
        : Effect.map(viewer, (viewer) => refusalPage(refused, { request, viewer }))
    ),
    Effect.catchCause((cause) => answerAccident(cause, request, viewer))
  )
}

/** Nobody where the session cannot be read: a page about a failure never fails for the navigation around it. */
const findViewer = findVisitor.pipe(
  Effect.map((visitor) => visitor?.viewer),
  Effect.catchCause(() => Effect.undefined)
)

/** As the edge does for operations: a storage that cannot serve is 503, anything else our own defect, logged whole. */
const answerAccident = <R>(
  cause: Cause.Cause<never>,
  request: HttpServerRequest.HttpServerRequest,
  viewer: Effect.Effect<Viewer | undefined, never, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
  const defect = cause.reasons.find(Cause.isDieReason)?.defect
  const isStorage = defect instanceof StorageUnavailable
  const noted = isStorage
    ? Effect.logWarning("storage unavailable", { reason: defect.reason })
    : Effect.logError("defect", cause)
  return Effect.andThen(
    noted,
    Effect.map(viewer, (viewer) =>
      isStorage ? refusalPage(refusal("TEMPORARILY_UNAVAILABLE"), { request, viewer }) : failurePage(viewer)
    )
  )
}
