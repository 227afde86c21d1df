/**
 * The cookies of people. With the prefix `__Host-` the browser enforces the attributes: TLS or loopback only, this host
 * only, set by no other host; no script reads them.
 */
import { Duration } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { limits } from "../vocabulary/limits.ts"

export const cookieNames = {
  session: "__Host-countersign",
  signIn: "__Host-countersign-sign-in",
  invitation: "__Host-countersign-invitation",
  userCode: "__Host-countersign-user-code",
  notice: "__Host-countersign-notice",
  specification: "__Host-countersign-specification"
} as const
export type CookieName = keyof typeof cookieNames

/** The value of a cookie that was sent exactly once; duplicates mean that another host set one. */
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

/** The session's cookie ends with the browser, the others after their lifetime; the sealed values also expire by themselves. */
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

// Tokens and sealed texts: no character that needs escaping.
const form = /^[\w.~-]{1,4000}$/
