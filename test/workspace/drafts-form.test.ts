/** Round trip of a draft through its form: prefilled and saved without a change, its content is the same. */
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import { assert, it } from "vitest"
import type { DraftContent } from "../../src/drafts/content.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { decodePartialDraft } from "../../src/workspace/agreements/draft-values.ts"
import { fieldsFromDraft } from "../../src/workspace/agreements/prefill.ts"
import { draftSteps, fieldsWithin, type DraftStep } from "../../src/workspace/drafts/steps.ts"
import type { Fields } from "../../src/workspace/kit/urlencoded.ts"
import { sha, uuid } from "../support/parties.ts"

const contact = { contactId: `contact_${uuid()}`, reference: "S7", name: "Sam", personId: `person_${uuid()}` }
const choices = { contacts: [contact] }

const saved = (content: DraftContent, changes: Fields = {}) =>
  decoded(content, { ...fieldsFromDraft(content, choices), ...changes })

const savedStep = (content: DraftContent, step: DraftStep) =>
  decoded(content, fieldsWithin(step, fieldsFromDraft(content, choices)), step.sections)

const decoded = (content: DraftContent, fields: Fields, sections?: DraftStep["sections"]) => {
  const decoded = Effect.runSync(decodePartialDraft(choices, content, { fields, formToken: undefined }, sections))
  if (Result.isFailure(decoded)) throw new Error(JSON.stringify(decoded.failure.problems))
  return decoded.success
}

const line = fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" }).map((text) => text.trim()).filter((text) => /^\P{Cc}+$/u.test(text)) // prettier-ignore
const text = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\n"))
const person = fc.constantFrom(`person_${uuid()}`, `person_${uuid()}`, contact.personId)
const instant = fc.constantFrom(
  "2027-03-01T10:30:00.000Z",
  "2027-03-01T10:30:05.000Z",
  "2027-03-01T10:30:05.123Z"
) as fc.Arbitrary<Instant>
const partial = <A>(members: { readonly [K in keyof A]: fc.Arbitrary<A[K]> }) =>
  fc.record(members, { requiredKeys: [] })
/** With at least one member: an empty group is absent. */
const some = <A extends object>(arbitrary: fc.Arbitrary<A>) => arbitrary.filter((one) => Object.keys(one).length > 0)

/** A draft without a supplier is prefilled with the recipient. */
const withSupplier = ({ recipient = {}, ...content }: any) => {
  const { actorId, reference } = recipient
  const beside = {
    ...(actorId === undefined || content.supplierActorId === undefined ? {} : { actorId }),
    ...(reference === undefined || content.supplierReference === undefined ? {} : { reference })
  }
  return Object.keys(beside).length === 0 ? content : { ...content, recipient: beside }
}

const content = partial({
  source: line,
  sourceReference: text,
  references: fc.array(text, { maxLength: 2 }),
  title: line,
  scope: text,
  buyerName: line,
  supplierName: line,
  supplierActorId: person,
  supplierReference: text,
  criteria: fc.uniqueArray(
    fc.tuple(partial({ title: line, requirement: text }), line).map(([one, id]) => ({ id, ...one })),
    { minLength: 1, maxLength: 4, selector: ({ id }) => id }
  ),
  deadline: instant,
  reviewDeadline: instant,
  retainUntil: instant,
  baselineStatement: text,
  materialPolicy: fc.constant("FILE_DIGESTS" as const),
  termsPolicy: some(
    partial({
      purpose: text,
      contractBasis: fc.constantFrom("THIS_AGREEMENT" as const, "EXISTING_CONTRACT" as const),
      contractReference: text,
      contractClauses: text,
      sharing: text,
      sharingRecipients: fc.array(line, { maxLength: 3 })
    })
  ),
  originals: some(partial({ custodian: line, location: text, access: text })),
  subjectRequirements: fc.uniqueArray(
    fc.record({ id: line, statement: text, humanDecisions: fc.subarray(["RESPOND", "REVIEW", "ACCEPT", "ISSUE"] as const) }),
    { minLength: 1, maxLength: 3, selector: ({ id }) => id }
  ),
  legalContext: fc.constant({ documents: [{ kind: "TERMS", version: "1", digest: sha }] }),
  templateBinding: fc.constant({ id: "short form", version: 2 }),
  signing: fc.oneof(
    partial({ principal: person, counterparty: person, contact: line, agreementSignBy: instant, acceptanceSignBy: instant }).map((who) => ({ enabled: false, ...who })),
    some(partial({
      enabled: fc.boolean(), method: fc.constantFrom("NATIVE" as const, "EXTERNAL" as const),
      principal: person, contact: line, agreementSignBy: instant
    }))
  ),
  specification: fc.constant({ id: "logo", version: 1, digest: sha }),
  recipient: partial({ actorId: person, reference: text })
}).map(withSupplier) as fc.Arbitrary<DraftContent> // prettier-ignore

it("A draft that is opened and saved without a change keeps its content, as a whole and in each step.", () => {
  const reached = new Map<string, number>()
  fc.assert(
    fc.property(content, (content) => {
      assert.deepStrictEqual(saved(content), content)
      for (const step of draftSteps) assert.deepStrictEqual(savedStep(content, step), content)
      for (const name of Object.keys(content)) reached.set(name, (reached.get(name) ?? 0) + 1)
    })
  )
  assert.isAtLeast(Math.min(...reached.values()), 10, JSON.stringify([...reached]))
  assert.lengthOf([...reached], 23, "a member was never generated")
})

it("The recipient of a draft is saved as its supplier.", () => {
  const personId = `person_${uuid()}`
  const named = saved({ recipient: { actorId: personId, reference: "Offer 7" } })
  assert.deepStrictEqual(named, {
    supplierActorId: personId,
    supplierReference: "Offer 7"
  })
})

it("A criterion with a title and no id is saved with an id that no other criterion has.", () => {
  const { criteria } = saved({
    criteria: [{ title: "A" }, { id: "a-2", title: "B" }, { title: "A" }, { requirement: "C" }]
  })
  assert.deepStrictEqual(
    criteria?.map(({ id }) => id),
    ["a", "a-2", "a-3", undefined]
  )
})

it("The entered id of a criterion is kept, and an emptied one is not.", () => {
  const criteria = [{ id: "1" }, { id: "2", title: "B" }, { id: "vector" }, { id: "logo", title: "C" }]
  const emptied = { criterion2Title: "", criterion4Title: "" }
  assert.deepStrictEqual(saved({ criteria }, emptied).criteria, [{ id: "1" }, { id: "vector" }])
  assert.isUndefined(saved({}).criteria)
  assert.deepStrictEqual(saved({}, { criterion1Id: "mine" }).criteria, [{ id: "mine" }])
})

it("A supplier removed from the form does not return.", () => {
  const [supplierActorId, actorId] = [`person_${uuid()}`, `person_${uuid()}`] as const
  const out = saved({ supplierActorId, recipient: { actorId } }, { supplierBy: "LATER" })
  assert.deepStrictEqual([out.supplierActorId, out.recipient], [undefined, undefined])
})
