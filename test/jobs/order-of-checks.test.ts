/** Precedence of refusals for requests with several faults. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Caller } from "../../src/access/authorize.ts"
import { revokeGrant } from "../../src/access/grants.ts"
import { listJobs, readJob } from "../../src/jobs/operations.ts"
import { submitJob } from "../../src/jobs/submit.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { assertRefusal } from "../support/errors.ts"
import { sendCommand, readProject, submissionFor, uuid } from "../support/parties.ts"
import { pauseAs, resumeAs } from "../support/people.ts"
import { jobOn } from "../support/requests.ts"
import { freshTestService, send, type Answer } from "../support/service.ts"
import { createdBody, outcome } from "../support/workspace.ts"
import { agreedProject, preparedJob, setJobCount } from "./fixtures.ts"

layer(freshTestService, { excludeTestServices: true })("order of checks of jobs", (it) => {
  it.effect("The checks of a preparation are ordered from the route to the job limit.", () =>
    Effect.gen(function* () {
      const { token, view, supplierAgent, buyerAgent, buyer, projectId } = yield* agreedProject()
      // The request id of the earlier response.
      const used = view.project.events.find(({ kind }: any) => kind === "RESPOND").requestId
      yield* setJobCount(supplierAgent.grantId, limits.jobsPerGrant)
      const pause = { personId: buyer.personId, projectId, reason: "Stop." }
      yield* pauseAs(pause)
      const valid: JobRequest = { path: "/jobs", token, body: jobOn(view), padding: 0 }
      const faults: ReadonlyArray<Fault> = [
        [404, "NOT_FOUND", (sent) => ({ ...sent, path: "/job" })],
        [413, "REQUEST_TOO_LARGE", (sent) => ({ ...sent, padding: 1_000_001 })],
        [401, "AUTH_INVALID", (sent) => ({ ...sent, token: "none" })],
        [400, "INVALID_REQUEST", (sent) => withBody(sent, { more: 1 })],
        [403, "FORBIDDEN_AGENT_PROJECT_SCOPE", (sent) => withBody(sent, { projectId: `delivery_${uuid()}` })],
        [403, "FORBIDDEN_AGENT_ACTION", (sent) => ({ ...sent, token: buyerAgent.token })],
        [409, "REQUEST_ID_CONFLICT", (sent) => withBody(sent, { requestId: used })],
        [409, "AGENT_PAUSED", (sent) => sent],
        [409, "CRITERIA_INCOMPLETE", (sent) => withBody(sent, { materials: [] })],
        [429, "SAVED_JOB_LIMIT", (sent) => sent]
      ]
      yield* assertPrecedence(valid, faults.slice(0, 8), faults.slice(8))
      yield* resumeAs(pause)
      yield* assertPrecedence(valid, faults.slice(8))
      yield* setJobCount(supplierAgent.grantId, limits.jobsPerGrant - 1)
      assert.strictEqual((yield* sendRequest(valid)).status, 201)
    })
  )

  it.effect("The checks of a submission are ordered from the route to the head.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      const { token, buyer, buyerAgent, projectId, view } = fixture
      const { jobId } = yield* preparedJob(fixture)
      const foreign = (yield* preparedJob(yield* agreedProject())).jobId as string
      createdBody(yield* sendCommand(token, projectId, "submit", submissionFor(view)))
      const pause = { personId: buyer.personId, projectId, reason: "Stop." }
      yield* pauseAs(pause)
      const valid: JobRequest = { path: `/jobs/${jobId}/submit`, token, body: { confirmed: true }, padding: 0 }
      const onPath = (path: string) => (sent: JobRequest) => ({ ...sent, path })
      yield* assertPrecedence(valid, [
        [404, "NOT_FOUND", onPath(`/jobs/${jobId}/send`)],
        [413, "REQUEST_TOO_LARGE", (sent) => ({ ...sent, padding: 1_000_001 })],
        [401, "AUTH_INVALID", (sent) => ({ ...sent, token: "none" })],
        [404, "NOT_FOUND", onPath("/jobs/job_1/submit")],
        [400, "INVALID_REQUEST", (sent) => withBody(sent, { confirmed: false })],
        [404, "NOT_FOUND", onPath(`/jobs/${foreign}/submit`)],
        [404, "NOT_FOUND", (sent) => ({ ...sent, token: buyerAgent.token })],
        [409, "AGENT_PAUSED", (sent) => sent]
      ])
      yield* resumeAs(pause)
      const [changed] = yield* assertPrecedence(valid, [[409, "AGENT_CHANGED_REFRESH_REQUIRED", (sent) => sent]])
      const { project } = yield* readProject(token, projectId)
      assert.deepStrictEqual(changed!.body.current, { headEventHash: project.headEventHash, automationRevision: 2 })
    })
  )

  it.effect("A credential revoked after authentication is refused before the job's owner is checked.", () =>
    Effect.gen(function* () {
      const { supplier, supplierAgent, projectId } = yield* agreedProject()
      yield* revokeGrant("OPERATOR", supplierAgent)
      const { grantId } = supplierAgent
      const caller = Caller.of({ grantId, membershipId: supplier.membershipId, generation: 1 })
      const unknown = `job_${uuid()}`
      const refusals = Effect.all([
        Effect.flip(readJob(unknown)),
        Effect.flip(submitJob(unknown)),
        Effect.flip(listJobs(projectId))
      ])
      for (const { code } of yield* Effect.provideService(refusals, Caller, caller)) {
        assert.strictEqual(code, "AUTH_INVALID")
      }
    })
  )
})

interface JobRequest {
  readonly path: string
  readonly token: string
  readonly body: object
  readonly padding: number
}

type Fault = readonly [status: number, code: string, spoil: (sent: JobRequest) => JobRequest]

const withBody = (sent: JobRequest, changes: object): JobRequest => ({ ...sent, body: { ...sent.body, ...changes } })

const sendRequest = ({ path, token, body, padding }: JobRequest) =>
  send("POST", `/api/agents/v1${path}`, { token, raw: JSON.stringify(body) + " ".repeat(padding) })

/** For each fault, sends a request with that fault and all later ones, and expects the refusal of that fault. */
const assertPrecedence = Effect.fnUntraced(function* (
  valid: JobRequest,
  faults: ReadonlyArray<Fault>,
  later: ReadonlyArray<Fault> = []
) {
  const answers: Array<Answer> = []
  for (const [index, [status, code]] of faults.entries()) {
    const faulty = [...faults.slice(index), ...later].reduceRight((sent, [, , spoil]) => spoil(sent), valid)
    const answer = yield* sendRequest(faulty)
    assert.deepStrictEqual([index, ...outcome(answer)], [index, status, code])
    assertRefusal(answer)
    answers.push(answer)
  }
  return answers
})
