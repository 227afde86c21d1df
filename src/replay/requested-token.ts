/**
 * Tokens that the request which asked for them derives again: only their hashes are stored, and a lost answer can still
 * be given once more.
 */
import type { SecretPurpose, Secrets } from "../ports/secrets.ts"
import { tokenFrom, type TokenKind } from "../vocabulary/token.ts"

/** A token with what is stored of it. */
export interface Derived {
  readonly token: string
  readonly tokenHash: string
}

export const derivedToken = (
  secrets: Secrets["Service"],
  kind: TokenKind,
  purpose: SecretPurpose,
  keyId: string,
  salt: string,
  info: ReadonlyArray<string>
): Derived | undefined => {
  const secret = secrets.derive(purpose, keyId, salt, info)
  if (secret === undefined) return undefined
  const token = tokenFrom(kind, secret)
  return { token, tokenHash: secrets.tokenHash(token) }
}

/** The token as each key at hand gives it: a new one is the first, an earlier one is that whose hash was stored. */
export const requestedTokens = (
  secrets: Secrets["Service"],
  kind: TokenKind,
  purpose: SecretPurpose,
  requestId: string,
  info: ReadonlyArray<string>
): ReadonlyArray<Derived> =>
  secrets.keyIds.flatMap((keyId) => derivedToken(secrets, kind, purpose, keyId, requestId, info) ?? [])
