/** An accepted proposal becomes exactly one agreement (spec 3, 4.4). */
import { ProjectEvents } from "../../src/projects/store.ts"
import { ProposalEvents, Proposals, ProposalVersions } from "../../src/proposals/store.ts"
import { broken, invariant, rowIn, type Rows, rowsUnder } from "./invariant.ts"
import { rowsWritten } from "./support/commits.ts"
import { signedIn } from "./support/signed.ts"

export const oneFinalProject = invariant<null>({
  name: "one final project a proposal",
  kind: "always",
  says: "A proposal is accepted at most once, and its acceptance creates exactly one project, which never changes.",
  begins: null,
  sees: (_, { observed, rows, before }) => {
    if (observed.kind !== "commit") return null
    for (const { proposalId, projectId } of rowsWritten(observed, rows, Proposals)) {
      const earlier = rowIn(before, Proposals, [proposalId])?.projectId ?? null
      if (earlier !== null && earlier !== projectId) return broken(`${proposalId} changed its project`)
      const same = projectId === null ? [] : rows.of(Proposals).filter((one) => one.projectId === projectId)
      if (same.length > 1) return broken(`${projectId} is the project of ${same.length} proposals`)
      const accepted = rowsUnder(rows, ProposalEvents, [proposalId]).filter(isAcceptance)
      if (accepted.length > 1) return broken(`${proposalId} was accepted ${accepted.length} times`)
    }
    for (const event of rowsWritten(observed, rows, ProjectEvents, "insert")) {
      const digest = proposalOf(event)
      if (digest === undefined) continue
      const created = rows.of(ProjectEvents).filter((one) => proposalOf(one) === digest)
      if (created.length > 1) return broken(`${created.length} projects were created from one proposal`)
      const proposal = rows.of(Proposals).find((one) => one.projectId === event.projectId)
      if (proposal === undefined || !hasVersion(rows, proposal.proposalId, digest)) {
        return broken(`${event.projectId} was created from a proposal that does not name it`)
      }
    }
    return null
  }
})

const isAcceptance = (row: { readonly kind: string; readonly jws: string }): boolean => {
  const event = row.kind === "RESPOND" ? signedIn(row) : undefined
  return event?.kind === "RESPOND" && event.payload.action === "ACCEPT"
}

/** The digest of the proposal from which a project was created. */
const proposalOf = (row: { readonly sequence: number; readonly jws: string }): string | undefined => {
  const event = row.sequence === 1 ? signedIn(row) : undefined
  return event?.kind === "CREATE" && "proposalDigest" in event.payload ? event.payload.proposalDigest : undefined
}

const hasVersion = (rows: Rows, proposalId: string, digest: string): boolean =>
  rowsUnder(rows, ProposalVersions, [proposalId]).some((version) => version.digest === digest)
