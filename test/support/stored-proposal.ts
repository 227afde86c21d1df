/** Proposals for tests of decisions, without a store: one in each state, and its callers. */
import type { SubjectRequirement } from "../../src/access/actions.ts"
import type { ProposalCommand } from "../../src/proposals/decide.ts"
import { summarizeVersion, type StoredProposal } from "../../src/proposals/history.ts"
import {
  proposalDigest,
  type ProposalDocument,
  type ProposalMove,
  type ProposalState
} from "../../src/proposals/proposal.ts"
import type { ProposalRow } from "../../src/proposals/store.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"

const dayOne = "2026-03-01T09:00:00.000Z" as Instant

/** Sam's organization offers to Dana. */
export const people = {
  sam: { personId: "person_sam", organizationId: "organization_studio" },
  mia: { personId: "person_mia", organizationId: "organization_studio" },
  dana: { personId: "person_dana", organizationId: "organization_shop" },
  eve: { personId: "person_eve", organizationId: "organization_elsewhere" }
} as const

const proposalId = "proposal_00000000-0000-4000-8000-000000000001"

const documentOf = (
  version: number,
  subjectRequirements: ReadonlyArray<SubjectRequirement> = []
): ProposalDocument => ({
  schema: "service.proposal/v1",
  proposalId,
  version,
  supplier: { organizationId: people.sam.organizationId, actorId: people.sam.personId },
  recipient: { actorId: people.dana.personId },
  terms: {
    title: `Logo ${version}`,
    scope: "One logo.",
    buyerName: "Dana Ltd",
    supplierName: "Sam Studio",
    supplierActorId: people.sam.personId,
    supplierReference: "Sam",
    criteria: [{ id: "vector", title: "Vector files", requirement: "An SVG." }],
    deadline: "2026-04-01T00:00:00.000Z" as Instant,
    reviewDeadline: "2026-05-01T00:00:00.000Z" as Instant,
    baselineStatement: "None yet.",
    materialPolicy: "FILE_DIGESTS",
    termsPolicy: { purpose: "Record", contractBasis: "THIS_AGREEMENT", sharing: "Both", sharingRecipients: [] },
    originals: { custodian: "Sam", location: "Folder", access: "Both" },
    subjectRequirements,
    legalContext: { documents: [] }
  }
})

interface Changes extends Partial<ProposalRow> {
  readonly subjectRequirements?: ReadonlyArray<SubjectRequirement>
}

/** A first version, published in every state after publication. */
export const storedIn = (state: ProposalState, { subjectRequirements, ...changes }: Changes = {}): StoredProposal => {
  const version = changes.version ?? 1
  const versionOf = (number: number) => {
    const document = documentOf(number, subjectRequirements)
    return { document, digest: proposalDigest(document), recipientReference: "dana" }
  }
  const current = versionOf(version)
  const publishedVersion = state === "DRAFT" ? null : version
  const row: ProposalRow = {
    proposalId,
    tenantId: "tenant",
    organizationId: people.sam.organizationId,
    state,
    version,
    summary: summarizeVersion(current),
    publishedVersion,
    publishedSummary: publishedVersion === null ? null : summarizeVersion(versionOf(publishedVersion)),
    recipientActorId: publishedVersion === null ? null : people.dana.personId,
    buyerOrganizationId: state === "ACCEPTED" ? people.dana.organizationId : null,
    headEventHash: "h".repeat(64),
    eventCount: 3,
    lastEventAt: dayOne,
    automationRevision: 0,
    pauses: [],
    holders: [],
    projectId: state === "ACCEPTED" ? "delivery_00000000-0000-4000-8000-000000000002" : null,
    createdAt: dayOne,
    ...changes
  }
  return { row, current, published: row.publishedVersion === null ? undefined : versionOf(row.publishedVersion) }
}

const requestId = "00000000-0000-4000-8000-000000000003"

/** The input of a careful client for a move on the proposal. */
export const carefulCommand = ({ row, current, published }: StoredProposal, move: ProposalMove): ProposalCommand => {
  switch (move) {
    case "UPDATE": {
      const { recipient, terms } = current.document
      const offered = { recipientActorId: recipient.actorId, recipientReference: "dana", terms }
      return { kind: "UPDATE", input: { requestId, expectedVersion: row.version, ...offered } }
    }
    case "PUBLISH":
    case "WITHDRAW":
      return { kind: move, input: { requestId, expectedVersion: row.version } }
    default: {
      const proposalDigest = published?.digest ?? current.digest
      return { kind: "RESPOND", input: { requestId, proposalDigest, action: move, reason: "Read it." } }
    }
  }
}
