/**
 * The cookies of people. The prefix `__Host-` makes the browser hold what the attributes say: over TLS or loopback only,
 * for this host alone, set by no other host; and no script reads them.
 */
import { Duration } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { limits } from "../vocabulary/limits.ts"

export const cookieNames = {
  session: "__Host-countersign",
  signIn: "__Host-countersign-sign-in",
  invitation: "__Host-countersign-invitation",
  userCode: "__Host-countersign-user-code",
  untold: "__Host-countersign-untold",
  specification: "__Host-countersign-specification"
} as const
export type CookieName = keyof typeof cookieNames

/** The value of a cookie that was sent exactly once; two of one name mean that somebody else set one. */
export const readCookie = (
  { headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">,
  name: CookieName
): string | undefined => {
  const start = `${cookieNames[name]}=`
  const values = (headers["cookie"] ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length))
  const [value] = values
  return values.length === 1 && value !== undefined && form.test(value) ? value : undefined
}

/** The session's cookie ends with the browser, the others after their lifetime; what they hold ends by itself. */
export const setCookie =
  (name: CookieName, value: string, lifetime: number = limits.sealedCookieLifetime) =>
  (response: HttpServerResponse.HttpServerResponse) =>
    HttpServerResponse.setCookieUnsafe(response, cookieNames[name], value, {
      ...attributes,
      ...(name === "session" ? {} : { maxAge: Duration.millis(lifetime) })
    })

export const clearCookie = (name: CookieName) => (response: HttpServerResponse.HttpServerResponse) =>
  HttpServerResponse.expireCookieUnsafe(response, cookieNames[name], attributes)

const attributes = { httpOnly: true, secure: true, sameSite: "lax", path: "/" } as const

// Tokens and sealed texts: nothing that a browser or the library would have to escape.
const form = /^[\w.~-]{1,4000}$/
