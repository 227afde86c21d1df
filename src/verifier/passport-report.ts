/** The passport in the report: what is proven of each of its entries, each with its current status. */
import type { VerifiedPassport } from "./passport.ts"
import type { ResultSummary } from "./portable-shapes.ts"
import type { CurrentStatement } from "./publication-status.ts"
import type { VerifiedJws } from "./verified-objects.ts"

export const describePassport = (
  { manifest, summaries }: VerifiedPassport,
  publications: ReadonlyArray<CurrentStatement>
) => {
  const { issuedAt, subject, coverage, selectedBy, verificationScope } = manifest.content
  return {
    passportDigest: manifest.signed.digest,
    issuedAt,
    subject,
    coverage,
    selectedBy,
    verificationScope,
    entries: summaries.map((summary, index) => describeEntry(summary, publications[index]))
  }
}

const describeEntry = ({ content, signed }: VerifiedJws<ResultSummary>, statement: CurrentStatement) => ({
  publicationId: content.publicationId,
  publicationDigest: signed.digest,
  status: statement?.content.status ?? "UNKNOWN",
  statusIssuedAt: statement?.content.issuedAt ?? null,
  statusExpiresAt: statement?.content.expiresAt ?? null,
  resultId: content.resultId,
  resultDigest: content.resultDigest,
  completionTime: content.completionTime,
  issuedAt: content.issuedAt,
  subjectName: content.subject.name,
  title: content.title,
  summary: content.summary,
  buyerName: content.buyerName,
  criteriaMet: content.criteriaMet,
  specification: content.specification
})
