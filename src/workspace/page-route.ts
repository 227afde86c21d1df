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
import { failurePage, refusalPage } from "./refusal-page.ts"
import { movedTo } from "./response.ts"

/** What a page does with a request: a response, or a refusal that is shown as a page. */
export type PageHandler<R> = Effect.Effect<HttpServerResponse.HttpServerResponse, Refused, R>

export const pageRoute = <R>(method: "GET" | "POST" | "*", path: HttpRouter.PathInput, handler: PageHandler<R>) =>
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
      (yield* rates.check(request, transport.addressOf(request))) ??
      refuseCrossSite(siteUrl, request)
    const returnTo = request.method === "GET" ? request.url : undefined
    const elsewhere = addressElsewhere(siteUrl, request)
    if (early === undefined && elsewhere !== undefined) return movedTo(elsewhere)
    return yield* (early === undefined ? handler : Effect.fail(early)).pipe(
      Effect.catchTag("Refused", (refused) => Effect.succeed(refusalPage(refused, { returnTo }))),
      Effect.catchCause(answerAccident),
      load.counted
    )
  })

const overHttps = "Pages travel over HTTPS only."

/** As the edge does for operations: a storage that cannot serve is 503, anything else our own defect, logged whole. */
const answerAccident = (cause: Cause.Cause<never>): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const defect = cause.reasons.find(Cause.isDieReason)?.defect
  if (defect instanceof StorageUnavailable) {
    return Effect.as(
      Effect.logWarning("storage unavailable", { reason: defect.reason }),
      refusalPage(refusal("TEMPORARILY_UNAVAILABLE"))
    )
  }
  if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
  return Effect.as(Effect.logError("defect", cause), failurePage())
}
