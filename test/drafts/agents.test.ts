/** Drafts prepared by agents: the required authority, idempotency, and no effect beyond the draft. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { endMembership } from "../../src/people/memberships.ts"
import {
  discardDraft,
  finishingUrl,
  prepareDraft,
  draftingAgent,
  publishNewSpecification,
  readDraft
} from "../support/drafts.ts"
import { setAuthorities } from "../jobs/fixtures.ts"
import { joinOrganization } from "../support/issued-records.ts"
import { makeAgent, makeParty, sha, uuid } from "../support/parties.ts"
import { grantAgent } from "../support/people.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { outcome, read } from "../support/workspace.ts"

const nested = (fields: object = {}) => ({ schema: "service.agreement-draft/v1", ...fields })
const requirement = { id: "people", statement: "A person accepts.", humanDecisions: ["ACCEPT"] }

layer(freshTestService, { excludeTestServices: true })("a draft prepared by an agent", (it) => {
  it.effect("An agent can prepare a partial draft, which a person of its side reads.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { token } = yield* draftingAgent(dana)
      const answer = yield* prepareDraft(token, {
        source: "crm",
        title: "Logo",
        supplier: "Sam Studio",
        deadlineInstant: ""
      })
      assert.strictEqual(answer.status, 201)
      const { draftId } = answer.body
      assert.match(draftId, /^draft_[0-9a-f-]{36}$/)
      assert.deepStrictEqual(answer.body, { draftId, humanUrl: finishingUrl("BUYER", draftId), state: "DRAFT" })
      const draft = yield* readDraft(dana, draftId)
      assert.deepStrictEqual(draft.content, { source: "crm", title: "Logo", supplierName: "Sam Studio" })
      assert.deepInclude(draft, {
        role: "BUYER",
        organizationId: dana.organizationId,
        revision: 1,
        state: "DRAFT",
        outcomeId: null,
        preparedBy: { personId: dana.personId, name: "Dana", agentName: "Dana's agent" }
      })
      const me = yield* send("GET", "/api/agents/v1/me", { token })
      assert.deepStrictEqual([me.body.projectIds, me.body.proposalIds], [[], []])
      assert.deepStrictEqual((yield* read(dana, "/projects")).body, { projects: [], next: null })
    })
  )

  it.effect("A draft must be for the grant's side, and its page is that of the side.", () =>
    Effect.gen(function* () {
      const sam = yield* signInNewPerson("Sam")
      const { token } = yield* draftingAgent(sam, "SUPPLIER")
      const { body } = yield* prepareDraft(token, nested({ role: "SUPPLIER" }))
      assert.strictEqual(body.humanUrl, finishingUrl("SUPPLIER", body.draftId))
      for (const role of [{}, { role: "BUYER" }]) {
        assert.deepStrictEqual(outcome(yield* prepareDraft(token, nested(role))), [403, "FORBIDDEN_AGENT_ACTION"])
      }
      const buying = yield* draftingAgent(sam)
      const wrong = yield* prepareDraft(buying.token, { role: "SUPPLIER" })
      assert.deepStrictEqual(outcome(wrong), [403, "FORBIDDEN_AGENT_ACTION"])
    })
  )

  it.effect("Preparing a draft is idempotent, and its request id with another body is refused.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { token } = yield* draftingAgent(dana)
      const body = { requestId: uuid(), title: "Logo" }
      const [first, second] = yield* Effect.all([prepareDraft(token, body), prepareDraft(token, body)], {
        concurrency: 2
      })
      assert.deepStrictEqual([first.status, second.status], [201, 201])
      assert.strictEqual(first.body.draftId, second.body.draftId)
      assert.sameMembers([first.body.replayed, second.body.replayed], [undefined, true])
      assert.lengthOf((yield* read(dana, "/drafts")).body.drafts, 1)
      const other = yield* prepareDraft(token, { ...body, title: "Another" })
      assert.deepStrictEqual(outcome(other), [409, "REQUEST_ID_CONFLICT"])
      yield* discardDraft(dana, yield* readDraft(dana, first.body.draftId))
      const late = yield* prepareDraft(token, body)
      assert.deepStrictEqual(late.body, { ...first.body, state: "DISCARDED", replayed: true })
      // Two forms with equal content are different requests: the fingerprint covers the body.
      const otherForm = yield* prepareDraft(token, nested(body))
      assert.deepStrictEqual(outcome(otherForm), [409, "REQUEST_ID_CONFLICT"])
    })
  )

  it.effect("Preparing a draft needs CREATE_DRAFT, which CREATE_PROJECT does not include.", () =>
    Effect.gen(function* () {
      const dana = yield* makeParty("Dana")
      const { token } = yield* makeAgent(dana, "BUYER", ["CREATE_PROJECT"])
      assert.deepStrictEqual(outcome(yield* prepareDraft(token, {})), [403, "FORBIDDEN_AGENT_ACTION"])
      assert.deepStrictEqual(outcome(yield* prepareDraft("dda_unknown", {})), [401, "AUTH_INVALID"])
    })
  )

  it.effect("Preparing a draft and its replay need the current authority of the grant's membership.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const lee = yield* joinOrganization(dana, "Lee", ["DELEGATE", "RESULT_DRAFT_CREATE"])
      const { token } = yield* draftingAgent(lee)
      const body = { requestId: uuid(), title: "Logo" }
      assert.strictEqual((yield* prepareDraft(token, body)).status, 201)
      yield* setAuthorities(lee.membershipId, ["DELEGATE", "AGREEMENT_CREATE", "PROPOSAL_MANAGE"])
      for (const sent of [body, { requestId: uuid() }]) {
        assert.deepStrictEqual(outcome(yield* prepareDraft(token, sent)), [403, "FORBIDDEN_AGENT_ACTION"])
      }
      yield* setAuthorities(lee.membershipId, ["DELEGATE", "RESULT_DRAFT_CREATE"])
      assert.strictEqual((yield* prepareDraft(token, body)).body.replayed, true)
      yield* endMembership(dana, { membershipId: lee.membershipId })
      for (const sent of [body, { requestId: uuid() }]) {
        assert.deepStrictEqual(outcome(yield* prepareDraft(token, sent)), [401, "AUTH_INVALID"])
      }
      // A membership without the authority cannot grant it to an agent.
      const mia = yield* joinOrganization(dana, "Mia", ["DELEGATE", "AGREEMENT_CREATE"])
      assert.deepStrictEqual(yield* Effect.flip(draftingAgent(mia)).pipe(Effect.map(({ code }) => code)), "FORBIDDEN")
    })
  )

  it.effect("A draft gets the requirements of the grant, and changed requirements are refused.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { token } = yield* grantAgent({
        personId: dana.personId,
        organizationId: dana.organizationId,
        role: "BUYER",
        actions: ["CREATE_DRAFT"],
        projectIds: [],
        agentName: "Bound",
        subjectRequirements: [{ ...requirement, humanDecisions: ["ACCEPT"] }]
      })
      for (const sent of [{}, { subjectRequirements: [requirement] }]) {
        const { draftId } = (yield* prepareDraft(token, sent)).body
        assert.deepStrictEqual((yield* readDraft(dana, draftId)).content, { subjectRequirements: [requirement] })
      }
      for (const changed of [[], [{ ...requirement, statement: "No person accepts." }], [requirement, requirement]]) {
        const refused = yield* prepareDraft(token, nested({ subjectRequirements: changed }))
        assert.deepStrictEqual(outcome(refused), [409, "SUBJECT_REQUIREMENTS_NOT_PRESERVED"])
      }
    })
  )

  it.effect("A draft's specification is pinned by its digest.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { token } = yield* draftingAgent(dana)
      const { id, version, digest } = yield* publishNewSpecification
      for (const sent of [
        { id, version },
        { id, version, digest }
      ]) {
        const { draftId } = (yield* prepareDraft(token, nested({ specification: sent }))).body
        assert.deepStrictEqual((yield* readDraft(dana, draftId)).content, { specification: { id, version, digest } })
      }
      const wrong = [
        [{ id, version, digest: sha }, "SPECIFICATION_DIGEST_MISMATCH"],
        [{ id, version: 2 }, "UNKNOWN_SPECIFICATION"],
        [{ id: `${id}-other`, version }, "UNKNOWN_SPECIFICATION"]
      ] as const
      for (const [specification, code] of wrong) {
        const requestId = uuid()
        const refused = yield* prepareDraft(token, nested({ requestId, specification }))
        assert.deepStrictEqual(outcome(refused), [409, code])
        // A refusal does not use up the request id.
        assert.strictEqual((yield* prepareDraft(token, { requestId })).status, 201)
      }
    })
  )

  it.effect("A draft with mixed or unknown members is refused with their paths and not stored.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { token } = yield* draftingAgent(dana)
      const mixed = yield* prepareDraft(token, nested({ deadline: "2027-01-01T00:00:00.000Z", providerName: "Sam" }))
      assert.deepStrictEqual(outcome(mixed), [400, "INVALID_REQUEST"])
      assert.sameMembers(
        mixed.body.issues.map(({ path }: { path: string }) => path),
        ["schema", "deadline", "providerName"]
      )
      const digest = yield* prepareDraft(token, { confirmationDigest: sha })
      assert.deepStrictEqual(
        [outcome(digest), digest.body.issues[0].path],
        [[400, "INVALID_REQUEST"], "confirmationDigest"]
      )
      assert.deepStrictEqual((yield* read(dana, "/drafts")).body, { drafts: [] })
    })
  )
})
