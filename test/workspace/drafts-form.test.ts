/** What a draft says and what its form says are one thing: filled in and saved untouched, it has not changed. */
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import { assert, it } from "vitest"
import type { DraftContent } from "../../src/drafts/content.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { decodePartialDraft } from "../../src/workspace/pages/drafts-fields.ts"
import { fieldsFromDraft } from "../../src/workspace/pages/drafts-prefill.ts"
import type { Fields } from "../../src/workspace/urlencoded.ts"
import { sha, uuid } from "../support/parties.ts"

const contact = { contactId: `contact_${uuid()}`, reference: "S7", name: "Sam", personId: `person_${uuid()}` }
const choices = { contacts: [contact] }

const saved = (content: DraftContent, changes: Fields = {}) => {
  const fields = { ...fieldsFromDraft(content, choices), ...changes }
  // A browser sends no radio button that nobody chose.
  const unanswered = ["supplierBy", "contractBasis", "signing"].filter((name) => fields[name] === "")
  const sent = Object.fromEntries(Object.entries(fields).filter(([name]) => !unanswered.includes(name)))
  const decoded = Effect.runSync(decodePartialDraft(choices, content, { fields: sent, formToken: undefined }))
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
const partly = <A>(members: { readonly [K in keyof A]: fc.Arbitrary<A[K]> }) => fc.record(members, { requiredKeys: [] })
/** With a member at least: a group in which nothing stands is not there. */
const some = <A extends object>(arbitrary: fc.Arbitrary<A>) => arbitrary.filter((one) => Object.keys(one).length > 0)

/** Where nobody is named as the supplier, the form shows the recipient as one. */
const besideSupplier = ({ recipient = {}, ...content }: any) => {
  const { actorId, reference } = recipient
  const beside = {
    ...(actorId === undefined || content.supplierActorId === undefined ? {} : { actorId }),
    ...(reference === undefined || content.supplierReference === undefined ? {} : { reference })
  }
  return Object.keys(beside).length === 0 ? content : { ...content, recipient: beside }
}

const content = partly({
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
    fc.tuple(partly({ title: line, requirement: text }), line).map(([one, id]) => ({ id, ...one })),
    { minLength: 1, maxLength: 4, selector: ({ id }) => id }
  ),
  deadline: instant,
  reviewDeadline: instant,
  retainUntil: instant,
  baselineStatement: text,
  materialPolicy: fc.constant("FILE_DIGESTS" as const),
  termsPolicy: some(
    partly({
      purpose: text,
      contractBasis: fc.constantFrom("THIS_AGREEMENT" as const, "EXISTING_CONTRACT" as const),
      contractReference: text,
      contractClauses: text,
      sharing: text,
      sharingRecipients: fc.array(line, { maxLength: 3 })
    })
  ),
  originals: some(partly({ custodian: line, location: text, access: text })),
  subjectRequirements: fc.uniqueArray(
    fc.record({ id: line, statement: text, humanDecisions: fc.subarray(["RESPOND", "REVIEW", "ACCEPT", "ISSUE"] as const) }),
    { minLength: 1, maxLength: 3, selector: ({ id }) => id }
  ),
  legalContext: fc.constant({ documents: [{ kind: "TERMS", version: "1", digest: sha }] }),
  templateBinding: fc.constant({ id: "short form", version: 2 }),
  signing: fc.oneof(
    partly({ principal: person, counterparty: person, contact: line, agreementSignBy: instant, acceptanceSignBy: instant }).map((who) => ({ enabled: false, ...who })),
    some(partly({
      enabled: fc.boolean(), method: fc.constantFrom("NATIVE" as const, "EXTERNAL" as const),
      principal: person, contact: line, agreementSignBy: instant
    }))
  ),
  specification: fc.constant({ id: "logo", version: 1, digest: sha }),
  recipient: partly({ actorId: person, reference: text })
}).map(besideSupplier) as fc.Arbitrary<DraftContent> // prettier-ignore

it("saves a draft that was opened and left alone as it was", () => {
  const reached = new Map<string, number>()
  fc.assert(
    fc.property(content, (content) => {
      // The form asks whether people sign; a draft that says nothing of it is answered with no.
      assert.deepStrictEqual(saved(content), { ...content, signing: content.signing ?? { enabled: false } })
      for (const name of Object.keys(content)) reached.set(name, (reached.get(name) ?? 0) + 1)
    })
  )
  assert.isAtLeast(Math.min(...reached.values()), 10, JSON.stringify([...reached]))
  assert.lengthOf([...reached], 23, "a member was never generated")
})

it("saves whoever was named to receive it as its supplier", () => {
  const personId = `person_${uuid()}`
  const named = saved({ recipient: { actorId: personId, reference: "Offer 7" } })
  assert.deepStrictEqual(named, {
    supplierActorId: personId,
    supplierReference: "Offer 7",
    signing: { enabled: false }
  })
})

it("fills in the id of a criterion only where no other has it", () => {
  const fields = fieldsFromDraft({ criteria: [{ title: "A" }, { id: "1" }, { title: "C" }] }, choices)
  assert.deepStrictEqual(
    [1, 2, 3].map((row) => fields[`criterion${row}Id`]),
    ["", "1", "3"]
  )
})

it("keeps the id of a criterion that somebody wrote alone, and not of one that was emptied", () => {
  const criteria = [{ id: "1" }, { id: "2", title: "B" }, { id: "vector" }, { id: "logo", title: "C" }]
  const emptied = { criterion2Title: "", criterion4Title: "" }
  assert.deepStrictEqual(saved({ criteria }, emptied).criteria, [{ id: "1" }, { id: "vector" }])
  assert.isUndefined(saved({}).criteria)
  assert.deepStrictEqual(saved({}, { criterion1Id: "mine" }).criteria, [{ id: "mine" }])
})

it("does not bring back who was taken out as the supplier", () => {
  const [supplierActorId, actorId] = [`person_${uuid()}`, `person_${uuid()}`] as const
  const out = saved({ supplierActorId, recipient: { actorId } }, { supplierBy: "LATER" })
  assert.deepStrictEqual([out.supplierActorId, out.recipient], [undefined, undefined])
})
