/** What a command and a read of a project ask of Postgres. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Counted, countingService } from "../support/counting-service.ts"
import {
  makeAgent,
  readProject,
  reviewOf,
  runToSubmitted,
  sendCommand,
  startProject,
  submissionFor
} from "../support/parties.ts"

/** The transactions and views of a request by a credential that the service has authenticated before. */
const observedIn = Effect.fnUntraced(function* <A, E, R>(request: Effect.Effect<A, E, R>) {
  const { observed } = yield* Counted
  observed.length = 0
  const answer = yield* request
  return { answer, observed: [...observed] }
})

layer(countingService, { excludeTestServices: true })("the statements of a request", (it) => {
  it.effect("A submission and a review take 8 statements in 3 round trips of one transaction.", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { buyer, supplierAgent, projectId } = started
      const reviewer = yield* makeAgent(buyer, "BUYER", ["REVIEW_DELIVERY"], [projectId])
      // The second round of both: the first records the side of each person and authenticates the credentials.
      const submitted = yield* runToSubmitted(started)
      const asked = yield* sendCommand(reviewer.token, projectId, "review", reviewOf(submitted, "REQUEST_CHANGES"))
      const submission = yield* observedIn(
        sendCommand(supplierAgent.token, projectId, "submit", submissionFor(asked.body))
      )
      assert.strictEqual(submission.answer.status, 200, submission.answer.text)
      const again = reviewOf(submission.answer.body, "REQUEST_CHANGES")
      const review = yield* observedIn(sendCommand(reviewer.token, projectId, "review", again))
      assert.strictEqual(review.answer.status, 200, review.answer.text)
      for (const { observed } of [submission, review]) {
        assert.deepStrictEqual(observed, [{ statements: 8, roundTrips: 3 }])
      }
    })
  )

  it.effect("A read of a project, and a command on an earlier head, take one snapshot and at most 2 round trips.", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { supplierAgent, projectId } = started
      const submitted = yield* runToSubmitted(started)
      const read = yield* observedIn(readProject(supplierAgent.token, projectId))
      const stale = yield* observedIn(
        sendCommand(supplierAgent.token, projectId, "submit", {
          ...submissionFor(submitted),
          expectedEventHash: "0".repeat(64)
        })
      )
      assert.strictEqual(stale.answer.body.error, "STALE_EVENT_HEAD")
      for (const { observed } of [read, stale]) {
        assert.lengthOf(observed, 1)
        assert.isAtMost(observed[0]!.roundTrips, 2)
      }
    })
  )
})
