/** A public summary as the buyer approves it: every member of the signed text. */
import { h } from "preact"
import type { ResultSummary } from "../../publications/summary.ts"
import { untrusted, untrustedLines, type Element } from "../kit/html.ts"
import { facts, time, aboveId, type Fact } from "../kit/parts.ts"

export const summaryFacts = (summary: ResultSummary): Element => {
  const { subject, specification, buyerName } = summary
  const rows: { readonly [Member in keyof ResultSummary]: Fact } = {
    title: ["Title", untrusted(summary.title)],
    summary: ["Summary", untrustedLines(summary.summary)],
    subject: ["Supplier", aboveId(untrusted(subject.name), subject.id)],
    buyerName: ["Buyer", buyerName === null ? "not named" : untrusted(buyerName)],
    criteriaMet: ["Criteria met", `${summary.criteriaMet}, which are all of the agreement`],
    specification: [
      "Public specification",
      specification === null
        ? "none"
        : aboveId([untrusted(specification.id), `, version ${specification.version}`], specification.digest)
    ],
    completionTime: ["Accepted by the buyer", time(summary.completionTime)],
    resultId: ["Record", h("code", null, summary.resultId)],
    resultDigest: ["Digest of the record", h("code", null, summary.resultDigest)],
    publicationId: ["Id of the summary", h("code", null, summary.publicationId)],
    issuer: ["Issuer", untrusted(summary.issuer)],
    environment: ["Environment", untrusted(summary.environment)],
    issuedAt: ["Signed by the issuer", time(summary.issuedAt)],
    schema: ["Format", h("code", null, summary.schema)]
  }
  return facts(Object.values(rows))
}
