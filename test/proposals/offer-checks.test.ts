/** The checks when a proposal is written, published and accepted: supplier, documents, authority. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { endMembership } from "../../src/people/memberships.ts"
import { authorities } from "../../src/people/membership.ts"
import { Memberships } from "../../src/people/store.ts"
import { Installation } from "../../src/ports/installation.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { assertRefusal } from "../support/errors.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { makeParty, uuid } from "../support/parties.ts"
import {
  answerOf,
  authorActions,
  colleagueOf,
  commandProposal,
  createProposal,
  createDraftProposal,
  handOffOf,
  addContactFor,
  makeHolder,
  makePair,
  withoutRevision,
  personProposal,
  proposalFor,
  createPublishedProposal,
  readProposal,
  updateOf,
  versionOf
} from "../support/proposals.ts"
import { legalText, siteUrl, type Answer } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody, outcome } from "../support/workspace.ts"

const noDigest = "0".repeat(64)

/** The whole body of a refusal, in its documented format. */
const refused = (answer: Answer) => {
  assertRefusal(answer)
  return answer.body
}

/** Runs an effect under a changed configuration of the operator. */
const withConfiguration = <A, E, R>(changes: Partial<Installation["Service"]>, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Installation, (installation) => {
    const before = { ...installation }
    return Effect.acquireUseRelease(
      Effect.sync(() => Object.assign(installation, changes)),
      () => effect,
      () => Effect.sync(() => Object.assign(installation, before))
    )
  })

layer(memoryTestService, { excludeTestServices: true })("the checks of an offer", (it) => {
  it.effect(
    "The supplier must be a member of the author's organization when a proposal is written and when it is published.",
    () =>
      Effect.gen(function* () {
        const pair = yield* makePair()
        const { supplier } = pair
        const author = yield* makeHolder(supplier, "SUPPLIER", authorActions)
        const eve = yield* makeParty("Eve")
        for (const supplierActorId of [eve.personId, `person_${uuid()}`]) {
          const body = yield* proposalFor(pair, {}, { supplierActorId })
          assert.deepStrictEqual(outcome(yield* createProposal(author.token, body)), [409, "UNKNOWN_SUPPLIER"])
        }
        const mia = yield* colleagueOf(supplier)
        const body = yield* proposalFor(pair, {}, { supplierActorId: mia.personId })
        const view = createdBody(yield* createProposal(author.token, body))
        yield* endMembership("OPERATOR", { membershipId: mia.membershipId })
        const late = yield* commandProposal(author.token, view.proposal.id, "publish", versionOf(view))
        assert.deepStrictEqual(outcome(late), [409, "UNKNOWN_SUPPLIER"])
      })
  )

  it.effect("The default supplier of a proposal is its author.", () =>
    Effect.gen(function* () {
      const { view, supplier } = yield* createDraftProposal({}, { supplierActorId: undefined })
      assert.strictEqual(view.proposal.terms.supplierActorId, supplier.personId)
      assert.strictEqual(view.proposal.supplier.actorId, supplier.personId)
    })
  )

  it.effect(
    "A proposal is refused with LEGAL_DOCUMENTS_CHANGED once its legal documents are outdated, at every step.",
    () =>
      Effect.gen(function* () {
        const changed = {
          legalTexts: [
            { kind: "TERMS", version: "2", digest: noDigest, url: `${siteUrl}/legal/TERMS/2`, text: legalText }
          ]
        }
        const unwritten = yield* makePair()
        const agent = yield* makeHolder(unwritten.supplier, "SUPPLIER", authorActions)
        const draft = yield* createDraftProposal()
        const shown = yield* createPublishedProposal()
        const toAccept = yield* answerOf(shown.view, "ACCEPT")
        const answers = yield* withConfiguration(
          changed,
          Effect.all([
            Effect.flatMap(proposalFor(unwritten), (body) => createProposal(agent.token, body)),
            Effect.flatMap(updateOf(draft.view, draft), (body) =>
              commandProposal(draft.author.token, draft.proposalId, "update", body)
            ),
            commandProposal(draft.author.token, draft.proposalId, "publish", versionOf(draft.view)),
            commandProposal(shown.recipient.token, shown.proposalId, "respond", toAccept)
          ])
        )
        for (const answer of answers) assert.strictEqual(refused(answer).error, "LEGAL_DOCUMENTS_CHANGED")
        const seen = yield* withConfiguration(changed, readProposal(shown.recipient.token, shown.proposalId))
        assert.deepStrictEqual(seen.body.decisionReadiness, { ready: false, missing: ["LEGAL_DOCUMENTS_CHANGED"] })
        const decline = yield* answerOf(shown.view, "DECLINE")
        const declined = yield* withConfiguration(
          changed,
          commandProposal(shown.recipient.token, shown.proposalId, "respond", decline)
        )
        assert.strictEqual(declined.status, 200)
      })
  )

  it.effect("A proposal is refused if the operator lacks a requirement of agreements.", () =>
    Effect.gen(function* () {
      const unmet = { prerequisites: [{ id: "insurance", statement: "Insurance", met: false }] }
      const { recipient, proposalId, view } = yield* createPublishedProposal()
      const answer = yield* answerOf(view, "ACCEPT")
      const accepted = yield* withConfiguration(unmet, commandProposal(recipient.token, proposalId, "respond", answer))
      assert.deepInclude(refused(accepted), {
        error: "REVIEW_CREATION_REQUIREMENTS",
        detail: "The operator has not met these prerequisites of an agreement: insurance."
      })
      assert.strictEqual((yield* commandProposal(recipient.token, proposalId, "respond", answer)).status, 200)
    })
  )

  it.effect(
    "Without PROPOSAL_MANAGE in the author's membership neither agent nor person can act on the proposal.",
    () =>
      Effect.gen(function* () {
        const supplier = yield* signInNewPerson("Sam")
        const buyer = yield* signInNewPerson("Dana")
        yield* addContactFor(supplier, buyer)
        const author = yield* makeHolder(supplier, "SUPPLIER", authorActions)
        const view = createdBody(yield* createProposal(author.token, yield* proposalFor({ supplier, buyer })))
        const { membershipId } = supplier
        const storage = yield* Storage
        yield* storage.transaction({ locks: [exclusive("membership", membershipId)] }, (transaction) =>
          transaction.update(Memberships, [membershipId], {
            authorities: authorities.filter((authority) => authority !== "PROPOSAL_MANAGE")
          })
        )
        const { id } = view.proposal
        const update = yield* updateOf(view, { supplier, buyer })
        for (const answer of [
          yield* createProposal(author.token, yield* proposalFor({ supplier, buyer })),
          yield* commandProposal(author.token, id, "update", update),
          yield* commandProposal(author.token, id, "publish", versionOf(view)),
          yield* commandProposal(author.token, id, "withdraw", versionOf(view)),
          yield* commandProposal(author.token, id, "handoff", handOffOf(view))
        ]) {
          assert.strictEqual(refused(answer).error, "FORBIDDEN_AGENT_ACTION")
        }
        assert.deepStrictEqual((yield* readProposal(author.token, id)).body.availableActions, [])
        const asPerson = yield* personProposal(supplier, view, "withdraw", withoutRevision(versionOf(view)))
        assert.strictEqual(refused(asPerson).error, "FORBIDDEN")
      })
  )
})
