/** The Result Record alone, as it was issued, beside what nobody signed: the unsigned part says so in its label. */
import type { Project } from "../projects/project.ts"
import { relianceOn } from "./status.ts"

interface StoredRecord {
  readonly recordId: string
  readonly digest: string
  readonly jws: string
  readonly issuedAt: string
}

/** The historical record, what the service says of it now, and what a party once declared (2.11). */
export const agentRecord = (project: Project, record: StoredRecord) => ({
  record: record.jws,
  metadata: unsignedMetadata(project, record),
  externalAssertions: [
    {
      kind: "BASELINE" as const,
      statement: project.agreement.terms.baselineStatement,
      declaredBy: project.agreement.buyer.actorId,
      status: "DECLARED" as const
    }
  ]
})

/** The same bytes in an envelope that stays. */
export const legacyExport = (project: Project, record: StoredRecord) => ({
  schema: "service.standard-record/v1" as const,
  record: record.jws,
  metadata: unsignedMetadata(project, record)
})

const unsignedMetadata = (project: Project, { recordId, digest, issuedAt }: StoredRecord) => ({
  label: "UNSIGNED_AGENT_METADATA_NOT_VERIFIED" as const,
  projectId: project.agreement.projectId,
  agreementDigest: project.agreementDigest,
  agreementVersion: project.agreement.version,
  confirmationId: project.confirmation!.confirmationId,
  recordId,
  recordDigest: digest,
  issuedAt,
  state: project.state,
  reliance: relianceOn(project.state)
})
