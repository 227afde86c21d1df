/** The address of a request as it was sent. */
import type { HttpServerRequest } from "effect/http"

type Request = HttpServerRequest.HttpServerRequest

/**
 * The request as the router is to see it, so that every address has one spelling; undefined where it has no address of
 * this site. The router would end a path at `;` and `#`, and decode what is percent-encoded: here these characters are
 * parts of the path like any other, and no route has one. An absolute address counts as it was sent, not resolved.
 */
export const literalRequest = (request: Request): Request | undefined => {
  const path = pathOf(request.url)
  if (path !== sentPath(request.originalUrl)) return undefined
  const literal = path.replace(/[%;#]/g, encodeURIComponent)
  return literal === path ? request : request.modify({ url: literal + request.url.slice(path.length) })
}

/** The path as it was sent; an absolute address without one stands for the root (RFC 9112, 3.2.1). */
const sentPath = (target: string): string => {
  const path = pathOf(target.replace(origin, ""))
  return path === "" && origin.test(target) ? "/" : path
}

const origin = /^https?:\/\/[^/?#]*/i

const pathOf = (target: string): string => target.split("?", 1)[0]!
