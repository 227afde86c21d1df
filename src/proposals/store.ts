/** The tables of proposals: one row a proposal, its versions, its signed events, its sides, and its automation log. */
import type { Role } from "../access/actions.ts"
import { boolean, instant, integer, json, nullable, table, text, type RowOf } from "../ports/table.ts"
import type { Pause } from "../projects/pause.ts"
import type { ProposalEvent } from "./event.ts"
import type { Holder, ProposalState, VersionSummary } from "./proposal.ts"

export const Proposals = table("proposals", {
  columns: {
    proposalId: text(),
    tenantId: text(),
    /** The supplier's organization, whose members write it. */
    organizationId: text(),
    state: text<ProposalState>(),
    version: integer,
    /** Of the current version: what a list shows without reading its terms. */
    summary: json<VersionSummary>(),
    /** The last version that was published, and to whom: its recipient sees that one and no other. */
    publishedVersion: nullable(integer),
    publishedSummary: nullable(json<VersionSummary>()),
    recipientActorId: nullable(text()),
    /** For which of their organizations the recipient accepted. */
    buyerOrganizationId: nullable(text()),
    headEventHash: text(),
    eventCount: integer,
    lastEventAt: instant,
    automationRevision: integer,
    pauses: json<ReadonlyArray<Pause>>(),
    /** The grants that hold it: its acceptance puts the agreement into their scope. */
    holders: json<ReadonlyArray<Holder>>(),
    projectId: nullable(text()),
    createdAt: instant
  },
  key: ["proposalId"],
  guard: { root: "proposal", by: "proposalId" }
})

/** Versions never change; hashed bytes stay text. The reference is the author's own and outside the digest. */
export const ProposalVersions = table("proposal_versions", {
  columns: { proposalId: text(), version: integer, document: text(), digest: text(), recipientReference: text() },
  key: ["proposalId", "version"],
  guard: "append-only"
})

export const ProposalEvents = table("proposal_events", {
  columns: {
    proposalId: text(),
    sequence: integer,
    kind: text<ProposalEvent["kind"]>(),
    hash: text(),
    jws: text(),
    occurredAt: instant
  },
  key: ["proposalId", "sequence"],
  guard: { root: "proposal", by: "proposalId" },
  unique: { byHash: ["proposalId", "hash"] }
})

/** Under whom a proposal is found. The key lets a person have one side, for good. */
export const ProposalSides = table("proposal_sides", {
  columns: { party: text(), proposalId: text(), role: text<Role>(), at: instant },
  key: ["party", "proposalId"],
  guard: "append-only",
  ordered: { byProposal: ["proposalId", "party"], byTime: ["party", "at", "proposalId"] }
})

export const ProposalAutomationChanges = table("proposal_automation_changes", {
  columns: {
    proposalId: text(),
    revision: integer,
    paused: boolean,
    side: text<Role>(),
    by: text(),
    reason: text(),
    at: instant
  },
  key: ["proposalId", "revision"],
  guard: { root: "proposal", by: "proposalId" }
})

export type ProposalRow = RowOf<typeof Proposals>
