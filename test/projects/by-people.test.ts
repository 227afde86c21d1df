/** The same commands with a person as actor: who may, what stops them, and what only people do. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { authorities, type Authority } from "../../src/people/membership.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { createOrganization } from "../../src/people/operations.ts"
import { grantCredits } from "../../src/records/credits.ts"
import { issueRecord } from "../../src/records/issuance.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { makeAgent, readProject, submissionFor, uuid } from "../support/parties.ts"
import {
  aboutConfirmation,
  accepted,
  act,
  agreeing,
  answerOf,
  concernOf,
  dateRevisionOf,
  decided,
  decisionOf,
  delivered,
  issuanceOf,
  locked,
  materialsOf,
  see,
  type Pair
} from "../support/person-commands.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInAnew, type SignedInPerson } from "../support/sessions.ts"
import { made, outcome, post, read } from "../support/workspace.ts"

const pairOf = Effect.gen(function* () {
  return { buyer: yield* signInAnew("Dana"), supplier: yield* signInAnew("Sam") } satisfies Pair
})

/** Somebody else in that organization. */
const colleagueOf = Effect.fnUntraced(function* (
  { organizationId }: SignedInPerson,
  held: ReadonlyArray<Authority> = authorities
) {
  const person = yield* signInAnew("Mia")
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  yield* createMembership({ personId: person.personId, organizationId, authorities: held, validUntil })
  return person
})

const pause = (by: SignedInPerson, projectId: string) =>
  post(by, `/projects/${projectId}/pause`, { requestId: uuid(), reason: "Wait." })

const concern = (by: SignedInPerson, projectId: string) =>
  Effect.flatMap(see(by, projectId), (view) => act(by, projectId, "concern", concernOf(view)))

const resolve = (by: SignedInPerson, projectId: string, resolution: string) =>
  Effect.flatMap(see(by, projectId), (view) =>
    act(by, projectId, "resolve-concern", aboutConfirmation(view, { resolution }))
  )

const nameAnother = (by: SignedInPerson, projectId: string, supplierActorId: string) =>
  Effect.flatMap(see(by, projectId), (view) =>
    act(by, projectId, "change-representative", decided(view, { supplierActorId, reason: "Mia goes on." }))
  )

layer(freshTestService, { excludeTestServices: true })("two people", (it) => {
  it.effect("carry an agreement from its creation to the issued record", () =>
    Effect.gen(function* () {
      const pair = yield* pairOf
      const projectId = yield* accepted(pair)
      const view = yield* see(pair.buyer, projectId)
      assert.include(view.availableActions, "ISSUE_RESULT_RECORD")
      const waiting = made(yield* act(pair.buyer, projectId, "issue-record", issuanceOf(view)))
      assert.deepInclude(waiting.project.recordIssuance, { status: "PENDING", continuation: "WAITING_COVERAGE" })
      assert.notInclude(waiting.availableActions, "ISSUE_RESULT_RECORD")
      assert.strictEqual(waiting.emailUpdate, "DISABLED")
    })
  )

  it.effect("issue at once where a credit covers it, and no event names an agent", () =>
    Effect.gen(function* () {
      const pair = yield* pairOf
      const { organizationId } = pair.buyer
      yield* grantCredits({ organizationId, credits: 1, reference: "test" })
      const projectId = yield* accepted(pair)
      const view = yield* see(pair.buyer, projectId)
      const { project } = made(yield* act(pair.buyer, projectId, "issue-record", issuanceOf(view)))
      assert.strictEqual(project.recordIssuance.status, "ISSUED")
      assert.isTrue(project.events.every((one: any) => one.actor.execution === null))
      assert.strictEqual((yield* see(pair.supplier, projectId)).project.nextAction.party, "NONE")
    })
  )

  it.effect("are not stopped by a pause, nor is the record that a person asked for", () =>
    Effect.gen(function* () {
      const pair = yield* pairOf
      const { organizationId } = pair.buyer
      yield* grantCredits({ organizationId, credits: 1, reference: "test" })
      const projectId = yield* delivered(pair)
      made(yield* pause(pair.supplier, projectId))
      made(yield* pause(pair.buyer, projectId))
      const view = yield* see(pair.buyer, projectId)
      assert.includeMembers(view.availableActions, ["REVIEW_DELIVERY", "CONFIRM_COMPLETION"])
      const done = made(yield* act(pair.buyer, projectId, "review", decisionOf(view, "ACCEPT")))
      const { project } = made(yield* act(pair.buyer, projectId, "issue-record", issuanceOf(done)))
      assert.strictEqual(project.recordIssuance.status, "ISSUED")
    })
  )

  it.effect("repeat a request without a second effect, and no other under its id", () =>
    Effect.gen(function* () {
      const pair = yield* pairOf
      const projectId = yield* locked(pair)
      const body = materialsOf(yield* see(pair.supplier, projectId))
      made(yield* act(pair.supplier, projectId, "submit", body))
      const again = made(yield* act(pair.supplier, projectId, "submit", body))
      assert.isTrue(again.replayed)
      assert.isUndefined(again.emailUpdate)
      assert.strictEqual(again.project.events.length, 3)
      const other = { ...body, input: { ...body.input, summary: "Another." } }
      assert.deepStrictEqual(outcome(yield* act(pair.supplier, projectId, "submit", other)), [
        409,
        "REQUEST_ID_CONFLICT"
      ])
    })
  )

  it.effect("who decide at once decide once", () =>
    Effect.gen(function* () {
      const pair = yield* pairOf
      const projectId = yield* delivered(pair)
      const colleague = yield* colleagueOf(pair.buyer)
      const view = yield* see(pair.buyer, projectId)
      const answers = yield* Effect.all(
        [
          act(pair.buyer, projectId, "review", decisionOf(view, "ACCEPT")),
          act(colleague, projectId, "review", decisionOf(view, "REJECT"))
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(outcome).map(String).toSorted(), ["200", "409,STALE_EVENT_HEAD"])
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("a person", (it) => {
  it.effect("of neither side learns nothing, of an agreement that exists or not", () =>
    Effect.gen(function* () {
      const pair = yield* pairOf
      const projectId = yield* delivered(pair)
      const stranger = yield* signInAnew("Eve")
      const body = decisionOf(yield* see(pair.buyer, projectId), "REJECT")
      const answers = yield* Effect.forEach([projectId, `delivery_${uuid()}`], (id) =>
        Effect.all([act(stranger, id, "review", body), read(stranger, `/projects/${id}`)])
      )
      const [known, unknown] = answers.map((each) => each.map(({ status, body }) => ({ status, body })))
      assert.deepStrictEqual(known, unknown)
      assert.deepStrictEqual(outcome(answers[0]![0]), [403, "FORBIDDEN"])
    })
  )

  it.effect("of a side needs the authority, and the other side's acts are not theirs", () =>
    Effect.gen(function* () {
      const pair = yield* pairOf
      const projectId = yield* delivered(pair)
      const reader = yield* colleagueOf(pair.buyer, ["DELEGATE"])
      const view = yield* see(reader, projectId)
      assert.deepStrictEqual(view.availableActions, [])
      const body = decisionOf(view, "REJECT")
      assert.deepStrictEqual(outcome(yield* act(reader, projectId, "review", body)), [403, "FORBIDDEN"])
      assert.deepStrictEqual(outcome(yield* act(pair.supplier, projectId, "review", body)), [403, "FORBIDDEN"])
      const accepting = yield* colleagueOf(pair.buyer, ["DELIVERY_REVIEW"])
      assert.deepStrictEqual(outcome(yield* act(accepting, projectId, "review", decisionOf(view, "ACCEPT"))), [
        403,
        "FORBIDDEN"
      ])
      made(yield* act(accepting, projectId, "review", body))
    })
  )

  it.effect("of the supplier's organization looks on; the representative acts", () =>
    Effect.gen(function* () {
      const pair = yield* pairOf
      const projectId = yield* locked(pair)
      const colleague = yield* colleagueOf(pair.supplier, ["MATERIALS_SUBMIT", "DELEGATE"])
      const body = materialsOf(yield* see(colleague, projectId))
      assert.deepStrictEqual(outcome(yield* act(colleague, projectId, "submit", body)), [403, "FORBIDDEN"])
    })
  )

  it.effect("who is a member of several organizations says for which one they answer", () =>
    Effect.gen(function* () {
      const pair = yield* pairOf
      const projectId = yield* agreeing(pair.buyer, pair.supplier)
      const { organizationId } = yield* createOrganization({ name: "Sam & Co" })
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      yield* createMembership({ personId: pair.supplier.personId, organizationId, authorities, validUntil })
      const body = answerOf(yield* see(pair.supplier, projectId), pair.supplier)
      assert.deepStrictEqual(outcome(yield* act(pair.supplier, projectId, "respond", body)), [400, "INVALID_REQUEST"])
      const { project } = made(yield* act(pair.supplier, projectId, "respond", { ...body, organizationId }))
      assert.strictEqual(project.parties.supplier.organizationId, organizationId)
    })
  )

  it.effect("answers in their own name", () =>
    Effect.gen(function* () {
      const pair = yield* pairOf
      const projectId = yield* agreeing(pair.buyer, pair.supplier)
      const view = yield* see(pair.supplier, projectId)
      const named = answerOf(view, pair.supplier, { actorId: pair.buyer.personId })
      assert.deepStrictEqual(outcome(yield* act(pair.supplier, projectId, "respond", named)), [403, "FORBIDDEN"])
    })
  )

  it.effect("who signed out decides nothing more", () =>
    Effect.gen(function* () {
      const pair = yield* pairOf
      const projectId = yield* delivered(pair)
      const body = decisionOf(yield* see(pair.buyer, projectId), "REJECT")
      yield* post(pair.buyer, "/session/sign-out")
      assert.deepStrictEqual(outcome(yield* act(pair.buyer, projectId, "review", body)), [401, "SIGN_IN_REQUIRED"])
    })
  )

  it.effect("of either side lifts a hold with a reason", () =>
    Effect.gen(function* () {
      const pair = yield* pairOf
      const projectId = yield* locked(pair)
      const held = made(
        yield* act(
          pair.supplier,
          projectId,
          "date-revision",
          dateRevisionOf(yield* see(pair.supplier, projectId), "DELIVERY")
        )
      )
      assert.deepInclude(held.project.hold, { purpose: "DELIVERY", requestedBy: "SUPPLIER" })
      const submission = materialsOf(held)
      assert.deepStrictEqual(outcome(yield* act(pair.supplier, projectId, "submit", submission)), [
        409,
        "DATE_REVISION_PENDING"
      ])
      const lifted = made(yield* act(pair.buyer, projectId, "lift-hold", decided(held, { reason: "Keep the date." })))
      assert.isNull(lifted.project.hold)
      made(yield* act(pair.supplier, projectId, "submit", materialsOf(lifted)))
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("a concern", (it) => {
  it.effect("is dismissed by the side that raised it alone", () =>
    Effect.gen(function* () {
      const pair = yield* pairOf
      const projectId = yield* accepted(pair)
      made(yield* concern(pair.supplier, projectId))
      assert.deepStrictEqual(outcome(yield* resolve(pair.buyer, projectId, "DISMISSED")), [403, "FORBIDDEN"])
      assert.notInclude((yield* see(pair.buyer, projectId)).availableActions, "DISMISS_CONCERN")
      const { project } = made(yield* resolve(pair.supplier, projectId, "DISMISSED"))
      assert.strictEqual(project.state, "BUYER_CONFIRMED")
    })
  )

  it.effect("is upheld by the buyer's side, whoever raised it, and then nothing is issued", () =>
    Effect.gen(function* () {
      const pair = yield* pairOf
      const projectId = yield* accepted(pair)
      made(yield* concern(pair.supplier, projectId))
      assert.deepStrictEqual(outcome(yield* resolve(pair.supplier, projectId, "UPHELD")), [403, "FORBIDDEN"])
      const { project } = made(yield* resolve(pair.buyer, projectId, "UPHELD"))
      assert.strictEqual(project.state, "CONFIRMATION_WITHDRAWN")
      assert.isFalse(project.recordIssuance.ready)
    })
  )

  it.effect("stops the wish for a record that waits for coverage", () =>
    Effect.gen(function* () {
      const pair = yield* pairOf
      const projectId = yield* accepted(pair)
      made(yield* act(pair.buyer, projectId, "issue-record", issuanceOf(yield* see(pair.buyer, projectId))))
      made(yield* concern(pair.buyer, projectId))
      made(yield* resolve(pair.buyer, projectId, "DISMISSED"))
      const { organizationId } = pair.buyer
      yield* grantCredits({ organizationId, credits: 1, reference: "test" })
      yield* issueRecord(projectId)
      const stopped = yield* see(pair.buyer, projectId)
      assert.deepInclude(stopped.project.recordIssuance, { status: "STOPPED", continuation: "NEEDS_REVIEW" })
      const { project } = made(yield* act(pair.buyer, projectId, "issue-record", issuanceOf(stopped)))
      assert.strictEqual(project.recordIssuance.status, "ISSUED")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("another representative", (it) => {
  it.effect("goes on for the supplier, and the agents of the former one are refused", () =>
    Effect.gen(function* () {
      const pair = yield* pairOf
      const projectId = yield* locked(pair)
      const { token } = yield* makeAgent(pair.supplier, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
      const mia = yield* colleagueOf(pair.supplier)
      made(yield* nameAnother(pair.supplier, projectId, mia.personId))
      const body = submissionFor(yield* readProject(token, projectId))
      const refused = yield* send("POST", `/api/agents/v1/projects/${projectId}/submit`, { token, body })
      assert.deepStrictEqual(outcome(refused), [403, "FORBIDDEN_AGENT_ACTION"])
      made(yield* act(mia, projectId, "submit", materialsOf(yield* see(mia, projectId))))
    })
  )

  it.effect("is a member of the supplier's organization who never acted for the buyer", () =>
    Effect.gen(function* () {
      const pair = yield* pairOf
      const projectId = yield* delivered(pair)
      const stranger = yield* signInAnew("Eve")
      const refused = yield* nameAnother(pair.supplier, projectId, stranger.personId)
      assert.deepStrictEqual(outcome(refused), [409, "UNKNOWN_SUPPLIER"])
      const both = yield* colleagueOf(pair.buyer)
      made(yield* act(both, projectId, "review", decisionOf(yield* see(both, projectId), "REQUEST_CHANGES")))
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const { organizationId } = pair.supplier
      yield* createMembership({ personId: both.personId, organizationId, authorities, validUntil })
      const same = yield* nameAnother(pair.supplier, projectId, both.personId)
      assert.deepStrictEqual(outcome(same), [409, "SAME_PARTY"])
    })
  )

  it.effect("is named by whoever manages the supplier's members", () =>
    Effect.gen(function* () {
      const pair = yield* pairOf
      const projectId = yield* locked(pair)
      const mia = yield* colleagueOf(pair.supplier, ["MATERIALS_SUBMIT"])
      const manager = yield* colleagueOf(pair.supplier, ["MEMBERS_MANAGE"])
      assert.deepStrictEqual(outcome(yield* nameAnother(mia, projectId, mia.personId)), [403, "FORBIDDEN"])
      assert.deepStrictEqual(outcome(yield* nameAnother(pair.buyer, projectId, mia.personId)), [403, "FORBIDDEN"])
      const { project } = made(yield* nameAnother(manager, projectId, mia.personId))
      assert.strictEqual(project.parties.supplier.actorId, mia.personId)
    })
  )
})
