/**
 * The credential of a participation assistant: for one item, valid for at most 24 hours and never beyond its session. The
 * token is derived, never stored, so that a retry can return it again after a lost response.
 */
import { Effect } from "effect"
import { requireSession } from "../people/acting-person.ts"
import { Secrets } from "../ports/secrets.ts"
import { readTogether } from "../ports/storage/run.ts"
import type { Reader, Transaction } from "../ports/storage.ts"
import type { IdempotentRequest } from "../replay/idempotency.ts"
import { derivedTokens } from "../replay/derived-token.ts"
import { addMilliseconds, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { acceptsCredential } from "./item.ts"
import { ParticipationCredentials, ParticipationItems } from "./store.ts"

/** A person in a session; every assistant belongs to one. */
export interface Participant {
  readonly personId: string
  readonly sessionId: string
}

/** The credential with its token, as shown to the person. */
export interface AssistantWithToken {
  readonly token: string
  readonly itemId: string
  readonly expiresAt: Instant
}

const tokensOf = (secrets: Secrets["Service"], itemId: string, { owner, requestId }: IdempotentRequest) =>
  derivedTokens(secrets, "participation", "CREDENTIAL", requestId, ["participation", owner, itemId])

/** Inserts the requested credential, which replaces the item's earlier one. */
export const issueAssistantCredential = Effect.fnUntraced(function* (
  transaction: Transaction,
  itemId: string,
  { personId, sessionId }: Participant,
  request: IdempotentRequest,
  now: Instant
) {
  const secrets = yield* Secrets
  const { token, tokenHash } = tokensOf(secrets, itemId, request)[0]!
  const expiresAt = addMilliseconds(now, limits.participationLifetime)
  yield* transaction.insert(ParticipationCredentials, {
    tokenHash,
    itemId,
    personId,
    sessionId,
    createdAt: now,
    expiresAt
  })
  yield* transaction.update(ParticipationItems, [itemId], { credentialHash: tokenHash })
  return { token, itemId, expiresAt } satisfies AssistantWithToken
})

/** The token of an earlier request again, for `limits.secretRecovery` and only while it is live. */
export const recoverAssistantToken = Effect.fnUntraced(function* (
  reader: Reader,
  itemId: string,
  request: IdempotentRequest,
  now: Instant
) {
  const secrets = yield* Secrets
  const item = yield* reader.get(ParticipationItems, [itemId])
  const derived = tokensOf(secrets, itemId, request).find((one) => one.tokenHash === item?.credentialHash)
  if (derived === undefined) return yield* refuse("SECRET_ALREADY_SHOWN")
  const live = yield* findLiveCredential(reader, derived.tokenHash, itemId, now)
  if (live === undefined || addMilliseconds(live.credential.createdAt, limits.secretRecovery) <= now) {
    return yield* refuse("SECRET_ALREADY_SHOWN")
  }
  return { token: derived.token, itemId, expiresAt: live.credential.expiresAt } satisfies AssistantWithToken
})

/** The credential with its item while both and the person's session are live; undefined otherwise. */
export const findLiveCredential = Effect.fnUntraced(function* (
  reader: Reader,
  hash: string,
  itemId: string,
  now: Instant
) {
  const [credential, item] = yield* readTogether([
    reader.get(ParticipationCredentials, [hash]),
    reader.get(ParticipationItems, [itemId])
  ])
  if (credential === undefined || item === undefined || !acceptsCredential(item, credential, now)) return undefined
  return yield* requireSession(reader, credential, now).pipe(
    Effect.as({ credential, item }),
    Effect.catchTag("Refusal", () => Effect.undefined)
  )
})
