/** Concurrent requests about saved jobs on two servers. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { now } from "../../src/vocabulary/instant.ts"
import {
  sendCommand,
  confirmAgreement,
  creationInput,
  makeAgent,
  readProject,
  respondTo,
  submissionFor,
  supplierActions
} from "../support/parties.ts"
import { pauseAs } from "../support/people.ts"
import { jobOn } from "../support/requests.ts"
import { send } from "../support/service.ts"
import { createdBody, outcome } from "../support/workspace.ts"
import {
  agreedProject,
  listJobs,
  prepare,
  preparedJob,
  readJob,
  setJobCount,
  submit,
  twoServices,
  type AgreedProject
} from "./fixtures.ts"

const unbounded = { concurrency: "unbounded" } as const
const times = (count: number) => Array.from({ length: count })

const submissionsOf = ({ token, projectId }: AgreedProject) =>
  Effect.map(readProject(token, projectId), ({ project }) =>
    project.events.filter(({ kind }: { kind: string }) => kind === "SUBMIT")
  )

/** One grant of a supplier on two projects with agreed terms. */
const grantOnTwoProjects = Effect.gen(function* () {
  const { buyerAgent, supplier, projectId } = yield* agreedProject()
  const body = creationInput(supplier, yield* confirmAgreement, yield* now)
  const created = createdBody(yield* send("POST", "/api/agents/v1/projects", { token: buyerAgent.token, body }))
  const both = [projectId, created.project.taskId as string]
  const { token, grantId } = yield* makeAgent(supplier, "SUPPLIER", supplierActions, both)
  const response = respondTo(yield* readProject(token, both[1]!), { supplier })
  createdBody(yield* sendCommand(token, both[1]!, "respond", response))
  return { token, grantId, views: yield* Effect.forEach(both, (id) => readProject(token, id)) }
})

layer(twoServices, { excludeTestServices: true })("concurrent requests on two servers", (it) => {
  it.effect("20 concurrent submissions of one job make one submission; 19 are replays.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      const { jobId, requestId } = yield* preparedJob(fixture)
      const answers = yield* Effect.all(
        times(20).map(() => submit(fixture.token, jobId)),
        unbounded
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
      assert.lengthOf(
        answers.filter(({ body }) => body.replayed !== true),
        1
      )
      assert.strictEqual(new Set(answers.map(({ body }) => body.submissionId)).size, 1)
      assert.deepStrictEqual([...new Set(answers.map(({ body }) => body.state))], ["SUBMITTED"])
      assert.deepStrictEqual(
        (yield* submissionsOf(fixture)).map((event: any) => event.requestId),
        [requestId]
      )
    })
  )

  it.effect("Of 10 jobs on one head at most one is submitted; the others stay prepared.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      const jobs = yield* Effect.forEach(times(10), () => preparedJob(fixture))
      const direct = sendCommand(fixture.token, fixture.projectId, "submit", submissionFor(fixture.view))
      const [answers, sent] = yield* Effect.all(
        [Effect.forEach(jobs, ({ jobId }) => submit(fixture.token, jobId), unbounded), direct],
        unbounded
      )
      const outcomes = [...answers, sent].map((answer) => outcome(answer).join())
      assert.deepStrictEqual(outcomes.toSorted(), ["200", ...times(10).map(() => "409,STALE_EVENT_HEAD")])
      assert.lengthOf(yield* submissionsOf(fixture), 1)
      const { body } = yield* listJobs(fixture.token, fixture.projectId)
      const submitted = body.jobs.filter(({ state }: any) => state === "SUBMITTED")
      assert.lengthOf(submitted, sent.status === 200 ? 0 : 1)
    })
  )

  it.effect("20 concurrent preparations under one request id make one job.", () =>
    Effect.gen(function* () {
      const fixture = yield* agreedProject()
      const body = jobOn(fixture.view)
      const answers = yield* Effect.all(
        times(20).map(() => prepare(fixture.token, body)),
        unbounded
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [201])
      assert.strictEqual(new Set(answers.map((answer) => answer.body.jobId)).size, 1)
      assert.lengthOf(
        answers.filter((answer) => answer.body.replayed !== true),
        1
      )
      assert.lengthOf((yield* listJobs(fixture.token, fixture.projectId)).body.jobs, 1)
    })
  )

  it.effect("A request id is used by a preparation or a submission, never by both.", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 6; round++) {
        const fixture = yield* agreedProject()
        const body = jobOn(fixture.view)
        const direct = submissionFor(fixture.view, { requestId: body.requestId })
        const [job, sent] = yield* Effect.all(
          [prepare(fixture.token, body), sendCommand(fixture.token, fixture.projectId, "submit", direct)],
          unbounded
        )
        const outcomes = [job, sent].map((answer) => outcome(answer).join())
        assert.include(["201 409,REQUEST_ID_CONFLICT", "409,REQUEST_ID_CONFLICT 200"], outcomes.join(" "))
      }
    })
  )

  it.effect("The limit of 500 jobs of a grant holds for concurrent preparations on two projects.", () =>
    Effect.gen(function* () {
      const { token, grantId, views } = yield* grantOnTwoProjects
      yield* setJobCount(grantId, 499)
      const answers = yield* Effect.all(
        times(12).map((_, index) => prepare(token, jobOn(views[index % 2]))),
        unbounded
      )
      assert.deepStrictEqual(answers.map((answer) => outcome(answer).join()).toSorted(), [
        "201",
        ...times(11).map(() => "429,SAVED_JOB_LIMIT")
      ])
      const lists = yield* Effect.forEach(views, ({ project }) => listJobs(token, project.taskId))
      assert.lengthOf(
        lists.flatMap(({ body }) => body.jobs),
        1
      )
    })
  )

  it.effect("No saved job is submitted after a pause is acknowledged.", () =>
    Effect.gen(function* () {
      const outcomes = { submitted: 0, stopped: 0 }
      for (let round = 0; round < 8; round++) {
        const fixture = yield* agreedProject()
        const { jobId } = yield* preparedJob(fixture)
        const pause = pauseAs({ personId: fixture.buyer.personId, projectId: fixture.projectId, reason: "Stop." })
        const submissions = Effect.all(
          times(4).map(() => submit(fixture.token, jobId)),
          unbounded
        )
        // The pause starts from 32 ms before to 24 ms after the submissions.
        const delay = (round - 4) * 8
        const [, answers] = yield* Effect.all(
          [
            Effect.andThen(Effect.sleep(Math.max(0, delay)), pause),
            Effect.andThen(Effect.sleep(Math.max(0, -delay)), submissions)
          ],
          unbounded
        )
        const late = yield* submit(fixture.token, jobId)
        const { state } = createdBody(yield* readJob(fixture.token, jobId))
        const events = yield* submissionsOf(fixture)
        if (state === "SUBMITTED") {
          outcomes.submitted++
          assert.lengthOf(events, 1)
          assert.strictEqual(late.body.replayed, true)
        } else {
          outcomes.stopped++
          assert.lengthOf(events, 0)
          for (const answer of [...answers, late]) assert.deepStrictEqual(outcome(answer), [409, "AGENT_PAUSED"])
        }
      }
      assert.isAbove(outcomes.submitted, 0)
      assert.isAbove(outcomes.stopped, 0)
    })
  )
})
