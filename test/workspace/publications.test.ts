/** The public summary of a result on the pages of its parties. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { limits } from "../../src/vocabulary/limits.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { agreementWithRecord, joinOrganization } from "../support/issued-records.ts"
import { formOn, formsOn, problemsOn, readPage, submit, type Values } from "../support/page-forms.ts"
import { uuid } from "../support/parties.ts"
import { runToAccepted } from "../support/person-commands.ts"
import { actSuccessfully, pageInputs, projectPage, textOn } from "../support/project-pages.ts"
import { approve, issuedResult, propose, publicationsOf, publishedResult, withdraw } from "../support/publications.ts"
import { freshTestService, send, siteUrl } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { createdBody } from "../support/workspace.ts"

const home = "/workspace/"
const summariesPath = (projectId: string) => projectPage(projectId, "publications")

const proposal = { publicTitle: "A logo in colour", publicSummary: "One logo,\ndelivered on time." }

/** The form on the project's page with this address below its own. */
const formOf = (by: SignedInPerson, projectId: string, path = "publications") =>
  Effect.map(readPage(by, projectPage(projectId)), (page) => formOn(page, projectPage(projectId, path)))

const actionsOn = (by: SignedInPerson, projectId: string) =>
  Effect.map(readPage(by, projectPage(projectId)), ({ text }) =>
    formsOn(text)
      .map(({ action }) => action)
      .filter((action) => action.startsWith(summariesPath(projectId)))
      .map((action) => action.replace(/pub_[0-9a-f-]{36}/, ":id").slice(summariesPath(projectId).length))
  )

const listOf = (by: SignedInPerson, projectId: string) =>
  Effect.map(publicationsOf(by, projectId), (answer) => answer.publications as ReadonlyArray<any>)

layer(freshTestService, { excludeTestServices: true })("public summaries on pages", (it) => {
  it.effect("A summary is proposed, approved, read by everyone, and withdrawn; each form has its effect once.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* issuedResult
      const proposing = yield* formOf(supplier, projectId)
      for (const _ of [1, 2]) {
        const proposed = yield* submit(supplier, proposing, { ...proposal, namesBuyer: "on" })
        assert.deepStrictEqual([proposed.status, proposed.headers["location"]], [303, projectPage(projectId)])
      }
      const [{ publicationId, publicationDigest, projection }] = yield* listOf(buyer, projectId)
      assert.include(
        textOn(yield* readPage(supplier, projectPage(projectId))),
        "The buyer approves it, or withdraws it."
      )

      const waiting = yield* readPage(buyer, home)
      assert.include(waiting.text, "Waiting for you: 1 public summary")
      assert.match(waiting.text, new RegExp(`<a href="${projectPage(projectId)}"><bdi[^>]*>A logo in colour</bdi></a>`))
      assert.notInclude((yield* readPage(supplier, home)).text, "1 public summary")

      const shown = yield* readPage(buyer, projectPage(projectId))
      assert.deepStrictEqual(accessibilityFaults(shown.text), [])
      assert.include(shown.text, publicationDigest)
      const { subject, specification, issuedAt, completionTime, summary, criteriaMet, ...texts } = projection
      for (const text of [subject.id, subject.name, ...summary.split("\n"), ...Object.values<string>(texts)]) {
        assert.include(shown.text, text)
      }
      for (const instant of [issuedAt, completionTime]) assert.include(shown.text, `datetime="${instant}"`)
      assert.include(textOn(shown), `Criteria met ${criteriaMet}, which are all of the agreement`)
      assert.isNull(specification)
      assert.include(textOn(shown), "Public specification none")

      const approving = formOn(shown, `${summariesPath(projectId)}/${publicationId}/approve`)
      for (const _ of [1, 2]) assert.strictEqual((yield* submit(buyer, approving, { approved: "on" })).status, 303)
      assert.notInclude((yield* readPage(buyer, home)).text, "1 public summary")
      const address = `/workspace/providers/${subject.id}`
      for (const party of [buyer, supplier]) {
        const published = yield* readPage(party, projectPage(projectId))
        assert.deepStrictEqual(accessibilityFaults(published.text), [])
        assert.include(textOn(published), `Anyone can find it, and get it as a signed file, at ${siteUrl}${address}`)
        assert.include(published.text, `href="${address}"`)
      }
      assert.include(textOn(yield* send("GET", address)), "A logo in colour")

      const withdrawing = yield* formOf(buyer, projectId, `publications/${publicationId}/withdraw`)
      for (const _ of [1, 2]) {
        assert.strictEqual((yield* submit(buyer, withdrawing, { withdrawalReason: "Too early." })).status, 303)
      }
      const ended = yield* readPage(supplier, projectPage(projectId))
      assert.deepStrictEqual(accessibilityFaults(ended.text), [])
      assert.match(textOn(ended), /A logo in colour .* by Dana for the buyer Too early\./)
      assert.include(textOn(yield* send("GET", address)), "No result is public now.")
      assert.deepStrictEqual(yield* actionsOn(supplier, projectId), [""])
      assert.strictEqual((yield* listOf(buyer, projectId)).length, 1)
    })
  )

  it.effect("A problem of a form is shown at its field, with the entered values.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* issuedResult
      const form = yield* formOf(supplier, projectId)
      const cases: ReadonlyArray<readonly [Values, string, string]> = [
        [{ publicTitle: " " }, "publicTitle", "The title is needed."],
        [{ publicTitle: "\u200b" }, "publicTitle", "The title needs at least one visible character."],
        [{ publicTitle: "two\nlines" }, "publicTitle", "The title is one line."],
        [{ publicTitle: "a".repeat(201) }, "publicTitle", "The title has at most 200 characters."],
        [{ publicSummary: "" }, "publicSummary", "The summary is needed."],
        [{ publicSummary: "\u3164" }, "publicSummary", "The summary needs at least one visible character."],
        [{ publicSummary: "a".repeat(4_001) }, "publicSummary", "The summary has at most 4000 characters."],
        [{ namesBuyer: "yes" }, "namesBuyer", "Tick this box or leave it empty."]
      ]
      for (const [change, field, message] of cases) {
        const refused = yield* submit(supplier, form, { ...proposal, ...change })
        assert.deepStrictEqual([refused.status, problemsOn(refused)], [400, [[field, message]]])
        assert.deepStrictEqual(accessibilityFaults(refused.text), [])
        const kept = field === "publicSummary" ? `value="${proposal.publicTitle}"` : "delivered on time.</textarea>"
        assert.include(refused.text, kept)
      }
      const again = yield* submit(supplier, form, { ...proposal, publicTitle: "" })
      assert.strictEqual((yield* submit(supplier, formOn(again, form.action), proposal)).status, 303)
      const [{ publicationId, projection }] = yield* listOf(buyer, projectId)
      assert.deepStrictEqual([projection.buyerName, projection.title], [null, proposal.publicTitle])
      const own = `publications/${publicationId}`
      const unticked = yield* submit(buyer, yield* formOf(buyer, projectId, `${own}/approve`))
      assert.deepStrictEqual(problemsOn(unticked), [["approved", "Tick the box to approve the summary."]])
      const unexplained = yield* submit(buyer, yield* formOf(buyer, projectId, `${own}/withdraw`), {
        withdrawalReason: " "
      })
      assert.deepStrictEqual(problemsOn(unexplained), [["withdrawalReason", "The reason is needed."]])
      for (const page of [unticked, unexplained]) {
        assert.deepStrictEqual([page.status, accessibilityFaults(page.text)], [400, []])
      }
    })
  )

  it.effect("Each person is offered the decisions of their side only, and forged ones are refused.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* issuedResult
      const member = yield* joinOrganization(buyer, "Mia", ["AGREEMENT_CREATE"])
      const colleague = yield* joinOrganization(supplier, "Cleo")
      const proposing = yield* formOf(supplier, projectId)
      assert.deepStrictEqual(yield* actionsOn(supplier, projectId), [""])
      for (const person of [buyer, member, colleague]) {
        assert.deepStrictEqual(yield* actionsOn(person, projectId), [])
        const formToken = formsOn((yield* readPage(person, home)).text)[0]!.hidden["formToken"]!
        const refused = yield* submit(person, proposing, { ...proposal, formToken, requestId: uuid() })
        assert.deepStrictEqual([refused.status, accessibilityFaults(refused.text)], [403, []])
        assert.include(textOn(refused), "One logo, delivered on time.")
      }
      assert.include(textOn(yield* readPage(buyer, projectPage(projectId))), "The supplier can propose one")
      assert.include(textOn(yield* readPage(colleague, projectPage(projectId))), "the supplier’s representative")
      const proposed = createdBody(yield* propose(supplier, projectId))
      assert.deepStrictEqual(yield* actionsOn(buyer, projectId), ["/:id/approve", "/:id/withdraw"])
      assert.deepStrictEqual(yield* actionsOn(supplier, projectId), ["/:id/withdraw"])
      assert.include(
        textOn(yield* readPage(member, projectPage(projectId))),
        "Approving it requires a membership of the buyer"
      )
      assert.notInclude((yield* readPage(member, home)).text, "1 public summary")
      const approving = yield* formOf(buyer, projectId, `publications/${proposed.publicationId}/approve`)
      for (const person of [supplier, member, colleague]) {
        assert.deepStrictEqual(yield* actionsOn(person, projectId), person === supplier ? ["/:id/withdraw"] : [])
        const formToken = formsOn((yield* readPage(person, home)).text)[0]!.hidden["formToken"]!
        const refused = yield* submit(person, approving, { approved: "on", formToken, requestId: uuid() })
        assert.strictEqual(refused.status, 403)
      }
      const eve = yield* signInNewPerson("Eve")
      assert.strictEqual((yield* readPage(eve, projectPage(projectId))).status, 403)
      const formToken = formsOn((yield* readPage(eve, home)).text)[0]!.hidden["formToken"]!
      assert.strictEqual((yield* submit(eve, approving, { approved: "on", formToken })).status, 403)
      assert.deepStrictEqual(
        (yield* listOf(buyer, projectId)).map(({ state }) => state),
        ["PROPOSED"]
      )
    })
  )

  it.effect("An approval covers the summary that the page showed, and no other one.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* issuedResult
      const first = createdBody(yield* propose(supplier, projectId))
      const approving = yield* formOf(buyer, projectId, `publications/${first.publicationId}/approve`)
      const other = yield* submit(buyer, approving, { approved: "on", publicationDigest: "0".repeat(64) })
      assert.strictEqual(other.status, 409)
      assert.include(textOn(other), "is not that of this publication")
      yield* withdraw(supplier, first)
      const second = createdBody(yield* propose(supplier, projectId, { title: "Another title" }))
      const late = yield* submit(buyer, approving, { approved: "on" })
      assert.deepStrictEqual([late.status, accessibilityFaults(late.text)], [409, []])
      assert.include(textOn(late), "The publication is withdrawn")
      assert.include(late.text, `href="${projectPage(projectId)}"`)
      const elsewhere = { ...approving, action: `${summariesPath(projectId)}/pub_${uuid()}/approve` }
      assert.strictEqual((yield* submit(buyer, elsewhere, { approved: "on", requestId: uuid() })).status, 404)
      const shownAt = yield* readPage(buyer, `${summariesPath(projectId)}/${second.publicationId}/approve`)
      assert.deepStrictEqual([shownAt.status, shownAt.headers["location"]], [303, projectPage(projectId)])
      assert.deepStrictEqual(
        (yield* listOf(buyer, projectId)).map(({ state }) => state),
        ["PROPOSED", "WITHDRAWN"]
      )
    })
  )

  it.effect("The section follows the acceptance: contested, a summary is neither approved nor public.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId, subjectId } = yield* publishedResult
      const accepted = yield* runToAccepted({ buyer, supplier })
      assert.notInclude((yield* readPage(supplier, projectPage(accepted))).text, "The public summary")

      yield* actSuccessfully(supplier, projectId, "concern", pageInputs.concern)
      const contested = yield* readPage(buyer, projectPage(projectId))
      assert.include(textOn(contested), "not public now")
      assert.include(textOn(contested), "the acceptance is not valid now")
      assert.notInclude(textOn(contested), "Anyone can find it")
      assert.include(textOn(yield* send("GET", `/workspace/providers/${subjectId}`)), "No result is public now.")
      yield* actSuccessfully(supplier, projectId, "dismiss-concern", { reason: "It was the right file." })
      assert.include(textOn(yield* readPage(buyer, projectPage(projectId))), "Anyone can find it")

      const other = yield* agreementWithRecord({ buyer, supplier })
      const proposing = yield* formOf(supplier, other)
      yield* actSuccessfully(supplier, other, "concern", pageInputs.concern)
      const refused = yield* submit(supplier, proposing, proposal)
      assert.deepStrictEqual([refused.status, accessibilityFaults(refused.text)], [409, []])
      assert.include(textOn(refused), "One logo, delivered on time.")
      const page = yield* readPage(supplier, projectPage(other))
      assert.include(textOn(page), "The acceptance is not valid now: no summary can be proposed.")
      yield* actSuccessfully(supplier, other, "dismiss-concern", { reason: "It was the right file." })
      createdBody(yield* propose(supplier, other))
      assert.include((yield* readPage(buyer, home)).text, "1 public summary")
      yield* actSuccessfully(supplier, other, "concern", pageInputs.concern)
      assert.notInclude((yield* readPage(buyer, home)).text, "1 public summary")
      assert.deepStrictEqual(yield* actionsOn(buyer, other), ["/:id/withdraw"])
      assert.include(textOn(yield* readPage(buyer, projectPage(other))), "It cannot be approved now")
    })
  )

  it.effect("A result that has had its 20 summaries names the limit instead of a form.", () =>
    Effect.gen(function* () {
      const { supplier, projectId } = yield* issuedResult
      for (let count = 0; count < limits.publicationsPerResult; count++) {
        yield* withdraw(supplier, createdBody(yield* propose(supplier, projectId)))
      }
      assert.deepStrictEqual(yield* actionsOn(supplier, projectId), [])
      const full = yield* readPage(supplier, projectPage(projectId))
      assert.include(textOn(full), "Limit reached: 20 summaries of one result, including withdrawn ones.")
      assert.deepStrictEqual(accessibilityFaults(full.text), [])
    })
  )

  it.effect("Texts of a summary are shown as inert text on every page that shows them.", () =>
    Effect.gen(function* () {
      const hostile = `"><script>alert(1)</script>\u202e`
      const { buyer, supplier } = yield* issuedResult
      const projectId = yield* agreementWithRecord({ buyer, supplier }, { buyerName: hostile })
      const form = yield* formOf(supplier, projectId)
      assert.strictEqual(
        (yield* submit(supplier, form, { publicTitle: hostile, publicSummary: hostile, namesBuyer: "on" })).status,
        303
      )
      const [proposed] = yield* listOf(buyer, projectId)
      const { id } = proposed.projection.subject
      const waiting = [yield* readPage(buyer, home), yield* readPage(buyer, projectPage(projectId))]
      yield* approve(buyer, proposed)
      const open = [yield* send("GET", `/workspace/providers/${id}`), yield* readPage(buyer, projectPage(projectId))]
      const path = `publications/${proposed.publicationId}/withdraw`
      yield* submit(buyer, yield* formOf(buyer, projectId, path), { withdrawalReason: hostile })
      for (const page of [...waiting, ...open, yield* readPage(supplier, projectPage(projectId))]) {
        assert.strictEqual(page.status, 200)
        assert.include(textOn(page), "‹U+202E›")
        assert.notMatch(page.text, /<script>|\u202e/)
        assert.deepStrictEqual(accessibilityFaults(page.text), [])
      }
    })
  )
})
