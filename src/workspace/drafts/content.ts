/** The content of a draft; none of it is agreed on. */
import { h } from "preact"
import type { DraftContent } from "../../drafts/content.ts"
import { untrusted, untrustedLines, type Content, type Element } from "../kit/html.ts"
import { facts, linkTo, list, paragraph } from "../kit/parts.ts"
import { decisionLabels } from "../kit/labels.ts"
import { fieldFacts } from "../agreements/controls.ts"
import { fieldsIn } from "../agreements/fields.ts"
import { specificationPath } from "../specifications/path.ts"

type Fact = readonly [term: string, detail: Content]

export const draftFacts = (content: DraftContent): Element => {
  const signing = content.signing ?? content.externalSigning
  return facts([
    ...sourceFacts(content),
    ...fieldFacts(fieldsIn("parties"), content),
    ...row("Person id of the recipient", content.recipient?.actorId, identifier),
    ...row("Reference of the recipient", content.recipient?.reference, untrustedLines),
    ...fieldFacts(fieldsIn("subject"), content),
    ...row("Criteria", content.criteria, (criteria) => (criteria.length === 0 ? "none" : criteria.map(criterion))),
    ...(["dates", "termsPolicy", "originals"] as const).flatMap((section) => fieldFacts(fieldsIn(section), content)),
    ...row("Requirements", content.subjectRequirements, (requirements) =>
      requirements.length === 0 ? "none" : requirements.map(requirement)
    ),
    ...row("Legal documents, when it was prepared", content.legalContext, legalDocuments),
    ...row("Signatures", signing?.enabled, (isRequired) => (isRequired ? "required" : "not required")),
    ...fieldFacts(fieldsIn("signing"), { signing })
  ])
}

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

const legalDocuments = ({ documents }: NonNullable<DraftContent["legalContext"]>): Content =>
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
