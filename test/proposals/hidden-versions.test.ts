/** An unpublished version is private to the author: no refusal to a recipient discloses it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  answerOf,
  commandProposal,
  makeHolder,
  withoutRevision,
  personProposal,
  readProposal,
  recipientActions,
  updateOf
} from "../support/proposals.ts"
import { freshTestService } from "../support/service.ts"
import { peoplePair, createPublishedBy } from "../support/person-proposals.ts"
import { createdBody, outcome } from "../support/workspace.ts"

layer(freshTestService, { excludeTestServices: true })("a refusal to a recipient", (it) => {
  it.effect("A refusal to a recipient names their published version, not a newer draft.", () =>
    Effect.gen(function* () {
      const pair = yield* peoplePair
      const view = yield* createPublishedBy(pair)
      const { id } = view.proposal
      const { token } = yield* makeHolder(pair.buyer, "BUYER", recipientActions, { proposalIds: [id] })
      const before = createdBody(yield* readProposal(token, id))
      const stale = yield* answerOf(before, "DECLINE")
      createdBody(yield* personProposal(pair.supplier, view, "update", withoutRevision(yield* updateOf(view, pair))))
      const now = createdBody(yield* readProposal(token, id))
      const answer = yield* answerOf(now, "DECLINE")
      const wrongDigest = { ...answer, input: { ...answer.input, proposalDigest: "0".repeat(64) } }
      const bodies = {
        STALE_PROPOSAL_HEAD: stale,
        PROPOSAL_DIGEST_MISMATCH: wrongDigest,
        AGENT_CHANGED_REFRESH_REQUIRED: { ...answer, automationRevision: 7 }
      }
      for (const [code, body] of Object.entries(bodies)) {
        const refused = yield* commandProposal(token, id, "respond", body)
        assert.deepStrictEqual([...outcome(refused), refused.body.current.version], [409, code, 1])
      }
    })
  )
})
