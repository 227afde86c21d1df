/** The tables of delegated access: connections, grants, hashes of credentials, scope and authority chains. */
import { instant, integer, json, nullable, table, text, type RowOf } from "../ports/table.ts"
import type { Action, Role, SubjectRequirement } from "./actions.ts"
import type { ConnectionState } from "./connection.ts"

export const Grants = table("grants", {
  columns: {
    grantId: text(),
    tenantId: text(),
    organizationId: text(),
    membershipId: text(),
    personId: text(),
    authorizerName: text(),
    agentId: text(),
    agentName: text(),
    role: text<Role>(),
    actions: json<ReadonlyArray<Action>>(),
    subjectRequirements: json<ReadonlyArray<SubjectRequirement>>(),
    createdAt: instant,
    expiresAt: instant,
    revokedAt: nullable(instant),
    /** Rises with each renewal; only the credential of this generation is live. */
    generation: integer,
    projectCount: integer,
    proposalCount: integer,
    jobCount: integer,
    draftCount: integer,
    authorityHead: text(),
    authoritySequence: integer,
    authorityAt: instant
  },
  key: ["grantId"],
  guard: { lock: "grant", by: "grantId" },
  ordered: {
    byMembership: ["membershipId", "grantId"],
    byOrganization: ["organizationId", "grantId"],
    byPerson: ["personId", "grantId"],
    byCreation: ["personId", "createdAt", "grantId"]
  }
})

/** One credential per generation, stored as the hash of its token. Its use is recorded here, separately from the grant. */
export const Credentials = table("credentials", {
  columns: {
    tokenHash: text(),
    grantId: text(),
    membershipId: text(),
    generation: integer,
    createdAt: instant,
    firstUsedAt: nullable(instant),
    lastUsedAt: nullable(instant)
  },
  key: ["tokenHash"],
  guard: { lock: "credential", by: "tokenHash" },
  unique: { byGeneration: ["grantId", "generation"] },
  ordered: { byGrant: ["grantId", "tokenHash"] }
})

/** Connections; of their codes only hashes are stored. */
export const Connections = table("connections", {
  columns: {
    connectionId: text(),
    deviceCodeHash: text(),
    /** Keyed, since a code can be guessed; replaced once the code is no longer valid. */
    userCodeHash: text(),
    /** The key from which the credential is derived. */
    keyId: text(),
    agentName: text(),
    client: text(),
    /** The client's address at the start, as far as it can be trusted. */
    origin: nullable(text()),
    requestedRole: nullable(text<Role>()),
    requestedActions: json<ReadonlyArray<Action>>(),
    createdAt: instant,
    expiresAt: instant,
    state: text<ConnectionState>(),
    /** Seconds between polls; it only increases. */
    interval: integer,
    polledAt: nullable(instant),
    /** The first session that entered the code. */
    sessionId: nullable(text()),
    personId: nullable(text()),
    membershipId: nullable(text()),
    grantId: nullable(text()),
    /** When a worker processes it next: at its expiry, then once to delete it. */
    dueAt: instant,
    leasedUntil: instant,
    leaseToken: text()
  },
  key: ["connectionId"],
  guard: { lock: "connection", by: "connectionId" },
  unique: { byDeviceCode: ["deviceCodeHash"], byUserCode: ["userCodeHash"] },
  ordered: { byDue: ["dueAt", "connectionId"], byState: ["state", "connectionId"] },
  lease: { dueAt: "dueAt", leasedUntil: "leasedUntil", token: "leaseToken" }
})

/** The exact projects in a grant's scope. The salt hides the project's id in the authority chain. */
export const GrantProjects = table("grant_projects", {
  columns: { grantId: text(), projectId: text(), salt: text(), sequence: integer, linkedAt: instant },
  key: ["grantId", "projectId"],
  guard: { lock: "grant", by: "grantId" }
})

/** The exact proposals in a grant's scope, in the order of their links, so that pagination is stable. */
export const GrantProposals = table("grant_proposals", {
  columns: { grantId: text(), proposalId: text(), salt: text(), sequence: integer, linkedAt: instant },
  key: ["grantId", "proposalId"],
  guard: { lock: "grant", by: "grantId" },
  ordered: { bySequence: ["grantId", "sequence", "proposalId"] }
})

export const AuthorityEvents = table("authority_events", {
  columns: { grantId: text(), sequence: integer, hash: text(), jws: text() },
  key: ["grantId", "sequence"],
  guard: { lock: "grant", by: "grantId" },
  provesCommit: true
})

export type CredentialRow = RowOf<typeof Credentials>
export type ConnectionRow = RowOf<typeof Connections>
export type GrantRow = RowOf<typeof Grants>
export type GrantProjectRow = RowOf<typeof GrantProjects>
