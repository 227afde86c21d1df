/** Revision of terms by the buyer on pages, and the state of the earlier terms. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  commitPreview,
  createOnPages,
  preview,
  projectIn,
  revisePath,
  termsFor,
  termsIn
} from "../support/agreement-pages.ts"
import { joinOrganization } from "../support/issued-records.ts"
import { formOn, problemsOn, readPage, submit } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { sha, uuid } from "../support/parties.ts"
import {
  commandAsPerson,
  createAgreementAsPerson,
  dateRevisionOf,
  runToLocked,
  readProjectAsPerson,
  signatureBy
} from "../support/person-commands.ts"
import { actOnPage, pageInputs, actSuccessfully, projectPage, stateOf, textOn } from "../support/project-pages.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody } from "../support/workspace.ts"

const pair = Effect.gen(function* () {
  return { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") }
})

layer(freshTestService, { excludeTestServices: true })("revision of terms", (it) => {
  it.effect("Revised terms replace terms without an agreement immediately.", () =>
    Effect.gen(function* () {
      const { buyer, supplier } = yield* pair
      const changes = {
        signing: signatureBy(buyer, supplier, "EXTERNAL", yield* now),
        termsPolicy: {
          purpose: "Record",
          contractBasis: "THIS_AGREEMENT",
          contractReference: "Frame 12",
          contractClauses: "Clause 1.",
          sharing: "Both sides",
          sharingRecipients: []
        },
        subjectRequirements: [{ id: "people", statement: "A person looks.", humanDecisions: ["REVIEW", "ACCEPT"] }]
      }
      const projectId = yield* createAgreementAsPerson(buyer, supplier, changes)
      const path = revisePath(projectId)
      const page = yield* readPage(buyer, path)
      assert.deepStrictEqual(accessibilityFaults(page.text), [])
      assert.include(textOn(page), "They are replaced at once by the new ones")
      assert.include(textOn(page), "Agents have access to the new project only with new grants")
      const first = yield* termsIn(buyer, projectId)
      const form = formOn(page, path)
      const unread = yield* submit(buyer, form, prefilledValues(page.text))
      assert.deepStrictEqual(problemsOn(unread), [["reason", "The reason is needed."]])
      const shown = yield* submit(buyer, form, {
        ...prefilledValues(page.text),
        reason: "Two files.",
        title: "Two logos"
      })
      assert.deepStrictEqual([shown.status, problemsOn(shown)], [200, []])
      for (const expected of ["Two logos", "Two files.", "replaced at once"]) assert.include(textOn(shown), expected)
      const late = yield* preview(buyer, { ...prefilledValues(page.text), reason: "Three files." }, path)
      const done = yield* commitPreview(buyer, shown, path)
      const revised = projectIn(done.headers["location"])
      // All other terms are unchanged, to the millisecond.
      assert.deepStrictEqual(yield* termsIn(buyer, revised), { ...first, title: "Two logos" })
      assert.strictEqual(yield* stateOf(buyer, projectId), "SUPERSEDED")
      assert.strictEqual(yield* stateOf(supplier, revised), "AWAITING_SUPPLIER")
      assert.include(textOn(yield* readPage(buyer, path)), "You cannot do this now")
      const closed = yield* commitPreview(buyer, late, path)
      assert.strictEqual(closed.status, 409)
      for (const expected of ["You cannot do this now", "Three files."]) assert.include(textOn(closed), expected)
      const again = yield* commitPreview(buyer, shown, path)
      assert.strictEqual(again.headers["location"], done.headers["location"])
    })
  )

  it.effect("Agreed terms remain in force until the supplier accepts the revised terms.", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const { buyer, supplier } = people
      const projectId = yield* runToLocked(people)
      const path = revisePath(projectId)
      const page = yield* readPage(buyer, path)
      assert.include(textOn(page), "the agreed terms remain in force until the supplier accepts the new ones")
      const other = yield* submit(buyer, formOn(page, path), {
        ...prefilledValues(page.text),
        reason: "More time.",
        supplierActorId: `person_${uuid()}`
      })
      const refused = yield* submit(buyer, formOn(other, path))
      assert.deepStrictEqual(problemsOn(refused), [
        ["supplierActorId", "A revision of agreed terms must name their supplier in supplierActorId."]
      ])
      const revised = yield* createOnPages(buyer, { ...prefilledValues(page.text), reason: "More time." }, path)
      assert.strictEqual(yield* stateOf(buyer, projectId), "LOCKED")
      assert.include(textOn(yield* readPage(buyer, path)), "You cannot do this now")
      yield* actSuccessfully(supplier, revised, "respond", pageInputs.respond)
      assert.deepStrictEqual(
        [yield* stateOf(buyer, projectId), yield* stateOf(buyer, revised)],
        ["SUPERSEDED", "LOCKED"]
      )
    })
  )

  it.effect("A revision of a changed project is not committed and keeps the entered values.", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const { buyer, supplier } = people
      const projectId = yield* runToLocked(people)
      const path = revisePath(projectId)
      const page = yield* readPage(buyer, path)
      const values = { ...prefilledValues(page.text), reason: "More time.", title: "Logo with time" }
      const shown = yield* submit(buyer, formOn(page, path), values)
      createdBody(
        yield* commandAsPerson(
          supplier,
          projectId,
          "date-revision",
          dateRevisionOf(yield* readProjectAsPerson(supplier, projectId), "DELIVERY")
        )
      )
      const stale = yield* submit(buyer, formOn(shown, path))
      assert.strictEqual(stale.status, 409)
      for (const expected of ["The project has changed meanwhile", "More time is needed."]) {
        assert.include(textOn(stale), expected)
      }
      assert.deepStrictEqual(accessibilityFaults(stale.text), [])
      assert.include(stale.text, 'value="Logo with time"')
      const next = yield* submit(buyer, formOn(stale, path), { ...prefilledValues(stale.text), reason: "More time." })
      const done = yield* submit(buyer, formOn(next, path))
      assert.strictEqual((yield* termsIn(buyer, projectIn(done.headers["location"]))).title, "Logo with time")
    })
  )

  it.effect("Only members of the buyer with the authority to make agreements can revise terms.", () =>
    Effect.gen(function* () {
      const { buyer, supplier } = yield* pair
      const eve = yield* signInNewPerson("Eve")
      const projectId = yield* createAgreementAsPerson(buyer, supplier)
      const path = revisePath(projectId)
      assert.strictEqual((yield* readPage(eve, path)).status, 403)
      assert.include(textOn(yield* readPage(supplier, path)), "You cannot do this now")
      const reader = yield* joinOrganization(buyer, "Rita", ["FINANCIAL_READ"])
      assert.include(textOn(yield* readPage(reader, path)), "You cannot do this now")
      const form = formOn(yield* readPage(buyer, path), path)
      const values = { ...(yield* termsFor(supplier)), reason: "Mine." }
      for (const person of [eve, supplier, reader]) {
        const own = { ...form, hidden: { ...form.hidden, formToken: yield* tokenOf(person) } }
        assert.strictEqual((yield* submit(person, own, values)).status, 403)
      }
      assert.strictEqual(yield* stateOf(buyer, projectId), "AWAITING_SUPPLIER")
      const withoutHead = yield* submit(buyer, form, { ...values, expectedEventHash: "" })
      assert.strictEqual(withoutHead.status, 400)
      const shown = yield* preview(buyer, values, path)
      const tampered = yield* submit(buyer, formOn(shown, path), { shownDigest: sha })
      assert.strictEqual(tampered.status, 409)
      assert.strictEqual(yield* stateOf(buyer, projectId), "AWAITING_SUPPLIER")
    })
  )

  it.effect("Terms are revised after a request for changes, and the supplier answers the new project.", () =>
    Effect.gen(function* () {
      const { buyer, supplier } = yield* pair
      const projectId = yield* createAgreementAsPerson(buyer, supplier)
      yield* actOnPage(supplier, projectId, "respond", { ...pageInputs.respond, action: "REQUEST_CHANGES" })
      const project = yield* readPage(buyer, projectPage(projectId))
      assert.include(project.text, `href="${revisePath(projectId)}"`)
      const page = yield* readPage(buyer, revisePath(projectId))
      const values = { ...prefilledValues(page.text), reason: "As you asked.", title: "Logo in blue" }
      const revised = yield* createOnPages(buyer, values, revisePath(projectId))
      yield* actSuccessfully(supplier, revised, "respond", pageInputs.respond)
      assert.strictEqual(yield* stateOf(buyer, revised), "LOCKED")
    })
  )
})

const tokenOf = (person: { readonly token: string }) =>
  Effect.map(readPage(person, "/workspace/account"), ({ text }) => /name="formToken" value="([^"]*)"/.exec(text)![1]!)

/** The values that a browser sends for the prefilled form. */
const prefilledValues = (html: string): Record<string, string | Array<string>> => {
  const values: Record<string, string | Array<string>> = {}
  const unescape = (text: string) => text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&")
  for (const [, attributes] of html.matchAll(/<input([^>]*)>/g)) {
    const name = / name="([^"]*)"/.exec(attributes!)?.[1]
    const value = unescape(/ value="([^"]*)"/.exec(attributes!)?.[1] ?? "")
    if (name === undefined || attributes!.includes('type="hidden"')) continue
    if (!/type="(?:radio|checkbox)"/.test(attributes!)) values[name] = value
    else if (attributes!.includes(" checked")) values[name] = [...(values[name] ?? []), value]
  }
  for (const [, name, text] of html.matchAll(/<textarea[^>]* name="([^"]*)"[^>]*>\n?([^<]*)<\/textarea>/g)) {
    values[name!] = unescape(text!)
  }
  for (const [, name, inside] of html.matchAll(/<select[^>]* name="([^"]*)"[^>]*>(.*?)<\/select>/gs)) {
    const [, attributes] = /<option([^>]* selected[^>]*)>/.exec(inside!) ?? []
    values[name!] = unescape(/value="([^"]*)"/.exec(attributes ?? "")?.[1] ?? "")
  }
  return values
}
