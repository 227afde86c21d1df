/** Which projects an agent of the supplier's side is offered, and what happens to a choice that cannot be given. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { authorities } from "../../src/people/membership.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { refusal } from "../../src/vocabulary/refusals.ts"
import { problemOfRefusal } from "../../src/workspace/grant-values.ts"
import { formOn, problemsOn, readPage, secretOn, submit } from "../support/page-forms.ts"
import {
  command,
  confirmAgreement,
  creation,
  makeAgent,
  readProject,
  respondTo,
  supplierActions
} from "../support/parties.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"

const path = "/workspace/agents/new"

/** Sam answered the terms of an agreement for an organization that Kim is a member of too. */
const answered = Effect.gen(function* () {
  const dana = yield* signInAnew("Dana")
  const sam = yield* signInAnew("Sam")
  const kim = yield* signInAnew("Kim")
  const { organizationId } = sam
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  yield* createMembership({ personId: kim.personId, organizationId, authorities, validUntil })
  const { token } = yield* makeAgent(dana, "BUYER", ["CREATE_PROJECT"])
  const body = creation(sam, yield* confirmAgreement, yield* now)
  const projectId = (yield* send("POST", "/api/agents/v1/projects", { token, body })).body.project.taskId as string
  const agent = yield* makeAgent(sam, "SUPPLIER", supplierActions, [projectId])
  const view = yield* readProject(agent.token, projectId)
  const response = yield* command(agent.token, projectId, "respond", respondTo(view, { supplier: sam }))
  assert.strictEqual(response.status, 200, JSON.stringify(response.body))
  return { sam, kim, projectId, address: `${path}?organizationId=${organizationId}&role=SUPPLIER` }
})

layer(freshTestService, { excludeTestServices: true })("an agent of the supplier's side", (it) => {
  it.effect("is offered the projects of its own person alone", () =>
    Effect.gen(function* () {
      const { sam, kim, projectId, address } = yield* answered
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

describe("a refusal of what was chosen", () => {
  const refused = refusal("FORBIDDEN", { detail: "It is not yours." })
  const offered = { projects: [{ projectId: "delivery_1" }], proposals: [{ id: "proposal_1" }] }

  it("stands at the projects where one of them is offered no more", () => {
    const chosen = { projectIds: ["delivery_1", "delivery_2"] }
    assert.deepStrictEqual(problemOfRefusal(refused, chosen, offered), {
      field: "projects",
      message: "You stand on this side of one of these projects no more: choose again."
    })
  })

  it("stands at the proposals where one of them is offered no more", () => {
    const chosen = { projectIds: ["delivery_1"], proposalIds: ["proposal_2"] }
    assert.deepStrictEqual(problemOfRefusal(refused, chosen, offered), {
      field: "proposals",
      message: "One of these proposals has ended, or you stand on this side of it no more: choose again."
    })
  })

  it("stands at the proposals where too many agents reach one of them", () => {
    const full = refusal("STATE_CONFLICT", { detail: "Too many." })
    const chosen = { projectIds: [], proposalIds: ["proposal_1"] }
    assert.deepStrictEqual(problemOfRefusal(full, chosen, offered), { field: "proposals", message: "Too many." })
  })

  it("stands at the actions where all projects and proposals are as they were", () => {
    const chosen = { projectIds: ["delivery_1"], proposalIds: ["proposal_1"] }
    assert.deepStrictEqual(problemOfRefusal(refused, chosen, offered), {
      field: "preset",
      message: "It is not yours."
    })
  })
})
