/** Model-based test: random interleavings of operations of agents and people around saved jobs. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { Refusal } from "../../src/vocabulary/refusals.ts"
import { sendCommand, readProject, reviewOf, submissionFor, uuid } from "../support/parties.ts"
import { pauseAs, renewAs, resumeAs } from "../support/people.ts"
import { cuts, startProxy, type Proxy } from "../support/proxy.ts"
import { jobOn } from "../support/requests.ts"
import { freshService, postgresStorage, testService, type Answer } from "../support/service.ts"
import { createdBody } from "../support/workspace.ts"
import { agreedProject, listJobs, prepare, submit, type AgreedProject } from "./fixtures.ts"
import {
  arbitraryInterleaving,
  expectedOutcome,
  operationNames,
  locked,
  jobStatusOf,
  jobStatuses,
  type ExpectedOutcome,
  type OperationName,
  type Model,
  type Step
} from "./model.ts"

interface PreparedJob {
  readonly body: object
  readonly job: any
}

/** The client state of the agent: its newest token and its prepared jobs. */
interface ClientState {
  token: string
  generation: number
  readonly prepared: Array<PreparedJob>
}

/** Maps a response to an outcome of the model. */
const outcomeOf = ({ status, body }: Answer): string => {
  if (body.error !== undefined) return body.error
  assert.include([200, 201], status)
  return body.replayed === true ? "REPLAYED" : "DONE"
}

const outcomeOfEffect = <A, R>(effect: Effect.Effect<A, Refusal, R>) =>
  Effect.match(effect, { onSuccess: () => "DONE", onFailure: ({ code }) => code as string })

const execute = Effect.fnUntraced(function* (
  fixture: AgreedProject,
  client: ClientState,
  proxy: Proxy,
  { name, pick, review }: Step
) {
  const { projectId, buyer, buyerAgent, supplier, supplierAgent } = fixture
  const picked = client.prepared[pick % Math.max(1, client.prepared.length)]
  const pause = { personId: buyer.personId, projectId, reason: "Stop." }
  switch (name) {
    case "PREPARE": {
      const body = jobOn(yield* readProject(client.token, projectId))
      const answer = yield* prepare(client.token, body)
      if (answer.status === 201) client.prepared.push({ body, job: answer.body })
      return outcomeOf(answer)
    }
    case "RETRY_PREPARE": {
      const answer = yield* prepare(client.token, picked!.body)
      assert.strictEqual(answer.body.jobId, picked!.job.jobId)
      return outcomeOf(answer)
    }
    case "SUBMIT":
      return outcomeOf(yield* submit(client.token, picked!.job.jobId))
    case "SUBMIT_WITH_LOST_RESPONSE": {
      proxy.chooseCut = (ends) => {
        if (ends === "view") return undefined
        proxy.chooseCut = () => undefined
        return cuts[pick % cuts.length]
      }
      const answer = yield* submit(client.token, picked!.job.jobId)
      proxy.chooseCut = () => undefined
      // The retry after a lost response is a replay, or gets the same refusal.
      const again = outcomeOf(yield* submit(client.token, picked!.job.jobId))
      assert.strictEqual(again, answer.status === 200 ? "REPLAYED" : answer.body.error)
      return outcomeOf(answer)
    }
    case "SUBMIT_DIRECTLY":
      return outcomeOf(
        yield* sendCommand(
          client.token,
          projectId,
          "submit",
          submissionFor(yield* readProject(client.token, projectId))
        )
      )
    case "REVIEW": {
      const view = yield* readProject(buyerAgent.token, projectId)
      const submissionId = view.project.submission?.id ?? `submission_${uuid()}`
      return outcomeOf(
        yield* sendCommand(buyerAgent.token, projectId, "review", reviewOf(view, review, { submissionId }))
      )
    }
    case "PAUSE":
      return yield* outcomeOfEffect(pauseAs(pause))
    case "RESUME":
      return yield* outcomeOfEffect(resumeAs(pause))
    case "RENEW": {
      const { grantId } = supplierAgent
      const expectedGeneration = client.generation++
      const renewed = yield* renewAs({ personId: supplier.personId, grantId, expectedGeneration })
      client.token = "token" in renewed ? renewed.token : assert.fail("the renewal shows its token")
      return "DONE"
    }
  }
})

/** Compares every job and the number of submissions with the model. */
const compare = Effect.fnUntraced(function* (fixture: AgreedProject, client: ClientState, model: Model) {
  const { jobs } = createdBody(yield* listJobs(client.token, fixture.projectId))
  assert.deepStrictEqual(
    jobs.map((job: any) => ({
      jobId: job.jobId,
      state: job.state,
      projectState: job.projectState,
      applies: job.appliesToSavedSubmission,
      decision: job.decisionForSavedSubmission?.action ?? null
    })),
    model.jobs.map((job, index) => {
      const applies = jobStatusOf(job, model) === "APPLIES"
      return {
        jobId: client.prepared[index]!.job.jobId,
        state: job.submission === null ? "PREPARED" : "SUBMITTED",
        projectState: model.state,
        applies,
        decision: applies ? model.reviewed : null
      }
    })
  )
  const { project } = yield* readProject(client.token, fixture.projectId)
  const submissions = project.events.filter(({ kind }: { kind: string }) => kind === "SUBMIT")
  assert.lengthOf(submissions, model.submissions)
  for (const { job } of client.prepared) {
    const own = submissions.filter(({ requestId }: { requestId: string }) => requestId === job.requestId)
    assert.strictEqual(own.length, jobs.find(({ jobId }: any) => jobId === job.jobId).state === "SUBMITTED" ? 1 : 0)
  }
})

const runInterleaving = Effect.fnUntraced(function* (
  proxy: Proxy,
  steps: ReadonlyArray<Step>,
  reached: Map<string, number>
) {
  const fixture = yield* agreedProject()
  const client: ClientState = { token: fixture.token, generation: 1, prepared: [] }
  let model = locked
  for (const [index, step] of steps.entries()) {
    const expected = expectedOutcome(model, step)
    if (expected === undefined) continue
    const answer = yield* execute(fixture, client, proxy, step)
    const trail = `${index}: ${steps
      .slice(0, index + 1)
      .map(({ name }) => name)
      .join(" ")}`
    assert.strictEqual(answer, expected.answer, trail)
    count(reached, model, step, expected)
    model = expected.model
    yield* compare(fixture, client, model)
  }
})

const operationsOnOneJob: ReadonlySet<OperationName> = new Set(["RETRY_PREPARE", "SUBMIT", "SUBMIT_WITH_LOST_RESPONSE"])

/** Counts an operation on one job for that job, and any other operation for every job. */
const count = (reached: Map<string, number>, model: Model, { name, pick }: Step, { answer }: ExpectedOutcome) => {
  const jobs = operationsOnOneJob.has(name) ? [model.jobs[pick % model.jobs.length]!] : model.jobs
  const paused = model.isPaused ? " while paused" : ""
  const pairs = jobs.map((job) => `${jobStatusOf(job, model)} x ${name}`)
  for (const pair of new Set(pairs)) reached.set(pair, (reached.get(pair) ?? 0) + 1)
  for (const pair of new Set(pairs)) {
    const outcome = `${pair}${paused}: ${answer}`
    reached.set(outcome, (reached.get(outcome) ?? 0) + 1)
  }
}

it.live(
  "Saved jobs match the model for random interleavings with pauses, reviews, renewals and lost responses.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const proxy = yield* startProxy(yield* freshService)
        const reached = new Map<string, number>()
        const interleavings = fc.sample(arbitraryInterleaving, { numRuns: 24, seed: 20261124 })
        yield* Effect.forEach(interleavings, (steps) => runInterleaving(proxy, steps, reached), { discard: true }).pipe(
          Effect.provide(testService(postgresStorage(proxy.connection)))
        )
        const pairs = jobStatuses.flatMap((situation) => operationNames.map((name) => `${situation} x ${name}`))
        console.log(pairs.map((pair) => `${pair}: ${reached.get(pair) ?? 0}`).join("\n"))
        assert.deepStrictEqual(
          pairs.filter((pair) => !reached.has(pair)),
          []
        )
        const outcomes = [
          "CURRENT x SUBMIT: DONE",
          "CURRENT x SUBMIT_WITH_LOST_RESPONSE: DONE",
          "HEAD_MOVED x SUBMIT: STALE_EVENT_HEAD",
          "REVISION_CHANGED x SUBMIT: AGENT_CHANGED_REFRESH_REQUIRED",
          "REVISION_CHANGED x SUBMIT while paused: AGENT_PAUSED",
          "APPLIES x SUBMIT: REPLAYED",
          "APPLIES x SUBMIT while paused: REPLAYED",
          "REPLACED x SUBMIT: REPLAYED",
          "APPLIES x SUBMIT_DIRECTLY: DONE"
        ]
        assert.deepStrictEqual(
          outcomes.filter((one) => !reached.has(one)),
          []
        )
      })
    ),
  120_000
)
