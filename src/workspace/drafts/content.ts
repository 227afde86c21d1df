/** The content of a draft; none of it is agreed on. */
import { h } from "preact"
import type { DraftContent } from "../../drafts/content.ts"
import { untrusted, untrustedLines, type Content, type Element } from "../kit/html.ts"
import { facts, linkTo, list, paragraph, time } from "../kit/parts.ts"
import { decisionLabels } from "../kit/labels.ts"
import { specificationPath } from "../specifications/path.ts"

type Fact = readonly [term: string, detail: Content]

export const draftFacts = (content: DraftContent): Element =>
  facts([
    ...sourceFacts(content),
    ...partyFacts(content),
    ...subjectFacts(content),
    ...policyFacts(content),
    ...signingFacts(content)
  ])

/** A row for a value that is present. */
const row = <A>(term: string, value: A | undefined, show: (value: A) => Content): ReadonlyArray<Fact> =>
  value === undefined ? [] : [[term, show(value)]]

const identifier = (id: string): Element => h("code", null, id)

/** The source, references, specification and template. */
export const sourceFacts = (content: DraftContent): ReadonlyArray<Fact> => [
  ...row("Source", content.source, untrusted),
  ...row("Reference in the source", content.sourceReference, untrustedLines),
  ...row("References", content.references, texts),
  ...row("Public specification", content.specification, specification),
  ...row("Template proposed", content.templateBinding, ({ id, version, digest }) => [
    untrusted(id),
    version === undefined ? null : `, version ${version}`,
    digest === undefined ? null : [", SHA-256 ", identifier(digest)]
  ])
]

const specification = ({ id, version, digest }: NonNullable<DraftContent["specification"]>): Content => [
  linkTo(specificationPath(id, version), `${id}, version ${version}`),
  digest === undefined ? null : [", SHA-256 ", identifier(digest)]
]

const texts = (items: ReadonlyArray<string>): Content => (items.length === 0 ? "none" : list(items.map(untrusted)))

const partyFacts = ({ recipient = {}, ...content }: DraftContent): ReadonlyArray<Fact> => [
  ...row("Buyer", content.buyerName, untrusted),
  ...row("Supplier", content.supplierName, untrusted),
  ...row("How the supplier is referred to", content.supplierReference, untrustedLines),
  ...row("Person id of the supplier", content.supplierActorId, identifier),
  ...row("Person id of the recipient", recipient.actorId, identifier),
  ...row("Reference of the recipient", recipient.reference, untrustedLines)
]

const subjectFacts = (content: DraftContent): ReadonlyArray<Fact> => [
  ...row("Title", content.title, untrusted),
  ...row("Scope", content.scope, untrustedLines),
  ...row("State at the start", content.baselineStatement, untrustedLines),
  ...row("Criteria", content.criteria, (criteria) => (criteria.length === 0 ? "none" : criteria.map(criterion))),
  ...row("Delivered until", content.deadline, time),
  ...row("Reviewed until", content.reviewDeadline, time),
  ...row("Kept until", content.retainUntil, time)
]

const criterion = ({ id, title, requirement }: NonNullable<DraftContent["criteria"]>[number]): Content => [
  h(
    "p",
    null,
    id === undefined ? "(no id)" : untrusted(id),
    ": ",
    title === undefined ? "(no title)" : untrusted(title)
  ),
  requirement === undefined ? null : untrustedLines(requirement)
]

const policyFacts = ({ termsPolicy = {}, originals = {}, ...content }: DraftContent): ReadonlyArray<Fact> => [
  ...row("Purpose", termsPolicy.purpose, untrustedLines),
  ...row("Contract", termsPolicy.contractBasis, (basis) =>
    basis === "THIS_AGREEMENT" ? "This agreement" : "An existing contract"
  ),
  ...row("Reference of the contract", termsPolicy.contractReference, untrustedLines),
  ...row("Clauses of the contract", termsPolicy.contractClauses, untrustedLines),
  ...row("Sharing", termsPolicy.sharing, untrustedLines),
  ...row("Recipients of the record", termsPolicy.sharingRecipients, texts),
  ...row("Originals kept by", originals.custodian, untrusted),
  ...row("Originals are at", originals.location, untrustedLines),
  ...row("Originals opened by", originals.access, untrustedLines),
  ...row("Requirements", content.subjectRequirements, (requirements) =>
    requirements.length === 0 ? "none" : requirements.map(requirement)
  ),
  ...row("Legal documents, when it was prepared", content.legalContext, ({ documents }) =>
    documents.length === 0
      ? "none"
      : list(
          documents.map(({ kind, version, digest }) => [
            untrusted(kind),
            ", version ",
            untrusted(version),
            ", SHA-256 ",
            identifier(digest)
          ])
        )
  )
]

const requirement = ({
  id,
  statement,
  humanDecisions
}: NonNullable<DraftContent["subjectRequirements"]>[number]): Content => [
  h("p", null, untrusted(id), ":"),
  untrustedLines(statement),
  humanDecisions.length === 0
    ? null
    : paragraph("Reserved for people: ", humanDecisions.map((decision) => decisionLabels[decision]).join("; "), ".")
]

const signingFacts = ({ signing, externalSigning }: DraftContent): ReadonlyArray<Fact> => {
  const { enabled, method, ...who } = signing ?? externalSigning ?? {}
  return [
    ...row("Signatures", enabled, (isAsked) => (isAsked ? "required" : "not required")),
    ...row("Signed", method, (where) => (where === "NATIVE" ? "here" : "elsewhere")),
    ...row("Person id of who signs for the buyer", who.principal, identifier),
    ...row("Person id of who signs for the supplier", who.counterparty, identifier),
    ...row("Contact for signing", who.contact, untrusted),
    ...row("Agreement signed until", who.agreementSignBy, time),
    ...row("Acceptance signed until", who.acceptanceSignBy, time)
  ]
}
