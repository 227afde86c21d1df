/** What a careful client plans from, and what it plans nothing from. */
import { assert, describe, it } from "@effect/vitest"
import { draftStates } from "../../src/drafts/draft.ts"
import { proposalStates } from "../../src/proposals/proposal.ts"
import { Knowledge, NotRead, UnknownState } from "../../simulator/operations/knowledge.ts"
import { states } from "../../src/projects/project.ts"

const projectId = "delivery_00000000-0000-4000-8000-000000000001"

const planAfter = (...answers: ReadonlyArray<{ readonly [member: string]: string }>) => {
  const knowledge = new Knowledge(() => "")
  for (const project of answers) knowledge.learn("readProject", { project: { taskId: projectId, ...project } })
  return knowledge.planFor({}, projectId)
}

const proposalId = "proposal_00000000-0000-4000-8000-000000000002"
const draftId = "draft_00000000-0000-4000-8000-000000000003"

const afterProposal = (proposal: { readonly [member: string]: string }) => {
  const knowledge = new Knowledge(() => "")
  knowledge.learn("readProposal", { proposal: { id: proposalId, ...proposal } })
  return knowledge.planFor({}, proposalId)
}

const afterDraft = (draft: { readonly [member: string]: string | number }) => {
  const knowledge = new Knowledge(() => "")
  knowledge.learn("readDraft", { draftId, ...draft })
  return knowledge.planFor({}, draftId)
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

  it.each(proposalStates)("plans from a proposal in %s", (state) => {
    assert.strictEqual(afterProposal({ state, proposalHead: "abc" }).read("proposal.proposalHead"), "abc")
  })

  it.each(draftStates)("plans from a draft in %s", (state) => {
    assert.strictEqual(afterDraft({ state, revision: 3 }).read("revision"), 3)
  })

  it("plans nothing on a proposal or a draft in a state that it does not know", () => {
    // A state of a project is none of a proposal.
    assert.throws(() => afterProposal({ state: "LOCKED", proposalHead: "abc" }).read("proposal.digest"), UnknownState)
    assert.throws(() => afterDraft({ state: "SEALED", revision: 3 }).read("revision"), UnknownState)
  })

  it("names what it has not read", () => {
    const knowledge = new Knowledge(() => "")
    assert.throws(
      () => knowledge.planFor({}, proposalId).read("proposal.digest"),
      /this proposal; add a readProposal step/
    )
    assert.throws(() => knowledge.planFor({}, draftId).read("revision"), /this draft; add a readDraft step/)
  })
})
