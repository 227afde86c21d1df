/** Subject requirements stay in every version that an agent writes; only a person can remove them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  authorActions,
  commandProposal,
  makeHolder,
  withoutRevision,
  personProposal,
  updateOf,
  versionOf
} from "../support/proposals.ts"
import { freshTestService } from "../support/service.ts"
import { draftBy, peoplePair } from "../support/person-proposals.ts"
import { createdBody, outcome } from "../support/workspace.ts"

const own = { id: "own", statement: "A person accepts.", humanDecisions: ["ACCEPT"] } as const

layer(freshTestService, { excludeTestServices: true })("the subject requirements of a proposal", (it) => {
  it.effect("Only a person can remove a subject requirement, and an agent bound by it cannot publish without it.", () =>
    Effect.gen(function* () {
      const pair = yield* peoplePair
      const { supplier } = pair
      const draft = yield* draftBy(pair, { subjectRequirements: [own] })
      const { id } = draft.proposal
      const free = yield* makeHolder(supplier, "SUPPLIER", authorActions, { proposalIds: [id] })
      const bound = yield* makeHolder(supplier, "SUPPLIER", authorActions, {
        proposalIds: [id],
        subjectRequirements: [own]
      })
      const termsWith = (subjectRequirements: ReadonlyArray<object>) => ({
        terms: { ...draft.proposal.terms, subjectRequirements }
      })
      const updated = (view: any, requirements: ReadonlyArray<object>) =>
        Effect.flatMap(updateOf(view, pair, termsWith(requirements)), (body) =>
          commandProposal(free.token, id, "update", body)
        )
      const dropped = yield* updated(draft, [])
      assert.deepStrictEqual(outcome(dropped), [409, "SUBJECT_REQUIREMENTS_NOT_PRESERVED"])
      const altered = yield* updated(draft, [{ ...own, statement: "No person accepts." }])
      assert.deepStrictEqual(outcome(altered), [409, "SUBJECT_REQUIREMENTS_NOT_PRESERVED"])
      const kept = createdBody(yield* updated(draft, [{ ...own, id: "more" }, own]))
      const byPerson = withoutRevision(yield* updateOf(kept, pair, termsWith([])))
      const without = createdBody(yield* personProposal(supplier, kept, "update", byPerson))
      assert.deepStrictEqual(without.proposal.terms.subjectRequirements, [])
      const refused = yield* commandProposal(bound.token, id, "publish", versionOf(without))
      assert.deepStrictEqual(outcome(refused), [409, "SUBJECT_REQUIREMENTS_NOT_PRESERVED"])
      const published = yield* commandProposal(free.token, id, "publish", versionOf(without))
      assert.strictEqual(published.status, 200, published.text)
    })
  )
})
