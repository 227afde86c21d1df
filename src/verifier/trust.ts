/** The trust file: the issuer's public keys, given to the verifier by a way that does not pass through the artifact. */
import type { KeyObject } from "node:crypto"
import { importEd25519 } from "../canonical/ed25519.ts"
import { anyObject, type Fitting, instant, listOf, name, object, orNull, readForm, version, word } from "./forms.ts"
import { fail, pass, type Finding } from "./ledger.ts"
import { schemas } from "./shapes.ts"
import { verifierLimits } from "./verifier-limits.ts"

const code = "TRUST_FILE"

export type Purpose = Fitting<typeof purpose>

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
  /** The file as read, for comparison with a bundle. */
  readonly file: Fitting<typeof trustFile>
}

/** Reads a trust file strictly: one wrong key makes the whole file wrong. */
export const readTrust = (bytes: Uint8Array): Finding<Trust> => {
  const fitting = readForm(trustFile, code, bytes, verifierLimits.trustBytesMax)
  if (!fitting.ok)
    return fitting.at === "schema" && fitting.actual === schemas.keyBundle ? fail("TRUST_BUNDLE") : fitting
  const { issuer, environment, keys: entries } = fitting.value
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
  return pass({ issuer, environment, keys, file: fitting.value })
}

const purpose = word("EVENT", "AUTHORITY", "RECORD", "PACKAGE", "STATUS", "PUBLICATION", "COMMERCE", "CLOSURE")

const trustFile = object({
  schema: version(schemas.keys),
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
