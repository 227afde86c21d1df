/** Classifies the errors of openid-client: a failure of the provider, or an invalid sign-in of a person. */
import * as client from "openid-client"

/** True where a retry may succeed, or an operator must act; the person has made no mistake. */
export const isProviderFailure = (cause: unknown): boolean => {
  if (cause instanceof client.AuthorizationResponseError) return transientErrors.includes(cause.error)
  // By this one error the token endpoint rejects the code; by every other it rejects this client.
  if (cause instanceof client.ResponseBodyError) return cause.error !== "invalid_grant"
  if (cause instanceof client.ClientError) return responseErrors.includes(cause.code ?? "")
  return true
}

/** One word for the log: never a message or a cause, which contain requests and responses. */
export const reasonOf = (cause: unknown): string => {
  if (cause instanceof client.ResponseBodyError) return wordOf(cause.error)
  if (cause instanceof client.AuthorizationResponseError) return wordOf(cause.error)
  if (cause instanceof client.WWWAuthenticateChallengeError) return wordOf(cause.cause[0]?.parameters.error)
  if (cause instanceof client.ClientError) return wordOf(cause.code)
  if (cause instanceof Error && cause.cause instanceof Error && "code" in cause.cause) return wordOf(cause.cause.code)
  return cause instanceof Error ? wordOf(cause.name) : "unknown"
}

/** RFC 6749, section 4.1.2.1: the provider is temporarily unavailable. */
const transientErrors = ["server_error", "temporarily_unavailable"]

/** No response in time, or one that violates the protocol. */
const responseErrors = [
  "OAUTH_TIMEOUT",
  "OAUTH_ABORT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_PARSE_ERROR"
]

const wordOf = (word: unknown): string =>
  typeof word === "string" && /^[A-Za-z_]{1,60}$/.test(word) ? word : "unknown"
