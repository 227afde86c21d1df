import { assert, describe, it } from "@effect/vitest"
import { canonicalText } from "../../../../src/canonical/jcs.ts"
import { Grants } from "../../../../src/access/store.ts"
import { AutomationChanges, Issuances, ProjectEvents, Projects } from "../../../../src/projects/store.ts"
import { ProposalEvents, Proposals } from "../../../../src/proposals/store.ts"
import { JobEnvelopes, Jobs } from "../../../../src/jobs/store.ts"
import { noCommandOnAStaleHead } from "../../../../simulator/properties/safety/no-command-on-a-stale-head.ts"
import { type Change, SyntheticRun, put } from "../../support/synthetic-run.ts"

const projectId = "delivery_1"
const proposalId = "proposal_1"

const event = (sequence: number): Change => put(ProjectEvents, { projectId, sequence, hash: `hash ${sequence}` })
const at = (sequence: number, automationRevision = 3): Change =>
  put(Projects, { projectId, headEventHash: `hash ${sequence}`, automationRevision })
const envelope = (head: number, automationRevision: number) => ({
  expectedEventHash: `hash ${head}`,
  automationRevision,
  input: {}
})

const world = () =>
  new SyntheticRun(noCommandOnAStaleHead).holds(
    event(1),
    at(1),
    put(Proposals, { proposalId, headEventHash: "hash 1", automationRevision: 0 })
  )

const submits = (head: number, revision: number) =>
  world()
    .asks("courier", "POST", `/api/agents/v1/projects/${projectId}/submit`, envelope(head, revision))
    .commits("courier", event(2), at(2))

describe("no command on a stale head", () => {
  it("A command on the current head and revision is allowed, and on others it is a violation", () => {
    assert.isUndefined(submits(1, 3).violation)
    assert.include(submits(0, 3).violation, "another head")
    assert.include(submits(1, 2).violation, "revision 3")
  })

  it("A hand-off is checked against the revision before its own", () => {
    const handsOff = (revision: number) =>
      world()
        .asks("courier", "POST", `/api/agents/v1/projects/${projectId}/handoff`, envelope(1, revision))
        .commits("courier", at(1, 4), put(AutomationChanges, { projectId, revision: 4, paused: true }))
    assert.isUndefined(handsOff(3).violation)
    assert.include(handsOff(4).violation, "revision 3")
  })

  it("A response to a proposal is checked against the proposal's head", () => {
    const answers = (head: string) =>
      world()
        .holds(put(ProposalEvents, { proposalId, sequence: 1, hash: "hash 1" }))
        .asks("scout", "POST", `/api/agents/v1/proposals/${proposalId}/respond`, {
          expectedProposalHead: head,
          automationRevision: 0,
          input: {}
        })
        .commits("scout", put(ProposalEvents, { proposalId, sequence: 2, hash: "hash 2" }))
    assert.isUndefined(answers("hash 1").violation)
    assert.include(answers("hash 0").violation, "another head")
  })

  it("A job is checked against its saved envelope", () => {
    const sends = (head: number) =>
      world()
        .holds(
          put(Jobs, { jobId: "job_1", projectId }),
          put(JobEnvelopes, { jobId: "job_1", envelope: canonicalText(envelope(head, 3) as never) })
        )
        .asks("courier", "POST", "/api/agents/v1/jobs/job_1/submit", { confirmed: true })
        .commits("courier", event(2), at(2))
    assert.isUndefined(sends(1).violation)
    assert.include(sends(0).violation, "another head")
  })

  it("A record is checked against the head and revision of its issuance request", () => {
    const issues = (head: number, revision: number, grantId: string | null) =>
      world()
        .holds(
          put(Issuances, {
            projectId,
            grantId,
            status: "PENDING",
            headEventHash: `hash ${head}`,
            automationRevision: revision
          })
        )
        .commits("worker", event(2), at(2), put(Issuances, { projectId, status: "ISSUED" }))
    assert.isUndefined(issues(1, 3, "grant_1").violation)
    assert.include(issues(0, 3, "grant_1").violation, "another head")
    assert.include(issues(1, 2, "grant_1").violation, "another revision")
    assert.isUndefined(issues(1, 2, null).violation)
  })

  it("A renewal is checked against the generation before its own", () => {
    const renews = (expectedGeneration: number) =>
      world()
        .holds(put(Grants, { grantId: "grant_1", generation: 2 }))
        .asks("dana", "POST", "/api/workspace/grants/grant_1/renew", { requestId: "1", expectedGeneration })
        .commits("dana", put(Grants, { grantId: "grant_1", generation: 3 }))
    assert.isUndefined(renews(2).violation)
    assert.include(renews(1).violation, "generation 2")
  })
})
