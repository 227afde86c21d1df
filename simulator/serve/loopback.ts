/** Checks for loopback names, as a protection against DNS rebinding and cross-site requests. */
import type { IncomingHttpHeaders } from "node:http"
import { siteUrl } from "../environment/environment.ts"

/** A host name as in a URL, without the port. */
export const isLoopbackName = (name: string): boolean =>
  name === "localhost" || name === "[::1]" || /^127(\.\d{1,3}){3}$/.test(name)

/** True if the `Host` header names this machine. */
export const isLoopbackHost = (host: string | undefined): boolean => {
  if (host === undefined) return false
  const url = URL.parse(`http://${host}`)
  return url !== null && url.pathname === "/" && url.username === "" && isLoopbackName(url.hostname)
}

/** True without an `Origin` header, or if it is this server's own. */
export const isOwnOrigin = (origin: string | undefined, host: string | undefined): boolean =>
  origin === undefined || (host !== undefined && origin.toLowerCase() === `http://${host.toLowerCase()}`)

/** True for a cross-site request; `Sec-Fetch-Site` takes precedence over an `Origin` of `null`. */
export const isForeign = ({ origin, host, "sec-fetch-site": site }: IncomingHttpHeaders): boolean => {
  if (site === "same-origin") return false
  return site === "cross-site" || !(isOwnOrigin(origin, host) || origin === siteUrl)
}
