/** Requests of a browser from a page: the fields of its form, with its cookies. */
import { Effect } from "effect"
import { cookieNames, type CookieName } from "../../src/http/cookies.ts"
import { send, siteUrl, type Answer } from "./service.ts"

/** The cookies of one browser, by their internal names. */
export type CookieJar = { readonly [Name in CookieName]?: string }

const headersOf = (jar: CookieJar) => ({
  cookie: Object.entries(jar)
    .map(([name, value]) => `${cookieNames[name as CookieName]}=${value}`)
    .join("; ")
})

export const openPage = (path: string, jar: CookieJar = {}) => send("GET", path, { headers: headersOf(jar) })

export type Fields = Readonly<Record<string, string | ReadonlyArray<string>>>

export const post = (
  path: string,
  fields: Fields,
  jar: CookieJar = {},
  headers: Readonly<Record<string, string>> = {}
) =>
  send("POST", path, {
    raw: new URLSearchParams(
      Object.entries(fields).flatMap(([name, value]) =>
        (typeof value === "string" ? [value] : value).map((one): [string, string] => [name, one])
      )
    ).toString(),
    headers: {
      ...headersOf(jar),
      "content-type": "application/x-www-form-urlencoded",
      origin: siteUrl,
      "sec-fetch-site": "same-origin",
      ...headers
    }
  })

/** The same with the token from the form on the page `shown`. */
export const submit = (path: string, fields: Fields, jar: CookieJar, shown = path) =>
  Effect.flatMap(openPage(shown, jar), ({ text }) =>
    post(path, { formToken: hiddenIn(text, "formToken"), ...fields }, jar)
  )

/** The value of a hidden field. */
export const hiddenIn = (text: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ""

/** The cookie set by a response: undefined if it is unchanged, empty if it is cleared. */
export const cookieFrom = ({ cookies }: Pick<Answer, "cookies">, name: CookieName): string | undefined =>
  cookies
    .map((line) => new RegExp(`^${cookieNames[name]}=([^;]*)`).exec(line)?.[1])
    .find((value) => value !== undefined)
