/**
 * Signatures: compact JWS (RFC 7515) with Ed25519 (RFC 8037), in the one profile that the records use.
 *
 * Each record has exactly one spelling. The header is the canonical form of `{alg, kid, typ}` with `alg` EdDSA; every
 * segment is base64url that encodes back to itself. General JWS readers accept keys, padding, white space, unknown headers
 * and unencoded payloads, so that one record could be written or interpreted in several ways.
 */
import { fromBase64url, toBase64url } from "./base64url.ts"
import { canonicalText } from "./jcs.ts"
import { readCanonicalJson } from "./json.ts"

export { importEd25519, verifyEd25519 } from "./ed25519.ts"

export interface JwsHeader {
  readonly alg: "EdDSA"
  readonly kid: string
  readonly typ: string
}

export type JwsRefusalCode =
  | "JWS_FORM"
  | "JWS_ENCODING"
  | "JWS_HEADER_FORM"
  | "JWS_HEADER_MEMBER"
  | "JWS_ALG"
  | "SIGNATURE_INVALID"

export type JwsReading =
  | {
      readonly ok: true
      readonly header: JwsHeader
      readonly payload: Uint8Array
      readonly signature: Uint8Array
      readonly signingInput: string
    }
  | { readonly ok: false; readonly code: JwsRefusalCode }

export const jwsLimits = { headerBytesMax: 1_024, nameCharactersMax: 200, signatureBytes: 64 } as const

/** The signing input: the canonical header and the payload, both base64url, with a dot between. */
export const signingInput = (header: { readonly kid: string; readonly typ: string }, payload: Uint8Array): string =>
  `${toBase64url(canonicalText({ alg: "EdDSA", kid: header.kid, typ: header.typ }))}.${toBase64url(payload)}`

/** The compact JWS: the signing input, a dot, and the signature. */
export const compactJws = (signingInput: string, signature: Uint8Array): string =>
  `${signingInput}.${toBase64url(signature)}`

/** The same signature beside its payload instead of around it (RFC 7515, appendix F). */
export const detachPayload = (compact: string): string => {
  const [header, , signature] = compact.split(".")
  return `${header}..${signature}`
}

/** The payload of a JWS that this service signed and stored, whose bytes are trusted as those of `parseCanonical` are. */
export const parseSigned = <A>(compact: string): A => JSON.parse(signedBytes(compact).toString("utf8"))

/** The bytes of the payload of such a JWS. */
export const signedBytes = (compact: string): Buffer => Buffer.from(compact.split(".")[1]!, "base64url")

/** Parses a compact JWS. It checks the form only, without a key. Never throws. */
export const readJws = (compact: unknown): JwsReading => {
  if (typeof compact !== "string") return refused("JWS_FORM")
  const segments = compact.split(".", 4)
  if (segments.length !== 3) return refused("JWS_FORM")
  const [header, payload, signature] = segments.map(fromBase64url)
  if (header === undefined || payload === undefined || signature === undefined) {
    return refused("JWS_ENCODING")
  }
  const read = readHeader(header)
  if (!read.ok) return read
  if (signature.length !== jwsLimits.signatureBytes) {
    return refused("SIGNATURE_INVALID")
  }
  return {
    ok: true,
    header: read.header,
    payload,
    signature,
    signingInput: compact.slice(0, compact.lastIndexOf("."))
  }
}

const refused = (code: JwsRefusalCode) => ({ ok: false, code }) as const

const readHeader = (bytes: Uint8Array): { ok: true; header: JwsHeader } | (JwsReading & { ok: false }) => {
  const reading = readCanonicalJson(bytes, { bytesMax: jwsLimits.headerBytesMax, depthMax: 8, refusesNul: true })
  if (!reading.ok) return refused("JWS_HEADER_FORM")
  const header = reading.value
  if (header === null || typeof header !== "object" || Array.isArray(header)) {
    return refused("JWS_HEADER_FORM")
  }
  if (Object.keys(header).some((name) => name !== "alg" && name !== "kid" && name !== "typ")) {
    return refused("JWS_HEADER_MEMBER")
  }
  if (!Object.hasOwn(header, "alg") || header["alg"] !== "EdDSA") return refused("JWS_ALG")
  if (!isName(header, "kid") || !isName(header, "typ")) return refused("JWS_HEADER_FORM")
  const exact: JwsHeader = { alg: "EdDSA", kid: header["kid"] as string, typ: header["typ"] as string }
  if (!reading.isCanonical) return refused("JWS_HEADER_FORM")
  return { ok: true, header: exact }
}

const isName = (header: object, name: "kid" | "typ"): boolean => {
  const value: unknown = Object.hasOwn(header, name) ? Reflect.get(header, name) : undefined
  return typeof value === "string" && value !== "" && value.length <= jwsLimits.nameCharactersMax
}
