/** Creation of an agreement on pages: form, preview and commit. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { addContact } from "../../src/people/contacts.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { dayFrom, createOnPages, newPath, preview, projectIn, termsFor, termsIn } from "../support/agreement-pages.ts"
import { joinOrganization } from "../support/issued-records.ts"
import { formOn, problemsOn, readPage, submit, type Values } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { sha, uuid } from "../support/parties.ts"
import { readProjectAsPerson } from "../support/person-commands.ts"
import { textOn } from "../support/project-pages.ts"
import { freshTestService, legalDocument } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

const pair = Effect.gen(function* () {
  return { dana: yield* signInNewPerson("Dana"), sam: yield* signInNewPerson("Sam") }
})

const projectsOf = (by: { readonly token: string }) =>
  Effect.map(readPage(by, "/workspace/projects"), ({ text }) => (text.match(/<code>delivery_/g) ?? []).length)

layer(freshTestService, { excludeTestServices: true })("creation of agreements", (it) => {
  it.effect("An agreement is previewed in full and committed once, exactly as previewed.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const today = yield* now
      const values = yield* termsFor(sam, {
        criterion1Title: "  Vector files ",
        retainUntil: dayFrom(today, 30),
        contractBasis: "EXISTING_CONTRACT",
        contractReference: "Frame 12",
        contractClauses: "Clause 1.\nClause 2.",
        sharingRecipients: "A court\n\n The bank ",
        signing: "NATIVE",
        principal: dana.personId,
        agreementSignBy: dayFrom(today, 3),
        acceptanceSignBy: dayFrom(today, 20)
      })
      const shown = yield* preview(dana, values)
      assert.deepStrictEqual([shown.status, problemsOn(shown), accessibilityFaults(shown.text)], [200, [], []])
      const words = textOn(shown)
      for (const expected of [
        "Logo", "In colour.", "Offer 7", "Person named for the supplier Sam", sam.personId, "vector", "An SVG.", "Frame 12", "Clause 2.",
        "A court", "The bank", "For the buyer: Dana", "TERMS", "It is sent, not a private draft."
      ]) assert.include(words, expected) // prettier-ignore
      assert.strictEqual(yield* projectsOf(dana), 0)
      const form = formOn(shown, newPath)
      const [first, second] = [yield* submit(dana, form), yield* submit(dana, form)]
      assert.deepStrictEqual([first.status, second.status], [303, 303])
      assert.strictEqual(first.headers["location"], second.headers["location"])
      assert.strictEqual(yield* projectsOf(dana), 1)
      const { project } = yield* readProjectAsPerson(dana, projectIn(first.headers["location"]))
      const { legalContext, ...terms } = yield* termsIn(dana, project.taskId)
      assert.deepStrictEqual(legalContext, { documents: [legalDocument] })
      assert.deepStrictEqual<unknown>(terms, {
        title: "Logo",
        scope: "One logo.\nIn colour.",
        buyerName: "Dana Ltd",
        supplierName: "Sam Studio",
        supplierActorId: sam.personId,
        supplierReference: "Offer 7",
        criteria: [{ id: "vector", title: "Vector files", requirement: "An SVG." }],
        deadline: `${dayFrom(today, 7).replace(" ", "T")}:00.000Z`,
        reviewDeadline: `${dayFrom(today, 14).replace(" ", "T")}:00.000Z`,
        retainUntil: `${dayFrom(today, 30).replace(" ", "T")}:00.000Z`,
        baselineStatement: "None yet.",
        materialPolicy: "FILE_DIGESTS",
        termsPolicy: {
          purpose: "Record",
          contractBasis: "EXISTING_CONTRACT",
          contractReference: "Frame 12",
          contractClauses: "Clause 1.\nClause 2.",
          sharing: "Both sides",
          sharingRecipients: ["A court", "The bank"]
        },
        originals: { custodian: "Sam", location: "Folder", access: "Both sides" },
        subjectRequirements: [],
        signing: {
          enabled: true,
          method: "NATIVE",
          principal: dana.personId,
          agreementSignBy: `${dayFrom(today, 3).replace(" ", "T")}:00.000Z`,
          acceptanceSignBy: `${dayFrom(today, 20).replace(" ", "T")}:00.000Z`
        }
      })
      assert.strictEqual(project.parties.supplier.actorId, sam.personId)
    })
  )

  it.effect("The entered contract reference and clauses are kept when the agreement itself is the contract.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const values = yield* termsFor(sam, { contractReference: "Frame 12", contractClauses: "Clause 1." })
      const words = textOn(yield* preview(dana, values))
      for (const expected of ["This agreement.", "Frame 12", "Clause 1."]) assert.include(words, expected)
      const { termsPolicy } = yield* termsIn(dana, yield* createOnPages(dana, values))
      assert.deepInclude(termsPolicy, {
        contractBasis: "THIS_AGREEMENT",
        contractReference: "Frame 12",
        contractClauses: "Clause 1."
      })
    })
  )

  it.effect("Texts of any script are accepted up to their limits; a larger form is refused with 413.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const long = "契".repeat(limits.scopeCharacters)
      const values = yield* termsFor(sam, { scope: long, baselineStatement: long, contractClauses: long })
      const { scope } = yield* termsIn(dana, yield* createOnPages(dana, values))
      assert.strictEqual(scope, long)
      const refused = yield* preview(dana, { ...values, scope: "契".repeat(limits.signedInFormBytes / 9) })
      assert.strictEqual(refused.status, 413)
      assert.include(textOn(refused), "Limit of all fields together: 3,000,000 URL-encoded bytes")
    })
  )

  it.effect("Signers are shown by name and id in the list and in the preview.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const other = yield* joinOrganization(dana, "Dana")
      const options = (yield* readPage(dana, newPath)).text
      for (const { personId } of [dana, other]) assert.include(options, `>Dana (${personId})</option>`)
      const today = yield* now
      const values = yield* termsFor(sam, {
        signing: "NATIVE",
        principal: other.personId,
        counterparty: sam.personId,
        agreementSignBy: dayFrom(today, 3),
        acceptanceSignBy: dayFrom(today, 20)
      })
      const words = textOn(yield* preview(dana, values))
      assert.include(words, `Person id of who signs for the buyer ${other.personId}`)
      assert.include(words, `Person id of who signs for the supplier ${sam.personId}`)
    })
  )

  it.effect("Rows can be added without script, and all entered values are kept.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const values = yield* termsFor(sam)
      const form = formOn(yield* readPage(dana, newPath), newPath)
      const more = yield* submit(dana, form, { ...values, step: "ADD_CRITERION" })
      assert.deepStrictEqual([more.status, problemsOn(more)], [200, []])
      for (const kept of ['value="Vector files"', "In colour.", 'name="criterion2Id"']) assert.include(more.text, kept)
      const kinds = yield* submit(dana, formOn(more, newPath), {
        ...values,
        criterion2Id: "print",
        criterion2Title: "Print",
        criterion2Requirement: "A PDF.",
        step: "ADD_REQUIREMENT"
      })
      assert.match(kinds.text, /name="requirement1Id"[^>]*value="requirement-1"/)
      const shown = yield* submit(dana, formOn(kinds, newPath), {
        ...values,
        criterion2Id: "print",
        criterion2Title: "Print",
        criterion2Requirement: "A PDF.",
        requirement1Id: "people",
        requirement1Statement: "A person looks at it.",
        requirement1Decisions: "ACCEPT"
      })
      assert.deepStrictEqual(problemsOn(shown), [])
      const edited = yield* submit(dana, formOn(shown, newPath), { step: "EDIT" })
      assert.match(edited.text, /value="ACCEPT"[^>]* checked/)
      assert.include(edited.text, 'value="Print"')
      const made = yield* submit(dana, formOn(shown, newPath))
      const terms = yield* termsIn(dana, projectIn(made.headers["location"]))
      assert.deepStrictEqual(terms.criteria[1], { id: "print", title: "Print", requirement: "A PDF." })
      assert.deepStrictEqual(terms.subjectRequirements, [
        { id: "people", statement: "A person looks at it.", humanDecisions: ["ACCEPT"] }
      ])
    })
  )

  it.effect("A supplier is named by a contact, or left unnamed until later.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const { organizationId } = dana
      const known = yield* addContact(dana, {
        organizationId,
        reference: "S7",
        name: "Sam the maker",
        personId: sam.personId
      })
      const values = yield* termsFor(sam, {
        supplierBy: "CONTACT",
        supplierContact: known.contactId,
        supplierActorId: ""
      })
      const named = yield* readProjectAsPerson(dana, yield* createOnPages(dana, values))
      assert.strictEqual(named.project.parties.supplier.actorId, sam.personId)
      const later = yield* readProjectAsPerson(dana, yield* createOnPages(dana, { ...values, supplierBy: "LATER" }))
      assert.strictEqual(later.project.nextAction.action, "INVITE_SUPPLIER")
    })
  )

  it.effect("Each invalid field of an agreement form has its own problem, and all entered values are kept.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const good = yield* termsFor(sam)
      const empty = yield* preview(dana, {})
      assert.strictEqual(empty.status, 400)
      assert.includeDeepMembers(problemsOn(empty).map(([field]) => field) as Array<string>, [
        "title", "scope", "buyerName", "supplierBy", "deadline", "reviewDeadline", "baselineStatement", "purpose",
        "contractBasis", "sharing", "custodian", "location", "access", "signing", "criterion1Title"
      ]) // prettier-ignore
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
        [{ supplierBy: "CONTACT" }, "supplierContact", "Choose one of the contacts."],
        [{ contractBasis: "EXISTING_CONTRACT", contractClauses: "One." }, "contractReference", "An existing contract needs its reference."],
        [{ contractBasis: "EXISTING_CONTRACT", contractReference: "One." }, "contractClauses", "An existing contract needs its clauses, word for word."],
        [{ sharingRecipients: "a\n".repeat(51) }, "sharingRecipients", "At most 50 recipients are named."],
        [{ sharingRecipients: "a".repeat(201) }, "sharingRecipients", "Each recipient has at most 200 characters."],
        [{ criterion1Id: "" }, "criterion1Id", "The id of criterion 1 is needed."],
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
        const refused = yield* preview(dana, { ...good, ...change })
        assert.deepStrictEqual([refused.status, problemsOn(refused)], [400, [[field, message]]], JSON.stringify(change))
        assert.include(refused.text, 'value="Sam Studio"')
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
        const refused = yield* submit(dana, formOn(shown, newPath))
        assert.deepStrictEqual([refused.status, problemsOn(refused).map(([one]) => one)], [409, [field]])
        assert.include(refused.text, 'value="Sam Studio"')
      }
      assert.strictEqual(yield* projectsOf(dana), 0)
    })
  )

  it.effect("An agreement is not created from a preview that was modified.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const form = formOn(yield* preview(dana, yield* termsFor(sam)), newPath)
      for (const change of [
        { confirmationDigest: sha },
        { shownDigest: sha },
        { title: "Another logo" },
        { confirmationDigest: [] }
      ]) {
        const refused = yield* submit(dana, form, change)
        assert.strictEqual(refused.status, 409, JSON.stringify(change))
        assert.include(refused.text, "Nothing was done: read this page and decide again.")
      }
      assert.strictEqual(yield* projectsOf(dana), 0)
      const again = yield* submit(dana, form, { confirmationDigest: sha })
      assert.strictEqual((yield* submit(dana, formOn(again, newPath))).status, 303)
    })
  )

  it.effect("A form already committed with other values is refused with 409 and can be committed anew.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const values = yield* termsFor(sam)
      const form = formOn(yield* readPage(dana, newPath), newPath)
      const first = yield* submit(dana, form, values)
      const second = yield* submit(dana, form, { ...values, title: "Another logo" })
      assert.strictEqual((yield* submit(dana, formOn(first, newPath))).status, 303)
      const used = yield* submit(dana, formOn(second, newPath))
      assert.strictEqual(used.status, 409)
      assert.include(used.text, "This form was already used to save or commit something else")
      assert.strictEqual((yield* submit(dana, formOn(used, newPath))).status, 303)
      assert.strictEqual(yield* projectsOf(dana), 2)
    })
  )

  it.effect("Texts of other persons in an agreement are shown as inert text.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const hostile = `</textarea></dd><script>alert(1)</script>"' \u202egnitsurt`
      const { organizationId } = dana
      yield* addContact(dana, { organizationId, reference: "</option>\u202ex", name: hostile, personId: sam.personId })
      const fields = ["title", "scope", "buyerName", "supplierName", "supplierReference", "criterion1Id", "criterion1Title", "purpose", "sharing", "sharingRecipients", "custodian", "location", "access"] // prettier-ignore
      const values = yield* termsFor(sam, Object.fromEntries(fields.map((field) => [field, hostile])))
      const form = yield* readPage(dana, newPath)
      const shown = yield* preview(dana, values)
      const edited = yield* submit(dana, formOn(shown, newPath), { step: "EDIT" })
      for (const answer of [form, shown, edited]) {
        assert.strictEqual(answer.status, 200)
        assert.notInclude(answer.text, "<script>")
        assert.notInclude(answer.text, "</textarea></dd>")
        assert.deepStrictEqual(accessibilityFaults(answer.text), [])
      }
      assert.include(textOn(shown), "‹U+202E›")
      const terms = yield* termsIn(dana, yield* createOnPages(dana, values))
      assert.strictEqual(terms.title, hostile)
    })
  )

  it.effect("An agreement requires a member with the authority and the previewed organization.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const reader = yield* joinOrganization(dana, "Rita", ["FINANCIAL_READ"])
      const choice = yield* readPage(reader, newPath)
      // Rita also has a workspace of her own.
      assert.include(choice.text, "You make it as buyer for ")
      const elsewhere = `${newPath}?organizationId=${dana.organizationId}`
      assert.strictEqual((yield* readPage(reader, elsewhere)).status, 403)
      const form = formOn(yield* preview(reader, yield* termsFor(sam)), newPath)
      const refused = yield* submit(reader, form, { organizationId: dana.organizationId })
      assert.strictEqual(refused.status, 403)
      assert.strictEqual(yield* projectsOf(dana), 0)
      const maker = yield* joinOrganization(dana, "Mia", ["AGREEMENT_CREATE"])
      assert.include((yield* readPage(maker, newPath)).text, "For which of your organizations?")
      const own = formOn(yield* readPage(maker, elsewhere), newPath)
      const shown = yield* submit(maker, own, yield* termsFor(sam))
      // The preview is bound to its organization.
      const turned = yield* submit(maker, formOn(shown, newPath), { organizationId: yield* ownOrganizationOf(maker) })
      assert.strictEqual(turned.status, 409)
      assert.include(turned.text, "This differs from the previous page.")
      assert.strictEqual((yield* submit(maker, formOn(shown, newPath))).status, 303)
      assert.strictEqual(yield* projectsOf(dana), 1)
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

/** The id of the person's own workspace, not of the organization that they joined. */
const ownOrganizationOf = (person: { readonly token: string; readonly organizationId: string }) =>
  Effect.map(readPage(person, newPath), ({ text }) =>
    [...text.matchAll(/organizationId=(organization_[0-9a-f-]{36})/g)]
      .map(([, organizationId]) => organizationId!)
      .find((organizationId) => organizationId !== person.organizationId)!
  )
