/** Readiness says what an acceptance would meet: it is ready where the acceptance succeeds, and names its refusal else. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { endMembership } from "../../src/people/memberships.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { makeParty } from "../support/parties.ts"
import {
  alterProposal,
  answerOf,
  commandProposal,
  makeHolder,
  published,
  readProposal,
  recipientActions,
  type Published
} from "../support/proposals.ts"
import { at } from "../support/time.ts"

interface Situation {
  readonly token: string
  readonly time?: Instant
}

const pause = { side: "SUPPLIER", by: "person_x", at: "2026-01-01T00:00:00.000Z", reason: "Stop." } as const

/** What stands in the way, how it comes about, and where its author sees it too. */
const situations = {
  nothing: [undefined, ({ recipient }: Published) => Effect.succeed<Situation>(recipient)],
  "a pause": [
    "AGENT_PAUSED",
    ({ recipient, proposalId }: Published) =>
      Effect.as(alterProposal(proposalId, { pauses: [pause] }), recipient as Situation)
  ],
  "a full history": [
    "DELIVERY_HISTORY_LIMIT_REACHED",
    ({ recipient, proposalId }: Published) =>
      Effect.as(alterProposal(proposalId, { eventCount: 100 }), recipient as Situation)
  ],
  "an ended proposal": [
    "STATE_CONFLICT",
    ({ recipient, proposalId }: Published) =>
      Effect.as(alterProposal(proposalId, { state: "WITHDRAWN" }), recipient as Situation)
  ],
  "a date that has passed": [
    "DEADLINE_NOT_FUTURE",
    ({ recipient, view }: Published) =>
      Effect.succeed<Situation>({ token: recipient.token, time: view.proposal.terms.deadline })
  ],
  "what binds the buyer's agent": [
    "SUBJECT_REQUIREMENTS_NOT_PRESERVED",
    ({ buyer, proposalId }: Published) =>
      makeHolder(buyer, "BUYER", recipientActions, {
        proposalIds: [proposalId],
        subjectRequirements: [{ id: "own", statement: "A person issues.", humanDecisions: ["ISSUE"] }]
      })
  ],
  "a supplier who has left": [
    "UNKNOWN_SUPPLIER",
    ({ supplier, recipient }: Published) =>
      Effect.as(endMembership("OPERATOR", { membershipId: supplier.membershipId }), recipient as Situation)
  ]
} as const

layer(memoryTestService, { excludeTestServices: true })("the readiness of a decision", (it) => {
  it.effect.each(Object.keys(situations) as ReadonlyArray<keyof typeof situations>)("with %s", (name) =>
    Effect.gen(function* () {
      const [code, bring] = situations[name]
      const made = yield* published()
      const { token, time }: Situation = yield* bring(made)
      const then = <A, E, R>(effect: Effect.Effect<A, E, R>) => (time === undefined ? effect : at(time)(effect))
      const seen = (yield* then(readProposal(token, made.proposalId))).body
      assert.deepStrictEqual(seen.decisionReadiness, {
        ready: code === undefined,
        missing: code === undefined ? [] : [code]
      })
      const body = yield* answerOf(seen, "ACCEPT")
      const accepted = yield* then(commandProposal(token, made.proposalId, "respond", body))
      assert.strictEqual(accepted.body.error, code, accepted.text)
    })
  )

  it.effect("names signers whom the buyer's organization does not know, to the buyer", () =>
    Effect.gen(function* () {
      const stranger = yield* makeParty("Eve")
      const dates = { agreementSignBy: "2098-01-01T00:00:00.000Z", acceptanceSignBy: "2099-01-01T00:00:00.000Z" }
      const signing = { enabled: true, method: "EXTERNAL", principal: stranger.personId, ...dates }
      const terms = { signing, deadline: "2098-06-01T00:00:00.000Z", reviewDeadline: "2099-06-01T00:00:00.000Z" }
      const { author, recipient, proposalId } = yield* published({}, terms)
      const forBuyer = (yield* readProposal(recipient.token, proposalId)).body
      assert.deepStrictEqual(forBuyer.decisionReadiness, { ready: false, missing: ["UNKNOWN_SIGNER"] })
      const forAuthor = (yield* readProposal(author.token, proposalId)).body
      assert.deepStrictEqual(forAuthor.decisionReadiness, { ready: true, missing: [] })
      const body = yield* answerOf(forBuyer, "ACCEPT")
      const accepted = yield* commandProposal(recipient.token, proposalId, "respond", body)
      assert.strictEqual(accepted.body.error, "UNKNOWN_SIGNER")
    })
  )
})
