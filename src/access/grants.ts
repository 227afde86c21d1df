/** A person's operations on grants: create, renew, revoke and read them. */
import { Effect } from "effect"
import {
  humanRoots,
  membershipIn,
  membershipsOf,
  readMembership,
  requireHuman,
  requireRecentSignIn,
  type Human
} from "../people/human.ts"
import { holds } from "../people/membership.ts"
import type { Secrets } from "../ports/secrets.ts"
import type { Signer } from "../ports/signer.ts"
import { rangeAll } from "../ports/range-all.ts"
import { exclusive, shared, Storage, type Reader } from "../ports/storage.ts"
import { isReplay, readRequest, rememberRequest, type Request } from "../replay/replay.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse, type Refused } from "../vocabulary/refusals.ts"
import { isGuarded } from "./actions.ts"
import { appendAuthority } from "./authority.ts"
import { issueCredential, showAgain, type ShownCredential } from "./credential.ts"
import { endOf, insertGrant, reachOf, reachRoots, whatIsWrongWithEnd, type GrantInput } from "./grant.ts"
import type { ProjectParties, ProposalParties } from "./scope.ts"
import { Credentials, GrantProjects, GrantProposals, Grants, type GrantRow } from "./store.ts"

/** Creates a grant for an agent; only this response contains the token. */
export const createGrant = Effect.fn("access.createGrant")(function* (by: Human, request: Request, input: GrantInput) {
  const storage = yield* Storage
  const ids = yield* idSeed
  const grantId = ids("plan").next("grant")
  const start = yield* currentTime
  const { membershipId, held } = yield* storage.view((reader) =>
    Effect.all({
      membershipId: currentMembership(reader, by, input.organizationId, start),
      held: reachOf(reader, by, input)
    })
  )
  const roots = [
    ...humanRoots(by),
    shared("membership", membershipId),
    exclusive("grant", grantId),
    ...reachRoots(held)
  ]
  const made = yield* storage.transaction({ roots }, (transaction) =>
    Effect.gen(function* (): Effect.fn.Return<
      GrantResult,
      Refused,
      Signer | Secrets | ProjectParties | ProposalParties
    > {
      const earlier = yield* readRequest(transaction, request)
      const now = yield* transaction.now
      yield* requireHuman(transaction, by, now)
      if (yield* isReplay(earlier, request)) return { again: earlier!.target }
      const grant = yield* insertGrant(transaction, by, input, { grantId, membershipId, held }, ids("attempt"))
      const token = yield* issueCredential(transaction, grant, request, now)
      yield* rememberRequest(transaction, request, grantId, now)
      return { token, grantId, agentId: grant.agentId, generation: grant.generation, expiresAt: grant.expiresAt }
    })
  )
  if (!("again" in made)) return made
  return yield* storage.view((reader) => showAgain(reader, made.again, request, start))
})

/** A new credential, or the id of the grant whose credential an earlier request created. */
type GrantResult = ShownCredential | { readonly again: string }

/** The membership in force under which a person delegates for an organization. */
export const currentMembership = Effect.fnUntraced(function* (
  reader: Reader,
  { personId }: Human,
  organizationId: string,
  now: Instant
) {
  const membership = yield* membershipIn(reader, personId, organizationId, now)
  return membership === undefined ? yield* refuse("UNKNOWN_PARTY") : membership.membershipId
})

export interface RenewInput {
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
export const renewGrant = Effect.fn("access.renewGrant")(function* (by: Human, request: Request, input: RenewInput) {
  const storage = yield* Storage
  const { grantId, expectedGeneration, expiresAt } = input
  const start = yield* currentTime
  const { membershipId } = yield* ownGrant(by, grantId)
  const roots = [...humanRoots(by), shared("membership", membershipId), exclusive("grant", grantId)]
  const made = yield* storage.transaction({ roots, urgent: true }, (transaction) =>
    Effect.gen(function* (): Effect.fn.Return<GrantResult, Refused, Signer | Secrets> {
      const [grant, membership, earlier] = yield* Effect.all(
        [
          transaction.get(Grants, [grantId]),
          readMembership(transaction, membershipId),
          readRequest(transaction, request)
        ],
        { concurrency: "unbounded" }
      )
      const now = yield* transaction.now
      yield* requireHuman(transaction, by, now)
      if (grant === undefined || membership === undefined) return yield* refuse("UNKNOWN_PARTY")
      if (yield* isReplay(earlier, request)) return { again: grantId }
      if (grant.revokedAt !== null) return yield* refuse("GRANT_REVOKED")
      if (grant.generation !== expectedGeneration) return yield* refuse("GENERATION_STALE")
      if (!holds(membership, "DELEGATE", now)) {
        return yield* refuse("FORBIDDEN", { detail: "The membership does not carry DELEGATE for this organization." })
      }
      // A hijacked idle session must not renew actions whose consent needed a recent sign-in.
      if (grant.actions.some(isGuarded)) yield* requireRecentSignIn(transaction, by, now)
      const wrong = whatIsWrongWithEnd(expiresAt, now)
      if (wrong !== undefined) return yield* refuse("INVALID_REQUEST", { detail: wrong })
      const renewed = { generation: grant.generation + 1, expiresAt: endOf(expiresAt, membership, now) }
      const end = yield* appendAuthority(transaction, grantId, grant, { kind: "RENEW", change: renewed }, now)
      yield* transaction.update(Grants, [grantId], { ...renewed, ...end })
      const token = yield* issueCredential(transaction, { ...grant, ...renewed }, request, now)
      yield* rememberRequest(transaction, request, grantId, now)
      return { token, grantId, agentId: grant.agentId, ...renewed }
    })
  )
  if (!("again" in made)) return made
  return yield* storage.view((reader) => showAgain(reader, made.again, request, start))
})

/** Revokes a grant. Once acknowledged, it has no further effect. People revoke their own, an operator any. */
export const revokeGrant = Effect.fn("access.revokeGrant")(function* (
  by: Human | "OPERATOR",
  { grantId }: { readonly grantId: string }
) {
  const storage = yield* Storage
  if (by !== "OPERATOR") yield* ownGrant(by, grantId)
  const roots = [...(by === "OPERATOR" ? [] : humanRoots(by)), exclusive("grant", grantId)]
  return yield* storage.transaction({ roots, urgent: true }, (transaction) =>
    Effect.gen(function* () {
      const grant = yield* transaction.get(Grants, [grantId])
      const now = yield* transaction.now
      if (by !== "OPERATOR") yield* requireHuman(transaction, by, now)
      if (grant === undefined) return yield* refuse("UNKNOWN_PARTY")
      if (grant.revokedAt !== null) return { grantId, revokedAt: grant.revokedAt }
      const end = yield* appendAuthority(transaction, grantId, grant, { kind: "REVOKE", change: {} }, now)
      yield* transaction.update(Grants, [grantId], { revokedAt: now, ...end })
      return { grantId, revokedAt: now }
    })
  )
})

/** A grant that this person authorized; any other is reported as unknown. */
const ownGrant = Effect.fnUntraced(function* ({ personId }: Human, grantId: string) {
  const storage = yield* Storage
  const grant = yield* storage.view((reader) => reader.get(Grants, [grantId]))
  return grant === undefined || grant.personId !== personId ? yield* refuse("UNKNOWN_PARTY") : grant
})

/** A grant as its authorizer sees it. */
export interface SeenGrant {
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

/** Every grant that this person authorized, newest first. */
export const listGrants = Effect.fn("access.listGrants")(function* (by: Human) {
  const storage = yield* Storage
  const now = yield* currentTime
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const memberships = yield* membershipsOf(reader, by.personId)
      const seen: Array<SeenGrant> = []
      for (const membership of memberships) {
        const grants = yield* rangeAll(reader, Grants, "byMembership", { prefix: [membership.membershipId] })
        for (const grant of grants) seen.push(yield* seeGrant(reader, grant, holds(membership, "DELEGATE", now), now))
      }
      return seen.sort(newestFirst)
    })
  )
})

const newestFirst = ({ grant: a }: SeenGrant, { grant: b }: SeenGrant): number =>
  a.createdAt === b.createdAt ? (a.grantId < b.grantId ? -1 : 1) : a.createdAt < b.createdAt ? 1 : -1

/** One of this person's grants. */
export const readOwnGrant = Effect.fn("access.readOwnGrant")(function* (by: Human, grantId: string) {
  const storage = yield* Storage
  const now = yield* currentTime
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const grant = yield* reader.get(Grants, [grantId])
      if (grant === undefined || grant.personId !== by.personId) return yield* refuse("UNKNOWN_PARTY")
      const membership = yield* readMembership(reader, grant.membershipId)
      return yield* seeGrant(reader, grant, membership !== undefined && holds(membership, "DELEGATE", now), now)
    })
  )
})

const seeGrant = Effect.fnUntraced(function* (reader: Reader, grant: GrantRow, isParentLive: boolean, now: Instant) {
  const { grantId, generation, revokedAt, expiresAt } = grant
  const [links, proposals, credentials] = yield* Effect.all(
    [
      reader.range(GrantProjects, "key", { prefix: [grantId], limit: limits.projectsPerGrant }),
      reader.range(GrantProposals, "bySequence", { prefix: [grantId], limit: limits.proposalsPerGrant }),
      rangeAll(reader, Credentials, "byGrant", { prefix: [grantId] })
    ],
    { concurrency: "unbounded" }
  )
  const uses = credentials.flatMap(({ lastUsedAt }) => lastUsedAt ?? []).sort()
  return {
    grant,
    state: revokedAt !== null ? "REVOKED" : expiresAt <= now ? "EXPIRED" : "ACTIVE",
    isParentLive,
    projectIds: links.map(({ projectId }) => projectId),
    proposalIds: proposals.map(({ proposalId }) => proposalId),
    lastUsedAt: uses.at(-1) ?? null,
    isCollected: credentials.some((credential) => credential.generation === generation)
  } satisfies SeenGrant
})
