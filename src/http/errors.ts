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
  current: Schema.optionalKey(Schema.Struct({ headEventHash: Schema.String, automationRevision: Schema.Int })),
  dueAt: Schema.optionalKey(Schema.String),
  requiredHumanAction: Schema.optionalKey(Schema.String),
  humanUrl: Schema.optionalKey(Schema.String),
  documentationUrl: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Error" })

const meanings = {
  400: "Invalid request: malformed JSON, wrong types, unknown fields.",
  401: "The credential is invalid, expired or revoked, or the authority behind it ended.",
  403: "The action or the exact project is not authorized.",
  404: "Not found.",
  409: "A precondition, a pause, a stale state or a request conflict.",
  413: "The request body is too large.",
  503: "Temporarily unavailable, or no issuer key for this export."
} as const
type Status = keyof typeof meanings

const errorAt = <S extends Status>(status: S) =>
  ErrorBody.annotate({ httpApiStatus: status, description: meanings[status] })

/** What an operation without a credential answers beside its success. */
export const publicErrors = [errorAt(400), errorAt(409), errorAt(413), errorAt(503)] as const

/** What a read with a credential answers beside its success. */
export const readErrors = [errorAt(400), errorAt(401), errorAt(403), errorAt(404), errorAt(503)] as const

/** What a write with a credential answers beside its success. */
export const writeErrors = [...readErrors, errorAt(409), errorAt(413)] as const

/** A refusal as it leaves the server. */
export const refusalResponse = (refused: Refused) =>
  HttpServerResponse.jsonUnsafe(errorBody(refused), {
    status: statusOf(refused),
    ...(statusOf(refused) === 503 ? { headers: { "retry-after": "1" } } : {})
  })
