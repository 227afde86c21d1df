/** Authentication of agents: which credential a token names, and whether it is live. */
import { Effect } from "effect"
import { cache, Caches } from "../ports/caches.ts"
import { Secrets } from "../ports/secrets.ts"
import { inView } from "../ports/storage/run.ts"
import { addMilliseconds, now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { isToken } from "../vocabulary/token.ts"
import { readAuthority, requireLive, type Credential } from "./authorize.ts"
import { recordUse } from "./credential.ts"
import { Credentials } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** A credential that was authenticated, and when its use has to be recorded again. */
interface KnownCredential {
  readonly credential: Credential
  readonly until: Instant
}

/** By the hash of their token. What a token names never changes; whether it is live is read by each request. */
const KnownCredentials = cache<KnownCredential>("known credentials", limits.knownCredentialBytes)

/** The approximate size of one entry. */
const entryBytes = 500

/** The credential of a token that was authenticated and whose use is recorded already; undefined for any other token. */
export const findKnownCredential = Effect.fnUntraced(function* (token: string) {
  if (!isToken("agent", token)) return undefined
  const { tokenHash } = yield* Secrets
  const known = (yield* Caches).of(KnownCredentials).get(tokenHash(token))
  return known !== undefined && (yield* currentTime) < known.until ? known.credential : undefined
})

/** Authenticates each later request with this token. */
export const forgetCredential = Effect.fnUntraced(function* (token: string) {
  const { tokenHash } = yield* Secrets
  const caches = yield* Caches
  caches.of(KnownCredentials).delete(tokenHash(token))
})

/** Resolves a token to its credential: known, live, and with authority in force. */
export const authenticate = traced("access.authenticate")(function* (token: string) {
  if (!isToken("agent", token)) return yield* refuse("AUTH_INVALID")
  const { tokenHash } = yield* Secrets
  const now = yield* currentTime
  const { credential, row } = yield* inView(function* (reader) {
    const row = yield* reader.get(Credentials, [tokenHash(token)])
    if (row === undefined) return yield* refuse("AUTH_INVALID")
    const { grantId, membershipId, generation } = row
    const credential: Credential = { grantId, membershipId, generation }
    yield* requireLive(yield* readAuthority(reader, credential), now)
    return { credential, row }
  })
  const recordedAt = yield* recordUse(row, now)
  const until = addMilliseconds(recordedAt, limits.lastUseResolution)
  const caches = yield* Caches
  caches.of(KnownCredentials).set(row.tokenHash, { credential, until }, entryBytes)
  return credential
})
