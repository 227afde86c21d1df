/** The only mapping from a stored proposal to the wire. The recipient sees the version that was published to them. */
import type { Action } from "../access/actions.ts"
import { viewAutomation } from "../projects/pause.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import { proposalHints } from "./hints.ts"
import type { StoredProposal } from "./history.ts"
import { proposalUrl } from "./human-url.ts"
import type { PartyActor } from "../projects/guard-context.ts"
import type { ProposalRow } from "./store.ts"

/** The caller for whom a view is made. */
export interface ProposalViewer {
  readonly by: PartyActor
  readonly mayAct: (action: Action) => boolean
}

export interface ProposalViewInput {
  readonly stored: StoredProposal
  readonly viewer: ProposalViewer
  readonly readiness: { readonly ready: boolean; readonly missing: ReadonlyArray<RefusalCode> }
  readonly siteUrl: string
}

export const viewProposal = ({ stored, viewer, readiness, siteUrl }: ProposalViewInput) => {
  const { row } = stored
  const { by, mayAct } = viewer
  const version = versionForSide(stored, by)
  const humanUrl = proposalUrl(siteUrl, row.proposalId)
  const { terms } = version.document
  const proposal = { ...row, terms }
  const pausedBy = row.pauses.map(({ side }) => side)
  return {
    proposal: { ...summaryOf(row, by), terms },
    automation: viewAutomation(row.automationRevision, row.pauses),
    humanUrl,
    ...proposalHints({ proposal, pausedBy, by, mayAct, humanUrl }),
    decisionReadiness: readiness
  }
}

/** A proposal in a list: its row alone. */
export const viewListedProposal = (row: ProposalRow, by: PartyActor, siteUrl: string) => ({
  ...summaryOf(row, by),
  title: summaryFor(row, by).summary.title,
  createdAt: row.createdAt,
  automation: viewAutomation(row.automationRevision, row.pauses),
  humanUrl: proposalUrl(siteUrl, row.proposalId)
})

const summaryOf = (row: ProposalRow, by: PartyActor) => {
  const { version, summary } = summaryFor(row, by)
  return {
    id: row.proposalId,
    state: row.state,
    version,
    publishedVersion: row.publishedVersion,
    digest: summary.digest,
    proposalHead: row.headEventHash,
    supplier: { organizationId: row.organizationId, actorId: summary.supplierActorId },
    // The reference is private to the author's organization.
    recipient: {
      actorId: summary.recipientActorId,
      reference: by.side === "SUPPLIER" ? summary.recipientReference : null
    },
    projectId: row.projectId
  }
}

// Only a recipient of a published version acts for the buyer, so for the buyer it exists.
const summaryFor = ({ version, summary, publishedVersion, publishedSummary }: ProposalRow, { side }: PartyActor) =>
  side === "SUPPLIER" ? { version, summary } : { version: publishedVersion!, summary: publishedSummary! }

/** The whole version that a side sees. */
export const versionForSide = ({ current, published }: StoredProposal, { side }: PartyActor) =>
  side === "SUPPLIER" ? current : published!
