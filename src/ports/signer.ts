/** Signs with the issuer keys. */
import { Context, Data, Effect, Schema } from "effect"
import type { Instant } from "../vocabulary/instant.ts"
import { instant, name } from "../vocabulary/record-schemas.ts"

export const keyPurposes = [
  "EVENT",
  "AUTHORITY",
  "RECORD",
  "PACKAGE",
  "STATUS",
  "PUBLICATION",
  "COMMERCE",
  "CLOSURE"
] as const
export type KeyPurpose = (typeof keyPurposes)[number]

/** A payload to sign: its `schema` becomes the header's `typ`, and the key is one valid at `issuedAt`. */
export interface SignedPayload {
  readonly schema: string
  readonly issuedAt: Instant
  readonly [member: string]: unknown
}

/** One public key in a trust file, or in the bundle that an artifact carries. */
export const IssuerKey = Schema.Struct({
  kid: name,
  jwk: Schema.Struct({
    kty: Schema.Literal("OKP"),
    crv: Schema.Literal("Ed25519"),
    // 32 bytes in base64url have one spelling: the last character carries four bits.
    x: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/u))
  }),
  validFrom: instant,
  validUntil: instant,
  revokedAt: Schema.NullOr(instant),
  purposes: Schema.UniqueArray(Schema.Literals(keyPurposes)).check(Schema.isMinLength(1))
}).annotate({ identifier: "IssuerKey" })

/** The trust file of an installation (`service.issuer-keys/v1`): public keys only. */
export const IssuerKeys = Schema.Struct({
  schema: Schema.Literal("service.issuer-keys/v1"),
  issuer: name,
  environment: name,
  keys: Schema.Array(IssuerKey).check(Schema.isMinLength(1))
})
export type IssuerKeys = typeof IssuerKeys.Type

/** The purposes that every commit or issuance may need; a missing key of another purpose affects exports only. */
const neededPurposes: ReadonlyArray<KeyPurpose> = ["EVENT", "AUTHORITY", "RECORD"]

/** The needed purposes for which no key is valid at that moment. */
export const missingPurposes = ({ keys }: IssuerKeys, moment: Instant): ReadonlyArray<KeyPurpose> =>
  neededPurposes.filter(
    (purpose) =>
      !keys.some(
        ({ purposes, validFrom, validUntil, revokedAt }) =>
          purposes.includes(purpose) &&
          validFrom <= moment &&
          moment < validUntil &&
          (revokedAt === null || moment < revokedAt)
      )
  )

/** No key is configured for the purpose, or none is valid at the payload's `issuedAt`. */
export class IssuerNotConfigured extends Data.TaggedError("IssuerNotConfigured")<{
  readonly purpose: KeyPurpose
}> {}

export class Signer extends Context.Service<
  Signer,
  {
    /**
     * A compact JWS over the payload's canonical form, which is `text` where the caller has it already. The same payload
     * always gives the same bytes.
     */
    sign(purpose: KeyPurpose, payload: SignedPayload, text?: string): Effect.Effect<string, IssuerNotConfigured>
    /** The keys now. A reload replaces them while operations run: a file that holds them reads them after its signatures. */
    readonly keys: IssuerKeys
  }
>()("countersign/ports/Signer") {}
