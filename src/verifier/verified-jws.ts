/** Verifies a compact JWS: a trusted key signed its payload for this purpose, within its validity. */
import { sha256Hex } from "../canonical/digest.ts"
import { verifyEd25519 } from "../canonical/ed25519.ts"
import { readCanonicalJson, type Json } from "../canonical/json.ts"
import { readJws } from "../canonical/jws.ts"
import { isInstant, isObject } from "./schema-kit.ts"
import { andThen, fail, pass, type Finding, type CheckResult } from "./ledger.ts"
import { printablePath } from "./printable.ts"
import type { Purpose, Trust, TrustedKey } from "./trust.ts"
import { verifierLimits } from "./verifier-limits.ts"

/** A payload with a verified signature; its schema is not yet checked. */
export interface VerifiedPayload {
  readonly payload: { [member: string]: Json }
  /** The canonical text of each member. */
  readonly texts: ReadonlyMap<string, string>
  /** The digest of the payload bytes. */
  readonly digest: string
  readonly bytes: number
  readonly issuedAt: string
  readonly key: TrustedKey
}

/** The context of every signature check: the trusted keys and the time of the check. */
export interface TrustContext {
  readonly trust: CheckResult<Trust>
  readonly checkedAt: CheckResult<string>
}

interface Context {
  readonly trust: Trust
  readonly checkedAt: string
}

/** Proves format, kind, key, purpose, signature, canonical bytes, and the validity of the key at signing. */
export const verifyJwsAs = (schema: string, purpose: Purpose) => {
  const verifyPayload = verifyPayloadAs(schema, purpose)
  return (jws: string, { trust, checkedAt }: Context): Finding<VerifiedPayload> =>
    andThen(verifyPayload(jws, trust), (payload) => checkKeyValidity(payload, checkedAt))
}

/** The same without the times: rules 1 to 16. */
export const verifyPayloadAs =
  (schema: string, purpose: Purpose) =>
  (jws: string, trust: Trust): Finding<VerifiedPayload> =>
    openSigned(jws, schema, purpose, trust)

const openSigned = (jws: string, schema: string, purpose: Purpose, trust: Trust): Finding<VerifiedPayload> => {
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
): Finding<Pick<VerifiedPayload, "issuedAt" | "texts"> & { readonly members: VerifiedPayload["payload"] }> => {
  const reading = readCanonicalJson(bytes, {
    bytesMax: verifierLimits.artifactBytesMax,
    valuesMax: verifierLimits.valuesMax,
    refusesNul: true
  })
  if (!reading.ok) return fail("PAYLOAD_NOT_CANONICAL", printablePath(reading.path), "STRICT_JSON", reading.code)
  const members = reading.value
  if (!isObject(members)) return fail("FIELD_TYPE", "", "OBJECT", members)
  if (!reading.isCanonical) return fail("PAYLOAD_NOT_CANONICAL")
  const own = (member: string): Json | undefined => (Object.hasOwn(members, member) ? members[member] : undefined)
  if (own("schema") !== schema) return fail("JWS_TYPE", "schema", schema, own("schema"))
  const issuedAt = own("issuedAt")
  if (!isInstant(issuedAt)) return fail("FIELD_TYPE", "issuedAt", "INSTANT", issuedAt)
  return pass({ members, texts: reading.texts, issuedAt })
}

const checkKeyValidity = (payload: VerifiedPayload, checkedAt: string): Finding<VerifiedPayload> => {
  const { key, issuedAt } = payload
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
  return pass(payload, issuedAt)
}
