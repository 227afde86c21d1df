/** Updates of a proposal from a form prefilled with the current version, and agents' commands on the same pages. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { MailFailure } from "../../src/ports/mail.ts"
import { commitPreview } from "../support/agreement-pages.ts"
import { setEmailAddress, recordEmail } from "../support/recorded-email.ts"
import { formOn, problemsOn, readPage, submit } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { textOn } from "../support/project-pages.ts"
import { commandProposal, handOffOf, makeHolder, readProposal, recipientActions } from "../support/proposals.ts"
import {
  acceptanceValues,
  makeContact,
  makeProposalContacts,
  actOnProposalSuccessfully,
  openForm,
  proposalPage,
  publishOnPages,
  readAsAuthor,
  updateOnPages,
  writeOnPages,
  proposalFormValues
} from "../support/proposal-pages.ts"
import { freshService, freshTestService, postgresStorage, send, testService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { cookieOf } from "../support/workspace.ts"

layer(freshTestService, { excludeTestServices: true })("updates of a proposal", (it) => {
  it.effect("An update form is prefilled with the whole current version and replaces it once.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const signing = {
        signing: "EXTERNAL",
        criterionRows: "2",
        criterion2Id: "print",
        criterion2Title: "Print files",
        criterion2Requirement: "A PDF.",
        requirementRows: "1",
        requirement1Id: "r",
        requirement1Statement: "People decide.",
        requirement1Decisions: ["RESPOND"]
      }
      const { deadline, reviewDeadline } = yield* proposalFormValues(couple)
      const dated = { agreementSignBy: deadline, acceptanceSignBy: reviewDeadline }
      const proposalId = yield* writeOnPages(couple, { ...signing, ...dated })
      const before = yield* readAsAuthor(supplier, proposalId)
      const path = proposalPage(proposalId, "update")
      const page = yield* readPage(supplier, path)
      assert.deepStrictEqual(accessibilityFaults(page.text), [])
      assert.include(textOn(page), "This becomes version 2 and replaces version 1")
      for (const prefilled of [
        'value="Print files"',
        "People decide.",
        `<option value="${couple.contactId}" selected`
      ]) {
        assert.include(page.text, prefilled)
      }
      // The recipient signs by default, so another recipient becomes the signer.
      assert.notInclude(page.text, `value="${buyer.personId}"`)
      const values = yield* proposalFormValues(couple, { ...signing, ...dated, title: "Logo again" })
      const shown = yield* submit(supplier, formOn(page, path), values)
      assert.include(textOn(shown), "Save version 2")
      for (const _ of [1, 2]) assert.strictEqual((yield* commitPreview(supplier, shown, path)).status, 303)
      const after = yield* readAsAuthor(supplier, proposalId)
      assert.deepStrictEqual(
        [after.version, after.state, after.events, after.terms],
        [2, "DRAFT", ["CREATE", "UPDATE"], { ...before.terms, title: "Logo again" }]
      )
    })
  )

  it.effect("An update can change the recipient, who must be chosen again when the contact no longer exists.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier } = couple
      const eve = yield* signInNewPerson("Eve")
      const proposalId = yield* publishOnPages(couple)
      const contactId = yield* makeContact(supplier, eve, "eve")
      assert.strictEqual((yield* updateOnPages(couple, proposalId, { recipient: contactId })).status, 303)
      assert.deepStrictEqual((yield* readAsAuthor(supplier, proposalId)).recipient, {
        actorId: eve.personId,
        reference: "eve"
      })
      const publishing = textOn(yield* readPage(supplier, proposalPage(proposalId, "publish")))
      assert.include(publishing, "that person loses access to the proposal")
      const bare = yield* updateOnPages(couple, proposalId, { recipient: contactId }).pipe(
        Effect.andThen(readPage(supplier, proposalPage(proposalId, "update")))
      )
      assert.include(bare.text, `<option value="${contactId}" selected`)
    })
  )

  it.effect("A stale update form keeps the entered values and shows the changes.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      const path = proposalPage(proposalId, "update")
      const form = yield* openForm(supplier, proposalId, "update")
      const shown = yield* submit(supplier, form, yield* proposalFormValues(couple, { title: "Mine" }))
      yield* actOnProposalSuccessfully(buyer, proposalId, "respond", {
        ...acceptanceValues,
        action: "REQUEST_CHANGES",
        reason: "Cheaper."
      })
      const stale = yield* commitPreview(supplier, shown, path)
      assert.deepStrictEqual([stale.status, accessibilityFaults(stale.text), problemsOn(stale)], [409, [], []])
      assert.include(textOn(stale), "Dana as the recipient asked for changes in version 1. Cheaper.")
      assert.include(stale.text, 'value="Mine"')
      const again = yield* submit(supplier, formOn(stale, path), yield* proposalFormValues(couple, { title: "Mine" }))
      assert.strictEqual((yield* commitPreview(supplier, again, path)).status, 303)
      assert.strictEqual((yield* readAsAuthor(supplier, proposalId)).version, 2)
      // An ended proposal cannot be updated.
      const late = yield* openForm(supplier, proposalId, "update")
      const second = yield* submit(supplier, late, yield* proposalFormValues(couple))
      yield* actOnProposalSuccessfully(supplier, proposalId, "withdraw", { confirmed: "on" })
      const closed = yield* commitPreview(supplier, second, path)
      assert.strictEqual(closed.status, 409)
      assert.include(textOn(closed), "You cannot do this now")
      assert.strictEqual((yield* readAsAuthor(supplier, proposalId)).version, 2)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("agents' commands on a proposal", (it) => {
  it.effect("The timeline names an agent's person, and shows a hand-off as a pause that people lift.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      const { token } = yield* makeHolder(buyer, "BUYER", recipientActions, { proposalIds: [proposalId] })
      const { body } = yield* readProposal(token, proposalId)
      assert.strictEqual((yield* commandProposal(token, proposalId, "handoff", handOffOf(body))).status, 200)
      const page = yield* readPage(supplier, proposalPage(proposalId))
      assert.deepStrictEqual(accessibilityFaults(page.text), [])
      assert.include(textOn(page), "Paused for the buyer by an agent")
      assert.include(textOn(page), "A person should look.")
      const resuming = formOn(yield* readPage(buyer, proposalPage(proposalId)), proposalPage(proposalId, "resume"))
      assert.strictEqual((yield* submit(buyer, resuming, { reason: "Looked." })).status, 303)
      const { body: view } = yield* readProposal(token, proposalId)
      const answer = yield* commandProposal(token, proposalId, "respond", {
        expectedProposalHead: view.proposal.proposalHead,
        automationRevision: view.automation.revision,
        input: {
          requestId: crypto.randomUUID(),
          proposalDigest: view.proposal.digest,
          action: "DECLINE",
          reason: "Too dear."
        }
      })
      assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
      const timeline = textOn(yield* readPage(supplier, proposalPage(proposalId)))
      assert.include(timeline, "an agent of Dana as the recipient declined the proposal in version 1")
    })
  )
})

const unreachable = recordEmail(Effect.fail(new MailFailure({ reason: "refused" })))
const serviceWithFailingMail = Layer.unwrap(
  Effect.map(freshService, (connection) => testService(postgresStorage(connection), undefined, undefined, unreachable))
)

layer(serviceWithFailingMail, { excludeTestServices: true })("acceptances whose e-mail fails", (it) => {
  it.effect("An acceptance whose e-mail fails is committed, and the page reports the failure once.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      yield* setEmailAddress(supplier.personId, "sam@example.org")
      const proposalId = yield* publishOnPages(couple)
      const form = yield* openForm(buyer, proposalId, "respond")
      const followRedirect = Effect.fnUntraced(function* (cookies: ReadonlyArray<string>) {
        const cookie = [cookieOf(buyer.token), ...cookies.map((one) => one.split(";")[0])].join("; ")
        return textOn(yield* send("GET", proposalPage(proposalId), { headers: { cookie } }))
      })
      const done = yield* submit(buyer, form, acceptanceValues)
      assert.include(yield* followRedirect(done.cookies), "The e-mail that notifies the other party could not be sent.")
      const again = yield* submit(buyer, form, acceptanceValues)
      assert.notInclude(yield* followRedirect(again.cookies), "The e-mail that notifies")
      assert.lengthOf(unreachable.sent, 1)
    })
  )
})
