/** All terms of an agreement; every text is untrusted, written by its author. */
import { h } from "preact"
import type { Signing, Terms } from "../../projects/terms.ts"
import { untrusted, untrustedLines, type Content, type Element } from "../kit/html.ts"
import { facts, list, time } from "../kit/parts.ts"
import { fieldFacts } from "../agreements/controls.ts"
import { criterionText, documentText, requirementTexts, specificationText } from "../agreements/facts.ts"
import { fieldsIn, type Field, type FieldName } from "../agreements/fields.ts"
import { personOf } from "./identity.ts"

type Fact = readonly [term: string, detail: Content]

/** The registered name for a person id in the terms. */
type NameOf = (personId: string) => string

export const termsFacts = (terms: Terms, nameOf: NameOf, before: ReadonlyArray<Fact> = []): Element => {
  const { specification } = terms
  const combined = combinedFacts(terms, nameOf)
  const factsOf = (shown: ReadonlyArray<Field>): ReadonlyArray<Fact> =>
    shown.flatMap((field) => combined[field.formName] ?? fieldFacts([field], terms))
  const [title, scope, ...subject] = fieldsIn("subject")
  return facts([
    ...before,
    ...factsOf([title!]),
    ...(specification === undefined ? [] : [["Public specification", specificationText(specification)] as const]),
    ...factsOf(fieldsIn("parties")),
    ...factsOf([scope!]),
    ["Criteria", terms.criteria.map(criterionText)],
    ...factsOf([...fieldsIn("dates"), ...subject, ...fieldsIn("termsPolicy"), ...fieldsIn("originals")]),
    ["Requirements", requirementTexts(terms.subjectRequirements)],
    ...(terms.signing === undefined ? [["Signatures", "not required"] as const] : factsOf(fieldsIn("signing"))),
    ["Legal documents", documents(terms)]
  ])
}

/** Facts of several fields, at the first of them, and of fields whose absence is stated. */
const combinedFacts = (terms: Terms, nameOf: NameOf): { readonly [N in FieldName]?: ReadonlyArray<Fact> } => {
  const { supplierActorId, retainUntil, termsPolicy, originals, signing } = terms
  const { contractBasis, contractReference, contractClauses, sharing, sharingRecipients } = termsPolicy
  return {
    supplierName: [
      ["Supplier", [untrusted(terms.supplierName), ", referred to as ", untrusted(terms.supplierReference)]]
    ],
    supplierReference: [],
    supplierActorId: [
      [
        "Person named for the supplier",
        supplierActorId === undefined ? "not named: a person is invited" : personOf(supplierActorId, nameOf)
      ]
    ],
    retainUntil: [["Kept until", retainUntil === undefined ? "no date" : time(retainUntil)]],
    contractBasis: [
      [
        "Contract",
        [
          contractBasis === "THIS_AGREEMENT" ? "This agreement." : "An existing contract:",
          contractReference === undefined ? null : untrustedLines(contractReference),
          contractClauses === undefined ? null : untrustedLines(contractClauses)
        ]
      ],
      ["Files", "Identified by their digests; the files themselves are not uploaded."]
    ],
    contractReference: [],
    contractClauses: [],
    sharing: [
      [
        "Sharing",
        [untrustedLines(sharing), sharingRecipients.length === 0 ? null : list(sharingRecipients.map(untrusted))]
      ]
    ],
    sharingRecipients: [],
    custodian: [
      [
        "Originals",
        [
          h("p", null, "Kept by ", untrusted(originals.custodian)),
          h("p", null, "Where: ", untrusted(originals.location)),
          h("p", null, "Who may open them: ", untrusted(originals.access))
        ]
      ]
    ],
    location: [],
    access: [],
    signing: signing === undefined ? [] : [["Signatures", signatures(signing, nameOf)]],
    principal: [],
    counterparty: [],
    signingContact: []
  }
}

const signatures = ({ method, principal, counterparty, contact }: Signing, nameOf: NameOf): Content => [
  h(
    "p",
    null,
    method === "NATIVE"
      ? "Signed here, by the persons named."
      : "Signed elsewhere; a person records the evidence. This service does not verify it."
  ),
  h("p", null, "For the buyer: ", personOf(principal, nameOf)),
  h(
    "p",
    null,
    "For the supplier: ",
    counterparty === undefined ? "its representative" : personOf(counterparty, nameOf)
  ),
  contact === undefined ? null : h("p", null, "Contact: ", untrusted(contact))
]

const documents = ({ legalContext }: Terms): Content =>
  legalContext.documents.length === 0 ? "none" : list(legalContext.documents.map(linkedDocument))

const linkedDocument = (document: Terms["legalContext"]["documents"][number]): Content => {
  const href = `/legal/${encodeURIComponent(document.kind)}/${encodeURIComponent(document.version)}`
  return documentText(h("a", { href }, untrusted(document.kind)), document)
}
