/** The content of a draft; none of it is agreed on. */
import type { DraftContent } from "../../drafts/content.ts"
import { untrusted, untrustedLines, type Content, type Element } from "../kit/html.ts"
import { facts, list } from "../kit/parts.ts"
import { fieldFacts } from "../agreements/controls.ts"
import {
  criterionText,
  documentText,
  identifier,
  requirementTexts,
  specificationText,
  templateText
} from "../agreements/facts.ts"
import { fieldsIn } from "../agreements/fields.ts"

type Fact = readonly [term: string, detail: Content]

export const draftFacts = (content: DraftContent): Element => {
  const signing = content.signing ?? content.externalSigning
  return facts([
    ...sourceFacts(content),
    ...fieldFacts(fieldsIn("parties"), content),
    ...row("Person id of the recipient", content.recipient?.actorId, identifier),
    ...row("Reference of the recipient", content.recipient?.reference, untrustedLines),
    ...fieldFacts(fieldsIn("subject"), content),
    ...row("Criteria", content.criteria, (criteria) => (criteria.length === 0 ? "none" : criteria.map(criterionText))),
    ...(["dates", "termsPolicy", "originals"] as const).flatMap((section) => fieldFacts(fieldsIn(section), content)),
    ...row("Requirements", content.subjectRequirements, requirementTexts),
    ...row("Legal documents, when it was prepared", content.legalContext, ({ documents }) =>
      texts(documents.map((document) => documentText(untrusted(document.kind), document)))
    ),
    ...row("Signatures", signing?.enabled, (isRequired) => (isRequired ? "required" : "not required")),
    ...fieldFacts(fieldsIn("signing"), { signing })
  ])
}

/** A row for a value that is present. */
const row = <A>(term: string, value: A | undefined, show: (value: A) => Content): ReadonlyArray<Fact> =>
  value === undefined ? [] : [[term, show(value)]]

const texts = (items: ReadonlyArray<Content>): Content => (items.length === 0 ? "none" : list(items))

/** The source, references, specification and template. */
export const sourceFacts = (content: DraftContent): ReadonlyArray<Fact> => [
  ...row("Source", content.source, untrusted),
  ...row("Reference in the source", content.sourceReference, untrustedLines),
  ...row("References", content.references, (references) => texts(references.map(untrusted))),
  ...row("Public specification", content.specification, specificationText),
  ...row("Template proposed", content.templateBinding, templateText)
]
