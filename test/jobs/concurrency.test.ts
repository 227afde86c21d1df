/** Changes between the authentication of a job request and its transaction, which checks again. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { BeforeTransactionHook, withBeforeTransactionHook } from "../support/before-transaction-hook.ts"
import { sendCommand, makeAgent, readProject, submissionFor } from "../support/parties.ts"
import { pauseAs, renewAs, resumeAs } from "../support/people.ts"
import { jobOn } from "../support/requests.ts"
import { freshService, postgresStorage, testService, type Answer } from "../support/service.ts"
import { createdBody, outcome } from "../support/workspace.ts"
import { agreedProject, prepare, preparedJob, readJob, setAuthorities, submit, type AgreedProject } from "./fixtures.ts"

const service = Layer.unwrap(
  Effect.map(freshService, (connection) => {
    const storage = withBeforeTransactionHook(postgresStorage(connection))
    return Layer.merge(testService(storage), storage)
  })
)

const sendWithChange = <A, E, R, R2>(sending: Effect.Effect<Answer, never, R>, act: Effect.Effect<A, E, R2>) =>
  Effect.gen(function* () {
    const { before, hasPassed } = yield* BeforeTransactionHook
    const context = yield* Effect.context<R2>()
    yield* before(Effect.provideContext(Effect.orDie(act), context))
    const answer = yield* sending
    assert.isTrue(yield* hasPassed, "no transaction was started")
    return answer
  })

const pauseOf = ({ buyer, projectId }: AgreedProject) => ({ personId: buyer.personId, projectId, reason: "Stop." })

const renewal = ({ supplier, supplierAgent: { grantId } }: AgreedProject) =>
  renewAs({ personId: supplier.personId, grantId, expectedGeneration: 1 })

/** A submission by another agent of the supplier. */
const earlierSubmission = Effect.fnUntraced(function* ({ supplier, projectId, view }: AgreedProject) {
  const { token } = yield* makeAgent(supplier, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
  createdBody(yield* sendCommand(token, projectId, "submit", submissionFor(view)))
})

const lostAuthority = ({ supplier }: AgreedProject) => setAuthorities(supplier.membershipId, ["DELEGATE"])

layer(service, { excludeTestServices: true })("changes between authentication and commit", (it) => {
  it.effect("A revocation, renewal, pause or earlier submission before the commit refuses a job's submission.", () =>
    Effect.gen(function* () {
      const changes = [
        [401, "AUTH_INVALID", (fixture: AgreedProject) => revokeGrant("OPERATOR", fixture.supplierAgent)],
        [401, "AUTH_INVALID", renewal],
        [403, "FORBIDDEN_AGENT_ACTION", lostAuthority],
        [409, "AGENT_PAUSED", (fixture: AgreedProject) => pauseAs(pauseOf(fixture))],
        [409, "STALE_EVENT_HEAD", earlierSubmission]
      ] as const
      for (const [status, code, change] of changes) {
        const fixture = yield* agreedProject()
        const { jobId, requestId } = yield* preparedJob(fixture)
        const answer = yield* sendWithChange(
          submit(fixture.token, jobId),
          Effect.gen(function* () {
            yield* change(fixture)
          })
        )
        assert.deepStrictEqual(outcome(answer), [status, code])
        const { project } = yield* readProject(fixture.buyerAgent.token, fixture.projectId)
        assert.notStrictEqual(project.submission?.requestId, requestId)
      }
    })
  )

  it.effect("A revocation, renewal, pause or earlier submission before the commit refuses a job's preparation.", () =>
    Effect.gen(function* () {
      const changes = [
        [401, "AUTH_INVALID", (fixture: AgreedProject) => revokeGrant("OPERATOR", fixture.supplierAgent)],
        [401, "AUTH_INVALID", renewal],
        [409, "AGENT_PAUSED", (fixture: AgreedProject) => pauseAs(pauseOf(fixture))],
        [409, "STATE_CONFLICT", earlierSubmission]
      ] as const
      for (const [status, code, change] of changes) {
        const fixture = yield* agreedProject()
        const answer = yield* sendWithChange(
          prepare(fixture.token, jobOn(fixture.view)),
          Effect.gen(function* () {
            yield* change(fixture)
          })
        )
        assert.deepStrictEqual(outcome(answer), [status, code])
      }
    })
  )

  it.effect("A job is built on the project as it is locked, not as it was at the request.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      const pause = pauseOf(fixture)
      const pauseAndResume = Effect.andThen(pauseAs(pause), resumeAs(pause))
      const { jobId, automationRevision } = createdBody(
        yield* sendWithChange(prepare(fixture.token, jobOn(fixture.view)), pauseAndResume)
      )
      assert.strictEqual(automationRevision, 2)
      assert.strictEqual(createdBody(yield* submit(fixture.token, jobId)).state, "SUBMITTED")
    })
  )

  it.effect("Of two concurrent submissions of one job, the second is a replay.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      const { jobId } = yield* preparedJob(fixture)
      const answer = yield* sendWithChange(submit(fixture.token, jobId), submit(fixture.token, jobId))
      const { body } = yield* readJob(fixture.token, jobId)
      assert.deepStrictEqual([answer.status, answer.body], [200, { ...body, replayed: true }])
    })
  )
})
