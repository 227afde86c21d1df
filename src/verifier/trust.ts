/** The trust file: the issuer's public keys, given to the verifier by a way that does not pass through the artifact. */
import type { KeyObject } from "node:crypto"
import { importEd25519 } from "../canonical/ed25519.ts"
import { readJson, type Json } from "../canonical/json.ts"
import {
  anyObject,
  fit,
  type Fitting,
  instant,
  isObject,
  listOf,
  name,
  object,
  orNull,
  version,
  word
} from "./forms.ts"
import { fail, pass, type Finding } from "./ledger.ts"
import { schemas } from "./shapes.ts"
import { verifierLimits } from "./verifier-limits.ts"

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
  readonly file: Json
}

/** Reads a trust file strictly: one wrong key makes the whole file wrong. */
export const readTrust = (bytes: Uint8Array): Finding<Trust> => {
  const reading = readJson(bytes, { bytesMax: verifierLimits.trustBytesMax, refusesNul: true })
  if (!reading.ok) return fail(reading.code, { at: reading.path })
  const file = reading.value
  if (isObject(file) && Object.hasOwn(file, "schema") && file["schema"] === schemas.keyBundle)
    return fail("TRUST_BUNDLE")
  const fitting = fit(trustFile, file)
  if (!fitting.ok) return fail("TRUST_FILE", fitting)
  const keys = new Map<string, TrustedKey>()
  const points = new Set<string>()
  for (const [index, entry] of fitting.value.keys.entries()) {
    const imported = importEd25519(entry.jwk)
    const at = `keys[${index}]`
    if (!imported.ok) return fail(imported.code === "KEY_WEAK" ? "KEY_WEAK" : "TRUST_FILE", { at: `${at}.jwk` })
    if (keys.has(entry.kid)) return fail("TRUST_FILE", { at: `${at}.kid`, expected: "UNIQUE" })
    const point = Buffer.from(imported.raw).toString("hex")
    if (points.has(point)) return fail("TRUST_FILE", { at: `${at}.jwk.x`, expected: "UNIQUE" })
    if (entry.validFrom >= entry.validUntil)
      return fail("TRUST_FILE", { at: `${at}.validUntil`, actual: entry.validUntil })
    if (entry.purposes.length === 0 || new Set(entry.purposes).size < entry.purposes.length) {
      return fail("TRUST_FILE", { at: `${at}.purposes`, expected: "UNIQUE" })
    }
    points.add(point)
    keys.set(entry.kid, { ...entry, key: imported.key })
  }
  if (keys.size === 0) return fail("TRUST_FILE", { at: "keys", expected: "PRESENT" })
  return pass({ issuer: fitting.value.issuer, environment: fitting.value.environment, keys, file })
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
