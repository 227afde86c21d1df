/**
 * Tokens derived from the request that asks for them: only their hashes are stored, and a lost response can be recovered
 * by a replay.
 */
import type { SecretPurpose, Secrets } from "../ports/secrets.ts"
import { tokenFrom, type TokenKind } from "../vocabulary/token.ts"

/** A token and its stored hash. */
export interface DerivedToken {
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
): DerivedToken | undefined => {
  const secret = secrets.derive(purpose, keyId, salt, info)
  if (secret === undefined) return undefined
  const token = tokenFrom(kind, secret)
  return { token, tokenHash: secrets.tokenHash(token) }
}

/** The token under each available key: a new one uses the first, an earlier one matches its stored hash. */
export const derivedTokens = (
  secrets: Secrets["Service"],
  kind: TokenKind,
  purpose: SecretPurpose,
  requestId: string,
  info: ReadonlyArray<string>
): ReadonlyArray<DerivedToken> =>
  secrets.keyIds.flatMap((keyId) => derivedToken(secrets, kind, purpose, keyId, requestId, info) ?? [])
