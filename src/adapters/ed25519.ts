/** Signs with Ed25519 private keys held by this process, synchronously; shared by every Signer of this program. */
import { createPublicKey, sign, type KeyObject } from "node:crypto"
import { Effect } from "effect"
import { canonicalText } from "../canonical/jcs.ts"
import { compactJws, signingInput } from "../canonical/jws.ts"
import { type IssuerKey, IssuerNotConfigured, type KeyPurpose, type Signer } from "../ports/signer.ts"
import type { Instant } from "../vocabulary/instant.ts"

export interface SigningKey {
  /** The key's id in every signature: unique and never reused. */
  readonly kid: string
  readonly privateKey: KeyObject
  readonly validFrom: Instant
  readonly validUntil: Instant
  readonly revokedAt: Instant | null
  readonly purposes: ReadonlyArray<KeyPurpose>
}

/** A key without its private half: it is published and never signs. */
export type RetiredKey = typeof IssuerKey.Type

/** A Signer over the keys of one issuer. Of several valid keys, the one that became valid last signs. */
export const signerFrom = (issuer: {
  readonly issuer: string
  readonly environment: string
  readonly keys: ReadonlyArray<SigningKey | RetiredKey>
}): Signer["Service"] => {
  const keys = issuer.keys.map((key) => ("jwk" in key ? key : { ...key, jwk: publicJwk(key.privateKey) }))
  const signing = issuer.keys.filter((key) => "privateKey" in key)
  const newestFirst = signing.toSorted((a, b) => (a.validFrom < b.validFrom ? 1 : a.validFrom > b.validFrom ? -1 : 0))
  return {
    sign: (purpose, payload, text = canonicalText(payload)) =>
      Effect.suspend(() => {
        const key = newestFirst.find((key) => key.purposes.includes(purpose) && isValidAt(key, payload.issuedAt))
        if (key === undefined) return Effect.fail(new IssuerNotConfigured({ purpose }))
        return Effect.succeed(signCompact(key.privateKey, { kid: key.kid, typ: payload.schema }, text))
      }),
    keys: {
      schema: "service.issuer-keys/v1",
      issuer: issuer.issuer,
      environment: issuer.environment,
      keys: keys.map(({ kid, jwk, validFrom, validUntil, revokedAt, purposes }) => ({
        kid,
        jwk,
        validFrom,
        validUntil,
        revokedAt,
        purposes
      }))
    }
  }
}

/** A compact JWS over a canonical text. Ed25519 is deterministic: equal texts give equal bytes. */
export const signCompact = (
  privateKey: KeyObject,
  header: { readonly kid: string; readonly typ: string },
  text: string
) => {
  const input = signingInput(header, Buffer.from(text))
  return compactJws(input, sign(null, Buffer.from(input), privateKey))
}

const isValidAt = (key: SigningKey, instant: Instant): boolean =>
  key.validFrom <= instant && instant < key.validUntil && (key.revokedAt === null || instant < key.revokedAt)

/** The public half of an Ed25519 key, with exactly the members of RFC 8037. */
export const publicJwk = (privateKey: KeyObject) => {
  const { x } = createPublicKey(privateKey).export({ format: "jwk" })
  if (x === undefined) throw new TypeError("the key is not an Ed25519 key")
  return { kty: "OKP", crv: "Ed25519", x } as const
}
