import { assert, describe, it } from "@effect/vitest"
import { ProjectEvents } from "../../../src/projects/store.ts"
import { ProposalEvents, Proposals, ProposalVersions } from "../../../src/proposals/store.ts"
import { oneFinalProject } from "../../../simulator/invariants/one-final-project.ts"
import { type Change, jwsOf, MadeUp, put } from "../support/made-up.ts"

const proposalId = "proposal_1"

const world = () =>
  new MadeUp(oneFinalProject).holds(put(ProposalVersions, { proposalId, version: 1, digest: "terms" }))

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
    assert.isUndefined(linked().broken)
  })

  it("A second or changed project of a proposal is a violation", () => {
    assert.include(linked().commits("dana", created("delivery_2")).broken, "2 projects")
    assert.include(linked().commits("dana", links("delivery_2")).broken, "changed its project")
  })

  it("A second acceptance of a proposal is a violation", () => {
    assert.include(linked().commits("dana", links("delivery_1"), accepted(3)).broken, "accepted 2 times")
  })

  it("A project that no proposal names, or that two name, is a violation", () => {
    assert.include(world().commits("scout", created("delivery_1")).broken, "does not name")
    assert.include(linked().commits("scout", links("delivery_1", "proposal_2")).broken, "2 proposals")
  })
})
