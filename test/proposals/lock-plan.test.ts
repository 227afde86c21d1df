/** An acceptance locks the grants that it will link, and none if it cannot succeed. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { onBehalfOf } from "../../src/people/acting-person.ts"
import { personAsCaller } from "../../src/proposals/person-caller.ts"
import type { ProposalCommand } from "../../src/proposals/decide.ts"
import { planCommand } from "../../src/proposals/plan.ts"
import { proposalStates } from "../../src/proposals/proposal.ts"
import { uuid } from "../support/parties.ts"
import { alterProposal, answerOf, commandProposal, proposalRow, createPublishedProposal } from "../support/proposals.ts"
import { freshTestService } from "../support/service.ts"
import { createdBody } from "../support/workspace.ts"

const answer = (action: "ACCEPT" | "DECLINE" | "REQUEST_CHANGES", proposalDigest: string): ProposalCommand => ({
  kind: "RESPOND",
  input: { requestId: uuid(), proposalDigest, action, reason: "Read it." }
})

layer(freshTestService, { excludeTestServices: true })("the lock plan of an answer to a proposal", (it) => {
  it.effect(
    "The plan of an acceptance locks the linked grants and the new agreement, and nothing if it cannot succeed.",
    () =>
      Effect.gen(function* () {
        const { buyer, author, recipient, proposalId, view } = yield* createPublishedProposal()
        const by = personAsCaller(onBehalfOf(buyer.personId), buyer.membershipId)
        const { headEventHash: head } = yield* proposalRow(proposalId)
        const plan = (expectedProposalHead: string, action: "ACCEPT" | "DECLINE" | "REQUEST_CHANGES") =>
          planCommand({ by, proposalId, expectedProposalHead, command: answer(action, view.proposal.digest) })
        const planned = yield* plan(head, "ACCEPT")
        const grants = planned.locks.filter(({ kind }) => kind === "grant").map(({ id }) => id)
        assert.sameMembers(grants, [author.grantId, recipient.grantId])
        assert.deepStrictEqual(
          planned.locks.filter(({ kind }) => kind !== "grant").map(({ kind, id }) => [kind, id]),
          [["project", planned.acceptance?.projectId]]
        )
        for (const action of ["DECLINE", "REQUEST_CHANGES"] as const) {
          assert.deepStrictEqual((yield* plan(head, action)).locks, [])
        }
        const stale = yield* plan("0".repeat(64), "ACCEPT")
        assert.deepStrictEqual([stale.locks, stale.acceptance], [[], undefined])
        for (const state of proposalStates.filter((one) => one !== "PUBLISHED" && one !== "ACCEPTED")) {
          yield* alterProposal(proposalId, { state })
          const refusedPlan = yield* plan(head, "ACCEPT")
          assert.deepStrictEqual([refusedPlan.locks, refusedPlan.acceptance], [[], undefined], state)
        }
        yield* alterProposal(proposalId, { state: "PUBLISHED" })
        createdBody(yield* commandProposal(recipient.token, proposalId, "respond", yield* answerOf(view, "ACCEPT")))
        const accepted = yield* plan((yield* proposalRow(proposalId)).headEventHash, "ACCEPT")
        assert.deepStrictEqual([accepted.locks, accepted.acceptance], [[], undefined])
      })
  )

  it.effect("The plan of a caller without access to the proposal locks nothing.", () =>
    Effect.gen(function* () {
      const { proposalId, view } = yield* createPublishedProposal()
      const by = personAsCaller(onBehalfOf(`person_${uuid()}`), `membership_${uuid()}`)
      const { headEventHash } = yield* proposalRow(proposalId)
      const command = answer("ACCEPT", view.proposal.digest)
      const { locks, stored } = yield* planCommand({ by, proposalId, expectedProposalHead: headEventHash, command })
      assert.deepStrictEqual([locks, stored], [[], undefined])
    })
  )
})
