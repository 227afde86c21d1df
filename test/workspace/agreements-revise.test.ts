/** Terms that a person of the buyer's side revises on pages, and what becomes of the terms before. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  commitShown,
  makeOnPages,
  preview,
  projectIn,
  revisePath,
  termsFor,
  termsIn
} from "../support/agreement-pages.ts"
import { join } from "../support/issued.ts"
import { formOn, problemsOn, readPage, submit } from "../support/page-forms.ts"
import { faultsOf } from "../support/page-scan.ts"
import { sha, uuid } from "../support/parties.ts"
import { act, agreeing, dateRevisionOf, locked, see, signingBy } from "../support/person-commands.ts"
import { actOnPage, filled, mustAct, projectPage, stateOf, wordsOn } from "../support/project-pages.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { freshTestService } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"
import { made } from "../support/workspace.ts"

const pair = Effect.gen(function* () {
  return { buyer: yield* signInAnew("Dana"), supplier: yield* signInAnew("Sam") }
})

layer(freshTestService, { excludeTestServices: true })("terms revised on pages", (it) => {
  it.effect("take the place of terms that nobody agreed on, at once", () =>
    Effect.gen(function* () {
      const { buyer, supplier } = yield* pair
      const changes = {
        signing: signingBy(buyer, supplier, "EXTERNAL", yield* now),
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
      const projectId = yield* agreeing(buyer, supplier, changes)
      const path = revisePath(projectId)
      const page = yield* readPage(buyer, path)
      assert.deepStrictEqual(faultsOf(page.text), [])
      assert.include(wordsOn(page), "They are replaced at once by these")
      assert.include(wordsOn(page), "Agents reach the new project only with new grants")
      const first = yield* termsIn(buyer, projectId)
      const form = formOn(page, path)
      const unread = yield* submit(buyer, form, standing(page.text))
      assert.deepStrictEqual(problemsOn(unread), [["reason", "The reason is needed."]])
      const shown = yield* submit(buyer, form, { ...standing(page.text), reason: "Two files.", title: "Two logos" })
      assert.deepStrictEqual([shown.status, problemsOn(shown)], [200, []])
      for (const said of ["Two logos", "Two files.", "replaced at once"]) assert.include(wordsOn(shown), said)
      const late = yield* preview(buyer, { ...standing(page.text), reason: "Three files." }, path)
      const done = yield* commitShown(buyer, shown, path)
      const revised = projectIn(done.headers["location"])
      // Everything that was not changed is as it was, to the millisecond.
      assert.deepStrictEqual(yield* termsIn(buyer, revised), { ...first, title: "Two logos" })
      assert.strictEqual(yield* stateOf(buyer, projectId), "SUPERSEDED")
      assert.strictEqual(yield* stateOf(supplier, revised), "AWAITING_SUPPLIER")
      assert.include(wordsOn(yield* readPage(buyer, path)), "You cannot do this now")
      const closed = yield* commitShown(buyer, late, path)
      assert.strictEqual(closed.status, 409)
      for (const said of ["You cannot do this now", "Three files."]) assert.include(wordsOn(closed), said)
      const again = yield* commitShown(buyer, shown, path)
      assert.strictEqual(again.headers["location"], done.headers["location"])
    })
  )

  it.effect("are offered where terms were agreed, which hold until the supplier accepts", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const { buyer, supplier } = people
      const projectId = yield* locked(people)
      const path = revisePath(projectId)
      const page = yield* readPage(buyer, path)
      assert.include(wordsOn(page), "the agreed terms hold until the supplier accepts them")
      const other = yield* submit(buyer, formOn(page, path), {
        ...standing(page.text),
        reason: "More time.",
        supplierActorId: `person_${uuid()}`
      })
      const refused = yield* submit(buyer, formOn(other, path))
      assert.deepStrictEqual(problemsOn(refused), [
        ["supplierActorId", "A revision of agreed terms names their supplier."]
      ])
      const revised = yield* makeOnPages(buyer, { ...standing(page.text), reason: "More time." }, path)
      assert.strictEqual(yield* stateOf(buyer, projectId), "LOCKED")
      assert.include(wordsOn(yield* readPage(buyer, path)), "You cannot do this now")
      yield* mustAct(supplier, revised, "respond", filled.respond)
      assert.deepStrictEqual(
        [yield* stateOf(buyer, projectId), yield* stateOf(buyer, revised)],
        ["SUPERSEDED", "LOCKED"]
      )
    })
  )

  it.effect("are not committed on a state that was not shown, and keep what was entered", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const { buyer, supplier } = people
      const projectId = yield* locked(people)
      const path = revisePath(projectId)
      const page = yield* readPage(buyer, path)
      const values = { ...standing(page.text), reason: "More time.", title: "Logo with time" }
      const shown = yield* submit(buyer, formOn(page, path), values)
      made(
        yield* act(supplier, projectId, "date-revision", dateRevisionOf(yield* see(supplier, projectId), "DELIVERY"))
      )
      const stale = yield* submit(buyer, formOn(shown, path))
      assert.strictEqual(stale.status, 409)
      for (const said of ["The project has changed meanwhile", "More time is needed."]) {
        assert.include(wordsOn(stale), said)
      }
      assert.deepStrictEqual(faultsOf(stale.text), [])
      assert.include(stale.text, 'value="Logo with time"')
      const next = yield* submit(buyer, formOn(stale, path), { ...standing(stale.text), reason: "More time." })
      const done = yield* submit(buyer, formOn(next, path))
      assert.strictEqual((yield* termsIn(buyer, projectIn(done.headers["location"]))).title, "Logo with time")
    })
  )

  it.effect("are for the buyer's people who may make agreements", () =>
    Effect.gen(function* () {
      const { buyer, supplier } = yield* pair
      const eve = yield* signInAnew("Eve")
      const projectId = yield* agreeing(buyer, supplier)
      const path = revisePath(projectId)
      assert.strictEqual((yield* readPage(eve, path)).status, 403)
      assert.include(wordsOn(yield* readPage(supplier, path)), "You cannot do this now")
      const reader = yield* join(buyer, "Rita", ["FINANCIAL_READ"])
      assert.include(wordsOn(yield* readPage(reader, path)), "You cannot do this now")
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

  it.effect("are reached from the project, and answered on the new one after other terms were wanted", () =>
    Effect.gen(function* () {
      const { buyer, supplier } = yield* pair
      const projectId = yield* agreeing(buyer, supplier)
      yield* actOnPage(supplier, projectId, "respond", { ...filled.respond, action: "REQUEST_CHANGES" })
      const project = yield* readPage(buyer, projectPage(projectId))
      assert.include(project.text, `href="${revisePath(projectId)}"`)
      const page = yield* readPage(buyer, revisePath(projectId))
      const values = { ...standing(page.text), reason: "As you asked.", title: "Logo in blue" }
      const revised = yield* makeOnPages(buyer, values, revisePath(projectId))
      yield* mustAct(supplier, revised, "respond", filled.respond)
      assert.strictEqual(yield* stateOf(buyer, revised), "LOCKED")
    })
  )
})

const tokenOf = (person: { readonly token: string }) =>
  Effect.map(readPage(person, "/workspace/account"), ({ text }) => /name="formToken" value="([^"]*)"/.exec(text)![1]!)

/** What a browser would send of the form as it is prefilled. */
const standing = (html: string): Record<string, string | Array<string>> => {
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
