/** Any order of what agents and people do around saved jobs gives what a small model of them says. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { Refused } from "../../src/vocabulary/refusals.ts"
import { command, readProject, reviewOf, submissionFor, uuid } from "../support/parties.ts"
import { pauseAs, renewAs, resumeAs } from "../support/people.ts"
import { cuts, startProxy, type Proxy } from "../support/proxy.ts"
import { jobOn } from "../support/requests.ts"
import { freshService, postgresStorage, testService, type Answer } from "../support/service.ts"
import { made } from "../support/workspace.ts"
import { agreed, listJobs, prepare, submit, type Agreed } from "./world.ts"
import {
  anyLife,
  expect,
  happenings,
  locked,
  situationOf,
  situations,
  type Expected,
  type HappeningName,
  type Model,
  type Step
} from "./model.ts"

interface Prepared {
  readonly body: object
  readonly job: any
}

/** What the agent holds: its newest token, and everything that it prepared. */
interface Actor {
  token: string
  generation: number
  readonly prepared: Array<Prepared>
}

/** Keeps what was answered in the words of the model. */
const told = ({ status, body }: Answer): string => {
  if (body.error !== undefined) return body.error
  assert.include([200, 201], status)
  return body.replayed === true ? "AGAIN" : "DONE"
}

const carriedOut = <A, R>(effect: Effect.Effect<A, Refused, R>) =>
  Effect.match(effect, { onSuccess: () => "DONE", onFailure: ({ code }) => code as string })

const doIt = Effect.fnUntraced(function* (world: Agreed, actor: Actor, proxy: Proxy, { name, pick, review }: Step) {
  const { projectId, buyer, buyerAgent, supplier, supplierAgent } = world
  const picked = actor.prepared[pick % Math.max(1, actor.prepared.length)]
  const pause = { personId: buyer.personId, projectId, reason: "Stop." }
  switch (name) {
    case "PREPARE": {
      const body = jobOn(yield* readProject(actor.token, projectId))
      const answer = yield* prepare(actor.token, body)
      if (answer.status === 201) actor.prepared.push({ body, job: answer.body })
      return told(answer)
    }
    case "PREPARE_AGAIN": {
      const answer = yield* prepare(actor.token, picked!.body)
      assert.strictEqual(answer.body.jobId, picked!.job.jobId)
      return told(answer)
    }
    case "SUBMIT":
      return told(yield* submit(actor.token, picked!.job.jobId))
    case "SUBMIT_AND_LOSE_THE_ANSWER": {
      proxy.next = (ends) => {
        if (ends === "view") return undefined
        proxy.next = () => undefined
        return cuts[pick % cuts.length]
      }
      const answer = yield* submit(actor.token, picked!.job.jobId)
      proxy.next = () => undefined
      // Whoever did not see the answer asks again, and is told the same as if it were the first time or the second.
      const again = told(yield* submit(actor.token, picked!.job.jobId))
      assert.strictEqual(again, answer.status === 200 ? "AGAIN" : answer.body.error)
      return told(answer)
    }
    case "SUBMIT_DIRECTLY":
      return told(
        yield* command(actor.token, projectId, "submit", submissionFor(yield* readProject(actor.token, projectId)))
      )
    case "REVIEW": {
      const view = yield* readProject(buyerAgent.token, projectId)
      const submissionId = view.project.submission?.id ?? `submission_${uuid()}`
      return told(yield* command(buyerAgent.token, projectId, "review", reviewOf(view, review, { submissionId })))
    }
    case "PAUSE":
      return yield* carriedOut(pauseAs(pause))
    case "RESUME":
      return yield* carriedOut(resumeAs(pause))
    case "RENEW": {
      const { grantId } = supplierAgent
      const expectedGeneration = actor.generation++
      const renewed = yield* renewAs({ personId: supplier.personId, grantId, expectedGeneration })
      actor.token = "token" in renewed ? renewed.token : assert.fail("the renewal shows its token")
      return "DONE"
    }
  }
})

/** Every job as the model has it, and as many submissions. */
const compare = Effect.fnUntraced(function* (world: Agreed, actor: Actor, model: Model) {
  const { jobs } = made(yield* listJobs(actor.token, world.projectId))
  assert.deepStrictEqual(
    jobs.map((job: any) => ({
      jobId: job.jobId,
      state: job.state,
      projectState: job.projectState,
      applies: job.appliesToSavedSubmission,
      decision: job.decisionForSavedSubmission?.action ?? null
    })),
    model.jobs.map((job, index) => {
      const applies = situationOf(job, model) === "APPLIES"
      return {
        jobId: actor.prepared[index]!.job.jobId,
        state: job.submission === null ? "PREPARED" : "SUBMITTED",
        projectState: model.state,
        applies,
        decision: applies ? model.reviewed : null
      }
    })
  )
  const { project } = yield* readProject(actor.token, world.projectId)
  const submissions = project.events.filter(({ kind }: { kind: string }) => kind === "SUBMIT")
  assert.lengthOf(submissions, model.submissions)
  for (const { job } of actor.prepared) {
    const own = submissions.filter(({ requestId }: { requestId: string }) => requestId === job.requestId)
    assert.strictEqual(own.length, jobs.find(({ jobId }: any) => jobId === job.jobId).state === "SUBMITTED" ? 1 : 0)
  }
})

const live = Effect.fnUntraced(function* (proxy: Proxy, steps: ReadonlyArray<Step>, reached: Map<string, number>) {
  const world = yield* agreed()
  const actor: Actor = { token: world.token, generation: 1, prepared: [] }
  let model = locked
  for (const [index, step] of steps.entries()) {
    const expected = expect(model, step)
    if (expected === undefined) continue
    const answer = yield* doIt(world, actor, proxy, step)
    const trail = `${index}: ${steps
      .slice(0, index + 1)
      .map(({ name }) => name)
      .join(" ")}`
    assert.strictEqual(answer, expected.answer, trail)
    count(reached, model, step, expected)
    model = expected.model
    yield* compare(world, actor, model)
  }
})

const aboutOne: ReadonlySet<HappeningName> = new Set(["PREPARE_AGAIN", "SUBMIT", "SUBMIT_AND_LOSE_THE_ANSWER"])

/** What happens to one job is counted for it; what happens beside, for every job there is. */
const count = (reached: Map<string, number>, model: Model, { name, pick }: Step, { answer }: Expected) => {
  const touched = aboutOne.has(name) ? [model.jobs[pick % model.jobs.length]!] : model.jobs
  const paused = model.isPaused ? " while paused" : ""
  const pairs = touched.map((job) => `${situationOf(job, model)} x ${name}`)
  for (const pair of new Set(pairs)) reached.set(pair, (reached.get(pair) ?? 0) + 1)
  for (const pair of new Set(pairs)) {
    const outcome = `${pair}${paused}: ${answer}`
    reached.set(outcome, (reached.get(outcome) ?? 0) + 1)
  }
}

it.live(
  "whatever happens around saved jobs, each is submitted once at most, and says what the project says",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const proxy = yield* startProxy(yield* freshService)
        const reached = new Map<string, number>()
        const lives = fc.sample(anyLife, { numRuns: 24, seed: 20261124 })
        yield* Effect.forEach(lives, (steps) => live(proxy, steps, reached), { discard: true }).pipe(
          Effect.provide(testService(postgresStorage(proxy.connection)))
        )
        const pairs = situations.flatMap((situation) => happenings.map((name) => `${situation} x ${name}`))
        console.log(pairs.map((pair) => `${pair}: ${reached.get(pair) ?? 0}`).join("\n"))
        assert.deepStrictEqual(
          pairs.filter((pair) => !reached.has(pair)),
          []
        )
        const outcomes = [
          "FITS x SUBMIT: DONE",
          "FITS x SUBMIT_AND_LOSE_THE_ANSWER: DONE",
          "HEAD_MOVED x SUBMIT: STALE_EVENT_HEAD",
          "REVISION_CHANGED x SUBMIT: AGENT_CHANGED_REFRESH_REQUIRED",
          "REVISION_CHANGED x SUBMIT while paused: AGENT_PAUSED",
          "APPLIES x SUBMIT: AGAIN",
          "APPLIES x SUBMIT while paused: AGAIN",
          "REPLACED x SUBMIT: AGAIN",
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
