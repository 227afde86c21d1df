import { assert, describe, it } from "@effect/vitest"
import { ProjectEvents } from "../../../../src/projects/store.ts"
import { ProposalEvents, Proposals, ProposalVersions } from "../../../../src/proposals/store.ts"
import { oneProjectPerProposal } from "../../../../simulator/properties/safety/one-project-per-proposal.ts"
import { type Change, jwsOf, SyntheticRun, put } from "../../support/synthetic-run.ts"

const proposalId = "proposal_1"

const world = () =>
  new SyntheticRun(oneProjectPerProposal).holds(put(ProposalVersions, { proposalId, version: 1, digest: "terms" }))

const created = (projectId: string): Change =>
  put(ProjectEvents, { projectId, sequence: 1, jws: jwsOf({ kind: "CREATE", payload: { proposalDigest: "terms" } }) })
const links = (projectId: string, id = proposalId): Change => put(Proposals, { proposalId: id, projectId })
const accepted = (sequence: number): Change =>
  put(ProposalEvents, {
    proposalId,
    sequence,
    kind: "RESPOND",
    jws: jwsOf({ kind: "RESPOND", payload: { action: "ACCEPT" } })
  })

const linked = () => world().commits("scout", created("delivery_1"), links("delivery_1"), accepted(2))

describe("one project per proposal", () => {
  it("One acceptance that creates one project is allowed", () => {
    assert.isUndefined(linked().violation)
  })

  it("A second or changed project of a proposal is a violation", () => {
    assert.include(linked().commits("dana", created("delivery_2")).violation, "2 projects")
    assert.include(linked().commits("dana", links("delivery_2")).violation, "changed its project")
  })

  it("A second acceptance of a proposal is a violation", () => {
    assert.include(linked().commits("dana", links("delivery_1"), accepted(3)).violation, "accepted 2 times")
  })

  it("A project that no proposal names, or that two name, is a violation", () => {
    assert.include(world().commits("scout", created("delivery_1")).violation, "does not name")
    assert.include(linked().commits("scout", links("delivery_1", "proposal_2")).violation, "2 proposals")
  })
})
