/** Whether a request that may change something came from a page of this site. */
import { refusal, type Refused } from "../vocabulary/refusals.ts"

interface Arrived {
  readonly method: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/**
 * Refuses an unsafe request that no page of this site made. Browsers say so in `Sec-Fetch-Site` and `Origin`: each, where
 * it is there, must name this site, and one of them must be there. A client without either has no cookie jar to abuse,
 * and no business with operations that are opened by a cookie.
 */
export const refuseCrossSite = (siteUrl: string, { method, headers }: Arrived): Refused | undefined => {
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
