/**
 * Edits of signed objects. Some exchange segments; the others sign the changed object again with the issuer's key, so that
 * the checks after the signature run.
 */
import { base64url, jcs, keys, kid, type Members, type Purpose, signBytes } from "../signing.ts"
import { editJsonText, editValue } from "./json-edits.ts"
import { canary } from "./base-sample.ts"
import type { Choices } from "./choices.ts"

/** Edits one JWS of an artifact; `all` are its signed objects. */
export type JwsEdit = (jws: string, choices: Choices, all: ReadonlyArray<string>) => string

const purposes: Readonly<Record<string, Purpose>> = {
  "service.project-event/v1": "EVENT",
  "service.authority-event/v1": "AUTHORITY",
  "service.result-record/v1": "RECORD",
  "service.result-package/v2": "PACKAGE",
  "service.agent-status/v1": "STATUS",
  "service.result-passport/v1": "PUBLICATION",
  "service.result-summary/v1": "PUBLICATION",
  "service.publication-status/v1": "STATUS",
  "service.commerce-record/v1": "COMMERCE",
  "service.commerce-status/v1": "COMMERCE",
  "service.result-order/v1": "COMMERCE",
  "service.transaction-closure-package/v2": "CLOSURE",
  "service.history-reference/v1": "CLOSURE",
  "service.agreement-link/v1": "CLOSURE",
  "service.agreement-snapshot/v1": "CLOSURE"
}

const decoded = (segment: string): string => Buffer.from(segment, "base64url").toString()
const segmentsOf = (jws: string): ReadonlyArray<string> => jws.split(".")
export const headerOf = (jws: string): Members => JSON.parse(decoded(segmentsOf(jws)[0]!))
export const payloadOf = (jws: string): Members => JSON.parse(decoded(segmentsOf(jws)[1]!))
const keyOf = (jws: string) => keys[purposes[headerOf(jws)["typ"]]!].privateKey

const jwsText = (text: unknown): string => (typeof text === "string" ? text : JSON.stringify(text ?? null))

/** The canonical form, if the value has one. */
const canonicalOrNot = (value: unknown): string => {
  try {
    return jcs(value ?? null)
  } catch {
    return JSON.stringify(value)
  }
}

const headerEdits: ReadonlyArray<(header: Members, choices: Choices) => unknown> = [
  (header, choices) => editValue(header, choices),
  (header, choices) => ({ ...header, alg: choices.oneOf(["none", "nOnE", "HS256", "Ed25519", "", null, ["EdDSA"]]) }),
  (header, choices) => ({
    ...header,
    kid: choices.oneOf([kid("EVENT"), kid("stranger"), canary, "x".repeat(201), ""])
  }),
  (header, choices) => ({ ...header, typ: choices.oneOf([...Object.keys(purposes), canary, "JWT"]) }),
  (header, choices) => ({
    ...header,
    [choices.oneOf(["jwk", "jku", "x5c", "x5u", "crit", "b64", "zip", "cty", "__proto__", canary])]: choices.oneOf([
      keys.stranger.jwk,
      ["b64"],
      false,
      canary
    ])
  })
]

export const jwsEdits: Readonly<Record<string, JwsEdit>> = {
  "segments exchanged": (jws, choices, all) => {
    const other = segmentsOf(choices.oneOf(all))
    const place = choices.below(3)
    return segmentsOf(jws)
      .map((segment, at) => (at === place ? other[choices.below(3)] : segment))
      .join(".")
  },
  "object exchanged": (_, choices, all) => choices.oneOf(all),
  "characters of an object": (jws, choices) => jwsText(editValue(jws, choices)),
  "header signed again": (jws, choices) => {
    const header = canonicalOrNot(choices.oneOf(headerEdits)(headerOf(jws), choices))
    return signBytes(header, decoded(segmentsOf(jws)[1]!), keyOf(jws))
  },
  "header text signed again": (jws, choices) =>
    signBytes(editJsonText(jcs(headerOf(jws)), choices), decoded(segmentsOf(jws)[1]!), keyOf(jws)),
  "payload signed again": (jws, choices) =>
    signBytes(jcs(headerOf(jws)), canonicalOrNot(editValue(payloadOf(jws), choices)), keyOf(jws)),
  "payload text signed again": (jws, choices) =>
    signBytes(jcs(headerOf(jws)), editJsonText(decoded(segmentsOf(jws)[1]!), choices), keyOf(jws)),
  "signed by another key": (jws, choices) => {
    const by = choices.oneOf(Object.keys(keys) as Array<keyof typeof keys>)
    const header = jcs({ ...headerOf(jws), kid: choices.oneOf([kid(by), headerOf(jws)["kid"]]) })
    return signBytes(header, decoded(segmentsOf(jws)[1]!), keys[by].privateKey)
  },
  "bytes under a signature": (jws, choices) => {
    const [header, payload, signature] = segmentsOf(jws)
    const bytes = Buffer.from(choices.oneOf([payload!, signature!]), "base64url")
    bytes[choices.below(bytes.length)]! ^= 1 << choices.below(8)
    return bytes.length === 64
      ? `${header}.${payload}.${base64url(bytes)}`
      : `${header}.${base64url(bytes)}.${signature}`
  }
}
