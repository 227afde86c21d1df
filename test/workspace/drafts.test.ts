/** Drafts on pages: reading, saving, committing and discarding. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { now } from "../../src/vocabulary/instant.ts"
import {
  dayFrom,
  draftIn,
  newPath,
  projectIn,
  saveStep,
  stepPath,
  termsFor,
  termsFormOn,
  termsIn,
  throughSteps,
  valuesIn
} from "../support/agreement-pages.ts"
import { draftSteps } from "../../src/workspace/drafts/steps.ts"
import { flatDraft, prepareDraftFor, publishNewSpecification, readDraft, saveDraft } from "../support/drafts.ts"
import { joinOrganization } from "../support/issued-records.ts"
import { formOn, problemsOn, readPage, submit } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { textOn } from "../support/project-pages.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { read } from "../support/workspace.ts"

const pair = Effect.gen(function* () {
  return { dana: yield* signInNewPerson("Dana"), sam: yield* signInNewPerson("Sam") }
})

const formPath = (draftId: string) => `${newPath}?draft=${draftId}`
const draftPath = (draftId: string) => `/workspace/drafts/${draftId}`
const nested = (fields: object) => ({ schema: "service.agreement-draft/v1", ...fields })
const instant = (typed: string) => `${typed.replace(" ", "T")}:00.000Z`

layer(freshTestService, { excludeTestServices: true })("drafts", (it) => {
  it.effect("A draft is listed and shown with its preparer, its content and its missing fields.", () =>
    Effect.gen(function* () {
      const { dana } = yield* pair
      const { id, version, digest } = yield* publishNewSpecification
      const draftId = yield* prepareDraftFor(
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
      assert.deepStrictEqual([listed.status, accessibilityFaults(listed.text)], [200, []])
      for (const expected of ["Logo", "Buyer", "Dana's agent , an agent of Dana", "draft"]) {
        assert.include(textOn(listed), expected)
      }
      const shown = yield* readPage(dana, draftPath(draftId))
      assert.deepStrictEqual([shown.status, accessibilityFaults(shown.text)], [200, []])
      for (const expected of [
        "None of it has been sent, agreed on or signed.", "crm", "deal 7", "https://example.test/brief", "(no id): Vector",
        `${id}, version ${version}`, digest, "short form , version 2", "To be completed or changed:",
        "The scope is needed.", "Continue with buyer and supplier"
      ]) assert.include(textOn(shown), expected) // prettier-ignore
      assert.include(shown.text, `href="/workspace/specifications/${id}/versions/${version}"`)
    })
  )

  it.effect("A draft opens at its first incomplete step, and each step is prefilled with its content.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const draftId = yield* prepareDraftFor(dana, {
        title: "Logo",
        supplier: "Sam Studio",
        recipientActorId: sam.personId,
        recipientReference: "Offer 7",
        criteria: [{ title: "Vector" }, { id: "1" }],
        deadlineInstant: "2027-03-01T10:30:00.000Z"
      })
      const opened = yield* readPage(dana, formPath(draftId))
      assert.deepStrictEqual([opened.status, opened.headers["location"]], [303, stepPath(draftId, "parties")])
      const pages = yield* Effect.forEach(draftSteps, ({ path }) => readPage(dana, stepPath(draftId, path)))
      for (const { status, text } of pages) assert.deepStrictEqual([status, accessibilityFaults(text)], [200, []])
      const [parties, work, dates, terms] = pages
      assert.deepStrictEqual(
        pages.map((shown) => problemsOn(shown).map(([field]) => field)),
        [["buyerName"], ["scope", "baselineStatement", "criterion1Requirement"], ["reviewDeadline"], []]
      )
      assert.include(textOn(dates!), "Still to be completed in this step")
      const text = pages.map((shown) => shown.text).join("")
      const fieldOf = (name: string) => new RegExp(`<input[^>]* name="${name}"[^>]*? value="([^"]*)"`).exec(text)?.[1] ?? "" // prettier-ignore
      assert.deepStrictEqual(
        ["title", "supplierName", "buyerName", "deadline", "supplierActorId", "criterion1Title", "criterion1Id", "criterion2Id"].map(fieldOf),
        ["Logo", "Sam Studio", "", "2027-03-01T10:30", sam.personId, "Vector", "", "1"]
      ) // prettier-ignore
      assert.include(textOn(parties!), "Offer 7")
      for (const state of ["1 to complete", "3 to complete", "not started"]) assert.include(textOn(work!), state)
      // A step without any saved value is an empty form.
      assert.match(terms!.text, /name="signing"[^>]*value="OFF"[^>]*checked/)
      const preview = yield* readPage(dana, stepPath(draftId, "preview"))
      assert.include(preview.text, `href="${stepPath(draftId, "dates")}#field-reviewDeadline"`)
      assert.notInclude(preview.text, "Make this agreement")
    })
  )

  it.effect(
    "The page of a draft lists its steps, each with its state, and continues with the first incomplete one.",
    () =>
      Effect.gen(function* () {
        const { dana, sam } = yield* pair
        const names = { buyerName: "Dana Ltd", supplierName: "Sam Studio" }
        for (const [by, start, parties, next] of [
          [dana, newPath, { ...names, supplierReference: "Offer 7", supplierBy: "LATER" }, "work and criteria"],
          [sam, "/workspace/proposals/new", names, "buyer and supplier"]
        ] as const) {
          const saved = yield* saveStep(by, start, parties)
          const draftId = draftIn(saved)
          const shown = yield* readPage(by, draftPath(draftId))
          assert.deepStrictEqual([shown.status, accessibilityFaults(shown.text)], [200, []])
          for (const { path } of draftSteps) assert.include(shown.text, `href="${stepPath(draftId, path, start)}"`)
          assert.include(textOn(shown), "Work and criteria not started")
          assert.include(textOn(shown), `Continue with ${next}`)
          assert.notInclude(shown.text, 'aria-current="step"')
        }
      })
  )

  it.effect("A draft with a value that has to be changed is not complete, although none is missing.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const whole = { ...flatDraft(sam), signingEnabled: false, signingAgreementInstant: "" }
      const late = { ...whole, deadlineInstant: "2026-03-01T10:30:00.000Z" }
      for (const [content, sentence, next] of [
        [whole, "It is complete: its preview is next.", "Continue with the preview"],
        [late, "To be completed or changed: The delivery date lies in the past.", "Continue with dates"]
      ] as const) {
        const shown = textOn(yield* readPage(dana, draftPath(yield* prepareDraftFor(dana, content))))
        assert.include(shown, sentence)
        assert.include(shown, next)
      }
    })
  )

  it.effect("A step is saved although it is incomplete, and the other steps keep their content.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const draftId = yield* prepareDraftFor(dana, nested({ source: "crm", references: ["a"], title: "Logo" }))
      const steps = {
        terms: { contractBasis: "EXISTING_CONTRACT", signing: "NATIVE" },
        dates: { deadline: "2027-03-01 10:30" },
        work: { title: "Another logo", criterion1Id: "vector", criterion1Title: "", criterion1Requirement: "An SVG." },
        parties: { supplierBy: "PERSON", supplierActorId: sam.personId }
      }
      for (const [step, values] of Object.entries(steps)) {
        const kept = yield* saveStep(dana, stepPath(draftId, step), values)
        assert.deepStrictEqual([kept.status, kept.headers["location"]], [303, draftPath(draftId)])
      }
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
      assert.strictEqual(draft.revision, 5)
      const wrong = [
        yield* saveStep(dana, stepPath(draftId, "dates"), { deadline: "soon" }),
        yield* saveStep(dana, stepPath(draftId, "terms"), { signing: "NATIVE", principal: "sam" })
      ]
      assert.deepStrictEqual(
        wrong.map((answer) => [answer.status, problemsOn(answer).map(([field]) => field)]),
        [[400, ["deadline"]], [400, ["principal"]]]
      ) // prettier-ignore
      assert.strictEqual((yield* readDraft(dana, draftId)).revision, 5)
    })
  )

  it.effect("The first step of an agreement creates one draft for each form.", () =>
    Effect.gen(function* () {
      const { dana } = yield* pair
      const form = formOn(yield* readPage(dana, newPath), newPath)
      const [first, second] = [
        yield* submit(dana, form, { supplierName: "Sam Studio", step: "SAVE" }),
        yield* submit(dana, form, { supplierName: "Sam Studio", step: "SAVE" })
      ]
      assert.deepStrictEqual([first.status, second.headers["location"]], [303, first.headers["location"]])
      assert.strictEqual((yield* readDraft(dana, draftIn(first))).content.supplierName, "Sam Studio")
      const { drafts } = (yield* read(dana, "/drafts")).body
      assert.deepStrictEqual(
        drafts.map(({ title, preparedBy }: any) => [title, preparedBy.agentName]),
        [[null, null]]
      )
    })
  )

  it.effect("A draft becomes an agreement on its specification once, and is committed afterwards.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const specification = yield* publishNewSpecification
      const { id, version } = specification
      const draftId = yield* prepareDraftFor(dana, nested({ title: "Logo", specification: { id, version } }))
      const shown = yield* throughSteps(dana, yield* termsFor(sam), stepPath(draftId, "parties"))
      assert.deepStrictEqual([shown.status, problemsOn(shown)], [200, []])
      assert.include(textOn(shown), specification.digest)
      const done = termsFormOn(shown)
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

  it.effect("Two concurrent commits of a draft make one agreement; the other commit is refused with 409.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const lee = yield* joinOrganization(dana, "Lee", ["AGREEMENT_CREATE"])
      const draftId = yield* prepareDraftFor(dana, { title: "Logo" })
      yield* throughSteps(dana, yield* termsFor(sam), stepPath(draftId, "parties"))
      const previewed = (by: typeof dana) => Effect.map(readPage(by, stepPath(draftId, "preview")), termsFormOn)
      const [mine, theirs] = [yield* previewed(dana), yield* previewed(lee)]
      const answers = yield* Effect.all([submit(dana, mine), submit(lee, theirs)], { concurrency: 2 })
      assert.sameMembers(
        answers.map(({ status }) => status),
        [303, 409]
      )
      const late = answers.find(({ status }) => status === 409)!
      assert.include(textOn(late), "This draft was finished meanwhile")
      assert.include(late.text, `href="${draftPath(draftId)}"`)
      assert.lengthOf((yield* read(dana, "/projects")).body.projects, 1)
    })
  )

  it.effect("A draft saved concurrently by a colleague is not overwritten, and the entered values are kept.", () =>
    Effect.gen(function* () {
      const { dana } = yield* pair
      const lee = yield* joinOrganization(dana, "Lee", ["AGREEMENT_CREATE"])
      const draftId = yield* prepareDraftFor(dana, { title: "Logo" })
      const work = stepPath(draftId, "work")
      const form = formOn(yield* readPage(dana, work), work)
      yield* saveDraft(lee, yield* readDraft(lee, draftId), { title: "Lee's logo" })
      const late = yield* submit(dana, form, { title: "Dana's logo", step: "SAVE" })
      assert.strictEqual(late.status, 409)
      assert.include(textOn(late), "This draft was saved meanwhile")
      assert.include(late.text, 'value="Dana&#39;s logo"'.replace("&#39;", "'"))
      assert.strictEqual((yield* readDraft(dana, draftId)).content.title, "Lee's logo")
      const over = yield* submit(dana, formOn(late, work), { title: "Dana's logo", step: "SAVE" })
      assert.strictEqual(over.status, 303)
      assert.strictEqual((yield* readDraft(dana, draftId)).content.title, "Dana's logo")
    })
  )

  it.effect("A draft is discarded on its page after a confirmation and can no longer be committed.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const draftId = yield* prepareDraftFor(dana, { title: "Logo" })
      const work = stepPath(draftId, "work")
      const values = yield* termsFor(sam)
      const shown = termsFormOn(yield* throughSteps(dana, values, stepPath(draftId, "parties")))
      const form = formOn(yield* readPage(dana, work), work)
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
      assert.include(textOn(yield* readPage(dana, draftPath(draftId))), "It was discarded without effect.")
      assert.strictEqual((yield* submit(dana, button, { confirmed: "on" })).status, 303)
      assert.strictEqual((yield* submit(dana, shown)).status, 409)
      const late = yield* submit(dana, form, { ...valuesIn("work", values), title: "Mine" })
      assert.deepStrictEqual([late.status, accessibilityFaults(late.text)], [409, []])
      for (const expected of [
        "This draft was discarded meanwhile",
        "Title Mine",
        "Title of criterion 1 Vector files"
      ]) {
        assert.include(textOn(late), expected)
      }
      assert.lengthOf((yield* read(dana, "/projects")).body.projects, 0)
    })
  )

  it.effect("Persons without the authority cannot distinguish a draft from an unknown id.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const reader = yield* joinOrganization(dana, "Rita", ["DELIVERY_REVIEW"])
      const helper = yield* joinOrganization(dana, "Hal", ["RESULT_DRAFT_CREATE"])
      const draftId = yield* prepareDraftFor(dana, { title: "Logo" })
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
        textOn(helped),
        "A member who may make agreements finishes it. You can read and discard it here, but not change or finish it."
      )
      for (const path of [formPath(draftId), stepPath(draftId, "work"), stepPath(draftId, "preview")]) {
        const onwards = yield* readPage(helper, path)
        assert.deepStrictEqual([onwards.status, onwards.headers["location"]], [303, draftPath(draftId)])
      }
      assert.strictEqual((yield* readPage(dana, "/workspace/drafts/draft_x")).status, 404)
    })
  )

  it.effect("Texts of other persons in a draft are inert, and a proposed signing is shown beside its fields.", () =>
    Effect.gen(function* () {
      const { dana, sam } = yield* pair
      const hostile = `</textarea></dd><script>alert(1)</script>"' \u202egnitsurt`
      const today = yield* now
      const draftId = yield* prepareDraftFor(
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
      const steps = [...draftSteps.map(({ path }) => path), "preview"].map((path) => stepPath(draftId, path))
      for (const path of ["/workspace/drafts", draftPath(draftId), ...steps]) {
        const shown = yield* readPage(dana, path)
        assert.strictEqual(shown.status, 200)
        assert.notInclude(shown.text, "<script>")
        assert.notInclude(shown.text, "</textarea></dd>")
        if (!path.includes("dates") && !path.includes("preview"))
          assert.include(shown.text.replaceAll("\u202e", "‹U+202E›"), "‹U+202E›")
        // A field holds the original text; elsewhere direction marks are shown as text.
        assert.notInclude(shown.text.replace(/ value="[^"]*"|<textarea.*?<\/textarea>/gs, ""), "\u202e")
        assert.deepStrictEqual(accessibilityFaults(shown.text), [])
      }
      const terms = stepPath(draftId, "terms")
      const form = yield* readPage(dana, terms)
      assert.include(textOn(form), "Signing elsewhere is proposed")
      assert.match(form.text, /name="signing"[^>]*value="EXTERNAL"[^>]*checked/)
      const kept = yield* saveStep(dana, terms, { signing: "EXTERNAL", principal: dana.personId })
      assert.strictEqual(kept.status, 303)
      const { content } = yield* readDraft(dana, draftId)
      assert.deepStrictEqual([content.externalSigning, content.signing], [undefined, { enabled: true, method: "EXTERNAL", principal: dana.personId }]) // prettier-ignore
    })
  )
})
