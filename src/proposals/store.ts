/** The tables of proposals: the proposals, their versions, signed events, recorded sides and automation log. */
import type { Role } from "../access/actions.ts"
import type { CanonicalText } from "../canonical/jcs.ts"
import type { ProposalDocument } from "./proposal.ts"
import { boolean, instant, integer, json, nullable, table, text, type RowOf } from "../ports/table.ts"
import type { Pause } from "../projects/pause.ts"
import type { ProposalEvent } from "./event.ts"
import type { ProposalHolder, ProposalState, VersionSummary } from "./proposal.ts"

export const Proposals = table("proposals", {
  columns: {
    proposalId: text(),
    tenantId: text(),
    /** The supplier's organization; its members write the proposal. */
    organizationId: text(),
    state: text<ProposalState>(),
    version: integer,
    /** The current version's fields for lists, which do not read the terms. */
    summary: json<VersionSummary>(),
    /** The last published version and its recipient, who sees only this version. */
    publishedVersion: nullable(integer),
    publishedSummary: nullable(json<VersionSummary>()),
    recipientActorId: nullable(text()),
    /** The organization for which the recipient accepted. */
    buyerOrganizationId: nullable(text()),
    headEventHash: text(),
    eventCount: integer,
    lastEventAt: instant,
    automationRevision: integer,
    pauses: json<ReadonlyArray<Pause>>(),
    /** The grants with this proposal in scope; an acceptance links the agreement to them. */
    holders: json<ReadonlyArray<ProposalHolder>>(),
    projectId: nullable(text()),
    createdAt: instant
  },
  key: ["proposalId"],
  guard: { lock: "proposal", by: "proposalId" }
})

/** Versions are immutable; hashed bytes stay text. The author's reference is outside the digest. */
export const ProposalVersions = table("proposal_versions", {
  columns: {
    proposalId: text(),
    version: integer,
    document: text<CanonicalText<ProposalDocument>>(),
    digest: text(),
    recipientReference: text()
  },
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
  guard: { lock: "proposal", by: "proposalId" },
  unique: { byHash: ["proposalId", "hash"] },
  provesCommit: true
})

/** The recorded side of each person and organization. The key permits one side a person, permanently. */
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
  guard: { lock: "proposal", by: "proposalId" }
})

export type ProposalSideRow = RowOf<typeof ProposalSides>
export type ProposalRow = RowOf<typeof Proposals>
