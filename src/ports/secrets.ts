/**
 * Keyed hashes, derived secrets and sealed texts, all under the installation's `SECRET_KEY`. A key has an id; while a key
 * is rotated out, its hashes and sealed texts are still accepted. Hashes and derived secrets also belong to an epoch of
 * the installation: a restore begins a new epoch, in which no earlier token is valid. Sealed texts have no epoch.
 */
import { Context, type Effect } from "effect"
import type { SecureRandom } from "effect/crypto"

/** The purpose that a key is derived for; no two purposes share a key. */
export type SecretPurpose =
  | "USER_CODE"
  | "CREDENTIAL"
  | "INVITATION"
  | "SESSION"
  | "SIGN_IN"
  | "FORM"
  | "CALLBACK"
  | "CURSOR"

export class Secrets extends Context.Service<
  Secrets,
  {
    /** Ids of the available keys. New secrets use the first; the others are being rotated out. */
    readonly keyIds: readonly [current: string, ...previous: ReadonlyArray<string>]
    /** The hash of a token, in hexadecimal, as it is stored and looked up in this epoch. */
    tokenHash(token: string): string
    /** HMAC-SHA-256 in hexadecimal, for values too short to be stored as a plain hash. Undefined where the key is gone. */
    keyedHash(purpose: SecretPurpose, keyId: string, text: string): string | undefined
    /**
     * 32 bytes in hexadecimal by HKDF-SHA-256 from the purpose's key, `salt` and `info`: the same arguments always give
     * the same secret, so that nothing but its hash is stored. Undefined where the key is gone.
     */
    derive(purpose: SecretPurpose, keyId: string, salt: string, info: ReadonlyArray<string>): string | undefined
    /** AES-256-GCM under the current key, with the key's id; safe in a cookie. */
    seal(purpose: SecretPurpose, text: string): Effect.Effect<string, never, SecureRandom.SecureRandom>
    /** The sealed text; undefined where it was not sealed here, for another purpose, or under a key that is gone. */
    open(purpose: SecretPurpose, sealed: string): string | undefined
  }
>()("countersign/ports/Secrets") {}
