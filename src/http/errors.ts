/** Responses to refusals: the error body of every operation (7), with its status. */
import { HttpServerResponse } from "effect/http"
import { errorBody, statusOf, type Refusal } from "../vocabulary/refusals.ts"
import { refusalCodeHeader } from "./refusal-code.ts"

export const refusalResponse = (refused: Refusal) => {
  const status = statusOf(refused)
  const retryAfter = refused.facts.retryAfter ?? (refused.code === "TEMPORARILY_UNAVAILABLE" ? 1 : undefined)
  return HttpServerResponse.jsonUnsafe(errorBody(refused), {
    status,
    headers: {
      ...refusalCodeHeader(refused),
      ...(status === 401 ? { "www-authenticate": refused.code === "AUTH_INVALID" ? "Bearer" : sessionChallenge } : {}),
      ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) })
    }
  })
}

/**
 * The challenge of a 401 to a person's browser (RFC 9110, 15.5.2). No registered scheme denotes a session cookie, and a
 * browser ignores an unknown one; `Bearer` would ask for a token that is not read there.
 */
export const sessionChallenge = "Cookie"
