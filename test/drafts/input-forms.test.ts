/** The two input forms of a draft: every field of both, mixed forms, refused members, and partial content. */
import { Schema } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import type { Json } from "../../src/canonical/json.ts"
import { DraftContent } from "../../src/drafts/content.ts"
import { missingFields } from "../../src/drafts/draft.ts"
import { draftBodyIssues } from "../../src/drafts/body-issues.ts"
import { contentOf, CreateDraft, formFields, nestedSchema } from "../../src/drafts/input.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { sha, uuid } from "../support/parties.ts"

const person = `person_${uuid()}`
const other = `person_${uuid()}`
const day = "2027-01-15T12:00:00.000Z"
const later = "2027-02-15T12:00:00.000Z"

/** The content of a body, as the wire decodes it. */
const decodedContent = (body: object) => {
  const issues = draftBodyIssues(body as Json)
  if (issues.length > 0) throw new Error(JSON.stringify(issues))
  return contentOf(Schema.decodeUnknownSync(CreateDraft)(body, { onExcessProperty: "error", errors: "all" }))
}

const flat = (fields: object) => ({ requestId: uuid(), ...fields })
const nested = (fields: object) => ({ requestId: uuid(), schema: nestedSchema, ...fields })
const issuesIn = (body: object) => draftBodyIssues(body as Json)
const pathsOf = (body: object) =>
  issuesIn(body)
    .map(({ path }) => path)
    .toSorted()

const requirement = { id: "people", statement: "A person accepts.", humanDecisions: ["ACCEPT"] as const }

/** Each field of both forms. */
const shared = [
  [{ source: "crm" }, { source: "crm" }],
  [{ sourceReference: "deal 7" }, { sourceReference: "deal 7" }],
  [{ references: ["https://example.test/a", "b"] }, { references: ["https://example.test/a", "b"] }],
  [{ references: [] }, { references: [] }],
  [{ title: "Logo" }, { title: "Logo" }],
  [{ scope: "One logo." }, { scope: "One logo." }],
  [{ buyerName: "Dana Ltd" }, { buyerName: "Dana Ltd" }],
  [{ criteria: [] }, { criteria: [] }],
  [{ criteria: [{ title: "Vector" }] }, { criteria: [{ title: "Vector" }] }],
  [{ criteria: [{ id: "a" }, {}, {}] }, { criteria: [{ id: "a" }, {}, {}] }],
  [{ baselineStatement: "None." }, { baselineStatement: "None." }],
  [{ subjectRequirements: [requirement] }, { subjectRequirements: [requirement] }],
  [{ recipientActorId: person }, { recipient: { actorId: person } }],
  [{ recipientReference: "Offer 7" }, { recipient: { reference: "Offer 7" } }],
  [{ role: "SUPPLIER" }, {}],
  [{ role: "BUYER" }, {}],
  [{}, {}]
] as const

/** Each field of the flat form, with its equivalent in the nested form. */
const pairs: ReadonlyArray<readonly [flat: object, nested: object]> = [
  [{ buyer: "Dana Ltd" }, { buyerName: "Dana Ltd" }],
  [{ supplier: "Sam Studio" }, { supplierName: "Sam Studio" }],
  [{ providerName: "Sam Studio" }, { supplierName: "Sam Studio" }],
  [{ buyer: "Dana", buyerName: "Dana" }, { buyerName: "Dana" }],
  [{ supplier: "Sam", providerName: "Sam" }, { supplierName: "Sam" }],
  [{ recordPurpose: "Proof" }, { termsPolicy: { purpose: "Proof" } }],
  [{ contractBasis: "EXISTING_CONTRACT" }, { termsPolicy: { contractBasis: "EXISTING_CONTRACT" } }],
  [{ commercialReference: "Frame 12" }, { termsPolicy: { contractReference: "Frame 12" } }],
  [{ contractClauses: "Clause 1." }, { termsPolicy: { contractClauses: "Clause 1." } }],
  [{ agreementSharing: "Both" }, { termsPolicy: { sharing: "Both" } }],
  [{ sharingRecipients: ["A court"] }, { termsPolicy: { sharingRecipients: ["A court"] } }],
  [{ sharingRecipients: [] }, { termsPolicy: { sharingRecipients: [] } }],
  [{ deadlineInstant: day }, { deadline: day }],
  [{ deadlineInstant: "" }, {}],
  [{ reviewDeadlineInstant: day }, { reviewDeadline: day }],
  [{ reviewDeadlineInstant: "" }, {}],
  [{ retainUntilInstant: day }, { retainUntil: day }],
  [{ retainUntilInstant: "" }, {}],
  // Only the format is checked: the order of dates is not checked in a draft.
  [
    { deadlineInstant: later, reviewDeadlineInstant: day },
    { deadline: later, reviewDeadline: day }
  ],
  [{ originalCustodian: "Sam" }, { originals: { custodian: "Sam" } }],
  [{ originalLocation: "Folder" }, { originals: { location: "Folder" } }],
  [{ originalAccess: "Both" }, { originals: { access: "Both" } }],
  [{ signingEnabled: true }, { signing: { enabled: true } }],
  [{ signingEnabled: false }, { signing: { enabled: false } }],
  [{ signingMethod: "NATIVE" }, { signing: { method: "NATIVE" } }],
  [{ signingMethod: "EXTERNAL" }, { signing: { method: "EXTERNAL" } }],
  [{ signingAgreementInstant: day }, { signing: { agreementSignBy: day } }],
  [{ signingAgreementInstant: "" }, {}],
  [{ signingAcceptanceInstant: day }, { signing: { acceptanceSignBy: day } }],
  [{ signingAcceptanceInstant: "" }, {}],
  [{ templateSelection: "logo" }, { templateBinding: { id: "logo" } }]
]

const externalSigning = {
  enabled: true,
  method: "EXTERNAL",
  counterparty: other,
  contact: "Legal",
  principal: person,
  agreementSignBy: day,
  acceptanceSignBy: later
} as const

/** The fields of the nested form only, which the content has unchanged. */
const nestedOnly: ReadonlyArray<object> = [
  { supplierName: "Sam" },
  { supplierActorId: person },
  { supplierReference: "Offer 7" },
  { deadline: day },
  { reviewDeadline: day },
  { retainUntil: day },
  { materialPolicy: "FILE_DIGESTS" },
  { termsPolicy: {} },
  { termsPolicy: { purpose: "Proof", sharingRecipients: ["A court"] } },
  { originals: {} },
  { originals: { custodian: "Sam", location: "Folder", access: "Both" } },
  { legalContext: { documents: [{ kind: "TERMS", version: "1", digest: sha }] } },
  { templateBinding: { id: "logo", version: 3, digest: sha } },
  { signing: {} },
  { signing: { counterparty: person, contact: "Legal", principal: other } },
  { externalSigning },
  { specification: { id: "logo", version: 1 } },
  { specification: { id: "logo", version: 1, digest: sha } }
]

describe("the two input forms of a draft", () => {
  it.each(shared)("The field %j has the same meaning in both forms of a draft", (fields, expected) => {
    assert.deepStrictEqual<unknown>(decodedContent(flat(fields)), expected)
    assert.deepStrictEqual<unknown>(decodedContent(nested(fields)), expected)
  })

  it.each(pairs)("The flat field %j is equivalent to the nested %j", (one, another) => {
    const expected = decodedContent(nested(another))
    assert.deepStrictEqual<unknown>(expected, another)
    assert.deepStrictEqual(decodedContent(flat(one)), expected)
  })

  it.each(nestedOnly)("The nested field %j is kept unchanged in the content.", (fields) => {
    assert.deepStrictEqual<unknown>(decodedContent(nested(fields)), fields)
  })

  it("The cases cover every field of both forms.", () => {
    const named = (cases: ReadonlyArray<object>) => [...new Set(cases.flatMap(Object.keys))].toSorted()
    const common = named(shared.map(([fields]) => fields))
    assert.deepStrictEqual(
      named(pairs.map(([fields]) => fields)).filter((name) => !common.includes(name)),
      formFields.flat.toSorted()
    )
    assert.deepStrictEqual(named([...nestedOnly, { schema: nestedSchema }]), formFields.nested.toSorted())
    const reads = Object.keys(DraftContent.fields).filter((name) => name !== "recipient")
    assert.sameMembers(
      [...common, ...formFields.nested].filter((name) => reads.includes(name)),
      reads
    )
  })

  it("Mixed forms are refused with the paths of the fields of both.", () => {
    const flatValues = Object.assign({}, ...pairs.map(([fields]) => fields)) as Readonly<Record<string, unknown>>
    const nestedValues = Object.assign({ schema: nestedSchema }, ...nestedOnly) as Readonly<Record<string, unknown>>
    for (const one of formFields.flat) {
      for (const another of formFields.nested) {
        const mixed = { requestId: uuid(), title: "Logo", [one]: flatValues[one], [another]: nestedValues[another] }
        assert.deepStrictEqual(pathsOf(mixed), [one, another].toSorted())
      }
    }
    const everything = { ...flatValues, ...nestedValues, requestId: uuid() }
    const formPaths = [...formFields.flat, ...formFields.nested].toSorted()
    assert.deepStrictEqual(
      pathsOf(everything).filter((path) => !formFields.flat.concat(formFields.nested).includes(path)),
      []
    )
    assert.deepStrictEqual(pathsOf(everything), formPaths)
  })

  it.each(nestedOnly)("The nested field %j needs the member `schema`.", (fields) => {
    assert.deepStrictEqual(issuesIn(flat(fields)), [{ path: "schema", message: "Missing key" }])
    assert.deepStrictEqual(pathsOf({ ...flat(fields), schema: "service.agreement-draft/v2" }), ["schema"])
  })

  it.each([
    [{ buyerName: "Dana", buyer: "Dan" }, ["buyer", "buyerName"]],
    [{ providerName: "Sam", supplier: "Sal" }, ["providerName", "supplier"]]
  ])("Two different names for one party are refused: %j.", (fields, paths) => {
    assert.deepStrictEqual(pathsOf(flat(fields)), paths)
  })

  it.each([
    "confirmationDigest", "revisionOf", "decisions", "review", "execution", "actor", "signature", "evidence", "status",
    "state", "agreementDigest", "expectedEventHash", "organizationId", "draftId", "unknown"
  ])("A draft with the member %s is refused.", (name) => {
    for (const form of [flat, nested]) assert.deepStrictEqual(pathsOf(form({ [name]: sha })), [name])
  }) // prettier-ignore

  it.each([
    [flat({ title: "" }), ["title"]],
    [flat({ title: "a".repeat(limits.titleCharacters + 1) }), ["title"]],
    [flat({ scope: "a".repeat(limits.scopeCharacters + 1) }), ["scope"]],
    [flat({ deadlineInstant: "2027-02-30T00:00:00.000Z" }), ["deadlineInstant"]],
    [flat({ deadlineInstant: "2027-02-28" }), ["deadlineInstant"]],
    [nested({ deadline: "" }), ["deadline"]],
    [nested({ signing: { enabled: true }, externalSigning }), ["externalSigning"]],
    [nested({ externalSigning: { ...externalSigning, method: "NATIVE" } }), ["externalSigning.method"]],
    [nested({ externalSigning: { method: "EXTERNAL", enabled: true } }), [
      "externalSigning.acceptanceSignBy", "externalSigning.agreementSignBy", "externalSigning.contact",
      "externalSigning.counterparty", "externalSigning.principal"
    ]],
    [nested({ externalSigning: { ...externalSigning, counterparty: person } }), ["externalSigning.counterparty"]],
    [nested({ externalSigning: { ...externalSigning, acceptanceSignBy: day } }), ["externalSigning.acceptanceSignBy"]],
    [nested({ externalSigning: { ...externalSigning, agreementSignBy: later, acceptanceSignBy: day } }), [
      "externalSigning.acceptanceSignBy"
    ]],
    [nested({ signing: { evidence: {} } }), ["signing.evidence"]],
    [nested({ termsPolicy: { approved: true } }), ["termsPolicy.approved"]],
    [nested({ specification: { id: "logo" } }), ["specification.version"]],
    [nested({ specification: { id: "Logo", version: 0 } }), ["specification.id", "specification.version"]],
    [nested({ criteria: [{ id: "a" }, { id: "a" }] }), ["criteria"]],
    [flat({ criteria: Array.from({ length: limits.criteria + 1 }, () => ({})) }), ["criteria"]],
    [flat({ references: Array.from({ length: limits.draftReferences + 1 }, () => "a") }), ["references"]],
    [flat({ subjectRequirements: [{ id: "people" }] }), ["subjectRequirements[0].humanDecisions", "subjectRequirements[0].statement"]],
    [{ title: "Logo" }, ["requestId"]],
    [flat({ role: "OTHER" }), ["role"]]
  ] as ReadonlyArray<readonly [object, ReadonlyArray<string>]>)("The issues of %j are those of its own form.", (body, paths) => {
    assert.deepStrictEqual(pathsOf(body), paths)
  }) // prettier-ignore

  it.each([null, [], "draft", 7])("The body %j is refused as a draft.", (body) => {
    assert.isNotEmpty(draftBodyIssues(body))
  })
})

describe("partial drafts", () => {
  it("The content of a partial draft has exactly the members that were sent.", () => {
    let emptiest = Infinity
    let fullest = 0
    const parts = [...nestedOnly, ...shared.map(([, expected]) => expected)]
    const members = parts.flatMap((part) => Object.entries(part)).filter(([name]) => name !== "recipient")
    fc.assert(
      fc.property(fc.subarray(members), (chosen) => {
        const fields = Object.fromEntries(chosen)
        if ("signing" in fields) delete fields["externalSigning"]
        const content = decodedContent(nested(fields))
        assert.deepStrictEqual<unknown>(content, fields)
        assert.deepStrictEqual(
          Schema.decodeUnknownSync(DraftContent)(JSON.parse(JSON.stringify(content)), { onExcessProperty: "error" }),
          content
        )
        emptiest = Math.min(emptiest, Object.keys(fields).length)
        fullest = Math.max(fullest, Object.keys(fields).length)
      })
    )
    assert.isTrue(emptiest <= 2 && fullest >= 15, `reached from ${emptiest} to ${fullest} members`)
  })

  it("The missing fields of a draft are those that an agreement or proposal needs.", () => {
    const complete: DraftContent = {
      title: "Logo", scope: "One.", buyerName: "Dana", supplierName: "Sam", supplierReference: "Offer 7",
      criteria: [{ id: "a", title: "A", requirement: "An A." }], deadline: day, reviewDeadline: later,
      baselineStatement: "None.", originals: { custodian: "Sam", location: "Folder", access: "Both" },
      termsPolicy: { purpose: "Proof", contractBasis: "THIS_AGREEMENT", sharing: "Both" }
    } as unknown as DraftContent // prettier-ignore
    assert.deepStrictEqual(missingFields(complete, "BUYER"), [])
    assert.deepStrictEqual(missingFields({}, "BUYER"), [
      "title", "scope", "buyerName", "supplierName", "supplierReference", "criteria", "deadline", "reviewDeadline",
      "baselineStatement", "termsPolicy.purpose", "termsPolicy.contractBasis", "termsPolicy.sharing",
      "originals.custodian", "originals.location", "originals.access"
    ]) // prettier-ignore
    assert.deepStrictEqual(
      missingFields({ ...complete, criteria: [{ title: "A" }], termsPolicy: { contractBasis: "EXISTING_CONTRACT" } }, "BUYER"),
      ["criteria[0].id", "criteria[0].requirement", "termsPolicy.purpose", "termsPolicy.contractReference", "termsPolicy.contractClauses", "termsPolicy.sharing"]
    ) // prettier-ignore
    assert.deepStrictEqual(missingFields({ ...complete, signing: { enabled: false } }, "BUYER"), [])
    assert.deepStrictEqual(missingFields({ ...complete, signing: { method: "NATIVE" } }, "BUYER"), [
      "signing.principal",
      "signing.agreementSignBy",
      "signing.acceptanceSignBy"
    ])
    // A supplier names the recipient, not the buyer's signer.
    assert.deepStrictEqual(missingFields({ ...complete, signing: { method: "NATIVE" } }, "SUPPLIER"), [
      "signing.agreementSignBy",
      "signing.acceptanceSignBy",
      "recipient.actorId",
      "recipient.reference"
    ])
    const recipient = { actorId: "person_1", reference: "dana" } as unknown as NonNullable<DraftContent["recipient"]>
    assert.deepStrictEqual(missingFields({ ...complete, recipient }, "SUPPLIER"), [])
  })
})
