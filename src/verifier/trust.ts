/** The trust file: the issuer's public keys, obtained independently of the artifact. */
import type { KeyObject } from "node:crypto"
import { importEd25519 } from "../canonical/ed25519.ts"
import {
  anyObject,
  type SchemaType,
  instant,
  listOf,
  name,
  object,
  orNull,
  parseFile,
  version,
  word
} from "./schema-kit.ts"
import { fail, pass, type Finding } from "./ledger.ts"
import { schemaNames } from "./schemas.ts"
import { verifierLimits } from "./verifier-limits.ts"

const code = "TRUST_FILE"

export type Purpose = SchemaType<typeof purpose>

export interface TrustedKey {
  readonly kid: string
  readonly key: KeyObject
  readonly validFrom: string
  readonly validUntil: string
  readonly revokedAt: string | null
  readonly purposes: ReadonlyArray<Purpose>
}

export interface Trust {
  readonly issuer: string
  readonly environment: string
  readonly keys: ReadonlyMap<string, TrustedKey>
  /** The parsed file, for comparison with a bundle. */
  readonly file: SchemaType<typeof trustFile>
}

/** Parses a trust file strictly: one invalid key makes the whole file invalid. */
export const readTrust = (bytes: Uint8Array): Finding<Trust> => {
  const parsed = parseFile(trustFile, code, bytes, verifierLimits.trustBytesMax)
  if (!parsed.ok)
    return parsed.at === "schema" && parsed.actual === schemaNames.keyBundle ? fail("TRUST_BUNDLE") : parsed
  const { issuer, environment, keys: entries } = parsed.value
  const keys = new Map<string, TrustedKey>()
  const points = new Set<string>()
  for (const [index, entry] of entries.entries()) {
    const imported = importEd25519(entry.jwk)
    const at = `keys[${index}]`
    if (!imported.ok) return fail(imported.code === "KEY_WEAK" ? "KEY_WEAK" : code, `${at}.jwk`)
    if (keys.has(entry.kid)) return fail(code, `${at}.kid`, "UNIQUE")
    const point = Buffer.from(imported.raw).toString("hex")
    if (points.has(point)) return fail(code, `${at}.jwk.x`, "UNIQUE")
    if (entry.validFrom >= entry.validUntil) return fail(code, `${at}.validUntil`, "LATER", entry.validUntil)
    if (entry.purposes.length === 0 || new Set(entry.purposes).size < entry.purposes.length) {
      return fail(code, `${at}.purposes`, "UNIQUE")
    }
    points.add(point)
    keys.set(entry.kid, { ...entry, key: imported.key })
  }
  if (keys.size === 0) return fail(code, "keys", "PRESENT")
  return pass({ issuer, environment, keys, file: parsed.value })
}

const purpose = word("EVENT", "AUTHORITY", "RECORD", "PACKAGE", "STATUS", "PUBLICATION", "COMMERCE", "CLOSURE")

const trustFile = object({
  schema: version(schemaNames.keys),
  issuer: name,
  environment: name,
  keys: listOf(
    object({
      kid: name,
      jwk: anyObject,
      validFrom: instant,
      validUntil: instant,
      revokedAt: orNull(instant),
      purposes: listOf(purpose)
    })
  )
})
