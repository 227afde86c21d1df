/** What happens after a request about a job was let in and before its transaction: the transaction decides. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { LastMoment, withLastMoment } from "../support/between.ts"
import { command, makeAgent, readProject, submissionFor } from "../support/parties.ts"
import { pauseAs, renewAs, resumeAs } from "../support/people.ts"
import { jobOn } from "../support/requests.ts"
import { freshService, postgresStorage, testService, type Answer } from "../support/service.ts"
import { made, outcome } from "../support/workspace.ts"
import { agreed, prepare, prepared, readJob, setAuthorities, submit, type Agreed } from "./world.ts"

const service = Layer.unwrap(
  Effect.map(freshService, (connection) => {
    const storage = withLastMoment(postgresStorage(connection))
    return Layer.merge(testService(storage), storage)
  })
)

const sendAnd = <A, E, R, R2>(sending: Effect.Effect<Answer, never, R>, act: Effect.Effect<A, E, R2>) =>
  Effect.gen(function* () {
    const { before, hasPassed } = yield* LastMoment
    const context = yield* Effect.context<R2>()
    yield* before(Effect.provideContext(Effect.orDie(act), context))
    const answer = yield* sending
    assert.isTrue(yield* hasPassed, "nothing was about to commit")
    return answer
  })

const pauseOf = ({ buyer, projectId }: Agreed) => ({ personId: buyer.personId, projectId, reason: "Stop." })

const renewal = ({ supplier, supplierAgent: { grantId } }: Agreed) =>
  renewAs({ personId: supplier.personId, grantId, expectedGeneration: 1 })

/** Another agent of the supplier submits first. */
const overtaking = Effect.fnUntraced(function* ({ supplier, projectId, view }: Agreed) {
  const { token } = yield* makeAgent(supplier, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
  made(yield* command(token, projectId, "submit", submissionFor(view)))
})

const losing = ({ supplier }: Agreed) => setAuthorities(supplier.membershipId, ["DELEGATE"])

layer(service, { excludeTestServices: true })("between the request and its transaction", (it) => {
  it.effect("what ends or stops the agent, or comes first, stops the submission of a job", () =>
    Effect.gen(function* () {
      const stops = [
        [401, "AUTH_INVALID", (world: Agreed) => revokeGrant("OPERATOR", world.supplierAgent)],
        [401, "AUTH_INVALID", renewal],
        [403, "FORBIDDEN_AGENT_ACTION", losing],
        [409, "AGENT_PAUSED", (world: Agreed) => pauseAs(pauseOf(world))],
        [409, "STALE_EVENT_HEAD", overtaking]
      ] as const
      for (const [status, code, happens] of stops) {
        const world = yield* agreed()
        const { jobId, requestId } = yield* prepared(world)
        const answer = yield* sendAnd(submit(world.token, jobId), happens(world))
        assert.deepStrictEqual(outcome(answer), [status, code])
        const { project } = yield* readProject(world.buyerAgent.token, world.projectId)
        assert.notStrictEqual(project.submission?.requestId, requestId)
      }
    })
  )

  it.effect("and the preparation of one", () =>
    Effect.gen(function* () {
      const stops = [
        [401, "AUTH_INVALID", (world: Agreed) => revokeGrant("OPERATOR", world.supplierAgent)],
        [401, "AUTH_INVALID", renewal],
        [409, "AGENT_PAUSED", (world: Agreed) => pauseAs(pauseOf(world))],
        [409, "STATE_CONFLICT", overtaking]
      ] as const
      for (const [status, code, happens] of stops) {
        const world = yield* agreed()
        const answer = yield* sendAnd(prepare(world.token, jobOn(world.view)), happens(world))
        assert.deepStrictEqual(outcome(answer), [status, code])
      }
    })
  )

  it.effect("a job is built on what the project is then, not on what it was when it was asked for", () =>
    Effect.gen(function* () {
      const world = yield* agreed()
      const pause = pauseOf(world)
      const comingAndGoing = Effect.andThen(pauseAs(pause), resumeAs(pause))
      const { jobId, automationRevision } = made(
        yield* sendAnd(prepare(world.token, jobOn(world.view)), comingAndGoing)
      )
      assert.strictEqual(automationRevision, 2)
      assert.strictEqual(made(yield* submit(world.token, jobId)).state, "SUBMITTED")
    })
  )

  it.effect("whoever submits the same job first makes the other one a repetition", () =>
    Effect.gen(function* () {
      const world = yield* agreed()
      const { jobId } = yield* prepared(world)
      const answer = yield* sendAnd(submit(world.token, jobId), submit(world.token, jobId))
      const { body } = yield* readJob(world.token, jobId)
      assert.deepStrictEqual([answer.status, answer.body], [200, { ...body, replayed: true }])
    })
  )
})
