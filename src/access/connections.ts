/** An agent's operations on its connection: it starts one and polls it (4.1). */
import { Effect } from "effect"
import { readMembership } from "../people/acting-person.ts"
import { Installation } from "../ports/installation.ts"
import { Secrets } from "../ports/secrets.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, shared, Storage, type Reader, type Transaction } from "../ports/storage.ts"
import type { DerivedToken } from "../replay/derived-token.ts"
import { idSeed, type IdStream } from "../vocabulary/ids.ts"
import { addMilliseconds, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse, type Refusal } from "../vocabulary/refusals.ts"
import { isToken, tokenFrom } from "../vocabulary/token.ts"
import type { Action, Role } from "./actions.ts"
import { isLive } from "./authorize.ts"
import { type ConnectionEnd, endRefusal, isExpired, nextPollingInterval, userCodeFrom } from "./connection.ts"
import { isRecoverable, connectionToken, insertCredential } from "./credential.ts"
import { Connections, Credentials, Grants, type ConnectionRow } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

export interface ConnectionInput {
  readonly agentName: string
  readonly client: string
  readonly requestedRole?: Role
  readonly requestedActions?: ReadonlyArray<Action>
}

/** Starts a connection. It has no authority until a person approves it. */
export const startConnection = traced("access.startConnection")(function* (
  input: ConnectionInput,
  origin: string | undefined
) {
  const secrets = yield* Secrets
  const { siteUrl } = yield* Installation
  const ids = (yield* idSeed)("plan")
  const connectionId = ids.next("connection")
  const deviceCode = tokenFrom("device", ids.secret())
  const keyId = secrets.keyIds[0]
  const { userCode, userCodeHash } = yield* inView((reader) => freeUserCode(reader, secrets, keyId, ids))
  return yield* inTransaction({ locks: [exclusive("connection", connectionId)] }, function* (transaction) {
    const now = yield* transaction.now
    const expiresAt = addMilliseconds(now, limits.connectionLifetime)
    const interval = limits.connectionInterval
    yield* transaction.insert(Connections, {
      connectionId,
      deviceCodeHash: secrets.tokenHash(deviceCode),
      userCodeHash,
      keyId,
      agentName: input.agentName,
      client: input.client,
      origin: origin ?? null,
      requestedRole: input.requestedRole ?? null,
      requestedActions: [...new Set(input.requestedActions)],
      createdAt: now,
      expiresAt,
      state: "PENDING",
      interval,
      polledAt: null,
      sessionId: null,
      personId: null,
      membershipId: null,
      grantId: null,
      dueAt: expiresAt,
      leasedUntil: now,
      leaseToken: ""
    })
    return { userCode, verificationUrl: `${siteUrl}/workspace/connect`, deviceCode, interval, expiresAt }
  })
})

/** Draws codes until one is not in use by a pending connection. */
const freeUserCode = Effect.fnUntraced(function* (
  reader: Reader,
  secrets: Secrets["Service"],
  keyId: string,
  ids: IdStream
) {
  for (;;) {
    const userCode = userCodeFrom(ids.secret())
    const userCodeHash = secrets.keyedHash("USER_CODE", keyId, userCode)!
    const holder = yield* reader.find(Connections, "byUserCode", [userCodeHash])
    if (holder === undefined) return { userCode, userCodeHash }
  }
})

export type PollResult =
  | { readonly state: "PENDING" | "SLOW_DOWN"; readonly interval: number }
  | {
      readonly state: "CONNECTED"
      readonly interval: number
      readonly credential: {
        readonly token: string
        readonly grantId: string
        readonly agentId: string
        readonly expiresAt: Instant
      }
    }

/**
 * One poll, atomically: it updates the interval and collects. After the approval the same device code returns the same
 * credential until that is used or the connection expires, although only hashes are stored.
 */
export const pollConnection = traced("access.pollConnection")(function* (
  deviceCode: string
): Effect.fn.Return<PollResult, PollRefusal, Storage | Secrets> {
  if (!isToken("device", deviceCode)) return yield* refuse("AUTH_INVALID")
  const secrets = yield* Secrets
  const seen = yield* inView((reader) => reader.find(Connections, "byDeviceCode", [secrets.tokenHash(deviceCode)]))
  if (seen === undefined) return yield* refuse("AUTH_INVALID")
  const derived = connectionToken(secrets, seen, deviceCode)
  const outcome = yield* inTransaction({ locks: pollLocks(seen, derived) }, function* (transaction): Effect.fn.Return<
    PollOutcome | undefined,
    PollRefusal
  > {
    const connection = yield* transaction.get(Connections, [seen.connectionId])
    const now = yield* transaction.now
    if (connection === undefined) return yield* refuse("AUTH_INVALID")
    if (isExpired(connection, now)) return yield* refuse("CONNECTION_EXPIRED")
    // Approved concurrently: the locks of its grant are not held, so nothing is written and the poll restarts.
    if (connection.grantId !== seen.grantId) return undefined
    const { isTooEarly, ...pace } = nextPollingInterval(connection, now)
    yield* transaction.update(Connections, [connection.connectionId], pace)
    const { interval } = pace
    if (isTooEarly) return { poll: { state: "SLOW_DOWN", interval } }
    const ended = endRefusal(connection, now)
    if (ended !== undefined) return { ended }
    if (connection.grantId === null) return { poll: { state: "PENDING", interval } }
    const collected = yield* collect(transaction, connection, derived, now)
    return "ended" in collected ? collected : { poll: { state: "CONNECTED", interval, ...collected } }
  })
  if (outcome === undefined) return yield* pollConnection(deviceCode)
  return "poll" in outcome ? outcome.poll : yield* outcome.ended
})

type PollRefusal = Refusal<"AUTH_INVALID" | "CONNECTION_DENIED" | "CONNECTION_EXPIRED">

/** The outcome of a poll after its commit: a refusal also updates the interval. */
type PollOutcome = { readonly poll: PollResult } | Ended
interface Ended {
  readonly ended: ConnectionEnd
}

const pollLocks = ({ connectionId, membershipId, grantId }: ConnectionRow, derived: DerivedToken | undefined) => [
  ...(membershipId === null ? [] : [shared("membership", membershipId)]),
  ...(grantId === null ? [] : [shared("grant", grantId)]),
  ...(derived === undefined ? [] : [exclusive("credential", derived.tokenHash)]),
  exclusive("connection", connectionId)
]

/** The first collection writes the credential; later ones return it while it is unused and the grant is unchanged. */
const collect = Effect.fnUntraced(function* (
  transaction: Transaction,
  { connectionId, grantId, membershipId }: ConnectionRow,
  derived: DerivedToken | undefined,
  now: Instant
): Effect.fn.Return<Ended | Pick<Extract<PollResult, { readonly state: "CONNECTED" }>, "credential">> {
  const [grant, membership, credential] = yield* readTogether([
    transaction.get(Grants, [grantId!]),
    readMembership(transaction, membershipId!),
    derived === undefined ? Effect.undefined : transaction.get(Credentials, [derived.tokenHash])
  ])
  if (grant !== undefined && grant.revokedAt === null && grant.expiresAt <= now) {
    return { ended: refuse("CONNECTION_EXPIRED") }
  }
  if (grant === undefined || membership === undefined || !isLive({ grant, membership, link: undefined }, now)) {
    return { ended: refuse("CONNECTION_DENIED") }
  }
  // A renewed grant has another credential, and without its key a credential cannot be derived.
  if (grant.generation !== 1 || derived === undefined) return { ended: refuse("CONNECTION_EXPIRED") }
  if (credential === undefined) {
    yield* insertCredential(transaction, grant, derived, now)
    yield* transaction.update(Connections, [connectionId], { state: "COLLECTED" })
  } else if (!isRecoverable(credential, now)) return { ended: refuse("CONNECTION_EXPIRED") }
  const { agentId, expiresAt } = grant
  return { credential: { token: derived.token, grantId: grant.grantId, agentId, expiresAt } }
})
