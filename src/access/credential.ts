/**
 * Credentials of agents. A token is derived and never stored: a replay of its request recovers a lost response, and the
 * store alone reveals no token.
 */
import { Effect } from "effect"
import { Secrets } from "../ports/secrets.ts"
import { inTransaction } from "../ports/storage/run.ts"
import { exclusive, StorageUnavailable, type Reader, type Transaction } from "../ports/storage.ts"
import type { IdempotentRequest } from "../replay/idempotency.ts"
import { derivedToken, derivedTokens, type DerivedToken } from "../replay/derived-token.ts"
import { addMilliseconds, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { Credentials, Grants, type CredentialRow, type GrantRow } from "./store.ts"

/** The tokens of one generation under each key, derived from a person's request. */
const tokensOf = (
  secrets: Secrets["Service"],
  { grantId, generation }: Pick<GrantRow, "grantId" | "generation">,
  { owner, requestId }: IdempotentRequest
) => derivedTokens(secrets, "agent", "CREDENTIAL", requestId, ["request", owner, grantId, String(generation)])

/** The token of a connection's device code; undefined where its key is gone. */
export const connectionToken = (
  secrets: Secrets["Service"],
  { keyId, connectionId }: { readonly keyId: string; readonly connectionId: string },
  deviceCode: string
) => derivedToken(secrets, "agent", "CREDENTIAL", keyId, deviceCode, ["connection", connectionId])

/** Writes the credential of the grant's generation for a person's request and returns its token. */
export const issueCredential = Effect.fnUntraced(function* (
  transaction: Transaction,
  grant: Pick<GrantRow, "grantId" | "membershipId" | "generation">,
  request: IdempotentRequest,
  now: Instant
) {
  const secrets = yield* Secrets
  const derived = tokensOf(secrets, grant, request)[0]!
  yield* insertCredential(transaction, grant, derived, now)
  return derived.token
})

export const insertCredential = (
  transaction: Transaction,
  { grantId, membershipId, generation }: Pick<GrantRow, "grantId" | "membershipId" | "generation">,
  { tokenHash }: DerivedToken,
  createdAt: Instant
) =>
  transaction.insert(Credentials, {
    tokenHash,
    grantId,
    membershipId,
    generation,
    createdAt,
    firstUsedAt: null,
    lastUsedAt: null
  })

/** True while the response with a token may have been lost: unused, and created less than ten minutes ago. */
export const isRecoverable = ({ firstUsedAt, createdAt }: CredentialRow, now: Instant): boolean =>
  firstUsedAt === null && now < addMilliseconds(createdAt, limits.secretRecovery)

/** A credential with its token, shown once. */
export interface CredentialWithToken {
  readonly token: string
  readonly grantId: string
  readonly agentId: string
  readonly generation: number
  readonly expiresAt: Instant
}

/** Recovers the token that an earlier request created. */
export const recoverCredential = Effect.fnUntraced(function* (
  reader: Reader,
  grantId: string,
  request: IdempotentRequest,
  now: Instant
) {
  const secrets = yield* Secrets
  const grant = yield* reader.get(Grants, [grantId])
  if (grant === undefined || grant.revokedAt !== null) return yield* refuse("SECRET_ALREADY_SHOWN")
  const credential = yield* reader.find(Credentials, "byGeneration", [grantId, grant.generation])
  const made = tokensOf(secrets, grant, request).find((one) => one.tokenHash === credential?.tokenHash)
  if (credential === undefined || made === undefined || !isRecoverable(credential, now)) {
    return yield* refuse("SECRET_ALREADY_SHOWN")
  }
  const { agentId, generation, expiresAt } = grant
  return { token: made.token, grantId, agentId, generation, expiresAt } satisfies CredentialWithToken
})

/**
 * Records the use of a credential. The first use ends its recovery, so it must be written; later ones are informational,
 * at most once a minute and best-effort: a failure of the store refuses no request. Returns the time of the recorded use.
 */
export const recordUse = Effect.fnUntraced(function* (credential: CredentialRow, now: Instant) {
  const { firstUsedAt, lastUsedAt } = credential
  const isRecent = lastUsedAt !== null && now < addMilliseconds(lastUsedAt, limits.lastUseResolution)
  if (firstUsedAt !== null && isRecent) return lastUsedAt
  if (firstUsedAt === null) return yield* Effect.as(writeUse(credential), now)
  yield* Effect.catchDefect(writeUse(credential), (defect) =>
    defect instanceof StorageUnavailable ? Effect.void : Effect.die(defect)
  )
  return now
})

const writeUse = Effect.fnUntraced(function* ({ tokenHash }: CredentialRow) {
  yield* inTransaction({ locks: [exclusive("credential", tokenHash)], asynchronous: true }, function* (transaction) {
    const row = yield* transaction.get(Credentials, [tokenHash])
    const now = yield* transaction.now
    if (row === undefined) return
    yield* transaction.update(Credentials, [tokenHash], { firstUsedAt: row.firstUsedAt ?? now, lastUsedAt: now })
  })
})
