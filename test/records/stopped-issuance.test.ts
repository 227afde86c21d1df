import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { endMembership } from "../../src/people/memberships.ts"
import { endSession } from "../../src/people/sessions.ts"
import { issueRecord } from "../../src/records/issuance.ts"
import type { HttpApp, Ports } from "../../src/service.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { joinOrganization } from "../support/issued-records.ts"
import { uuid } from "../support/parties.ts"
import { renewAs } from "../support/people.ts"
import {
  confirmationCommandBody,
  commandAsPerson,
  concernOf,
  personCommandBody,
  issuanceOf,
  readProjectAsPerson
} from "../support/person-commands.ts"
import type { SignedInPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"
import { createdBody, outcome, post } from "../support/workspace.ts"
import {
  accept,
  agentFor,
  requestIssuanceAgain,
  makeDelivery,
  grantTestCredits,
  readIssuanceState,
  makeBuyer,
  readStoredCredits,
  recordService,
  makePendingIssuance,
  type Buyer,
  type Delivery
} from "./record-service.ts"

type InService<A> = Effect.Effect<A, unknown, HttpApp | Ports>

interface Stop {
  readonly name: string
  /** The change while the request is pending. */
  readonly change: (project: Delivery) => InService<unknown>
  /** Undoes the change, if an agent could not request again otherwise. */
  readonly undo?: (project: Delivery) => InService<unknown>
  /** The delay of the worker's pass, in milliseconds. */
  readonly after?: number
  /** True if the change ends the requesting agent, so that another one requests again. */
  readonly endsAgent?: boolean
}

const day = 86_400_000
const reasoned = () => ({ requestId: uuid(), reason: "To look at it." })
const pause = ({ buyer, projectId }: Delivery) =>
  Effect.map(post(buyer, `/projects/${projectId}/pause`, reasoned()), createdBody)
const resume = ({ buyer, projectId }: Delivery) =>
  Effect.map(post(buyer, `/projects/${projectId}/resume`, reasoned()), createdBody)
const contest = ({ buyer, projectId }: Delivery) =>
  Effect.flatMap(readProjectAsPerson(buyer, projectId), (view) =>
    Effect.map(commandAsPerson(buyer, projectId, "concern", concernOf(view)), createdBody)
  )
const dismiss = ({ buyer, projectId }: Delivery) =>
  Effect.flatMap(readProjectAsPerson(buyer, projectId), (view) =>
    Effect.map(
      commandAsPerson(buyer, projectId, "resolve-concern", confirmationCommandBody(view, { resolution: "DISMISSED" })),
      createdBody
    )
  )

/** A change of representative: only the head moves. */
const moveHead = ({ supplier, projectId }: Delivery) =>
  Effect.gen(function* () {
    const mia = yield* joinOrganization(supplier, "Mia")
    const body = personCommandBody(yield* readProjectAsPerson(supplier, projectId), {
      reason: "Mia goes on.",
      supplierActorId: mia.personId
    })
    return createdBody(yield* commandAsPerson(supplier, projectId, "change-representative", body))
  })

const stops: ReadonlyArray<Stop> = [
  { name: "a pause", change: pause, undo: resume },
  { name: "a pause that was lifted again", change: (project) => Effect.andThen(pause(project), resume(project)) },
  { name: "a revocation", change: ({ buyer }) => revokeGrant(buyer, buyer.agent), endsAgent: true },
  {
    name: "a renewal",
    change: ({ buyer }) => renewAs({ personId: buyer.personId, grantId: buyer.agent.grantId, expectedGeneration: 1 }),
    endsAgent: true
  },
  { name: "an expiry", change: () => Effect.void, after: limits.credentialLifetime },
  { name: "a head that has moved", change: moveHead },
  { name: "a concern", change: contest, undo: dismiss },
  {
    name: "a concern that was dismissed again",
    change: (project) => Effect.andThen(contest(project), dismiss(project))
  }
]

/** The worker's processing of one request, after a delay. */
const processRequest = (projectId: string, after = 0) =>
  Effect.flatMap(now, (start) => at(addMilliseconds(start, after))(issueRecord(projectId)))

layer(recordService, { excludeTestServices: true })("a pending issuance", (it) => {
  it.effect.each(stops)(
    "A pending issuance is stopped by $name, and a new request issues the record.",
    ({ change, undo, after, endsAgent }) =>
      Effect.gen(function* () {
        const buyer = yield* makeBuyer
        const project = yield* makePendingIssuance(buyer)
        const { projectId } = project
        yield* grantTestCredits(buyer, 1)
        yield* change(project)
        yield* processRequest(projectId, after)
        assert.deepStrictEqual(yield* readIssuanceState(buyer, projectId), ["STOPPED", "NEEDS_REVIEW", false])
        assert.strictEqual((yield* readStoredCredits(buyer)).balance, 1)
        if (undo !== undefined) yield* undo(project)
        // A stopped request stays stopped after its cause is undone.
        yield* processRequest(projectId)
        assert.deepStrictEqual(yield* readIssuanceState(buyer, projectId), ["STOPPED", "NEEDS_REVIEW", false])
        const { token } = endsAgent === true ? yield* agentFor(project, ["ISSUE_RESULT_RECORD"]) : buyer.agent
        assert.deepStrictEqual(outcome(yield* requestIssuanceAgain(project, token)), [200])
        assert.deepStrictEqual(yield* readIssuanceState(buyer, projectId), ["ISSUED", null, true])
        assert.strictEqual((yield* readStoredCredits(buyer)).balance, 0)
      })
  )

  it.effect("A pending issuance is issued once there is a credit and nothing has changed.", () =>
    Effect.gen(function* () {
      const buyer = yield* makeBuyer
      const { projectId } = yield* makePendingIssuance(buyer)
      yield* grantTestCredits(buyer, 1)
      yield* processRequest(projectId)
      assert.deepStrictEqual(yield* readIssuanceState(buyer, projectId), ["ISSUED", null, true])
    })
  )
})

/** An acceptance with a person's pending request for its record. */
const askedBy = Effect.fnUntraced(function* (buyer: Buyer, person: SignedInPerson) {
  const project = yield* makeDelivery(buyer)
  const { projectId } = project
  yield* accept(project, (yield* agentFor(project, ["CONFIRM_COMPLETION"])).token)
  const view = createdBody(
    yield* commandAsPerson(person, projectId, "issue-record", issuanceOf(yield* readProjectAsPerson(person, projectId)))
  )
  assert.deepInclude(view.project.recordIssuance, { status: "PENDING", continuation: "WAITING_COVERAGE" })
  return project
})

layer(recordService, { excludeTestServices: true })("an issuance requested by a person", (it) => {
  it.effect("A person's request is issued in their name during a pause and after the end of their session.", () =>
    Effect.gen(function* () {
      const buyer = yield* makeBuyer
      const mia = yield* joinOrganization(buyer, "Mia")
      const project = yield* askedBy(buyer, mia)
      yield* grantTestCredits(buyer, 1)
      yield* pause(project)
      yield* endSession(mia)
      yield* processRequest(project.projectId)
      assert.deepStrictEqual(yield* readIssuanceState(buyer, project.projectId), ["ISSUED", null, true])
      const { actor } = (yield* readProjectAsPerson(buyer, project.projectId)).project.events.at(-1)
      assert.deepStrictEqual(
        [actor.id, actor.organizationId, actor.execution],
        [mia.personId, buyer.organizationId, null]
      )
    })
  )

  it.effect.each(["END", "EXPIRY"] as const)("A person's request is stopped by the %s of their membership.", (end) =>
    Effect.gen(function* () {
      const buyer = yield* makeBuyer
      const mia = yield* joinOrganization(buyer, "Mia")
      const project = yield* askedBy(buyer, mia)
      const { projectId } = project
      yield* grantTestCredits(buyer, 1)
      if (end === "END") yield* endMembership("OPERATOR", mia)
      yield* processRequest(projectId, end === "END" ? 0 : day)
      assert.deepStrictEqual(yield* readIssuanceState(buyer, projectId), ["STOPPED", "NEEDS_REVIEW", false])
      assert.strictEqual((yield* readStoredCredits(buyer)).balance, 1)
      const again = commandAsPerson(
        buyer,
        projectId,
        "issue-record",
        issuanceOf(yield* readProjectAsPerson(buyer, projectId))
      )
      assert.strictEqual(createdBody(yield* again).project.recordIssuance.status, "ISSUED")
    })
  )
})
