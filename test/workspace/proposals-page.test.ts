/** The pages of a proposal as each side finds them, and nobody else: lists, the start page, the proposal itself. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { removeContact } from "../../src/people/contacts.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { listProposalsAsPerson } from "../../src/proposals/person-operations.ts"
import { Proposals, ProposalSides } from "../../src/proposals/store.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { page } from "../../src/workspace/page.ts"
import { answersTable } from "../../src/workspace/pages/proposals-waiting.ts"
import { formsOn, readPage, submit } from "../support/page-forms.ts"
import { faultsOf } from "../support/page-scan.ts"
import { uuid } from "../support/parties.ts"
import { joinedBy, wordsOn } from "../support/project-pages.ts"
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
import { freshTestService, siteUrl, type Answer } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"

const list = "/workspace/proposals"

/** The words of a list without the ids, which stand beside every title. */
const listed = (page: Answer): string => wordsOn(page).replace(/ proposal_[0-9a-f-]{36}/g, "")

layer(freshTestService, { excludeTestServices: true })("the lists of proposals", (it) => {
  it.effect("are empty at first, and say how to begin", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const page = yield* readPage(dana, list)
      assert.deepStrictEqual([page.status, faultsOf(page.text)], [200, []])
      assert.include(wordsOn(page), "No proposal was published to you.")
      assert.include(wordsOn(page), "Your organizations have written no proposal yet.")
      assert.include(page.text, 'href="/workspace/proposals/new"')
      assert.include(wordsOn(yield* readPage(dana, "/workspace/proposals/new")), "Add the buyer as a contact")
    })
  )

  it.effect(
    "tell each side its own state, its version and what waits for it, and the start page what waits for an answer",
    () =>
      Effect.gen(function* () {
        const couple = yield* makeCouple
        const { supplier, buyer } = couple
        const draft = yield* writeOnPages(couple, { title: "A draft" })
        const shown = yield* publishOnPages(couple, { title: "A published one" })
        const authors = listed(yield* readPage(supplier, list))
        assert.include(
          authors,
          "A draft waits for you Publish this version, or write another one. not published 1, none published"
        )
        assert.include(authors, "A published one nothing published 1")
        assert.include(authors, "known as dana")
        const answering = yield* readPage(buyer, list)
        assert.deepStrictEqual(faultsOf(answering.text), [])
        const words = listed(answering)
        assert.include(
          words,
          "A published one waits for you Answer it: accept it, ask for changes, or decline. waits for your answer 1 Sam"
        )
        assert.notInclude(words, "A draft")
        assert.notInclude(words, "known as")
        assert.notInclude(answering.text, draft)
        const home = wordsOn(yield* readPage(buyer, "/workspace/"))
        assert.include(home, "Proposals that wait for your answer Proposal What is next A published one Answer it")
        assert.notInclude(home, "Nothing waits for you.")
        assert.include(wordsOn(yield* readPage(supplier, "/workspace/")), "Nothing waits for you.")
        yield* updateOnPages(couple, shown, { title: "A newer one" })
        const writing = listed(yield* readPage(supplier, list))
        assert.include(writing, "not published 2, version 1 published last")
        const waiting = listed(yield* readPage(buyer, list))
        assert.include(waiting, "A published one nothing being written anew 1")
        assert.notInclude(waiting, "A newer one")
        assert.include(wordsOn(yield* readPage(buyer, "/workspace/")), "Nothing waits for you.")
      })
  )

  it.effect("offer a member without the authority neither to write nor to answer", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier } = couple
      const kim = yield* signInAnew("Kim")
      yield* endMembership("OPERATOR", { membershipId: kim.membershipId })
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const { organizationId } = supplier
      yield* createMembership({ personId: kim.personId, organizationId, authorities: ["TERMS_RESPOND"], validUntil })
      const proposalId = yield* writeOnPages(couple)
      const page = yield* readPage(kim, list)
      assert.include(wordsOn(page), "nothing: another member may")
      assert.notInclude(page.text, 'href="/workspace/proposals/new"')
      const detail = yield* readPage(kim, proposalPage(proposalId))
      assert.strictEqual(detail.status, 200)
      assert.include(wordsOn(detail), "This is not yours to do: it takes a membership that lets you write")
      assert.include(wordsOn(detail), "To pause or resume them takes a membership that lets agents act.")
      // The only form left is the one that signs out.
      assert.strictEqual(formsOn(detail.text).length, 1)
      for (const path of ["publish", "update", "withdraw", "respond"]) {
        const closed = yield* readPage(kim, proposalPage(proposalId, path))
        assert.deepStrictEqual([closed.status, formsOn(closed.text).length], [200, 1], path)
      }
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("a person without an organization", (it) => {
  it.effect("is told that it takes one, for every id alike, and not that nothing was published", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      const form = yield* openForm(buyer, proposalId, "respond")
      yield* endMembership("OPERATOR", { membershipId: buyer.membershipId })
      const listPage = yield* readPage(buyer, list)
      assert.strictEqual(listPage.status, 200)
      assert.notInclude(wordsOn(listPage), "No proposal was published to you.")
      const pages = yield* Effect.forEach([proposalId, `proposal_${uuid()}`], (id) =>
        Effect.forEach(["", "publish", "update", "withdraw", "respond"], (path) =>
          Effect.map(readPage(buyer, proposalPage(id, path)), ({ status, text }) => ({
            status,
            text: text.replaceAll(id, "")
          }))
        )
      )
      assert.deepStrictEqual(pages[0], pages[1])
      const refused = yield* submit(buyer, form, accepting)
      assert.deepStrictEqual([refused.status, pages[0]![0]!.status], [403, 403])
      for (const { text } of [listPage, refused, ...pages.flat()]) {
        assert.deepStrictEqual(faultsOf(text), [])
        assert.include(text, "it takes one to read and answer proposals")
        assert.include(text, 'href="/workspace/account">your account')
      }
    })
  )

  it.effect("with one again, but without the authority, is not told to answer", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      yield* endMembership("OPERATOR", { membershipId: buyer.membershipId })
      yield* joinedBy(buyer, (yield* signInAnew("Kim")).organizationId, ["TERMS_RESPOND"])
      const page = yield* readPage(buyer, proposalPage(proposalId))
      assert.strictEqual(page.status, 200)
      assert.notInclude(wordsOn(page), "Answer it: accept it")
      assert.include(wordsOn(page), "It waits for your side. This is not yours to do")
      const words = wordsOn(yield* readPage(buyer, list))
      assert.notInclude(words, "another member may")
      assert.include(words, "nothing that you may do")
    })
  )
})

/** So many more of an organization as that one. */
const addLike = Effect.fnUntraced(function* (proposalId: string, count: number) {
  const storage = yield* Storage
  const row = (yield* storage.view((reader) => reader.get(Proposals, [proposalId])))!
  const ids = Array.from({ length: count }, () => `proposal_${uuid()}`)
  yield* storage.transaction({ roots: ids.map((id) => exclusive("proposal", id)) }, (transaction) =>
    Effect.forEach(ids, (id) =>
      Effect.gen(function* () {
        yield* transaction.insert(Proposals, { ...row, proposalId: id })
        const side = { party: row.organizationId, proposalId: id, role: "SUPPLIER", at: row.createdAt } as const
        yield* transaction.insert(ProposalSides, side)
      })
    )
  )
})

layer(freshTestService, { excludeTestServices: true })("a list of proposals that is cut", (it) => {
  it.effect("says so, and not where it is full and no more", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier } = couple
      const proposalId = yield* writeOnPages(couple)
      yield* addLike(proposalId, limits.projectsRead - 1)
      assert.notInclude(wordsOn(yield* readPage(supplier, list)), "Only the newest")
      yield* addLike(proposalId, 1)
      assert.include(wordsOn(yield* readPage(supplier, list)), "Only the newest 1,000 are shown")
    })
  )

  it.effect("shows twenty on the start page, and the way to the rest", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { buyer } = couple
      yield* publishOnPages(couple)
      const [one] = yield* listProposalsAsPerson(buyer)
      const shown = (count: number) =>
        page(
          { title: "Home" },
          answersTable(Array.from({ length: count }, (_, row) => ({ ...one!, title: `Offer ${row}` })))
        )
      assert.include(shown(20), "Offer 19")
      assert.notInclude(shown(20), "Only the newest")
      assert.notInclude(shown(21), "Offer 20")
      assert.include(shown(21), "Only the newest 20 are shown.")
      assert.include(shown(21), `href="${list}"`)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("the page of a proposal", (it) => {
  it.effect("says to the author exactly to whom a version goes, and where the recipient finds it", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const proposalId = yield* writeOnPages(couple)
      const before = yield* readPage(supplier, proposalPage(proposalId, "publish"))
      assert.deepStrictEqual(faultsOf(before.text), [])
      assert.include(
        wordsOn(before),
        `It goes to Dana ( ${buyer.personId} ), known to you as dana , and to nobody else.`
      )
      assert.include(wordsOn(before), "Publish version 1")
      assert.notInclude(wordsOn(yield* readPage(supplier, proposalPage(proposalId))), "Tell the recipient")
      const after = yield* mustDo(supplier, proposalId, "publish")
      assert.deepStrictEqual(faultsOf(after.text), [])
      assert.include(after.text, `${siteUrl}${proposalPage(proposalId)}`)
      assert.include(wordsOn(after), `Sam for the author published version 1 to Dana ( ${buyer.personId} )`)
      assert.include(wordsOn(after), "Nothing in the terms stands in the way.")
      assert.notInclude(wordsOn(after), "You can: Publish")
    })
  )

  it.effect("shows the recipient the version that was published to them, and nothing of the author's own", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const named = { ...couple, contactId: yield* knowing(supplier, buyer, "the-secret-reference") }
      const proposalId = yield* publishOnPages(named, { recipient: named.contactId, scope: "The first scope." })
      const shown = yield* readPage(buyer, proposalPage(proposalId))
      assert.deepStrictEqual([shown.status, faultsOf(shown.text)], [200, []])
      for (const said of ["The first scope.", "Supplier", "waits for your answer", "Answer the proposal"]) {
        assert.include(wordsOn(shown), said)
      }
      assert.notInclude(shown.text, "the-secret-reference")
      assert.notInclude(wordsOn(shown), "Tell the recipient")
      assert.notInclude(wordsOn(shown), "wrote the proposal")
      // What they are shown is counted from one: how often the author wrote before is not told.
      assert.match(shown.text, /<li value="1">/)
      yield* updateOnPages(named, proposalId, { scope: "The second scope." })
      const writing = yield* readPage(buyer, proposalPage(proposalId))
      assert.include(wordsOn(writing), "The author writes another version: the one below can no longer be answered.")
      assert.include(wordsOn(writing), "The first scope.")
      assert.notInclude(wordsOn(writing), "second scope")
      assert.notInclude(writing.text, proposalPage(proposalId, "respond"))
      const closed = yield* readPage(buyer, proposalPage(proposalId, "respond"))
      assert.include(wordsOn(closed), "You cannot do this now: Not at this point of the proposal.")
      yield* mustDo(supplier, proposalId, "publish")
      const next = yield* readPage(buyer, proposalPage(proposalId))
      assert.include(wordsOn(next), "The second scope.")
    })
  )

  it.effect("is closed to everybody else alike, whatever the id, and to who was its recipient", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const draft = yield* writeOnPages(couple)
      const proposalId = yield* publishOnPages(couple)
      const eve = yield* signInAnew("Eve")
      const unknown = `proposal_${uuid()}`
      const paths = ["", "publish", "update", "withdraw", "respond"]
      const closedTo = Effect.fnUntraced(function* (person: typeof eve, id: string) {
        const pages = yield* Effect.forEach(paths, (path) => readPage(person, proposalPage(id, path)))
        return pages.map(({ status, text }) => [status, text.replaceAll(id, "")])
      })
      const nothing = yield* closedTo(eve, unknown)
      assert.deepStrictEqual(
        nothing.map(([status]) => status),
        [403, 403, 403, 403, 403]
      )
      assert.deepStrictEqual(yield* closedTo(eve, proposalId), nothing)
      // Whom it is written for finds nothing before it is published to them.
      assert.deepStrictEqual(yield* closedTo(buyer, draft), yield* closedTo(buyer, unknown))
      assert.strictEqual((yield* readPage(eve, proposalPage("anything"))).status, 404)
      const contactId = yield* knowing(supplier, eve, "eve")
      const form = yield* readPage(buyer, proposalPage(proposalId, "respond"))
      yield* updateOnPages(couple, proposalId, { recipient: contactId, scope: "For Eve." })
      assert.notInclude((yield* readPage(buyer, proposalPage(proposalId))).text, "For Eve.")
      yield* mustDo(supplier, proposalId, "publish")
      assert.deepStrictEqual(yield* closedTo(buyer, proposalId), yield* closedTo(buyer, unknown))
      assert.include(wordsOn(yield* readPage(eve, proposalPage(proposalId))), "For Eve.")
      assert.strictEqual(form.status, 200)
      assert.include(wordsOn(yield* readPage(buyer, list)), "No proposal was published to you.")
    })
  )

  it.effect("is every colleague's of the author, who takes that side, and says who has written what", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const kim = yield* signInAnew("Kim")
      yield* joinedBy(kim, supplier.organizationId)
      const proposalId = yield* writeOnPages(couple)
      yield* mustDo(kim, proposalId, "publish")
      const page = wordsOn(yield* readPage(supplier, proposalPage(proposalId)))
      assert.include(page, "Kim for the author published version 1")
      // A colleague of the recipient is no recipient.
      const lee = yield* signInAnew("Lee")
      yield* joinedBy(lee, buyer.organizationId)
      assert.strictEqual((yield* readPage(lee, proposalPage(proposalId))).status, 403)
    })
  )

  it.effect("tells what keeps it from being accepted, and from being published", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier } = couple
      const { organizationId } = supplier
      const proposalId = yield* writeOnPages(couple)
      yield* removeContact(supplier, { organizationId, reference: "dana" })
      const refused = yield* doOnPage(supplier, proposalId, "publish")
      assert.deepStrictEqual([refused.status, faultsOf(refused.text)], [409, []])
      assert.include(
        wordsOn(refused),
        "The contacts of your organization no longer have this reference for this person."
      )
      const { state, events } = yield* standing(supplier, proposalId)
      assert.deepStrictEqual([state, events], ["DRAFT", ["CREATE"]])
    })
  )

  it.effect("leads both sides to the agreement that an acceptance made", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      const after = yield* mustDo(buyer, proposalId, "respond", accepting)
      const { projectId } = yield* standing(supplier, proposalId)
      for (const page of [after, yield* readPage(supplier, proposalPage(proposalId))]) {
        assert.include(page.text, `href="/workspace/projects/${projectId}" class="button"`)
        assert.include(wordsOn(page), "as the recipient accepted the proposal in version 1")
        assert.deepStrictEqual(faultsOf(page.text), [])
      }
      const project = yield* readPage(supplier, `/workspace/projects/${projectId}`)
      for (const said of [
        "The supplier has not answered the terms yet.",
        "The supplier’s side wrote every word of them, in the proposal that the buyer accepted.",
        "Dana for the buyer accepted the supplier’s proposal, which made the agreement."
      ]) {
        assert.include(wordsOn(project), said)
      }
    })
  )
})
