/** Preparation of jobs: the saved envelope, idempotency and limits. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { digestOf } from "../../src/canonical/digest.ts"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { JobEnvelopes } from "../../src/jobs/store.ts"
import { Storage } from "../../src/ports/storage.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { sendCommand, makeAgent, readProject, respondTo, reviewOf, submissionFor } from "../support/parties.ts"
import { pauseAs, resumeAs } from "../support/people.ts"
import { jobOn } from "../support/requests.ts"
import { everyRow } from "../support/rows.ts"
import { freshTestService } from "../support/service.ts"
import { createdBody, outcome } from "../support/workspace.ts"
import { agreedProject, listJobs, prepare, readJob, setJobCount, submit } from "./fixtures.ts"

/** The stored text of an envelope. */
const envelopeOf = Effect.fnUntraced(function* (jobId: string) {
  const storage = yield* Storage
  const row = yield* storage.view((reader) => reader.get(JobEnvelopes, [jobId]))
  return row!.envelope
})

layer(freshTestService, { excludeTestServices: true })("preparation of a job", (it) => {
  it.effect("A preparation saves the exact body of a submission.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      const { token, projectId, view } = fixture
      const body = jobOn(view)
      const { preparedAt, jobId, envelopeDigest, ...job } = createdBody(yield* prepare(token, body))
      assert.deepStrictEqual(job, {
        projectId,
        workflowReference: body.workflowReference,
        requestId: body.requestId,
        expectedEventHash: view.project.headEventHash,
        automationRevision: 0,
        state: "PREPARED"
      })
      assert.match(preparedAt, /^\d{4}-.*\.\d{3}Z$/)
      const envelope = yield* envelopeOf(jobId)
      assert.strictEqual(envelope, canonicalText(JSON.parse(envelope)))
      assert.strictEqual(envelopeDigest, digestOf(JSON.parse(envelope)))
      const other = yield* makeAgent(fixture.supplier, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
      const sent = createdBody(yield* sendCommand(other.token, projectId, "submit", JSON.parse(envelope)))
      const { requestId, summary, items } = sent.project.submission
      assert.deepStrictEqual(
        { requestId, summary, materials: items },
        { requestId: body.requestId, summary: body.summary, materials: body.materials }
      )
    })
  )

  it.effect("A preparation changes no row of the project and records no side.", () =>
    Effect.gen(function* () {
      const { token, view, projectId } = yield* agreedProject()
      const untouched = ["projects", "project_events", "project_sides", "issuances", "authority_events"]
      const before = yield* everyRow
      createdBody(yield* prepare(token, jobOn(view)))
      const after = yield* everyRow
      for (const name of untouched) assert.deepStrictEqual(after[name], before[name], name)
      assert.lengthOf(after["jobs"]!, before["jobs"]!.length + 1)
      assert.deepStrictEqual(yield* readProject(token, projectId), view)
    })
  )

  it.effect("A prepared job names the previous submission and the review that it responds to.", () =>
    Effect.gen(function* () {
      const { token, view, projectId, buyerAgent } = yield* agreedProject()
      const submitted = createdBody(yield* sendCommand(token, projectId, "submit", submissionFor(view)))
      const asked = createdBody(
        yield* sendCommand(buyerAgent.token, projectId, "review", reviewOf(submitted, "REQUEST_CHANGES"))
      )
      const { jobId } = createdBody(yield* prepare(token, jobOn(asked)))
      const { input } = JSON.parse(yield* envelopeOf(jobId))
      assert.strictEqual(input.previousSubmissionId, submitted.project.submission.id)
      assert.strictEqual(input.respondsToReviewId, asked.project.review.id)
      assert.strictEqual(createdBody(yield* submit(token, jobId)).projectState, "SUBMITTED")
    })
  )

  it.effect("A retried preparation returns the same job, also during a pause.", () =>
    Effect.gen(function* () {
      const { token, view, projectId, buyer } = yield* agreedProject()
      const body = jobOn(view)
      const first = createdBody(yield* prepare(token, body))
      assert.notProperty(first, "replayed")
      const again = yield* prepare(token, Object.fromEntries(Object.entries(body).toReversed()))
      assert.deepStrictEqual([again.status, again.body], [201, { ...first, replayed: true }])
      const pause = { personId: buyer.personId, projectId, reason: "Stop." }
      yield* pauseAs(pause)
      assert.deepStrictEqual((yield* prepare(token, body)).body, { ...first, replayed: true })
      assert.deepStrictEqual(outcome(yield* prepare(token, jobOn(view))), [409, "AGENT_PAUSED"])
      yield* resumeAs(pause)
      const later = createdBody(yield* prepare(token, jobOn(view)))
      assert.strictEqual(later.automationRevision, 2)
      createdBody(yield* submit(token, later.jobId))
      const stale = yield* prepare(token, body)
      assert.deepStrictEqual([stale.status, stale.body], [201, { ...first, replayed: true }])
      const jobs = (yield* listJobs(token, projectId)).body.jobs.map(({ jobId, state }: any) => [jobId, state])
      assert.deepStrictEqual(jobs, [
        [first.jobId, "PREPARED"],
        [later.jobId, "SUBMITTED"]
      ])
    })
  )

  it.effect("A preparation with another body under the same request id is refused with 409.", () =>
    Effect.gen(function* () {
      const { token, view, projectId } = yield* agreedProject()
      const body = jobOn(view)
      createdBody(yield* prepare(token, body))
      const [item] = body.materials as ReadonlyArray<any>
      for (const changes of [
        { workflowReference: "workflow 8" },
        { summary: `${body.summary} ` },
        { materials: [{ ...item, summary: "Two SVGs." }] },
        { materials: [] }
      ]) {
        assert.deepStrictEqual(outcome(yield* prepare(token, { ...body, ...changes })), [409, "REQUEST_ID_CONFLICT"])
      }
      assert.lengthOf((yield* listJobs(token, projectId)).body.jobs, 1)
    })
  )

  it.effect("A preparation shares the request ids of the grant's commands.", () =>
    Effect.gen(function* () {
      const { token, view, projectId, supplier, supplierAgent } = yield* agreedProject()
      const body = jobOn(view)
      createdBody(yield* prepare(token, body))
      const direct = yield* sendCommand(token, projectId, "submit", submissionFor(view, { requestId: body.requestId }))
      assert.deepStrictEqual(outcome(direct), [409, "REQUEST_ID_CONFLICT"])
      const responding = respondTo(
        view,
        { supplier },
        { requestId: body.requestId, confirmationDigest: "0".repeat(64) }
      )
      assert.deepStrictEqual(outcome(yield* sendCommand(token, projectId, "respond", responding)), [
        409,
        "REQUEST_ID_CONFLICT"
      ])
      const used = view.project.events.find(({ kind }: any) => kind === "RESPOND").requestId
      assert.deepStrictEqual(outcome(yield* prepare(token, jobOn(view, { requestId: used }))), [
        409,
        "REQUEST_ID_CONFLICT"
      ])
      const other = yield* makeAgent(supplier, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
      assert.notStrictEqual(other.grantId, supplierAgent.grantId)
      assert.strictEqual((yield* prepare(other.token, body)).status, 201, "request ids are scoped to a grant")
    })
  )

  it.effect("A workflow reference of up to 4,000 characters is returned unchanged.", () =>
    Effect.gen(function* () {
      const { token, view } = yield* agreedProject()
      const longest = `${"\u{1f600} '; drop table jobs; -- \u0001\t"}${"x".repeat(4_000)}`.slice(0, 4_000)
      const { jobId } = createdBody(yield* prepare(token, jobOn(view, { workflowReference: longest })))
      assert.strictEqual((yield* readJob(token, jobId)).body.workflowReference, longest)
      const wrong = [{ workflowReference: "" }, { workflowReference: `${longest}x` }, { workflowReference: 7 }]
      const others = [{ projectId: "delivery_1" }, { requestId: "1" }, { summary: "" }, { envelope: {} }]
      for (const changes of [...wrong, ...others]) {
        const [name] = Object.keys(changes)
        const refused = yield* prepare(token, jobOn(view, changes))
        assert.deepStrictEqual(outcome(refused), [400, "INVALID_REQUEST"], name)
        assert.strictEqual(refused.body.issues[0].path, name)
      }
    })
  )

  it.effect("The limit is 500 jobs of a grant; replays are answered beyond it.", () =>
    Effect.gen(function* () {
      const { token, view, supplierAgent } = yield* agreedProject()
      const first = jobOn(view)
      createdBody(yield* prepare(token, first))
      yield* setJobCount(supplierAgent.grantId, limits.jobsPerGrant - 1)
      const last = jobOn(view)
      createdBody(yield* prepare(token, last))
      const refused = yield* prepare(token, jobOn(view))
      assert.deepStrictEqual(outcome(refused), [429, "SAVED_JOB_LIMIT"])
      assert.deepStrictEqual([refused.body.retryable, refused.headers["retry-after"]], [false, undefined])
      const incomplete = yield* prepare(token, jobOn(view, { materials: [] }))
      assert.deepStrictEqual(outcome(incomplete), [409, "CRITERIA_INCOMPLETE"], "the limit is checked last")
      for (const body of [first, last]) assert.strictEqual((yield* prepare(token, body)).body.replayed, true)
    })
  )
})
