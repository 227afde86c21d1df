/** Secrets derived from the keys of an installation, synchronously, with Node's own cryptography. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject
} from "node:crypto"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { fromBase64url, toBase64url } from "../canonical/base64url.ts"
import type { SecretPurpose, Secrets } from "../ports/secrets.ts"
import { tokenHash } from "../vocabulary/token.ts"

/**
 * Keys of 32 bytes: the current one, then those being rotated out. The epoch is empty until the installation is restored
 * for the first time.
 */
export const secretsFrom = (
  keys: readonly [current: Uint8Array, ...previous: ReadonlyArray<Uint8Array>],
  epoch = ""
): Secrets["Service"] => {
  const [current, ...previous] = keys
  const first = keyRing(current, epoch)
  const others = previous.map((key) => keyRing(key, epoch))
  const ringOf = (keyId: string) => [first, ...others].find((ring) => ring.keyId === keyId)
  return {
    keyIds: [first.keyId, ...others.map(({ keyId }) => keyId)],
    tokenHash: (token) =>
      epoch === ""
        ? tokenHash(token)
        : createHmac("sha256", `countersign/v1 epoch ${epoch}`).update(token).digest("hex"),
    keyedHash: (purpose, keyId, text) => {
      const ring = ringOf(keyId)
      return ring && createHmac("sha256", ring.keyFor(purpose, "hash")).update(text).digest("hex")
    },
    derive: (purpose, keyId, salt, info) => {
      const ring = ringOf(keyId)
      return ring && Buffer.from(deriveBits(ring.keyFor(purpose, "derive"), salt, info)).toString("hex")
    },
    seal: (purpose, text) =>
      Effect.gen(function* () {
        const random = yield* SecureRandom.SecureRandom
        const nonce = yield* random.randomBytes(nonceBytes)
        return `${first.keyId}.${toBase64url(encrypt(first.keyFor(purpose, "seal"), nonce, text))}`
      }),
    open: (purpose, sealed) => {
      const [keyId = "", encoded = "", ...rest] = sealed.split(".")
      const ring = ringOf(keyId)
      const bytes = fromBase64url(encoded)
      if (ring === undefined || bytes === undefined || rest.length > 0) return undefined
      return decrypt(ring.keyFor(purpose, "seal"), bytes)
    }
  }
}

/** The use of a derived key: a hash, a secret and a sealed text never share a key. */
type Use = "hash" | "derive" | "seal"

/** A key's id, and the keys derived from it, each at its first use. */
const keyRing = (key: Uint8Array, epoch: string) => {
  if (key.length !== 32) throw new TypeError("a secret key has 32 bytes")
  const known = new Map<string, KeyObject>()
  return {
    keyId: Buffer.from(expand(key, "key id", 8)).toString("hex"),
    keyFor: (purpose: SecretPurpose, use: Use): KeyObject => {
      // A sealed text survives a restore: the signing secrets of subscriptions are sealed, and grant no access here.
      const label = epoch === "" || use === "seal" ? `${purpose} ${use}` : `${purpose} ${use} ${epoch}`
      const subkey = known.get(label) ?? createSecretKey(expand(key, label, 32))
      known.set(label, subkey)
      return subkey
    }
  }
}

const expand = (key: Uint8Array, label: string, bytes: number): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", key, "countersign/v1", label, bytes))

// HKDF pads a short salt with zeros and hashes a long one: only the digest keeps different salts distinct.
const deriveBits = (key: KeyObject, salt: string, info: ReadonlyArray<string>): ArrayBuffer =>
  hkdfSync("sha256", key, hash("sha256", salt, "buffer"), JSON.stringify(info), 32)

const nonceBytes = 12
const tagBytes = 16

/** Nonce, ciphertext, tag. */
const encrypt = (key: KeyObject, nonce: Uint8Array, text: string): Uint8Array => {
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes })
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()])
}

const decrypt = (key: KeyObject, bytes: Uint8Array): string | undefined => {
  if (bytes.length < nonceBytes + tagBytes) return undefined
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString("utf8")
  } catch {
    return undefined
  }
}

/** The form that `keyFrom` reads. */
export const keyForm = "32 bytes as 64 hexadecimal characters or as base64"

/** 32 bytes out of hexadecimal, base64 or base64url. */
export const keyFrom = (text: string): Uint8Array | undefined => {
  const written = text.trim()
  if (/^[0-9A-Fa-f]{64}$/.test(written)) return Buffer.from(written, "hex")
  return /^[0-9A-Za-z+/_-]{43}=?$/.test(written) ? Buffer.from(written, "base64") : undefined
}
