/** What counts as this machine: a page of another site cannot reach a server here under a name of its own. */
import type { IncomingHttpHeaders } from "node:http"
import { siteUrl } from "../surroundings.ts"

/** As it stands in an address, without its port. */
export const isLoopbackName = (name: string): boolean =>
  name === "localhost" || name === "[::1]" || /^127(\.\d{1,3}){3}$/.test(name)

/** The `Host` header of a request that was meant for this machine. */
export const isLoopbackHost = (host: string | undefined): boolean => {
  if (host === undefined) return false
  const url = URL.parse(`http://${host}`)
  return url !== null && url.pathname === "/" && url.username === "" && isLoopbackName(url.hostname)
}

/** Absent where no browser asks, else that of a page of this very server. */
export const isOwnOrigin = (origin: string | undefined, host: string | undefined): boolean =>
  origin === undefined || (host !== undefined && origin.toLowerCase() === `http://${host.toLowerCase()}`)

/** True for what a page of another site asks. A browser that says so itself knows better than an `Origin` of `null`. */
export const isForeign = ({ origin, host, "sec-fetch-site": site }: IncomingHttpHeaders): boolean => {
  if (site === "same-origin") return false
  return site === "cross-site" || !(isOwnOrigin(origin, host) || origin === siteUrl)
}
