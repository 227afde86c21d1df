/** Entered values that refused forms of a project keep, and details that a project's page shows to each party. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createMembership } from "../../src/people/memberships.ts"
import { signIn } from "../../src/people/sessions.ts"
import { grantCredits } from "../../src/records/credits.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { timeText } from "../../src/workspace/kit/parts.ts"
import { formOn, readPage, submit } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { sendCommand, makeAgent, readProject, submissionFor, uuid } from "../support/parties.ts"
import {
  runToAccepted,
  createAgreementAsPerson,
  runToDelivered,
  runToLocked,
  readProjectAsPerson,
  signatureBy,
  type Pair
} from "../support/person-commands.ts"
import {
  actOnPage,
  pageInputs,
  withNewRequestId,
  actSuccessfully,
  openAct,
  projectPage,
  stateOf,
  textOn
} from "../support/project-pages.ts"
import { handoffOf } from "../support/requests.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"

const pair = Effect.gen(function* () {
  return { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") } satisfies Pair
})

/** The same person in a session with a sign-in of twenty minutes ago. */
const outdatedSignIn = Effect.fnUntraced(function* (person: SignedInPerson) {
  const authenticatedAt = addMilliseconds(yield* now, -20 * 60_000)
  return { ...person, ...(yield* signIn({ ...person.identity, authenticatedAt }, { isInvited: false })) }
})

/** A colleague with exactly these authorities. */
const colleague = Effect.fnUntraced(function* (
  name: string,
  { organizationId }: SignedInPerson,
  authorities: Parameters<typeof createMembership>[0]["authorities"]
) {
  const person = yield* signInNewPerson(name)
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  yield* createMembership({ personId: person.personId, organizationId, authorities, validUntil })
  return person
})

layer(freshTestService, { excludeTestServices: true })("refused forms of a project", (it) => {
  it.effect("A pause of a project that is already paused is refused with 409 and keeps the entered reason.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* runToLocked(both)
      const pause = formOn(yield* readPage(both.buyer, projectPage(projectId)), `${projectPage(projectId)}/pause`)
      assert.strictEqual((yield* submit(both.buyer, pause, { reason: "Wait." })).status, 303)
      const twice = yield* submit(both.buyer, withNewRequestId(pause, uuid()), { reason: "Wait longer." })
      assert.deepStrictEqual([twice.status, accessibilityFaults(twice.text)], [409, []])
      assert.include(textOn(twice), "This side has already paused the project.")
      assert.include(textOn(twice), "Wait longer.")
      assert.include(twice.text, `href="${projectPage(projectId)}"`)
    })
  )

  it.effect("A task form that was already submitted with other texts is refused with 409 and keeps its texts.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* runToLocked(both)
      const form = formOn(yield* readPage(both.buyer, projectPage(projectId)), `${projectPage(projectId)}/tasks`)
      const values = { title: "Photos", instructions: "Ten photos.", due: "" }
      assert.strictEqual((yield* submit(both.buyer, form, values)).status, 200)
      const other = yield* submit(both.buyer, form, { ...values, instructions: "Eleven photos." })
      assert.strictEqual(other.status, 409)
      assert.include(textOn(other), "Eleven photos.")
      assert.include(other.text, `href="${projectPage(projectId)}"`)
    })
  )

  it.effect("A review with an outdated sign-in is refused with 401 and keeps its texts.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* runToLocked(both, { signing: signatureBy(buyer, supplier, "NATIVE", yield* now) })
      const goodUntil = addMilliseconds(buyer.identity.authenticatedAt, limits.signingSignIn)
      const signing = yield* readPage(buyer, projectPage(projectId, "sign"))
      assert.include(textOn(signing), `Yours is recent enough until ${timeText(goodUntil)}`)
      for (const by of [buyer, supplier]) yield* actSuccessfully(by, projectId, "sign", { signed: "on" })
      yield* actSuccessfully(supplier, projectId, "submit", pageInputs.submit)
      const written = { ...pageInputs.review, signed: "on", note1: "A long note.", reason: "A long reason." }
      const mayReview = yield* colleague("Kim", buyer, ["DELIVERY_REVIEW"])
      for (const [by, isTold] of [[buyer, true] as const, [mayReview, false] as const]) {
        const review = textOn(yield* readPage(by, projectPage(projectId, "review")))
        assert.strictEqual(review.includes("A signature needs a sign-in"), isTold)
      }
      const late = yield* actOnPage(yield* outdatedSignIn(buyer), projectId, "review", written)
      assert.deepStrictEqual([late.status, accessibilityFaults(late.text)], [401, []])
      for (const expected of ["Sign in again", "A long note.", "A long reason.", "Note on criterion 1"]) {
        assert.include(textOn(late), expected)
      }
      assert.include(late.text, `freshly=on`)
      assert.strictEqual(yield* stateOf(buyer, projectId), "SUBMITTED")
    })
  )

  it.effect("The evidence of a signature is kept when the project has changed.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* runToLocked(both, { signing: signatureBy(buyer, supplier, "EXTERNAL", yield* now) })
      const form = yield* openAct(buyer, projectId, "sign")
      yield* actSuccessfully(supplier, projectId, "sign", { ...pageInputs.evidence, signedAt: "2026-01-31 09:30 UTC" })
      const stale = yield* submit(buyer, form, { ...pageInputs.evidence, fileName: "mine.pdf" })
      assert.strictEqual(stale.status, 409)
      for (const expected of ["Pen &amp; Paper", "case 7", "mine.pdf", "2026-01-31 09:30"]) {
        assert.include(textOn(stale).split("What you had written")[1] ?? "", expected)
      }
    })
  )

  it.effect("A refusal states its reason in plain words and names no state.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* createAgreementAsPerson(buyer, supplier)
      const respond = yield* openAct(supplier, projectId, "respond")
      yield* actSuccessfully(supplier, projectId, "respond", pageInputs.respond)
      const expectedEventHash = (yield* readProjectAsPerson(buyer, projectId)).project.headEventHash as string
      const forged = withNewRequestId({ ...respond, hidden: { ...respond.hidden, expectedEventHash } }, uuid())
      const ruledOut = yield* submit(supplier, forged, pageInputs.respond)
      assert.strictEqual(ruledOut.status, 409)
      assert.include(textOn(ruledOut), "Answer the terms: The state of the agreement does not permit it.")
      assert.notInclude(textOn(ruledOut), "LOCKED")

      const confirmed = yield* runToAccepted(both)
      const issue = yield* openAct(buyer, confirmed, "issue-record")
      assert.strictEqual((yield* submit(buyer, issue, pageInputs.reasoned)).status, 303)
      const twice = yield* submit(buyer, withNewRequestId(issue, uuid()), { reason: "Once more." })
      assert.strictEqual(twice.status, 409)
      assert.include(textOn(twice), "The record of this confirmation was already requested.")
      assert.include(textOn(twice), "Once more.")
    })
  )

  it.effect("A signature on an agreement without signatures is refused with 403.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* runToLocked(both)
      const form = yield* openAct(both.supplier, projectId, "submit")
      const forged = { ...form, action: projectPage(projectId, "sign") }
      const answer = yield* submit(both.supplier, forged, { signed: "on" })
      assert.strictEqual(answer.status, 403)
      assert.lengthOf((yield* readProjectAsPerson(both.buyer, projectId)).project.signatures, 0)
    })
  )

  it.effect("A URL parameter cannot make the page report a failed e-mail.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* runToLocked(both)
      const page = yield* readPage(both.buyer, `${projectPage(projectId)}?email=failed`)
      assert.strictEqual(page.status, 200)
      assert.notInclude(textOn(page), "could not be sent")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("details of a project's page", (it) => {
  it.effect("Credits are shown only to members with the authority; a waiting record is shown to both parties.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* runToAccepted(both)
      const reviewer = yield* colleague("Kim", buyer, ["DELIVERY_REVIEW"])
      const bookkeeper = yield* colleague("Lou", buyer, ["FINANCIAL_READ"])
      const credits = 'href="/workspace/funding">See the credits'
      assert.include((yield* readPage(bookkeeper, projectPage(projectId))).text, credits)
      const unseen = yield* readPage(reviewer, projectPage(projectId))
      assert.notInclude(unseen.text, credits)
      assert.notInclude(textOn(unseen), "has no credit left")
      yield* actSuccessfully(buyer, projectId, "issue-record", pageInputs.reasoned)
      const waits = "The record was requested and waits for a credit."
      for (const by of [buyer, supplier, reviewer, bookkeeper]) {
        const seesCredits = by === buyer || by === bookkeeper
        for (const address of [projectPage(projectId), "/workspace/projects"]) {
          const page = yield* readPage(by, address)
          assert.include(textOn(page), waits)
          assert.strictEqual(page.text.includes(credits), seesCredits, `${address} to ${by.name}`)
        }
      }
    })
  )

  it.effect("A project's page identifies signers by their ids.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* runToLocked(both, { signing: signatureBy(buyer, supplier, "NATIVE", yield* now) })
      const signed = textOn(yield* actSuccessfully(buyer, projectId, "sign", { signed: "on" }))
      assert.include(signed, `Signed here by Dana ( ${buyer.personId} )`)
      assert.include(signed, `For the buyer: Dana ( ${buyer.personId} )`)
      assert.include(signed, `For the supplier: Sam ( ${supplier.personId} )`)
    })
  )

  it.effect("A project's page names the agent that handed off, and its person where the agent has acted.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      for (const hasActed of [true, false]) {
        const projectId = yield* runToLocked(both)
        const { token, agentId } = yield* makeAgent(both.supplier, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
        if (hasActed)
          yield* sendCommand(token, projectId, "submit", submissionFor(yield* readProject(token, projectId)))
        const asked = yield* sendCommand(token, projectId, "handoff", handoffOf(yield* readProject(token, projectId)))
        assert.strictEqual(asked.status, 200)
        const who = hasActed ? `an agent of Sam ( ${agentId} )` : `an agent ( ${agentId} )`
        const words = textOn(yield* readPage(both.buyer, projectPage(projectId)))
        assert.include(words, `Paused for the supplier by ${who} on`)
      }
    })
  )

  it.effect("A project's page offers to share a record where possible, and otherwise links to its shares.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer } = both
      yield* grantCredits({ organizationId: buyer.organizationId, credits: 2, reference: "test" })
      const reader = yield* colleague("Kim", buyer, ["DELIVERY_REVIEW"])
      const termsPolicy = { purpose: "A logo.", contractBasis: "THIS_AGREEMENT", sharing: "With one." }
      const offer = "Share the record with a named recipient"
      const look = "See who it is shared with"
      for (const recipients of [["Bank"], []]) {
        const projectId = yield* runToAccepted(both, {
          termsPolicy: { ...termsPolicy, sharingRecipients: recipients }
        })
        yield* actSuccessfully(buyer, projectId, "issue-record", pageInputs.reasoned)
        const own = textOn(yield* readPage(buyer, projectPage(projectId)))
        assert.include(own, recipients.length === 0 ? look : offer)
        const others = textOn(yield* readPage(reader, projectPage(projectId)))
        assert.include(others, look)
        assert.notInclude(others, offer)
        yield* actSuccessfully(buyer, projectId, "withdraw-confirmation", pageInputs.final)
        const withdrawn = textOn(yield* readPage(buyer, projectPage(projectId)))
        assert.include(withdrawn, look)
        assert.notInclude(withdrawn, offer)
      }
    })
  )

  it.effect("A buyer who raised a concern reads how to resolve it.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* runToAccepted(both)
      const words = textOn(yield* actSuccessfully(both.buyer, projectId, "concern", pageInputs.concern))
      assert.include(words, "Resolve your party’s concern: dismiss it if it is settled, or uphold it")
      const upheld = textOn(yield* readPage(both.buyer, projectPage(projectId, "uphold-concern")))
      assert.include(upheld, "Your party raised it.")
    })
  )

  it.effect("The evidence of a signature is required only for an acceptance.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* runToLocked(both, { signing: signatureBy(buyer, supplier, "EXTERNAL", yield* now) })
      const required = /<input[^>]*name="provider"[^>]*required/
      assert.match((yield* readPage(buyer, projectPage(projectId, "sign"))).text, required)
      for (const by of [buyer, supplier]) yield* actSuccessfully(by, projectId, "sign", pageInputs.evidence)
      yield* actSuccessfully(supplier, projectId, "submit", pageInputs.submit)
      assert.notMatch((yield* readPage(buyer, projectPage(projectId, "review"))).text, required)
      const empty = { provider: "", evidence: "", fileName: "", fileDigest: "", signedAt: "" }
      yield* actSuccessfully(buyer, projectId, "review", { ...pageInputs.changes, ...empty })
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("prefilled deliveries", (it) => {
  it.effect("A delivery form is prefilled only with values that the form represents exactly.", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* runToDelivered(both)
      yield* actSuccessfully(buyer, projectId, "review", pageInputs.changes)
      yield* actSuccessfully(supplier, projectId, "submit", { ...pageInputs.submit, summary: "Turned \u202eround." })
      yield* actSuccessfully(buyer, projectId, "review", pageInputs.changes)
      const page = yield* readPage(supplier, projectPage(projectId, "submit"))
      assert.notInclude(page.text, "\u202e")
      assert.include(page.text, "logo.svg | folder/logo.svg")
      assert.strictEqual(page.text.split("cannot be represented exactly").length, 2)
      assert.deepStrictEqual(accessibilityFaults(page.text), [])
    })
  )
})
