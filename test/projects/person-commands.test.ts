/** Commands with a person as actor: authorization, idempotency, and the acts reserved for people. */
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
  confirmationCommandBody,
  runToAccepted,
  commandAsPerson,
  createAgreementAsPerson,
  answerOf,
  concernOf,
  dateRevisionOf,
  personCommandBody,
  decisionOf,
  runToDelivered,
  issuanceOf,
  runToLocked,
  materialsOf,
  readProjectAsPerson,
  type Pair
} from "../support/person-commands.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { createdBody, outcome, post, read } from "../support/workspace.ts"

const signInPair = Effect.gen(function* () {
  return { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") } satisfies Pair
})

/** Another member of the same organization. */
const addColleague = Effect.fnUntraced(function* (
  { organizationId }: SignedInPerson,
  granted: ReadonlyArray<Authority> = authorities
) {
  const person = yield* signInNewPerson("Mia")
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  yield* createMembership({ personId: person.personId, organizationId, authorities: granted, validUntil })
  return person
})

const pause = (by: SignedInPerson, projectId: string) =>
  post(by, `/projects/${projectId}/pause`, { requestId: uuid(), reason: "Wait." })

const concern = (by: SignedInPerson, projectId: string) =>
  Effect.flatMap(readProjectAsPerson(by, projectId), (view) =>
    commandAsPerson(by, projectId, "concern", concernOf(view))
  )

const resolve = (by: SignedInPerson, projectId: string, resolution: string) =>
  Effect.flatMap(readProjectAsPerson(by, projectId), (view) =>
    commandAsPerson(by, projectId, "resolve-concern", confirmationCommandBody(view, { resolution }))
  )

const changeRepresentative = (by: SignedInPerson, projectId: string, supplierActorId: string) =>
  Effect.flatMap(readProjectAsPerson(by, projectId), (view) =>
    commandAsPerson(
      by,
      projectId,
      "change-representative",
      personCommandBody(view, { supplierActorId, reason: "Mia goes on." })
    )
  )

layer(freshTestService, { excludeTestServices: true })("an agreement between two people", (it) => {
  it.effect("Two people carry an agreement from its creation to an issuance request that waits for coverage.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const projectId = yield* runToAccepted(pair)
      const view = yield* readProjectAsPerson(pair.buyer, projectId)
      assert.include(view.availableActions, "ISSUE_RESULT_RECORD")
      const waiting = createdBody(yield* commandAsPerson(pair.buyer, projectId, "issue-record", issuanceOf(view)))
      assert.deepInclude(waiting.project.recordIssuance, { status: "PENDING", continuation: "WAITING_COVERAGE" })
      assert.notInclude(waiting.availableActions, "ISSUE_RESULT_RECORD")
      assert.strictEqual(waiting.emailUpdate, "DISABLED")
    })
  )

  it.effect("A record is issued at once when a credit covers it, and no event names an agent.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const { organizationId } = pair.buyer
      yield* grantCredits({ organizationId, credits: 1, reference: "test" })
      const projectId = yield* runToAccepted(pair)
      const view = yield* readProjectAsPerson(pair.buyer, projectId)
      const { project } = createdBody(yield* commandAsPerson(pair.buyer, projectId, "issue-record", issuanceOf(view)))
      assert.strictEqual(project.recordIssuance.status, "ISSUED")
      assert.isTrue(project.events.every((one: any) => one.actor.execution === null))
      assert.strictEqual((yield* readProjectAsPerson(pair.supplier, projectId)).project.nextAction.party, "NONE")
    })
  )

  it.effect("A pause stops neither the commands of people nor the issuance that a person requested.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const { organizationId } = pair.buyer
      yield* grantCredits({ organizationId, credits: 1, reference: "test" })
      const projectId = yield* runToDelivered(pair)
      createdBody(yield* pause(pair.supplier, projectId))
      createdBody(yield* pause(pair.buyer, projectId))
      const view = yield* readProjectAsPerson(pair.buyer, projectId)
      assert.includeMembers(view.availableActions, ["REVIEW_DELIVERY", "CONFIRM_COMPLETION"])
      const done = createdBody(yield* commandAsPerson(pair.buyer, projectId, "review", decisionOf(view, "ACCEPT")))
      const { project } = createdBody(yield* commandAsPerson(pair.buyer, projectId, "issue-record", issuanceOf(done)))
      assert.strictEqual(project.recordIssuance.status, "ISSUED")
    })
  )

  it.effect("A person's request is idempotent, and its request id is refused for another request.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const projectId = yield* runToLocked(pair)
      const body = materialsOf(yield* readProjectAsPerson(pair.supplier, projectId))
      createdBody(yield* commandAsPerson(pair.supplier, projectId, "submit", body))
      const again = createdBody(yield* commandAsPerson(pair.supplier, projectId, "submit", body))
      assert.isTrue(again.replayed)
      assert.isUndefined(again.emailUpdate)
      assert.strictEqual(again.project.events.length, 3)
      const other = { ...body, input: { ...body.input, summary: "Another." } }
      assert.deepStrictEqual(outcome(yield* commandAsPerson(pair.supplier, projectId, "submit", other)), [
        409,
        "REQUEST_ID_CONFLICT"
      ])
    })
  )

  it.effect("Of two concurrent reviews of one submission exactly one is accepted.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const projectId = yield* runToDelivered(pair)
      const colleague = yield* addColleague(pair.buyer)
      const view = yield* readProjectAsPerson(pair.buyer, projectId)
      const answers = yield* Effect.all(
        [
          commandAsPerson(pair.buyer, projectId, "review", decisionOf(view, "ACCEPT")),
          commandAsPerson(colleague, projectId, "review", decisionOf(view, "REJECT"))
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(outcome).map(String).toSorted(), ["200", "409,STALE_EVENT_HEAD"])
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("commands of one person", (it) => {
  it.effect("A person of neither party gets the same 403 for an existing and an unknown project.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const projectId = yield* runToDelivered(pair)
      const outsider = yield* signInNewPerson("Eve")
      const body = decisionOf(yield* readProjectAsPerson(pair.buyer, projectId), "REJECT")
      const answers = yield* Effect.forEach([projectId, `delivery_${uuid()}`], (id) =>
        Effect.all([commandAsPerson(outsider, id, "review", body), read(outsider, `/projects/${id}`)])
      )
      const [known, unknown] = answers.map((each) => each.map(({ status, body }) => ({ status, body })))
      assert.deepStrictEqual(known, unknown)
      assert.deepStrictEqual(outcome(answers[0]![0]), [403, "FORBIDDEN"])
    })
  )

  it.effect("A person needs the authority for an act and cannot perform acts of the other party.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const projectId = yield* runToDelivered(pair)
      const reader = yield* addColleague(pair.buyer, ["DELEGATE"])
      const view = yield* readProjectAsPerson(reader, projectId)
      assert.deepStrictEqual(view.availableActions, [])
      const body = decisionOf(view, "REJECT")
      assert.deepStrictEqual(outcome(yield* commandAsPerson(reader, projectId, "review", body)), [403, "FORBIDDEN"])
      assert.deepStrictEqual(outcome(yield* commandAsPerson(pair.supplier, projectId, "review", body)), [
        403,
        "FORBIDDEN"
      ])
      const accepting = yield* addColleague(pair.buyer, ["DELIVERY_REVIEW"])
      assert.deepStrictEqual(
        outcome(yield* commandAsPerson(accepting, projectId, "review", decisionOf(view, "ACCEPT"))),
        [403, "FORBIDDEN"]
      )
      createdBody(yield* commandAsPerson(accepting, projectId, "review", body))
    })
  )

  it.effect("A member of the supplier's organization can read the project; only the representative can submit.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const projectId = yield* runToLocked(pair)
      const colleague = yield* addColleague(pair.supplier, ["MATERIALS_SUBMIT", "DELEGATE"])
      const body = materialsOf(yield* readProjectAsPerson(colleague, projectId))
      assert.deepStrictEqual(outcome(yield* commandAsPerson(colleague, projectId, "submit", body)), [403, "FORBIDDEN"])
    })
  )

  it.effect("A supplier who is a member of several organizations must name the responding one.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const projectId = yield* createAgreementAsPerson(pair.buyer, pair.supplier)
      const { organizationId } = yield* createOrganization({ name: "Sam & Co" })
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      yield* createMembership({ personId: pair.supplier.personId, organizationId, authorities, validUntil })
      const body = answerOf(yield* readProjectAsPerson(pair.supplier, projectId), pair.supplier)
      assert.deepStrictEqual(outcome(yield* commandAsPerson(pair.supplier, projectId, "respond", body)), [
        400,
        "INVALID_REQUEST"
      ])
      const { project } = createdBody(
        yield* commandAsPerson(pair.supplier, projectId, "respond", { ...body, organizationId })
      )
      assert.strictEqual(project.parties.supplier.organizationId, organizationId)
    })
  )

  it.effect("A response in another person's name is refused with 403.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const projectId = yield* createAgreementAsPerson(pair.buyer, pair.supplier)
      const view = yield* readProjectAsPerson(pair.supplier, projectId)
      const named = answerOf(view, pair.supplier, { actorId: pair.buyer.personId })
      assert.deepStrictEqual(outcome(yield* commandAsPerson(pair.supplier, projectId, "respond", named)), [
        403,
        "FORBIDDEN"
      ])
    })
  )

  it.effect("A command after sign-out is refused with 401.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const projectId = yield* runToDelivered(pair)
      const body = decisionOf(yield* readProjectAsPerson(pair.buyer, projectId), "REJECT")
      yield* post(pair.buyer, "/session/sign-out")
      assert.deepStrictEqual(outcome(yield* commandAsPerson(pair.buyer, projectId, "review", body)), [
        401,
        "SIGN_IN_REQUIRED"
      ])
    })
  )

  it.effect("A person of either party can lift a hold and gives a reason.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const projectId = yield* runToLocked(pair)
      const held = createdBody(
        yield* commandAsPerson(
          pair.supplier,
          projectId,
          "date-revision",
          dateRevisionOf(yield* readProjectAsPerson(pair.supplier, projectId), "DELIVERY")
        )
      )
      assert.deepInclude(held.project.hold, { purpose: "DELIVERY", requestedBy: "SUPPLIER" })
      const submission = materialsOf(held)
      assert.deepStrictEqual(outcome(yield* commandAsPerson(pair.supplier, projectId, "submit", submission)), [
        409,
        "DATE_REVISION_PENDING"
      ])
      const lifted = createdBody(
        yield* commandAsPerson(
          pair.buyer,
          projectId,
          "lift-hold",
          personCommandBody(held, { reason: "Keep the date." })
        )
      )
      assert.isNull(lifted.project.hold)
      createdBody(yield* commandAsPerson(pair.supplier, projectId, "submit", materialsOf(lifted)))
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("a concern", (it) => {
  it.effect("A concern can be dismissed only by the party that raised it.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const projectId = yield* runToAccepted(pair)
      createdBody(yield* concern(pair.supplier, projectId))
      assert.deepStrictEqual(outcome(yield* resolve(pair.buyer, projectId, "DISMISSED")), [403, "FORBIDDEN"])
      assert.notInclude((yield* readProjectAsPerson(pair.buyer, projectId)).availableActions, "DISMISS_CONCERN")
      const { project } = createdBody(yield* resolve(pair.supplier, projectId, "DISMISSED"))
      assert.strictEqual(project.state, "BUYER_CONFIRMED")
    })
  )

  it.effect("The buyer can uphold a concern of either party, and no record can be issued afterwards.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const projectId = yield* runToAccepted(pair)
      createdBody(yield* concern(pair.supplier, projectId))
      assert.deepStrictEqual(outcome(yield* resolve(pair.supplier, projectId, "UPHELD")), [403, "FORBIDDEN"])
      const { project } = createdBody(yield* resolve(pair.buyer, projectId, "UPHELD"))
      assert.strictEqual(project.state, "CONFIRMATION_WITHDRAWN")
      assert.isFalse(project.recordIssuance.ready)
    })
  )

  it.effect("A concern stops an issuance request that waits for coverage.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const projectId = yield* runToAccepted(pair)
      createdBody(
        yield* commandAsPerson(
          pair.buyer,
          projectId,
          "issue-record",
          issuanceOf(yield* readProjectAsPerson(pair.buyer, projectId))
        )
      )
      createdBody(yield* concern(pair.buyer, projectId))
      createdBody(yield* resolve(pair.buyer, projectId, "DISMISSED"))
      const { organizationId } = pair.buyer
      yield* grantCredits({ organizationId, credits: 1, reference: "test" })
      yield* issueRecord(projectId)
      const stopped = yield* readProjectAsPerson(pair.buyer, projectId)
      assert.deepInclude(stopped.project.recordIssuance, { status: "STOPPED", continuation: "NEEDS_REVIEW" })
      const { project } = createdBody(
        yield* commandAsPerson(pair.buyer, projectId, "issue-record", issuanceOf(stopped))
      )
      assert.strictEqual(project.recordIssuance.status, "ISSUED")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("a change of representative", (it) => {
  it.effect("The new representative acts for the supplier, and agents of the former one are refused with 403.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const projectId = yield* runToLocked(pair)
      const { token } = yield* makeAgent(pair.supplier, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
      const mia = yield* addColleague(pair.supplier)
      createdBody(yield* changeRepresentative(pair.supplier, projectId, mia.personId))
      const body = submissionFor(yield* readProject(token, projectId))
      const refused = yield* send("POST", `/api/agents/v1/projects/${projectId}/submit`, { token, body })
      assert.deepStrictEqual(outcome(refused), [403, "FORBIDDEN_AGENT_ACTION"])
      createdBody(
        yield* commandAsPerson(mia, projectId, "submit", materialsOf(yield* readProjectAsPerson(mia, projectId)))
      )
    })
  )

  it.effect("A new representative must be a member of the supplier's organization who never acted for the buyer.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const projectId = yield* runToDelivered(pair)
      const outsider = yield* signInNewPerson("Eve")
      const refused = yield* changeRepresentative(pair.supplier, projectId, outsider.personId)
      assert.deepStrictEqual(outcome(refused), [409, "UNKNOWN_SUPPLIER"])
      const both = yield* addColleague(pair.buyer)
      createdBody(
        yield* commandAsPerson(
          both,
          projectId,
          "review",
          decisionOf(yield* readProjectAsPerson(both, projectId), "REQUEST_CHANGES")
        )
      )
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const { organizationId } = pair.supplier
      yield* createMembership({ personId: both.personId, organizationId, authorities, validUntil })
      const same = yield* changeRepresentative(pair.supplier, projectId, both.personId)
      assert.deepStrictEqual(outcome(same), [409, "SAME_PARTY"])
    })
  )

  it.effect("Only a person with MEMBERS_MANAGE in the supplier's organization can change the representative.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const projectId = yield* runToLocked(pair)
      const mia = yield* addColleague(pair.supplier, ["MATERIALS_SUBMIT"])
      const manager = yield* addColleague(pair.supplier, ["MEMBERS_MANAGE"])
      assert.deepStrictEqual(outcome(yield* changeRepresentative(mia, projectId, mia.personId)), [403, "FORBIDDEN"])
      assert.deepStrictEqual(outcome(yield* changeRepresentative(pair.buyer, projectId, mia.personId)), [
        403,
        "FORBIDDEN"
      ])
      const { project } = createdBody(yield* changeRepresentative(manager, projectId, mia.personId))
      assert.strictEqual(project.parties.supplier.actorId, mia.personId)
    })
  )
})
