/** The limit of drafts that a grant prepares across its renewals; people have no limit. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Grants } from "../../src/access/store.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { draftingAgent, prepareDraft } from "../support/drafts.ts"
import { assertRefusal } from "../support/errors.ts"
import { uuid } from "../support/parties.ts"
import { renewAs } from "../support/people.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody, outcome, post, read } from "../support/workspace.ts"

/** Sets the stored number of drafts of a grant. */
const setDraftCount = Effect.fnUntraced(function* (grantId: string, draftCount: number) {
  const storage = yield* Storage
  yield* storage.transaction({ locks: [exclusive("grant", grantId)] }, (transaction) =>
    transaction.update(Grants, [grantId], { draftCount })
  )
})

const draftCountOf = Effect.fnUntraced(function* (grantId: string) {
  const storage = yield* Storage
  return (yield* storage.view((reader) => reader.get(Grants, [grantId])))?.draftCount
})

layer(freshTestService, { excludeTestServices: true })("the draft limit of a grant", (it) => {
  it.effect("A grant prepares at most 500 drafts across its renewals, not counting replays.", () =>
    Effect.gen(function* () {
      assert.strictEqual(limits.draftsPerGrant, 500)
      const dana = yield* signInNewPerson("Dana")
      const { token, grantId, generation } = yield* draftingAgent(dana)
      yield* setDraftCount(grantId, limits.draftsPerGrant - 1)
      const body = { requestId: uuid(), title: "The last" }
      const last = yield* prepareDraft(token, body)
      assert.strictEqual(last.status, 201)
      const full = yield* prepareDraft(token, { title: "One more" })
      assert.deepStrictEqual(outcome(full), [409, "DRAFT_LIMIT"])
      assertRefusal(full)
      const again = yield* prepareDraft(token, body)
      assert.deepStrictEqual([again.status, again.body], [201, { ...last.body, replayed: true }])
      const renewed = yield* renewAs({ personId: dana.personId, grantId, expectedGeneration: generation })
      assert.deepStrictEqual(outcome(yield* prepareDraft(renewed.token, {})), [409, "DRAFT_LIMIT"])
      assert.strictEqual((yield* prepareDraft(renewed.token, body)).body.replayed, true)
      assert.strictEqual(yield* draftCountOf(grantId), limits.draftsPerGrant)
      assert.lengthOf((yield* read(dana, "/drafts")).body.drafts, 1)
      // Another grant has its own limit.
      const other = yield* draftingAgent(dana)
      assert.strictEqual((yield* prepareDraft(other.token, {})).status, 201)
      // A person has no limit.
      const own = { requestId: uuid(), organizationId: dana.organizationId, role: "BUYER", content: {} }
      createdBody(yield* post(dana, "/drafts", own))
      assert.strictEqual(yield* draftCountOf(grantId), limits.draftsPerGrant)
    })
  )

  it.effect("Each prepared draft is counted once, and a refused one is not counted.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { token, grantId } = yield* draftingAgent(dana)
      const requestId = uuid()
      for (const _ of [1, 2]) createdBody(yield* prepareDraft(token, { requestId }))
      assert.strictEqual(yield* draftCountOf(grantId), 1)
      const unpinned = { schema: "service.agreement-draft/v1", specification: { id: "unknown", version: 1 } }
      assert.deepStrictEqual(outcome(yield* prepareDraft(token, unpinned)), [409, "UNKNOWN_SPECIFICATION"])
      assert.strictEqual(yield* draftCountOf(grantId), 1)
      yield* Effect.all([prepareDraft(token, {}), prepareDraft(token, {}), prepareDraft(token, {})], { concurrency: 3 })
      assert.strictEqual(yield* draftCountOf(grantId), 4)
    })
  )
})
