/** Cross-site request protection: an unsafe request must come from a page of this site. */
import { refusal, type Refusal } from "../vocabulary/refusals.ts"

interface UnsafeRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/**
 * Refuses an unsafe request that no page of this site sent. Browsers report the origin in `Sec-Fetch-Site` and `Origin`:
 * each must name this site where present, and one of them must be present. A client that sends neither has no cookies to
 * abuse and no use for operations authenticated by a cookie.
 */
export const refuseCrossSite = (siteUrl: string, { method, headers }: UnsafeRequest): Refusal | undefined => {
  if (safeMethods.has(method)) return undefined
  const site = headers["sec-fetch-site"]
  const origin = headers["origin"]
  const isOurs =
    (site !== undefined || origin !== undefined) &&
    (site ?? "same-origin") === "same-origin" &&
    (origin ?? originOf(siteUrl)) === originOf(siteUrl)
  return isOurs ? undefined : refusal("CROSS_SITE_REQUEST")
}

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

const originOf = (siteUrl: string): string => new URL(siteUrl).origin
