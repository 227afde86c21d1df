/** A person's operations on a connection: enter its code, read the request, approve or deny it (spec 4.1, 5.2). */
import { Effect } from "effect"
import { sessionLocks, requireSession, type ActingPerson } from "../people/acting-person.ts"
import { countAttempt, attemptLocks, requireAttempt, type GuessIdentity } from "../people/attempt-limits.ts"
import { Secrets } from "../ports/secrets.ts"
import { inTransaction, inView } from "../ports/storage/run.ts"
import { exclusive, type Reader } from "../ports/storage.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { isExpired, parseUserCode } from "./connection.ts"
import { insertGrant, type GrantInput } from "./grant.ts"
import { planGrant } from "./grants.ts"
import { Connections, type ConnectionRow } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** A person with a session: only people approve, never an operator. */
export type Approver = ActingPerson & { readonly sessionId: string }

/**
 * Enters a user code. The first session to do so owns the connection; wrong, expired and taken codes get the same refusal,
 * and each counts as a guess.
 */
export const enterUserCode = traced("access.enterUserCode")(function* (
  by: Approver,
  typed: string,
  address: string | undefined
) {
  const guesser: GuessIdentity = { kind: "USER_CODE", subject: by.personId, address }
  const found = yield* findByUserCode(typed)
  const locks = [
    ...sessionLocks(by),
    ...(found === undefined ? [] : [exclusive("connection", found.connectionId)]),
    ...attemptLocks(guesser)
  ]
  const { connectionId, delay } = yield* inTransaction({ locks }, function* (transaction) {
    const connection = found === undefined ? undefined : yield* transaction.get(Connections, [found.connectionId])
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    const delay = yield* requireAttempt(transaction, guesser, now)
    if (connection === undefined || !isOpenFor(by, connection, now)) {
      yield* countAttempt(transaction, guesser, 1, now)
      return { connectionId: undefined, delay }
    }
    const { connectionId } = connection
    if (connection.sessionId === null) {
      const owner = { sessionId: by.sessionId, personId: by.personId }
      yield* transaction.update(Connections, [connectionId], owner)
    }
    return { connectionId, delay }
  })
  // After many guesses in total every caller is delayed equally; no person is locked out by others.
  if (delay > 0) yield* Effect.sleep(delay)
  return connectionId === undefined ? yield* refuse("USER_CODE_UNKNOWN") : { connectionId }
})

const findByUserCode = Effect.fnUntraced(function* (typed: string) {
  const secrets = yield* Secrets
  const code = parseUserCode(typed)
  if (code === undefined) return undefined
  const hashes = secrets.keyIds.flatMap((keyId) => secrets.keyedHash("USER_CODE", keyId, code) ?? [])
  return yield* inView(function* (reader) {
    for (const hash of hashes) {
      const connection = yield* reader.find(Connections, "byUserCode", [hash])
      if (connection !== undefined) return connection
    }
    return undefined
  })
})

const isOpenFor = ({ sessionId }: Approver, connection: ConnectionRow, now: Instant): boolean =>
  connection.state === "PENDING" &&
  !isExpired(connection, now) &&
  (connection.sessionId === null || connection.sessionId === sessionId)

/** The connection whose code this session entered, ended or not; any other is reported as an unknown code. */
export const readConnection = traced("access.readConnection")(function* (by: Approver, connectionId: string) {
  return yield* inView((reader) => ownConnection(reader, by, connectionId))
})

const ownConnection = Effect.fnUntraced(function* (reader: Reader, by: Approver, connectionId: string) {
  const connection = yield* reader.get(Connections, [connectionId])
  if (connection === undefined || connection.sessionId !== by.sessionId) return yield* refuse("USER_CODE_UNKNOWN")
  return connection
})

const openConnection = Effect.fnUntraced(function* (reader: Reader, by: Approver, connectionId: string, now: Instant) {
  const connection = yield* ownConnection(reader, by, connectionId)
  return isExpired(connection, now) ? yield* refuse("USER_CODE_UNKNOWN") : connection
})

export type ApprovalInput = Omit<GrantInput, "agentName">

/** Grants the agent exactly the chosen authority; its next poll collects the credential. */
export const approveConnection = traced("access.approveConnection")(function* (
  by: Approver,
  connectionId: string,
  input: ApprovalInput
) {
  const ids = yield* idSeed
  const grantId = ids("plan").next("grant")
  const { locks, ...plan } = yield* planGrant(by, input, grantId, yield* currentTime)
  return yield* inTransaction({ locks: [...locks, exclusive("connection", connectionId)] }, function* (transaction) {
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    const connection = yield* openConnection(transaction, by, connectionId, now)
    // Idempotent: the first approval counts, whatever a later one contains.
    if (connection.grantId !== null) return { connectionId, grantId: connection.grantId, isFirst: false }
    if (connection.state !== "PENDING") return yield* refuse("CONNECTION_DENIED")
    const grantInput = { ...input, agentName: connection.agentName }
    yield* insertGrant(transaction, by, grantInput, plan, ids("attempt"))
    const { membershipId } = plan
    const approved = { state: "APPROVED", membershipId, grantId, userCodeHash: usedCodeHash(connectionId) } as const
    yield* transaction.update(Connections, [connectionId], approved)
    return { connectionId, grantId, isFirst: true }
  })
})

/** Denies the connection. */
export const denyConnection = traced("access.denyConnection")(function* (by: Approver, connectionId: string) {
  const locks = [...sessionLocks(by), exclusive("connection", connectionId)]
  return yield* inTransaction({ locks, urgent: true }, function* (transaction) {
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    const connection = yield* openConnection(transaction, by, connectionId, now)
    if (connection.grantId !== null) {
      return yield* refuse("STATE_CONFLICT", {
        detail: "The connection has been approved; revoke its grant instead."
      })
    }
    const denied = { state: "DENIED", userCodeHash: usedCodeHash(connectionId) } as const
    yield* transaction.update(Connections, [connectionId], denied)
    return { connectionId }
  })
})

/** Frees a used code: this value replaces its hash and matches no code. */
export const usedCodeHash = (connectionId: string): string => `spent:${connectionId}`
