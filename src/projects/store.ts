/** The tables of projects: one row a project, its signed events, its automation log, and the wish to issue. */
import { boolean, instant, integer, json, nullable, table, text, type RowOf } from "../ports/table.ts"
import type { Role } from "../access/actions.ts"
import type { ProjectEvent } from "./event.ts"
import type { Pause } from "./pause.ts"
import type { State } from "./project.ts"

export const Projects = table("projects", {
  columns: {
    projectId: text(),
    tenantId: text(),
    buyerOrganizationId: text(),
    buyerActorId: text(),
    supplierActorId: nullable(text()),
    supplierOrganizationId: nullable(text()),
    state: text<State>(),
    /** The canonical text of the agreement: hashed bytes stay text. */
    agreement: text(),
    agreementDigest: text(),
    headEventHash: text(),
    eventCount: integer,
    historyBytes: integer,
    lastEventAt: instant,
    automationRevision: integer,
    pauses: json<ReadonlyArray<Pause>>(),
    /** In a revision, the agreed project that its acceptance supersedes. */
    supersedesProjectId: nullable(text()),
    /** The newest revision of agreed terms that was offered. */
    revisionProjectId: nullable(text()),
    /** How many callback subscriptions listen to it. */
    listeners: integer,
    createdAt: instant
  },
  key: ["projectId"],
  guard: { root: "project", by: "projectId" }
})

export const ProjectEvents = table("project_events", {
  columns: {
    projectId: text(),
    sequence: integer,
    kind: text<ProjectEvent["kind"]>(),
    hash: text(),
    jws: text(),
    occurredAt: instant
  },
  key: ["projectId", "sequence"],
  guard: { root: "project", by: "projectId" },
  unique: { byHash: ["projectId", "hash"] }
})

/**
 * Under whom a project is found: the organizations of both sides, each person ever named as its supplier, and whoever
 * took a task of one side. The key lets a person have one side.
 */
export const ProjectSides = table("project_sides", {
  columns: { party: text(), projectId: text(), role: text<Role>() },
  key: ["party", "projectId"],
  guard: "append-only"
})

/** Pauses and resumes: they move the automation revision, never the head. */
export const AutomationChanges = table("automation_changes", {
  columns: {
    projectId: text(),
    revision: integer,
    paused: boolean,
    side: text<Role>(),
    by: text(),
    reason: text(),
    at: instant
  },
  key: ["projectId", "revision"],
  guard: { root: "project", by: "projectId" }
})

/** The wish to have a record issued for a confirmation, and what became of it. */
export const Issuances = table("issuances", {
  columns: {
    projectId: text(),
    confirmationId: text(),
    status: text<"PENDING" | "ISSUED" | "STOPPED">(),
    continuation: nullable(text<"WAITING_COVERAGE" | "NEEDS_REVIEW">()),
    requestId: text(),
    /** Who asked, an agent or a person: their authority is rechecked before anything is issued. */
    grantId: nullable(text()),
    personId: nullable(text()),
    membershipId: text(),
    generation: nullable(integer),
    headEventHash: text(),
    automationRevision: integer,
    recordId: nullable(text()),
    /** `never` once there is nothing left to do. */
    dueAt: instant,
    leasedUntil: instant,
    leaseToken: text()
  },
  key: ["projectId"],
  guard: { root: "project", by: "projectId" },
  ordered: { byDue: ["dueAt", "projectId"] },
  lease: { dueAt: "dueAt", leasedUntil: "leasedUntil", token: "leaseToken" }
})

export type ProjectRow = RowOf<typeof Projects>
export type IssuanceRow = RowOf<typeof Issuances>
