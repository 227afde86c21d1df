/** A revocation or change between the authentication of a request and its commit is effective for the request. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { endMembership } from "../../src/people/memberships.ts"
import { BeforeTransactionHook, withBeforeTransactionHook } from "../support/before-transaction-hook.ts"
import {
  discardDraft,
  draftingAgent,
  finishDraft,
  finishingTerms,
  prepareDraft,
  prepareDraftFor,
  readDraft,
  saveDraft
} from "../support/drafts.ts"
import { joinOrganization } from "../support/issued-records.ts"
import { freshService, postgresStorage, testService, type Answer } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { outcome, read } from "../support/workspace.ts"

const service = Layer.unwrap(
  Effect.map(freshService, (connection) => {
    const storage = withBeforeTransactionHook(postgresStorage(connection))
    return Layer.merge(testService(storage), storage)
  })
)

/** Sends a request, and runs `act` between its authentication and its commit. */
const sendAndInterleave = <A, E, R, R2>(sending: Effect.Effect<Answer, never, R>, act: Effect.Effect<A, E, R2>) =>
  Effect.gen(function* () {
    const { before, hasPassed } = yield* BeforeTransactionHook
    const context = yield* Effect.context<R2>()
    yield* before(Effect.provideContext(Effect.orDie(act), context))
    const answer = yield* sending
    assert.isTrue(yield* hasPassed, "nothing was about to commit")
    return answer
  })

layer(service, { excludeTestServices: true })("a change between authentication and commit", (it) => {
  it.effect("A draft is not stored if the agent's grant or membership ends before the commit.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const lee = yield* joinOrganization(dana, "Lee", ["DELEGATE", "RESULT_DRAFT_CREATE"])
      const { token, grantId } = yield* draftingAgent(lee)
      const revoked = yield* sendAndInterleave(prepareDraft(token, { title: "Logo" }), revokeGrant(lee, { grantId }))
      assert.deepStrictEqual(outcome(revoked), [401, "AUTH_INVALID"])
      const other = yield* draftingAgent(lee)
      const ended = endMembership(dana, { membershipId: lee.membershipId })
      assert.deepStrictEqual(outcome(yield* sendAndInterleave(prepareDraft(other.token, {}), ended)), [
        401,
        "AUTH_INVALID"
      ])
      assert.deepStrictEqual((yield* read(dana, "/drafts")).body, { drafts: [] })
    })
  )

  it.effect("A draft changed by a colleague before the commit is not committed as an agreement.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const lee = yield* joinOrganization(dana, "Lee")
      for (const change of [
        discardDraft,
        (by: typeof lee, draft: object) => saveDraft(by, draft, { title: "Another" })
      ]) {
        const draft = yield* readDraft(dana, yield* prepareDraftFor(dana, { title: "Logo" }))
        const body = yield* finishingTerms(draft, sam)
        const answer = yield* sendAndInterleave(finishDraft(dana, draft.draftId, body), change(lee, draft))
        assert.deepStrictEqual(outcome(answer), [409, "DRAFT_CHANGED"])
      }
      assert.deepStrictEqual((yield* read(dana, "/projects")).body, { projects: [], next: null })
    })
  )

  it.effect("A draft is not saved if the person's membership ends before the commit.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const lee = yield* joinOrganization(dana, "Lee", ["RESULT_DRAFT_CREATE"])
      const draft = yield* readDraft(dana, yield* prepareDraftFor(dana, { title: "Logo" }))
      const ended = endMembership(dana, { membershipId: lee.membershipId })
      const answer = yield* sendAndInterleave(saveDraft(lee, draft, { title: "Another" }), ended)
      assert.deepStrictEqual(outcome(answer), [403, "FORBIDDEN"])
      assert.deepStrictEqual((yield* readDraft(dana, draft.draftId)).content, { title: "Logo" })
    })
  )
})
