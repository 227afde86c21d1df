/** The terms of an agreement as whoever is invited to supply reads them: all of it is the inviting side's own words. */
import type { Effect } from "effect"
import { h } from "preact"
import type { Terms } from "../../projects/agreement.ts"
import type { readOfferedAgreement } from "../../projects/offered.ts"
import { untrusted, untrustedLines, type Content, type Element } from "../html.ts"
import { facts, list, paragraph, section, time } from "../parts.ts"
import { decisionWords } from "../words.ts"

export type OfferedAgreement = Effect.Success<ReturnType<typeof readOfferedAgreement>>

export const agreementSection = ({ projectId, createdAt, agreement: { terms } }: OfferedAgreement): Element =>
  section(
    "The agreement",
    paragraph("These are the inviting side’s own words. Nobody has verified them."),
    facts([
      ["Project", [h("code", null, projectId), ", made ", time(createdAt)]],
      ["Buyer", untrusted(terms.buyerName)],
      ["Supplier", [untrusted(terms.supplierName), ", referred to as ", untrusted(terms.supplierReference)]],
      ["Scope", untrustedLines(terms.scope)],
      ["Criteria", terms.criteria.map(criterion)],
      ["Delivered until", time(terms.deadline)],
      ["Reviewed until", time(terms.reviewDeadline)],
      ["Kept until", terms.retainUntil === undefined ? "no date" : time(terms.retainUntil)],
      ["State at the start", untrustedLines(terms.baselineStatement)],
      ...policyFacts(terms),
      ["Legal documents", list(terms.legalContext.documents.map(document))]
    ])
  )

const criterion = ({ id, title, requirement }: Terms["criteria"][number]): Content => [
  h("p", null, untrusted(id), ": ", untrusted(title)),
  untrustedLines(requirement)
]

const policyFacts = ({
  termsPolicy,
  originals,
  subjectRequirements
}: Terms): ReadonlyArray<readonly [string, Content]> => {
  const { contractReference, contractClauses, sharingRecipients } = termsPolicy
  return [
    ["Purpose", untrustedLines(termsPolicy.purpose)],
    [
      "Contract",
      [
        untrusted(termsPolicy.contractBasis),
        contractReference === undefined ? null : untrustedLines(contractReference),
        contractClauses === undefined ? null : untrustedLines(contractClauses)
      ]
    ],
    [
      "Sharing",
      [
        untrustedLines(termsPolicy.sharing),
        sharingRecipients.length === 0 ? null : list(sharingRecipients.map(untrusted))
      ]
    ],
    ["Originals", [originals.custodian, originals.location, originals.access].map(untrustedLines)],
    ["Requirements", subjectRequirements.length === 0 ? "none" : subjectRequirements.map(requirement)]
  ]
}

const requirement = ({ statement, humanDecisions }: Terms["subjectRequirements"][number]): Content => [
  untrustedLines(statement),
  humanDecisions.length === 0
    ? null
    : paragraph("Kept for people: ", humanDecisions.map((decision) => decisionWords[decision]).join("; "), ".")
]

const document = ({ kind, version, digest }: Terms["legalContext"]["documents"][number]): Content => [
  h("a", { href: `/legal/${encodeURIComponent(kind)}/${encodeURIComponent(version)}` }, untrusted(kind)),
  ", version ",
  untrusted(version),
  ", SHA-256 ",
  h("code", null, digest)
]
