/** Clock skew of less than a second between two servers: an event is never earlier than its authority. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { sendCommand, makeAgent, readProject, respondTo, startProject, supplierActions } from "../support/parties.ts"
import { grantAgent } from "../support/people.ts"
import { freshTestService } from "../support/service.ts"
import { at } from "../support/time.ts"

layer(freshTestService, { excludeTestServices: true })("clock skew between two servers", (it) => {
  it.effect("An agent's event is not earlier than a grant issued by a server whose clock is ahead.", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { supplier, projectId } = started
      const here = addMilliseconds(yield* now, 1_000)
      const ahead = addMilliseconds(here, 800)
      const agent = yield* makeAgent(supplier, "SUPPLIER", supplierActions, [projectId]).pipe(at(ahead))
      const view = yield* readProject(agent.token, projectId).pipe(at(here))
      const { status, body } = yield* sendCommand(agent.token, projectId, "respond", respondTo(view, started)).pipe(
        at(here)
      )
      assert.strictEqual(status, 200)
      assert.strictEqual(body.project.events.at(-1).occurredAt, ahead)
    })
  )

  it.effect("A command whose event time would be after the grant's expiry is refused with 401.", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { supplier, projectId } = started
      const here = addMilliseconds(yield* now, 1_000)
      const ahead = addMilliseconds(here, 800)
      // The last event is another agent's response on the server whose clock is ahead.
      const first = yield* makeAgent(supplier, "SUPPLIER", supplierActions, [projectId]).pipe(at(ahead))
      const open = yield* readProject(first.token, projectId).pipe(at(ahead))
      yield* sendCommand(first.token, projectId, "respond", respondTo(open, started)).pipe(at(ahead))
      const { personId, organizationId } = supplier
      const short = yield* grantAgent({
        personId,
        organizationId,
        role: "SUPPLIER",
        agentName: "Short",
        actions: supplierActions,
        projectIds: [projectId],
        subjectRequirements: [],
        expiresAt: addMilliseconds(here, 500)
      }).pipe(at(here))
      const view = yield* readProject(short.token, projectId).pipe(at(here))
      const submission = {
        expectedEventHash: view.project.headEventHash,
        automationRevision: view.automation.revision,
        input: {
          requestId: crypto.randomUUID(),
          agreementDigest: view.project.agreement.digest,
          previousSubmissionId: null,
          respondsToReviewId: null,
          summary: "The logo.",
          items: [{ criterionId: "vector", summary: "One.", references: [], files: [] }]
        }
      }
      const { status, body } = yield* sendCommand(short.token, projectId, "submit", submission).pipe(at(here))
      assert.deepStrictEqual([status, body.error], [401, "AUTH_INVALID"])
    })
  )
})
