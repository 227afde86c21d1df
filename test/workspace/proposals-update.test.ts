/** Another version of a proposal, from the form that holds the one that stands; and what agents did, on the same pages. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { MailFailed } from "../../src/ports/mail.ts"
import { commitShown } from "../support/agreement-pages.ts"
import { giveAddress, keepingLetters } from "../support/letters.ts"
import { formOn, problemsOn, readPage, submit } from "../support/page-forms.ts"
import { faultsOf } from "../support/page-scan.ts"
import { wordsOn } from "../support/project-pages.ts"
import { commandProposal, handOffOf, makeHolder, readProposal, recipientActions } from "../support/proposals.ts"
import {
  accepting,
  knowing,
  makeCouple,
  mustDo,
  openForm,
  proposalPage,
  publishOnPages,
  standing,
  updateOnPages,
  writeOnPages,
  written
} from "../support/proposal-pages.ts"
import { freshService, freshTestService, postgresStorage, send, testService } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"
import { cookieOf } from "../support/workspace.ts"

layer(freshTestService, { excludeTestServices: true })("another version", (it) => {
  it.effect("starts from the whole version that stands, and takes its place once", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
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
      const { deadline, reviewDeadline } = yield* written(couple)
      const dated = { agreementSignBy: deadline, acceptanceSignBy: reviewDeadline }
      const proposalId = yield* writeOnPages(couple, { ...signing, ...dated })
      const before = yield* standing(supplier, proposalId)
      const path = proposalPage(proposalId, "update")
      const page = yield* readPage(supplier, path)
      assert.deepStrictEqual(faultsOf(page.text), [])
      assert.include(wordsOn(page), "This becomes version 2, in the place of version 1")
      for (const standing of [
        'value="Print files"',
        "People decide.",
        `<option value="${couple.contactId}" selected`
      ]) {
        assert.include(page.text, standing)
      }
      // The recipient signs by default: another recipient would sign in their place.
      assert.notInclude(page.text, `value="${buyer.personId}"`)
      const values = yield* written(couple, { ...signing, ...dated, title: "Logo again" })
      const shown = yield* submit(supplier, formOn(page, path), values)
      assert.include(wordsOn(shown), "Keep version 2")
      for (const _ of [1, 2]) assert.strictEqual((yield* commitShown(supplier, shown, path)).status, 303)
      const after = yield* standing(supplier, proposalId)
      assert.deepStrictEqual(
        [after.version, after.state, after.events, after.terms],
        [2, "DRAFT", ["CREATE", "UPDATE"], { ...before.terms, title: "Logo again" }]
      )
    })
  )

  it.effect("goes to another recipient, and is chosen anew where the contact is gone", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier } = couple
      const eve = yield* signInAnew("Eve")
      const proposalId = yield* publishOnPages(couple)
      const contactId = yield* knowing(supplier, eve, "eve")
      assert.strictEqual((yield* updateOnPages(couple, proposalId, { recipient: contactId })).status, 303)
      assert.deepStrictEqual((yield* standing(supplier, proposalId)).recipient, {
        actorId: eve.personId,
        reference: "eve"
      })
      const publishing = wordsOn(yield* readPage(supplier, proposalPage(proposalId, "publish")))
      assert.include(publishing, "that person is shown nothing of the proposal from then on")
      const bare = yield* updateOnPages(couple, proposalId, { recipient: contactId }).pipe(
        Effect.andThen(readPage(supplier, proposalPage(proposalId, "update")))
      )
      assert.include(bare.text, `<option value="${contactId}" selected`)
    })
  )

  it.effect("that was begun before the proposal changed keeps what was entered, and shows what is new", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      const path = proposalPage(proposalId, "update")
      const form = yield* openForm(supplier, proposalId, "update")
      const shown = yield* submit(supplier, form, yield* written(couple, { title: "Mine" }))
      yield* mustDo(buyer, proposalId, "respond", { ...accepting, action: "REQUEST_CHANGES", reason: "Cheaper." })
      const stale = yield* commitShown(supplier, shown, path)
      assert.deepStrictEqual([stale.status, faultsOf(stale.text), problemsOn(stale)], [409, [], []])
      assert.include(wordsOn(stale), "Dana as the recipient asked for changes in version 1. Cheaper.")
      assert.include(stale.text, 'value="Mine"')
      const again = yield* submit(supplier, formOn(stale, path), yield* written(couple, { title: "Mine" }))
      assert.strictEqual((yield* commitShown(supplier, again, path)).status, 303)
      assert.strictEqual((yield* standing(supplier, proposalId)).version, 2)
      // Ended meanwhile, it cannot go on.
      const late = yield* openForm(supplier, proposalId, "update")
      const second = yield* submit(supplier, late, yield* written(couple))
      yield* mustDo(supplier, proposalId, "withdraw", { confirmed: "on" })
      const closed = yield* commitShown(supplier, second, path)
      assert.strictEqual(closed.status, 409)
      assert.include(wordsOn(closed), "You cannot do this now")
      assert.strictEqual((yield* standing(supplier, proposalId)).version, 2)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("what an agent does on a proposal", (it) => {
  it.effect("is told as its person's agent's, and its hand-over as a pause that people lift", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      const { token } = yield* makeHolder(buyer, "BUYER", recipientActions, { proposalIds: [proposalId] })
      const { body } = yield* readProposal(token, proposalId)
      assert.strictEqual((yield* commandProposal(token, proposalId, "handoff", handOffOf(body))).status, 200)
      const page = yield* readPage(supplier, proposalPage(proposalId))
      assert.deepStrictEqual(faultsOf(page.text), [])
      assert.include(wordsOn(page), "Paused for the buyer by an agent")
      assert.include(wordsOn(page), "A person should look.")
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
      const told = wordsOn(yield* readPage(supplier, proposalPage(proposalId)))
      assert.include(told, "an agent of Dana as the recipient declined the proposal in version 1")
    })
  )
})

const unreachable = keepingLetters(Effect.fail(new MailFailed({ reason: "refused" })))
const serviceWithoutPost = Layer.unwrap(
  Effect.map(freshService, (connection) => testService(postgresStorage(connection), undefined, undefined, unreachable))
)

layer(serviceWithoutPost, { excludeTestServices: true })("an acceptance of which no letter can tell", (it) => {
  it.effect("stands, and its person is told to tell, once", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      yield* giveAddress(supplier.personId, "sam@example.org")
      const proposalId = yield* publishOnPages(couple)
      const form = yield* openForm(buyer, proposalId, "respond")
      const comeTo = Effect.fnUntraced(function* (cookies: ReadonlyArray<string>) {
        const cookie = [cookieOf(buyer.token), ...cookies.map((one) => one.split(";")[0])].join("; ")
        return wordsOn(yield* send("GET", proposalPage(proposalId), { headers: { cookie } }))
      })
      const done = yield* submit(buyer, form, accepting)
      assert.include(
        yield* comeTo(done.cookies),
        "The letter that tells the supplier of the agreement could not be sent."
      )
      const again = yield* submit(buyer, form, accepting)
      assert.notInclude(yield* comeTo(again.cookies), "The letter that tells")
      assert.lengthOf(unreachable.sent, 1)
    })
  )
})
