/** A saved job is submitted once, exactly as it was saved. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { MailFailed } from "../../src/ports/mail.ts"
import { command, readProject, reviewOf, submissionFor } from "../support/parties.ts"
import { pauseAs } from "../support/people.ts"
import { giveAddress, keepingLetters } from "../support/letters.ts"
import { jobOn } from "../support/requests.ts"
import { freshService, freshTestService, postgresStorage, testService } from "../support/service.ts"
import { made } from "../support/workspace.ts"
import { agreed, prepare, prepared, readJob, submit } from "./world.ts"

layer(freshTestService, { excludeTestServices: true })("a saved job", (it) => {
  it.effect("is submitted as it was saved, under its own request id", () =>
    Effect.gen(function* () {
      const { token, view, projectId, supplierAgent } = yield* agreed()
      const body = jobOn(view)
      const job = made(yield* prepare(token, body))
      const answer = yield* submit(token, job.jobId)
      const { project } = yield* readProject(token, projectId)
      const event = project.events.at(-1)
      assert.deepStrictEqual([event.kind, event.requestId], ["SUBMIT", job.requestId])
      assert.strictEqual(event.actor.execution.grantId, supplierAgent.grantId)
      const { summary, items, respondsToReviewId, previousSubmissionId } = event.payload
      assert.deepStrictEqual({ summary, items }, { summary: body.summary, items: body.materials })
      assert.deepStrictEqual([previousSubmissionId, respondsToReviewId], [null, null])
      assert.deepStrictEqual(answer.body, {
        ...job,
        state: "SUBMITTED",
        submittedAt: event.occurredAt,
        submissionId: project.submission.id,
        projectState: "SUBMITTED",
        appliesToSavedSubmission: true,
        decisionForSavedSubmission: null,
        nextAction: project.nextAction,
        emailUpdate: "DISABLED"
      })
    })
  )

  it.effect("again is told that it was, also during a pause and once the buyer has decided", () =>
    Effect.gen(function* () {
      const world = yield* agreed()
      const { token, buyer, buyerAgent, projectId } = world
      const { jobId } = yield* prepared(world)
      const { emailUpdate: _, ...first } = made(yield* submit(token, jobId))
      const again = yield* submit(token, jobId)
      assert.deepStrictEqual([again.status, again.body], [200, { ...first, replayed: true }])
      yield* pauseAs({ personId: buyer.personId, projectId, reason: "Stop." })
      assert.deepStrictEqual((yield* submit(token, jobId)).body, { ...first, replayed: true })
      const view = yield* readProject(buyerAgent.token, projectId)
      assert.strictEqual(view.project.events.filter(({ kind }: any) => kind === "SUBMIT").length, 1)
      assert.deepStrictEqual((yield* readJob(token, jobId)).body, first)
    })
  )

  it.effect("does not take the place of a submission that came first, nor the reverse", () =>
    Effect.gen(function* () {
      const world = yield* agreed()
      const { token, view, projectId } = world
      const [one, other] = [yield* prepared(world), yield* prepared(world)]
      made(yield* submit(token, one.jobId))
      assert.strictEqual((yield* submit(token, other.jobId)).body.error, "STALE_EVENT_HEAD")
      assert.strictEqual(
        (yield* command(token, projectId, "submit", submissionFor(view))).body.error,
        "STALE_EVENT_HEAD"
      )
      assert.strictEqual((yield* readJob(token, other.jobId)).body.state, "PREPARED")
    })
  )

  it.effect("answers a review as a submission does", () =>
    Effect.gen(function* () {
      const world = yield* agreed()
      const { token, buyerAgent, projectId } = world
      made(yield* submit(token, (yield* prepared(world)).jobId))
      const seen = yield* readProject(buyerAgent.token, projectId)
      const asked = made(yield* command(buyerAgent.token, projectId, "review", reviewOf(seen, "REQUEST_CHANGES")))
      const { submissionId } = made(yield* submit(token, (yield* prepared(world)).jobId))
      const { project } = yield* readProject(token, projectId)
      assert.strictEqual(project.submission.id, submissionId)
      assert.strictEqual(project.submission.previousSubmissionId, asked.project.submission.id)
      assert.strictEqual(project.submission.respondsToReviewId, asked.project.review.id)
    })
  )
})

const letters = keepingLetters()
const silent = keepingLetters(Effect.fail(new MailFailed({ reason: "no answer" })))
const serviceWith = (mail: typeof letters) =>
  Layer.unwrap(
    Effect.map(freshService, (connection) => testService(postgresStorage(connection), undefined, undefined, mail))
  )

layer(serviceWith(letters), { excludeTestServices: true })("the submission of a saved job", (it) => {
  it.effect("is told to the buyer's person once; preparing it is told to nobody", () =>
    Effect.gen(function* () {
      const world = yield* agreed()
      yield* giveAddress(world.buyer.personId, "dana@example.org")
      letters.sent.length = 0
      const { jobId } = yield* prepared(world)
      assert.deepStrictEqual(letters.sent, [])
      assert.notProperty(made(yield* submit(world.token, jobId)), "emailUpdate")
      assert.notProperty(made(yield* submit(world.token, jobId)), "emailUpdate")
      assert.deepStrictEqual(
        letters.sent.map(({ to }) => to),
        ["dana@example.org"]
      )
    })
  )
})

layer(serviceWith(silent), { excludeTestServices: true })("a letter that cannot be sent", (it) => {
  it.effect("undoes nothing of the submission", () =>
    Effect.gen(function* () {
      const world = yield* agreed()
      yield* giveAddress(world.buyer.personId, "dana@example.org")
      const { body } = yield* submit(world.token, (yield* prepared(world)).jobId)
      assert.deepStrictEqual([body.state, body.emailUpdate], ["SUBMITTED", "FAILED"])
    })
  )
})
