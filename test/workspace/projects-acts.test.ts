/** What people do on a project, each on its page: what comes of it, what is wrong with it, and who may not. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createMembership } from "../../src/people/memberships.ts"
import { signIn } from "../../src/people/sessions.ts"
import { grantCredits } from "../../src/records/credits.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { problemsOn, readPage, submit } from "../support/page-forms.ts"
import { accepted, agreeing, delivered, locked, see, signingBy } from "../support/person-commands.ts"
import {
  actOnPage,
  eventsOf,
  filled,
  joinedBy,
  mustAct,
  openAct,
  projectPage,
  stateOf,
  wordsOn
} from "../support/project-pages.ts"
import { sha, uuid } from "../support/parties.ts"
import { freshTestService } from "../support/service.ts"
import { signInAnew, type SignedInPerson } from "../support/sessions.ts"

const pair = Effect.gen(function* () {
  return { buyer: yield* signInAnew("Dana"), supplier: yield* signInAnew("Sam") }
})

layer(freshTestService, { excludeTestServices: true })("answering the terms", (it) => {
  it.effect.each([
    ["ACCEPT", "LOCKED"],
    ["REQUEST_CHANGES", "AGREEMENT_CHANGES_REQUESTED"],
    ["DECLINE", "SUPPLIER_DECLINED"]
  ] as const)("%s leads to %s, once however often it is sent", ([action, state]) =>
    Effect.gen(function* () {
      const { buyer, supplier } = yield* pair
      const projectId = yield* agreeing(buyer, supplier)
      const form = yield* openAct(supplier, projectId, "respond")
      for (const _ of [1, 2]) {
        assert.strictEqual((yield* submit(supplier, form, { ...filled.respond, action })).status, 303)
      }
      assert.deepStrictEqual([yield* stateOf(buyer, projectId), yield* eventsOf(buyer, projectId)], [state, 2])
      const other = yield* submit(supplier, form, { ...filled.respond, action, reason: "Something else." })
      assert.strictEqual(other.status, 409)
      assert.include(wordsOn(other), "This request id was used for another request.")
    })
  )

  it.effect("needs an answer, a reason and the ticked box, and keeps what was entered", () =>
    Effect.gen(function* () {
      const { buyer, supplier } = yield* pair
      const projectId = yield* agreeing(buyer, supplier)
      const empty = yield* actOnPage(supplier, projectId, "respond", { reason: " " })
      assert.deepStrictEqual(
        [empty.status, problemsOn(empty)],
        [
          400,
          [
            ["action", "Choose one: the answer."],
            ["reason", "The reason is needed."],
            ["attested", "Tick the box to answer for the supplier."]
          ]
        ]
      )
      const half = yield* actOnPage(supplier, projectId, "respond", { action: "DECLINE", reason: "Too early." })
      assert.match(half.text, /value="DECLINE"[^>]* checked/)
      assert.include(half.text, "Too early.")
      assert.strictEqual(yield* stateOf(buyer, projectId), "AWAITING_SUPPLIER")
    })
  )

  it.effect("shows the exact terms, the effect and its digest, which the answer carries", () =>
    Effect.gen(function* () {
      const { buyer, supplier } = yield* pair
      const projectId = yield* agreeing(buyer, supplier)
      const { project } = yield* see(supplier, projectId)
      const words = wordsOn(yield* readPage(supplier, projectPage(projectId, "respond")))
      for (const said of [
        "One logo.",
        "An SVG.",
        project.agreement.digest,
        project.confirmations.respond.effect,
        project.confirmations.respond.digest
      ]) {
        assert.include(words, said)
      }
      const other = yield* actOnPage(supplier, projectId, "respond", {
        ...filled.respond,
        confirmationDigest: sha
      })
      assert.strictEqual(other.status, 409)
      assert.strictEqual(yield* stateOf(buyer, projectId), "AWAITING_SUPPLIER")
    })
  )

  it.effect("asks for which organization where the person has several", () =>
    Effect.gen(function* () {
      const { buyer, supplier } = yield* pair
      const kim = yield* signInAnew("Kim")
      yield* joinedBy(supplier, kim.organizationId)
      const projectId = yield* agreeing(buyer, supplier)
      const unsaid = yield* actOnPage(supplier, projectId, "respond", filled.respond)
      assert.deepStrictEqual(problemsOn(unsaid), [["organizationId", "Choose one: the organization."]])
      const foreign = { ...filled.respond, organizationId: buyer.organizationId }
      assert.strictEqual((yield* actOnPage(supplier, projectId, "respond", foreign)).status, 400)
      const form = yield* openAct(supplier, projectId, "respond")
      const chosen = { ...filled.respond, organizationId: kim.organizationId }
      for (const _ of [1, 2]) assert.strictEqual((yield* submit(supplier, form, chosen)).status, 303)
      const { project } = yield* see(buyer, projectId)
      assert.strictEqual(project.parties.supplier.organizationId, kim.organizationId)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("signing", (it) => {
  it.effect("here is done by the named persons, with a ticked box and a recent sign-in", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const { buyer, supplier } = people
      const signing = signingBy(buyer, supplier, "NATIVE", yield* now)
      const projectId = yield* locked(people, { signing })
      const { digest } = (yield* see(buyer, projectId)).project.agreement
      const unticked = yield* actOnPage(buyer, projectId, "sign")
      assert.deepStrictEqual(problemsOn(unticked), [["signed", "Tick the box to sign."]])
      assert.include(unticked.text, digest)
      const old = { ...buyer, ...(yield* longAgo(buyer)) }
      const notice = yield* readPage(old, projectPage(projectId, "sign"))
      assert.include(notice.text, "A signature needs a sign-in within the last 15 minutes.")
      assert.include(notice.text, "freshly=on")
      const early = yield* actOnPage(old, projectId, "sign", { signed: "on" })
      assert.strictEqual(early.status, 401)
      assert.include(early.text, "Sign in again")
      const signed = yield* mustAct(buyer, projectId, "sign", { signed: "on" })
      assert.include(wordsOn(signed), "Signed here by Dana")
      assert.include(wordsOn(yield* readPage(buyer, projectPage(projectId, "sign"))), "You cannot do this now")
      const blocked = wordsOn(yield* readPage(supplier, projectPage(projectId)))
      assert.include(blocked, "Deliver: A signature that the agreement asks for is missing")
      assert.include(wordsOn(yield* mustAct(supplier, projectId, "sign", { signed: "on" })), "Signed here by Sam")
      assert.strictEqual((yield* readPage(supplier, projectPage(projectId, "submit"))).status, 200)
      yield* mustAct(supplier, projectId, "submit", filled.submit)
      const withoutSignature = yield* actOnPage(buyer, projectId, "review", filled.review)
      assert.deepStrictEqual(problemsOn(withoutSignature), [["signed", "Tick the box to sign."]])
      const done = yield* mustAct(buyer, projectId, "review", { ...filled.review, signed: "on" })
      assert.include(wordsOn(done), "I sign the acceptance of exactly this submission for the buyer.")
    })
  )

  it.effect("elsewhere is recorded with where it was done", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const { buyer, supplier } = people
      const projectId = yield* locked(people, { signing: signingBy(buyer, supplier, "EXTERNAL", yield* now) })
      const wrong = yield* actOnPage(supplier, projectId, "sign", {
        ...filled.evidence,
        fileDigest: "abc",
        signedAt: "2026-02-30 10:00",
        provider: ""
      })
      assert.deepStrictEqual(problemsOn(wrong), [
        ["provider", "The provider is needed."],
        ["fileDigest", "The SHA-256 has 64 characters out of 0 to 9 and a to f."],
        ["signedAt", "The time looks like 2026-11-21 09:30."]
      ])
      assert.include(wrong.text, "Record the signature</button>")
      const future = { ...filled.evidence, signedAt: "2999-01-01 00:00" }
      const unsigned = yield* actOnPage(supplier, projectId, "sign", future)
      assert.deepStrictEqual(
        [unsigned.status, problemsOn(unsigned)],
        [400, [["signedAt", "This must not lie in the future."]]]
      )
      assert.include(unsigned.text, "case 7")
      const signed = wordsOn(yield* mustAct(supplier, projectId, "sign", filled.evidence))
      for (const said of ["nobody here has verified it", "Pen &amp; Paper", "case 7", sha, "31 January 2026, 09:30"]) {
        assert.include(signed, said)
      }
      yield* mustAct(buyer, projectId, "sign", filled.evidence)
      yield* mustAct(supplier, projectId, "submit", filled.submit)
      yield* mustAct(buyer, projectId, "review", { ...filled.review, ...filled.evidence })
      assert.strictEqual(yield* stateOf(buyer, projectId), "BUYER_CONFIRMED")
    })
  )
})

/** The same person in a session whose sign-in is twenty minutes old. */
const longAgo = Effect.fnUntraced(function* (person: SignedInPerson) {
  const authenticatedAt = addMilliseconds(yield* now, -20 * 60_000)
  return yield* signIn({ ...person.identity, authenticatedAt }, { isInvited: false })
})

layer(freshTestService, { excludeTestServices: true })("delivering and reviewing", (it) => {
  it.effect("goes round until the buyer accepts, and each delivery starts from the one before", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const { buyer, supplier } = people
      const projectId = yield* locked(people)
      const wrong = yield* actOnPage(supplier, projectId, "submit", {
        ...filled.submit,
        summary1: "",
        files1: `logo.svg | folder | 41 | ${sha}\n\nother | folder | many | ${sha}`
      })
      assert.deepStrictEqual(problemsOn(wrong), [["summary1", "What answers criterion 1 is needed."]])
      const lines = yield* actOnPage(supplier, projectId, "submit", { ...filled.submit, files1: "a | b | c | d" })
      assert.deepStrictEqual(problemsOn(lines), [["files1", "Line 1: the size is a whole number of bytes."]])
      const shown = yield* mustAct(supplier, projectId, "submit", { ...filled.submit, references1: "ticket 7\n" })
      for (const said of ["logo.svg", "folder/logo.svg", "41", sha, "ticket 7"]) assert.include(shown.text, said)

      const wordless = yield* actOnPage(buyer, projectId, "review", { ...filled.changes, nextAction: "" })
      assert.deepStrictEqual(problemsOn(wordless), [["nextAction", "Say what the supplier does next."]])
      yield* mustAct(buyer, projectId, "review", filled.changes)
      const again = yield* readPage(supplier, projectPage(projectId, "submit"))
      for (const said of ["Add layers.", "It has no layers.", `logo.svg | folder/logo.svg | 41 | ${sha}`, "ticket 7"]) {
        assert.include(again.text, said)
      }
      yield* mustAct(supplier, projectId, "submit", filled.submit)
      const evidence = { ...filled.changes, action: "REQUEST_EVIDENCE", decision1: "EVIDENCE_NEEDED" }
      yield* mustAct(buyer, projectId, "review", evidence)
      assert.strictEqual(yield* stateOf(buyer, projectId), "AWAITING_EVIDENCE")
      yield* mustAct(supplier, projectId, "submit", filled.submit)
      const unchecked = yield* actOnPage(buyer, projectId, "review", { ...filled.review, checked: [] })
      assert.deepStrictEqual(
        [unchecked.status, problemsOn(unchecked)],
        [409, [["checked", "The checked files are not exactly the files of this submission."]]]
      )
      const form = yield* openAct(buyer, projectId, "review")
      for (const _ of [1, 2]) assert.strictEqual((yield* submit(buyer, form, filled.review)).status, 303)
      assert.deepStrictEqual(
        [yield* stateOf(buyer, projectId), yield* eventsOf(buyer, projectId)],
        ["BUYER_CONFIRMED", 8]
      )
    })
  )

  it.effect.each([
    [{ action: "ACCEPT", decision1: "NOT_MET" }, ["decision1", "To accept, every criterion is met."]],
    [{ action: "REJECT", decision1: "MET" }, ["decision1", "At least one criterion is not met here."]],
    [{ action: "REQUEST_EVIDENCE", decision1: "MET" }, ["decision1", "At least one criterion needs evidence here."]],
    [{ action: "MAYBE" }, ["action", "Choose one: the decision."]],
    [{ decision1: [] }, ["decision1", "Choose one: the decision on criterion 1."]],
    [{ checked: "2-1" }, ["checked", "Choose again: the files."]]
  ] as const)("is not decided with %o", ([change, problem]) =>
    Effect.gen(function* () {
      const people = yield* pair
      const projectId = yield* delivered(people)
      const values = { ...filled.review, nextAction: "More.", ...change }
      const refused = yield* actOnPage(people.buyer, projectId, "review", values)
      assert.deepStrictEqual([refused.status, problemsOn(refused)], [400, [problem]])
      assert.strictEqual(yield* stateOf(people.buyer, projectId), "SUBMITTED")
    })
  )

  it.effect("is offered as far as a membership goes", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const projectId = yield* delivered(people)
      const kim = yield* signInAnew("Kim")
      const { organizationId } = people.buyer
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const some = { personId: kim.personId, organizationId, validUntil }
      yield* createMembership({ ...some, authorities: ["DELIVERY_REVIEW"] })
      const shown = yield* readPage(kim, projectPage(projectId, "review"))
      assert.notInclude(shown.text, 'value="ACCEPT"')
      assert.include(wordsOn(shown), "Accept the delivery: your membership does not carry the authority for it.")
      const forged = yield* actOnPage(kim, projectId, "review", filled.review)
      assert.deepStrictEqual(problemsOn(forged), [["action", "You cannot decide this now: choose another one."]])
      yield* mustAct(kim, projectId, "review", { ...filled.changes, action: "REJECT", nextAction: "" })
      assert.strictEqual(yield* stateOf(people.buyer, projectId), "BUYER_REJECTED")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("after an agreement", (it) => {
  it.effect("another date is asked for, which holds the delivery until a person lifts it", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const { buyer, supplier } = people
      const projectId = yield* locked(people)
      const asked = wordsOn(yield* mustAct(supplier, projectId, "date-revision", filled.reasoned))
      assert.include(asked, "The supplier asked for another date for the delivery.")
      assert.include(asked, "Deliver: Another date was asked for")
      assert.include(wordsOn(yield* readPage(supplier, projectPage(projectId, "submit"))), "You cannot do this now")
      const lifted = wordsOn(yield* mustAct(buyer, projectId, "lift-hold", filled.reasoned))
      assert.include(lifted, "let the delivery go on under the agreed dates")
      yield* mustAct(supplier, projectId, "submit", filled.submit)
      yield* mustAct(buyer, projectId, "date-revision", filled.reasoned)
      assert.strictEqual((yield* see(buyer, projectId)).project.hold.purpose, "REVIEW")
    })
  )

  it.effect("a concern is dismissed by the side that raised it, and upheld by the buyer with a ticked box", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const { buyer, supplier } = people
      const projectId = yield* accepted(people)
      assert.deepStrictEqual(
        problemsOn(yield* actOnPage(supplier, projectId, "concern", { kind: "NONE", reason: "" })),
        [
          ["kind", "Choose one: what is wrong."],
          ["reason", "The reason is needed."]
        ]
      )
      yield* mustAct(supplier, projectId, "concern", filled.concern)
      assert.include(
        wordsOn(yield* readPage(buyer, projectPage(projectId, "dismiss-concern"))),
        "You cannot do this now"
      )
      yield* mustAct(supplier, projectId, "dismiss-concern", filled.reasoned)
      assert.strictEqual(yield* stateOf(buyer, projectId), "BUYER_CONFIRMED")
      yield* mustAct(buyer, projectId, "concern", filled.concern)
      const unticked = yield* actOnPage(buyer, projectId, "uphold-concern", filled.reasoned)
      assert.deepStrictEqual(problemsOn(unticked), [["confirmed", "Tick the box to withdraw the acceptance."]])
      yield* mustAct(buyer, projectId, "uphold-concern", filled.final)
      assert.strictEqual(yield* stateOf(buyer, projectId), "CONFIRMATION_WITHDRAWN")
    })
  )

  it.effect("the acceptance is withdrawn with a ticked box", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const projectId = yield* accepted(people)
      const unticked = yield* actOnPage(people.buyer, projectId, "withdraw-confirmation", filled.reasoned)
      assert.deepStrictEqual(problemsOn(unticked), [["confirmed", "Tick the box to withdraw the acceptance."]])
      const done = yield* mustAct(people.buyer, projectId, "withdraw-confirmation", filled.final)
      assert.include(wordsOn(done), "The acceptance was withdrawn; nobody should rely on it.")
    })
  )

  it.effect("the record waits for a credit, or is issued at once", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const { buyer } = people
      const poor = yield* accepted(people)
      assert.include(wordsOn(yield* readPage(buyer, projectPage(poor, "issue-record"))), "no credit left")
      const waiting = wordsOn(yield* mustAct(buyer, poor, "issue-record", filled.reasoned))
      assert.include(waiting, "It was asked for, and waits for a credit")
      yield* grantCredits({ organizationId: buyer.organizationId, credits: 1, reference: "test" })
      const rich = yield* accepted(people)
      const form = yield* openAct(buyer, rich, "issue-record")
      for (const _ of [1, 2]) assert.strictEqual((yield* submit(buyer, form, filled.reasoned)).status, 303)
      const issued = yield* readPage(buyer, projectPage(rich))
      assert.include(wordsOn(issued), "The record was issued.")
      assert.include(issued.text, `${projectPage(rich)}/shares`)
    })
  )

  it.effect("another member stands for the supplier", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const { buyer, supplier } = people
      const projectId = yield* locked(people)
      const alone = yield* readPage(supplier, projectPage(projectId, "change-representative"))
      assert.include(wordsOn(alone), "Nobody else is a member")
      const kim = yield* signInAnew("<i>Kim</i>")
      yield* joinedBy(kim, supplier.organizationId)
      yield* joinedBy(buyer, supplier.organizationId)
      const values = { reason: "Holidays.", supplierActorId: buyer.personId }
      const same = yield* actOnPage(supplier, projectId, "change-representative", values)
      assert.deepStrictEqual(
        [same.status, problemsOn(same)],
        [409, [["supplierActorId", "Buyer and supplier are different persons."]]]
      )
      const stranger = { ...values, supplierActorId: `person_${uuid()}` }
      assert.strictEqual((yield* actOnPage(supplier, projectId, "change-representative", stranger)).status, 400)
      const other = { ...values, supplierActorId: kim.personId }
      const form = yield* openAct(supplier, projectId, "change-representative")
      for (const _ of [1, 2]) assert.strictEqual((yield* submit(supplier, form, other)).status, 303)
      const done = yield* readPage(supplier, projectPage(projectId))
      assert.match(wordsOn(done), /named &lt;i>Kim&lt;\/i> as representative/)
      assert.include(wordsOn(yield* readPage(supplier, projectPage(projectId))), "This is not yours to do now")
      yield* mustAct(kim, projectId, "submit", filled.submit)
    })
  )
})
