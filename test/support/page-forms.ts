/** Pages in process, used like a browser without script: reads a page and submits its form. */
import { cookieOf } from "./workspace.ts"
import { send, siteUrl, type Answer } from "./service.ts"

interface Person {
  readonly token: string
}

export interface PageForm {
  readonly action: string
  readonly hidden: Readonly<Record<string, string>>
  /** Every field that a person fills in; a control without a name sends nothing. */
  readonly names: ReadonlyArray<string>
}

export type Values = Readonly<Record<string, string | ReadonlyArray<string>>>

export const readPage = ({ token }: Person, path: string) => send("GET", path, { headers: { cookie: cookieOf(token) } })

/** The form with this action on a page. */
export const formOn = ({ text, status }: Answer, action: string): PageForm => {
  const found = formsOn(text).find((form) => form.action === action)
  if (found === undefined)
    throw new Error(`a page with status ${status} has no form with the action ${action}: ${text}`)
  return found
}

export const formsOn = (html: string): ReadonlyArray<PageForm> =>
  [...html.matchAll(/<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(([, action, inside]) => ({
    action: unescape(action!),
    hidden: Object.fromEntries(
      [...inside!.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [
        name!,
        unescape(value!)
      ])
    ),
    names: [
      ...new Set(
        [...inside!.matchAll(/<(?:input|textarea|select)([^>]*)>/g)].flatMap(([, control]) => nameIn(control!))
      )
    ]
  }))

const nameIn = (control: string): ReadonlyArray<string> =>
  control.includes('type="hidden"') ? [] : [...control.matchAll(/ name="([^"]*)"/g)].map(([, name]) => name!)

/** Submits a form with these values added to, or replacing, its own. */
export const submit = (by: Person, { action, hidden }: PageForm, values: Values = {}) =>
  postRaw(by, action, encode({ ...hidden, ...values }))

export const postRaw = (
  { token }: Person,
  action: string,
  raw: string,
  headers: Readonly<Record<string, string>> = {}
) =>
  send("POST", action, {
    raw,
    headers: {
      cookie: cookieOf(token),
      origin: siteUrl,
      "content-type": "application/x-www-form-urlencoded",
      ...headers
    }
  })

/** Submits a form with files, each given as its text; one of an empty text was not chosen. */
export const postMultipart = (by: Person, { action, hidden }: PageForm, values: Values, files: Values) => {
  const boundary = "----boundaryOfTheTest"
  const part = (disposition: string, text: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`
  const fields = Object.entries({ ...hidden, ...values }).map(([name, value]) => part(`name="${name}"`, String(value)))
  const chosen = Object.entries(files).map(([name, text]) =>
    part(
      `name="${name}"; filename="${text === "" ? "" : "passport.json"}"\r\nContent-Type: application/json`,
      String(text)
    )
  )
  const raw = `${[...fields, ...chosen].join("")}--${boundary}--\r\n`
  return postRaw(by, action, raw, { "content-type": `multipart/form-data; boundary=${boundary}` })
}

export const encode = (values: Values): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    for (const one of typeof value === "string" ? [value] : value) query.append(name, one)
  }
  return query.toString()
}

/** The one secret on the page. */
export const secretOn = ({ text }: Answer): string => {
  const [, secret] = /<code class="secret">([^<]*)<\/code>/.exec(text) ?? []
  if (secret === undefined) throw new Error(`the page has no secret: ${text}`)
  return secret
}

/** The problems of a form, as its page shows them. */
export const problemsOn = ({ text }: Answer): ReadonlyArray<readonly [field: string, message: string]> => {
  const [summary] = /<section class="problems".*?<\/section>/s.exec(text) ?? [""]
  return [...summary.matchAll(/<a href="#field-([^"]*)">([^<]*)<\/a>/g)].map(([, field, message]) => [
    field!,
    unescape(message!)
  ])
}

const unescape = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")
