/** Opening a signed object: from a compact JWS to a payload that a trusted key signed for this purpose, in time. */
import { sha256Hex } from "../canonical/digest.ts"
import { verifyEd25519 } from "../canonical/ed25519.ts"
import { readCanonicalJson, type Json } from "../canonical/json.ts"
import { readJws } from "../canonical/jws.ts"
import { isInstant, isObject } from "./forms.ts"
import { fail, pass, type Finding, type Proven } from "./ledger.ts"
import { shownPath } from "./shown.ts"
import type { Purpose, Trust, TrustedKey } from "./trust.ts"
import { verifierLimits } from "./verifier-limits.ts"

/** A payload that is proven to be signed; its members are not looked at yet. */
export interface Signed {
  readonly payload: { [member: string]: Json }
  /** The canonical text of each member. */
  readonly texts: ReadonlyMap<string, string>
  /** Of the payload bytes. */
  readonly digest: string
  readonly bytes: number
  readonly issuedAt: string
  readonly key: TrustedKey
}

/** What every signature is held against: the independent keys and the time of the check. */
export interface Under {
  readonly trust: Proven<Trust>
  readonly checkedAt: Proven<string>
}

interface Against {
  readonly trust: Trust
  readonly checkedAt: string
}

/** Proves form, kind, key, purpose, signature, canonical bytes, and that the key was valid when it signed. */
export const signedAs =
  (schema: string, purpose: Purpose) =>
  (jws: string, { trust, checkedAt }: Against): Finding<Signed> =>
    openSigned(jws, schema, purpose, trust, checkedAt)

const openSigned = (
  jws: string,
  schema: string,
  purpose: Purpose,
  trust: Trust,
  checkedAt: string
): Finding<Signed> => {
  const reading = readJws(jws)
  if (!reading.ok) return fail(reading.code)
  const { header } = reading
  if (header.typ !== schema) {
    return fail("JWS_TYPE", "header.typ", schema, header.typ)
  }
  const key = trust.keys.get(header.kid)
  if (key === undefined) return fail("ISSUER_NOT_TRUSTED", "header.kid", "TRUSTED_KEY", header.kid)
  if (!key.purposes.includes(purpose)) {
    return fail("KEY_ROLE", "", purpose, key.purposes.join())
  }
  if (!verifyEd25519(key.key, reading.signingInput, reading.signature)) return fail("SIGNATURE_INVALID")
  const payload = readPayload(reading.payload, schema)
  if (!payload.ok) return payload
  const { issuedAt } = payload.value
  const inTime = isKeyValid(key, issuedAt, checkedAt)
  if (!inTime.ok) return inTime
  return pass(
    {
      payload: payload.value.members,
      texts: payload.value.texts,
      digest: sha256Hex(reading.payload),
      bytes: reading.payload.length,
      issuedAt,
      key
    },
    issuedAt
  )
}

const readPayload = (
  bytes: Uint8Array,
  schema: string
): Finding<Pick<Signed, "issuedAt" | "texts"> & { readonly members: Signed["payload"] }> => {
  const reading = readCanonicalJson(bytes, {
    bytesMax: verifierLimits.artifactBytesMax,
    valuesMax: verifierLimits.valuesMax,
    refusesNul: true
  })
  if (!reading.ok) return fail("PAYLOAD_NOT_CANONICAL", shownPath(reading.path), "STRICT_JSON", reading.code)
  const members = reading.value
  if (!isObject(members)) return fail("FIELD_TYPE", "", "OBJECT", members)
  if (!reading.isCanonical) return fail("PAYLOAD_NOT_CANONICAL")
  const own = (member: string): Json | undefined => (Object.hasOwn(members, member) ? members[member] : undefined)
  if (own("schema") !== schema) return fail("JWS_TYPE", "schema", schema, own("schema"))
  const issuedAt = own("issuedAt")
  if (!isInstant(issuedAt)) return fail("FIELD_TYPE", "issuedAt", "INSTANT", issuedAt)
  return pass({ members, texts: reading.texts, issuedAt })
}

const isKeyValid = (key: TrustedKey, issuedAt: string, checkedAt: string): Finding<null> => {
  const at = "issuedAt"
  if (issuedAt > checkedAt) return fail("TIME_FUTURE", at, checkedAt, issuedAt)
  if (issuedAt < key.validFrom) {
    return fail("KEY_NOT_VALID_AT_SIGNING", at, key.validFrom, issuedAt)
  }
  if (issuedAt >= key.validUntil) {
    return fail("KEY_NOT_VALID_AT_SIGNING", at, key.validUntil, issuedAt)
  }
  if (key.revokedAt !== null && issuedAt >= key.revokedAt) {
    return fail("KEY_REVOKED", at, key.revokedAt, issuedAt)
  }
  return pass(null)
}
