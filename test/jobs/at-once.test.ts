/** The same job from many sides at once, on two servers. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { now } from "../../src/vocabulary/instant.ts"
import {
  command,
  confirmAgreement,
  creation,
  makeAgent,
  readProject,
  respondTo,
  submissionFor,
  supplierActions
} from "../support/parties.ts"
import { pauseAs } from "../support/people.ts"
import { jobOn } from "../support/requests.ts"
import { send } from "../support/service.ts"
import { made, outcome } from "../support/workspace.ts"
import { agreed, listJobs, prepare, prepared, readJob, setJobCount, submit, twoServices, type Agreed } from "./world.ts"

const unbounded = { concurrency: "unbounded" } as const
const times = (count: number) => Array.from({ length: count })

const submissionsOf = ({ token, projectId }: Agreed) =>
  Effect.map(readProject(token, projectId), ({ project }) =>
    project.events.filter(({ kind }: { kind: string }) => kind === "SUBMIT")
  )

/** One grant of a supplier on two projects whose terms are agreed. */
const agreedTwice = Effect.gen(function* () {
  const { buyerAgent, supplier, projectId } = yield* agreed()
  const body = creation(supplier, yield* confirmAgreement, yield* now)
  const created = made(yield* send("POST", "/api/agents/v1/projects", { token: buyerAgent.token, body }))
  const both = [projectId, created.project.taskId as string]
  const { token, grantId } = yield* makeAgent(supplier, "SUPPLIER", supplierActions, both)
  const answering = respondTo(yield* readProject(token, both[1]!), { supplier })
  made(yield* command(token, both[1]!, "respond", answering))
  return { token, grantId, views: yield* Effect.forEach(both, (id) => readProject(token, id)) }
})

layer(twoServices, { excludeTestServices: true })("at once", (it) => {
  it.effect("20 submissions of one job are one submission, and all are told of it", () =>
    Effect.gen(function* () {
      const world = yield* agreed()
      const { jobId, requestId } = yield* prepared(world)
      const answers = yield* Effect.all(
        times(20).map(() => submit(world.token, jobId)),
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
        (yield* submissionsOf(world)).map((event: any) => event.requestId),
        [requestId]
      )
    })
  )

  it.effect("10 jobs on one head are one submission; the others stay prepared", () =>
    Effect.gen(function* () {
      const world = yield* agreed()
      const jobs = yield* Effect.forEach(times(10), () => prepared(world))
      const direct = command(world.token, world.projectId, "submit", submissionFor(world.view))
      const [answers, sent] = yield* Effect.all(
        [Effect.forEach(jobs, ({ jobId }) => submit(world.token, jobId), unbounded), direct],
        unbounded
      )
      const outcomes = [...answers, sent].map((answer) => outcome(answer).join())
      assert.deepStrictEqual(outcomes.toSorted(), ["200", ...times(10).map(() => "409,STALE_EVENT_HEAD")])
      assert.lengthOf(yield* submissionsOf(world), 1)
      const { body } = yield* listJobs(world.token, world.projectId)
      const submitted = body.jobs.filter(({ state }: any) => state === "SUBMITTED")
      assert.lengthOf(submitted, sent.status === 200 ? 0 : 1)
    })
  )

  it.effect("20 preparations under one request id are one job", () =>
    Effect.gen(function* () {
      const world = yield* agreed()
      const body = jobOn(world.view)
      const answers = yield* Effect.all(
        times(20).map(() => prepare(world.token, body)),
        unbounded
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [201])
      assert.strictEqual(new Set(answers.map((answer) => answer.body.jobId)).size, 1)
      assert.lengthOf(
        answers.filter((answer) => answer.body.replayed !== true),
        1
      )
      assert.lengthOf((yield* listJobs(world.token, world.projectId)).body.jobs, 1)
    })
  )

  it.effect("one request id is a preparation or a submission, never both", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 6; round++) {
        const world = yield* agreed()
        const body = jobOn(world.view)
        const direct = submissionFor(world.view, { requestId: body.requestId })
        const [job, sent] = yield* Effect.all(
          [prepare(world.token, body), command(world.token, world.projectId, "submit", direct)],
          unbounded
        )
        const outcomes = [job, sent].map((answer) => outcome(answer).join())
        assert.include(["201 409,REQUEST_ID_CONFLICT", "409,REQUEST_ID_CONFLICT 200"], outcomes.join(" "))
      }
    })
  )

  it.effect("the 500th and what is too many, on two projects of one grant: exactly one of 12 is prepared", () =>
    Effect.gen(function* () {
      const { token, grantId, views } = yield* agreedTwice
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

  it.effect("a pause and submissions: once the pause has answered, nothing is submitted", () =>
    Effect.gen(function* () {
      const seen = { submitted: 0, stopped: 0 }
      for (let round = 0; round < 8; round++) {
        const world = yield* agreed()
        const { jobId } = yield* prepared(world)
        const pausing = pauseAs({ personId: world.buyer.personId, projectId: world.projectId, reason: "Stop." })
        const submitting = Effect.all(
          times(4).map(() => submit(world.token, jobId)),
          unbounded
        )
        // From well before the submissions to well after they began.
        const ahead = (round - 4) * 8
        const [, answers] = yield* Effect.all(
          [
            Effect.andThen(Effect.sleep(Math.max(0, ahead)), pausing),
            Effect.andThen(Effect.sleep(Math.max(0, -ahead)), submitting)
          ],
          unbounded
        )
        const late = yield* submit(world.token, jobId)
        const { state } = made(yield* readJob(world.token, jobId))
        const events = yield* submissionsOf(world)
        if (state === "SUBMITTED") {
          seen.submitted++
          assert.lengthOf(events, 1)
          assert.strictEqual(late.body.replayed, true)
        } else {
          seen.stopped++
          assert.lengthOf(events, 0)
          for (const answer of [...answers, late]) assert.deepStrictEqual(outcome(answer), [409, "AGENT_PAUSED"])
        }
      }
      assert.isAbove(seen.submitted, 0)
      assert.isAbove(seen.stopped, 0)
    })
  )
})
