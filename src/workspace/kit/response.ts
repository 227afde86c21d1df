/** Responses of pages, with headers against foreign scripts, framing and caching. */
import { HttpServerResponse } from "effect/http"
import { sessionChallenge } from "../../http/errors.ts"
import { refusalCodeHeader } from "../../http/refusal-code.ts"
import { statusOf, type Refusal } from "../../vocabulary/refusals.ts"
import { home, localPathOr } from "./local-path.ts"

/** An HTML page rendered by `page`. */
export const pageResponse = (html: string, status = 200): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(html, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: status === 401 ? { ...pageHeaders, "www-authenticate": sessionChallenge } : pageHeaders
  })

/** The page of a refusal; with a header where the person has to wait before the next attempt. */
export const refusedResponse = (html: string, refused: Refusal): HttpServerResponse.HttpServerResponse => {
  const { retryAfter } = refused.facts
  return HttpServerResponse.setHeaders(pageResponse(html, statusOf(refused)), {
    ...refusalCodeHeader(refused),
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) })
  })
}

/** A static file of the pages. */
export const assetResponse = (text: string, contentType: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(text, { contentType, headers: pageHeaders })

/** The redirect after a form; a path that is not local leads to the start page. */
export const seeOther = (path: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 303, headers: { ...pageHeaders, location: localPathOr(path, home) } })

/** A redirect to a URL made by this installation: its own canonical host, or the OpenID provider. */
export const redirectTo = (address: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 303, headers: { ...pageHeaders, location: address } })

/**
 * Scripts of the site only, which can connect to nothing by the default, and no form targets outside the site. `form-action` also covers
 * redirects after a form, so the OpenID provider is reached by a link.
 */
const policy = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self'",
  "form-action": "'self'",
  "frame-ancestors": "'none'",
  "base-uri": "'none'"
}

const policyText = (directives: { readonly [directive: string]: string }): string =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join("; ")

/** The referrer stays within the site: without one, a form's `Origin` would be `null`. */
export const pageHeaders = {
  "content-security-policy": policyText(policy),
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
  "cache-control": "no-store"
} as const

/** The headers of a page whose policy differs in these directives. */
export const pageHeadersWith = (directives: { readonly [D in keyof typeof policy | "connect-src"]?: string }) => ({
  ...pageHeaders,
  "content-security-policy": policyText({ ...policy, ...directives })
})
