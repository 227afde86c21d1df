/** A person's operations on grants: create, renew, revoke and read them. */
import { Effect } from "effect"
import {
  memberLocks,
  sessionLocks,
  membershipIn,
  membershipsOf,
  readMembership,
  requireSession,
  requireRecentSignIn,
  type ActingPerson
} from "../people/acting-person.ts"
import { holds } from "../people/membership.ts"
import { readNewestListing, readNewestPage, type NewestPageRequest } from "../ports/storage/newest-page.ts"
import { rangeAll } from "../ports/storage/range-all.ts"
import { inReplicaView, inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Reader } from "../ports/storage.ts"
import { isReplay, readStoredRequest, recordRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { isGuarded, type Role } from "./actions.ts"
import { appendAuthority, extendAuthority } from "./authority.ts"
import { issueCredential, recoverCredential } from "./credential.ts"
import { grantExpiry, insertGrant, permittedScope, scopeLocks, expiryProblem, type GrantInput } from "./grant.ts"
import { Credentials, GrantProjects, GrantProposals, Grants, type GrantRow } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** Creates a grant for an agent; only this response contains the token. */
export const createGrant = traced("access.createGrant")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  input: GrantInput
) {
  const ids = yield* idSeed
  const grantId = ids("plan").next("grant")
  const start = yield* currentTime
  const { locks, ...plan } = yield* planGrant(by, input, grantId, start)
  const made = yield* inTransaction({ locks }, function* (transaction) {
    const earlier = yield* readStoredRequest(transaction, request)
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    if (yield* isReplay(earlier, request)) return { again: earlier!.target }
    const grant = yield* insertGrant(transaction, by, input, plan, ids("attempt"))
    const token = yield* issueCredential(transaction, grant, request, now)
    yield* recordRequest(transaction, request, grantId, now)
    return { token, grantId, agentId: grant.agentId, generation: grant.generation, expiresAt: grant.expiresAt }
  })
  if (made.again === undefined) return made
  return yield* inView((reader) => recoverCredential(reader, made.again, request, start))
})

/** A new grant and its locks, by the membership in force under which the person delegates. */
export const planGrant = Effect.fnUntraced(function* (
  by: ActingPerson,
  input: Omit<GrantInput, "agentName">,
  grantId: string,
  now: Instant
) {
  const { membershipId, held } = yield* inView((reader) =>
    Effect.all({
      membershipId: currentMembership(reader, by, input.organizationId, now),
      held: permittedScope(reader, by, input)
    })
  )
  const locks = [...memberLocks(by, membershipId), exclusive("grant", grantId), ...scopeLocks(held)]
  return { grantId, membershipId, held, locks }
})

const currentMembership = Effect.fnUntraced(function* (
  reader: Reader,
  { personId }: ActingPerson,
  organizationId: string,
  now: Instant
) {
  const membership = yield* membershipIn(reader, personId, organizationId, now)
  return membership === undefined ? yield* refuse("UNKNOWN_PARTY") : membership.membershipId
})

export interface RenewalInput {
  readonly grantId: string
  /** The generation that the person read: of two concurrent renewals one succeeds. */
  readonly expectedGeneration: number
  /** As for a new grant. */
  readonly expiresAt?: Instant
}

/**
 * Gives a grant a new credential and a new expiry; all else is unchanged. Once acknowledged, the earlier credential is
 * invalid.
 */
export const renewGrant = traced("access.renewGrant")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  input: RenewalInput
) {
  const { grantId, expectedGeneration, expiresAt } = input
  const start = yield* currentTime
  const { membershipId } = yield* ownGrant(by, grantId)
  const locks = [...memberLocks(by, membershipId), exclusive("grant", grantId)]
  const made = yield* inTransaction({ locks, urgent: true }, function* (transaction) {
    const [grant, membership, earlier] = yield* readTogether([
      transaction.get(Grants, [grantId]),
      readMembership(transaction, membershipId),
      readStoredRequest(transaction, request)
    ])
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    if (grant === undefined || membership === undefined) return yield* refuse("UNKNOWN_PARTY")
    if (yield* isReplay(earlier, request)) return { again: grantId }
    if (grant.revokedAt !== null) return yield* refuse("GRANT_REVOKED")
    if (grant.generation !== expectedGeneration) return yield* refuse("GENERATION_STALE")
    if (!holds(membership, "DELEGATE", now)) {
      return yield* refuse("FORBIDDEN", { detail: "The membership does not carry DELEGATE for this organization." })
    }
    // A hijacked idle session must not renew actions whose consent needed a recent sign-in.
    if (grant.actions.some(isGuarded)) yield* requireRecentSignIn(transaction, by, now)
    const wrong = expiryProblem(expiresAt, now)
    if (wrong !== undefined) return yield* refuse("INVALID_REQUEST", { detail: wrong })
    const renewed = { generation: grant.generation + 1, expiresAt: grantExpiry(expiresAt, membership, now) }
    const end = yield* extendAuthority(transaction, grantId, grant, { kind: "RENEW", change: renewed }, now)
    yield* transaction.update(Grants, [grantId], { ...renewed, ...end })
    const token = yield* issueCredential(transaction, { ...grant, ...renewed }, request, now)
    yield* recordRequest(transaction, request, grantId, now)
    return { token, grantId, agentId: grant.agentId, ...renewed }
  })
  if (made.again === undefined) return made
  return yield* inView((reader) => recoverCredential(reader, made.again, request, start))
})

/** Revokes a grant. Once acknowledged, it has no further effect. People revoke their own, an operator any. */
export const revokeGrant = traced("access.revokeGrant")(function* (
  by: ActingPerson | "OPERATOR",
  { grantId }: { readonly grantId: string }
) {
  if (by !== "OPERATOR") yield* ownGrant(by, grantId)
  const locks = [...(by === "OPERATOR" ? [] : sessionLocks(by)), exclusive("grant", grantId)]
  return yield* inTransaction({ locks, urgent: true }, function* (transaction) {
    const grant = yield* transaction.get(Grants, [grantId])
    const now = yield* transaction.now
    if (by !== "OPERATOR") yield* requireSession(transaction, by, now)
    if (grant === undefined) return yield* refuse("UNKNOWN_PARTY")
    if (grant.revokedAt !== null) return { grantId, revokedAt: grant.revokedAt }
    const end = yield* appendAuthority(transaction, grantId, grant, { kind: "REVOKE", change: {} }, now)
    yield* transaction.update(Grants, [grantId], { revokedAt: now, ...end })
    return { grantId, revokedAt: now }
  })
})

/** A grant that this person authorized; any other is reported as unknown. */
const ownGrant = Effect.fnUntraced(function* ({ personId }: ActingPerson, grantId: string) {
  const grant = yield* inView((reader) => reader.get(Grants, [grantId]))
  return grant === undefined || grant.personId !== personId ? yield* refuse("UNKNOWN_PARTY") : grant
})

/** A grant as its authorizer sees it. */
export interface GrantDetails {
  readonly grant: GrantRow
  readonly state: "ACTIVE" | "REVOKED" | "EXPIRED"
  /** False where the membership has ended or lost DELEGATE: then the grant is unusable, whatever its state. */
  readonly isParentLive: boolean
  readonly projectIds: ReadonlyArray<string>
  readonly proposalIds: ReadonlyArray<string>
  /** The last use across its credentials; null where none was used. */
  readonly lastUsedAt: Instant | null
  readonly isCollected: boolean
}

/** A page of the grants that this person authorized, newest first. */
export const listGrants = traced("access.listGrants")(function* ({ personId }: ActingPerson, after?: string) {
  const now = yield* currentTime
  return yield* inReplicaView(function* (reader) {
    const [memberships, page] = yield* readTogether([
      membershipsOf(reader, personId),
      readNewestListing(reader, grantsOf(personId), after)
    ])
    return { ...page, items: yield* readDetails(reader, page.items, memberships, now) }
  })
})

/** The same in pages that a person turns in both directions; of one organization or one side where they are given. */
export const listGrantPage = traced("access.listGrantPage")(function* (
  { personId }: ActingPerson,
  { organizationId, role }: { readonly organizationId?: string | undefined; readonly role?: Role | undefined },
  request: NewestPageRequest
) {
  const now = yield* currentTime
  const own = [
    ...(organizationId === undefined ? [] : [{ column: "organizationId", among: [organizationId] }]),
    ...(role === undefined ? [] : [{ column: "role", among: [role] }])
  ]
  const source = { ...grantsOf(personId), ...(own.length === 0 ? {} : { matching: { own } }) }
  return yield* inReplicaView(function* (reader) {
    const [memberships, page] = yield* readTogether([
      membershipsOf(reader, personId),
      readNewestPage(reader, source, request)
    ])
    return { ...page, items: yield* readDetails(reader, page.items, memberships, now) }
  })
})

const grantsOf = (personId: string) =>
  ({
    table: Grants,
    ranges: [{ index: "byCreation", prefix: [personId] }],
    positionOf: ({ createdAt, grantId }: GrantRow) => ({ at: createdAt, id: grantId })
  }) as const

const readDetails = (
  reader: Reader,
  grants: ReadonlyArray<GrantRow>,
  memberships: Effect.Success<ReturnType<typeof membershipsOf>>,
  now: Instant
) => {
  const isLive = (membershipId: string) =>
    memberships.some((one) => one.membershipId === membershipId && holds(one, "DELEGATE", now))
  return readTogether(grants.map((grant) => readGrantDetails(reader, grant, isLive(grant.membershipId), now)))
}

/** The name of the agent of a grant, as its authorizer wrote it; null for none. */
export const readAgentName = (reader: Reader, grantId: string | null) =>
  grantId === null
    ? Effect.succeed(null)
    : Effect.map(reader.get(Grants, [grantId]), (grant) => grant?.agentName ?? null)

/** One of this person's grants. */
export const readOwnGrant = traced("access.readOwnGrant")(function* (by: ActingPerson, grantId: string) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const grant = yield* reader.get(Grants, [grantId])
    if (grant === undefined || grant.personId !== by.personId) return yield* refuse("UNKNOWN_PARTY")
    const membership = yield* readMembership(reader, grant.membershipId)
    return yield* readGrantDetails(reader, grant, membership !== undefined && holds(membership, "DELEGATE", now), now)
  })
})

const readGrantDetails = Effect.fnUntraced(function* (
  reader: Reader,
  grant: GrantRow,
  isParentLive: boolean,
  now: Instant
) {
  const { grantId, generation, revokedAt, expiresAt } = grant
  const [links, proposals, credentials] = yield* readTogether([
    reader.range(GrantProjects, "key", { prefix: [grantId], limit: limits.projectsPerGrant }),
    reader.range(GrantProposals, "bySequence", { prefix: [grantId], limit: limits.proposalsPerGrant }),
    rangeAll(reader, Credentials, "byGrant", { prefix: [grantId] })
  ])
  const uses = credentials.flatMap(({ lastUsedAt }) => lastUsedAt ?? []).sort()
  return {
    grant,
    state: revokedAt !== null ? "REVOKED" : expiresAt <= now ? "EXPIRED" : "ACTIVE",
    isParentLive,
    projectIds: links.map(({ projectId }) => projectId),
    proposalIds: proposals.map(({ proposalId }) => proposalId),
    lastUsedAt: uses.at(-1) ?? null,
    isCollected: credentials.some((credential) => credential.generation === generation)
  } satisfies GrantDetails
})
