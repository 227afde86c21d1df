/** All terms of an agreement; every text is untrusted, written by its author. */
import { h } from "preact"
import type { Signing, Terms } from "../../projects/terms.ts"
import { untrusted, untrustedLines, type Content, type Element } from "../kit/html.ts"
import { facts, linkTo, list, paragraph, time } from "../kit/parts.ts"
import { personOf } from "./identity.ts"
import { decisionLabels } from "../kit/labels.ts"

type Fact = readonly [term: string, detail: Content]

/** The registered name for a person id in the terms. */
type NameOf = (personId: string) => string

export const termsFacts = (terms: Terms, nameOf: NameOf, before: ReadonlyArray<Fact> = []): Element =>
  facts([
    ...before,
    ["Title", untrusted(terms.title)],
    ...specificationFact(terms.specification),
    ["Buyer", untrusted(terms.buyerName)],
    ["Supplier", [untrusted(terms.supplierName), ", referred to as ", untrusted(terms.supplierReference)]],
    [
      "Person named for the supplier",
      terms.supplierActorId === undefined ? "not named: a person is invited" : personOf(terms.supplierActorId, nameOf)
    ],
    ["Scope", untrustedLines(terms.scope)],
    ["Criteria", terms.criteria.map(criterion)],
    ["Delivered until", time(terms.deadline)],
    ["Reviewed until", time(terms.reviewDeadline)],
    ["Kept until", terms.retainUntil === undefined ? "no date" : time(terms.retainUntil)],
    ["State at the start", untrustedLines(terms.baselineStatement)],
    ...policyFacts(terms),
    ...signingFacts(terms.signing, nameOf),
    ["Legal documents", documents(terms)]
  ])

/** The specification that the terms refer to is linked. */
const specificationFact = (pin: Terms["specification"]): ReadonlyArray<Fact> =>
  pin === undefined
    ? []
    : [
        [
          "Public specification",
          [
            linkTo(`/workspace/specifications/${pin.id}/versions/${pin.version}`, `${pin.id}, version ${pin.version}`),
            ", SHA-256 ",
            h("code", null, pin.digest)
          ]
        ]
      ]

const criterion = ({ id, title, requirement }: Terms["criteria"][number]): Content => [
  h("p", null, untrusted(id), ": ", untrusted(title)),
  untrustedLines(requirement)
]

const policyFacts = ({ termsPolicy, originals, subjectRequirements }: Terms): ReadonlyArray<Fact> => {
  const { contractBasis, contractReference, contractClauses, sharingRecipients } = termsPolicy
  return [
    ["Purpose", untrustedLines(termsPolicy.purpose)],
    [
      "Contract",
      [
        contractBasis === "THIS_AGREEMENT" ? "This agreement." : "An existing contract:",
        contractReference === undefined ? null : untrustedLines(contractReference),
        contractClauses === undefined ? null : untrustedLines(contractClauses)
      ]
    ],
    ["Files", "Identified by their digests; the files themselves are not uploaded."],
    [
      "Sharing",
      [
        untrustedLines(termsPolicy.sharing),
        sharingRecipients.length === 0 ? null : list(sharingRecipients.map(untrusted))
      ]
    ],
    [
      "Originals",
      [
        h("p", null, "Kept by ", untrusted(originals.custodian)),
        h("p", null, "Where: ", untrusted(originals.location)),
        h("p", null, "Who may open them: ", untrusted(originals.access))
      ]
    ],
    ["Requirements", subjectRequirements.length === 0 ? "none" : subjectRequirements.map(requirement)]
  ]
}

const requirement = ({ id, statement, humanDecisions }: Terms["subjectRequirements"][number]): Content => [
  h("p", null, untrusted(id), ":"),
  untrustedLines(statement),
  humanDecisions.length === 0
    ? null
    : paragraph("Reserved for people: ", humanDecisions.map((decision) => decisionLabels[decision]).join("; "), ".")
]

const signingFacts = (signing: Signing | undefined, nameOf: NameOf): ReadonlyArray<Fact> =>
  signing === undefined
    ? [["Signatures", "not required"]]
    : [
        [
          "Signatures",
          [
            h(
              "p",
              null,
              signing.method === "NATIVE"
                ? "Signed here, by the persons named."
                : "Signed elsewhere; a person records the evidence. This service does not verify it."
            ),
            h("p", null, "For the buyer: ", personOf(signing.principal, nameOf)),
            h(
              "p",
              null,
              "For the supplier: ",
              signing.counterparty === undefined ? "its representative" : personOf(signing.counterparty, nameOf)
            ),
            signing.contact === undefined ? null : h("p", null, "Contact: ", untrusted(signing.contact))
          ]
        ],
        ["Agreement signed until", time(signing.agreementSignBy)],
        ["Acceptance signed until", time(signing.acceptanceSignBy)]
      ]

const documents = ({ legalContext }: Terms): Content =>
  legalContext.documents.length === 0 ? "none" : list(legalContext.documents.map(document))

const document = ({ kind, version, digest }: Terms["legalContext"]["documents"][number]): Content => [
  h("a", { href: `/legal/${encodeURIComponent(kind)}/${encodeURIComponent(version)}` }, untrusted(kind)),
  ", version ",
  untrusted(version),
  ", SHA-256 ",
  h("code", null, digest)
]
