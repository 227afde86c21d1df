/** What openid-client fails with, told apart: the provider cannot serve us, or its answer to a person is not in order. */
import * as client from "openid-client"

/** True where another try may succeed, or an operator must act; the person has done nothing wrong. */
export const isProvidersFault = (cause: unknown): boolean => {
  if (cause instanceof client.AuthorizationResponseError) return passing.includes(cause.error)
  // The token endpoint judges the code by this one error; by every other it judges us.
  if (cause instanceof client.ResponseBodyError) return cause.error !== "invalid_grant"
  if (cause instanceof client.ClientError) return unanswered.includes(cause.code ?? "")
  return true
}

/** One word for the log: never a message or a cause, which hold what was sent and answered. */
export const reasonOf = (cause: unknown): string => {
  if (cause instanceof client.ResponseBodyError) return wordOf(cause.error)
  if (cause instanceof client.AuthorizationResponseError) return wordOf(cause.error)
  if (cause instanceof client.WWWAuthenticateChallengeError) return wordOf(cause.cause[0]?.parameters.error)
  if (cause instanceof client.ClientError) return wordOf(cause.code)
  if (cause instanceof Error && cause.cause instanceof Error && "code" in cause.cause) return wordOf(cause.cause.code)
  return cause instanceof Error ? wordOf(cause.name) : "unknown"
}

/** RFC 6749, section 4.1.2.1: the provider says that it cannot now. */
const passing = ["server_error", "temporarily_unavailable"]

/** No answer in time, or one that is none of the protocol. */
const unanswered = [
  "OAUTH_TIMEOUT",
  "OAUTH_ABORT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_PARSE_ERROR"
]

const wordOf = (word: unknown): string =>
  typeof word === "string" && /^[A-Za-z_]{1,60}$/.test(word) ? word : "unknown"
