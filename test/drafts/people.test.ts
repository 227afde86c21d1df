/** Drafts of people through the JSON API: authorization, optimistic concurrency, and a single outcome. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { completionHook, type DraftCompletion } from "../../src/drafts/finish.ts"
import type { Authority } from "../../src/people/membership.ts"
import { onBehalfOf } from "../../src/people/acting-person.ts"
import { Storage } from "../../src/ports/storage.ts"
import { createProposalAsPerson } from "../../src/proposals/person-operations.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import {
  discardDraft,
  finishDraft,
  finishingTerms,
  finishingUrl,
  prepareDraftFor,
  publishNewSpecification,
  readDraft,
  saveDraft
} from "../support/drafts.ts"
import { joinOrganization } from "../support/issued-records.ts"
import { sha, uuid } from "../support/parties.ts"
import { addContactFor, proposalFor } from "../support/proposals.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { createdBody, outcome, post, read } from "../support/workspace.ts"

const newDraft = ({ organizationId }: SignedInPerson, changes: object = {}) => ({
  requestId: uuid(),
  organizationId,
  role: "BUYER",
  content: {},
  ...changes
})

const projectsOf = (by: SignedInPerson) => Effect.map(read(by, "/projects"), ({ body }) => body.projects)

layer(freshTestService, { excludeTestServices: true })("the drafts of people", (it) => {
  it.effect("A draft is created empty or with content, idempotently, and read back unchanged.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { id, version, digest } = yield* publishNewSpecification
      const empty = createdBody(yield* post(dana, "/drafts", newDraft(dana)))
      assert.deepStrictEqual([empty.content, empty.revision, empty.preparedBy.agentName], [{}, 1, null])
      assert.strictEqual(empty.humanUrl, finishingUrl("BUYER", empty.draftId))
      assert.include(empty.missing, "title")
      const content = {
        title: "Logo",
        criteria: [{ title: "Vector" }],
        recipient: { reference: "Offer 7" },
        specification: { id, version }
      }
      const body = newDraft(dana, { role: "SUPPLIER", content })
      const [first, second] = [yield* post(dana, "/drafts", body), yield* post(dana, "/drafts", body)]
      assert.deepStrictEqual([first.status, second.status, second.body.replayed], [201, 201, true])
      assert.deepStrictEqual(second.body, { ...first.body, replayed: true })
      assert.deepStrictEqual(first.body.content, { ...content, specification: { id, version, digest } })
      const { drafts } = (yield* read(dana, "/drafts")).body
      assert.deepStrictEqual(
        drafts.map(({ draftId, role, title }: any) => [draftId, role, title]),
        [[first.body.draftId, "SUPPLIER", "Logo"], [empty.draftId, "BUYER", null]]
      ) // prettier-ignore
    })
  )

  it.effect("A draft is saved or discarded only at the revision that was read.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const draft = yield* readDraft(dana, yield* prepareDraftFor(dana, { title: "Logo", scope: "One." }))
      const requestId = uuid()
      const saved = yield* saveDraft(dana, draft, { title: "Logo 2" }, { requestId })
      assert.deepStrictEqual([saved.status, saved.body.content, saved.body.revision], [200, { title: "Logo 2" }, 2])
      const again = yield* saveDraft(dana, draft, { title: "Logo 2" }, { requestId })
      assert.deepStrictEqual([again.status, again.body.replayed, again.body.revision], [200, true, 2])
      assert.deepStrictEqual(outcome(yield* saveDraft(dana, draft, {})), [409, "DRAFT_CHANGED"])
      assert.deepStrictEqual(outcome(yield* discardDraft(dana, draft)), [409, "DRAFT_CHANGED"])
      const pinned = { specification: { id: "unknown", version: 1 } }
      assert.deepStrictEqual(outcome(yield* saveDraft(dana, saved.body, pinned)), [409, "UNKNOWN_SPECIFICATION"])
      assert.deepStrictEqual((yield* readDraft(dana, draft.draftId)).content, { title: "Logo 2" })
    })
  )

  it.effect("Of concurrent changes to the same revision of a draft one commits.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const lee = yield* joinOrganization(dana, "Lee", ["RESULT_DRAFT_CREATE"])
      const draft = yield* readDraft(dana, yield* prepareDraftFor(dana, { title: "Logo" }))
      const answers = yield* Effect.all(
        [
          saveDraft(dana, draft, { title: "Dana's" }),
          saveDraft(lee, draft, { title: "Lee's" }),
          discardDraft(lee, draft)
        ],
        { concurrency: 3 }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409])
      assert.strictEqual((yield* readDraft(dana, draft.draftId)).revision, 2)
    })
  )

  it.effect("A draft becomes an agreement and is marked as committed atomically.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const draft = yield* readDraft(dana, yield* prepareDraftFor(dana, { title: "Logo" }))
      const { draftId } = draft
      const late = yield* finishingTerms(draft, sam, { deadline: "2020-01-01T00:00:00.000Z" })
      assert.deepStrictEqual(outcome(yield* finishDraft(dana, draftId, late)), [409, "DEADLINE_NOT_FUTURE"])
      assert.strictEqual((yield* readDraft(dana, draftId)).state, "DRAFT")
      const body = yield* finishingTerms(draft, sam)
      const done = yield* finishDraft(dana, draftId, body)
      assert.strictEqual(done.status, 201)
      const projectId = done.body.project.taskId
      const committed = yield* readDraft(dana, draftId)
      assert.deepInclude(committed, { state: "COMMITTED", outcomeId: projectId, revision: 2 })
      const again = yield* finishDraft(dana, draftId, body)
      assert.deepStrictEqual([again.status, again.body.replayed, again.body.project.taskId], [201, true, projectId])
      const other = yield* finishDraft(dana, draftId, yield* finishingTerms(committed, sam))
      assert.deepStrictEqual(outcome(other), [409, "DRAFT_CHANGED"])
      for (const ended of [saveDraft(dana, committed, {}), discardDraft(dana, committed)]) {
        assert.deepStrictEqual(outcome(yield* ended), [409, "DRAFT_CHANGED"])
      }
      assert.lengthOf(yield* projectsOf(dana), 1)
    })
  )

  it.effect("Concurrent commits of a draft make one agreement.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const lee = yield* joinOrganization(dana, "Lee", ["AGREEMENT_CREATE"])
      for (const _ of [1, 2, 3]) {
        const draft = yield* readDraft(dana, yield* prepareDraftFor(dana, { title: "Logo" }))
        const before = (yield* projectsOf(dana)).length
        const bodies = yield* Effect.all([
          finishingTerms(draft, sam),
          finishingTerms(draft, sam),
          finishingTerms(draft, sam)
        ])
        const answers = yield* Effect.all(
          bodies.map((body, index) => finishDraft(index === 1 ? lee : dana, draft.draftId, body)),
          { concurrency: 3 }
        )
        assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409])
        const winner = answers.find(({ status }) => status === 201)!
        assert.strictEqual((yield* readDraft(dana, draft.draftId)).outcomeId, winner.body.project.taskId)
        assert.strictEqual((yield* projectsOf(dana)).length, before + 1)
      }
    })
  )

  it.effect("A draft is committed with the specification of the terms, by its exact digest.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const specification = yield* publishNewSpecification
      const draft = yield* readDraft(dana, yield* prepareDraftFor(dana, {}))
      const wrong = yield* finishingTerms(draft, sam, { specification: { ...specification, digest: sha } })
      assert.deepStrictEqual(outcome(yield* finishDraft(dana, draft.draftId, wrong)), [
        409,
        "SPECIFICATION_DIGEST_MISMATCH"
      ])
      const { digest: _, ...partial } = specification
      const without = yield* finishingTerms(draft, sam, { specification: partial })
      assert.deepStrictEqual(outcome(yield* finishDraft(dana, draft.draftId, without)), [400, "INVALID_REQUEST"])
      const done = yield* finishDraft(dana, draft.draftId, yield* finishingTerms(draft, sam, { specification }))
      assert.deepStrictEqual(done.body.project.agreement.specification, specification)
    })
  )

  it.effect("DRAFT_CHANGED is refused only after all checks of the outcome have passed.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      yield* addContactFor(sam, dana)
      const draft = yield* readDraft(dana, yield* prepareDraftFor(dana, {}))
      const { draftId } = draft
      createdBody(yield* saveDraft(dana, draft, { title: "Another" }))
      const late = yield* finishingTerms(draft, sam, { deadline: "2020-01-01T00:00:00.000Z" })
      assert.deepStrictEqual(outcome(yield* finishDraft(dana, draftId, late)), [409, "DEADLINE_NOT_FUTURE"])
      assert.deepStrictEqual(outcome(yield* finishDraft(dana, draftId, yield* finishingTerms(draft, sam))), [
        409,
        "DRAFT_CHANGED"
      ])
      const offer = yield* readDraft(sam, yield* prepareDraftFor(sam, {}, "SUPPLIER"))
      createdBody(yield* saveDraft(sam, offer, { title: "Another" }))
      const { organizationId } = sam
      const stale = { draftId: offer.draftId, revision: 1, organizationId, role: "SUPPLIER" as const }
      const propose = Effect.fnUntraced(function* (terms: object) {
        const offered: any = yield* proposalFor({ supplier: sam, buyer: dana })
        const { recipientActorId, recipientReference } = offered
        const input = { organizationId, recipientActorId, recipientReference, terms: { ...offered.terms, ...terms } }
        const request = yield* nonIdempotentRequest(sam.personId)
        return yield* Effect.flip(
          createProposalAsPerson(onBehalfOf(sam.personId), request, input, completionHook(stale))
        )
      })
      const past = { deadline: "2020-01-01T00:00:00.000Z" as Instant }
      assert.deepInclude(yield* propose(past), { code: "DEADLINE_NOT_FUTURE" })
      const unknown = { supplierActorId: `person_${uuid()}` }
      assert.deepInclude(yield* propose(unknown), { code: "UNKNOWN_SUPPLIER" })
      assert.deepInclude(yield* propose({}), { code: "DRAFT_CHANGED" })
      assert.deepStrictEqual([yield* projectsOf(dana), (yield* read(sam, "/proposals")).body], [[], { proposals: [] }])
    })
  )

  it.effect("A supplier's draft cannot be committed as an agreement.", () =>
    Effect.gen(function* () {
      const sam = yield* signInNewPerson("Sam")
      const dana = yield* signInNewPerson("Dana")
      const draft = yield* readDraft(sam, yield* prepareDraftFor(sam, {}, "SUPPLIER"))
      const refused = yield* finishDraft(sam, draft.draftId, yield* finishingTerms(draft, dana))
      assert.deepStrictEqual(outcome(refused), [403, "FORBIDDEN"])
      assert.deepStrictEqual([(yield* readDraft(sam, draft.draftId)).state, yield* projectsOf(sam)], ["DRAFT", []])
    })
  )

  it.effect("A draft is committed only for its own organization and side.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const storage = yield* Storage
      const { draftId, revision, organizationId } = yield* readDraft(dana, yield* prepareDraftFor(dana, {}))
      const right = { draftId, revision, organizationId, role: "BUYER" as const }
      const outcomeId = `delivery_${uuid()}`
      const finishWith = (changes: Partial<DraftCompletion>) => {
        const { locks, commit } = completionHook({ ...right, ...changes })
        return storage.transaction({ locks }, (transaction) =>
          Effect.flatMap(transaction.now, (now) => commit(transaction, outcomeId, now))
        )
      }
      const wrong: ReadonlyArray<readonly [Partial<DraftCompletion>, string]> = [
        [{ organizationId: sam.organizationId }, "FORBIDDEN"],
        [{ role: "SUPPLIER" }, "FORBIDDEN"],
        [{ draftId: `draft_${uuid()}` }, "FORBIDDEN"],
        [{ revision: revision + 1 }, "DRAFT_CHANGED"]
      ]
      for (const [changes, code] of wrong) {
        assert.strictEqual((yield* Effect.flip(finishWith(changes))).code, code, JSON.stringify(changes))
      }
      yield* finishWith({})
      assert.deepInclude(yield* readDraft(dana, draftId), { state: "COMMITTED", outcomeId })
    })
  )

  const handling: ReadonlyArray<readonly [authority: Authority, buyer: boolean, supplier: boolean]> = [
    ["AGREEMENT_CREATE", true, false],
    ["PROPOSAL_MANAGE", false, true],
    ["RESULT_DRAFT_CREATE", true, true],
    ["DELEGATE", false, false],
    ["MEMBERS_MANAGE", false, false]
  ]
  it.effect.each(handling)(
    "The authority %s gives access to a buyer's draft: %s, to a supplier's: %s.",
    ([authority, buyer, supplier]) =>
      Effect.gen(function* () {
        const dana = yield* signInNewPerson("Dana")
        const lee = yield* joinOrganization(dana, "Lee", [authority])
        for (const [role, may] of [
          ["BUYER", buyer],
          ["SUPPLIER", supplier]
        ] as const) {
          // prettier-ignore
          const draft = yield* readDraft(dana, yield* prepareDraftFor(dana, {}, role))
          const answers = [
            yield* read(lee, `/drafts/${draft.draftId}`),
            yield* saveDraft(lee, draft, { title: "Logo" }),
            yield* discardDraft(lee, { ...draft, revision: draft.revision + 1 }),
            yield* post(lee, "/drafts", newDraft(dana, { role }))
          ]
          const expected = may ? [[200], [200], [200], [201]] : answers.map(() => [403, "FORBIDDEN"])
          assert.deepStrictEqual(answers.map(outcome), expected, `${authority} ${role}`)
          const listed = (yield* read(lee, "/drafts")).body.drafts.some(({ draftId }: any) => draftId === draft.draftId)
          assert.strictEqual(listed, may)
        }
      })
  )

  it.effect("A draft of another organization is refused like an unknown one.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const draft = yield* readDraft(dana, yield* prepareDraftFor(dana, { title: "Logo" }))
      const unknown = `draft_${uuid()}`
      for (const draftId of [draft.draftId, unknown]) {
        const body = yield* finishingTerms(draft, dana)
        for (const answer of [
          yield* read(sam, `/drafts/${draftId}`),
          yield* saveDraft(sam, { ...draft, draftId }, {}),
          yield* discardDraft(sam, { ...draft, draftId }),
          yield* finishDraft(sam, draftId, body)
        ]) {
          assert.deepStrictEqual(outcome(answer), [403, "FORBIDDEN"])
          assert.strictEqual(answer.body.detail, "You may not access a draft with this id.")
        }
      }
      assert.deepStrictEqual(outcome(yield* read(dana, "/drafts/draft_x")), [404, "NOT_FOUND"])
      assert.deepStrictEqual((yield* read(sam, "/drafts")).body, { drafts: [] })
    })
  )

  it.effect("A draft with an unknown member is refused.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const draft = yield* readDraft(dana, yield* prepareDraftFor(dana, {}))
      for (const content of [{ confirmationDigest: sha }, { status: "AGREED" }, { recipientActorId: dana.personId }]) {
        assert.deepStrictEqual(outcome(yield* saveDraft(dana, draft, content)), [400, "INVALID_REQUEST"])
        const begun = yield* post(dana, "/drafts", newDraft(dana, { content }))
        assert.deepStrictEqual(outcome(begun), [400, "INVALID_REQUEST"])
      }
    })
  )
})
