/** The target of a request as it was sent. */
import type { HttpServerRequest } from "effect/http"

type Request = HttpServerRequest.HttpServerRequest

/**
 * The request for the router, so that every address has one spelling; undefined where the address is not of this site.
 * The router would end a path at `;` and `#`, and decode percent-encoding: here these characters are ordinary parts of
 * the path, and no route contains one. An absolute address is taken as sent, not resolved.
 */
export const literalRequest = (request: Request): Request | undefined => {
  const path = pathOf(request.url)
  if (path !== sentPath(request.originalUrl)) return undefined
  const literal = path.replace(/[%;#]/g, encodeURIComponent)
  return literal === path ? request : request.modify({ url: literal + request.url.slice(path.length) })
}

/** The path as sent; an absolute address without a path denotes the root (RFC 9112, 3.2.1). */
const sentPath = (target: string): string => {
  const path = pathOf(target.replace(origin, ""))
  return path === "" && origin.test(target) ? "/" : path
}

const origin = /^https?:\/\/[^/?#]*/i

const pathOf = (target: string): string => target.split("?", 1)[0]!
