/** Reading and listing the jobs of a grant while their project changes. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { sendCommand, makeAgent, readProject, reviewOf, submissionFor } from "../support/parties.ts"
import { pauseAs } from "../support/people.ts"
import { freshTestService, send } from "../support/service.ts"
import { createdBody } from "../support/workspace.ts"
import { agreedProject, assertOutcome, listJobs, preparedJob, readJob, submit, type AgreedProject } from "./fixtures.ts"

/** The buyer's agent reviews the current submission. */
const review = Effect.fnUntraced(function* ({ buyerAgent, projectId }: AgreedProject, action: string) {
  const view = yield* readProject(buyerAgent.token, projectId)
  return createdBody(yield* sendCommand(buyerAgent.token, projectId, "review", reviewOf(view, action)))
})

const statusOf = Effect.fnUntraced(function* (token: string, jobId: string) {
  const { projectState, appliesToSavedSubmission, decisionForSavedSubmission } = createdBody(
    yield* readJob(token, jobId)
  )
  return [projectState, appliesToSavedSubmission, decisionForSavedSubmission?.action ?? null]
})

layer(freshTestService, { excludeTestServices: true })("reading a saved job", (it) => {
  it.effect("A job reports the state of its submission until a later submission replaces it.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      const { token } = fixture
      const first = (yield* preparedJob(fixture)).jobId as string
      const preparedId = (yield* preparedJob(fixture)).jobId as string
      assert.deepStrictEqual(yield* statusOf(token, first), ["LOCKED", false, null])
      createdBody(yield* submit(token, first))
      assert.deepStrictEqual(yield* statusOf(token, first), ["SUBMITTED", true, null])
      assert.deepStrictEqual(yield* statusOf(token, preparedId), ["SUBMITTED", false, null])
      const asked = yield* review(fixture, "REQUEST_CHANGES")
      assert.deepStrictEqual(yield* statusOf(token, first), ["CHANGES_REQUESTED", true, "REQUEST_CHANGES"])
      assert.deepStrictEqual(yield* statusOf(token, preparedId), ["CHANGES_REQUESTED", false, null])
      const { id: reviewId, occurredAt: decidedAt, action, reason, nextAction } = asked.project.review
      assert.deepStrictEqual((yield* readJob(token, first)).body.decisionForSavedSubmission, {
        reviewId,
        action,
        reason,
        nextAction,
        decidedAt
      })
      const second = (yield* preparedJob(fixture)).jobId as string
      createdBody(yield* submit(token, second))
      assert.deepStrictEqual(yield* statusOf(token, first), ["SUBMITTED", false, null])
      yield* review(fixture, "REJECT")
      assert.deepStrictEqual(yield* statusOf(token, first), ["BUYER_REJECTED", false, null])
      assert.deepStrictEqual(yield* statusOf(token, second), ["BUYER_REJECTED", true, "REJECT"])
    })
  )

  it.effect("A job reports the acceptance of its submission and the next action for this agent.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      const { jobId } = yield* preparedJob(fixture)
      const { nextAction } = createdBody(yield* readJob(fixture.token, jobId))
      assert.deepInclude(nextAction, { party: "SUPPLIER", viewer: "NEEDS_YOU", agentAction: "SUBMIT_MATERIALS" })
      assert.strictEqual(createdBody(yield* submit(fixture.token, jobId)).nextAction.viewer, "WAITING")
      yield* review(fixture, "ACCEPT")
      assert.deepStrictEqual(yield* statusOf(fixture.token, jobId), ["BUYER_CONFIRMED", true, "ACCEPT"])
    })
  )

  it.effect("A job reports no decision on another submission.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      const { token, projectId, view } = fixture
      const { jobId } = yield* preparedJob(fixture)
      createdBody(yield* sendCommand(token, projectId, "submit", submissionFor(view)))
      yield* review(fixture, "REJECT")
      assert.deepStrictEqual(yield* statusOf(token, jobId), ["BUYER_REJECTED", false, null])
    })
  )

  it.effect("A job can be read during a pause.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      const { jobId } = yield* preparedJob(fixture)
      yield* pauseAs({ personId: fixture.buyer.personId, projectId: fixture.projectId, reason: "Stop." })
      const { body } = yield* readJob(fixture.token, jobId)
      assert.strictEqual(body.state, "PREPARED")
      assert.deepStrictEqual((yield* listJobs(fixture.token, fixture.projectId)).body, { jobs: [body] })
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("listing saved jobs", (it) => {
  it.effect("The list contains the jobs of this grant for this project in order of preparation.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      const otherProject = yield* agreedProject()
      const { supplier, projectId } = fixture
      // Another grant of the same supplier on one of the projects.
      const both = yield* makeAgent(supplier, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
      assert.deepStrictEqual((yield* listJobs(both.token, projectId)).body, { jobs: [] })
      const ids: Array<string> = []
      for (let count = 0; count < 12; count++) ids.push((yield* preparedJob(fixture)).jobId)
      const other = yield* preparedJob({ token: both.token, projectId })
      yield* preparedJob(otherProject)
      createdBody(yield* submit(fixture.token, ids[5]!))
      const { jobs } = (yield* listJobs(fixture.token, projectId)).body
      assert.deepStrictEqual(
        jobs.map(({ jobId }: any) => jobId),
        ids
      )
      for (const job of jobs) assert.deepStrictEqual(job, (yield* readJob(fixture.token, job.jobId)).body)
      assert.deepStrictEqual(
        (yield* listJobs(both.token, projectId)).body.jobs.map(({ jobId }: any) => jobId),
        [other.jobId]
      )
    })
  )

  it.effect("Listing jobs requires exactly one project id and no other parameter.", () =>
    Effect.gen(function* () {
      const { token, projectId } = yield* agreedProject()
      const one = `projectId=${projectId}`
      for (const query of [
        "",
        "?",
        "?projectId=",
        "?projectId=delivery_1",
        `?${one}&limit=1`,
        `?${one}&${one}`,
        "?id=1"
      ]) {
        const refused = yield* send("GET", `/api/agents/v1/jobs${query}`, { token })
        assertOutcome(refused, 400, "INVALID_REQUEST")
      }
      const unknown = projectId.replace(/.$/, (last) => (last === "0" ? "1" : "0"))
      const existing = (yield* agreedProject()).projectId
      const answers = yield* Effect.forEach([unknown, existing], (id) => listJobs(token, id))
      for (const answer of answers) assertOutcome(answer, 403, "FORBIDDEN_AGENT_PROJECT_SCOPE")
      assert.deepStrictEqual(answers[0]!.body, answers[1]!.body)
      assertOutcome(yield* listJobs("none", projectId), 401, "AUTH_INVALID")
    })
  )
})
