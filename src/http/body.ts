/** Reads every request body strictly, before a schema decodes it, and rejects a query where none is documented. */
import { Context, Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { type HttpApiEndpoint, HttpApiMiddleware } from "effect/http-api"
import { type JsonErrorReason, jsonErrorMessages, printPath } from "../canonical/json-error-messages.ts"
import { type Json, type JsonPath, readJson } from "../canonical/json.ts"
import { limits } from "../vocabulary/limits.ts"
import { refusal, refuse, type Refusal } from "../vocabulary/refusals.ts"
import { refusalResponse } from "./errors.ts"
import type { BodyIssue } from "./issues.ts"
import { Load } from "./load.ts"
import { readBody } from "./read-body.ts"

/** The maximum number of bytes of a body; an operation with another limit annotates itself. */
export const BodyBytes = Context.Reference<number>("countersign/http/BodyBytes", {
  defaultValue: () => limits.bodyBytes
})

/** Rules of an operation that its schema cannot express: a body with issues is not decoded. */
export const BodyRule = Context.Reference<(body: Json) => ReadonlyArray<BodyIssue>>("countersign/http/BodyRule", {
  defaultValue: () => () => []
})

/** The body `{}`: a struct without fields would take any object. */
export const EmptyBody = Schema.Record(Schema.String, Schema.Never).annotate({ identifier: "Nothing" })

/** The body as sent, strictly parsed, before decoding: the input of a request's fingerprint. */
export class RequestBody extends Context.Service<RequestBody, { readonly value: Json }>()(
  "countersign/http/RequestBody"
) {}

export class StrictBody extends HttpApiMiddleware.Service<StrictBody, { provides: RequestBody }>()(
  "countersign/http/StrictBody"
) {}

/**
 * The schema decoder reads the request's text after it has checked the path; the strict reader replaces that text, so
 * that a wrong id is reported before a wrong body. A rejected body dies with its refusal, which the guard turns into the
 * response.
 */
export const strictBody = Layer.effect(
  StrictBody,
  Effect.gen(function* () {
    const load = yield* Load
    return (respond, { endpoint }) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const sent: { value: Json } = { value: null }
        const text = strictText(endpoint, sent).pipe(
          Effect.provideService(Load, load),
          Effect.provideService(HttpServerRequest.HttpServerRequest, request),
          Effect.orDie
        )
        const surplus = yield* unexpectedQuery(endpoint)
        if (surplus !== undefined) return refusalResponse(surplus)
        return yield* respond.pipe(
          Effect.provideService(HttpServerRequest.HttpServerRequest, withText(request, text)),
          Effect.provideService(RequestBody, sent)
        )
      })
  })
)

/** Rejects every query member where the operation takes none; a wrong id in the path is still 404. */
const unexpectedQuery = Effect.fnUntraced(function* ({ query, params }: HttpApiEndpoint.Top) {
  const members = query === undefined ? Object.keys(yield* HttpServerRequest.ParsedSearchParams) : []
  if (members.length === 0) return undefined
  if (params !== undefined && !Schema.is(params)(yield* HttpRouter.params)) return refusal("NOT_FOUND")
  const issues = members
    .slice(0, limits.issues)
    .map((path) => ({ path: path.slice(0, limits.issuePathCharacters), message: "this operation takes no query" }))
  return refusal("INVALID_REQUEST", { issues })
})

/** The text of a body that is strict JSON and satisfies the rule of its operation; its value is stored in `sent`. */
const strictText = Effect.fnUntraced(function* (endpoint: HttpApiEndpoint.Top, sent: { value: Json }) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  if (!isJson(headers["content-type"] ?? "")) return yield* Effect.fail(contentTypeRefusal)
  const bytes = yield* readBody({
    bytes: Context.get(endpoint.annotations, BodyBytes),
    // The middleware of a credential runs before this one: the request names one that is live, or was a minute ago.
    isAnonymous: !Array.from(endpoint.middlewares).some((one) =>
      HttpApiMiddleware.isSecurity(one as HttpApiMiddleware.AnyService)
    )
  })
  const read = readJson(bytes, { depthMax: limits.jsonDepth, refusesNul: true, valuesMax: limits.jsonValues })
  if (!read.ok) return yield* Effect.fail(bodyRefusal(read))
  sent.value = read.value
  const issues = Context.get(endpoint.annotations, BodyRule)(read.value)
  if (issues.length > 0) return yield* refuse("INVALID_REQUEST", { issues })
  return new TextDecoder().decode(bytes)
})

/** `application/json`; a charset, where given, must be UTF-8. */
export const isJson = (contentType: string): boolean => {
  const [type, ...parameters] = contentType.split(";").map((part) => part.trim().toLowerCase())
  const isCharset = (parameter: string) => /^charset\s*=/.test(parameter)
  return type === "application/json" && parameters.filter(isCharset).every((one) => /^charset="?utf-8"?$/.test(one))
}

/** The refusal of a body with another content type, or with none. */
export const contentTypeRefusal = refusal("INVALID_REQUEST", {
  issues: [{ path: "content-type", message: "must be application/json in UTF-8" }]
})

const withText = (
  request: HttpServerRequest.HttpServerRequest,
  text: HttpServerRequest.HttpServerRequest["text"]
): HttpServerRequest.HttpServerRequest =>
  new Proxy(request, { get: (target, name) => (name === "text" ? text : Reflect.get(target, name, target)) })

const bodyRefusal = ({ path, fault }: { readonly path: JsonPath; readonly fault: JsonErrorReason }): Refusal =>
  refusal("INVALID_REQUEST", { issues: [{ path: printPath(path), message: jsonErrorMessages[fault] }] })
