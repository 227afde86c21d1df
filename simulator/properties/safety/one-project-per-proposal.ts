/** An accepted proposal becomes exactly one agreement (spec 3, 4.4). */
import { ProjectEvents } from "../../../src/projects/store.ts"
import { ProposalEvents, Proposals, ProposalVersions } from "../../../src/proposals/store.ts"
import { violation, monitoredProperty, rowIn, type Rows, rowsWithPrefix } from "../property.ts"
import { rowsWritten } from "../support/commits.ts"
import { signedEventOf } from "../support/signed-events.ts"

export const oneProjectPerProposal = monitoredProperty<null>({
  name: "one project per proposal",
  kind: "always",
  says: "A proposal is accepted at most once, and its acceptance creates exactly one project, which never changes.",
  judges: { kinds: [], commitsTo: [Proposals, ProjectEvents] },
  initial: null,
  next: (_, { observed, rows, before }) => {
    if (observed.kind !== "commit") return null
    for (const { proposalId, projectId } of rowsWritten(observed, rows, Proposals)) {
      const earlier = rowIn(before, Proposals, [proposalId])?.projectId ?? null
      if (earlier !== null && earlier !== projectId) return violation(`${proposalId} changed its project`)
      const same = projectId === null ? [] : rows.of(Proposals).filter((one) => one.projectId === projectId)
      if (same.length > 1) return violation(`${projectId} is the project of ${same.length} proposals`)
      const accepted = rowsWithPrefix(rows, ProposalEvents, [proposalId]).filter(isAcceptance)
      if (accepted.length > 1) return violation(`${proposalId} was accepted ${accepted.length} times`)
    }
    for (const event of rowsWritten(observed, rows, ProjectEvents, "insert")) {
      const digest = proposalOf(event)
      if (digest === undefined) continue
      const created = rows.of(ProjectEvents).filter((one) => proposalOf(one) === digest)
      if (created.length > 1) return violation(`${created.length} projects were created from one proposal`)
      const proposal = rows.of(Proposals).find((one) => one.projectId === event.projectId)
      if (proposal === undefined || !hasVersion(rows, proposal.proposalId, digest)) {
        return violation(`${event.projectId} was created from a proposal that does not name it`)
      }
    }
    return null
  }
})

const isAcceptance = (row: { readonly kind: string; readonly jws: string }): boolean => {
  const event = row.kind === "RESPOND" ? signedEventOf(row) : undefined
  return event?.kind === "RESPOND" && event.payload.action === "ACCEPT"
}

/** The digest of the proposal from which a project was created. */
const proposalOf = (row: { readonly sequence: number; readonly jws: string }): string | undefined => {
  const event = row.sequence === 1 ? signedEventOf(row) : undefined
  return event?.kind === "CREATE" && "proposalDigest" in event.payload ? event.payload.proposalDigest : undefined
}

const hasVersion = (rows: Rows, proposalId: string, digest: string): boolean =>
  rowsWithPrefix(rows, ProposalVersions, [proposalId]).some((version) => version.digest === digest)
