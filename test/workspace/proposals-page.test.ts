/** The pages of a proposal for each party: lists, home page and the proposal's own page. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { removeContact } from "../../src/people/contacts.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { onBehalfOf } from "../../src/people/acting-person.ts"
import { listProposalPage } from "../../src/proposals/person-operations.ts"
import { Proposals, ProposalSides } from "../../src/proposals/store.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { formsOn, readPage, submit } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { uuid } from "../support/parties.ts"
import { addMember, textOn } from "../support/project-pages.ts"
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
import { freshTestService, siteUrl, type Answer } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

const list = "/workspace/proposals"

/** The text of a list without the ids beside each title. */
const listText = (page: Answer): string => textOn(page).replace(/ proposal_[0-9a-f-]{36}/g, "")

layer(freshTestService, { excludeTestServices: true })("lists of proposals", (it) => {
  it.effect("Empty lists of proposals state how to begin.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const page = yield* readPage(dana, list)
      assert.deepStrictEqual([page.status, accessibilityFaults(page.text)], [200, []])
      assert.include(
        textOn(page),
        "No proposal was published to you, and your organizations have written none. Write one, or let an agent write one."
      )
      assert.include(page.text, 'href="/workspace/proposals/new"')
      assert.include(textOn(yield* readPage(dana, "/workspace/proposals/new")), "Add the buyer as a contact")
    })
  )

  it.effect("The lists show each party its own state, version and next action of a proposal.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const draft = yield* writeOnPages(couple, { title: "A draft" })
      const shown = yield* publishOnPages(couple, { title: "A published one" })
      const authors = listText(yield* readPage(supplier, list))
      assert.include(
        authors,
        "A draft waits for you Publish this version, or write a new one. not published 1, none published"
      )
      assert.include(authors, "A published one nothing published 1")
      assert.include(authors, "known as dana")
      const answering = yield* readPage(buyer, list)
      assert.deepStrictEqual(accessibilityFaults(answering.text), [])
      const words = listText(answering)
      assert.include(
        words,
        "A published one waits for you Answer it: accept it, ask for changes, or decline. waits for your answer 1 from Sam"
      )
      assert.notInclude(words, "A draft")
      assert.notInclude(words, "known as")
      assert.notInclude(answering.text, draft)
      const home = textOn(yield* readPage(buyer, "/workspace/"))
      assert.include(
        home,
        "Waiting for you: 1 proposal The most urgent first What Kind What is next Due A published one proposal Answer it"
      )
      assert.notInclude(home, "Nothing waits for you.")
      assert.include(textOn(yield* readPage(supplier, "/workspace/")), "Nothing waits for you.")
      yield* updateOnPages(couple, shown, { title: "A newer one" })
      const writing = listText(yield* readPage(supplier, list))
      assert.include(writing, "not published 2, version 1 published last")
      const waiting = listText(yield* readPage(buyer, list))
      assert.include(waiting, "A published one nothing being revised 1")
      assert.notInclude(waiting, "A newer one")
      assert.include(textOn(yield* readPage(buyer, "/workspace/")), "Nothing waits for you.")
    })
  )

  it.effect("A member without the authority is offered neither a proposal form nor an answer form.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier } = couple
      const kim = yield* signInNewPerson("Kim")
      yield* endMembership("OPERATOR", { membershipId: kim.membershipId })
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const { organizationId } = supplier
      yield* createMembership({ personId: kim.personId, organizationId, authorities: ["TERMS_RESPOND"], validUntil })
      const proposalId = yield* writeOnPages(couple)
      const page = yield* readPage(kim, list)
      assert.include(textOn(page), "nothing: another member may")
      assert.notInclude(page.text, 'href="/workspace/proposals/new"')
      const detail = yield* readPage(kim, proposalPage(proposalId))
      assert.strictEqual(detail.status, 200)
      assert.include(textOn(detail), "You cannot do this: it requires a membership that permits writing")
      assert.include(
        textOn(detail),
        "Pausing or resuming agents requires a membership that permits delegating to agents."
      )
      // The sign-out form is the only form.
      assert.strictEqual(formsOn(detail.text).length, 1)
      for (const path of ["publish", "update", "withdraw", "respond"]) {
        const closed = yield* readPage(kim, proposalPage(proposalId, path))
        assert.deepStrictEqual([closed.status, formsOn(closed.text).length], [200, 1], path)
      }
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("a recipient without an organization", (it) => {
  it.effect("A person without an organization reads for every id that answering requires one.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      const form = yield* openForm(buyer, proposalId, "respond")
      yield* endMembership("OPERATOR", { membershipId: buyer.membershipId })
      const listPage = yield* readPage(buyer, list)
      assert.strictEqual(listPage.status, 200)
      assert.notInclude(textOn(listPage), "No proposal was published to you")
      const pages = yield* Effect.forEach([proposalId, `proposal_${uuid()}`], (id) =>
        Effect.forEach(["", "publish", "update", "withdraw", "respond"], (path) =>
          Effect.map(readPage(buyer, proposalPage(id, path)), ({ status, text }) => ({
            status,
            text: text.replaceAll(id, "")
          }))
        )
      )
      assert.deepStrictEqual(pages[0], pages[1])
      const refused = yield* submit(buyer, form, acceptanceValues)
      assert.deepStrictEqual([refused.status, pages[0]![0]!.status], [403, 403])
      for (const { text } of [listPage, refused, ...pages.flat()]) {
        assert.deepStrictEqual(accessibilityFaults(text), [])
        assert.include(text, "Reading and answering proposals requires one")
        assert.include(text, 'href="/workspace/account">your account')
      }
    })
  )

  it.effect("A recipient with a new membership but without the authority is not asked to answer.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      yield* endMembership("OPERATOR", { membershipId: buyer.membershipId })
      yield* addMember(buyer, (yield* signInNewPerson("Kim")).organizationId, ["TERMS_RESPOND"])
      const page = yield* readPage(buyer, proposalPage(proposalId))
      assert.strictEqual(page.status, 200)
      assert.notInclude(textOn(page), "Answer it: accept it")
      assert.include(textOn(page), "It waits for your party. You cannot do this")
      const words = textOn(yield* readPage(buyer, list))
      assert.notInclude(words, "another member may")
      assert.include(words, "nothing that you may do")
    })
  )
})

/** Inserts copies of the proposal. */
const insertCopies = Effect.fnUntraced(function* (proposalId: string, count: number) {
  const storage = yield* Storage
  const row = (yield* storage.view((reader) => reader.get(Proposals, [proposalId])))!
  const ids = Array.from({ length: count }, () => `proposal_${uuid()}`)
  yield* storage.transaction({ locks: ids.map((id) => exclusive("proposal", id)) }, (transaction) =>
    Effect.forEach(ids, (id) =>
      Effect.gen(function* () {
        yield* transaction.insert(Proposals, { ...row, proposalId: id })
        const side = { party: row.organizationId, proposalId: id, role: "SUPPLIER", at: row.createdAt } as const
        yield* transaction.insert(ProposalSides, side)
      })
    )
  )
})

layer(freshTestService, { excludeTestServices: true })("pages of proposals", (it) => {
  it.effect("The list shows 50 proposals and leads to the older ones, each once.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier } = couple
      const proposalId = yield* writeOnPages(couple)
      yield* insertCopies(proposalId, limits.itemsOnPage - 1)
      const idsOn = (text: string) => text.match(/proposal_[-0-9a-f]{36}(?=")/g) ?? []
      const whole = yield* readPage(supplier, list)
      assert.lengthOf(new Set(idsOn(whole.text)), limits.itemsOnPage)
      assert.notInclude(whole.text, ">Older</a>")
      yield* insertCopies(proposalId, 3)
      const first = yield* readPage(supplier, `${list}?side=SUPPLIER&state=DRAFT`)
      const older = /href="([^"]+)">Older<\/a>/.exec(first.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
      const second = yield* readPage(supplier, older)
      assert.lengthOf(new Set([...idsOn(first.text), ...idsOn(second.text)]), limits.itemsOnPage + 3)
      assert.include(second.text, "state=DRAFT")
      for (const query of ["?side=BUYER", "?state=ACCEPTED"])
        assert.include(textOn(yield* readPage(supplier, list + query)), "Nothing matches.")
      const unknown = yield* readPage(supplier, `${list}?state=LOST&side=NONE`)
      assert.strictEqual(unknown.status, 400)
      assert.include(textOn(unknown), "Choose again: state. Choose again: which.")
    })
  )

  it.effect("A proposal that a colleague changed later is listed once, where it was last.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier } = couple
      const proposalId = yield* writeOnPages(couple)
      const storage = yield* Storage
      const at = addMilliseconds(yield* now, 60_000)
      const kim = yield* signInNewPerson("Kim")
      yield* addMember(kim, supplier.organizationId, ["PROPOSAL_MANAGE"])
      yield* storage.transaction({ locks: [] }, (transaction) =>
        transaction.insert(ProposalSides, { party: kim.personId, proposalId, role: "SUPPLIER", at })
      )
      const by = onBehalfOf(kim.personId)
      const { items, older } = yield* listProposalPage(by, {}, { limit: 1 })
      assert.deepStrictEqual(
        items.map(({ id }) => id),
        [proposalId]
      )
      const later = yield* listProposalPage(by, {}, { limit: 9, after: older ?? { at, id: proposalId } })
      assert.deepStrictEqual(later.items, [])
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("the page of a proposal", (it) => {
  it.effect("The author reads to whom a version is published, and its address for the recipient.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const proposalId = yield* writeOnPages(couple)
      const before = yield* readPage(supplier, proposalPage(proposalId, "publish"))
      assert.deepStrictEqual(accessibilityFaults(before.text), [])
      assert.include(textOn(before), `It is published to Dana ( ${buyer.personId} ), known to you as dana only.`)
      assert.include(textOn(before), "Publish version 1")
      assert.notInclude(textOn(yield* readPage(supplier, proposalPage(proposalId))), "Tell the recipient")
      const after = yield* actOnProposalSuccessfully(supplier, proposalId, "publish")
      assert.deepStrictEqual(accessibilityFaults(after.text), [])
      assert.include(after.text, `${siteUrl}${proposalPage(proposalId)}`)
      assert.include(textOn(after), `Sam for the author published version 1 to Dana ( ${buyer.personId} )`)
      assert.include(textOn(after), "The terms can be accepted.")
      assert.notInclude(textOn(after), "You can: Publish")
    })
  )

  it.effect("The recipient reads only the published version, and no internal data of the author.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const named = { ...couple, contactId: yield* makeContact(supplier, buyer, "the-secret-reference") }
      const proposalId = yield* publishOnPages(named, { recipient: named.contactId, scope: "The first scope." })
      const shown = yield* readPage(buyer, proposalPage(proposalId))
      assert.deepStrictEqual([shown.status, accessibilityFaults(shown.text)], [200, []])
      for (const expected of ["The first scope.", "Supplier", "waits for your answer", "Answer the proposal"]) {
        assert.include(textOn(shown), expected)
      }
      assert.notInclude(shown.text, "the-secret-reference")
      assert.notInclude(textOn(shown), "Tell the recipient")
      assert.notInclude(textOn(shown), "wrote the proposal")
      // The recipient's timeline has no numbers, which would reveal earlier versions.
      assert.notMatch(shown.text, /<li value=|Signed event/)
      yield* updateOnPages(named, proposalId, { scope: "The second scope." })
      const writing = yield* readPage(buyer, proposalPage(proposalId))
      assert.include(textOn(writing), "The author is writing a new version: the one below can no longer be answered.")
      assert.include(textOn(writing), "The first scope.")
      assert.notInclude(textOn(writing), "second scope")
      assert.notInclude(writing.text, proposalPage(proposalId, "respond"))
      const closed = yield* readPage(buyer, proposalPage(proposalId, "respond"))
      assert.include(textOn(closed), "You cannot do this now: The state of the proposal does not permit it.")
      yield* actOnProposalSuccessfully(supplier, proposalId, "publish")
      const next = yield* readPage(buyer, proposalPage(proposalId))
      assert.include(textOn(next), "The second scope.")
    })
  )

  it.effect("Other persons, former recipients included, cannot distinguish a proposal from an unknown id.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const draft = yield* writeOnPages(couple)
      const proposalId = yield* publishOnPages(couple)
      const eve = yield* signInNewPerson("Eve")
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
      // The recipient cannot distinguish an unpublished proposal from an unknown id.
      assert.deepStrictEqual(yield* closedTo(buyer, draft), yield* closedTo(buyer, unknown))
      assert.strictEqual((yield* readPage(eve, proposalPage("anything"))).status, 404)
      const contactId = yield* makeContact(supplier, eve, "eve")
      const form = yield* readPage(buyer, proposalPage(proposalId, "respond"))
      yield* updateOnPages(couple, proposalId, { recipient: contactId, scope: "For Eve." })
      assert.notInclude((yield* readPage(buyer, proposalPage(proposalId))).text, "For Eve.")
      yield* actOnProposalSuccessfully(supplier, proposalId, "publish")
      assert.deepStrictEqual(yield* closedTo(buyer, proposalId), yield* closedTo(buyer, unknown))
      assert.include(textOn(yield* readPage(eve, proposalPage(proposalId))), "For Eve.")
      assert.strictEqual(form.status, 200)
      assert.include(textOn(yield* readPage(buyer, list)), "No proposal was published to you,")
    })
  )

  it.effect("Every member of the author's organization can publish; a colleague of the recipient has no access.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const kim = yield* signInNewPerson("Kim")
      yield* addMember(kim, supplier.organizationId)
      const proposalId = yield* writeOnPages(couple)
      yield* actOnProposalSuccessfully(kim, proposalId, "publish")
      const page = textOn(yield* readPage(supplier, proposalPage(proposalId)))
      assert.include(page, "Kim for the author published version 1")
      // A colleague of the recipient has no access.
      const lee = yield* signInNewPerson("Lee")
      yield* addMember(lee, buyer.organizationId)
      assert.strictEqual((yield* readPage(lee, proposalPage(proposalId))).status, 403)
    })
  )

  it.effect("A publication to a removed contact is refused with its reason and changes nothing.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier } = couple
      const { organizationId } = supplier
      const proposalId = yield* writeOnPages(couple)
      yield* removeContact(supplier, { organizationId, reference: "dana" })
      const refused = yield* actOnProposalPage(supplier, proposalId, "publish")
      assert.deepStrictEqual([refused.status, accessibilityFaults(refused.text)], [409, []])
      assert.include(textOn(refused), "Your organization no longer has a contact with this reference for this person.")
      const { state, events } = yield* readAsAuthor(supplier, proposalId)
      assert.deepStrictEqual([state, events], ["DRAFT", ["CREATE"]])
    })
  )

  it.effect("An accepted proposal links both parties to its agreement.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const proposalId = yield* publishOnPages(couple)
      const after = yield* actOnProposalSuccessfully(buyer, proposalId, "respond", acceptanceValues)
      const { projectId } = yield* readAsAuthor(supplier, proposalId)
      for (const page of [after, yield* readPage(supplier, proposalPage(proposalId))]) {
        assert.include(page.text, `href="/workspace/projects/${projectId}" class="button"`)
        assert.include(textOn(page), "as the recipient accepted the proposal in version 1")
        assert.deepStrictEqual(accessibilityFaults(page.text), [])
      }
      const project = yield* readPage(supplier, `/workspace/projects/${projectId}`)
      for (const expected of [
        "The supplier has not answered the terms yet.",
        "The supplier wrote them, in the proposal that the buyer accepted.",
        "Dana for the buyer accepted the supplier’s proposal, which made the agreement."
      ]) {
        assert.include(textOn(project), expected)
      }
    })
  )
})
