/** The table of the terms' fields: every row is entered, decoded and shown as the field's own schema demands. */
import { Effect, Result, Schema } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { missingFields } from "../../src/drafts/draft.ts"
import { CreateProject } from "../../src/projects/input.ts"
import {
  originalsFields,
  pathText,
  signingFields,
  termsFields,
  termsPaths,
  termsPolicyFields,
  type Terms
} from "../../src/projects/terms.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { fieldSchema } from "../../src/workspace/agreements/controls.ts"
import { fields, type Field } from "../../src/workspace/agreements/fields.ts"
import { fieldsFromTerms } from "../../src/workspace/agreements/prefill.ts"
import { decodeAgreement } from "../../src/workspace/agreements/values.ts"
import { draftFacts } from "../../src/workspace/drafts/content.ts"
import { missingFieldLabel } from "../../src/workspace/drafts/labels.ts"
import { render } from "../../src/workspace/kit/html.ts"
import { termsFacts } from "../../src/workspace/projects/terms.ts"
import { uuid } from "../support/parties.ts"

const supplier = `person_${uuid()}`
const principal = `person_${uuid()}`
const choices = {
  personId: principal,
  organizationId: `organization_${uuid()}`,
  organizationName: "Dana",
  contacts: [],
  members: [{ personId: principal, name: "Dana" }]
}

const instant = (text: string) => text as Instant

/** Terms in which every field has a value of its own. */
const completeTerms = (text: (name: string) => string): Terms => ({
  title: text("title"),
  scope: text("scope"),
  buyerName: text("buyerName"),
  supplierName: text("supplierName"),
  supplierActorId: supplier,
  supplierReference: text("supplierReference"),
  criteria: [{ id: "1", title: text("criterion title"), requirement: text("criterion requirement") }],
  deadline: instant("2027-01-15T12:00:00.000Z"),
  reviewDeadline: instant("2027-02-15T12:30:00.000Z"),
  retainUntil: instant("2028-02-15T12:00:01.000Z"),
  baselineStatement: text("baselineStatement"),
  materialPolicy: "FILE_DIGESTS",
  termsPolicy: {
    purpose: text("purpose"),
    contractBasis: "EXISTING_CONTRACT",
    contractReference: text("contractReference"),
    contractClauses: text("contractClauses"),
    sharing: text("sharing"),
    sharingRecipients: [text("first recipient"), text("second recipient")]
  },
  originals: { custodian: text("custodian"), location: text("location"), access: text("access") },
  subjectRequirements: [{ id: "r", statement: text("statement"), humanDecisions: ["ACCEPT"] }],
  signing: {
    enabled: true,
    method: "EXTERNAL",
    principal,
    counterparty: `person_${uuid()}`,
    contact: text("contact"),
    agreementSignBy: instant("2027-01-10T12:00:00.000Z"),
    acceptanceSignBy: instant("2027-03-10T12:00:00.001Z")
  },
  legalContext: { documents: [] }
})

const decoded = (terms: Terms) => {
  const submission = { fields: fieldsFromTerms(terms, supplier), formToken: undefined }
  const result = Effect.runSync(decodeAgreement(choices, false, submission))
  if (Result.isFailure(result)) throw new Error(JSON.stringify(result.failure.problems))
  return result.success.terms
}

const tables = {
  terms: termsFields,
  termsPolicy: termsPolicyFields,
  originals: originalsFields,
  signing: signingFields
}

/** The schema that the wire has for the field. */
const wireSchema = ({ path: { group, name } }: Field): Schema.ConstraintDecoder<unknown> => {
  const table: { readonly [name: string]: Schema.Constraint } = tables[group ?? "terms"]
  return table[name] as Schema.ConstraintDecoder<unknown>
}

const accepts = (schema: Schema.ConstraintDecoder<unknown>, value: unknown): boolean =>
  Result.isSuccess(Schema.decodeUnknownResult(schema)(value))

describe("the fields of the terms", () => {
  it("Every field of the terms is entered as one value, repeated in rows, or supplied by the service.", () => {
    const entered = fields.map(({ path }) => pathText(path))
    const others = ["criteria", "subjectRequirements", "materialPolicy", "specification", "signing.enabled"]
    assert.sameMembers([...entered, ...others], termsPaths.map(pathText))
    assert.strictEqual(new Set(fields.map(({ formName }) => formName)).size, fields.length)
  })

  it("The control of a text accepts exactly the lengths that its field accepts on the wire.", () => {
    const texts = fields.filter(({ control }) => ["name", "text", "longText"].includes(control))
    assert.isAbove(texts.length, 10)
    for (const field of texts) {
      for (const limit of [limits.titleCharacters, limits.textCharacters, limits.scopeCharacters]) {
        for (const length of [limit, limit + 1]) {
          const text = "a".repeat(length)
          const form = Schema.Struct({ field: fieldSchema(field, false) })
          const isEntered = accepts(form, { field: text })
          assert.strictEqual(isEntered, accepts(wireSchema(field), text), `${field.formName} with ${length} characters`)
        }
      }
    }
  })

  it("Terms that are prefilled and submitted without a change are the same, and the wire accepts them.", () => {
    const line = fc
      .string({ minLength: 1, maxLength: 20, unit: "grapheme" })
      .map((text) => text.trim())
      .filter((text) => /^\P{Cc}+$/u.test(text))
    fc.assert(
      fc.property(fc.array(line, { minLength: 20, maxLength: 20 }), (lines) => {
        let next = 0
        const terms = completeTerms(() => lines[next++ % lines.length]!)
        const { legalContext: _, ...expected } = terms
        assert.deepStrictEqual(decoded(terms), expected)
        assert.isTrue(accepts(CreateProject, { requestId: uuid(), ...decoded(terms) }))
      }),
      { numRuns: 50 }
    )
  })

  it("Every entered value is shown in the summary of an agreement and in the content of a draft.", () => {
    const names: Array<string> = []
    const terms = completeTerms((name) => {
      names.push(name)
      return `the value of ${name}`
    })
    const { signing, supplierActorId, deadline, reviewDeadline, retainUntil } = terms
    const times = [deadline, reviewDeadline, retainUntil!, signing!.agreementSignBy, signing!.acceptanceSignBy]
    const expected = [
      ...names.map((name) => `the value of ${name}<`),
      ...times.map((time) => `datetime="${time}"`),
      supplierActorId!,
      signing!.principal,
      signing!.counterparty!
    ]
    const agreement = render(termsFacts(terms, (personId) => personId))
    const draft = render(draftFacts(terms))
    for (const text of expected) {
      assert.include(agreement, text)
      assert.include(draft, text)
    }
  })

  it("A draft lacks every required field, each with a label for people.", () => {
    const missing = missingFields({ signing: {} }, "SUPPLIER")
    const required = termsPaths.filter(({ group, isOptional }) => group !== "signing" && !isOptional).map(pathText)
    const supplied = ["materialPolicy", "subjectRequirements", "termsPolicy.sharingRecipients"]
    assert.includeMembers(
      missing as Array<string>,
      required.filter((name) => !supplied.includes(name))
    )
    for (const name of [...missing, "signing.principal", "criteria[0].title"]) {
      assert.match(missingFieldLabel(name), /^(?:a|the|who|what|where|which|how) /, name)
    }
  })
})
