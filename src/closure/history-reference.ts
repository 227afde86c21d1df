/**
 * The history reference: the buyer of a next agreement records, with a Result Passport, on which result of the supplier it
 * rests. The signed payload, and the facts that it requires; pure.
 */
import { Schema } from "effect"
import { digestOf } from "../canonical/digest.ts"
import type { RecordIssuer } from "../commerce/result-order-record.ts"
import type { PassportManifest } from "../publications/passport.ts"
import type { Instant } from "../vocabulary/instant.ts"
import {
  digest,
  name,
  ordinal,
  organizationId,
  personId,
  projectId,
  publicationId,
  recordId,
  referenceId,
  signed,
  subjectId,
  text
} from "../vocabulary/record-schemas.ts"

const schema = "service.history-reference/v1"

const CooperateReference = Schema.Struct({
  relation: Schema.Literal("COOPERATE"),
  resultId: recordId,
  publicationId,
  publicationDigest: digest,
  summaryDigest: digest
})

export const HistoryReference = Schema.Struct({
  ...signed(schema),
  issuer: name,
  environment: name,
  type: Schema.Literal("HISTORY_REFERENCE"),
  referenceId,
  project: Schema.Struct({ id: projectId, version: ordinal, agreementDigest: digest }),
  passport: Schema.Struct({
    digest: digest.annotateKey({ description: "Of the payload of the passport's manifest." }),
    subjectId
  }),
  references: Schema.Array(CooperateReference).check(Schema.isMinLength(1), Schema.isMaxLength(1)),
  madeBy: Schema.Struct({ organizationId, personId }),
  reason: text
}).annotate({ identifier: "HistoryReference" })
export type HistoryReference = typeof HistoryReference.Type

interface ReferenceFacts {
  readonly referenceId: string
  /** The next agreement. */
  readonly project: HistoryReference["project"]
  readonly manifest: PassportManifest
  /** The entry of the manifest that is referred to. */
  readonly entry: PassportManifest["entries"][number]
  readonly madeBy: HistoryReference["madeBy"]
  readonly reason: string
}

export const historyReferencePayload = (
  { referenceId, project, manifest, entry, madeBy, reason }: ReferenceFacts,
  { issuer, environment }: RecordIssuer,
  issuedAt: Instant
): HistoryReference => ({
  schema,
  issuedAt,
  issuer,
  environment,
  type: "HISTORY_REFERENCE",
  referenceId,
  project,
  passport: { digest: digestOf(manifest), subjectId: manifest.subject.id },
  references: [
    {
      relation: "COOPERATE",
      resultId: entry.resultId,
      publicationId: entry.publicationId,
      publicationDigest: entry.publicationDigest,
      summaryDigest: entry.summaryDigest
    }
  ],
  madeBy,
  reason
})
