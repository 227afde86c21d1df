/** Grants and their scope, written inside a transaction that holds their locks. */
import { Effect } from "effect"
import { isGrantLive } from "./authorize.ts"
import { readMembership, requireRecentSignIn, type ActingPerson } from "../people/acting-person.ts"
import { holds, type Validity } from "../people/membership.ts"
import { readPerson } from "../people/operations.ts"
import { exclusive, type Reader, type LockKey, type Transaction } from "../ports/storage.ts"
import type { IdStream } from "../vocabulary/ids.ts"
import { addMilliseconds, earlier, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { neverRefused, refuse } from "../vocabulary/refusals.ts"
import {
  authorityFor,
  isForRole,
  isGuarded,
  type Action,
  type GuardedAction,
  type Role,
  type SubjectRequirement
} from "./actions.ts"
import { hasVisibleCharacter } from "../canonical/visible-characters.ts"
import { appendAuthority, extendAuthority, projectDigest, proposalIdDigest } from "./authority.ts"
import { ProjectParties, ProposalParties, type Side } from "./scope.ts"
import { GrantProjects, GrantProposals, Grants, type GrantRow } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

export interface GrantInput {
  readonly organizationId: string
  readonly role: Role
  readonly agentName: string
  readonly actions: ReadonlyArray<Action>
  /** The guarded actions among them, each with its own consent. */
  readonly consents: ReadonlyArray<GuardedAction>
  readonly projectIds: ReadonlyArray<string>
  /** None where absent. */
  readonly proposalIds?: ReadonlyArray<string>
  readonly subjectRequirements: ReadonlyArray<SubjectRequirement>
  /** At most 30 days from now and never past the membership; the earlier of both where absent. */
  readonly expiresAt?: Instant
}

/** The projects and proposals in the scope of a grant. */
export type GrantScope = Required<Pick<GrantInput, "projectIds" | "proposalIds">>

/**
 * The part of a requested scope of which the person's side is a party: looked up before the transaction, so that no lock
 * of an unrelated tenant is taken, and rechecked in it.
 */
export const permittedScope = Effect.fnUntraced(function* (
  reader: Reader,
  { personId }: ActingPerson,
  { organizationId, role, projectIds, proposalIds = [] }: Omit<GrantInput, "agentName">
): Effect.fn.Return<GrantScope, never, ProjectParties | ProposalParties> {
  const parties = yield* ProjectParties
  const proposals = yield* ProposalParties
  const side = { role, organizationId, personId }
  return {
    projectIds: yield* Effect.filter(projectIds, (id) => parties.isParty(reader, id, side)),
    proposalIds: yield* Effect.filter(proposalIds, (id) => proposals.isParty(reader, id, side))
  }
})

export const scopeLocks = ({ projectIds, proposalIds }: GrantScope): ReadonlyArray<LockKey> => [
  ...projectIds.map((projectId) => exclusive("project", projectId)),
  ...proposalIds.map((proposalId) => exclusive("proposal", proposalId))
]

/** A new grant: its membership, and the scope whose locks the caller holds. */
export interface NewGrant {
  readonly grantId: string
  readonly membershipId: string
  readonly held: GrantScope
}

/** Inserts a new grant and its links, without a credential. The caller holds person, membership, grant and `held`. */
export const insertGrant = Effect.fnUntraced(function* (
  transaction: Transaction,
  by: ActingPerson,
  input: GrantInput,
  { grantId, membershipId, held }: NewGrant,
  ids: IdStream
) {
  const { organizationId, role, agentName, actions, projectIds, proposalIds = [], subjectRequirements } = input
  const { personId } = by
  const membership = yield* readMembership(transaction, membershipId)
  const person = yield* readPerson(transaction, personId)
  if (membership === undefined || person === undefined) return yield* refuse("UNKNOWN_PARTY")
  yield* requireParty(transaction, { projectIds, proposalIds }, held, { role, organizationId, personId })
  const now = yield* transaction.now
  yield* checkGrant(input, membership, now)
  yield* checkConsents(transaction, by, input, now)

  const agentId = ids.next("agent")
  const expiresAt = grantExpiry(input.expiresAt, membership, now)
  const change = { agentId, organizationId, subjectId: personId, role, actions, subjectRequirements, expiresAt }
  const first = yield* appendAuthority(transaction, grantId, undefined, { kind: "GRANT", change }, now)
  const grant: GrantRow = {
    grantId,
    tenantId: membership.tenantId,
    organizationId,
    membershipId,
    personId,
    agentId,
    agentName,
    authorizerName: person.name,
    role,
    actions,
    subjectRequirements,
    createdAt: now,
    expiresAt,
    revokedAt: null,
    generation: 1,
    projectCount: 0,
    proposalCount: 0,
    jobCount: 0,
    draftCount: 0,
    ...first
  }
  const linked = yield* linkAll(transaction, grant, { projectIds, proposalIds }, ids, now).pipe(
    // The history of a new grant has room for every link.
    neverRefused("AUTHORITY_HISTORY_LIMIT")
  )
  yield* transaction.insert(Grants, linked)
  return linked
})

/** The expiry of a grant: as requested, at most 30 days from now, never after the membership. */
export const grantExpiry = (
  requested: Instant | undefined,
  { validUntil }: Pick<Validity, "validUntil">,
  now: Instant
): Instant => earlier(requested ?? addMilliseconds(now, limits.credentialLifetime), validUntil)

const linkAll = Effect.fnUntraced(function* (
  transaction: Transaction,
  grant: GrantRow,
  { projectIds, proposalIds }: GrantScope,
  ids: IdStream,
  now: Instant
) {
  const proposals = yield* ProposalParties
  // Reads come first: a read sends queued writes, and a link must not be sent before the grant's own row.
  for (const proposalId of proposalIds) yield* proposals.addGrant(transaction, proposalId, grant)
  let linked = grant
  for (const proposalId of proposalIds) {
    linked = { ...linked, ...(yield* linkProposal(transaction, linked, proposalId, ids.secret(), now)) }
  }
  for (const projectId of projectIds) {
    linked = { ...linked, ...(yield* linkProject(transaction, linked, projectId, ids.secret(), now)) }
  }
  return linked
})

const requireParty = Effect.fnUntraced(function* (
  transaction: Transaction,
  { projectIds, proposalIds }: GrantScope,
  held: GrantScope,
  side: Side
) {
  const parties = yield* ProjectParties
  const proposals = yield* ProposalParties
  for (const projectId of projectIds) {
    if (!held.projectIds.includes(projectId) || !(yield* parties.isParty(transaction, projectId, side))) {
      return yield* refuse("FORBIDDEN", {
        detail: "This person is not a party of every project in projectIds; correct it."
      })
    }
  }
  for (const proposalId of proposalIds) {
    if (!held.proposalIds.includes(proposalId) || !(yield* proposals.isParty(transaction, proposalId, side))) {
      return yield* refuse("FORBIDDEN", {
        detail: "This person is not a party of every proposal in proposalIds; correct it."
      })
    }
  }
})

/**
 * Each guarded action needs its own consent, in a session with a recent sign-in. An operator's command line is consent
 * enough: it names the action.
 */
const checkConsents = Effect.fnUntraced(function* (
  transaction: Transaction,
  by: ActingPerson,
  { actions, consents }: GrantInput,
  now: Instant
) {
  const guarded = actions.filter(isGuarded)
  if (guarded.length === 0 || by.sessionId === null) return
  const missing = guarded.filter((action) => !consents.includes(action))
  if (missing.length > 0) {
    return yield* refuse("INVALID_REQUEST", {
      detail: `The consents must include ${missing.join(", ")}; ask the person.`
    })
  }
  yield* requireRecentSignIn(transaction, by, now)
})

/** A grant never exceeds its authorizer, its side, or 30 days. */
const checkGrant = (input: GrantInput, membership: Validity, now: Instant) => {
  const problem = inputProblem(input, now)
  if (problem !== undefined) return refuse("INVALID_REQUEST", { detail: problem })
  if (!holds(membership, "DELEGATE", now)) {
    return refuse("FORBIDDEN", { detail: "The membership does not carry DELEGATE for this organization." })
  }
  const beyond = input.actions.filter(
    (action) => !isForRole(action, input.role) || !holds(membership, authorityFor(action, input.role), now)
  )
  return beyond.length === 0
    ? Effect.void
    : refuse("FORBIDDEN", {
        detail: `The membership or the side does not carry ${beyond.join(", ")}; leave these actions out.`
      })
}

const inputProblem = (
  { agentName, actions, projectIds, proposalIds = [], subjectRequirements, expiresAt }: GrantInput,
  now: Instant
) => {
  if (!hasVisibleCharacter(agentName) || agentName.length > limits.titleCharacters) {
    return `The agentName must have 1 to ${limits.titleCharacters} characters, at least one of them visible; correct it.`
  }
  if (subjectRequirements.length > limits.subjectRequirements) {
    return `Limit reached: ${limits.subjectRequirements} subject requirements of one grant; send fewer.`
  }
  if (new Set(actions).size !== actions.length) return "The actions must be distinct; remove duplicates."
  if (new Set(projectIds).size !== projectIds.length) return "The projectIds must be distinct; remove duplicates."
  if (new Set(proposalIds).size !== proposalIds.length) {
    return "The proposalIds must be distinct; remove duplicates."
  }
  return expiryProblem(expiresAt, now)
}

export const expiryProblem = (expiresAt: Instant | undefined, now: Instant): string | undefined =>
  expiresAt !== undefined && (expiresAt <= now || expiresAt > addMilliseconds(now, limits.credentialLifetime))
    ? `The expiresAt of a grant must be in the future and at most ${limits.credentialLifetime / 86_400_000} days from now; correct it.`
    : undefined

/**
 * Adds a project to a grant's scope by a signed event. The caller holds the grant exclusively and writes the result into
 * the grant's row.
 */
export const linkProject = traced("access.linkProject")(function* (
  transaction: Transaction,
  grant: GrantRow,
  projectId: string,
  salt: string,
  now: Instant
) {
  const { grantId, projectCount } = grant
  if (projectCount >= limits.projectsPerGrant) return yield* refuse("CREATED_PROJECT_LIMIT")
  const change = { kind: "LINK_PROJECT", change: { projectDigest: projectDigest(projectId, salt) } } as const
  const end = yield* extendAuthority(transaction, grantId, grant, change, now)
  const sequence = end.authoritySequence
  yield* transaction.insert(GrantProjects, { grantId, projectId, salt, sequence, linkedAt: now })
  return { ...end, projectCount: projectCount + 1 }
})

/** The same for a proposal. */
export const linkProposal = traced("access.linkProposal")(function* (
  transaction: Transaction,
  grant: GrantRow,
  proposalId: string,
  salt: string,
  now: Instant
) {
  const { grantId, proposalCount } = grant
  if (proposalCount >= limits.proposalsPerGrant) return yield* refuse("CREATED_PROPOSAL_LIMIT")
  const change = { kind: "LINK_PROPOSAL", change: { proposalDigest: proposalIdDigest(proposalId, salt) } } as const
  const end = yield* extendAuthority(transaction, grantId, grant, change, now)
  const sequence = end.authoritySequence
  yield* transaction.insert(GrantProposals, { grantId, proposalId, salt, sequence, linkedAt: now })
  return { ...end, proposalCount: proposalCount + 1 }
})

/** True where the grant is live and its scope and its chain have room for one more project. */
export const hasRoomForProject = (grant: GrantRow, now: Instant): boolean =>
  isGrantLive(grant, now) &&
  grant.projectCount < limits.projectsPerGrant &&
  grant.authoritySequence + 1 < limits.authorityEvents

/** Stores the end of the chain and the count after a link. */
export const saveScope = (
  transaction: Transaction,
  grantId: string,
  scope: Effect.Success<ReturnType<typeof linkProject>> | Effect.Success<ReturnType<typeof linkProposal>>
) => transaction.update(Grants, [grantId], scope)
