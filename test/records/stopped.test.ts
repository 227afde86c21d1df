import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { endMembership } from "../../src/people/memberships.ts"
import { endSession } from "../../src/people/sessions.ts"
import { issueRecord } from "../../src/records/issuance.ts"
import type { HttpApp, Ports } from "../../src/service.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { join } from "../support/issued.ts"
import { uuid } from "../support/parties.ts"
import { renewAs } from "../support/people.ts"
import { aboutConfirmation, act, concernOf, decided, issuanceOf, see } from "../support/person-commands.ts"
import type { SignedInPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"
import { made, outcome, post } from "../support/workspace.ts"
import {
  accept,
  agentFor,
  askAgain,
  delivered,
  giveCredits,
  issuance,
  makeBuyer,
  purse,
  recordService,
  waiting,
  type Buyer,
  type Delivered
} from "./world.ts"

type InService<A> = Effect.Effect<A, unknown, HttpApp | Ports>

interface Stop {
  readonly name: string
  /** What happens while the record waits. */
  readonly happens: (project: Delivered) => InService<unknown>
  /** What has to be undone before an agent may ask again. */
  readonly mends?: (project: Delivered) => InService<unknown>
  /** When the worker comes. */
  readonly after?: number
  /** The buyer's own agent has ended; another one asks. */
  readonly endsAgent?: boolean
}

const day = 86_400_000
const reasoned = () => ({ requestId: uuid(), reason: "To look at it." })
const pause = ({ buyer, projectId }: Delivered) =>
  Effect.map(post(buyer, `/projects/${projectId}/pause`, reasoned()), made)
const resume = ({ buyer, projectId }: Delivered) =>
  Effect.map(post(buyer, `/projects/${projectId}/resume`, reasoned()), made)
const contest = ({ buyer, projectId }: Delivered) =>
  Effect.flatMap(see(buyer, projectId), (view) => Effect.map(act(buyer, projectId, "concern", concernOf(view)), made))
const dismiss = ({ buyer, projectId }: Delivered) =>
  Effect.flatMap(see(buyer, projectId), (view) =>
    Effect.map(act(buyer, projectId, "resolve-concern", aboutConfirmation(view, { resolution: "DISMISSED" })), made)
  )

/** Another representative: the head moves and nothing else. */
const moveHead = ({ supplier, projectId }: Delivered) =>
  Effect.gen(function* () {
    const mia = yield* join(supplier, "Mia")
    const body = decided(yield* see(supplier, projectId), { reason: "Mia goes on.", supplierActorId: mia.personId })
    return made(yield* act(supplier, projectId, "change-representative", body))
  })

const stops: ReadonlyArray<Stop> = [
  { name: "a pause", happens: pause, mends: resume },
  { name: "a pause that was lifted again", happens: (project) => Effect.andThen(pause(project), resume(project)) },
  { name: "a revocation", happens: ({ buyer }) => revokeGrant(buyer, buyer.agent), endsAgent: true },
  {
    name: "a renewal",
    happens: ({ buyer }) => renewAs({ personId: buyer.personId, grantId: buyer.agent.grantId, expectedGeneration: 1 }),
    endsAgent: true
  },
  { name: "an expiry", happens: () => Effect.void, after: limits.credentialLifetime },
  { name: "a head that has moved", happens: moveHead },
  { name: "a concern", happens: contest, mends: dismiss },
  {
    name: "a concern that was dismissed again",
    happens: (project) => Effect.andThen(contest(project), dismiss(project))
  }
]

/** What the worker does with one wish, so much later. */
const workOn = (projectId: string, after = 0) =>
  Effect.flatMap(now, (start) => at(addMilliseconds(start, after))(issueRecord(projectId)))

layer(recordService, { excludeTestServices: true })("a record that waits", (it) => {
  it.effect.each(stops)("is stopped by $name, and asked for afresh", ({ happens, mends, after, endsAgent }) =>
    Effect.gen(function* () {
      const buyer = yield* makeBuyer
      const project = yield* waiting(buyer)
      const { projectId } = project
      yield* giveCredits(buyer, 1)
      yield* happens(project)
      yield* workOn(projectId, after)
      assert.deepStrictEqual(yield* issuance(buyer, projectId), ["STOPPED", "NEEDS_REVIEW", false])
      assert.strictEqual((yield* purse(buyer)).balance, 1)
      if (mends !== undefined) yield* mends(project)
      // What was stopped stays stopped, also where nothing is in its way any more.
      yield* workOn(projectId)
      assert.deepStrictEqual(yield* issuance(buyer, projectId), ["STOPPED", "NEEDS_REVIEW", false])
      const { token } = endsAgent === true ? yield* agentFor(project, ["ISSUE_RESULT_RECORD"]) : buyer.agent
      assert.deepStrictEqual(outcome(yield* askAgain(project, token)), [200])
      assert.deepStrictEqual(yield* issuance(buyer, projectId), ["ISSUED", null, true])
      assert.strictEqual((yield* purse(buyer)).balance, 0)
    })
  )

  it.effect("is issued where nothing of that happened", () =>
    Effect.gen(function* () {
      const buyer = yield* makeBuyer
      const { projectId } = yield* waiting(buyer)
      yield* giveCredits(buyer, 1)
      yield* workOn(projectId)
      assert.deepStrictEqual(yield* issuance(buyer, projectId), ["ISSUED", null, true])
    })
  )
})

/** An acceptance whose record a person asked for, in vain so far. */
const askedBy = Effect.fnUntraced(function* (buyer: Buyer, person: SignedInPerson) {
  const project = yield* delivered(buyer)
  const { projectId } = project
  yield* accept(project, (yield* agentFor(project, ["CONFIRM_COMPLETION"])).token)
  const view = made(yield* act(person, projectId, "issue-record", issuanceOf(yield* see(person, projectId))))
  assert.deepInclude(view.project.recordIssuance, { status: "PENDING", continuation: "WAITING_COVERAGE" })
  return project
})

layer(recordService, { excludeTestServices: true })("a record that a person asked for", (it) => {
  it.effect("is issued in their name during a pause, and once their session has ended", () =>
    Effect.gen(function* () {
      const buyer = yield* makeBuyer
      const mia = yield* join(buyer, "Mia")
      const project = yield* askedBy(buyer, mia)
      yield* giveCredits(buyer, 1)
      yield* pause(project)
      yield* endSession(mia)
      yield* workOn(project.projectId)
      assert.deepStrictEqual(yield* issuance(buyer, project.projectId), ["ISSUED", null, true])
      const { actor } = (yield* see(buyer, project.projectId)).project.events.at(-1)
      assert.deepStrictEqual(
        [actor.id, actor.organizationId, actor.execution],
        [mia.personId, buyer.organizationId, null]
      )
    })
  )

  it.effect.each(["END", "EXPIRY"] as const)("is stopped by the %s of their membership", (end) =>
    Effect.gen(function* () {
      const buyer = yield* makeBuyer
      const mia = yield* join(buyer, "Mia")
      const project = yield* askedBy(buyer, mia)
      const { projectId } = project
      yield* giveCredits(buyer, 1)
      if (end === "END") yield* endMembership("OPERATOR", mia)
      yield* workOn(projectId, end === "END" ? 0 : day)
      assert.deepStrictEqual(yield* issuance(buyer, projectId), ["STOPPED", "NEEDS_REVIEW", false])
      assert.strictEqual((yield* purse(buyer)).balance, 1)
      const again = act(buyer, projectId, "issue-record", issuanceOf(yield* see(buyer, projectId)))
      assert.strictEqual(made(yield* again).project.recordIssuance.status, "ISSUED")
    })
  )
})
