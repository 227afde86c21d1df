/** The Result Summary: what the public reads of one result, in one signed payload. */
import { Schema } from "effect"
import { digestOf } from "../canonical/digest.ts"
import { parseSigned } from "../canonical/jws.ts"
import type { Agreement } from "../projects/agreement.ts"
import type { Issuer, ResultRecord } from "../records/record.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import {
  digest,
  instant,
  name,
  ordinal,
  publicationId,
  recordId,
  signed,
  subjectId,
  text
} from "../vocabulary/record-schemas.ts"
import { visibleTextUpTo } from "../vocabulary/text.ts"

/** The supplier's organization, as the public knows it. */
export const Subject = Schema.Struct({ id: subjectId, name }).annotate({ identifier: "PassportSubject" })

export const summaryTexts = {
  title: visibleTextUpTo(limits.titleCharacters),
  summary: visibleTextUpTo(limits.textCharacters)
}

export const ResultSummary = Schema.Struct({
  ...signed("service.result-summary/v1"),
  issuer: name,
  environment: name,
  publicationId,
  subject: Subject,
  resultId: recordId,
  resultDigest: digest,
  title: name,
  summary: text,
  buyerName: Schema.NullOr(name),
  criteriaMet: ordinal.annotate({ description: "The number of criteria of the agreement, all of which were met." }),
  specification: Schema.NullOr(Schema.Struct({ id: name, version: ordinal, digest })),
  completionTime: instant.annotate({ description: "When the buyer accepted the result." })
}).annotate({ identifier: "ResultSummary" })
export type ResultSummary = typeof ResultSummary.Type

/** The texts that the supplier writes, and whether the buyer is named. */
export interface SummaryInput {
  readonly title: string
  readonly summary: string
  readonly namesBuyer: boolean
}

interface SummarySource {
  readonly publicationId: string
  readonly subject: { readonly id: string; readonly name: string }
  readonly record: ResultRecord
  readonly recordDigest: string
  readonly terms: Agreement["terms"]
}

export const summaryPayload = (
  { title, summary, namesBuyer }: SummaryInput,
  { publicationId, subject, record, recordDigest, terms }: SummarySource,
  { issuer, environment }: Issuer,
  issuedAt: Instant
): ResultSummary => ({
  schema: "service.result-summary/v1",
  issuedAt,
  issuer,
  environment,
  publicationId,
  subject,
  resultId: record.recordId,
  resultDigest: recordDigest,
  title,
  summary,
  buyerName: namesBuyer ? terms.buyerName : null,
  criteriaMet: terms.criteria.length,
  specification: terms.specification ?? null,
  completionTime: record.acceptedAt
})

/** The digest that the buyer approves. */
export const publicationDigestOf = (payload: ResultSummary): string => digestOf(payload)

export const decodeSummary: (jws: string) => ResultSummary = parseSigned
