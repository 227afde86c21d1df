/**
 * The published JSON Schemas (2020-12) of all signed and exported formats and of the files that belong to them,
 * generated from the schemas of the issuer.
 *
 * They describe and test; they prove nothing. Properties beyond a schema (canonical bytes, signatures, digests, bindings)
 * are in docs/records.md and in the verifier.
 */
import { Schema } from "effect"
import { AuthorityEvent } from "../access/authority.ts"
import { AgreementLink } from "../closure/agreement-link.ts"
import { AgreementSnapshot } from "../closure/agreement-snapshot.ts"
import { HistoryReference } from "../closure/history-reference.ts"
import { TransactionClosureV1 } from "../closure/closure-v1.ts"
import { TransactionClosure } from "../closure/closure.ts"
import { CommerceRecordFile } from "../commerce/commerce-record.ts"
import { CommerceStatus } from "../commerce/commerce-status.ts"
import { ResultOrderRecord } from "../commerce/result-order-record.ts"
import { IssuerKeys } from "../ports/signer.ts"
import { SignedEvent } from "../projects/event.ts"
import { HistoryGap } from "../projects/history-gap.ts"
import { PublicationStatement, ResultPassport } from "../publications/passport.ts"
import { ResultSummary } from "../publications/summary.ts"
import { AuthorityPolicy } from "../records/authority-policy.ts"
import { ResultPackage } from "../records/package.ts"
import { ResultRecord } from "../records/record.ts"
import { ResultReview } from "../records/result-review.ts"
import { StandardRecord } from "../records/standard-record.ts"
import { AgentStatus } from "../records/status.ts"

interface Format {
  readonly title: string
  readonly description: string
  readonly schema: Schema.Top
}

const formats = {
  "service-result-package-v2": {
    title: "Result Package v2",
    description: "The payload of the package's JWS (docs/records.md, 3.4).",
    schema: ResultPackage
  },
  "service-result-review-v1": {
    title: "Result Review v1",
    description: "The exported file; it is not signed (3.7).",
    schema: ResultReview
  },
  "service-result-record-v1": {
    title: "Result Record v1",
    description: "The payload of the record's JWS (3.3).",
    schema: ResultRecord
  },
  "service-project-event-v1": {
    title: "Project Event v1",
    description: "The payload of an event's JWS (3.2).",
    schema: SignedEvent
  },
  "service-history-gap-v1": {
    title: "History Gap v1",
    description: "The payload of the JWS of a statement that events may be lost (docs/records.md, 3.10).",
    schema: HistoryGap
  },
  "service-authority-event-v1": {
    title: "Authority Event v1",
    description: "The payload of the JWS of an event in a grant's chain (3.5).",
    schema: AuthorityEvent
  },
  "service-agent-status-v1": {
    title: "Agent Status v1",
    description: "The payload of a status's JWS (3.6).",
    schema: AgentStatus
  },
  "service-standard-record-v1": {
    title: "Standard Record v1",
    description: "The issued record in its stable, unsigned envelope.",
    schema: StandardRecord
  },
  "service-issuer-keys-v1": {
    title: "Issuer Keys v1",
    description: "The trust file (2).",
    schema: IssuerKeys
  },
  "service-authority-policy-v1": {
    title: "Authority Policy v1",
    description: "An organization's statement on the grants that it gave (3.8).",
    schema: AuthorityPolicy
  },
  "service-result-passport-v1": {
    title: "Result Passport v1",
    description: "The exported file (docs/portable-records.md); its manifest, summaries and statuses are signed.",
    schema: ResultPassport
  },
  "service-result-summary-v1": {
    title: "Result Summary v1",
    description: "The payload of the JWS of a published summary (docs/portable-records.md).",
    schema: ResultSummary
  },
  "service-publication-status-v1": {
    title: "Publication Status v1",
    description: "The payload of the JWS of a statement on one publication (docs/portable-records.md).",
    schema: PublicationStatement
  },
  "service-result-order-v1": {
    title: "Result Order Record v1",
    description: "The payload of the JWS that is signed when a payment attempt opens (docs/portable-records.md).",
    schema: ResultOrderRecord
  },
  "service-commerce-record-v1": {
    title: "Commerce Record v1",
    description: "The exported file (docs/portable-records.md); its record is signed.",
    schema: CommerceRecordFile
  },
  "service-commerce-status-v1": {
    title: "Commerce Status v1",
    description: "The payload of the JWS in the file commerce-status.json (docs/portable-records.md).",
    schema: CommerceStatus
  },
  "service-transaction-closure-package-v2": {
    title: "Transaction Closure v2",
    description: "The exported file with its body, which is signed in the clear (docs/portable-records.md).",
    schema: TransactionClosure
  },
  "service-history-reference-v1": {
    title: "History Reference v1",
    description: "The payload of the JWS in a closure's lineage (docs/portable-records.md).",
    schema: HistoryReference
  },
  "service-agreement-link-v1": {
    title: "Agreement Link v1",
    description: "The payload of the JWS in a closure's lineage (docs/portable-records.md).",
    schema: AgreementLink
  },
  "service-agreement-snapshot-v1": {
    title: "Agreement Snapshot v1",
    description: "The payload of the JWS in a closure's lineage (docs/portable-records.md).",
    schema: AgreementSnapshot
  },
  "transaction-closure-package-v1": {
    title: "Transaction Closure v1",
    description: "A file of the first version, which is verified and never issued (docs/portable-records.md).",
    schema: TransactionClosureV1
  }
} as const satisfies { readonly [name: string]: Format }
export type FormatName = keyof typeof formats

export const formatNames = Object.keys(formats) as ReadonlyArray<FormatName>

/** The document of one format. Objects have exactly the described members, unless their schema permits more. */
export const schemaDocument = (name: FormatName) => {
  const { title, description, schema }: Format = formats[name]
  const generated = Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `${name}.schema.json`,
    title,
    description,
    ...generated.schema,
    $defs: generated.definitions
  }
}
