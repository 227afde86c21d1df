/**
 * The progress of a project: all that its next step depends on. The fold of a history is one; the project's row has
 * the same, so that lists and webhooks read no history.
 */
import { parseCanonical } from "../canonical/jcs.ts"
import type { Hold, Project, RecordedSignature } from "./project.ts"
import type { IssuanceRow, ProjectRow } from "./store.ts"

export interface Progress extends Pick<Project, "agreement" | "state" | "head" | "recordId"> {
  readonly supplier: Pick<Project["supplier"], "actorId">
  readonly hold: Pick<Hold, "purpose"> | null
  readonly signatures: ReadonlyArray<Pick<RecordedSignature, "subject" | "party">>
}

/** The columns that an event changes only for the progress. */
export const progressColumns = ({ hold, signatures }: Progress): Pick<ProjectRow, "holdPurpose" | "signedBy"> => ({
  holdPurpose: hold?.purpose ?? null,
  signedBy: signatures.flatMap(({ subject, party }) => (subject === "AGREEMENT" ? party : []))
})

/** The progress of a stored project and its issuance request, which has the id of an issued record. */
export const storedProgress = (row: ProjectRow, issuance: IssuanceRow | undefined): Progress => ({
  agreement: parseCanonical(row.agreement),
  state: row.state,
  head: row.headEventHash,
  recordId: issuance?.recordId ?? null,
  supplier: { actorId: row.supplierActorId },
  hold: row.holdPurpose === null ? null : { purpose: row.holdPurpose },
  signatures: row.signedBy.map((party) => ({ subject: "AGREEMENT", party }))
})
