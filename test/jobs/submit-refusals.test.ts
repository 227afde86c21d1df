/** Refusals of the submission of a saved job, which stays prepared. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { GrantProjects } from "../../src/access/store.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { addMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"
import { sendCommand, makeAgent, uuid } from "../support/parties.ts"
import { pauseAs, resumeAs } from "../support/people.ts"
import { dateRevisionOf as agentsDateRevisionOf } from "../support/requests.ts"
import { freshTestService, send, siteUrl } from "../support/service.ts"
import { at } from "../support/time.ts"
import { createdBody } from "../support/workspace.ts"
import { agreedProject, assertOutcome, listJobs, preparedJob, readJob, setAuthorities, submit } from "./fixtures.ts"

layer(freshTestService, { excludeTestServices: true })("refused submission of a saved job", (it) => {
  it.effect("A saved job on a stale head is refused with 409 and stays prepared.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      const { token, view, projectId, buyer } = fixture
      const { jobId } = yield* preparedJob(fixture)
      const requester = yield* makeAgent(buyer, "BUYER", ["REQUEST_DATE_CHANGE"], [projectId])
      createdBody(yield* sendCommand(requester.token, projectId, "date-revision", agentsDateRevisionOf(view)))
      for (let attempt = 0; attempt < 2; attempt++) {
        const refused = yield* submit(token, jobId)
        assertOutcome(refused, 409, "STALE_EVENT_HEAD")
        assert.strictEqual(refused.body.nextAction, "REREAD_PROJECT")
      }
      assert.deepInclude((yield* readJob(token, jobId)).body, {
        state: "PREPARED",
        submittedAt: null,
        submissionId: null,
        appliesToSavedSubmission: false
      })
    })
  )

  it.effect("A saved job is refused after a pause and its end; a job prepared afterwards is submitted.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      const { token, projectId, buyer } = fixture
      const { jobId } = yield* preparedJob(fixture)
      const pause = { personId: buyer.personId, projectId, reason: "Stop." }
      yield* pauseAs(pause)
      const paused = yield* submit(token, jobId)
      assertOutcome(paused, 409, "AGENT_PAUSED")
      assert.deepInclude(paused.body, {
        nextAction: "WAIT_FOR_HUMAN",
        requiredHumanAction: "RESUME_AGENTS",
        humanUrl: `${siteUrl}/workspace/projects/${projectId}`
      })
      yield* resumeAs(pause)
      assertOutcome(yield* submit(token, jobId), 409, "AGENT_CHANGED_REFRESH_REQUIRED")
      const again = yield* preparedJob(fixture)
      assert.strictEqual(createdBody(yield* submit(token, again.jobId)).state, "SUBMITTED")
    })
  )

  it.effect("A saved job is submitted at exactly the deadline and refused one millisecond later.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      const { jobId } = yield* preparedJob(fixture)
      const deadline = fixture.view.project.agreement.deadline as Instant
      const late = yield* at(addMilliseconds(deadline, 1))(submit(fixture.token, jobId))
      assertOutcome(late, 409, "DELIVERY_DEADLINE_PASSED")
      const { body } = yield* at(deadline)(submit(fixture.token, jobId))
      assert.strictEqual(body.submittedAt, deadline)
    })
  )

  it.effect("A saved job is refused under a revoked grant or a membership without the authority.", () =>
    Effect.gen(function* () {
      const one = yield* agreedProject()
      const { jobId } = yield* preparedJob(one)
      yield* revokeGrant("OPERATOR", one.supplierAgent)
      for (const operation of [
        submit(one.token, jobId),
        readJob(one.token, jobId),
        listJobs(one.token, one.projectId)
      ]) {
        assertOutcome(yield* operation, 401, "AUTH_INVALID")
      }
      const other = yield* agreedProject()
      const job = yield* preparedJob(other)
      yield* setAuthorities(other.supplier.membershipId, ["DELEGATE", "TERMS_RESPOND"])
      assertOutcome(yield* submit(other.token, job.jobId), 403, "FORBIDDEN_AGENT_ACTION")
      assert.strictEqual((yield* readJob(other.token, job.jobId)).status, 200, "reading requires only the scope")
    })
  )

  it.effect("A saved job whose project has left the grant's scope can be neither submitted nor read.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      const { token, projectId, supplierAgent } = fixture
      const { jobId } = yield* preparedJob(fixture)
      const storage = yield* Storage
      yield* storage.transaction({ locks: [exclusive("grant", supplierAgent.grantId)] }, (transaction) =>
        transaction.remove(GrantProjects, [supplierAgent.grantId, projectId])
      )
      for (const operation of [submit(token, jobId), readJob(token, jobId), listJobs(token, projectId)]) {
        assertOutcome(yield* operation, 403, "FORBIDDEN_AGENT_PROJECT_SCOPE")
      }
    })
  )

  it.effect("A submission of a saved job without exactly confirmed: true is refused with 400.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      const { jobId } = yield* preparedJob(fixture)
      for (const body of [
        {},
        { confirmed: false },
        { confirmed: "true" },
        { confirmed: 1 },
        { confirmed: true, more: 1 },
        []
      ]) {
        assertOutcome(yield* submit(fixture.token, jobId, body), 400, "INVALID_REQUEST")
      }
      assertOutcome(
        yield* send("POST", `/api/agents/v1/jobs/${jobId}/submit`, { token: fixture.token }),
        400,
        "INVALID_REQUEST"
      )
      assert.strictEqual((yield* readJob(fixture.token, jobId)).body.state, "PREPARED")
    })
  )

  it.effect("Every job id other than an own one is refused with the same 404.", () =>
    Effect.gen(function* () {
      const { token, projectId } = yield* agreedProject()
      const foreign = (yield* preparedJob(yield* agreedProject())).jobId as string
      const odd = ["a", "job_", "job_1", `job_${uuid()}`, foreign, foreign.toUpperCase(), `${foreign}%0A`, "%00"]
      const more = ["%2F", "%ZZ", "%FF", "..", "a".repeat(4_000), "a".repeat(4_001), projectId, "\u00e9"]
      for (const id of [...odd, ...more]) {
        const [read, sent] = [yield* readJob(token, id), yield* submit(token, id)]
        for (const answer of [read, sent]) {
          assertOutcome(answer, 404, "NOT_FOUND")
          assert.deepStrictEqual(Object.keys(answer.body).toSorted(), ["detail", "error", "retryable"], id)
        }
      }
    })
  )
})
