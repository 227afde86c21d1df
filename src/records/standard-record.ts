/** The issued Result Record with unsigned metadata, which is labelled as such. */
import { Schema } from "effect"
import { states, type Project } from "../projects/project.ts"
import type { Instant } from "../vocabulary/instant.ts"
import {
  compactJws,
  confirmationId,
  digest,
  instant,
  ordinal,
  projectId,
  recordId
} from "../vocabulary/record-schemas.ts"
import { reliances, relianceOn } from "./status.ts"

export const UnsignedMetadata = Schema.Struct({
  label: Schema.Literal("UNSIGNED_AGENT_METADATA_NOT_VERIFIED"),
  projectId,
  agreementDigest: digest,
  agreementVersion: ordinal,
  confirmationId,
  recordId,
  recordDigest: digest,
  issuedAt: instant,
  state: Schema.Literals(states),
  reliance: Schema.Literals(reliances)
}).annotate({ identifier: "UnsignedMetadata", description: "Unsigned: only the record proves anything." })

export const issuedRecord = compactJws.annotateKey({ description: "The Result Record as it was issued." })

export const StandardRecord = Schema.Struct({
  schema: Schema.Literal("service.standard-record/v1"),
  record: issuedRecord,
  metadata: UnsignedMetadata
})

interface StoredRecord {
  readonly recordId: string
  readonly digest: string
  readonly jws: string
  readonly issuedAt: Instant
}

/** The issued record, the service's current metadata, and a party's declaration (2.11). */
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

/** The same bytes in a stable envelope. */
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
