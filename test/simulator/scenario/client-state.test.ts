/** The client state from which a careful client plans its requests. */
import { assert, describe, it } from "@effect/vitest"
import { draftStates } from "../../../src/drafts/draft.ts"
import { proposalStates } from "../../../src/proposals/proposal.ts"
import { ClientState, MissingClientState, UnknownState } from "../../../simulator/clients/client-state.ts"
import { states } from "../../../src/projects/project.ts"

const projectId = "delivery_00000000-0000-4000-8000-000000000001"

const planAfter = (...answers: ReadonlyArray<{ readonly [member: string]: string }>) => {
  const knowledge = new ClientState(() => "")
  for (const project of answers) knowledge.learn("readProject", { project: { taskId: projectId, ...project } })
  return knowledge.planFor({}, projectId)
}

const proposalId = "proposal_00000000-0000-4000-8000-000000000002"
const draftId = "draft_00000000-0000-4000-8000-000000000003"

const afterProposal = (proposal: { readonly [member: string]: string }) => {
  const knowledge = new ClientState(() => "")
  knowledge.learn("readProposal", { proposal: { id: proposalId, ...proposal } })
  return knowledge.planFor({}, proposalId)
}

const afterDraft = (draft: { readonly [member: string]: string | number }) => {
  const knowledge = new ClientState(() => "")
  knowledge.learn("readDraft", { draftId, ...draft })
  return knowledge.planFor({}, draftId)
}

describe("client state", () => {
  it.each(states)("A client plans from a project in the state %s", (state) => {
    assert.strictEqual(planAfter({ state, headEventHash: "abc" }).read("project.headEventHash"), "abc")
  })

  it("A client plans nothing from a project with an unknown or missing state", () => {
    assert.throws(
      () => planAfter({ state: "ARBITRATED", headEventHash: "abc" }).read("project.headEventHash"),
      UnknownState
    )
    assert.throws(() => planAfter({ headEventHash: "abc" }).read("project.headEventHash"), UnknownState)
  })

  it("A client plans again after it has read a known state", () => {
    const plan = planAfter({ state: "ARBITRATED" }, { state: "LOCKED", headEventHash: "abc" })
    assert.strictEqual(plan.read("project.headEventHash"), "abc")
  })

  it("A client plans nothing before a read", () => {
    assert.throws(() => planAfter().read("project.headEventHash"), MissingClientState)
  })

  it.each(proposalStates)("A client plans from a proposal in the state %s", (state) => {
    assert.strictEqual(afterProposal({ state, proposalHead: "abc" }).read("proposal.proposalHead"), "abc")
  })

  it.each(draftStates)("A client plans from a draft in the state %s", (state) => {
    assert.strictEqual(afterDraft({ state, revision: 3 }).read("revision"), 3)
  })

  it("A client plans nothing from a proposal or draft in an unknown state", () => {
    // A project state is no proposal state.
    assert.throws(() => afterProposal({ state: "LOCKED", proposalHead: "abc" }).read("proposal.digest"), UnknownState)
    assert.throws(() => afterDraft({ state: "SEALED", revision: 3 }).read("revision"), UnknownState)
  })

  it("The error for a missing read names the read step to add", () => {
    const knowledge = new ClientState(() => "")
    assert.throws(
      () => knowledge.planFor({}, proposalId).read("proposal.digest"),
      /this proposal; add a readProposal step/
    )
    assert.throws(() => knowledge.planFor({}, draftId).read("revision"), /this draft; add a readDraft step/)
  })

  it("A client approves the digest of a publication that it read, and selects all publications of a list", () => {
    const publication = { publicationId: "pub_1", publicationDigest: "abc", title: "A sea chart" }
    const client = new ClientState(() => "")
    assert.throws(() => client.planFor({}, "delivery_1/pub_1").publicationDigest(), /add a listPublications step/)
    assert.throws(() => client.planFor({}, "provider_1").listedSelections(), /add a listDisclosedPublications step/)
    client.learn("listPublications", { publications: [publication] })
    client.learn("listDisclosedPublications", { publications: [publication] })
    assert.strictEqual(client.planFor({}, "delivery_1/pub_1").publicationDigest(), "abc")
    assert.deepStrictEqual(client.planFor({}, "provider_1").listedSelections(), [
      { publicationId: "pub_1", publicationDigest: "abc" }
    ])
  })
})
