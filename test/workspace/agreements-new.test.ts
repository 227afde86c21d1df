/** Creation of an agreement on pages: steps of a draft, preview and commit. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { addContact } from "../../src/people/contacts.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import {
  createOnPages,
  dayFrom,
  draftIn,
  newPath,
  preview,
  projectIn,
  stepPath,
  termsFor,
  termsFormOn,
  termsIn,
  valuesIn
} from "../support/agreement-pages.ts"
import { joinOrganization } from "../support/issued-records.ts"
import { problemsOn, readPage, submit } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { sha } from "../support/parties.ts"
import { readProjectAsPerson } from "../support/person-commands.ts"
import { readDraft } from "../support/drafts.ts"
import { textOn } from "../support/project-pages.ts"
import { draftSteps } from "../../src/workspace/drafts/steps.ts"
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
      const form = termsFormOn(shown)
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
      const today = yield* now
      const values = yield* termsFor(sam, {
        signing: "NATIVE",
        principal: other.personId,
        counterparty: sam.personId,
        agreementSignBy: dayFrom(today, 3),
        acceptanceSignBy: dayFrom(today, 20)
      })
      const shown = yield* preview(dana, values)
      const options = (yield* readPage(dana, stepPath(draftIn(shown), "terms"))).text
      for (const { personId } of [dana, other]) assert.include(options, `>Dana (${personId})</option>`)
      const words = textOn(shown)
      assert.include(words, `Person id of who signs for the buyer ${other.personId}`)
      assert.include(words, `Person id of who signs for the supplier ${sam.personId}`)
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

  it.effect("An agreement is not created from a preview that was modified.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const form = termsFormOn(yield* preview(dana, yield* termsFor(sam)))
      for (const change of [{ confirmationDigest: sha }, { shownDigest: sha }, { confirmationDigest: [] }]) {
        const refused = yield* submit(dana, form, change)
        assert.strictEqual(refused.status, 409, JSON.stringify(change))
        assert.include(refused.text, "Nothing was done: read this page and decide again.")
      }
      for (const change of [{ title: "Another logo" }, { draftRevision: "x" }, { draftRevision: [] }]) {
        assert.strictEqual((yield* submit(dana, form, change)).status, 400, JSON.stringify(change))
      }
      assert.strictEqual(yield* projectsOf(dana), 0)
      const again = yield* submit(dana, form, { confirmationDigest: sha })
      assert.strictEqual((yield* submit(dana, termsFormOn(again))).status, 303)
    })
  )

  it.effect("An agreement like another one starts with its terms and without its dates.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const today = yield* now
      const values = yield* termsFor(sam, {
        retainUntil: dayFrom(today, 30),
        signing: "NATIVE",
        principal: dana.personId,
        agreementSignBy: dayFrom(today, 3),
        acceptanceSignBy: dayFrom(today, 20)
      })
      const first = yield* createOnPages(dana, values)
      const path = `${newPath}?like=${first}`
      assert.include((yield* readPage(dana, `/workspace/projects/${first}`)).text, `href="${path}"`)
      const shown = yield* readPage(dana, path)
      assert.deepStrictEqual([shown.status, problemsOn(shown), accessibilityFaults(shown.text)], [200, [], []])
      assert.include(shown.text, 'value="Sam Studio"')
      const begun = yield* submit(dana, termsFormOn(shown), {
        ...valuesIn("parties", values),
        supplierName: "Sam & Co"
      })
      const { content } = yield* readDraft(dana, draftIn(begun))
      const {
        legalContext: _,
        deadline: _1,
        reviewDeadline: _2,
        retainUntil: _3,
        ...terms
      } = yield* termsIn(dana, first)
      const { agreementSignBy: _4, acceptanceSignBy: _5, ...signing } = terms.signing!
      assert.deepStrictEqual(content, { ...terms, supplierName: "Sam & Co", signing })
      for (const other of [sam, yield* signInNewPerson("Eve")]) {
        assert.strictEqual((yield* readPage(other, path)).status, 403)
      }
      assert.strictEqual((yield* readPage(dana, `${newPath}?like=x`)).status, 404)
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
      const shown = yield* preview(dana, values)
      const steps = draftSteps.map(({ path }) => stepPath(draftIn(shown), path))
      for (const answer of [shown, ...(yield* Effect.forEach(steps, (path) => readPage(dana, path)))]) {
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
      const ownForm = termsFormOn(
        yield* readPage(reader, `${newPath}?organizationId=${yield* ownOrganizationOf(reader)}`)
      )
      const values = yield* termsFor(sam)
      const started = yield* submit(reader, ownForm, {
        ...valuesIn("parties", values),
        organizationId: dana.organizationId
      })
      assert.strictEqual(started.status, 403)
      const draftId = draftIn(yield* preview(dana, values))
      for (const step of [...draftSteps.map(({ path }) => path), "preview"]) {
        assert.strictEqual((yield* readPage(reader, stepPath(draftId, step))).status, 403, step)
        const { hidden } = termsFormOn(yield* readPage(dana, stepPath(draftId, step)))
        const action = stepPath(draftId, step)
        const own = { action, hidden: { ...hidden, formToken: ownForm.hidden["formToken"]! }, names: [] }
        assert.strictEqual((yield* submit(reader, own, valuesIn(step, values))).status, 403, step)
      }
      assert.strictEqual(yield* projectsOf(dana), 0)
      const maker = yield* joinOrganization(dana, "Mia", ["AGREEMENT_CREATE"])
      assert.include((yield* readPage(maker, newPath)).text, "For which of your organizations?")
      const shown = yield* readPage(maker, stepPath(draftId, "preview"))
      assert.strictEqual((yield* submit(maker, termsFormOn(shown))).status, 303)
      assert.strictEqual(yield* projectsOf(dana), 1)
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
