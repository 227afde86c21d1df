/** A former recipient leaves no pause, no personal data and no used-up grant limit to the next recipient. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Storage } from "../../src/ports/storage.ts"
import { ProposalAutomationChanges } from "../../src/proposals/store.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { uuid } from "../support/parties.ts"
import {
  alterProposal,
  answerOf,
  authorActions,
  commandProposal,
  handOffOf,
  addContactFor,
  makeHolder,
  onProposal,
  proposalRow,
  readProposal,
  recipientActions
} from "../support/proposals.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import {
  answerBy,
  setAutomation,
  peoplePair,
  publishBy,
  changeRecipientBy,
  createPublishedBy
} from "../support/person-proposals.ts"
import { createdBody, outcome, read } from "../support/workspace.ts"

/** Published to Dana; Eve is the next recipient. */
const publishedToDana = Effect.gen(function* () {
  const pair = yield* peoplePair
  const eve = yield* signInNewPerson("Eve")
  yield* addContactFor(pair.supplier, eve, "eve")
  const view = yield* createPublishedBy(pair)
  return { ...pair, pair, eve, view, proposalId: view.proposal.id as string }
})

const automationLog = Effect.fnUntraced(function* (proposalId: string) {
  const storage = yield* Storage
  return yield* storage.view((reader) =>
    reader.range(ProposalAutomationChanges, "key", { prefix: [proposalId], limit: 10 })
  )
})

layer(freshTestService, { excludeTestServices: true })("a proposal published to another recipient", (it) => {
  it.effect.each(["the person", "their agent"])(
    "Publishing to another recipient ends the pause of the former recipient (%s) and does not disclose it.",
    (pausedBy) =>
      Effect.gen(function* () {
        const { pair, supplier, buyer, eve, view, proposalId } = yield* publishedToDana
        const agent = yield* makeHolder(buyer, "BUYER", recipientActions, { proposalIds: [proposalId] })
        const reason = "Dana's secret reason"
        if (pausedBy === "the person") createdBody(yield* setAutomation(buyer, view, "pause", reason))
        else {
          const toHandOff = onProposal(yield* Effect.map(readProposal(agent.token, proposalId), createdBody), {
            reason
          })
          createdBody(yield* commandProposal(agent.token, proposalId, "handoff", toHandOff))
        }
        const updated = yield* changeRecipientBy(pair, view, eve, "eve")
        // The pause lasts until the publication.
        assert.deepStrictEqual([updated.automation.revision, updated.automation.paused], [1, true])
        const toEve = yield* publishBy(pair, updated)
        assert.deepStrictEqual(toEve.automation, { revision: 2, paused: false, pausedBy: [] })
        const log = yield* automationLog(proposalId)
        assert.deepInclude(log[0], { revision: 1, paused: true, side: "BUYER", reason })
        assert.deepInclude(log[1], { revision: 2, paused: false, side: "BUYER", by: supplier.personId })
        assert.lengthOf(log, 2)
        const eves = yield* makeHolder(eve, "BUYER", recipientActions, { proposalIds: [proposalId] })
        const shown = [
          yield* read(eve, `/proposals/${proposalId}`),
          yield* read(eve, "/proposals"),
          yield* readProposal(eves.token, proposalId)
        ]
        for (const { status, text } of shown) {
          assert.strictEqual(status, 200)
          for (const secret of [buyer.personId, reason, agent.agentId]) assert.notInclude(text, secret)
        }
        // The agents of the author can act again.
        const author = yield* makeHolder(supplier, "SUPPLIER", authorActions, { proposalIds: [proposalId] })
        const seen = createdBody(yield* readProposal(author.token, proposalId))
        assert.strictEqual((yield* commandProposal(author.token, proposalId, "handoff", handOffOf(seen))).status, 200)
      })
  )

  it.effect(
    "Publishing to another recipient keeps the author's pause, and logs nothing if the former recipient had none.",
    () =>
      Effect.gen(function* () {
        const { pair, supplier, buyer, eve, view, proposalId } = yield* publishedToDana
        createdBody(yield* setAutomation(supplier, view, "pause", "Mine."))
        createdBody(yield* setAutomation(buyer, view, "pause", "Theirs."))
        const toEve = yield* publishBy(pair, yield* changeRecipientBy(pair, view, eve, "eve"))
        const pauses = toEve.automation.pausedBy.map(({ side }: any) => side)
        assert.deepStrictEqual([toEve.automation.revision, pauses], [3, ["SUPPLIER"]])
        const again = yield* publishBy(pair, yield* changeRecipientBy(pair, toEve, eve, "eve"))
        assert.strictEqual(again.automation.revision, 3)
        assert.lengthOf(yield* automationLog(proposalId), 3)
      })
  )

  it.effect("Publishing again to the same recipient keeps their pause.", () =>
    Effect.gen(function* () {
      const { pair, buyer, view } = yield* publishedToDana
      createdBody(yield* setAutomation(buyer, view, "pause"))
      const again = yield* publishBy(pair, yield* changeRecipientBy(pair, view, buyer, "dana"))
      assert.deepStrictEqual([again.automation.revision, again.automation.paused], [1, true])
    })
  )

  it.effect("Grants of the former recipient do not count against the grant limit of the next one.", () =>
    Effect.gen(function* () {
      const { pair, buyer, eve, view, proposalId } = yield* publishedToDana
      const heldBy = (personId: string) => ({
        holders: Array.from({ length: limits.grantsPerProposal }, () => ({
          grantId: `grant_${uuid()}`,
          role: "BUYER" as const,
          personId
        }))
      })
      const proposalIds = [proposalId]
      yield* alterProposal(proposalId, heldBy(buyer.personId))
      const full = yield* Effect.flip(makeHolder(buyer, "BUYER", recipientActions, { proposalIds }))
      assert.deepInclude(full, { code: "STATE_CONFLICT" })
      const toEve = yield* publishBy(pair, yield* changeRecipientBy(pair, view, eve, "eve"))
      const { token, grantId } = yield* makeHolder(eve, "BUYER", recipientActions, { proposalIds })
      assert.deepInclude((yield* proposalRow(proposalId)).holders.at(-1), { grantId, personId: eve.personId })
      const seen = createdBody(yield* readProposal(token, proposalId))
      assert.strictEqual(seen.proposal.proposalHead, toEve.proposal.proposalHead)
      const accepted = yield* commandProposal(token, proposalId, "respond", yield* answerOf(seen, "ACCEPT"))
      assert.strictEqual(accepted.status, 200, accepted.text)
    })
  )

  it.effect("An acceptance, pause or resume by a former recipient is refused with 403.", () =>
    Effect.gen(function* () {
      const { pair, buyer, eve, view } = yield* publishedToDana
      const toEve = yield* publishBy(pair, yield* changeRecipientBy(pair, view, eve, "eve"))
      for (const action of ["ACCEPT", "REQUEST_CHANGES", "DECLINE"]) {
        assert.deepStrictEqual(outcome(yield* answerBy(buyer, toEve, action)), [403, "FORBIDDEN"])
      }
      for (const operation of ["pause", "resume"] as const) {
        assert.deepStrictEqual(outcome(yield* setAutomation(buyer, toEve, operation)), [403, "FORBIDDEN"])
      }
    })
  )
})
