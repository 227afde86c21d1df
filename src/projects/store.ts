/** The tables of projects, signed events, the automation log and issuance requests. */
import { boolean, instant, integer, json, nullable, table, text, type RowOf } from "../ports/table.ts"
import type { Role } from "../access/actions.ts"
import type { CanonicalText } from "../canonical/jcs.ts"
import type { Agreement } from "./agreement.ts"
import type { ProjectEvent } from "./event.ts"
import type { LostHead } from "./lost-head.ts"
import type { Pause } from "./pause.ts"
import type { Hold, State } from "./project.ts"

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
    agreement: text<CanonicalText<Agreement>>(),
    agreementDigest: text(),
    headEventHash: text(),
    /** The sequence of the last event: more than the number of events where events were lost. */
    eventCount: integer,
    historyBytes: integer,
    lastEventAt: instant,
    automationRevision: integer,
    pauses: json<ReadonlyArray<Pause>>(),
    /** In a revision, the agreed project that its acceptance supersedes. */
    supersedesProjectId: nullable(text()),
    /** The newest offered revision of agreed terms. */
    revisionProjectId: nullable(text()),
    /** Written with each event, so that the next action is known without the history. */
    holdPurpose: nullable(text<Hold["purpose"]>()),
    signedBy: json<ReadonlyArray<Role>>(),
    /** The number of webhook subscriptions. */
    listeners: integer,
    /** The newest event that is known and that the history lacks. */
    lostHead: nullable(json<LostHead>()),
    /** See `searchTextOf`; null where the previous version created the project, until its next event. */
    searchText: nullable(text()),
    createdAt: instant
  },
  key: ["projectId"],
  guard: { lock: "project", by: "projectId" }
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
  guard: { lock: "project", by: "projectId" },
  unique: { byHash: ["projectId", "hash"] },
  provesCommit: true
})

/**
 * The parties that list a project: the organizations of both sides, each person ever named as its supplier, and each
 * person with a task of one side. The key allows a person one side.
 */
export const ProjectSides = table("project_sides", {
  /** `createdAt` is when the project was created, the same for all of its parties. */
  columns: { party: text(), projectId: text(), role: text<Role>(), createdAt: instant },
  key: ["party", "projectId"],
  guard: "append-only",
  ordered: { byCreation: ["party", "createdAt", "projectId"] }
})

/** Pauses and resumes: they increment the automation revision and leave the head unchanged. */
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
  guard: { lock: "project", by: "projectId" }
})

/** Lost events of a project: found (`OPEN`, the project is read-only), then explained by a signed statement. */
export const HistoryGaps = table("history_gaps", {
  columns: {
    projectId: text(),
    /** Counts the gaps of one project from 1. */
    number: integer,
    state: text<"OPEN" | "STATED">(),
    lostSequence: integer,
    lostEventHash: text(),
    /** Where the lost head was known: in a signed artifact, in an unsigned one, or in the memory of a process. */
    source: text<"SIGNED" | "UNSIGNED" | "PROCESS">(),
    foundAt: instant,
    keptSequence: nullable(integer),
    epoch: nullable(text()),
    statement: nullable(text())
  },
  key: ["projectId", "number"],
  guard: { lock: "project", by: "projectId" },
  ordered: { byState: ["state", "projectId", "number"] }
})

/** The issuance request of a confirmation and its outcome. */
export const Issuances = table("issuances", {
  columns: {
    projectId: text(),
    confirmationId: text(),
    status: text<"PENDING" | "ISSUED" | "STOPPED">(),
    continuation: nullable(text<"WAITING_COVERAGE" | "NEEDS_REVIEW">()),
    requestId: text(),
    /** The requesting grant or person, whose authority is rechecked before issuance. */
    grantId: nullable(text()),
    personId: nullable(text()),
    membershipId: text(),
    generation: nullable(integer),
    headEventHash: text(),
    automationRevision: integer,
    recordId: nullable(text()),
    /** `never` once the request is closed. */
    dueAt: instant,
    leasedUntil: instant,
    leaseToken: text()
  },
  key: ["projectId"],
  guard: { lock: "project", by: "projectId" },
  ordered: { byDue: ["dueAt", "projectId"] },
  partial: { byDue: "dueAt" },
  lease: { dueAt: "dueAt", leasedUntil: "leasedUntil", token: "leaseToken" }
})

export type ProjectRow = RowOf<typeof Projects>
export type HistoryGapRow = RowOf<typeof HistoryGaps>
export type SideRow = RowOf<typeof ProjectSides>
export type IssuanceRow = RowOf<typeof Issuances>
