/** A recipient may act for any of their organizations until the acceptance, then only for the accepting one. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { endMembership } from "../../src/people/memberships.ts"
import { freshTestService } from "../support/service.ts"
import {
  makeHolder,
  answerOf,
  withoutRevision,
  personProposal,
  proposalRow,
  readProposal
} from "../support/proposals.ts"
import { signInNewPerson } from "../support/sessions.ts"
import {
  acceptProposalBy,
  setAutomation,
  addToOrganization,
  peoplePair,
  createPublishedBy
} from "../support/person-proposals.ts"
import { createdBody, outcome, read } from "../support/workspace.ts"

layer(freshTestService, { excludeTestServices: true })("a recipient of several organizations", (it) => {
  it.effect("A recipient who has left the accepting organization has no access to the proposal.", () =>
    Effect.gen(function* () {
      const pair = yield* peoplePair
      const { buyer } = pair
      const firm = yield* signInNewPerson("Firm")
      const { membershipId } = yield* addToOrganization(buyer, firm)
      const view = yield* createPublishedBy(pair)
      const proposalIds = [view.proposal.id as string]
      const own = yield* makeHolder(buyer, "BUYER", ["RESPOND_PROPOSAL"], { proposalIds })
      const { organizationId } = firm
      const forFirm = yield* makeHolder({ ...buyer, organizationId }, "BUYER", ["RESPOND_PROPOSAL"], { proposalIds })
      assert.strictEqual((yield* readProposal(own.token, proposalIds[0]!)).status, 200)
      yield* acceptProposalBy(buyer, view, { organizationId })
      const elsewhere = yield* readProposal(own.token, proposalIds[0]!)
      assert.deepStrictEqual(outcome(elsewhere), [403, "FORBIDDEN_AGENT_ACTION"])
      assert.strictEqual((yield* readProposal(forFirm.token, proposalIds[0]!)).status, 200)
      assert.strictEqual(createdBody(yield* read(buyer, `/proposals/${proposalIds[0]}`)).organizationId, organizationId)
      yield* endMembership("OPERATOR", { membershipId })
      assert.deepStrictEqual(outcome(yield* read(buyer, `/proposals/${proposalIds[0]}`)), [403, "FORBIDDEN"])
      assert.deepStrictEqual(createdBody(yield* read(buyer, "/proposals")), { proposals: [] })
      assert.deepStrictEqual(outcome(yield* setAutomation(buyer, view, "pause")), [403, "FORBIDDEN"])
      assert.deepStrictEqual((yield* proposalRow(proposalIds[0]!)).pauses, [])
    })
  )

  it.effect.each(["ACCEPT", "DECLINE", "REQUEST_CHANGES"])(
    "A repeated %s is a replay although the recipient has joined other organizations since.",
    (action) =>
      Effect.gen(function* () {
        const pair = yield* peoplePair
        const { buyer } = pair
        const view = yield* createPublishedBy(pair)
        const body = withoutRevision(yield* answerOf(view, action))
        const first = createdBody(yield* personProposal(buyer, view, "respond", body))
        for (const name of ["Olga", "Eve"]) yield* addToOrganization(buyer, yield* signInNewPerson(name))
        const again = yield* personProposal(buyer, view, "respond", body)
        assert.deepStrictEqual([again.status, again.body.replayed], [200, true], again.text)
        assert.deepStrictEqual(again.body.proposal, first.proposal)
        if (action === "ACCEPT") assert.strictEqual(again.body.organizationId, buyer.organizationId)
      })
  )
})
