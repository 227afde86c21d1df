/** Readiness predicts an acceptance: ready if it succeeds, otherwise the code of its refusal. */
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
  createPublishedProposal,
  readProposal,
  recipientActions,
  type PublishedProposal
} from "../support/proposals.ts"
import { at } from "../support/time.ts"

interface Situation {
  readonly token: string
  readonly time?: Instant
}

const pause = { side: "SUPPLIER", by: "person_x", at: "2026-01-01T00:00:00.000Z", reason: "Stop." } as const

/** The expected missing code and the setup of each situation. */
const situations = {
  "nothing missing": [undefined, ({ recipient }: PublishedProposal) => Effect.succeed<Situation>(recipient)],
  "a pause": [
    "AGENT_PAUSED",
    ({ recipient, proposalId }: PublishedProposal) =>
      Effect.as(alterProposal(proposalId, { pauses: [pause] }), recipient as Situation)
  ],
  "a full history": [
    "DELIVERY_HISTORY_LIMIT_REACHED",
    ({ recipient, proposalId }: PublishedProposal) =>
      Effect.as(alterProposal(proposalId, { eventCount: 100 }), recipient as Situation)
  ],
  "an ended proposal": [
    "STATE_CONFLICT",
    ({ recipient, proposalId }: PublishedProposal) =>
      Effect.as(alterProposal(proposalId, { state: "WITHDRAWN" }), recipient as Situation)
  ],
  "a passed deadline": [
    "DEADLINE_NOT_FUTURE",
    ({ recipient, view }: PublishedProposal) =>
      Effect.succeed<Situation>({ token: recipient.token, time: view.proposal.terms.deadline })
  ],
  "a missing requirement of the buyer's grant": [
    "SUBJECT_REQUIREMENTS_NOT_PRESERVED",
    ({ buyer, proposalId }: PublishedProposal) =>
      makeHolder(buyer, "BUYER", recipientActions, {
        proposalIds: [proposalId],
        subjectRequirements: [{ id: "own", statement: "A person issues.", humanDecisions: ["ISSUE"] }]
      })
  ],
  "a supplier who has left": [
    "UNKNOWN_SUPPLIER",
    ({ supplier, recipient }: PublishedProposal) =>
      Effect.as(endMembership("OPERATOR", { membershipId: supplier.membershipId }), recipient as Situation)
  ]
} as const

layer(memoryTestService, { excludeTestServices: true })("the readiness of a decision", (it) => {
  it.effect.each(Object.keys(situations) as ReadonlyArray<keyof typeof situations>)(
    "With %s, readiness names exactly the refusal of an acceptance.",
    (name) =>
      Effect.gen(function* () {
        const [code, prepare] = situations[name]
        const made = yield* createPublishedProposal()
        const { token, time }: Situation = yield* prepare(made)
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

  it.effect("An unknown signer of the buyer is missing in the buyer's readiness, not in the author's.", () =>
    Effect.gen(function* () {
      const outsider = yield* makeParty("Eve")
      const dates = { agreementSignBy: "2098-01-01T00:00:00.000Z", acceptanceSignBy: "2099-01-01T00:00:00.000Z" }
      const signing = { enabled: true, method: "EXTERNAL", principal: outsider.personId, ...dates }
      const terms = { signing, deadline: "2098-06-01T00:00:00.000Z", reviewDeadline: "2099-06-01T00:00:00.000Z" }
      const { author, recipient, proposalId } = yield* createPublishedProposal({}, terms)
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
