/** Ownership of saved jobs across renewals, replacement grants and revisions. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { makeAgent, readProject, supplierActions } from "../support/parties.ts"
import { renewAs } from "../support/people.ts"
import {
  commandAsPerson,
  answerOf,
  personCommandBody,
  runToLocked,
  readProjectAsPerson,
  termsOf
} from "../support/person-commands.ts"
import { jobOn } from "../support/requests.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody } from "../support/workspace.ts"
import {
  agreedProject,
  assertOutcome,
  listJobs,
  prepare,
  preparedJob,
  readJob,
  setJobCount,
  submit
} from "./fixtures.ts"

layer(freshTestService, { excludeTestServices: true })("ownership of saved jobs", (it) => {
  it.effect("Saved jobs survive the renewal of their grant, with their request ids and their count.", () =>
    Effect.gen(function* () {
      const { token, view, projectId, supplier, supplierAgent } = yield* agreedProject()
      const { grantId } = supplierAgent
      const body = jobOn(view)
      const job = createdBody(yield* prepare(token, body))
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
      const { state, requestId } = createdBody(yield* submit(next, job.jobId))
      assert.deepStrictEqual([state, requestId], ["SUBMITTED", body.requestId])
    })
  )

  it.effect("Saved jobs are unknown to a replacement grant, submitted or not.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      const { token, view, projectId, supplier, supplierAgent } = fixture
      const [sent, kept] = [yield* preparedJob(fixture), yield* preparedJob(fixture)]
      createdBody(yield* submit(token, sent.jobId))
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
      const pair = { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") }
      const { buyer, supplier } = pair
      const projectId = yield* runToLocked(pair)
      const { token } = yield* makeAgent(supplier, "SUPPLIER", supplierActions, [projectId])
      const { jobId } = yield* preparedJob({ token, projectId })
      const terms = yield* termsOf(supplier, { title: "Logo, revised" })
      const revising = personCommandBody(yield* readProjectAsPerson(buyer, projectId), {
        reason: "Other terms.",
        terms
      })
      const next = createdBody(yield* commandAsPerson(buyer, projectId, "revise", revising)).project.taskId as string
      createdBody(
        yield* commandAsPerson(
          supplier,
          next,
          "respond",
          answerOf(yield* readProjectAsPerson(supplier, next), supplier)
        )
      )
      assert.strictEqual((yield* readJob(token, jobId)).body.projectState, "SUPERSEDED")
      assertOutcome(yield* submit(token, jobId), 409, "STALE_EVENT_HEAD")
      const old = yield* readProject(token, projectId)
      assertOutcome(yield* prepare(token, jobOn(old)), 409, "STATE_CONFLICT")
      assertOutcome(yield* prepare(token, jobOn(old, { projectId: next })), 403, "FORBIDDEN_AGENT_PROJECT_SCOPE")
      assertOutcome(yield* listJobs(token, next), 403, "FORBIDDEN_AGENT_PROJECT_SCOPE")
      assert.isNull((yield* readProjectAsPerson(supplier, next)).project.submission)
    })
  )
})
