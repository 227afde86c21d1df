/** Holds the issuer keys. */
import { Context, Data, Effect } from "effect"
import type { Instant } from "../vocabulary/instant.ts"

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

/** What can be signed: the payload's `schema` becomes the header's `typ`, and the key is one valid at `issuedAt`. */
export interface SignedPayload {
  readonly schema: string
  readonly issuedAt: Instant
  readonly [member: string]: unknown
}

/** The trust file of an installation (`service.issuer-keys/v1`): public keys only. */
export interface IssuerKeys {
  readonly schema: "service.issuer-keys/v1"
  readonly issuer: string
  readonly environment: string
  readonly keys: ReadonlyArray<{
    readonly kid: string
    readonly jwk: { readonly kty: "OKP"; readonly crv: "Ed25519"; readonly x: string }
    readonly validFrom: Instant
    readonly validUntil: Instant
    readonly revokedAt: Instant | null
    readonly purposes: ReadonlyArray<KeyPurpose>
  }>
}

/** What every commit or issuance may need; only exports can lack a key. */
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
    /** A compact JWS over the payload's canonical form. The same payload always gives the same bytes. */
    sign(purpose: KeyPurpose, payload: SignedPayload): Effect.Effect<string, IssuerNotConfigured>
    readonly keys: IssuerKeys
  }
>()("countersign/ports/Signer") {}
