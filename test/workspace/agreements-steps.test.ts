/** The steps of an agreement: rows, criterion ids, and the problems of each field. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { now } from "../../src/vocabulary/instant.ts"
import {
  dayFrom,
  draftIn,
  preview,
  projectIn,
  stepPath,
  termsFor,
  termsFormOn,
  termsIn,
  valuesIn
} from "../support/agreement-pages.ts"
import { formOn, problemsOn, readPage, submit, type Values } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { uuid } from "../support/parties.ts"
import { stepOf } from "../../src/workspace/drafts/steps.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

const pair = Effect.gen(function* () {
  return { dana: yield* signInNewPerson("Dana"), sam: yield* signInNewPerson("Sam") }
})

const projectsOf = (by: { readonly token: string }) =>
  Effect.map(readPage(by, "/workspace/projects"), ({ text }) => (text.match(/<code>delivery_/g) ?? []).length)

layer(freshTestService, { excludeTestServices: true })("steps of an agreement", (it) => {
  it.effect("Rows can be added without script, and all entered values are kept.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const values = yield* termsFor(sam)
      const draftId = draftIn(yield* preview(dana, values))
      const [work, terms] = [stepPath(draftId, "work"), stepPath(draftId, "terms")]
      const more = yield* submit(dana, formOn(yield* readPage(dana, work), work), {
        ...valuesIn("work", values),
        criterion1Title: "Two vector files",
        step: "ADD_CRITERION"
      })
      assert.deepStrictEqual([more.status, problemsOn(more)], [200, []])
      for (const kept of ['value="Two vector files"', "In colour.", 'name="criterion2Id"']) {
        assert.include(more.text, kept)
      }
      const print = { criterion2Id: "print", criterion2Title: "Print", criterion2Requirement: "A PDF." }
      const worked = yield* submit(dana, formOn(more, work), { ...valuesIn("work", values), ...print })
      assert.strictEqual(worked.status, 303)
      const kinds = yield* submit(dana, formOn(yield* readPage(dana, terms), terms), {
        ...valuesIn("terms", values),
        step: "ADD_REQUIREMENT"
      })
      assert.match(kinds.text, /name="requirement1Id"[^>]*value="requirement-1"/)
      const saved = yield* submit(dana, formOn(kinds, terms), {
        ...valuesIn("terms", values),
        requirement1Id: "people",
        requirement1Statement: "A person looks at it.",
        requirement1Decisions: "ACCEPT"
      })
      assert.strictEqual(saved.status, 303)
      assert.match((yield* readPage(dana, terms)).text, /value="ACCEPT"[^>]* checked/)
      assert.include((yield* readPage(dana, work)).text, 'value="Print"')
      const made = yield* submit(dana, termsFormOn(yield* readPage(dana, saved.headers["location"]!)))
      const agreed = yield* termsIn(dana, projectIn(made.headers["location"]))
      assert.deepStrictEqual(agreed.criteria[1], { id: "print", title: "Print", requirement: "A PDF." })
      assert.deepStrictEqual(agreed.subjectRequirements, [
        { id: "people", statement: "A person looks at it.", humanDecisions: ["ACCEPT"] }
      ])
    })
  )

  it.effect("A criterion without an id gets one from its title, which no other criterion has.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const named = (row: number, id: string, title: string) => ({
        [`criterion${row}Id`]: id,
        [`criterion${row}Title`]: title,
        [`criterion${row}Requirement`]: "As agreed."
      })
      const values = yield* termsFor(sam, {
        ...named(1, "", "Vector files"),
        ...named(2, "vector-files-2", "Print"),
        ...named(3, "", "Vector  Files!"),
        ...named(4, "", "Größe: 3 × 4 — Café"),
        ...named(5, "", "标志"),
        criterionRows: "5"
      })
      const shown = yield* preview(dana, values)
      const work = yield* readPage(dana, stepPath(draftIn(shown), "work"))
      assert.match(work.text, /name="criterion1Id"[^>]*value="vector-files"/)
      const { criteria } = yield* termsIn(
        dana,
        projectIn((yield* submit(dana, termsFormOn(shown))).headers["location"])
      )
      assert.deepStrictEqual(
        criteria.map(({ id }) => id),
        ["vector-files", "vector-files-2", "vector-files-3", "gro-e-3-4-cafe", "c5"]
      )
    })
  )

  it.effect("Each invalid field of an agreement form has its own problem, and all entered values are kept.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const good = yield* termsFor(sam)
      const draftId = draftIn(yield* preview(dana, good))
      const needed = {
        parties: ["buyerName", "supplierName", "supplierReference", "supplierBy"],
        work: ["title", "scope", "baselineStatement", "criterion1Title"],
        dates: ["deadline", "reviewDeadline"],
        terms: ["purpose", "contractBasis", "sharing", "custodian", "location", "access", "signing"]
      }
      for (const [step, expected] of Object.entries(needed)) {
        const path = stepPath(draftId, step)
        const empty = yield* submit(dana, formOn(yield* readPage(dana, path), path))
        assert.deepStrictEqual([empty.status, problemsOn(empty).map(([field]) => field)], [400, expected])
        assert.deepStrictEqual(accessibilityFaults(empty.text), [])
      }
      const today = yield* now
      const signing = {
        signing: "NATIVE",
        principal: dana.personId,
        agreementSignBy: dayFrom(today, 3),
        acceptanceSignBy: dayFrom(today, 20)
      }
      const cases: ReadonlyArray<readonly [Values, string, string]> = [
        [{ title: "a".repeat(201) }, "title", "The title has at most 200 characters."],
        [{ title: "a\nb" }, "title", "The title is one line."],
        [{ scope: "a".repeat(20_001) }, "scope", "The scope has at most 20000 characters."],
        [{ deadline: "tomorrow" }, "deadline", "A date and time look like 2026-11-21 09:30."],
        [{ deadline: "2026-02-30 10:00" }, "deadline", "A date and time look like 2026-11-21 09:30."],
        [{ deadline: dayFrom(today, -1) }, "deadline", "The delivery date lies in the past."],
        [{ reviewDeadline: good.deadline }, "reviewDeadline", "The review date comes after the delivery date."],
        [{ retainUntil: good.deadline }, "retainUntil", "This date must be after the review date."],
        [{ supplierActorId: "sam" }, "supplierActorId", "A person’s id looks like person_1b4e28ba-2fa1-4d2b-a3f5-0de1f0a1c2d3."],
        [{ supplierBy: "CONTACT" }, "supplierBy", "Choose one of the contacts."],
        [{ contractBasis: "EXISTING_CONTRACT", contractClauses: "One." }, "contractReference", "An existing contract needs its reference."],
        [{ contractBasis: "EXISTING_CONTRACT", contractReference: "One." }, "contractClauses", "An existing contract needs its clauses, word for word."],
        [{ sharingRecipients: "a\n".repeat(51) }, "sharingRecipients", "At most 50 recipients are named."],
        [{ sharingRecipients: "a".repeat(201) }, "sharingRecipients", "Each recipient has at most 200 characters."],
        [{ criterion1Title: "" }, "criterion1Title", "The title of criterion 1 is needed."],
        [{ criterion1Requirement: "" }, "criterion1Requirement", "What criterion 1 requires is needed."],
        [{ ...signing, principal: "" }, "principal", "Choose who signs for the buyer."],
        [{ ...signing, principal: sam.personId }, "principal", "Choose who signs for the buyer."],
        [{ ...signing, counterparty: dana.personId }, "counterparty", "Another person signs for the supplier."],
        [{ ...signing, counterparty: "x" }, "counterparty", "A person’s id looks like person_1b4e28ba-2fa1-4d2b-a3f5-0de1f0a1c2d3."],
        [{ ...signing, agreementSignBy: "" }, "agreementSignBy", "The date for signing the agreement is needed."],
        [{ ...signing, agreementSignBy: dayFrom(today, 8) }, "agreementSignBy", "The agreement is signed at the latest on the delivery date."],
        [{ ...signing, agreementSignBy: dayFrom(today, -1) }, "agreementSignBy", "The date for signing the agreement lies in the past."],
        [{ ...signing, acceptanceSignBy: dayFrom(today, 2) }, "acceptanceSignBy", "The acceptance is signed after the agreement."],
        [{ signing: "MAYBE" }, "signing", "Choose one: signatures."]
      ] // prettier-ignore
      for (const [change, field, message] of cases) {
        const step = stepOf(field).path
        const form = formOn(yield* readPage(dana, stepPath(draftId, step)), stepPath(draftId, step))
        const refused = yield* submit(dana, form, valuesIn(step, { ...good, ...change }))
        assert.deepStrictEqual([refused.status, problemsOn(refused)], [400, [[field, message]]], JSON.stringify(change))
        const kept = Object.entries(valuesIn(step, good))
        for (const [name, value] of kept)
          if (!(name in change)) assert.include(refused.text, String(value).replace(/(?<=^[\d-]{10}) /, "T"))
      }
      assert.strictEqual(yield* projectsOf(dana), 0)
    })
  )

  it.effect("A problem that only the commit can detect is shown at the field that corrects it.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const today = yield* now
      const signing = {
        signing: "EXTERNAL",
        principal: dana.personId,
        agreementSignBy: dayFrom(today, 3),
        acceptanceSignBy: dayFrom(today, 20)
      }
      const unknownPerson = `person_${uuid()}`
      for (const [change, field] of [
        [{ supplierActorId: unknownPerson }, "supplierActorId"],
        [{ supplierActorId: dana.personId }, "supplierActorId"],
        [{ ...signing, counterparty: unknownPerson }, "counterparty"]
      ] as const) {
        const shown = yield* preview(dana, yield* termsFor(sam, change))
        const refused = yield* submit(dana, termsFormOn(shown))
        assert.deepStrictEqual([refused.status, accessibilityFaults(refused.text)], [409, []])
        assert.include(refused.text, `${stepPath(draftIn(shown), stepOf(field).path)}#field-${field}`)
      }
      assert.strictEqual(yield* projectsOf(dana), 0)
    })
  )

  it.effect("An agreement form with an unknown field, row count or step is refused.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const good = yield* termsFor(sam)
      for (const change of [
        { other: "1" },
        { criterion9Id: "x" },
        { criterionRows: "0" },
        { criterionRows: "51" },
        { requirementRows: "-1" },
        { step: "SIGN" },
        { organizationId: "x" },
        { reason: "x" }
      ]) {
        assert.strictEqual((yield* preview(dana, { ...good, ...change })).status, 400, JSON.stringify(change))
      }
      assert.strictEqual(yield* projectsOf(dana), 0)
    })
  )
})
