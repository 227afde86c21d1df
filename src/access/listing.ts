/** Grants and connections as an operator lists them, ordered by id; without tokens, codes and hashes. */
import { Effect } from "effect"
import { readMembership } from "../people/acting-person.ts"
import { holds } from "../people/membership.ts"
import { readListing, type PageRequest } from "../ports/storage/page.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuseUnknownId } from "../vocabulary/refusals.ts"
import type { ConnectionState } from "./connection.ts"
import {
  Connections,
  Credentials,
  GrantProjects,
  GrantProposals,
  Grants,
  type ConnectionRow,
  type GrantRow
} from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

export interface GrantFilter {
  readonly organizationId?: string
  readonly personId?: string
  readonly membershipId?: string
}

/** Grants of an organization, of their authorizer, under a membership, or all. */
export const listAllGrants = traced("access.listAllGrants")(function* (
  { organizationId, personId, membershipId }: GrantFilter,
  page: PageRequest<string>
) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const filter = { byMembership: membershipId, byOrganization: organizationId, byPerson: personId }
    const found = yield* readListing(reader, Grants, page, filter)
    return { ...found, items: yield* readTogether(found.items.map((row) => summaryOf(reader, row, now))) }
  })
})

/** A grant with its scope and the use of its credential. */
export const showGrant = traced("access.showGrant")(function* (grantId: string) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const grant = yield* reader.get(Grants, [grantId])
    if (grant === undefined) return yield* refuseUnknownId("grant", grantId)
    const [item, projects, proposals, credential] = yield* readTogether([
      summaryOf(reader, grant, now),
      reader.range(GrantProjects, "key", { prefix: [grantId], limit: limits.projectsPerGrant }),
      reader.range(GrantProposals, "bySequence", { prefix: [grantId], limit: limits.proposalsPerGrant }),
      reader.find(Credentials, "byGeneration", [grantId, grant.generation])
    ])
    return {
      ...item,
      projectIds: projects.map(({ projectId }) => projectId),
      proposalIds: proposals.map(({ proposalId }) => proposalId),
      subjectRequirements: grant.subjectRequirements,
      credential:
        credential === undefined
          ? null
          : {
              createdAt: credential.createdAt,
              firstUsedAt: credential.firstUsedAt,
              lastUsedAt: credential.lastUsedAt
            }
    }
  })
})

const summaryOf = Effect.fnUntraced(function* (reader: Reader, grant: GrantRow, now: Instant) {
  const membership = yield* readMembership(reader, grant.membershipId)
  const { revokedAt, expiresAt } = grant
  const state = revokedAt !== null ? "REVOKED" : expiresAt <= now ? "EXPIRED" : "ACTIVE"
  const { grantId, agentId, agentName, role, actions, organizationId, membershipId, personId, authorizerName } = grant
  const { createdAt, generation, projectCount, proposalCount } = grant
  return {
    grantId,
    state,
    /** False also where the membership has ended or lost DELEGATE. */
    isUsable: state === "ACTIVE" && membership !== undefined && holds(membership, "DELEGATE", now),
    agentId,
    agentName,
    role,
    actions,
    organizationId,
    membershipId,
    personId,
    authorizerName,
    createdAt,
    expiresAt,
    revokedAt,
    generation,
    projectCount,
    proposalCount
  } as const
})

/** Connections in one state, or all; an ended connection is deleted after its retention. */
export const listConnections = traced("access.listConnections")(function* (
  { state }: { readonly state?: ConnectionState },
  page: PageRequest<string>
) {
  const found = yield* inView((reader) => readListing(reader, Connections, page, { byState: state }))
  return { ...found, items: found.items.map(withoutCodes) }
})

export const showConnection = traced("access.showConnection")(function* (connectionId: string) {
  const found = yield* inView((reader) => reader.get(Connections, [connectionId]))
  return found === undefined ? yield* refuseUnknownId("connection", connectionId) : withoutCodes(found)
})

const withoutCodes = (row: ConnectionRow) => ({
  connectionId: row.connectionId,
  state: row.state,
  agentName: row.agentName,
  client: row.client,
  origin: row.origin,
  requestedRole: row.requestedRole,
  requestedActions: row.requestedActions,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  personId: row.personId,
  membershipId: row.membershipId,
  grantId: row.grantId
})
