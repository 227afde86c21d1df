/** What a grant reads of its jobs, and what the project says of them as it goes on. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { command, makeAgent, readProject, reviewOf, submissionFor } from "../support/parties.ts"
import { pauseAs } from "../support/people.ts"
import { freshTestService, send } from "../support/service.ts"
import { made } from "../support/workspace.ts"
import { agreed, assertOutcome, listJobs, prepared, readJob, submit, type Agreed } from "./world.ts"

/** The buyer's agent decides on the project as it is. */
const review = Effect.fnUntraced(function* ({ buyerAgent, projectId }: Agreed, action: string) {
  const view = yield* readProject(buyerAgent.token, projectId)
  return made(yield* command(buyerAgent.token, projectId, "review", reviewOf(view, action)))
})

const standing = Effect.fnUntraced(function* (token: string, jobId: string) {
  const { projectState, appliesToSavedSubmission, decisionForSavedSubmission } = made(yield* readJob(token, jobId))
  return [projectState, appliesToSavedSubmission, decisionForSavedSubmission?.action ?? null]
})

layer(freshTestService, { excludeTestServices: true })("a saved job as it is read", (it) => {
  it.effect("follows its submission until another takes its place", () =>
    Effect.gen(function* () {
      const world = yield* agreed()
      const { token } = world
      const first = (yield* prepared(world)).jobId as string
      const unsent = (yield* prepared(world)).jobId as string
      assert.deepStrictEqual(yield* standing(token, first), ["LOCKED", false, null])
      made(yield* submit(token, first))
      assert.deepStrictEqual(yield* standing(token, first), ["SUBMITTED", true, null])
      assert.deepStrictEqual(yield* standing(token, unsent), ["SUBMITTED", false, null])
      const asked = yield* review(world, "REQUEST_CHANGES")
      assert.deepStrictEqual(yield* standing(token, first), ["CHANGES_REQUESTED", true, "REQUEST_CHANGES"])
      assert.deepStrictEqual(yield* standing(token, unsent), ["CHANGES_REQUESTED", false, null])
      const { id: reviewId, occurredAt: decidedAt, action, reason, nextAction } = asked.project.review
      assert.deepStrictEqual((yield* readJob(token, first)).body.decisionForSavedSubmission, {
        reviewId,
        action,
        reason,
        nextAction,
        decidedAt
      })
      const second = (yield* prepared(world)).jobId as string
      made(yield* submit(token, second))
      assert.deepStrictEqual(yield* standing(token, first), ["SUBMITTED", false, null])
      yield* review(world, "REJECT")
      assert.deepStrictEqual(yield* standing(token, first), ["BUYER_REJECTED", false, null])
      assert.deepStrictEqual(yield* standing(token, second), ["BUYER_REJECTED", true, "REJECT"])
    })
  )

  it.effect("keeps the acceptance of its submission, and says whose turn it is as this agent sees it", () =>
    Effect.gen(function* () {
      const world = yield* agreed()
      const { jobId } = yield* prepared(world)
      const { nextAction } = made(yield* readJob(world.token, jobId))
      assert.deepInclude(nextAction, { party: "SUPPLIER", viewer: "NEEDS_YOU", agentAction: "SUBMIT_MATERIALS" })
      assert.strictEqual(made(yield* submit(world.token, jobId)).nextAction.viewer, "WAITING")
      yield* review(world, "ACCEPT")
      assert.deepStrictEqual(yield* standing(world.token, jobId), ["BUYER_CONFIRMED", true, "ACCEPT"])
    })
  )

  it.effect("says nothing of a decision on a submission that was not saved", () =>
    Effect.gen(function* () {
      const world = yield* agreed()
      const { token, projectId, view } = world
      const { jobId } = yield* prepared(world)
      made(yield* command(token, projectId, "submit", submissionFor(view)))
      yield* review(world, "REJECT")
      assert.deepStrictEqual(yield* standing(token, jobId), ["BUYER_REJECTED", false, null])
    })
  )

  it.effect("is read during a pause too", () =>
    Effect.gen(function* () {
      const world = yield* agreed()
      const { jobId } = yield* prepared(world)
      yield* pauseAs({ personId: world.buyer.personId, projectId: world.projectId, reason: "Stop." })
      const { body } = yield* readJob(world.token, jobId)
      assert.strictEqual(body.state, "PREPARED")
      assert.deepStrictEqual((yield* listJobs(world.token, world.projectId)).body, { jobs: [body] })
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("the list of saved jobs", (it) => {
  it.effect("has this grant's jobs for this project, in the order in which they were prepared", () =>
    Effect.gen(function* () {
      const world = yield* agreed()
      const elsewhere = yield* agreed()
      const { supplier, projectId } = world
      // One grant that reaches two projects of one supplier, and another grant that reaches one of them.
      const both = yield* makeAgent(supplier, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
      assert.deepStrictEqual((yield* listJobs(both.token, projectId)).body, { jobs: [] })
      const ids: Array<string> = []
      for (let count = 0; count < 12; count++) ids.push((yield* prepared(world)).jobId)
      const other = yield* prepared({ token: both.token, projectId })
      yield* prepared(elsewhere)
      made(yield* submit(world.token, ids[5]!))
      const { jobs } = (yield* listJobs(world.token, projectId)).body
      assert.deepStrictEqual(
        jobs.map(({ jobId }: any) => jobId),
        ids
      )
      for (const job of jobs) assert.deepStrictEqual(job, (yield* readJob(world.token, job.jobId)).body)
      assert.deepStrictEqual(
        (yield* listJobs(both.token, projectId)).body.jobs.map(({ jobId }: any) => jobId),
        [other.jobId]
      )
    })
  )

  it.effect("needs one project by its id, and nothing else", () =>
    Effect.gen(function* () {
      const { token, projectId } = yield* agreed()
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
      const existing = (yield* agreed()).projectId
      const answers = yield* Effect.forEach([unknown, existing], (id) => listJobs(token, id))
      for (const answer of answers) assertOutcome(answer, 403, "FORBIDDEN_AGENT_PROJECT_SCOPE")
      assert.deepStrictEqual(answers[0]!.body, answers[1]!.body)
      assertOutcome(yield* listJobs("none", projectId), 401, "AUTH_INVALID")
    })
  )
})
