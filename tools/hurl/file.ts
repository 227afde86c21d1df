/** A scenario as a Hurl file: every request in full, with what it captures and asserts. */
import { cookieNames } from "../../src/http/cookies.ts"
import type { Json } from "../../simulator/vocabulary/json.ts"
import type { Assert } from "./asserts.ts"
import { readRecording, scenarioFile, type Exchange } from "./recording.ts"
import { templatedExchanges, type Capture, type TemplatedExchange } from "./variables.ts"

/** The text of the file for the scenario of this name, such as `stop-controls/hand-off`. */
export const hurlFile = (scenario: string): string => {
  const recording = readRecording(scenarioFile(scenario))
  const templated = new Map(templatedExchanges(recording).map((one) => [one.exchange, one]))
  const blocks = recording.parts.map((part) => {
    if (part.kind === "remark") return comment(part.text)
    return part.kind === "signIn" ? signIn(part.person) : exchangeText(templated.get(part)!)
  })
  const heading = [
    comment(recording.title),
    "#",
    ...(recording.say === undefined ? [] : [comment(recording.say), "#"]),
    comment(`Made from scenarios/${scenario}/scenario.yaml by \`npm run examples:hurl\`: do not edit.`)
  ]
  return `${heading.join("\n")}\n\n${blocks.join("\n").trim()}\n`
}

/** Hurl would send the cookie of the last sign-in with every request, so each request names its own. */
const withoutStoredCookies = "# @cookie_storage_clear"

const signIn = (person: string): string =>
  lines(
    withoutStoredCookies,
    "POST {{origin}}/workspace/sign-in",
    "Origin: {{origin}}",
    "[Form]",
    `name: hurl-${person}`,
    `password: {{${person}_password}}`,
    "HTTP 303",
    "[Captures]",
    `${person}_session: cookie "${cookieNames.session}"`
  )

const exchangeText = ({ exchange, token, path, body, newIds, captures, asserts }: TemplatedExchange): string =>
  lines(
    comment(
      `${exchange.actor}: ${exchange.operation}${exchange.step?.kind === "retry" ? ", the same request again" : ""}`
    ),
    ...(exchange.operation === "readSession" ? [withoutStoredCookies] : []),
    `${exchange.method} {{origin}}${path}`,
    ...headers(exchange, token),
    ...section("Options", options(exchange, newIds)),
    ...(body === undefined ? [] : [jsonText(body)]),
    `HTTP ${exchange.status}`,
    ...section("Captures", captures.map(captureText)),
    ...section("Asserts", asserts.map(assertText))
  )

const headers = ({ credential, method }: Exchange, token: string | undefined): ReadonlyArray<string> => {
  if (token !== undefined) return [`Authorization: Bearer ${token}`]
  if (credential === undefined || !("person" in credential)) return []
  const origin = method === "GET" ? [] : ["Origin: {{origin}}"]
  return [`Cookie: ${cookieNames.session}={{${credential.person}_session}}`, ...origin]
}

/** Indented, with an array of short texts on one line. */
const jsonText = (body: Json): string =>
  JSON.stringify(body, null, 2).replace(
    /\[\n\s+("[^"\n]{1,30}"(?:,\n\s+"[^"\n]{1,30}")*)\n\s+\]/g,
    (_, items: string) => `[${items.replace(/\n\s+/g, " ")}]`
  )

/** A committed event is in the history of a subscription once the worker has placed it there. */
const options = ({ operation, status, delay }: Exchange, newIds: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...newIds.map((name) => `variable: ${name}={{newUuid}}`),
  ...(delay === 0 ? [] : [`delay: ${delay}ms`]),
  ...(operation === "listWebhookDeliveries" && status === 200 ? ["retry: 40", "retry-interval: 250ms"] : [])
]

const captureText = ({ name, path }: Capture): string => `${name}: jsonpath ${jsonPath(path)}`

const assertText = ({ path, value, isCount }: Assert): string => {
  if (isCount) return `jsonpath ${jsonPath(path)} ${value === 0 ? "isEmpty" : `count == ${value}`}`
  return `jsonpath ${jsonPath(path)} == ${JSON.stringify(value)}`
}

const jsonPath = (path: string): string =>
  `"$${path.replace(/(?:^|\.)(\d+)(?=\.|$)/g, "[$1]").replace(/^(?!\[)/, ".")}"`

const section = (name: string, content: ReadonlyArray<string>): ReadonlyArray<string> =>
  content.length === 0 ? [] : [`[${name}]`, ...content]

const lines = (...all: ReadonlyArray<string>): string => `${all.join("\n")}\n`

const commentWidth = 110

const comment = (text: string): string => {
  const written = [""]
  for (const word of text.trim().split(/\s+/)) {
    if (`${written.at(-1)} ${word}`.length > commentWidth) written.push("")
    written.push(`${written.pop()} ${word}`)
  }
  return written.map((line) => `#${line}`).join("\n")
}
