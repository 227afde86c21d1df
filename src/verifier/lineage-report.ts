/** The lineage of a closure in the report: who chose the supplier again, by which agreement, on the ground of which result. */
import type { VerifiedLineage } from "./lineage.ts"

export const describeLineage = ({ passport, reference, link, snapshot }: VerifiedLineage) => {
  const { referenceId, issuedAt, madeBy, reason, references } = reference.content
  const [named] = references
  const { manifest, summaries } = passport
  const summary = summaries.find(({ content }) => content.resultId === named?.resultId)?.content
  const { agreement, supplierOrganizationId, confirmedEvent, state, head } = snapshot.content
  return {
    reference: { referenceId, digest: reference.signed.digest, madeAt: issuedAt, madeBy, reason },
    passport: {
      passportDigest: manifest.signed.digest,
      issuedAt: manifest.content.issuedAt,
      subject: { id: manifest.content.subject.id, name: summary?.subject.name ?? null },
      publicationId: named?.publicationId ?? null,
      title: summary?.title ?? null
    },
    link: { linkId: link.content.linkId, digest: link.signed.digest, issuedAt: link.content.issuedAt },
    next: {
      projectId: agreement.projectId,
      version: agreement.version,
      agreementDigest: link.content.next.agreementDigest,
      buyer: { organizationId: agreement.buyer.organizationId, name: agreement.terms.buyerName },
      supplier: { organizationId: supplierOrganizationId, name: agreement.terms.supplierName },
      confirmedEvent,
      state,
      head,
      statedAt: snapshot.content.issuedAt
    }
  }
}
