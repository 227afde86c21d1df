/** Requests with several things wrong at once: which refusal wins. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Caller } from "../../src/access/authorize.ts"
import { revokeGrant } from "../../src/access/grants.ts"
import { listJobs, readJob } from "../../src/jobs/operations.ts"
import { submitJob } from "../../src/jobs/submit.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { assertRefusal } from "../support/errors.ts"
import { command, readProject, submissionFor, uuid } from "../support/parties.ts"
import { pauseAs, resumeAs } from "../support/people.ts"
import { jobOn } from "../support/requests.ts"
import { freshTestService, send, type Answer } from "../support/service.ts"
import { made, outcome } from "../support/workspace.ts"
import { agreed, prepared, setJobCount } from "./world.ts"

layer(freshTestService, { excludeTestServices: true })("the order of checks", (it) => {
  it.effect("of a preparation, from the route to the number of jobs", () =>
    Effect.gen(function* () {
      const { token, view, supplierAgent, buyerAgent, buyer, projectId } = yield* agreed()
      // It has answered or prepared under this id before.
      const used = view.project.events.find(({ kind }: any) => kind === "RESPOND").requestId
      yield* setJobCount(supplierAgent.grantId, limits.jobsPerGrant)
      const pause = { personId: buyer.personId, projectId, reason: "Stop." }
      yield* pauseAs(pause)
      const valid: Sending = { path: "/jobs", token, body: jobOn(view), padding: 0 }
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
      yield* climb(valid, faults.slice(0, 8), faults.slice(8))
      yield* resumeAs(pause)
      yield* climb(valid, faults.slice(8))
      yield* setJobCount(supplierAgent.grantId, limits.jobsPerGrant - 1)
      assert.strictEqual((yield* sendIt(valid)).status, 201)
    })
  )

  it.effect("of a submission, from the route to the head", () =>
    Effect.gen(function* () {
      const world = yield* agreed()
      const { token, buyer, buyerAgent, projectId, view } = world
      const { jobId } = yield* prepared(world)
      const foreign = (yield* prepared(yield* agreed())).jobId as string
      made(yield* command(token, projectId, "submit", submissionFor(view)))
      const pause = { personId: buyer.personId, projectId, reason: "Stop." }
      yield* pauseAs(pause)
      const valid: Sending = { path: `/jobs/${jobId}/submit`, token, body: { confirmed: true }, padding: 0 }
      const onPath = (path: string) => (sent: Sending) => ({ ...sent, path })
      yield* climb(valid, [
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
      const [changed] = yield* climb(valid, [[409, "AGENT_CHANGED_REFRESH_REQUIRED", (sent) => sent]])
      const { project } = yield* readProject(token, projectId)
      assert.deepStrictEqual(changed!.body.current, { headEventHash: project.headEventHash, automationRevision: 2 })
    })
  )

  it.effect("of a job: a credential that died on the way comes before whose it is", () =>
    Effect.gen(function* () {
      const { supplier, supplierAgent, projectId } = yield* agreed()
      yield* revokeGrant("OPERATOR", supplierAgent)
      const { grantId } = supplierAgent
      const caller = Caller.of({ grantId, membershipId: supplier.membershipId, generation: 1 })
      const unknown = `job_${uuid()}`
      const asking = [
        Effect.asVoid(readJob(unknown)),
        Effect.asVoid(submitJob(unknown)),
        Effect.asVoid(listJobs(projectId))
      ]
      for (const { code } of yield* Effect.forEach(asking, Effect.flip).pipe(Effect.provideService(Caller, caller))) {
        assert.strictEqual(code, "AUTH_INVALID")
      }
    })
  )
})

interface Sending {
  readonly path: string
  readonly token: string
  readonly body: object
  readonly padding: number
}

type Fault = readonly [status: number, code: string, spoil: (sent: Sending) => Sending]

const withBody = (sent: Sending, changes: object): Sending => ({ ...sent, body: { ...sent.body, ...changes } })

const sendIt = ({ path, token, body, padding }: Sending) =>
  send("POST", `/api/agents/v1${path}`, { token, raw: JSON.stringify(body) + " ".repeat(padding) })

/** Sends, for each fault, a request with that fault, all after it and those behind; it must win. */
const climb = Effect.fnUntraced(function* (
  valid: Sending,
  faults: ReadonlyArray<Fault>,
  behind: ReadonlyArray<Fault> = []
) {
  const answers: Array<Answer> = []
  for (const [index, [status, code]] of faults.entries()) {
    const spoilt = [...faults.slice(index), ...behind].reduceRight((sent, [, , spoil]) => spoil(sent), valid)
    const answer = yield* sendIt(spoilt)
    assert.deepStrictEqual([index, ...outcome(answer)], [index, status, code])
    assertRefusal(answer)
    answers.push(answer)
  }
  return answers
})
