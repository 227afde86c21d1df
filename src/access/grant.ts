/** Grants and their scope, as they are written inside a transaction that holds them. */
import { Effect } from "effect"
import { isGrantLive } from "./authorize.ts"
import { readMembership, requireRecentSignIn, type Human } from "../people/human.ts"
import { holds, type Validity } from "../people/membership.ts"
import { readPerson } from "../people/operations.ts"
import { exclusive, type Reader, type Root, type Transaction } from "../ports/storage.ts"
import type { IdStream } from "../vocabulary/ids.ts"
import { addMilliseconds, earlier, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import {
  authorityFor,
  isForRole,
  isGuarded,
  type Action,
  type GuardedAction,
  type Role,
  type SubjectRequirement
} from "./actions.ts"
import { showsSomething } from "../canonical/visible.ts"
import { appendAuthority, projectDigest, proposalIdDigest } from "./authority.ts"
import { ProjectParties, ProposalParties, type Side } from "./scope.ts"
import { GrantProjects, GrantProposals, Grants, type GrantRow } from "./store.ts"

export interface GrantInput {
  readonly organizationId: string
  readonly role: Role
  readonly agentName: string
  readonly actions: ReadonlyArray<Action>
  /** The guarded actions among them, each consented to by itself. */
  readonly consents: ReadonlyArray<GuardedAction>
  readonly projectIds: ReadonlyArray<string>
  /** None where absent. */
  readonly proposalIds?: ReadonlyArray<string>
  readonly subjectRequirements: ReadonlyArray<SubjectRequirement>
  /** At most 30 days from now and never past the membership; the earlier of both where absent. */
  readonly expiresAt?: Instant
}

/** What a grant is given to reach. */
export type Reach = Required<Pick<GrantInput, "projectIds" | "proposalIds">>

/**
 * Of what a grant is to reach, all that the person's side is a party of: to be looked up before the transaction, so that
 * nobody holds what is somebody else's, and looked at again in it.
 */
export const reachOf = Effect.fnUntraced(function* (
  reader: Reader,
  { personId }: Human,
  { organizationId, role, projectIds, proposalIds = [] }: Omit<GrantInput, "agentName">
): Effect.fn.Return<Reach, never, ProjectParties | ProposalParties> {
  const parties = yield* ProjectParties
  const proposals = yield* ProposalParties
  const side = { role, organizationId, personId }
  return {
    projectIds: yield* Effect.filter(projectIds, (id) => parties.isParty(reader, id, side)),
    proposalIds: yield* Effect.filter(proposalIds, (id) => proposals.isParty(reader, id, side))
  }
})

export const reachRoots = ({ projectIds, proposalIds }: Reach): ReadonlyArray<Root> => [
  ...projectIds.map((projectId) => exclusive("project", projectId)),
  ...proposalIds.map((proposalId) => exclusive("proposal", proposalId))
]

/** A grant that is being made: under whose membership, and what the caller holds of what it is to reach. */
export interface Granting {
  readonly grantId: string
  readonly membershipId: string
  readonly held: Reach
}

/** Writes a new grant and its links, without a credential yet. The caller holds person, membership, grant and `held`. */
export const insertGrant = Effect.fnUntraced(function* (
  transaction: Transaction,
  by: Human,
  input: GrantInput,
  { grantId, membershipId, held }: Granting,
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
  const expiresAt = endOf(input.expiresAt, membership, now)
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
  const linked = yield* linkAll(transaction, grant, { projectIds, proposalIds }, ids, now)
  yield* transaction.insert(Grants, linked)
  return linked
})

/** The end of a grant: as asked for, at most 30 days from now, never past the membership. */
export const endOf = (
  asked: Instant | undefined,
  { validUntil }: Pick<Validity, "validUntil">,
  now: Instant
): Instant => earlier(asked ?? addMilliseconds(now, limits.credentialLifetime), validUntil)

const linkAll = Effect.fnUntraced(function* (
  transaction: Transaction,
  grant: GrantRow,
  { projectIds, proposalIds }: Reach,
  ids: IdStream,
  now: Instant
) {
  const proposals = yield* ProposalParties
  // What reads comes first: a read sends what is queued, and a link must not go out before the grant's own row.
  for (const proposalId of proposalIds) yield* proposals.addHolder(transaction, proposalId, grant)
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
  { projectIds, proposalIds }: Reach,
  held: Reach,
  side: Side
) {
  const parties = yield* ProjectParties
  const proposals = yield* ProposalParties
  for (const projectId of projectIds) {
    if (!held.projectIds.includes(projectId) || !(yield* parties.isParty(transaction, projectId, side))) {
      return yield* refuse("FORBIDDEN", { detail: "This person is not a party of every project named." })
    }
  }
  for (const proposalId of proposalIds) {
    if (!held.proposalIds.includes(proposalId) || !(yield* proposals.isParty(transaction, proposalId, side))) {
      return yield* refuse("FORBIDDEN", { detail: "This person is not a party of every proposal named." })
    }
  }
})

/**
 * What no preset holds is consented to by itself, in a session that began within five minutes. An operator's command
 * line is consent enough: it names the action.
 */
const checkConsents = Effect.fnUntraced(function* (
  transaction: Transaction,
  by: Human,
  { actions, consents }: GrantInput,
  now: Instant
) {
  const guarded = actions.filter(isGuarded)
  if (guarded.length === 0 || by.sessionId === null) return
  const missing = guarded.filter((action) => !consents.includes(action))
  if (missing.length > 0) {
    return yield* refuse("INVALID_REQUEST", { detail: `${missing.join(", ")} needs a consent of its own.` })
  }
  yield* requireRecentSignIn(transaction, by, now)
})

/** A grant never exceeds its authorizer, its side, or 30 days. */
const checkGrant = (input: GrantInput, membership: Validity, now: Instant) => {
  const wrong = whatIsWrongWith(input, now)
  if (wrong !== undefined) return refuse("INVALID_REQUEST", { detail: wrong })
  if (!holds(membership, "DELEGATE", now)) {
    return refuse("FORBIDDEN", { detail: "This person may not delegate for the organization." })
  }
  const beyond = input.actions.filter(
    (action) => !isForRole(action, input.role) || !holds(membership, authorityFor(action, input.role), now)
  )
  return beyond.length === 0
    ? Effect.void
    : refuse("FORBIDDEN", { detail: `The membership or the side does not carry ${beyond.join(", ")}.` })
}

const whatIsWrongWith = (
  { agentName, actions, projectIds, proposalIds = [], subjectRequirements, expiresAt }: GrantInput,
  now: Instant
) => {
  if (!showsSomething(agentName) || agentName.length > limits.titleCharacters) {
    return `An agent's name has 1 to ${limits.titleCharacters} characters, one that people can see among them.`
  }
  if (subjectRequirements.length > limits.subjectRequirements) {
    return `At most ${limits.subjectRequirements} subject requirements can bind an agreement.`
  }
  if (new Set(actions).size !== actions.length) return "Each action is named once."
  if (new Set(projectIds).size !== projectIds.length) return "Each project is named once."
  if (new Set(proposalIds).size !== proposalIds.length) return "Each proposal is named once."
  return whatIsWrongWithEnd(expiresAt, now)
}

export const whatIsWrongWithEnd = (expiresAt: Instant | undefined, now: Instant): string | undefined =>
  expiresAt !== undefined && (expiresAt <= now || expiresAt > addMilliseconds(now, limits.credentialLifetime))
    ? "A grant ends in the future, at most 30 days from now."
    : undefined

/**
 * Puts a project into a grant's scope by a signed event. The caller holds the grant exclusively and writes what is
 * returned into the grant's row.
 */
export const linkProject = Effect.fn("access.linkProject")(function* (
  transaction: Transaction,
  grant: GrantRow,
  projectId: string,
  salt: string,
  now: Instant
) {
  const { grantId, projectCount } = grant
  if (projectCount >= limits.projectsPerGrant) return yield* refuse("CREATED_PROJECT_LIMIT")
  const change = { kind: "LINK_PROJECT", change: { projectDigest: projectDigest(projectId, salt) } } as const
  const end = yield* appendAuthority(transaction, grantId, grant, change, now)
  const sequence = end.authoritySequence
  yield* transaction.insert(GrantProjects, { grantId, projectId, salt, sequence, linkedAt: now })
  return { ...end, projectCount: projectCount + 1 }
})

/** The same for a proposal. */
export const linkProposal = Effect.fn("access.linkProposal")(function* (
  transaction: Transaction,
  grant: GrantRow,
  proposalId: string,
  salt: string,
  now: Instant
) {
  const { grantId, proposalCount } = grant
  if (proposalCount >= limits.proposalsPerGrant) return yield* refuse("CREATED_PROPOSAL_LIMIT")
  const change = { kind: "LINK_PROPOSAL", change: { proposalDigest: proposalIdDigest(proposalId, salt) } } as const
  const end = yield* appendAuthority(transaction, grantId, grant, change, now)
  const sequence = end.authoritySequence
  yield* transaction.insert(GrantProposals, { grantId, proposalId, salt, sequence, linkedAt: now })
  return { ...end, proposalCount: proposalCount + 1 }
})

/** True where the grant still works and one more project fits into its scope and its chain. */
export const canTakeProject = (grant: GrantRow, now: Instant): boolean =>
  isGrantLive(grant, now) &&
  grant.projectCount < limits.projectsPerGrant &&
  grant.authoritySequence + 1 < limits.authorityEvents

/** Writes the end of the chain and the count that a link has moved. */
export const saveScope = (
  transaction: Transaction,
  grantId: string,
  scope: Effect.Success<ReturnType<typeof linkProject>> | Effect.Success<ReturnType<typeof linkProposal>>
) => transaction.update(Grants, [grantId], scope)
