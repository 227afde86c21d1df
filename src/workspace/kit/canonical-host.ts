/**
 * Pages have one canonical host: under another name of this machine the browser would treat our own forms as
 * cross-site.
 */
import type { HttpServerRequest } from "effect/http"
import { isLocalPath } from "./local-path.ts"

type RequestTarget = Pick<HttpServerRequest.HttpServerRequest, "method" | "url" | "headers">

/**
 * The URL of a page on the canonical host; undefined where the request has that host already. A proxy may set any
 * `Host`, so forwarded requests are not redirected, and neither is a loopback name where the site is not on loopback:
 * that could redirect in a loop.
 */
export const canonicalUrl = (siteUrl: string, { method, url, headers }: RequestTarget): string | undefined => {
  const host = headers["host"]?.toLowerCase()
  const site = new URL(siteUrl)
  if ((method !== "GET" && method !== "HEAD") || host === undefined || host === site.host || !isLocalPath(url))
    return undefined
  if (forwarding.some((name) => headers[name] !== undefined)) return undefined
  const requested = URL.parse(`${site.protocol}//${host}`)
  // The same host with its default port written out.
  if (requested === null || requested.host === site.host) return undefined
  return isLoopback(requested.hostname) && !isLoopback(site.hostname) ? undefined : siteUrl + url
}

const forwarding = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"]

const isLoopback = (name: string): boolean =>
  name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(name)
