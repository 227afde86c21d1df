/** Commands of people on a proposal: results, problems and refusals. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { authorities } from "../../src/people/membership.ts"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { readProjectForPages } from "../../src/projects/project-for-pages.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { dayFrom } from "../support/agreement-pages.ts"
import { encode, formOn, postRaw, problemsOn, readPage, submit } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { confirmAgreement, sha, uuid } from "../support/parties.ts"
import { withNewRequestId, addMember, textOn } from "../support/project-pages.ts"
import {
  acceptanceValues,
  actOnProposalPage,
  makeContact,
  makeProposalContacts,
  actOnProposalSuccessfully,
  openForm,
  proposalPage,
  publishOnPages,
  readAsAuthor,
  updateOnPages,
  writeOnPages
} from "../support/proposal-pages.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

layer(freshTestService, { excludeTestServices: true })("answers to proposals", (it) => {
  it.effect.each([
    ["ACCEPT", "ACCEPTED"],
    ["REQUEST_CHANGES", "CHANGES_REQUESTED"],
    ["DECLINE", "DECLINED"]
  ] as const)("The answer %s leads to the state %s, and its form is idempotent.", ([action, state]) =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      const form = yield* openForm(buyer, proposalId, "respond")
      for (const _ of [1, 2]) {
        assert.strictEqual((yield* submit(buyer, form, { ...acceptanceValues, action })).status, 303)
      }
      const after = yield* readAsAuthor(supplier, proposalId)
      assert.deepStrictEqual([after.state, after.events], [state, ["CREATE", "PUBLISH", "RESPOND"]])
      assert.strictEqual(after.projectId === null, action !== "ACCEPT")
      const other = yield* submit(buyer, form, { ...acceptanceValues, action, reason: "Something else." })
      assert.strictEqual(other.status, 409)
      assert.include(textOn(other), "Another form was already sent from this page.")
      assert.include(textOn(yield* readPage(supplier, proposalPage(proposalId))), "We want it.")
    })
  )

  it.effect("The answer form shows the exact terms, their digest, the effect and the confirmation.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      const { digest } = yield* readAsAuthor(buyer, proposalId)
      const page = yield* readPage(buyer, proposalPage(proposalId, "respond"))
      assert.deepStrictEqual(accessibilityFaults(page.text), [])
      const words = textOn(page)
      for (const expected of [
        "An SVG.",
        digest,
        yield* confirmAgreement,
        "It is sent, not a private draft.",
        `Sam ( ${supplier.personId} ) represents its supplier.`,
        "The supplier still has to answer it",
        "issues no record",
        "You answer for Dana ."
      ]) {
        assert.include(words, expected)
      }
      const empty = yield* actOnProposalPage(buyer, proposalId, "respond", { reason: " " })
      assert.deepStrictEqual(
        [empty.status, problemsOn(empty)],
        [
          400,
          [
            ["action", "Choose one: the answer."],
            ["reason", "The reason is needed."],
            ["attested", "Tick the box to answer for the organization."]
          ]
        ]
      )
      const stale = yield* actOnProposalPage(buyer, proposalId, "respond", {
        ...acceptanceValues,
        confirmationDigest: sha
      })
      assert.strictEqual(stale.status, 409)
      assert.include(textOn(stale), "The confirmation has changed since you read it")
      assert.include(textOn(stale), "We want it.")
      assert.strictEqual((yield* readAsAuthor(buyer, proposalId)).state, "PUBLISHED")
    })
  )

  it.effect("An answer to a proposal requires one of several organizations, and never the author's.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const kim = yield* signInNewPerson("Kim")
      yield* addMember(buyer, kim.organizationId)
      const bare = yield* signInNewPerson("Lee")
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const { personId } = buyer
      yield* createMembership({
        personId,
        organizationId: bare.organizationId,
        authorities: ["DELEGATE"],
        validUntil
      })
      const proposalId = yield* publishOnPages(couple)
      const page = yield* readPage(buyer, proposalPage(proposalId, "respond"))
      assert.include(page.text, `value="${kim.organizationId}"`)
      // An organization without the authority to answer is not offered.
      assert.notInclude(page.text, `value="${bare.organizationId}"`)
      const incomplete = yield* actOnProposalPage(buyer, proposalId, "respond", acceptanceValues)
      assert.deepStrictEqual(problemsOn(incomplete), [["organizationId", "Choose one: the organization."]])
      for (const organizationId of [supplier.organizationId, bare.organizationId]) {
        const foreign = yield* actOnProposalPage(buyer, proposalId, "respond", {
          ...acceptanceValues,
          organizationId
        })
        assert.strictEqual(foreign.status, 400)
      }
      const form = yield* openForm(buyer, proposalId, "respond")
      const chosen = { ...acceptanceValues, organizationId: kim.organizationId }
      for (const _ of [1, 2]) assert.strictEqual((yield* submit(buyer, form, chosen)).status, 303)
      const { projectId } = yield* readAsAuthor(buyer, proposalId)
      const { project } = yield* readProjectForPages(supplier, projectId!)
      assert.strictEqual(project.agreement.buyer.organizationId, kim.organizationId)
    })
  )

  it.effect("An answer with a forged organization is refused with 403, and one with a repeated field with 400.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      const form = yield* openForm(buyer, proposalId, "respond")
      for (const organizationId of [supplier.organizationId, (yield* signInNewPerson("Eve")).organizationId]) {
        const forged = yield* submit(buyer, form, { ...acceptanceValues, organizationId })
        assert.strictEqual(forged.status, 403)
      }
      for (const name of ["organizationId", "confirmationDigest"]) {
        const twice = yield* submit(buyer, form, { ...acceptanceValues, [name]: ["a", "b"] })
        assert.strictEqual(twice.status, 400)
        assert.include(textOn(twice), "The form was not sent as its page shows it.")
      }
      assert.strictEqual((yield* readAsAuthor(buyer, proposalId)).state, "PUBLISHED")
    })
  )

  it.effect("A proposal that cannot be accepted offers no acceptance and states the reason.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { buyer } = couple
      const today = yield* now
      // Late enough for the steps of the form.
      const soon = addMilliseconds(today, 6_000)
      const proposalId = yield* publishOnPages(couple, { deadline: soon, reviewDeadline: dayFrom(today, 9) })
      const form = yield* openForm(buyer, proposalId, "respond")
      yield* Effect.sleep(Math.max(0, Date.parse(soon) - Date.parse(yield* now)) + 100)
      const late = yield* submit(buyer, form, acceptanceValues)
      assert.strictEqual(late.status, 409)
      assert.include(textOn(late), "has passed: the author has to write a new version with other dates.")
      const page = yield* readPage(buyer, proposalPage(proposalId, "respond"))
      assert.notInclude(page.text, 'value="ACCEPT"')
      assert.include(textOn(page), "Accept the proposal is not possible now: The delivery date")
      assert.include(
        textOn(yield* readPage(buyer, proposalPage(proposalId))),
        "Not in its current form: The delivery date"
      )
      yield* actOnProposalSuccessfully(buyer, proposalId, "respond", { ...acceptanceValues, action: "REQUEST_CHANGES" })
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("command forms of a proposal", (it) => {
  it.effect("A form that was shown before the proposal changed is refused with 409 and shows the changes.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      const form = yield* openForm(buyer, proposalId, "respond")
      const withdrawing = yield* openForm(supplier, proposalId, "withdraw")
      yield* updateOnPages(couple, proposalId, { scope: "Another." })
      const writing = yield* submit(buyer, form, { ...acceptanceValues, reason: "Mine <b>" })
      assert.deepStrictEqual([writing.status, accessibilityFaults(writing.text)], [409, []])
      for (const expected of [
        "The proposal has changed meanwhile",
        "The author is writing a new version",
        "Answer the proposal is not possible now",
        "Mine &lt;b>"
      ]) {
        assert.include(textOn(writing), expected)
      }
      yield* actOnProposalSuccessfully(supplier, proposalId, "publish")
      const newer = yield* submit(buyer, form, acceptanceValues)
      assert.strictEqual(newer.status, 409)
      assert.include(textOn(newer), "Sam for the author published version 2")
      assert.include(newer.text, `href="${proposalPage(proposalId, "respond")}"`)
      const authors = yield* submit(supplier, withdrawing, { confirmed: "on" })
      assert.strictEqual(authors.status, 409)
      assert.include(textOn(authors), "Sam for the author wrote version 2")
      const empty = yield* submit(supplier, withdrawing)
      assert.deepStrictEqual([empty.status, textOn(empty).includes("has changed meanwhile")], [409, true])
      assert.strictEqual((yield* readAsAuthor(supplier, proposalId)).state, "PUBLISHED")
    })
  )

  it.effect("An acceptance by a former recipient is refused with 403.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const eve = yield* signInNewPerson("Eve")
      const proposalId = yield* publishOnPages(couple)
      const form = yield* openForm(buyer, proposalId, "respond")
      yield* updateOnPages(couple, proposalId, { recipient: yield* makeContact(supplier, eve, "eve") })
      yield* actOnProposalSuccessfully(supplier, proposalId, "publish")
      const late = yield* submit(buyer, form, acceptanceValues)
      assert.strictEqual(late.status, 403)
      assert.notInclude(late.text, "Eve")
      assert.strictEqual((yield* readAsAuthor(eve, proposalId)).state, "PUBLISHED")
    })
  )

  it.effect("A command on a proposal requires its own party, the state that was shown, and a page of this site.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const eve = yield* signInNewPerson("Eve")
      const proposalId = yield* publishOnPages(couple)
      const tokenOf = (person: typeof eve) =>
        Effect.map(
          readPage(person, "/workspace/account"),
          ({ text }) => /name="formToken" value="([^"]*)"/.exec(text)![1]!
        )
      const head = (yield* readAsAuthor(supplier, proposalId)).proposalHead
      const post = Effect.fnUntraced(function* (by: typeof eve, path: string, values: Record<string, string>) {
        const formToken = yield* tokenOf(by)
        const all = { formToken, requestId: uuid(), expectedProposalHead: head, ...values }
        return yield* postRaw(by, proposalPage(proposalId, path), encode(all))
      })
      const answered = { ...acceptanceValues, confirmationDigest: yield* confirmAgreement } as Record<string, string>
      assert.strictEqual((yield* post(supplier, "respond", answered)).status, 403)
      for (const path of ["publish", "withdraw"]) {
        assert.strictEqual((yield* post(buyer, path, { confirmed: "on" })).status, 403, path)
      }
      for (const path of ["publish", "withdraw", "respond", "update"]) {
        assert.strictEqual((yield* post(eve, path, { reason: "Because." })).status, 403, path)
      }
      for (const path of ["pause", "resume"]) {
        const all = { formToken: yield* tokenOf(eve), requestId: uuid(), reason: "Because." }
        const refused = yield* postRaw(eve, proposalPage(proposalId, path), encode(all))
        assert.strictEqual(refused.status, 403, path)
        assert.notInclude(refused.text, "Logo")
      }
      const form = yield* openForm(buyer, proposalId, "respond")
      const { expectedProposalHead: _, ...headless } = form.hidden
      const { formToken: __, ...unprotected } = form.hidden
      const action = proposalPage(proposalId, "respond")
      assert.strictEqual((yield* submit(buyer, { ...form, hidden: headless }, acceptanceValues)).status, 400)
      assert.strictEqual((yield* postRaw(buyer, action, encode({ ...unprotected, ...acceptanceValues }))).status, 403)
      const elsewhere = { origin: "https://elsewhere.test" }
      const whole = encode({ ...form.hidden, ...acceptanceValues })
      assert.strictEqual((yield* postRaw(buyer, action, whole, elsewhere)).status, 403)
      assert.strictEqual((yield* submit(buyer, form, { ...acceptanceValues, extra: "1" })).status, 400)
      assert.strictEqual((yield* readAsAuthor(supplier, proposalId)).state, "PUBLISHED")
    })
  )

  it.effect("A resubmitted command on a proposal is answered as done, whatever the current state.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const proposalId = yield* writeOnPages(couple)
      const publishing = yield* openForm(supplier, proposalId, "publish")
      assert.strictEqual((yield* submit(supplier, publishing)).status, 303)
      yield* actOnProposalSuccessfully(buyer, proposalId, "respond", { ...acceptanceValues, action: "DECLINE" })
      assert.strictEqual((yield* submit(supplier, publishing)).status, 303)
      const again = yield* submit(supplier, withNewRequestId(publishing, uuid()))
      assert.strictEqual(again.status, 409)
      assert.include(textOn(again), "Dana as the recipient declined the proposal in version 1")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("resubmitted answers", (it) => {
  it.effect("A resubmitted answer is answered as done, although the membership that gave it has ended.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { buyer } = couple
      const kim = yield* signInNewPerson("Kim")
      const { membershipId } = yield* addMember(buyer, kim.organizationId)
      const proposalId = yield* publishOnPages(couple)
      const form = yield* openForm(buyer, proposalId, "respond")
      const chosen = { ...acceptanceValues, action: "DECLINE", organizationId: kim.organizationId }
      assert.strictEqual((yield* submit(buyer, form, chosen)).status, 303)
      yield* endMembership("OPERATOR", { membershipId })
      assert.strictEqual((yield* submit(buyer, form, chosen)).status, 303)
      assert.strictEqual((yield* submit(buyer, withNewRequestId(form, uuid()), chosen)).status, 403)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("acceptances", (it) => {
  it.effect("After an acceptance, the recipient has only the authorities of the accepting organization.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const kim = yield* signInNewPerson("Kim")
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const { personId } = buyer
      const { organizationId } = kim
      yield* createMembership({ personId, organizationId, authorities: ["PROPOSAL_MANAGE"], validUntil })
      const proposalId = yield* publishOnPages(couple)
      const pausing = proposalPage(proposalId, "pause")
      assert.include((yield* readPage(buyer, proposalPage(proposalId))).text, `action="${pausing}"`)
      const after = yield* actOnProposalSuccessfully(buyer, proposalId, "respond", {
        ...acceptanceValues,
        organizationId
      })
      assert.notInclude(after.text, `action="${pausing}"`)
      assert.include((yield* readPage(supplier, proposalPage(proposalId))).text, `action="${pausing}"`)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("withdrawals and pauses", (it) => {
  it.effect("A proposal is withdrawn after a confirmation and has ended for both parties.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      const unticked = yield* actOnProposalPage(supplier, proposalId, "withdraw")
      assert.deepStrictEqual(problemsOn(unticked), [["confirmed", "Tick the box to withdraw the proposal."]])
      const form = yield* openForm(supplier, proposalId, "withdraw")
      for (const _ of [1, 2]) assert.strictEqual((yield* submit(supplier, form, { confirmed: "on" })).status, 303)
      assert.strictEqual((yield* readAsAuthor(supplier, proposalId)).state, "WITHDRAWN")
      const theirs = textOn(yield* readPage(buyer, proposalPage(proposalId)))
      assert.include(theirs, "The author withdrew it; it has ended.")
      assert.include(theirs, "One logo.")
    })
  )

  it.effect("Each party pauses its own agents with a reason that both parties read.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      const pausing = formOn(yield* readPage(buyer, proposalPage(proposalId)), proposalPage(proposalId, "pause"))
      const bare = yield* submit(buyer, pausing, { reason: "" })
      assert.deepStrictEqual([bare.status, problemsOn(bare)], [400, [["reason", "The reason is needed."]]])
      for (const _ of [1, 2]) {
        assert.strictEqual((yield* submit(buyer, pausing, { reason: "Wait <b>" })).status, 303)
      }
      const twice = yield* submit(buyer, withNewRequestId(pausing, uuid()), { reason: "Again" })
      assert.strictEqual(twice.status, 409)
      assert.include(textOn(twice), "This side has already paused the proposal.")
      const page = yield* readPage(supplier, proposalPage(proposalId))
      assert.deepStrictEqual(accessibilityFaults(page.text), [])
      assert.include(textOn(page), "Paused for the buyer by Dana on")
      assert.include(page.text, "Wait &lt;b>")
      assert.include(textOn(yield* readPage(supplier, "/workspace/proposals")), "paused")
      assert.strictEqual((yield* readAsAuthor(supplier, proposalId)).paused, true)
      const resuming = formOn(yield* readPage(buyer, proposalPage(proposalId)), proposalPage(proposalId, "resume"))
      assert.strictEqual((yield* submit(buyer, resuming, { reason: "Read it." })).status, 303)
      assert.strictEqual((yield* readAsAuthor(supplier, proposalId)).paused, false)
      const opened = yield* readPage(buyer, proposalPage(proposalId, "pause"))
      assert.deepStrictEqual([opened.status, opened.headers["location"]], [303, proposalPage(proposalId)])
    })
  )

  it.effect("A pause of agents requires the authority to delegate.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier } = couple
      const kim = yield* signInNewPerson("Kim")
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      yield* createMembership({
        personId: kim.personId,
        organizationId: supplier.organizationId,
        authorities: authorities.filter((one) => one !== "DELEGATE"),
        validUntil
      })
      const proposalId = yield* writeOnPages(couple)
      const page = yield* readPage(kim, proposalPage(proposalId))
      assert.notInclude(page.text, proposalPage(proposalId, "pause"))
      const own = formOn(yield* readPage(supplier, proposalPage(proposalId)), proposalPage(proposalId, "pause"))
      const formToken = /name="formToken" value="([^"]*)"/.exec(page.text)![1]!
      const forged = yield* submit(kim, { ...own, hidden: { ...own.hidden, formToken } }, { reason: "Because." })
      assert.strictEqual(forged.status, 403)
      assert.strictEqual((yield* readAsAuthor(supplier, proposalId)).paused, false)
    })
  )
})
