/** Ownership of saved jobs across renewals, replacement grants and revisions. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { makeAgent, readProject, supplierActions } from "../support/parties.ts"
import { renewAs } from "../support/people.ts"
import { act, answerOf, decided, locked, see, termsOf } from "../support/person-commands.ts"
import { jobOn } from "../support/requests.ts"
import { freshTestService } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"
import { made } from "../support/workspace.ts"
import { agreed, assertOutcome, listJobs, prepare, prepared, readJob, setJobCount, submit } from "./world.ts"

layer(freshTestService, { excludeTestServices: true })("ownership of saved jobs", (it) => {
  it.effect("Saved jobs survive the renewal of their grant, with their request ids and their count.", () =>
    Effect.gen(function* () {
      const { token, view, projectId, supplier, supplierAgent } = yield* agreed()
      const { grantId } = supplierAgent
      const body = jobOn(view)
      const job = made(yield* prepare(token, body))
      const before = (yield* readJob(token, job.jobId)).body
      yield* setJobCount(grantId, 500)
      const renewed = yield* renewAs({ personId: supplier.personId, grantId, expectedGeneration: 1 })
      assertOutcome(yield* readJob(token, job.jobId), 401, "AUTH_INVALID")
      assertOutcome(yield* submit(token, job.jobId), 401, "AUTH_INVALID")
      const next = "token" in renewed ? renewed.token : assert.fail("the renewal shows its token")
      assert.deepStrictEqual((yield* readJob(next, job.jobId)).body, before)
      assert.deepStrictEqual((yield* listJobs(next, projectId)).body, { jobs: [before] })
      assert.deepStrictEqual((yield* prepare(next, body)).body, { ...job, replayed: true })
      assertOutcome(yield* prepare(next, jobOn(view)), 429, "SAVED_JOB_LIMIT")
      const { state, requestId } = made(yield* submit(next, job.jobId))
      assert.deepStrictEqual([state, requestId], ["SUBMITTED", body.requestId])
    })
  )

  it.effect("Saved jobs are unknown to a replacement grant, submitted or not.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreed()
      const { token, view, projectId, supplier, supplierAgent } = fixture
      const [sent, kept] = [yield* prepared(fixture), yield* prepared(fixture)]
      made(yield* submit(token, sent.jobId))
      yield* revokeGrant("OPERATOR", supplierAgent)
      const replacement = yield* makeAgent(supplier, "SUPPLIER", supplierActions, [projectId])
      for (const { jobId } of [sent, kept]) {
        assertOutcome(yield* readJob(replacement.token, jobId), 404, "NOT_FOUND")
        assertOutcome(yield* submit(replacement.token, jobId), 404, "NOT_FOUND")
      }
      assert.deepStrictEqual((yield* listJobs(replacement.token, projectId)).body, { jobs: [] })
      // The project shows the submission although its job is unknown.
      const { project } = yield* readProject(replacement.token, projectId)
      assert.strictEqual(project.submission.requestId, sent.requestId)
      assertOutcome(yield* prepare(replacement.token, jobOn(view)), 409, "STATE_CONFLICT")
    })
  )

  it.effect("Saved jobs of a superseded project are refused and reach no other project.", () =>
    Effect.gen(function* () {
      const pair = { buyer: yield* signInAnew("Dana"), supplier: yield* signInAnew("Sam") }
      const { buyer, supplier } = pair
      const projectId = yield* locked(pair)
      const { token } = yield* makeAgent(supplier, "SUPPLIER", supplierActions, [projectId])
      const { jobId } = yield* prepared({ token, projectId })
      const terms = yield* termsOf(supplier, { title: "Logo, revised" })
      const revising = decided(yield* see(buyer, projectId), { reason: "Other terms.", terms })
      const next = made(yield* act(buyer, projectId, "revise", revising)).project.taskId as string
      made(yield* act(supplier, next, "respond", answerOf(yield* see(supplier, next), supplier)))
      assert.strictEqual((yield* readJob(token, jobId)).body.projectState, "SUPERSEDED")
      assertOutcome(yield* submit(token, jobId), 409, "STALE_EVENT_HEAD")
      const old = yield* readProject(token, projectId)
      assertOutcome(yield* prepare(token, jobOn(old)), 409, "STATE_CONFLICT")
      assertOutcome(yield* prepare(token, jobOn(old, { projectId: next })), 403, "FORBIDDEN_AGENT_PROJECT_SCOPE")
      assertOutcome(yield* listJobs(token, next), 403, "FORBIDDEN_AGENT_PROJECT_SCOPE")
      assert.isNull((yield* see(supplier, next)).project.submission)
    })
  )
})
