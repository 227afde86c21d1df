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
  if (path !== pathOf(request.originalUrl.replace(/^https?:\/\/[^/?#]*/i, ""))) return undefined
  const literal = path.replace(/[%;#]/g, encodeURIComponent)
  return literal === path ? request : request.modify({ url: literal + request.url.slice(path.length) })
}

const pathOf = (target: string): string => target.split("?", 1)[0]!
