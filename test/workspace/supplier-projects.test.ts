/** Projects offered to an agent of the supplier, and refusals of unavailable choices. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { authorities } from "../../src/people/membership.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { refusal } from "../../src/vocabulary/refusals.ts"
import { problemFromRefusal } from "../../src/workspace/access/grant-values.ts"
import { formOn, problemsOn, readPage, secretOn, submit } from "../support/page-forms.ts"
import {
  sendCommand,
  confirmAgreement,
  creationInput,
  makeAgent,
  readProject,
  respondTo,
  supplierActions
} from "../support/parties.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

const path = "/workspace/agents/new"

/** Sam accepted the terms for an organization that Kim is also a member of. */
const answeredTerms = Effect.gen(function* () {
  const dana = yield* signInNewPerson("Dana")
  const sam = yield* signInNewPerson("Sam")
  const kim = yield* signInNewPerson("Kim")
  const { organizationId } = sam
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  yield* createMembership({ personId: kim.personId, organizationId, authorities, validUntil })
  const { token } = yield* makeAgent(dana, "BUYER", ["CREATE_PROJECT"])
  const body = creationInput(sam, yield* confirmAgreement, yield* now)
  const projectId = (yield* send("POST", "/api/agents/v1/projects", { token, body })).body.project.taskId as string
  const agent = yield* makeAgent(sam, "SUPPLIER", supplierActions, [projectId])
  const view = yield* readProject(agent.token, projectId)
  const response = yield* sendCommand(agent.token, projectId, "respond", respondTo(view, { supplier: sam }))
  assert.strictEqual(response.status, 200, JSON.stringify(response.body))
  return { sam, kim, projectId, address: `${path}?organizationId=${organizationId}&role=SUPPLIER` }
})

layer(freshTestService, { excludeTestServices: true })("agents of the supplier", (it) => {
  it.effect("An agent of the supplier is offered only the projects that its own person represents.", () =>
    Effect.gen(function* () {
      const { sam, kim, projectId, address } = yield* answeredTerms
      const own = yield* readPage(sam, address)
      assert.include(own.text, projectId)
      const values = { agentName: "Scout", preset: "READ_ONLY", days: "7", projects: projectId }
      assert.match(secretOn(yield* submit(sam, formOn(own, path), values)), /^dda_/)
      const colleague = yield* readPage(kim, address)
      assert.notInclude(colleague.text, projectId)
      const refused = yield* submit(kim, formOn(colleague, path), values)
      assert.deepStrictEqual(
        [refused.status, problemsOn(refused)],
        [400, [["projects", "Choose again: the projects."]]]
      )
      assert.include(refused.text, 'value="Scout"')
    })
  )
})

describe("refusals of grant scopes", () => {
  const refused = refusal("FORBIDDEN", { detail: "It is not yours." })
  const offered = { projects: [{ projectId: "delivery_1" }], proposals: [{ id: "proposal_1" }] }

  it("An unavailable project is reported at the projects.", () => {
    const chosen = { projectIds: ["delivery_1", "delivery_2"] }
    assert.deepStrictEqual(problemFromRefusal(refused, chosen, offered), {
      field: "projects",
      message: "You no longer represent this party in one of these projects: choose again."
    })
  })

  it("An unavailable proposal is reported at the proposals.", () => {
    const chosen = { projectIds: ["delivery_1"], proposalIds: ["proposal_2"] }
    assert.deepStrictEqual(problemFromRefusal(refused, chosen, offered), {
      field: "proposals",
      message: "One of these proposals has ended, or you no longer represent this party in it: choose again."
    })
  })

  it("A proposal that has reached its limit of grants is reported at the proposals.", () => {
    const full = refusal("STATE_CONFLICT", { detail: "Too many." })
    const chosen = { projectIds: [], proposalIds: ["proposal_1"] }
    assert.deepStrictEqual(problemFromRefusal(full, chosen, offered), { field: "proposals", message: "Too many." })
  })

  it("Any other refusal is reported at the actions.", () => {
    const chosen = { projectIds: ["delivery_1"], proposalIds: ["proposal_1"] }
    assert.deepStrictEqual(problemFromRefusal(refused, chosen, offered), {
      field: "preset",
      message: "It is not yours."
    })
  })
})
