/** Submission of saved jobs: idempotent, and exactly as saved. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { MailFailure } from "../../src/ports/mail.ts"
import { sendCommand, readProject, reviewOf, submissionFor } from "../support/parties.ts"
import { pauseAs } from "../support/people.ts"
import { setEmailAddress, recordEmail } from "../support/recorded-email.ts"
import { jobOn } from "../support/requests.ts"
import { freshService, freshTestService, postgresStorage, testService } from "../support/service.ts"
import { createdBody } from "../support/workspace.ts"
import { agreedProject, prepare, preparedJob, readJob, submit } from "./fixtures.ts"

layer(freshTestService, { excludeTestServices: true })("submission of a saved job", (it) => {
  it.effect("A job is submitted exactly as saved, under its own request id.", () =>
    Effect.gen(function* () {
      const { token, view, projectId, supplierAgent } = yield* agreedProject()
      const body = jobOn(view)
      const job = createdBody(yield* prepare(token, body))
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

  it.effect("Submitting a job again is a replay, also during a pause.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      const { token, buyer, buyerAgent, projectId } = fixture
      const { jobId } = yield* preparedJob(fixture)
      const { emailUpdate: _, ...first } = createdBody(yield* submit(token, jobId))
      const again = yield* submit(token, jobId)
      assert.deepStrictEqual([again.status, again.body], [200, { ...first, replayed: true }])
      yield* pauseAs({ personId: buyer.personId, projectId, reason: "Stop." })
      assert.deepStrictEqual((yield* submit(token, jobId)).body, { ...first, replayed: true })
      const view = yield* readProject(buyerAgent.token, projectId)
      assert.strictEqual(view.project.events.filter(({ kind }: any) => kind === "SUBMIT").length, 1)
      assert.deepStrictEqual((yield* readJob(token, jobId)).body, first)
    })
  )

  it.effect("A job on a stale head does not replace an earlier submission.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      const { token, view, projectId } = fixture
      const [one, other] = [yield* preparedJob(fixture), yield* preparedJob(fixture)]
      createdBody(yield* submit(token, one.jobId))
      assert.strictEqual((yield* submit(token, other.jobId)).body.error, "STALE_EVENT_HEAD")
      assert.strictEqual(
        (yield* sendCommand(token, projectId, "submit", submissionFor(view))).body.error,
        "STALE_EVENT_HEAD"
      )
      assert.strictEqual((yield* readJob(token, other.jobId)).body.state, "PREPARED")
    })
  )

  it.effect("A job prepared after a review responds to that review.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      const { token, buyerAgent, projectId } = fixture
      createdBody(yield* submit(token, (yield* preparedJob(fixture)).jobId))
      const view = yield* readProject(buyerAgent.token, projectId)
      const asked = createdBody(
        yield* sendCommand(buyerAgent.token, projectId, "review", reviewOf(view, "REQUEST_CHANGES"))
      )
      const { submissionId } = createdBody(yield* submit(token, (yield* preparedJob(fixture)).jobId))
      const { project } = yield* readProject(token, projectId)
      assert.strictEqual(project.submission.id, submissionId)
      assert.strictEqual(project.submission.previousSubmissionId, asked.project.submission.id)
      assert.strictEqual(project.submission.respondsToReviewId, asked.project.review.id)
    })
  )
})

const mailbox = recordEmail()
const failingMail = recordEmail(Effect.fail(new MailFailure({ reason: "no answer" })))
const serviceWith = (mail: typeof mailbox) =>
  Layer.unwrap(
    Effect.map(freshService, (connection) => testService(postgresStorage(connection), undefined, undefined, mail))
  )

layer(serviceWith(mailbox), { excludeTestServices: true })("notification of a submitted job", (it) => {
  it.effect("The submission of a job sends one e-mail to the buyer's person; its preparation sends none.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      yield* setEmailAddress(fixture.buyer.personId, "dana@example.org")
      mailbox.sent.length = 0
      const { jobId } = yield* preparedJob(fixture)
      assert.deepStrictEqual(mailbox.sent, [])
      assert.notProperty(createdBody(yield* submit(fixture.token, jobId)), "emailUpdate")
      assert.notProperty(createdBody(yield* submit(fixture.token, jobId)), "emailUpdate")
      assert.deepStrictEqual(
        mailbox.sent.map(({ to }) => to),
        ["dana@example.org"]
      )
    })
  )
})

layer(serviceWith(failingMail), { excludeTestServices: true })("failing e-mail", (it) => {
  it.effect("A failed e-mail does not affect the submission of a job.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      yield* setEmailAddress(fixture.buyer.personId, "dana@example.org")
      const { body } = yield* submit(fixture.token, (yield* preparedJob(fixture)).jobId)
      assert.deepStrictEqual([body.state, body.emailUpdate], ["SUBMITTED", "FAILED"])
    })
  )
})
