/** The issuer keys of a simulated world, derived from its seed and marked as simulated in every trust file. */
import { createPrivateKey, hash, type KeyObject } from "node:crypto"
import { Effect } from "effect"
import { publicJwk, signerFrom, type SigningKey } from "../../src/adapters/ed25519.ts"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { type IssuerKeys, type KeyPurpose, keyPurposes, type Signer } from "../../src/ports/signer.ts"
import { fromMilliseconds } from "../../src/vocabulary/instant.ts"
import type { RandomStreams } from "../kernel/prng.ts"
import { RememberedKeys } from "./remembered-keys.ts"

/** One key for each purpose, so that a signature with a wrong key is detected; `held` returns the current purposes. */
export const seededSigner = (
  streams: RandomStreams,
  held: () => ReadonlyArray<KeyPurpose> = () => keyPurposes,
  remembered: RememberedKeys = new RememberedKeys(),
  imported: IssuerKeys["keys"] = []
): Signer["Service"] => {
  const { keys, whole } = issuerWith(keyPurposes.map((purpose) => streams.bytes(`issuer key ${purpose}`, 32)))
  const current = () => {
    const purposes = held()
    if (purposes === keyPurposes) return whole
    return signerFrom({ ...issuer, keys: keys.filter((key) => key.purposes.every((one) => purposes.includes(one))) })
  }
  return {
    sign: (purpose, payload, text = canonicalText(payload)) => {
      const signed = Effect.suspend(() => current().sign(purpose, payload, text))
      const { kid } = keys[keyPurposes.indexOf(purpose)]!
      return held().includes(purpose) ? remembered.signature(kid, text, signed) : signed
    },
    get keys() {
      const { keys } = current()
      return imported.length === 0 ? keys : { ...keys, keys: [...keys.keys, ...imported] }
    }
  }
}

interface Issuer {
  readonly name: string
  readonly keys: ReadonlyArray<SigningKey>
  readonly whole: Signer["Service"]
}

/** The issuer with these key bytes, in the order of the purposes. */
const issuerWith = (bytes: ReadonlyArray<Uint8Array>): Issuer => {
  const name = Buffer.concat(bytes).toString("hex")
  if (latest?.name === name) return latest
  const keys = keyPurposes.map((purpose, index) => {
    const privateKey = privateKeyFrom(bytes[index]!)
    return {
      kid: thumbprint(privateKey),
      privateKey,
      validFrom: fromMilliseconds(0),
      validUntil: fromMilliseconds(Date.UTC(2100)),
      revokedAt: null,
      purposes: [purpose]
    }
  })
  latest = { name, keys, whole: signerFrom({ ...issuer, keys }) }
  return latest
}

// A search creates many worlds with one seed, and keys are the most expensive part of an empty one.
let latest: Issuer | undefined

const issuer = { issuer: "https://countersign.test", environment: "simulator" }

/** RFC 7638, synchronously: the library's function returns a Promise, and a run has none outside its scheduler. */
const thumbprint = (privateKey: KeyObject): string => hash("sha256", canonicalText(publicJwk(privateKey)), "base64url")

/** An Ed25519 private key is 32 bytes; PKCS #8 puts this fixed header before them (RFC 8410). */
const privateKeyFrom = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([pkcs8Header, seed]), format: "der", type: "pkcs8" })

const pkcs8Header = Buffer.from("302e020100300506032b657004220420", "hex")
