/** The tables of delegated access: grants, the hashes of their credentials, their scope and their authority chains. */
import { instant, integer, json, nullable, table, text, type RowOf } from "../ports/table.ts"
import type { Action, Role, SubjectRequirement } from "./actions.ts"

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
    authorityHead: text(),
    authoritySequence: integer,
    authorityAt: instant
  },
  key: ["grantId"],
  guard: { root: "grant", by: "grantId" },
  ordered: { byMembership: ["membershipId", "grantId"] }
})

/** Only the hash of a token is stored. */
export const Credentials = table("credentials", {
  columns: { tokenHash: text(), grantId: text(), membershipId: text(), generation: integer, createdAt: instant },
  key: ["tokenHash"],
  guard: "append-only"
})

/** The exact projects a grant reaches. The salt hides the project's id in the authority chain from everyone else. */
export const GrantProjects = table("grant_projects", {
  columns: { grantId: text(), projectId: text(), salt: text(), sequence: integer, linkedAt: instant },
  key: ["grantId", "projectId"],
  guard: { root: "grant", by: "grantId" }
})

export const AuthorityEvents = table("authority_events", {
  columns: { grantId: text(), sequence: integer, hash: text(), jws: text() },
  key: ["grantId", "sequence"],
  guard: { root: "grant", by: "grantId" }
})

export type GrantRow = RowOf<typeof Grants>
export type GrantProjectRow = RowOf<typeof GrantProjects>
