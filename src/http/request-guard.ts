/** Middleware of every operation: transport, overload, rates and body size; it also turns every cause into a response. */
import { Cause, Context, Effect, Layer } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApiError, HttpApiMiddleware } from "effect/http-api"
import { refusal, Refusal } from "../vocabulary/refusals.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { BodyBytes, contentTypeRefusal } from "./body.ts"
import { refusalResponse } from "./errors.ts"
import { issuesOf } from "./issues.ts"
import { Load } from "./load.ts"
import { RateLimits } from "./rate-limits.ts"
import { refuseTooLarge } from "./read-body.ts"
import { refuses } from "./refuses.ts"
import { classOf } from "./request-class.ts"
import { requestedFrom } from "./requester.ts"
import { Transport } from "./transport.ts"

/** True for an operation without a credential whose body or response carries a secret. */
export const CarriesSecret = Context.Reference<boolean>("countersign/http/CarriesSecret", { defaultValue: () => false })

export class RequestGuard extends HttpApiMiddleware.Service<RequestGuard>()("countersign/http/RequestGuard", {
  error: refuses(...checks.everyOperation, ...checks.pathId)
}) {}

export const requestGuard = Layer.effect(
  RequestGuard,
  Effect.gen(function* () {
    const transport = yield* Transport
    const rates = yield* RateLimits
    const load = yield* Load
    return (respond, { endpoint }) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const bodyBytes = Context.get(endpoint.annotations, BodyBytes)
        const requestClass = classOf(endpoint.method, endpoint.path)
        const address = transport.addressOf(request)
        const early =
          (yield* load.refuseOverload(requestClass)) ??
          transport.check(request) ??
          repeatedCredential(request) ??
          (Context.get(endpoint.annotations, CarriesSecret) && !transport.isSecure(request)
            ? refusal("HTTPS_REQUIRED", {
                detail:
                  "The secrets of a connection are accepted over HTTPS only; send the request to the https address."
              })
            : undefined) ??
          (declaredBytes(request) > bodyBytes ? refuseTooLarge(bodyBytes) : undefined) ??
          (yield* rates.check(request, address))
        if (early !== undefined) return refusalResponse(early)
        const answer = respond.pipe(Effect.catchCause(answerCause), Effect.map(withoutPlainText))
        return yield* load.counted(requestClass, requestedFrom(address, requestClass, answer))
      })
  })
)

/** A token contains no comma: a header with one was sent several times, and the valid one is ambiguous. */
const repeatedCredential = ({ headers }: HttpServerRequest.HttpServerRequest): Refusal | undefined =>
  headers["authorization"]?.includes(",") === true
    ? refusal("INVALID_REQUEST", { issues: [{ path: "authorization", message: "must be sent once" }] })
    : undefined

const declaredBytes = (request: HttpServerRequest.HttpServerRequest): number =>
  Number(request.headers["content-length"] ?? 0)

/** The library answers an unknown content type in plain text; it is replaced by the documented refusal. */
const withoutPlainText = (response: HttpServerResponse.HttpServerResponse) =>
  response.status === 415 ? refusalResponse(contentTypeRefusal) : response

const answerCause = <E>(cause: Cause.Cause<E>) => {
  const refused = refusalIn(cause)
  if (refused !== undefined) return Effect.succeed(refusalResponse(refused))
  return Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.die(Cause.squash(cause))
}

/** The refusal in a cause, where there is one. */
const refusalIn = (cause: Cause.Cause<unknown>): Refusal | undefined => {
  const failure = cause.reasons.find(Cause.isFailReason)?.error
  if (failure instanceof Refusal) return failure
  if (HttpApiError.HttpApiSchemaError.is(failure)) return schemaRefusal(failure)
  const defect = cause.reasons.find(Cause.isDieReason)?.defect
  if (defect instanceof Refusal) return defect
  if (HttpApiError.HttpApiSchemaError.is(defect)) return schemaRefusal(defect)
  return undefined
}

/** A path with an invalid id is 404; a query or body that does not decode is 400 with its first issues. */
const schemaRefusal = (error: HttpApiError.HttpApiSchemaError): Refusal | undefined => {
  if (error.kind === "Params") return refusal("NOT_FOUND")
  if (error.kind === "Body" || error.kind === "ResponseHeaders") return undefined
  return refusal("INVALID_REQUEST", { issues: issuesOf(error.cause.issue) })
}
