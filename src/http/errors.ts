/** The error body of every operation (7), and how an operation lists the statuses it answers with. */
import { Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { errorBody, statusOf, type Refused } from "../vocabulary/refusals.ts"

export const ErrorBody = Schema.Struct({
  error: Schema.String.annotate({ description: "A stable code." }),
  detail: Schema.String.annotate({ description: "One sentence for a person." }),
  retryable: Schema.Literal(false),
  nextAction: Schema.optionalKey(Schema.String),
  issues: Schema.optionalKey(Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String }))),
  current: Schema.optionalKey(
    Schema.Union([
      Schema.Struct({ headEventHash: Schema.String, automationRevision: Schema.Int }),
      Schema.Struct({ proposalHead: Schema.String, version: Schema.Int, automationRevision: Schema.Int })
    ])
  ),
  dueAt: Schema.optionalKey(Schema.String),
  requiredHumanAction: Schema.optionalKey(Schema.String),
  humanUrl: Schema.optionalKey(Schema.String),
  documentationUrl: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Error" })

const errorAt = (status: number, identifier: string, description: string) =>
  ErrorBody.annotate({ httpApiStatus: status, identifier, description })

const invalidRequest = errorAt(400, "InvalidRequest", "Malformed JSON, wrong types, unknown fields.")
export const unauthorized = errorAt(401, "Unauthorized", "The credential or the authority behind it has ended.")
const forbidden = errorAt(403, "Forbidden", "The action or the exact project is not authorized.")
const notFound = errorAt(404, "NotFound", "There is nothing at this address.")
const conflict = errorAt(409, "Conflict", "A precondition, a pause, a stale state or a request conflict.")
const tooLarge = errorAt(413, "TooLarge", "The request body is too large.")
const tooMany = errorAt(429, "TooMany", "What this grant may keep is full; waiting does not help.")
const unavailable = errorAt(503, "Unavailable", "Not now, or no issuer key for this export.")

/** What an operation without a credential answers beside its success. */
export const publicErrors = [invalidRequest, conflict, tooLarge, unavailable] as const

/** What a read answers that is open to anybody and may name what is not there. */
export const publicReadErrors = [invalidRequest, notFound, tooLarge, unavailable] as const

/** What a read with a credential answers beside its success. */
export const readErrors = [invalidRequest, unauthorized, forbidden, notFound, unavailable] as const

/** What a read answers that also needs something to have happened. */
export const exportErrors = [...readErrors, conflict] as const

/** What a write with a credential answers beside its success. */
export const writeErrors = [...readErrors, conflict, tooLarge] as const

/** What a write answers that adds to what is kept for a grant and counted. */
export const countedErrors = [...writeErrors, tooMany] as const

/** A refusal as it leaves the server. */
export const refusalResponse = (refused: Refused) => {
  const status = statusOf(refused)
  const retryAfter = refused.facts.retryAfter ?? (refused.code === "TEMPORARILY_UNAVAILABLE" ? 1 : undefined)
  return HttpServerResponse.jsonUnsafe(errorBody(refused), {
    status,
    headers: {
      ...(status === 401 ? { "www-authenticate": refused.code === "AUTH_INVALID" ? "Bearer" : cookieChallenge } : {}),
      ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) })
    }
  })
}

/**
 * What a 401 asks of a person's browser (RFC 9110, 15.5.2). No registered scheme stands for a session's cookie, and a
 * browser shows nothing for one that it does not know; `Bearer` would ask for a token that is not looked at there.
 */
export const cookieChallenge = "Cookie"
