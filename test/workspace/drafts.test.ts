/** Drafts on pages: what a person reads, how the form is kept, and what becomes of it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { now } from "../../src/vocabulary/instant.ts"
import { dayFrom, newPath, projectIn, termsFor, termsIn } from "../support/agreement-pages.ts"
import { preparedFor, published, readDraft, save } from "../support/drafts.ts"
import { join } from "../support/issued.ts"
import { formOn, problemsOn, readPage, submit } from "../support/page-forms.ts"
import { faultsOf } from "../support/page-scan.ts"
import { wordsOn } from "../support/project-pages.ts"
import { freshTestService } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"
import { read } from "../support/workspace.ts"

const pair = Effect.gen(function* () {
  return { dana: yield* signInAnew("Dana"), sam: yield* signInAnew("Sam") }
})

const formPath = (draftId: string) => `${newPath}?draft=${draftId}`
const draftPath = (draftId: string) => `/workspace/drafts/${draftId}`
const nested = (fields: object) => ({ schema: "service.agreement-draft/v1", ...fields })
const instant = (typed: string) => `${typed.replace(" ", "T")}:00.000Z`

layer(freshTestService, { excludeTestServices: true })("a draft on pages", (it) => {
  it.effect("is listed and shown with who prepared it, what stands in it and what it lacks", () =>
    Effect.gen(function* () {
      const { dana } = yield* pair
      const { id, version, digest } = yield* published
      const draftId = yield* preparedFor(
        dana,
        nested({
          source: "crm",
          sourceReference: "deal 7",
          references: ["https://example.test/brief"],
          title: "Logo",
          criteria: [{ title: "Vector" }],
          specification: { id, version },
          templateBinding: { id: "short form", version: 2 }
        })
      )
      const listed = yield* readPage(dana, "/workspace/drafts")
      assert.deepStrictEqual([listed.status, faultsOf(listed.text)], [200, []])
      for (const said of ["Logo", "Buyer", "Dana's agent , an agent of Dana", "draft"]) {
        assert.include(wordsOn(listed), said)
      }
      const shown = yield* readPage(dana, draftPath(draftId))
      assert.deepStrictEqual([shown.status, faultsOf(shown.text)], [200, []])
      for (const said of [
        "Nothing of it is sent, agreed on or signed.", "crm", "deal 7", "https://example.test/brief", "(no id): Vector",
        `${id}, version ${version}`, digest, "short form , version 2", "It still needs:", "the scope",
        "the id of criterion 1", "Go on in the form"
      ]) assert.include(wordsOn(shown), said) // prettier-ignore
      assert.include(shown.text, `href="/workspace/specifications/${id}/versions/${version}"`)
    })
  )

  it.effect("fills the form with what there is, and leaves the rest empty", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const draftId = yield* preparedFor(dana, {
        title: "Logo",
        supplier: "Sam Studio",
        recipientActorId: sam.personId,
        recipientReference: "Offer 7",
        criteria: [{ title: "Vector" }, { id: "1" }],
        deadlineInstant: "2027-03-01T10:30:00.000Z"
      })
      const shown = yield* readPage(dana, formPath(draftId))
      assert.deepStrictEqual([shown.status, problemsOn(shown), faultsOf(shown.text)], [200, [], []])
      const fieldOf = (name: string) => new RegExp(`<input[^>]* name="${name}"[^>]*? value="([^"]*)"`).exec(shown.text)?.[1] ?? "" // prettier-ignore
      assert.deepStrictEqual(
        ["title", "supplierName", "buyerName", "deadline", "supplierActorId", "criterion1Title", "criterion1Id", "criterion2Id"].map(fieldOf),
        ["Logo", "Sam Studio", "", "2027-03-01 10:30", sam.personId, "Vector", "", "1"]
      ) // prettier-ignore
      assert.include(wordsOn(shown), "Offer 7")
      assert.match(shown.text, /name="signing"[^>]*value="OFF"[^>]*checked/)
      assert.notMatch(shown.text, /name="contractBasis"[^>]*checked/)
    })
  )

  it.effect("is kept as far as it goes, and comes back as it was entered", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const draftId = yield* preparedFor(dana, nested({ source: "crm", references: ["a"], title: "Logo" }))
      const form = formOn(yield* readPage(dana, formPath(draftId)), newPath)
      const kept = yield* submit(dana, form, {
        title: "Another logo",
        criterion1Id: "vector",
        criterion1Title: "",
        criterion1Requirement: "An SVG.",
        deadline: "2027-03-01 10:30",
        contractBasis: "EXISTING_CONTRACT",
        supplierBy: "PERSON",
        supplierActorId: sam.personId,
        signing: "NATIVE",
        step: "SAVE"
      })
      assert.deepStrictEqual([kept.status, kept.headers["location"]], [303, formPath(draftId)])
      const draft = yield* readDraft(dana, draftId)
      assert.deepStrictEqual(draft.content, {
        source: "crm",
        references: ["a"],
        title: "Another logo",
        supplierActorId: sam.personId,
        criteria: [{ id: "vector", requirement: "An SVG." }],
        deadline: "2027-03-01T10:30:00.000Z",
        termsPolicy: { contractBasis: "EXISTING_CONTRACT" },
        signing: { enabled: true, method: "NATIVE" }
      })
      assert.strictEqual(draft.revision, 2)
      const wrong = yield* submit(dana, formOn(yield* readPage(dana, formPath(draftId)), newPath), {
        deadline: "soon",
        principal: "sam",
        step: "SAVE"
      })
      assert.deepStrictEqual(
        [wrong.status, problemsOn(wrong).map(([field]) => field)],
        [400, ["deadline", "principal"]]
      )
      assert.strictEqual((yield* readDraft(dana, draftId)).revision, 2)
    })
  )

  it.effect("is begun in the form itself, where there was none", () =>
    Effect.gen(function* () {
      const { dana } = yield* pair
      const form = formOn(yield* readPage(dana, newPath), newPath)
      const [first, second] = [
        yield* submit(dana, form, { title: "Logo", step: "SAVE" }),
        yield* submit(dana, form, { title: "Logo", step: "SAVE" })
      ]
      assert.deepStrictEqual([first.status, second.headers["location"]], [303, first.headers["location"]])
      const { drafts } = (yield* read(dana, "/drafts")).body
      assert.deepStrictEqual(
        drafts.map(({ title, preparedBy }: any) => [title, preparedBy.agentName]),
        [["Logo", null]]
      )
    })
  )

  it.effect("becomes an agreement on its specification, once, and is finished then", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const specification = yield* published
      const { id, version } = specification
      const draftId = yield* preparedFor(dana, nested({ title: "Logo", specification: { id, version } }))
      const form = formOn(yield* readPage(dana, formPath(draftId)), newPath)
      const shown = yield* submit(dana, form, yield* termsFor(sam))
      assert.deepStrictEqual([shown.status, problemsOn(shown)], [200, []])
      assert.include(wordsOn(shown), specification.digest)
      const done = formOn(shown, newPath)
      const [first, second] = [yield* submit(dana, done), yield* submit(dana, done)]
      assert.deepStrictEqual([first.status, second.headers["location"]], [303, first.headers["location"]])
      const projectId = projectIn(first.headers["location"])
      assert.deepStrictEqual((yield* termsIn(dana, projectId)).specification, specification)
      const draft = yield* readDraft(dana, draftId)
      assert.deepInclude(draft, { state: "COMMITTED", outcomeId: projectId })
      const page = yield* readPage(dana, draftPath(draftId))
      assert.include(page.text, `href="/workspace/projects/${projectId}"`)
      assert.notInclude(page.text, "Discard this draft")
      const again = yield* readPage(dana, formPath(draftId))
      assert.deepStrictEqual([again.status, again.headers["location"]], [303, draftPath(draftId)])
    })
  )

  it.effect("is committed by one person: whoever comes second is told, and nothing is made", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const lee = yield* join(dana, "Lee", ["AGREEMENT_CREATE"])
      const draftId = yield* preparedFor(dana, { title: "Logo" })
      const values = yield* termsFor(sam)
      const previewed = (by: typeof dana) =>
        Effect.gen(function* () {
          const form = formOn(yield* readPage(by, formPath(draftId)), newPath)
          return formOn(yield* submit(by, form, values), newPath)
        })
      const [mine, theirs] = [yield* previewed(dana), yield* previewed(lee)]
      const answers = yield* Effect.all([submit(dana, mine), submit(lee, theirs)], { concurrency: 2 })
      assert.sameMembers(
        answers.map(({ status }) => status),
        [303, 409]
      )
      const late = answers.find(({ status }) => status === 409)!
      assert.include(wordsOn(late), "This draft became an agreement meanwhile")
      assert.include(late.text, `href="${draftPath(draftId)}"`)
      assert.lengthOf((yield* read(dana, "/projects")).body.projects, 1)
    })
  )

  it.effect(
    "is not overwritten in silence: what somebody else saved meanwhile is said, and nothing entered is lost",
    () =>
      Effect.gen(function* () {
        const { dana } = yield* pair
        const lee = yield* join(dana, "Lee", ["AGREEMENT_CREATE"])
        const draftId = yield* preparedFor(dana, { title: "Logo" })
        const form = formOn(yield* readPage(dana, formPath(draftId)), newPath)
        yield* save(lee, yield* readDraft(lee, draftId), { title: "Lee's logo" })
        const late = yield* submit(dana, form, { title: "Dana's logo", step: "SAVE" })
        assert.strictEqual(late.status, 409)
        assert.include(wordsOn(late), "This draft was saved meanwhile")
        assert.include(late.text, 'value="Dana&#39;s logo"'.replace("&#39;", "'"))
        assert.strictEqual((yield* readDraft(dana, draftId)).content.title, "Lee's logo")
        const over = yield* submit(dana, formOn(late, newPath), { title: "Dana's logo", step: "SAVE" })
        assert.strictEqual(over.status, 303)
        assert.strictEqual((yield* readDraft(dana, draftId)).content.title, "Dana's logo")
      })
  )

  it.effect("is discarded on its page, and finished by nobody then", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const draftId = yield* preparedFor(dana, { title: "Logo" })
      const form = formOn(yield* readPage(dana, formPath(draftId)), newPath)
      const shown = formOn(yield* submit(dana, form, yield* termsFor(sam)), newPath)
      const action = `${draftPath(draftId)}/discard`
      const button = formOn(yield* readPage(dana, draftPath(draftId)), action)
      const unticked = yield* submit(dana, button)
      assert.deepStrictEqual(
        [unticked.status, problemsOn(unticked)],
        [400, [["confirmed", "Tick the box to discard the draft."]]]
      )
      assert.strictEqual((yield* readDraft(dana, draftId)).state, "DRAFT")
      const done = yield* submit(dana, formOn(unticked, action), { confirmed: "on" })
      assert.deepStrictEqual([done.status, done.headers["location"]], [303, draftPath(draftId)])
      assert.include(wordsOn(yield* readPage(dana, draftPath(draftId))), "It was discarded; nothing came of it.")
      assert.strictEqual((yield* submit(dana, button, { confirmed: "on" })).status, 303)
      assert.strictEqual((yield* submit(dana, shown)).status, 409)
      assert.strictEqual((yield* submit(dana, form, { title: "Logo", step: "SAVE" })).status, 409)
      assert.lengthOf((yield* read(dana, "/projects")).body.projects, 0)
    })
  )

  it.effect("is for those who handle it: everybody else is told the same, also of what there is not", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const reader = yield* join(dana, "Rita", ["DELIVERY_REVIEW"])
      const helper = yield* join(dana, "Hal", ["RESULT_DRAFT_CREATE"])
      const draftId = yield* preparedFor(dana, { title: "Logo" })
      const unknown = `draft_${crypto.randomUUID()}`
      for (const by of [sam, reader]) {
        const pages = yield* Effect.forEach([draftPath(draftId), formPath(draftId), draftPath(unknown)], (path) =>
          readPage(by, path)
        )
        assert.deepStrictEqual(
          pages.map(({ status }) => status),
          [403, 403, 403]
        )
        for (const page of pages) assert.notInclude(page.text, "Logo")
        assert.notInclude((yield* readPage(by, "/workspace/drafts")).text, "Logo")
      }
      const helped = yield* readPage(helper, draftPath(draftId))
      assert.include(
        wordsOn(helped),
        "A member who may make agreements finishes it. You can read and discard it here, and not change or finish it."
      )
      const onwards = yield* readPage(helper, formPath(draftId))
      assert.deepStrictEqual([onwards.status, onwards.headers["location"]], [303, draftPath(draftId)])
      assert.strictEqual((yield* readPage(dana, "/workspace/drafts/draft_x")).status, 404)
    })
  )

  it.effect("shows what others wrote as text, and a proposed signing beside its fields", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const hostile = `</textarea></dd><script>alert(1)</script>"' \u202egnitsurt`
      const today = yield* now
      const draftId = yield* preparedFor(
        dana,
        nested({
          source: hostile, sourceReference: hostile, references: [hostile], title: hostile, scope: hostile,
          buyerName: hostile, supplierName: hostile, supplierReference: hostile, baselineStatement: hostile,
          criteria: [{ id: hostile, title: hostile, requirement: hostile }],
          termsPolicy: { purpose: hostile, contractReference: hostile, contractClauses: hostile, sharing: hostile, sharingRecipients: [hostile] },
          originals: { custodian: hostile, location: hostile, access: hostile },
          subjectRequirements: [{ id: hostile, statement: hostile, humanDecisions: [] }],
          templateBinding: { id: hostile }, recipientReference: hostile,
          legalContext: { documents: [{ kind: hostile, version: hostile, digest: "a".repeat(64) }] },
          externalSigning: {
            enabled: true, method: "EXTERNAL", counterparty: sam.personId, contact: hostile, principal: dana.personId,
            agreementSignBy: instant(dayFrom(today, 2)), acceptanceSignBy: instant(dayFrom(today, 9))
          }
        })
      ) // prettier-ignore
      for (const path of ["/workspace/drafts", draftPath(draftId), formPath(draftId)]) {
        const shown = yield* readPage(dana, path)
        assert.strictEqual(shown.status, 200)
        assert.notInclude(shown.text, "<script")
        assert.notInclude(shown.text, "</textarea></dd>")
        assert.include(wordsOn(shown), "‹U+202E›")
        // In a field the text stands as it was sent; everywhere else no mark can turn it round.
        assert.notInclude(shown.text.split(`action="${newPath}"`)[0]!, "\u202e")
        assert.deepStrictEqual(faultsOf(shown.text), [])
      }
      const form = yield* readPage(dana, formPath(draftId))
      assert.include(wordsOn(form), "Signing elsewhere is proposed")
      assert.match(form.text, /name="signing"[^>]*value="EXTERNAL"[^>]*checked/)
      const kept = yield* submit(dana, formOn(form, newPath), {
        signing: "EXTERNAL",
        principal: dana.personId,
        step: "SAVE"
      })
      assert.strictEqual(kept.status, 303)
      const { content } = yield* readDraft(dana, draftId)
      assert.deepStrictEqual([content.externalSigning, content.signing], [undefined, { enabled: true, method: "EXTERNAL", principal: dana.personId }]) // prettier-ignore
    })
  )
})
