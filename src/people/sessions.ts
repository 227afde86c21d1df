/** Sessions of people: created at sign-in, rechecked at each use, ended by sign-out, idle time and age. */
import { Effect } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { Identity } from "../ports/sign-in.ts"
import { rangeAll } from "../ports/storage/range-all.ts"
import { Secrets } from "../ports/secrets.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { compareText } from "../ports/storage/stored-values.ts"
import { exclusive, Storage, StorageUnavailable, type Reader, type Transaction } from "../ports/storage.ts"
import { idSeed, type IdStream } from "../vocabulary/ids.ts"
import { addMilliseconds, now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse, type Refusal } from "../vocabulary/refusals.ts"
import { isToken, tokenFrom } from "../vocabulary/token.ts"
import { insertAccount } from "./accounts.ts"
import { recordEmailAddress } from "./email-addresses.ts"
import { isSessionLive, requireSession, type ActingPerson } from "./acting-person.ts"
import { Persons, Sessions, type Session } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

export interface SignInOptions {
  /** The token of the browser's current session, where it has one. */
  readonly current?: string
  /** True where an invitation is pending: then a first sign-in creates no workspace. */
  readonly isInvited: boolean
}

export interface NewSession {
  /** For the cookie only. */
  readonly token: string
  readonly personId: string
  readonly sessionId: string
}

/**
 * Starts a session for a proven identity. The first sign-in creates the person and, without an invitation, a workspace.
 * The token of the session always changes; signing in again within a session renews that session.
 */
export const signIn = traced("people.signIn")(function* (
  identity: Identity,
  options: SignInOptions
): Effect.fn.Return<NewSession, Refusal, Storage | Secrets | SecureRandom.SecureRandom> {
  const { tokenHash } = yield* Secrets
  const ids = yield* idSeed
  const { issuer, subject } = identity
  const [known, current] = yield* inView((reader) =>
    readTogether([
      reader.find(Persons, "bySubject", [issuer, subject]),
      options.current === undefined ? Effect.undefined : reader.find(Sessions, "byToken", [tokenHash(options.current)])
    ])
  )
  if (current !== undefined && current.personId !== known?.personId) yield* endSession(current)
  const made =
    known === undefined
      ? yield* createPersonWithSession(identity, options, ids)
      : yield* startSession(known.personId, identity, current, ids)
  // A concurrent first sign-in has created the person, or an erasure has taken the identity away.
  return made ?? (yield* signIn(identity, options))
})

/** Verifies an identity and then signs in. Without a valid proof, every session is unchanged. */
export const signInWithProof = traced("people.signInWithProof")(function* <O extends SignInOptions, P, R>(
  proof: Effect.Effect<Identity, Refusal, P>,
  optionsFor: (identity: Identity) => Effect.Effect<O, Refusal, R>
): Effect.fn.Return<
  NewSession & { readonly options: O },
  Refusal,
  P | R | Storage | Secrets | SecureRandom.SecureRandom
> {
  const identity = yield* proof
  const options = yield* optionsFor(identity)
  return { ...(yield* signIn(identity, options)), options }
})

type Seed = Effect.Success<typeof idSeed>

const startSession = Effect.fnUntraced(function* (
  personId: string,
  identity: Identity,
  current: Session | undefined,
  ids: Seed
) {
  return yield* inTransaction({ locks: [exclusive("person", personId)], asynchronous: true }, function* (transaction) {
    const [person, session] = yield* readTogether([
      transaction.get(Persons, [personId]),
      current?.personId === personId ? transaction.get(Sessions, [current.sessionId]) : Effect.undefined
    ])
    const now = yield* transaction.now
    if (person?.issuer !== identity.issuer || person.subject !== identity.subject) return undefined
    yield* recordEmailAddress(transaction, personId, identity.email)
    if (session !== undefined && isSessionLive(session, now)) {
      return yield* renewSession(transaction, session, identity, ids("attempt"), now)
    }
    return yield* insertSession(transaction, personId, identity, ids("attempt"), now)
  })
})

const createPersonWithSession = Effect.fnUntraced(function* (
  identity: Identity,
  { isInvited }: SignInOptions,
  ids: Seed
) {
  const { issuer, subject, name } = identity
  const plan = ids("plan")
  const personId = plan.next("person")
  const membershipId = plan.next("membership")
  const locks = [exclusive("person", personId), exclusive("membership", membershipId)]
  return yield* inTransaction({ locks }, function* (transaction) {
    const known = yield* transaction.find(Persons, "bySubject", [issuer, subject])
    const now = yield* transaction.now
    if (known !== undefined) return undefined
    const fresh = ids("attempt")
    yield* transaction.insert(Persons, { personId, issuer, subject, name, createdAt: now })
    yield* recordEmailAddress(transaction, personId, identity.email)
    if (!isInvited) yield* insertAccount(transaction, { personId, name, membershipId }, fresh, now)
    return yield* insertSession(transaction, personId, identity, fresh, now)
  })
})

const insertSession = Effect.fnUntraced(function* (
  transaction: Transaction,
  personId: string,
  { authenticatedAt }: Identity,
  ids: IdStream,
  now: Instant
) {
  const { tokenHash } = yield* Secrets
  const sessionId = ids.next("session")
  const token = tokenFrom("session", ids.secret())
  yield* deleteEndedSessions(transaction, personId, now)
  yield* transaction.insert(Sessions, {
    sessionId,
    personId,
    tokenHash: tokenHash(token),
    authenticatedAt,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: addMilliseconds(now, limits.sessionLifetime),
    endedAt: null
  })
  return { token, personId, sessionId } satisfies NewSession
})

const renewSession = Effect.fnUntraced(function* (
  transaction: Transaction,
  { sessionId, personId }: Session,
  { authenticatedAt }: Identity,
  ids: IdStream,
  now: Instant
) {
  const { tokenHash } = yield* Secrets
  const token = tokenFrom("session", ids.secret())
  const expiresAt = addMilliseconds(now, limits.sessionLifetime)
  const changes = { tokenHash: tokenHash(token), authenticatedAt, lastSeenAt: now, expiresAt }
  yield* transaction.update(Sessions, [sessionId], changes)
  return { token, personId, sessionId } satisfies NewSession
})

/** Resolves the token of a cookie to its person; an idle, expired or ended session is rejected. */
export const openSession = traced("people.openSession")(function* (token: string | undefined) {
  if (token === undefined || !isToken("session", token)) return yield* refuse("SIGN_IN_REQUIRED")
  const { tokenHash } = yield* Secrets
  const now = yield* currentTime
  const { session, person } = yield* inView(function* (reader) {
    const session = yield* reader.find(Sessions, "byToken", [tokenHash(token)])
    if (session === undefined || !isSessionLive(session, now)) return yield* refuse("SIGN_IN_REQUIRED")
    const person = yield* reader.get(Persons, [session.personId])
    return person === undefined ? yield* refuse("SIGN_IN_REQUIRED") : { session, person }
  })
  if (addMilliseconds(session.lastSeenAt, limits.lastUseResolution) <= now) yield* recordUse(session)
  const { personId, sessionId, authenticatedAt } = session
  return { personId, sessionId, authenticatedAt, name: person.name }
})

/** Updates the idle timer, at most once a minute, best-effort: a failure of the store refuses no request. */
const recordUse = ({ personId, sessionId }: Session) =>
  Effect.catchDefect(writeUse(personId, sessionId), (defect) =>
    defect instanceof StorageUnavailable ? Effect.void : Effect.die(defect)
  )

const writeUse = Effect.fnUntraced(function* (personId: string, sessionId: string) {
  yield* inTransaction({ locks: [exclusive("person", personId)], asynchronous: true }, function* (transaction) {
    const session = yield* transaction.get(Sessions, [sessionId])
    const now = yield* transaction.now
    if (session !== undefined && isSessionLive(session, now)) {
      yield* transaction.update(Sessions, [sessionId], { lastSeenAt: now })
    }
  })
})

/** Signs out. Once acknowledged, the session has no further effect; agents are not affected. */
export const endSession = traced("people.endSession")(function* ({
  personId,
  sessionId
}: ActingPerson & { readonly sessionId: string }) {
  return yield* inTransaction({ locks: [exclusive("person", personId)], urgent: true }, function* (transaction) {
    const session = yield* transaction.get(Sessions, [sessionId])
    const now = yield* transaction.now
    if (session !== undefined && session.endedAt === null) {
      yield* transaction.update(Sessions, [sessionId], { endedAt: now })
    }
    return { sessionId, endedAt: session?.endedAt ?? now }
  })
})

/** Ends every other session of the person; earlier effects of these sessions remain. */
export const endOtherSessions = traced("people.endOtherSessions")(function* (
  by: ActingPerson & { readonly sessionId: string }
) {
  const locks = [exclusive("person", by.personId)]
  return yield* inTransaction({ locks, urgent: true }, function* (transaction) {
    const sessions = yield* sessionsOf(transaction, by.personId)
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    const others = sessions.filter((session) => session.sessionId !== by.sessionId && isSessionLive(session, now))
    yield* Effect.forEach(others, ({ sessionId }) => transaction.update(Sessions, [sessionId], { endedAt: now }))
    return { count: others.length }
  })
})

/**
 * Before a new session: keeps a person's live sessions and those that ended since the last sign-in, so that they stay few.
 * Of as many live ones as there can be, that which was used the longest time ago is deleted, which ends it.
 */
const deleteEndedSessions = Effect.fnUntraced(function* (transaction: Transaction, personId: string, now: Instant) {
  const sessions = yield* sessionsOf(transaction, personId)
  const dead = sessions.filter((session) => !isSessionLive(session, now))
  const newestFirst = sessions
    .filter((session) => isSessionLive(session, now))
    .toSorted((one, other) => compareText(other.lastSeenAt, one.lastSeenAt))
  const removed = [...dead, ...newestFirst.slice(limits.sessionsPerPerson - 1)]
  yield* Effect.forEach(removed, ({ sessionId }) => transaction.remove(Sessions, [sessionId]))
})

/** Inside a transaction that holds the person: ends all their sessions. */
export const endAllSessions = Effect.fnUntraced(function* (transaction: Transaction, personId: string, now: Instant) {
  const open = (yield* sessionsOf(transaction, personId)).filter(({ endedAt }) => endedAt === null)
  yield* Effect.forEach(open, ({ sessionId }) => transaction.update(Sessions, [sessionId], { endedAt: now }))
})

const sessionsOf = (reader: Reader, personId: string) => rangeAll(reader, Sessions, "byPerson", { prefix: [personId] })

/** Ends all sessions of a person, for an operator. */
export const endSessionsOf = traced("people.endSessionsOf")(function* (personId: string) {
  return yield* inTransaction({ locks: [exclusive("person", personId)], urgent: true }, function* (transaction) {
    const person = yield* transaction.get(Persons, [personId])
    const now = yield* transaction.now
    if (person === undefined) return yield* refuse("UNKNOWN_PARTY")
    yield* endAllSessions(transaction, personId, now)
    return { personId, endedAt: now }
  })
})
