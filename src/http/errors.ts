/** How a refusal leaves the server: the body of every operation (7), with its status. */
import { HttpServerResponse } from "effect/http"
import { errorBody, statusOf, type Refused } from "../vocabulary/refusals.ts"

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
