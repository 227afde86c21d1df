/** Commands of people on a project: results, problems and refusals. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createMembership } from "../../src/people/memberships.ts"
import { signIn } from "../../src/people/sessions.ts"
import { grantCredits } from "../../src/records/credits.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { problemsOn, readPage, submit } from "../support/page-forms.ts"
import {
  runToAccepted,
  createAgreementAsPerson,
  runToDelivered,
  runToLocked,
  readProjectAsPerson,
  signatureBy
} from "../support/person-commands.ts"
import {
  actOnPage,
  eventsOf,
  pageInputs,
  addMember,
  actSuccessfully,
  openAct,
  projectPage,
  stateOf,
  textOn
} from "../support/project-pages.ts"
import { sha, uuid } from "../support/parties.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"

const pair = Effect.gen(function* () {
  return { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") }
})

layer(freshTestService, { excludeTestServices: true })("answers to terms", (it) => {
  it.effect.each([
    ["ACCEPT", "LOCKED"],
    ["REQUEST_CHANGES", "AGREEMENT_CHANGES_REQUESTED"],
    ["DECLINE", "SUPPLIER_DECLINED"]
  ] as const)("The answer %s leads to the state %s, and its form is idempotent.", ([action, state]) =>
    Effect.gen(function* () {
      const { buyer, supplier } = yield* pair
      const projectId = yield* createAgreementAsPerson(buyer, supplier)
      const form = yield* openAct(supplier, projectId, "respond")
      for (const _ of [1, 2]) {
        assert.strictEqual((yield* submit(supplier, form, { ...pageInputs.respond, action })).status, 303)
      }
      assert.deepStrictEqual([yield* stateOf(buyer, projectId), yield* eventsOf(buyer, projectId)], [state, 2])
      const other = yield* submit(supplier, form, { ...pageInputs.respond, action, reason: "Something else." })
      assert.strictEqual(other.status, 409)
      assert.include(textOn(other), "The requestId was used for another request; use a new one.")
    })
  )

  it.effect("An answer to the terms requires a decision, a reason and the ticked box, and keeps its values.", () =>
    Effect.gen(function* () {
      const { buyer, supplier } = yield* pair
      const projectId = yield* createAgreementAsPerson(buyer, supplier)
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

  it.effect("The answer form shows the exact terms, the effect of the answer and the digest that it confirms.", () =>
    Effect.gen(function* () {
      const { buyer, supplier } = yield* pair
      const projectId = yield* createAgreementAsPerson(buyer, supplier)
      const { project } = yield* readProjectAsPerson(supplier, projectId)
      const words = textOn(yield* readPage(supplier, projectPage(projectId, "respond")))
      for (const expected of [
        "One logo.",
        "An SVG.",
        project.agreement.digest,
        project.confirmations.respond.effect,
        project.confirmations.respond.digest
      ]) {
        assert.include(words, expected)
      }
      const other = yield* actOnPage(supplier, projectId, "respond", {
        ...pageInputs.respond,
        confirmationDigest: sha
      })
      assert.strictEqual(other.status, 409)
      assert.strictEqual(yield* stateOf(buyer, projectId), "AWAITING_SUPPLIER")
    })
  )

  it.effect("An answer to the terms requires an organization when the person has several.", () =>
    Effect.gen(function* () {
      const { buyer, supplier } = yield* pair
      const kim = yield* signInNewPerson("Kim")
      yield* addMember(supplier, kim.organizationId)
      const projectId = yield* createAgreementAsPerson(buyer, supplier)
      const incomplete = yield* actOnPage(supplier, projectId, "respond", pageInputs.respond)
      assert.deepStrictEqual(problemsOn(incomplete), [["organizationId", "Choose one: the organization."]])
      const foreign = { ...pageInputs.respond, organizationId: buyer.organizationId }
      assert.strictEqual((yield* actOnPage(supplier, projectId, "respond", foreign)).status, 400)
      const form = yield* openAct(supplier, projectId, "respond")
      const chosen = { ...pageInputs.respond, organizationId: kim.organizationId }
      for (const _ of [1, 2]) assert.strictEqual((yield* submit(supplier, form, chosen)).status, 303)
      const { project } = yield* readProjectAsPerson(buyer, projectId)
      assert.strictEqual(project.parties.supplier.organizationId, kim.organizationId)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("signatures", (it) => {
  it.effect("A native signature requires the named person, the ticked box and a recent sign-in.", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const { buyer, supplier } = people
      const signing = signatureBy(buyer, supplier, "NATIVE", yield* now)
      const projectId = yield* runToLocked(people, { signing })
      const { digest } = (yield* readProjectAsPerson(buyer, projectId)).project.agreement
      const unticked = yield* actOnPage(buyer, projectId, "sign")
      assert.deepStrictEqual(problemsOn(unticked), [["signed", "Tick the box to sign."]])
      assert.include(unticked.text, digest)
      const old = { ...buyer, ...(yield* outdatedSignIn(buyer)) }
      const notice = yield* readPage(old, projectPage(projectId, "sign"))
      assert.include(notice.text, "A signature needs a sign-in within the last 15 minutes.")
      assert.include(notice.text, "freshly=on")
      const early = yield* actOnPage(old, projectId, "sign", { signed: "on" })
      assert.strictEqual(early.status, 401)
      assert.include(early.text, "Sign in again")
      const signed = yield* actSuccessfully(buyer, projectId, "sign", { signed: "on" })
      assert.include(textOn(signed), "Signed here by Dana")
      assert.include(textOn(yield* readPage(buyer, projectPage(projectId, "sign"))), "You cannot do this now")
      const blocked = textOn(yield* readPage(supplier, projectPage(projectId)))
      assert.include(blocked, "Deliver: A required signature is missing")
      assert.include(
        textOn(yield* actSuccessfully(supplier, projectId, "sign", { signed: "on" })),
        "Signed here by Sam"
      )
      assert.strictEqual((yield* readPage(supplier, projectPage(projectId, "submit"))).status, 200)
      yield* actSuccessfully(supplier, projectId, "submit", pageInputs.submit)
      const withoutSignature = yield* actOnPage(buyer, projectId, "review", pageInputs.review)
      assert.deepStrictEqual(problemsOn(withoutSignature), [["signed", "Tick the box to sign."]])
      const done = yield* actSuccessfully(buyer, projectId, "review", { ...pageInputs.review, signed: "on" })
      assert.include(textOn(done), "I sign the acceptance of exactly this submission for the buyer.")
    })
  )

  it.effect("An external signature is recorded with its evidence.", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const { buyer, supplier } = people
      const projectId = yield* runToLocked(people, { signing: signatureBy(buyer, supplier, "EXTERNAL", yield* now) })
      const wrong = yield* actOnPage(supplier, projectId, "sign", {
        ...pageInputs.evidence,
        fileDigest: "abc",
        signedAt: "2026-02-30 10:00",
        provider: ""
      })
      assert.deepStrictEqual(problemsOn(wrong), [
        ["provider", "The provider is needed."],
        ["fileDigest", "The SHA-256 has 64 hexadecimal characters."],
        ["signedAt", "The time looks like 2026-11-21 09:30."]
      ])
      assert.include(wrong.text, "Record the signature</button>")
      const future = { ...pageInputs.evidence, signedAt: "2999-01-01 00:00" }
      const unsigned = yield* actOnPage(supplier, projectId, "sign", future)
      assert.deepStrictEqual(
        [unsigned.status, problemsOn(unsigned)],
        [400, [["signedAt", "This must not lie in the future."]]]
      )
      assert.include(unsigned.text, "case 7")
      const signed = textOn(yield* actSuccessfully(supplier, projectId, "sign", pageInputs.evidence))
      for (const expected of [
        "this service has not verified the signature",
        "Pen &amp; Paper",
        "case 7",
        sha,
        "31 January 2026, 09:30"
      ]) {
        assert.include(signed, expected)
      }
      yield* actSuccessfully(buyer, projectId, "sign", pageInputs.evidence)
      yield* actSuccessfully(supplier, projectId, "submit", pageInputs.submit)
      yield* actSuccessfully(buyer, projectId, "review", { ...pageInputs.review, ...pageInputs.evidence })
      assert.strictEqual(yield* stateOf(buyer, projectId), "BUYER_CONFIRMED")
    })
  )
})

/** The same person in a session with a sign-in of twenty minutes ago. */
const outdatedSignIn = Effect.fnUntraced(function* (person: SignedInPerson) {
  const authenticatedAt = addMilliseconds(yield* now, -20 * 60_000)
  return yield* signIn({ ...person.identity, authenticatedAt }, { isInvited: false })
})

layer(freshTestService, { excludeTestServices: true })("deliveries and reviews", (it) => {
  it.effect("Deliveries repeat until the buyer accepts, each prefilled from the previous one.", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const { buyer, supplier } = people
      const projectId = yield* runToLocked(people)
      const wrong = yield* actOnPage(supplier, projectId, "submit", {
        ...pageInputs.submit,
        summary1: "",
        files1: `logo.svg | folder | 41 | ${sha}\n\nother | folder | many | ${sha}`
      })
      assert.deepStrictEqual(problemsOn(wrong), [["summary1", "What answers criterion 1 is needed."]])
      const lines = yield* actOnPage(supplier, projectId, "submit", { ...pageInputs.submit, files1: "a | b | c | d" })
      assert.deepStrictEqual(problemsOn(lines), [["files1", "Line 1: the size is a whole number of bytes."]])
      const shown = yield* actSuccessfully(supplier, projectId, "submit", {
        ...pageInputs.submit,
        references1: "ticket 7\n"
      })
      for (const text of ["logo.svg", "folder/logo.svg", "41", sha, "ticket 7"]) assert.include(shown.text, text)

      const wordless = yield* actOnPage(buyer, projectId, "review", { ...pageInputs.changes, nextAction: "" })
      assert.deepStrictEqual(problemsOn(wordless), [["nextAction", "State what the supplier does next."]])
      yield* actSuccessfully(buyer, projectId, "review", pageInputs.changes)
      const again = yield* readPage(supplier, projectPage(projectId, "submit"))
      for (const text of ["Add layers.", "It has no layers.", `logo.svg | folder/logo.svg | 41 | ${sha}`, "ticket 7"]) {
        assert.include(again.text, text)
      }
      yield* actSuccessfully(supplier, projectId, "submit", pageInputs.submit)
      const evidence = { ...pageInputs.changes, action: "REQUEST_EVIDENCE", decision1: "EVIDENCE_NEEDED" }
      yield* actSuccessfully(buyer, projectId, "review", evidence)
      assert.strictEqual(yield* stateOf(buyer, projectId), "AWAITING_EVIDENCE")
      yield* actSuccessfully(supplier, projectId, "submit", pageInputs.submit)
      const unchecked = yield* actOnPage(buyer, projectId, "review", { ...pageInputs.review, checked: [] })
      assert.deepStrictEqual(
        [unchecked.status, problemsOn(unchecked)],
        [409, [["checked", "The checked files must be exactly the files of this submission; read the project again."]]]
      )
      const form = yield* openAct(buyer, projectId, "review")
      for (const _ of [1, 2]) assert.strictEqual((yield* submit(buyer, form, pageInputs.review)).status, 303)
      assert.deepStrictEqual(
        [yield* stateOf(buyer, projectId), yield* eventsOf(buyer, projectId)],
        ["BUYER_CONFIRMED", 8]
      )
    })
  )

  it.effect.each([
    [{ action: "ACCEPT", decision1: "NOT_MET" }, ["decision1", "To accept, every criterion must be met."]],
    [
      { action: "REJECT", decision1: "MET" },
      ["decision1", "For this decision, at least one criterion must be not met."]
    ],
    [
      { action: "REQUEST_EVIDENCE", decision1: "MET" },
      ["decision1", "For this decision, at least one criterion must need evidence."]
    ],
    [{ action: "MAYBE" }, ["action", "Choose one: the decision."]],
    [{ decision1: [] }, ["decision1", "Choose one: the decision on criterion 1."]],
    [{ checked: "2-1" }, ["checked", "Choose again: the files."]]
  ] as const)("A review with %o is refused at its field.", ([change, problem]) =>
    Effect.gen(function* () {
      const people = yield* pair
      const projectId = yield* runToDelivered(people)
      const values = { ...pageInputs.review, nextAction: "More.", ...change }
      const refused = yield* actOnPage(people.buyer, projectId, "review", values)
      assert.deepStrictEqual([refused.status, problemsOn(refused)], [400, [problem]])
      assert.strictEqual(yield* stateOf(people.buyer, projectId), "SUBMITTED")
    })
  )

  it.effect("A review offers only the decisions that the membership permits.", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const projectId = yield* runToDelivered(people)
      const kim = yield* signInNewPerson("Kim")
      const { organizationId } = people.buyer
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const some = { personId: kim.personId, organizationId, validUntil }
      yield* createMembership({ ...some, authorities: ["DELIVERY_REVIEW"] })
      const shown = yield* readPage(kim, projectPage(projectId, "review"))
      assert.notInclude(shown.text, 'value="ACCEPT"')
      assert.include(textOn(shown), "Accept the delivery: your membership does not include the authority for it.")
      const forged = yield* actOnPage(kim, projectId, "review", pageInputs.review)
      assert.deepStrictEqual(problemsOn(forged), [
        ["action", "This decision is not available now: choose another one."]
      ])
      yield* actSuccessfully(kim, projectId, "review", { ...pageInputs.changes, action: "REJECT", nextAction: "" })
      assert.strictEqual(yield* stateOf(people.buyer, projectId), "BUYER_REJECTED")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("commands on a locked agreement", (it) => {
  it.effect("A request for another date holds the delivery until a person lifts the hold.", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const { buyer, supplier } = people
      const projectId = yield* runToLocked(people)
      const asked = textOn(yield* actSuccessfully(supplier, projectId, "date-revision", pageInputs.reasoned))
      assert.include(asked, "The supplier requested another date for the delivery.")
      assert.include(asked, "Deliver: Another date was requested")
      assert.include(textOn(yield* readPage(supplier, projectPage(projectId, "submit"))), "You cannot do this now")
      const lifted = textOn(yield* actSuccessfully(buyer, projectId, "lift-hold", pageInputs.reasoned))
      assert.include(lifted, "resumed the delivery under the agreed dates")
      yield* actSuccessfully(supplier, projectId, "submit", pageInputs.submit)
      yield* actSuccessfully(buyer, projectId, "date-revision", pageInputs.reasoned)
      assert.strictEqual((yield* readProjectAsPerson(buyer, projectId)).project.hold.purpose, "REVIEW")
    })
  )

  it.effect("A concern is dismissed by the party that raised it and upheld by the buyer after a confirmation.", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const { buyer, supplier } = people
      const projectId = yield* runToAccepted(people)
      assert.deepStrictEqual(
        problemsOn(yield* actOnPage(supplier, projectId, "concern", { kind: "NONE", reason: "" })),
        [
          ["kind", "Choose one: what is wrong."],
          ["reason", "The reason is needed."]
        ]
      )
      yield* actSuccessfully(supplier, projectId, "concern", pageInputs.concern)
      assert.include(
        textOn(yield* readPage(buyer, projectPage(projectId, "dismiss-concern"))),
        "You cannot do this now"
      )
      yield* actSuccessfully(supplier, projectId, "dismiss-concern", pageInputs.reasoned)
      assert.strictEqual(yield* stateOf(buyer, projectId), "BUYER_CONFIRMED")
      yield* actSuccessfully(buyer, projectId, "concern", pageInputs.concern)
      const unticked = yield* actOnPage(buyer, projectId, "uphold-concern", pageInputs.reasoned)
      assert.deepStrictEqual(problemsOn(unticked), [["confirmed", "Tick the box to withdraw the acceptance."]])
      yield* actSuccessfully(buyer, projectId, "uphold-concern", pageInputs.final)
      assert.strictEqual(yield* stateOf(buyer, projectId), "CONFIRMATION_WITHDRAWN")
    })
  )

  it.effect("An acceptance is withdrawn after a confirmation.", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const projectId = yield* runToAccepted(people)
      const unticked = yield* actOnPage(people.buyer, projectId, "withdraw-confirmation", pageInputs.reasoned)
      assert.deepStrictEqual(problemsOn(unticked), [["confirmed", "Tick the box to withdraw the acceptance."]])
      const done = yield* actSuccessfully(people.buyer, projectId, "withdraw-confirmation", pageInputs.final)
      assert.include(textOn(done), "The acceptance was withdrawn and must not be relied on.")
    })
  )

  it.effect("A requested record waits for a credit, or is issued immediately where there is one.", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const { buyer } = people
      const poor = yield* runToAccepted(people)
      assert.include(textOn(yield* readPage(buyer, projectPage(poor, "issue-record"))), "no credit left")
      const waiting = textOn(yield* actSuccessfully(buyer, poor, "issue-record", pageInputs.reasoned))
      assert.include(waiting, "Its issuance was requested and waits for a credit")
      yield* grantCredits({ organizationId: buyer.organizationId, credits: 1, reference: "test" })
      const rich = yield* runToAccepted(people)
      const form = yield* openAct(buyer, rich, "issue-record")
      for (const _ of [1, 2]) assert.strictEqual((yield* submit(buyer, form, pageInputs.reasoned)).status, 303)
      const issued = yield* readPage(buyer, projectPage(rich))
      assert.include(textOn(issued), "The record was issued.")
      assert.include(issued.text, `${projectPage(rich)}/shares`)
    })
  )

  it.effect("The supplier's representative is changed to another member.", () =>
    Effect.gen(function* () {
      const people = yield* pair
      const { buyer, supplier } = people
      const projectId = yield* runToLocked(people)
      const alone = yield* readPage(supplier, projectPage(projectId, "change-representative"))
      assert.include(textOn(alone), "The supplier’s organization has no other member")
      const kim = yield* signInNewPerson("<i>Kim</i>")
      yield* addMember(kim, supplier.organizationId)
      yield* addMember(buyer, supplier.organizationId)
      const values = { reason: "Holidays.", supplierActorId: buyer.personId }
      const same = yield* actOnPage(supplier, projectId, "change-representative", values)
      assert.deepStrictEqual(
        [same.status, problemsOn(same)],
        [409, [["supplierActorId", "Buyer and supplier must be different persons; name another person."]]]
      )
      const unknownPerson = { ...values, supplierActorId: `person_${uuid()}` }
      assert.strictEqual((yield* actOnPage(supplier, projectId, "change-representative", unknownPerson)).status, 400)
      const other = { ...values, supplierActorId: kim.personId }
      const form = yield* openAct(supplier, projectId, "change-representative")
      for (const _ of [1, 2]) assert.strictEqual((yield* submit(supplier, form, other)).status, 303)
      const done = yield* readPage(supplier, projectPage(projectId))
      assert.match(textOn(done), /named &lt;i>Kim&lt;\/i> as representative/)
      assert.include(textOn(yield* readPage(supplier, projectPage(projectId))), "You cannot take this step")
      yield* actSuccessfully(kim, projectId, "submit", pageInputs.submit)
    })
  )
})
