/** What people do on a proposal, each on its page: what comes of it, what is wrong with it, and who may not. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { authorities } from "../../src/people/membership.ts"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { readWholeProject } from "../../src/projects/whole.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { dayFrom } from "../support/agreement-pages.ts"
import { encode, formOn, postRaw, problemsOn, readPage, submit } from "../support/page-forms.ts"
import { faultsOf } from "../support/page-scan.ts"
import { confirmAgreement, sha, uuid } from "../support/parties.ts"
import { formAgain, joinedBy, wordsOn } from "../support/project-pages.ts"
import {
  accepting,
  doOnPage,
  knowing,
  makeCouple,
  mustDo,
  openForm,
  proposalPage,
  publishOnPages,
  standing,
  updateOnPages,
  writeOnPages
} from "../support/proposal-pages.ts"
import { freshTestService } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"

layer(freshTestService, { excludeTestServices: true })("answering a proposal", (it) => {
  it.effect.each([
    ["ACCEPT", "ACCEPTED"],
    ["REQUEST_CHANGES", "CHANGES_REQUESTED"],
    ["DECLINE", "DECLINED"]
  ] as const)("%s leads to %s, once however often it is sent", ([action, state]) =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      const form = yield* openForm(buyer, proposalId, "respond")
      for (const _ of [1, 2]) {
        assert.strictEqual((yield* submit(buyer, form, { ...accepting, action })).status, 303)
      }
      const after = yield* standing(supplier, proposalId)
      assert.deepStrictEqual([after.state, after.events], [state, ["CREATE", "PUBLISH", "RESPOND"]])
      assert.strictEqual(after.projectId === null, action !== "ACCEPT")
      const other = yield* submit(buyer, form, { ...accepting, action, reason: "Something else." })
      assert.strictEqual(other.status, 409)
      assert.include(wordsOn(other), "From this page something else was sent before.")
      assert.include(wordsOn(yield* readPage(supplier, proposalPage(proposalId))), "We want it.")
    })
  )

  it.effect("shows the exact terms and their digest, what an acceptance does, and what it confirms", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      const { digest } = yield* standing(buyer, proposalId)
      const page = yield* readPage(buyer, proposalPage(proposalId, "respond"))
      assert.deepStrictEqual(faultsOf(page.text), [])
      const words = wordsOn(page)
      for (const said of [
        "An SVG.",
        digest,
        yield* confirmAgreement,
        "It is sent, not a private draft.",
        `Sam ( ${supplier.personId} ) stands for its supplier.`,
        "It waits for the supplier, who still has to answer it",
        "no record comes of it",
        "You answer for Dana ."
      ]) {
        assert.include(words, said)
      }
      const empty = yield* doOnPage(buyer, proposalId, "respond", { reason: " " })
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
      const stale = yield* doOnPage(buyer, proposalId, "respond", { ...accepting, confirmationDigest: sha })
      assert.strictEqual(stale.status, 409)
      assert.include(wordsOn(stale), "What you confirm is not what it was when you read it")
      assert.include(wordsOn(stale), "We want it.")
      assert.strictEqual((yield* standing(buyer, proposalId)).state, "PUBLISHED")
    })
  )

  it.effect("asks for which organization where the recipient has several, and never for the author's", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const kim = yield* signInAnew("Kim")
      yield* joinedBy(buyer, kim.organizationId)
      const bare = yield* signInAnew("Lee")
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const { personId } = buyer
      yield* createMembership({ personId, organizationId: bare.organizationId, authorities: ["DELEGATE"], validUntil })
      const proposalId = yield* publishOnPages(couple)
      const page = yield* readPage(buyer, proposalPage(proposalId, "respond"))
      assert.include(page.text, `value="${kim.organizationId}"`)
      // Where the person may not answer proposals is no choice.
      assert.notInclude(page.text, `value="${bare.organizationId}"`)
      const unsaid = yield* doOnPage(buyer, proposalId, "respond", accepting)
      assert.deepStrictEqual(problemsOn(unsaid), [["organizationId", "Choose one: the organization."]])
      for (const organizationId of [supplier.organizationId, bare.organizationId]) {
        const foreign = yield* doOnPage(buyer, proposalId, "respond", { ...accepting, organizationId })
        assert.strictEqual(foreign.status, 400)
      }
      const form = yield* openForm(buyer, proposalId, "respond")
      const chosen = { ...accepting, organizationId: kim.organizationId }
      for (const _ of [1, 2]) assert.strictEqual((yield* submit(buyer, form, chosen)).status, 303)
      const { projectId } = yield* standing(buyer, proposalId)
      const { project } = yield* readWholeProject(supplier, projectId!)
      assert.strictEqual(project.agreement.buyer.organizationId, kim.organizationId)
    })
  )

  it.effect("takes an organization that the form names alone, and not a forged one", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      const form = yield* openForm(buyer, proposalId, "respond")
      for (const organizationId of [supplier.organizationId, (yield* signInAnew("Eve")).organizationId]) {
        const forged = yield* submit(buyer, form, { ...accepting, organizationId })
        assert.strictEqual(forged.status, 403)
      }
      for (const name of ["organizationId", "confirmationDigest"]) {
        const twice = yield* submit(buyer, form, { ...accepting, [name]: ["a", "b"] })
        assert.strictEqual(twice.status, 400)
        assert.include(wordsOn(twice), "The form was not sent as its page shows it.")
      }
      assert.strictEqual((yield* standing(buyer, proposalId)).state, "PUBLISHED")
    })
  )

  it.effect("does not offer to accept what could not be accepted, and says why", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { buyer } = couple
      const today = yield* now
      const soon = addMilliseconds(today, 1_500).slice(0, 23).replace("T", " ")
      const proposalId = yield* publishOnPages(couple, { deadline: soon, reviewDeadline: dayFrom(today, 9) })
      const form = yield* openForm(buyer, proposalId, "respond")
      yield* Effect.sleep("1600 millis")
      const late = yield* submit(buyer, form, accepting)
      assert.strictEqual(late.status, 409)
      assert.include(wordsOn(late), "has passed: the author writes another version with other dates.")
      const page = yield* readPage(buyer, proposalPage(proposalId, "respond"))
      assert.notInclude(page.text, 'value="ACCEPT"')
      assert.include(wordsOn(page), "Accept the proposal is not possible now: The delivery date")
      assert.include(wordsOn(yield* readPage(buyer, proposalPage(proposalId))), "Not as it is: The delivery date")
      yield* mustDo(buyer, proposalId, "respond", { ...accepting, action: "REQUEST_CHANGES" })
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("a form of an act on a proposal", (it) => {
  it.effect("that was shown before the proposal changed does nothing, and shows what is new", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      const form = yield* openForm(buyer, proposalId, "respond")
      const withdrawing = yield* openForm(supplier, proposalId, "withdraw")
      yield* updateOnPages(couple, proposalId, { scope: "Another." })
      const writing = yield* submit(buyer, form, { ...accepting, reason: "Mine <b>" })
      assert.deepStrictEqual([writing.status, faultsOf(writing.text)], [409, []])
      for (const said of [
        "The proposal has changed meanwhile",
        "The author writes another version",
        "Answer the proposal is not possible now",
        "Mine &lt;b>"
      ]) {
        assert.include(wordsOn(writing), said)
      }
      yield* mustDo(supplier, proposalId, "publish")
      const newer = yield* submit(buyer, form, accepting)
      assert.strictEqual(newer.status, 409)
      assert.include(wordsOn(newer), "Sam for the author published version 2")
      assert.include(newer.text, `href="${proposalPage(proposalId, "respond")}"`)
      const authors = yield* submit(supplier, withdrawing, { confirmed: "on" })
      assert.strictEqual(authors.status, 409)
      assert.include(wordsOn(authors), "Sam for the author wrote version 2")
      const empty = yield* submit(supplier, withdrawing)
      assert.deepStrictEqual([empty.status, wordsOn(empty).includes("has changed meanwhile")], [409, true])
      assert.strictEqual((yield* standing(supplier, proposalId)).state, "PUBLISHED")
    })
  )

  it.effect("of who is the recipient no more comes to nothing", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const eve = yield* signInAnew("Eve")
      const proposalId = yield* publishOnPages(couple)
      const form = yield* openForm(buyer, proposalId, "respond")
      yield* updateOnPages(couple, proposalId, { recipient: yield* knowing(supplier, eve, "eve") })
      yield* mustDo(supplier, proposalId, "publish")
      const late = yield* submit(buyer, form, accepting)
      assert.strictEqual(late.status, 403)
      assert.notInclude(late.text, "Eve")
      assert.strictEqual((yield* standing(eve, proposalId)).state, "PUBLISHED")
    })
  )

  it.effect("is the own side's alone, carries what was shown, and comes from a page of the site", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const eve = yield* signInAnew("Eve")
      const proposalId = yield* publishOnPages(couple)
      const tokenOf = (person: typeof eve) =>
        Effect.map(
          readPage(person, "/workspace/account"),
          ({ text }) => /name="formToken" value="([^"]*)"/.exec(text)![1]!
        )
      const head = (yield* standing(supplier, proposalId)).proposalHead
      const post = Effect.fnUntraced(function* (by: typeof eve, path: string, values: Record<string, string>) {
        const formToken = yield* tokenOf(by)
        const all = { formToken, requestId: uuid(), expectedProposalHead: head, ...values }
        return yield* postRaw(by, proposalPage(proposalId, path), encode(all))
      })
      const answered = { ...accepting, confirmationDigest: yield* confirmAgreement } as Record<string, string>
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
      assert.strictEqual((yield* submit(buyer, { ...form, hidden: headless }, accepting)).status, 400)
      assert.strictEqual((yield* postRaw(buyer, action, encode({ ...unprotected, ...accepting }))).status, 403)
      const elsewhere = { origin: "https://elsewhere.test" }
      const whole = encode({ ...form.hidden, ...accepting })
      assert.strictEqual((yield* postRaw(buyer, action, whole, elsewhere)).status, 403)
      assert.strictEqual((yield* submit(buyer, form, { ...accepting, extra: "1" })).status, 400)
      assert.strictEqual((yield* standing(supplier, proposalId)).state, "PUBLISHED")
    })
  )

  it.effect("keeps what was done, whatever the proposal has become since", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const proposalId = yield* writeOnPages(couple)
      const publishing = yield* openForm(supplier, proposalId, "publish")
      assert.strictEqual((yield* submit(supplier, publishing)).status, 303)
      yield* mustDo(buyer, proposalId, "respond", { ...accepting, action: "DECLINE" })
      assert.strictEqual((yield* submit(supplier, publishing)).status, 303)
      const again = yield* submit(supplier, formAgain(publishing, uuid()))
      assert.strictEqual(again.status, 409)
      assert.include(wordsOn(again), "Dana as the recipient declined the proposal in version 1")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("an answer that was given", (it) => {
  it.effect("stays given, also where the membership that gave it has ended since", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { buyer } = couple
      const kim = yield* signInAnew("Kim")
      const { membershipId } = yield* joinedBy(buyer, kim.organizationId)
      const proposalId = yield* publishOnPages(couple)
      const form = yield* openForm(buyer, proposalId, "respond")
      const chosen = { ...accepting, action: "DECLINE", organizationId: kim.organizationId }
      assert.strictEqual((yield* submit(buyer, form, chosen)).status, 303)
      yield* endMembership("OPERATOR", { membershipId })
      assert.strictEqual((yield* submit(buyer, form, chosen)).status, 303)
      assert.strictEqual((yield* submit(buyer, formAgain(form, uuid()), chosen)).status, 403)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("an acceptance", (it) => {
  it.effect("leaves the recipient with the organization that accepted, and with what they may do there", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const kim = yield* signInAnew("Kim")
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const { personId } = buyer
      const { organizationId } = kim
      yield* createMembership({ personId, organizationId, authorities: ["PROPOSAL_MANAGE"], validUntil })
      const proposalId = yield* publishOnPages(couple)
      const pausing = proposalPage(proposalId, "pause")
      assert.include((yield* readPage(buyer, proposalPage(proposalId))).text, `action="${pausing}"`)
      const after = yield* mustDo(buyer, proposalId, "respond", { ...accepting, organizationId })
      assert.notInclude(after.text, `action="${pausing}"`)
      assert.include((yield* readPage(supplier, proposalPage(proposalId))).text, `action="${pausing}"`)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("withdrawing and pausing", (it) => {
  it.effect("takes a ticked box to withdraw, and ends it for both sides", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      const unticked = yield* doOnPage(supplier, proposalId, "withdraw")
      assert.deepStrictEqual(problemsOn(unticked), [["confirmed", "Tick the box to withdraw the proposal."]])
      const form = yield* openForm(supplier, proposalId, "withdraw")
      for (const _ of [1, 2]) assert.strictEqual((yield* submit(supplier, form, { confirmed: "on" })).status, 303)
      assert.strictEqual((yield* standing(supplier, proposalId)).state, "WITHDRAWN")
      const theirs = wordsOn(yield* readPage(buyer, proposalPage(proposalId)))
      assert.include(theirs, "The author withdrew it; it has ended.")
      assert.include(theirs, "One logo.")
    })
  )

  it.effect("of agents is each side's own, with a reason that both read", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      const pausing = formOn(yield* readPage(buyer, proposalPage(proposalId)), proposalPage(proposalId, "pause"))
      const bare = yield* submit(buyer, pausing, { reason: "" })
      assert.deepStrictEqual([bare.status, problemsOn(bare)], [400, [["reason", "The reason is needed."]]])
      for (const _ of [1, 2]) {
        assert.strictEqual((yield* submit(buyer, pausing, { reason: "Wait <b>" })).status, 303)
      }
      const twice = yield* submit(buyer, formAgain(pausing, uuid()), { reason: "Again" })
      assert.strictEqual(twice.status, 409)
      assert.include(wordsOn(twice), "This side has already paused the proposal.")
      const page = yield* readPage(supplier, proposalPage(proposalId))
      assert.deepStrictEqual(faultsOf(page.text), [])
      assert.include(wordsOn(page), "Paused for the buyer by Dana on")
      assert.include(page.text, "Wait &lt;b>")
      assert.include(wordsOn(yield* readPage(supplier, "/workspace/proposals")), "paused")
      assert.strictEqual((yield* standing(supplier, proposalId)).paused, true)
      const resuming = formOn(yield* readPage(buyer, proposalPage(proposalId)), proposalPage(proposalId, "resume"))
      assert.strictEqual((yield* submit(buyer, resuming, { reason: "Read it." })).status, 303)
      assert.strictEqual((yield* standing(supplier, proposalId)).paused, false)
      const opened = yield* readPage(buyer, proposalPage(proposalId, "pause"))
      assert.deepStrictEqual([opened.status, opened.headers["location"]], [303, proposalPage(proposalId)])
    })
  )

  it.effect("of agents takes the authority to delegate", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier } = couple
      const kim = yield* signInAnew("Kim")
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
      assert.strictEqual((yield* standing(supplier, proposalId)).paused, false)
    })
  )
})
