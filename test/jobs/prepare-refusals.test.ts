/** Refusals of a job's preparation: those of its submission at the same time. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { Projects } from "../../src/projects/store.ts"
import { addMilliseconds, now, type Instant } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { sendCommand, makeAgent, readProject, startProject, submissionFor, uuid } from "../support/parties.ts"
import { pauseAs, resumeAs } from "../support/people.ts"
import {
  commandAsPerson,
  createAgreementAsPerson,
  answerOf,
  readProjectAsPerson,
  signatureBy
} from "../support/person-commands.ts"
import { dateRevisionOf as agentsDateRevisionOf, jobOn } from "../support/requests.ts"
import { freshTestService, siteUrl } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"
import { createdBody } from "../support/workspace.ts"
import { agreedProject, assertOutcome, prepare, submit } from "./fixtures.ts"

/** Returns the previous size. */
const setHistoryBytes = Effect.fnUntraced(function* (projectId: string, historyBytes: number) {
  const storage = yield* Storage
  return yield* storage.transaction({ locks: [exclusive("project", projectId)] }, (transaction) =>
    Effect.gen(function* () {
      const row = yield* transaction.get(Projects, [projectId])
      yield* transaction.update(Projects, [projectId], { historyBytes })
      return row!.historyBytes
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("refused preparation of a job", (it) => {
  it.effect("Preparing a job out of scope is refused with the same 403 for an existing and an unknown project.", () =>
    Effect.gen(function* () {
      const { token, view } = yield* agreedProject()
      const other = yield* agreedProject()
      const [existing, missing] = yield* Effect.forEach([other.projectId, `delivery_${uuid()}`], (projectId) =>
        prepare(token, jobOn(view, { projectId }))
      )
      assertOutcome(existing!, 403, "FORBIDDEN_AGENT_PROJECT_SCOPE")
      assert.deepStrictEqual(existing!.body, missing!.body)
    })
  )

  it.effect(
    "A grant without SUBMIT_MATERIALS can prepare a job but not submit it; a grant of the buyer can do neither.",
    () =>
      Effect.gen(function* () {
        const { view, supplier, buyer, buyerAgent, projectId, token } = yield* agreedProject()
        const unauthorized = yield* makeAgent(supplier, "SUPPLIER", ["RESPOND_TERMS", "RAISE_CONCERN"], [projectId])
        const own = yield* prepare(unauthorized.token, jobOn(view))
        assert.strictEqual(own.status, 201)
        assertOutcome(yield* submit(unauthorized.token, own.body.jobId), 403, "FORBIDDEN_AGENT_ACTION")
        // Every other check of a submission applies to its preparation.
        assertOutcome(yield* prepare(buyerAgent.token, jobOn(view)), 403, "FORBIDDEN_AGENT_ACTION")
        const submitting = yield* makeAgent(buyer, "BUYER", ["REVIEW_DELIVERY", "CREATE_PROJECT"], [projectId])
        assertOutcome(yield* prepare(submitting.token, jobOn(view)), 403, "FORBIDDEN_AGENT_ACTION")
        const unanswered = jobOn(view, { materials: [] })
        assertOutcome(yield* prepare(unauthorized.token, unanswered), 409, "CRITERIA_INCOMPLETE")
        const { personId } = buyer
        yield* pauseAs({ personId, projectId, reason: "Stop." })
        assertOutcome(yield* prepare(unauthorized.token, jobOn(view)), 409, "AGENT_PAUSED")
        yield* resumeAs({ personId, projectId, reason: "Go on." })
        const revised = yield* readProject(unauthorized.token, projectId)
        assert.strictEqual((yield* prepare(unauthorized.token, jobOn(revised))).status, 201)
        const { body } = yield* prepare(token, jobOn(view))
        assertOutcome(yield* submit(unauthorized.token, body.jobId), 404, "NOT_FOUND")
      })
  )

  it.effect("Preparing a job in a state that allows no submission is refused.", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { token } = started.supplierAgent
      const view = yield* readProject(token, started.projectId)
      assertOutcome(yield* prepare(token, jobOn(view)), 409, "STATE_CONFLICT")
      const fixture = yield* agreedProject()
      createdBody(yield* sendCommand(fixture.token, fixture.projectId, "submit", submissionFor(fixture.view)))
      assertOutcome(yield* prepare(fixture.token, jobOn(fixture.view)), 409, "STATE_CONFLICT")
    })
  )

  it.effect("Preparing a job during a hold or after the deadline is refused.", () =>
    Effect.gen(function* () {
      const { token, view, buyer, projectId } = yield* agreedProject()
      const { deadline } = view.project.agreement
      const late = yield* at(addMilliseconds(deadline as Instant, 1))(prepare(token, jobOn(view)))
      assertOutcome(late, 409, "DELIVERY_DEADLINE_PASSED")
      assert.strictEqual(late.body.dueAt, deadline)
      const requester = yield* makeAgent(buyer, "BUYER", ["REQUEST_DATE_CHANGE"], [projectId])
      createdBody(yield* sendCommand(requester.token, projectId, "date-revision", agentsDateRevisionOf(view)))
      assertOutcome(yield* prepare(token, jobOn(view)), 409, "DATE_REVISION_PENDING")
    })
  )

  it.effect("Preparing a job with a missing criterion is refused.", () =>
    Effect.gen(function* () {
      const { token, view } = yield* agreedProject()
      assertOutcome(yield* prepare(token, jobOn(view, { materials: [] })), 409, "CRITERIA_INCOMPLETE")
    })
  )

  it.effect("Preparing a job is refused if its submission would exceed the history limit by one byte.", () =>
    Effect.gen(function* () {
      const { token, view, projectId } = yield* agreedProject()
      const most = limits.historyBytes - limits.historyBytesReserved
      const { jobId } = createdBody(yield* prepare(token, jobOn(view)))
      const before = yield* setHistoryBytes(projectId, 0)
      createdBody(yield* submit(token, jobId))
      const taken = yield* setHistoryBytes(projectId, before)
      const fixture = yield* agreedProject()
      yield* setHistoryBytes(fixture.projectId, most - taken)
      const fitting = createdBody(yield* prepare(fixture.token, jobOn(fixture.view)))
      yield* setHistoryBytes(fixture.projectId, most - taken + 1)
      const refused = yield* prepare(fixture.token, jobOn(fixture.view))
      assertOutcome(refused, 409, "DELIVERY_HISTORY_LIMIT_REACHED")
      assert.strictEqual(refused.body.requiredHumanAction, "REVIEW_CONTINUATION")
      assertOutcome(yield* submit(fixture.token, fitting.jobId), 409, "DELIVERY_HISTORY_LIMIT_REACHED")
      yield* setHistoryBytes(fixture.projectId, most - taken)
      createdBody(yield* submit(fixture.token, fitting.jobId))
    })
  )

  it.effect("A job can be prepared before both signatures, and its submission is refused with the person's page.", () =>
    Effect.gen(function* () {
      const buyer = yield* signInNewPerson("Dana")
      const supplier = yield* signInNewPerson("Sam")
      const today = yield* now
      const signing = signatureBy(buyer, supplier, "NATIVE", today)
      const projectId = yield* createAgreementAsPerson(buyer, supplier, { signing })
      createdBody(
        yield* commandAsPerson(
          supplier,
          projectId,
          "respond",
          answerOf(yield* readProjectAsPerson(supplier, projectId), supplier)
        )
      )
      const { token } = yield* makeAgent(supplier, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
      const view = yield* readProject(token, projectId)
      const job = jobOn(view)
      const { status, body } = yield* prepare(token, job)
      assert.strictEqual(status, 201)
      const again = yield* prepare(token, job)
      assert.deepStrictEqual([again.status, again.body], [201, { ...body, replayed: true }])
      const other = yield* prepare(token, { ...job, summary: "Another." })
      assertOutcome(other, 409, "REQUEST_ID_CONFLICT")
      // Checks after the missing signatures still apply.
      assertOutcome(yield* prepare(token, jobOn(view, { materials: [] })), 409, "CRITERIA_INCOMPLETE")
      const refused = yield* submit(token, body.jobId)
      assertOutcome(refused, 409, "WAIT_FOR_HUMAN")
      assert.deepInclude(refused.body, {
        requiredHumanAction: "SIGN_AGREEMENT",
        humanUrl: `${siteUrl}/workspace/projects/${projectId}`
      })
    })
  )
})
