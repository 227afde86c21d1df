/** Proposals that a grant form and a consent offer and grant, and their display on the agent's page. */
import { assert, describe, it as plain, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { pollConnection, startConnection } from "../../src/access/connections.ts"
import { authorities } from "../../src/people/membership.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { Proposals } from "../../src/proposals/store.ts"
import { addMilliseconds, now, type Instant } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import type { GrantChoices } from "../../src/workspace/access/grant-choices.ts"
import { decodeGrantForm } from "../../src/workspace/access/grant-form.ts"
import { openPage, submit as send, type Fields } from "../support/forms.ts"
import {
  draftBetween,
  makeContactPair,
  publishBetween,
  changeRecipient,
  withdrawBetween
} from "../support/contact-proposals.ts"
import { formOn, problemsOn, readPage, secretOn, submit, type Values } from "../support/page-forms.ts"
import { uuid } from "../support/parties.ts"
import { readProposal } from "../support/proposals.ts"
import { freshTestService, send as request } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"

const path = "/workspace/agents/new"

type Side = "BUYER" | "SUPPLIER"

const formOf = (by: SignedInPerson, role: Side, { organizationId }: { readonly organizationId: string } = by) =>
  readPage(by, `${path}?organizationId=${organizationId}&role=${role}`)

/** Ids of the proposals that the form offers. */
const offeredProposals = ({ text }: { readonly text: string }): ReadonlyArray<string> =>
  [...text.matchAll(/name="proposals"[^>]*value="([^"]*)"/g)].map(([, id]) => id!)

const join = Effect.fnUntraced(function* ({ personId }: SignedInPerson, { organizationId }: SignedInPerson) {
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  return yield* createMembership({ personId, organizationId, authorities, validUntil })
})

const fine: Values = { agentName: "Scout", preset: "READ_ONLY", days: "7" }

const createGrant = Effect.fnUntraced(function* (by: SignedInPerson, role: Side, values: Values) {
  return yield* submit(by, formOn(yield* formOf(by, role), path), { ...fine, ...values })
})

const me = (token: string) => Effect.map(request("GET", "/api/agents/v1/me", { token }), ({ body }) => body)

layer(freshTestService, { excludeTestServices: true })("proposals of a grant form", (it) => {
  it.effect("An unpublished proposal is offered only to its author's organization, without the recipient's name.", () =>
    Effect.gen(function* () {
      const between = yield* makeContactPair
      const { sam, dana } = between
      const { proposalId } = yield* draftBetween(between)
      const shown = yield* formOf(sam, "SUPPLIER")
      assert.deepStrictEqual(offeredProposals(shown), [proposalId])
      assert.include(shown.text, "Version 1; not published.")
      assert.include(shown.text, 'to your contact <bdi class="untrusted">dana</bdi>')
      assert.notInclude(shown.text, dana.personId)
      const others = [yield* formOf(sam, "BUYER"), yield* formOf(dana, "BUYER"), yield* formOf(dana, "SUPPLIER")]
      for (const other of others) {
        assert.deepStrictEqual(offeredProposals(other), [])
        assert.notInclude(other.text, proposalId)
      }
    })
  )

  it.effect("A published proposal is offered to its recipient for any organization except the author's.", () =>
    Effect.gen(function* () {
      const between = yield* makeContactPair
      const { sam, dana } = between
      const { proposalId } = yield* publishBetween(between)
      const kim = yield* signInNewPerson("Kim")
      yield* join(kim, sam)
      yield* join(dana, sam)
      yield* join(dana, kim)
      const recipient = yield* formOf(dana, "BUYER")
      assert.deepStrictEqual(offeredProposals(recipient), [proposalId])
      assert.include(recipient.text, "waits for your answer")
      assert.notInclude(recipient.text, "to your contact")
      assert.deepStrictEqual(
        offeredProposals(yield* formOf(dana, "BUYER", kim)),
        [proposalId],
        "another organization of hers"
      )
      assert.deepStrictEqual(offeredProposals(yield* formOf(dana, "BUYER", sam)), [], "the author's")
      assert.deepStrictEqual(offeredProposals(yield* formOf(dana, "SUPPLIER", sam)), [], "the author's, on its side")
      assert.deepStrictEqual(
        offeredProposals(yield* formOf(kim, "SUPPLIER", sam)),
        [proposalId],
        "a member of the author's"
      )
      assert.deepStrictEqual(
        offeredProposals(yield* formOf(kim, "SUPPLIER")),
        [],
        "another organization of that member"
      )
      assert.deepStrictEqual(offeredProposals(yield* formOf(kim, "BUYER")), [])
    })
  )

  it.effect("The grant form omits proposals that have ended or have another recipient now.", () =>
    Effect.gen(function* () {
      const between = yield* makeContactPair
      const { sam, dana } = between
      const withdrawn = yield* publishBetween(between)
      const elsewhere = yield* publishBetween(between)
      const changed = yield* publishBetween(between)
      yield* withdrawBetween(between, withdrawn.view)
      yield* changeRecipient(between, elsewhere.view, yield* signInNewPerson("Eve"))
      assert.deepStrictEqual(offeredProposals(yield* formOf(dana, "BUYER")), [changed.proposalId])
      assert.sameMembers(
        [...offeredProposals(yield* formOf(sam, "SUPPLIER"))],
        [elsewhere.proposalId, changed.proposalId]
      )
    })
  )

  it.effect("An agent is granted exactly the ticked proposals, and its page lists them.", () =>
    Effect.gen(function* () {
      const between = yield* makeContactPair
      const { dana } = between
      const one = yield* publishBetween(between, `<b>Logo</b>\u202e`)
      const two = yield* publishBetween(between)
      const other = yield* publishBetween(between)
      const answer = yield* createGrant(dana, "BUYER", { proposals: [one.proposalId, two.proposalId] })
      const token = secretOn(answer)
      const { id, proposalIds } = yield* me(token)
      assert.deepStrictEqual(proposalIds, [one.proposalId, two.proposalId])
      const shown = yield* readPage(dana, `/workspace/agents/${id}`)
      assert.include(shown.text, `<a href="/workspace/proposals/${one.proposalId}">`)
      assert.include(shown.text, "&lt;b>Logo&lt;/b>‹U+202E›")
      assert.notMatch(shown.text, /<b>|\u202e/)
      assert.include(shown.text, `<a href="/workspace/proposals/${two.proposalId}">`)
      assert.include(shown.text, "waits for your answer")
      assert.notInclude(shown.text, other.proposalId)
      const list = yield* readPage(dana, "/workspace/agents")
      assert.match(list.text, /data-heading="Projects">0<\/td><td [^>]*>2<\/td>/)
      yield* withdrawBetween(between, one.view)
      yield* changeRecipient(between, two.view, yield* signInNewPerson("Eve"))
      const after = yield* readPage(dana, `/workspace/agents/${id}`)
      assert.include(after.text, "withdrawn")
      assert.include(after.text, `<code>${two.proposalId}</code>`)
      assert.notInclude(after.text, `/workspace/proposals/${two.proposalId}`)
    })
  )

  it.effect("A grant form with an unavailable or ended proposal is shown again with its problem.", () =>
    Effect.gen(function* () {
      const between = yield* makeContactPair
      const { dana } = between
      const foreign = yield* publishBetween(yield* makeContactPair)
      const ended = yield* publishBetween(between)
      const form = formOn(yield* formOf(dana, "BUYER"), path)
      yield* withdrawBetween(between, ended.view)
      for (const proposals of [foreign.proposalId, `proposal_${uuid()}`, ended.proposalId, "x"]) {
        const refused = yield* submit(dana, form, { ...fine, proposals })
        assert.strictEqual(refused.status, 400, proposals)
        assert.deepStrictEqual(problemsOn(refused), [["proposals", "Choose again: the proposals."]])
        assert.include(refused.text, 'id="field-proposals"')
        assert.include(refused.text, 'value="Scout"')
      }
      assert.strictEqual((yield* submit(dana, form, fine)).status, 200)
    })
  )

  it.effect("A grant beyond the limit of a proposal is refused with 409, and the form keeps its values.", () =>
    Effect.gen(function* () {
      const between = yield* makeContactPair
      const { dana } = between
      const { proposalId } = yield* publishBetween(between)
      const holders = Array.from({ length: limits.grantsPerProposal }, () => ({
        grantId: `grant_${uuid()}`,
        role: "BUYER" as const,
        personId: dana.personId
      }))
      const storage = yield* Storage
      yield* storage.transaction({ locks: [exclusive("proposal", proposalId)] }, (transaction) =>
        transaction.update(Proposals, [proposalId], { holders })
      )
      const refused = yield* createGrant(dana, "BUYER", { proposals: proposalId })
      const message = `Limit reached: ${limits.grantsPerProposal} grants of one side for a proposal.`
      assert.deepStrictEqual([refused.status, problemsOn(refused)], [409, [["proposals", message]]])
      assert.match(refused.text, new RegExp(`value="${proposalId}" checked`))
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("proposals of a consent", (it) => {
  it.effect("A consent gives the agent access to exactly the ticked proposals.", () =>
    Effect.gen(function* () {
      const between = yield* makeContactPair
      const { dana } = between
      const [given, other] = [yield* publishBetween(between), yield* publishBetween(between)]
      const { userCode, deviceCode } = yield* startConnection({ agentName: "Scout", client: "scout" }, undefined)
      const jar = { session: dana.token }
      const at = (yield* send("/workspace/connect", { code: userCode }, jar)).headers["location"] ?? ""
      const step = `${at}?organizationId=${dana.organizationId}&role=BUYER`
      const shown = yield* openPage(step, jar)
      assert.sameMembers([...offeredProposals(shown)], [given.proposalId, other.proposalId])
      assert.notMatch(shown.text, /name="proposals"[^>]* checked/)
      const chosen: Fields = {
        organizationId: dana.organizationId,
        role: "BUYER",
        preset: "CHOSEN",
        actions: "RESPOND_PROPOSAL",
        proposals: given.proposalId,
        requirement1: "A person reads it first.",
        days: "7",
        codeMatches: "on",
        decision: "APPROVE"
      }
      const foreign = yield* publishBetween(yield* makeContactPair)
      const refused = yield* send(at, { ...chosen, proposals: foreign.proposalId }, jar, step)
      assert.deepStrictEqual(
        [refused.status, problemsOn(refused)],
        [400, [["proposals", "Choose again: the proposals."]]]
      )
      assert.strictEqual((yield* send(at, chosen, jar, step)).status, 303)
      const outcome = yield* openPage(at, jar)
      assert.include(outcome.text, `<a href="/workspace/proposals/${given.proposalId}">`)
      assert.notInclude(outcome.text, other.proposalId)
      assert.include(outcome.text, "A person reads it first.")
      const poll = yield* pollConnection(deviceCode)
      const token = poll.state === "CONNECTED" ? poll.credential.token : ""
      assert.strictEqual((yield* readProposal(token, given.proposalId)).status, 200)
      const unreached = yield* readProposal(token, other.proposalId)
      assert.deepStrictEqual([unreached.status, unreached.body.error], [403, "FORBIDDEN_AGENT_PROJECT_SCOPE"])
    })
  )
})

describe("grant forms with more proposals than an agent can have", () => {
  const ids = Array.from({ length: limits.proposalsPerGrant + 1 }, () => `proposal_${uuid()}`)
  const choices: GrantChoices = {
    organizationId: "organization_1",
    organizationName: "Dana Ltd",
    role: "BUYER",
    validUntil: "2030-01-01T00:00:00.000Z" as Instant,
    projects: [],
    proposals: ids.map((id) => ({
      id,
      role: "BUYER",
      organizationId: "organization_1",
      state: "PUBLISHED",
      version: 1,
      publishedVersion: 1,
      digest: "",
      proposalHead: "",
      supplier: { organizationId: "organization_2", actorId: "person_2" },
      recipient: { actorId: "person_1", reference: null },
      projectId: null,
      title: "Logo",
      createdAt: "2026-03-16T09:00:00.000Z" as Instant,
      automation: { revision: 0, paused: false, pausedBy: [] },
      humanUrl: "",
      supplierName: "Sam",
      organizationName: "Sam Ltd"
    })),
    actions: [],
    guarded: [],
    withheld: [],
    isRecent: true
  }
  const decoded = (proposals: ReadonlyArray<string>) =>
    Effect.runPromise(
      decodeGrantForm(choices, { formToken: "", fields: { preset: "READ_ONLY", days: "7", proposals } })
    )

  plain("A grant form with more proposals than the limit is refused, and one at the limit is accepted.", async () => {
    const { grant } = await decoded(ids)
    assert.deepStrictEqual(Result.isFailure(grant) && grant.failure.problems, [
      { field: "proposals", message: `Limit reached: ${limits.proposalsPerGrant} proposals for each agent.` }
    ])
    const fits = (await decoded(ids.slice(1))).grant
    assert.deepStrictEqual(Result.isSuccess(fits) && fits.success.input.proposalIds, ids.slice(1))
  })
})
