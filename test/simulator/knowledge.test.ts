/** What a careful client plans from, and what it plans nothing from. */
import { assert, describe, it } from "@effect/vitest"
import { Knowledge, NotRead, UnknownState } from "../../simulator/operations/knowledge.ts"
import { states } from "../../src/projects/project.ts"

const projectId = "delivery_00000000-0000-4000-8000-000000000001"

const planAfter = (...answers: ReadonlyArray<{ readonly [member: string]: string }>) => {
  const knowledge = new Knowledge(() => "")
  for (const project of answers) knowledge.learn("readProject", { project: { taskId: projectId, ...project } })
  return knowledge.planFor({}, projectId)
}

describe("a client", () => {
  it.each(states)("plans from a project in %s", (state) => {
    assert.strictEqual(planAfter({ state, headEventHash: "abc" }).read("project.headEventHash"), "abc")
  })

  it("plans nothing from a state that it does not know, nor from none", () => {
    assert.throws(
      () => planAfter({ state: "ARBITRATED", headEventHash: "abc" }).read("project.headEventHash"),
      UnknownState
    )
    assert.throws(() => planAfter({ headEventHash: "abc" }).read("project.headEventHash"), UnknownState)
  })

  it("goes on once it has read one that it knows", () => {
    const plan = planAfter({ state: "ARBITRATED" }, { state: "LOCKED", headEventHash: "abc" })
    assert.strictEqual(plan.read("project.headEventHash"), "abc")
  })

  it("plans nothing before it has read", () => {
    assert.throws(() => planAfter().read("project.headEventHash"), NotRead)
  })
})
