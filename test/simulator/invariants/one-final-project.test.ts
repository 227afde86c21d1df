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

const made = () => world().commits("scout", created("delivery_1"), links("delivery_1"), accepted(2))

describe("one final project a proposal", () => {
  it("holds for one acceptance that makes one project", () => {
    assert.isUndefined(made().broken)
  })

  it("is broken by a second project, or by another one", () => {
    assert.include(made().commits("dana", created("delivery_2")).broken, "2 projects")
    assert.include(made().commits("dana", links("delivery_2")).broken, "changed its project")
  })

  it("is broken by a second acceptance", () => {
    assert.include(made().commits("dana", links("delivery_1"), accepted(3)).broken, "accepted 2 times")
  })

  it("is broken by a project that the proposal does not name, or that two name", () => {
    assert.include(world().commits("scout", created("delivery_1")).broken, "does not name")
    assert.include(made().commits("scout", links("delivery_1", "proposal_2")).broken, "2 proposals")
  })
})
