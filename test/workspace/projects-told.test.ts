/** What the pages of a project tell, to whom, and what of a person's text they give back where nothing was done. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createMembership } from "../../src/people/memberships.ts"
import { signIn } from "../../src/people/sessions.ts"
import { grantCredits } from "../../src/records/credits.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { timeText } from "../../src/workspace/parts.ts"
import { formOn, readPage, submit } from "../support/page-forms.ts"
import { faultsOf } from "../support/page-scan.ts"
import { command, makeAgent, readProject, submissionFor, uuid } from "../support/parties.ts"
import { accepted, agreeing, delivered, locked, see, signingBy, type Pair } from "../support/person-commands.ts"
import {
  actOnPage,
  filled,
  formAgain,
  mustAct,
  openAct,
  projectPage,
  stateOf,
  wordsOn
} from "../support/project-pages.ts"
import { handoffOf } from "../support/requests.ts"
import { freshTestService } from "../support/service.ts"
import { signInAnew, type SignedInPerson } from "../support/sessions.ts"

const pair = Effect.gen(function* () {
  return { buyer: yield* signInAnew("Dana"), supplier: yield* signInAnew("Sam") } satisfies Pair
})

/** The same person in a session whose sign-in is twenty minutes old. */
const longAgo = Effect.fnUntraced(function* (person: SignedInPerson) {
  const authenticatedAt = addMilliseconds(yield* now, -20 * 60_000)
  return { ...person, ...(yield* signIn({ ...person.identity, authenticatedAt }, { isInvited: false })) }
})

/** A colleague with these authorities alone. */
const colleague = Effect.fnUntraced(function* (
  name: string,
  { organizationId }: SignedInPerson,
  authorities: Parameters<typeof createMembership>[0]["authorities"]
) {
  const person = yield* signInAnew(name)
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  yield* createMembership({ personId: person.personId, organizationId, authorities, validUntil })
  return person
})

layer(freshTestService, { excludeTestServices: true })("a form on a project that did nothing", (it) => {
  it.effect("gives back what was written where the agents are paused already", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* locked(both)
      const pause = formOn(yield* readPage(both.buyer, projectPage(projectId)), `${projectPage(projectId)}/pause`)
      assert.strictEqual((yield* submit(both.buyer, pause, { reason: "Wait." })).status, 303)
      const twice = yield* submit(both.buyer, formAgain(pause, uuid()), { reason: "Wait longer." })
      assert.deepStrictEqual([twice.status, faultsOf(twice.text)], [409, []])
      assert.include(wordsOn(twice), "This side has already paused the project.")
      assert.include(wordsOn(twice), "Wait longer.")
      assert.include(twice.text, `href="${projectPage(projectId)}"`)
    })
  )

  it.effect("gives back a task whose form was sent with other words before", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* locked(both)
      const form = formOn(yield* readPage(both.buyer, projectPage(projectId)), `${projectPage(projectId)}/tasks`)
      const values = { title: "Photos", instructions: "Ten photos.", due: "" }
      assert.strictEqual((yield* submit(both.buyer, form, values)).status, 200)
      const other = yield* submit(both.buyer, form, { ...values, instructions: "Eleven photos." })
      assert.strictEqual(other.status, 409)
      assert.include(wordsOn(other), "Eleven photos.")
      assert.include(other.text, `href="${projectPage(projectId)}"`)
    })
  )

  it.effect("gives it back after a sign-in that was too old, and says before until when it is good", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* locked(both, { signing: signingBy(buyer, supplier, "NATIVE", yield* now) })
      const goodUntil = addMilliseconds(buyer.identity.authenticatedAt, limits.signingSignIn)
      const signing = yield* readPage(buyer, projectPage(projectId, "sign"))
      assert.include(wordsOn(signing), `good for one until ${timeText(goodUntil)}`)
      for (const by of [buyer, supplier]) yield* mustAct(by, projectId, "sign", { signed: "on" })
      yield* mustAct(supplier, projectId, "submit", filled.submit)
      const written = { ...filled.review, signed: "on", note1: "A long note.", reason: "A long reason." }
      const mayReview = yield* colleague("Kim", buyer, ["DELIVERY_REVIEW"])
      for (const [by, isTold] of [[buyer, true] as const, [mayReview, false] as const]) {
        const review = wordsOn(yield* readPage(by, projectPage(projectId, "review")))
        assert.strictEqual(review.includes("A signature needs a sign-in"), isTold)
      }
      const late = yield* actOnPage(yield* longAgo(buyer), projectId, "review", written)
      assert.deepStrictEqual([late.status, faultsOf(late.text)], [401, []])
      for (const said of ["Sign in again", "A long note.", "A long reason.", "Note on criterion 1"]) {
        assert.include(wordsOn(late), said)
      }
      assert.include(late.text, `freshly=on`)
      assert.strictEqual(yield* stateOf(buyer, projectId), "SUBMITTED")
    })
  )

  it.effect("gives back the evidence of a signature where the project has changed meanwhile", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* locked(both, { signing: signingBy(buyer, supplier, "EXTERNAL", yield* now) })
      const form = yield* openAct(buyer, projectId, "sign")
      yield* mustAct(supplier, projectId, "sign", { ...filled.evidence, signedAt: "2026-01-31 09:30 UTC" })
      const stale = yield* submit(buyer, form, { ...filled.evidence, fileName: "mine.pdf" })
      assert.strictEqual(stale.status, 409)
      for (const said of ["Pen &amp; Paper", "case 7", "mine.pdf", "2026-01-31 09:30"]) {
        assert.include(wordsOn(stale).split("What you had written")[1] ?? "", said)
      }
    })
  )

  it.effect("says why in the words of the refusal, and in no name of a state", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* agreeing(buyer, supplier)
      const respond = yield* openAct(supplier, projectId, "respond")
      yield* mustAct(supplier, projectId, "respond", filled.respond)
      const expectedEventHash = (yield* see(buyer, projectId)).project.headEventHash as string
      const forged = formAgain({ ...respond, hidden: { ...respond.hidden, expectedEventHash } }, uuid())
      const ruledOut = yield* submit(supplier, forged, filled.respond)
      assert.strictEqual(ruledOut.status, 409)
      assert.include(wordsOn(ruledOut), "Answer the terms: Not at this point of the agreement.")
      assert.notInclude(wordsOn(ruledOut), "LOCKED")

      const confirmed = yield* accepted(both)
      const issue = yield* openAct(buyer, confirmed, "issue-record")
      assert.strictEqual((yield* submit(buyer, issue, filled.reasoned)).status, 303)
      const twice = yield* submit(buyer, formAgain(issue, uuid()), { reason: "Once more." })
      assert.strictEqual(twice.status, 409)
      assert.include(wordsOn(twice), "The record of this confirmation was already asked for.")
      assert.include(wordsOn(twice), "Once more.")
    })
  )

  it.effect("signs nothing where the agreement asks for no signature", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* locked(both)
      const form = yield* openAct(both.supplier, projectId, "submit")
      const forged = { ...form, action: projectPage(projectId, "sign") }
      const answer = yield* submit(both.supplier, forged, { signed: "on" })
      assert.strictEqual(answer.status, 403)
      assert.lengthOf((yield* see(both.buyer, projectId)).project.signatures, 0)
    })
  )

  it.effect("tells of no letter because a link says so", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* locked(both)
      const page = yield* readPage(both.buyer, `${projectPage(projectId)}?letter=failed`)
      assert.strictEqual(page.status, 200)
      assert.notInclude(wordsOn(page), "could not be sent")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("a project's page tells", (it) => {
  it.effect("of credits to whoever may see them alone, and that a record waits for one", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* accepted(both)
      const reviewer = yield* colleague("Kim", buyer, ["DELIVERY_REVIEW"])
      const bookkeeper = yield* colleague("Lou", buyer, ["FINANCIAL_READ"])
      const credits = 'href="/workspace/funding">See the credits'
      assert.include((yield* readPage(bookkeeper, projectPage(projectId))).text, credits)
      const unseen = yield* readPage(reviewer, projectPage(projectId))
      assert.notInclude(unseen.text, credits)
      assert.notInclude(wordsOn(unseen), "has no credit left")
      yield* mustAct(buyer, projectId, "issue-record", filled.reasoned)
      const waits = "The record was asked for; it waits for a credit."
      for (const by of [buyer, supplier, reviewer, bookkeeper]) {
        const seesCredits = by === buyer || by === bookkeeper
        for (const address of [projectPage(projectId), "/workspace/projects"]) {
          const page = yield* readPage(by, address)
          assert.include(wordsOn(page), waits)
          assert.strictEqual(page.text.includes(credits), seesCredits, `${address} to ${by.name}`)
        }
      }
    })
  )

  it.effect("who signs by their ids", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* locked(both, { signing: signingBy(buyer, supplier, "NATIVE", yield* now) })
      const signed = wordsOn(yield* mustAct(buyer, projectId, "sign", { signed: "on" }))
      assert.include(signed, `Signed here by Dana ( ${buyer.personId} )`)
      assert.include(signed, `For the buyer: Dana ( ${buyer.personId} )`)
      assert.include(signed, `For the supplier: Sam ( ${supplier.personId} )`)
    })
  )

  it.effect("which agent handed over, and for whom it has acted here", () =>
    Effect.gen(function* () {
      const both = yield* pair
      for (const hasActed of [true, false]) {
        const projectId = yield* locked(both)
        const { token, agentId } = yield* makeAgent(both.supplier, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
        if (hasActed) yield* command(token, projectId, "submit", submissionFor(yield* readProject(token, projectId)))
        const asked = yield* command(token, projectId, "handoff", handoffOf(yield* readProject(token, projectId)))
        assert.strictEqual(asked.status, 200)
        const who = hasActed ? `an agent of Sam ( ${agentId} )` : `an agent ( ${agentId} )`
        const words = wordsOn(yield* readPage(both.buyer, projectPage(projectId)))
        assert.include(words, `Paused for the supplier by ${who} on`)
      }
    })
  )

  it.effect("of sharing where it is possible, else of what is shared", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer } = both
      yield* grantCredits({ organizationId: buyer.organizationId, credits: 2, reference: "test" })
      const reader = yield* colleague("Kim", buyer, ["DELIVERY_REVIEW"])
      const termsPolicy = { purpose: "A logo.", contractBasis: "THIS_AGREEMENT", sharing: "With one." }
      const offer = "Share the record with a named recipient"
      const look = "See with whom it is shared"
      for (const recipients of [["Bank"], []]) {
        const projectId = yield* accepted(both, { termsPolicy: { ...termsPolicy, sharingRecipients: recipients } })
        yield* mustAct(buyer, projectId, "issue-record", filled.reasoned)
        const own = wordsOn(yield* readPage(buyer, projectPage(projectId)))
        assert.include(own, recipients.length === 0 ? look : offer)
        const others = wordsOn(yield* readPage(reader, projectPage(projectId)))
        assert.include(others, look)
        assert.notInclude(others, offer)
        yield* mustAct(buyer, projectId, "withdraw-confirmation", filled.final)
        const withdrawn = wordsOn(yield* readPage(buyer, projectPage(projectId)))
        assert.include(withdrawn, look)
        assert.notInclude(withdrawn, offer)
      }
    })
  )

  it.effect("the buyer who raised a concern what it can do about it", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const projectId = yield* accepted(both)
      const words = wordsOn(yield* mustAct(both.buyer, projectId, "concern", filled.concern))
      assert.include(words, "Resolve your side’s concern: dismiss it if it is settled, or uphold it")
      const upheld = wordsOn(yield* readPage(both.buyer, projectPage(projectId, "uphold-concern")))
      assert.include(upheld, "Your side raised it.")
    })
  )

  it.effect("that only an acceptance takes the evidence of a signature", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* locked(both, { signing: signingBy(buyer, supplier, "EXTERNAL", yield* now) })
      const required = /<input[^>]*name="provider"[^>]*required/
      assert.match((yield* readPage(buyer, projectPage(projectId, "sign"))).text, required)
      for (const by of [buyer, supplier]) yield* mustAct(by, projectId, "sign", filled.evidence)
      yield* mustAct(supplier, projectId, "submit", filled.submit)
      assert.notMatch((yield* readPage(buyer, projectPage(projectId, "review"))).text, required)
      const empty = { provider: "", evidence: "", fileName: "", fileDigest: "", signedAt: "" }
      yield* mustAct(buyer, projectId, "review", { ...filled.changes, ...empty })
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("a list of more projects than are followed", (it) => {
  it.effect("says of the rest that they were not looked at", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const ended = yield* agreeing(both.buyer, both.supplier)
      yield* mustAct(both.supplier, ended, "respond", { ...filled.respond, action: "DECLINE" })
      const oldest = yield* agreeing(both.buyer, both.supplier)
      for (const _ of Array.from({ length: limits.projectsFollowed })) yield* agreeing(both.buyer, both.supplier)
      const { text } = yield* readPage(both.supplier, "/workspace/projects")
      const rowOf = (projectId: string) =>
        text.split("<tr>").find((row) => row.includes(`href="${projectPage(projectId)}"`))
      assert.include(rowOf(oldest), "<td>open it to see</td>")
      assert.include(rowOf(ended), "<td>nothing</td>")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("a delivery that is started from the one before", (it) => {
  it.effect("starts with what stays the same in a form alone", () =>
    Effect.gen(function* () {
      const both = yield* pair
      const { buyer, supplier } = both
      const projectId = yield* delivered(both)
      yield* mustAct(buyer, projectId, "review", filled.changes)
      yield* mustAct(supplier, projectId, "submit", { ...filled.submit, summary: "Turned \u202eround." })
      yield* mustAct(buyer, projectId, "review", filled.changes)
      const page = yield* readPage(supplier, projectPage(projectId, "submit"))
      assert.notInclude(page.text, "\u202e")
      assert.include(page.text, "logo.svg | folder/logo.svg")
      assert.strictEqual(page.text.split("would not stay the same").length, 2)
      assert.deepStrictEqual(faultsOf(page.text), [])
    })
  )
})
