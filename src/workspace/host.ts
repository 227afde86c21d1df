/** Pages have one address: under another name of this machine a browser would hold our own forms for another site's. */
import type { HttpServerRequest } from "effect/http"
import { isLocalPath } from "./local-path.ts"

type Arrived = Pick<HttpServerRequest.HttpServerRequest, "method" | "url" | "headers">

/**
 * Where a page is to be read that was asked for under another host than the site's; undefined where it is read here. A
 * proxy may put any name into `Host`, so what came through one stays, and so does a name of this machine where the site
 * has another: to send that away would go round in a circle.
 */
export const addressElsewhere = (siteUrl: string, { method, url, headers }: Arrived): string | undefined => {
  const host = headers["host"]?.toLowerCase()
  const site = new URL(siteUrl)
  if ((method !== "GET" && method !== "HEAD") || host === undefined || host === site.host || !isLocalPath(url))
    return undefined
  if (forwarding.some((name) => headers[name] !== undefined)) return undefined
  const asked = URL.parse(`${site.protocol}//${host}`)
  // The same host with its default port written out.
  if (asked === null || asked.host === site.host) return undefined
  return isLoopback(asked.hostname) && !isLoopback(site.hostname) ? undefined : siteUrl + url
}

const forwarding = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"]

const isLoopback = (name: string): boolean =>
  name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(name)
