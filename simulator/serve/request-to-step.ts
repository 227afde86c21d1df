/**
 * Converts an incoming request to a step: an operation if the client would send exactly this request for it, else a raw
 * request.
 */
import { readJson } from "../../src/canonical/json.ts"
import { isJson } from "../../src/http/body.ts"
import { cookieNames } from "../../src/http/cookies.ts"
import type { StepForm } from "../scenario/format/scenario-form.ts"
import type { Json } from "../vocabulary/json.ts"
import type { Session } from "../scenario/session.ts"
import { siteUrl } from "../environment/environment.ts"
import type { IncomingRequest } from "./incoming-request.ts"
import { inferOperation } from "./operation-inference.ts"

/** Depends on the client state of the actor, so it is evaluated when the step begins. */
export const stepFromRequest = (
  incoming: IncomingRequest,
  actor: string,
  isNamed: boolean,
  session: Session
): StepForm => {
  const headers = differingHeaders(incoming, actor, isNamed, session)
  const body = bodyIn(incoming)
  const json = body === undefined || "json" in body
  const words =
    json && Object.keys(headers).length === 0 ? inferOperation(incoming, body?.json, actor, session) : undefined
  if (words !== undefined) return words
  const { method, path } = incoming
  return {
    as: actor,
    send: {
      method: method as "GET",
      path,
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...(body === undefined ? {} : body)
    }
  }
}

/** The headers that differ from those of the actor's client. */
const differingHeaders = (
  { method, headers, text }: IncomingRequest,
  actor: string,
  isNamed: boolean,
  { context: { directory } }: Session
): { readonly [name: string]: string } => {
  const token = directory.agents.get(actor)?.token
  const cookie = directory.people.get(actor)?.session
  const own: { readonly [name: string]: string | undefined } = {
    authorization: token === undefined ? undefined : `Bearer ${token}`,
    cookie: cookie === undefined ? undefined : `${cookieNames.session}=${cookie}`,
    origin: cookie === undefined || method === "GET" ? undefined : siteUrl
  }
  // A request with only a person's name is sent from that person's browser.
  const isOwnBrowser = isNamed && cookie !== undefined && headers["cookie"] === undefined
  const differing: { [name: string]: string } = {}
  for (const name of new Set([...Object.keys(own), ...Object.keys(headers)])) {
    const value = name === "origin" && isSame(headers["sec-fetch-site"]) ? siteUrl : headers[name]
    if (value === own[name] || (value === undefined && isOwnBrowser)) continue
    if (name === "content-type" && (text === undefined || isJson(value ?? ""))) continue
    if (name === "sec-fetch-site" && isSame(value)) continue
    differing[name] = (value ?? "").replaceAll("${", "$ {")
  }
  if (text !== undefined && headers["content-type"] === undefined) differing["content-type"] = ""
  return differing
}

const isSame = (site: string | undefined): boolean => site === "same-origin"

/** Unambiguous JSON as a value, any other body as text. */
const bodyIn = ({
  text,
  headers
}: IncomingRequest): { readonly json: Json } | { readonly text: string; readonly json?: never } | undefined => {
  if (text === undefined) return undefined
  if (!text.includes("${")) {
    const read = readJson(Buffer.from(text, "utf8"), { bytesMax: text.length * 4 })
    return read.ok ? { json: read.value } : { text }
  }
  // A script would read `${` as a reference.
  return { text: text.replaceAll("${", isForm(headers["content-type"]) ? "%24{" : "\\u0024{") }
}

const isForm = (type = ""): boolean => /^application\/x-www-form-urlencoded/i.test(type)
