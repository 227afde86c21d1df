/** Grants with exact proposals in their scope: creation, lifetime, and isolation from other proposals. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { enterUserCode } from "../../src/access/approval.ts"
import { pollConnection, startConnection } from "../../src/access/connections.ts"
import { revokeGrant } from "../../src/access/grants.ts"
import { readChain } from "../../src/access/operations.ts"
import { proposalIdDigest } from "../../src/access/authority.ts"
import { GrantProposals } from "../../src/access/store.ts"
import { endMembership } from "../../src/people/memberships.ts"
import { Storage } from "../../src/ports/storage.ts"
import { Proposals } from "../../src/proposals/store.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import {
  draftBetween,
  makeContactPair,
  publishBetween,
  changeRecipient,
  withdrawBetween
} from "../support/contact-proposals.ts"
import { readProject, uuid } from "../support/parties.ts"
import {
  answerOf,
  commandProposal,
  withoutRevision,
  personProposal,
  readProposal,
  versionOf
} from "../support/proposals.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { agentChoice, grantInput, createdBody, outcome, post, read } from "../support/workspace.ts"

const agents = "/api/agents/v1"

const me = (token: string) => Effect.map(send("GET", `${agents}/me`, { token }), ({ body }) => body)

const proposalGrantInput = (by: SignedInPerson, proposalIds: ReadonlyArray<string>, changes: object = {}) =>
  grantInput(by, { actions: ["RESPOND_PROPOSAL"], proposalIds, ...changes })

/** A buyer's grant for these proposals. */
const grantedTo = Effect.fnUntraced(function* (by: SignedInPerson, ...proposalIds: ReadonlyArray<string>) {
  const { token, grantId } = createdBody(yield* post(by, "/grants", proposalGrantInput(by, proposalIds)))
  return { token: token as string, grantId: grantId as string }
})

const holdersOf = (proposalId: string) =>
  Effect.flatMap(Storage, (storage) =>
    storage.view((reader) => Effect.map(reader.get(Proposals, [proposalId]), (row) => row?.holders ?? []))
  )

/** The event kinds of a grant's chain, and whether each proposal is linked by the digest with its salt. */
const chainOf = Effect.fnUntraced(function* (grantId: string) {
  const storage = yield* Storage
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const { events } = yield* readChain(reader, grantId, [])
      const links = yield* reader.range(GrantProposals, "bySequence", { prefix: [grantId], limit: 100 })
      const payloads = events.map(({ jws }) =>
        JSON.parse(Buffer.from(jws.split(".")[1]!, "base64url").toString("utf8"))
      )
      const digests = links.map(({ proposalId, salt, sequence }) => {
        assert.strictEqual(payloads[sequence - 1].change.proposalDigest, proposalIdDigest(proposalId, salt))
        return proposalId
      })
      return { kinds: payloads.map(({ kind }) => kind), linked: digests, text: JSON.stringify(payloads) }
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("grants with proposals", (it) => {
  it.effect("A grant reaches exactly its proposals, each linked by a signed event without its id", () =>
    Effect.gen(function* () {
      const between = yield* makeContactPair
      const [one, two, other] = [
        yield* publishBetween(between),
        yield* publishBetween(between),
        yield* publishBetween(between)
      ]
      const { token, grantId } = yield* grantedTo(between.dana, one.proposalId, two.proposalId)
      assert.deepStrictEqual((yield* me(token)).proposalIds, [one.proposalId, two.proposalId])
      assert.deepStrictEqual((yield* read(between.dana, `/grants/${grantId}`)).body.proposalIds, [
        one.proposalId,
        two.proposalId
      ])
      const { kinds, linked, text } = yield* chainOf(grantId)
      assert.deepStrictEqual(kinds, ["GRANT", "LINK_PROPOSAL", "LINK_PROPOSAL"])
      assert.deepStrictEqual(linked, [one.proposalId, two.proposalId])
      assert.notInclude(text, "proposal_")
      const listed = (yield* send("GET", `${agents}/proposals`, { token })).body
      assert.deepStrictEqual(
        [listed.proposals.map(({ id }: { readonly id: string }) => id), listed.next],
        [[one.proposalId, two.proposalId], null]
      )
      const refused = yield* readProposal(token, other.proposalId)
      const unknown = yield* readProposal(token, `proposal_${uuid()}`)
      assert.deepStrictEqual(outcome(refused), [403, "FORBIDDEN_AGENT_PROJECT_SCOPE"])
      assert.deepStrictEqual(refused.body, unknown.body, "as if it did not exist")
      const answer = yield* answerOf(other.view, "DECLINE")
      const written = yield* commandProposal(token, other.proposalId, "respond", answer)
      assert.deepStrictEqual(written.body, unknown.body)
    })
  )

  it.effect("A person who is not a party of the proposal on that side cannot grant it", () =>
    Effect.gen(function* () {
      const between = yield* makeContactPair
      const { sam, dana } = between
      const draft = yield* draftBetween(between)
      const shown = yield* publishBetween(between)
      const moved = yield* publishBetween(between)
      const eve = yield* signInNewPerson("Eve")
      yield* changeRecipient(between, moved.view, eve)
      const unknown = `proposal_${uuid()}`
      const supplier = { role: "SUPPLIER", actions: ["WITHDRAW_PROPOSAL"] }
      const refused: ReadonlyArray<readonly [SignedInPerson, ReadonlyArray<string>, object?]> = [
        [dana, [unknown]],
        [dana, [draft.proposalId]],
        [dana, [moved.proposalId]],
        [dana, [shown.proposalId], supplier],
        [dana, [shown.proposalId, unknown]],
        [sam, [shown.proposalId]],
        [eve, [shown.proposalId]],
        [eve, [shown.proposalId], supplier]
      ]
      const bodies = new Set<string>()
      for (const [by, proposalIds, changes] of refused) {
        const answer = yield* post(by, "/grants", proposalGrantInput(by, proposalIds, changes))
        assert.deepStrictEqual(outcome(answer), [403, "FORBIDDEN"], `${by.name} ${JSON.stringify(changes)}`)
        bodies.add(JSON.stringify(answer.body))
      }
      assert.strictEqual(bodies.size, 1, "one refusal for all of them")
      for (const by of [dana, eve]) assert.lengthOf((yield* read(by, "/grants")).body.grants, 0)
      assert.lengthOf(yield* holdersOf(shown.proposalId), 1, "the author's")
      assert.strictEqual((yield* post(dana, "/grants", proposalGrantInput(dana, [shown.proposalId]))).status, 201)
      assert.strictEqual(
        (yield* post(sam, "/grants", proposalGrantInput(sam, [draft.proposalId], supplier))).status,
        201
      )
      assert.strictEqual((yield* post(eve, "/grants", proposalGrantInput(eve, [moved.proposalId]))).status, 201)
    })
  )

  it.effect("A grant names each proposal once, at most fifty of them", () =>
    Effect.gen(function* () {
      const between = yield* makeContactPair
      const { dana } = between
      const { proposalId } = yield* publishBetween(between)
      const many = Array.from({ length: limits.proposalsPerGrant + 1 }, () => `proposal_${uuid()}`)
      for (const proposalIds of [[proposalId, proposalId], many, [`delivery_${uuid()}`], [proposalId.toUpperCase()]]) {
        const { status, body } = yield* post(dana, "/grants", proposalGrantInput(dana, proposalIds))
        assert.deepStrictEqual([status, body.error], [400, "INVALID_REQUEST"])
        assert.match(body.issues[0].path, /^proposalIds/)
      }
      const fits = yield* post(dana, "/grants", proposalGrantInput(dana, many.slice(1)))
      assert.deepStrictEqual(outcome(fits), [403, "FORBIDDEN"])
      const swapped = yield* post(dana, "/grants", proposalGrantInput(dana, [], { projectIds: [proposalId] }))
      assert.deepStrictEqual(outcome(swapped), [400, "INVALID_REQUEST"])
    })
  )

  it.effect("An approved connection grants proposals like a new grant", () =>
    Effect.gen(function* () {
      const between = yield* makeContactPair
      const { dana } = between
      const { proposalId } = yield* publishBetween(between)
      const draft = yield* draftBetween(between)
      const { userCode, deviceCode } = yield* startConnection({ agentName: "Scout", client: "scout" }, undefined)
      const { connectionId } = yield* enterUserCode(dana, userCode, undefined)
      const approve = (proposalIds: ReadonlyArray<string>) =>
        post(dana, `/connections/${connectionId}/approve`, { codeMatches: true, ...agentChoice(dana, { proposalIds }) })
      assert.deepStrictEqual(outcome(yield* approve([draft.proposalId])), [403, "FORBIDDEN"])
      assert.deepStrictEqual(outcome(yield* approve([`proposal_${uuid()}`])), [403, "FORBIDDEN"])
      assert.deepStrictEqual(outcome(yield* approve([proposalId, proposalId])), [400, "INVALID_REQUEST"])
      assert.strictEqual((yield* approve([proposalId])).status, 200)
      const poll = yield* pollConnection(deviceCode)
      const token = poll.state === "CONNECTED" ? poll.credential.token : ""
      assert.deepStrictEqual((yield* me(token)).proposalIds, [proposalId])
      assert.lengthOf(yield* holdersOf(proposalId), 2)
    })
  )

  it.effect("A renewal keeps the proposals, and a revocation or the end of the membership ends access to them", () =>
    Effect.gen(function* () {
      const between = yield* makeContactPair
      const { dana } = between
      const { proposalId } = yield* publishBetween(between)
      const { token, grantId } = yield* grantedTo(dana, proposalId)
      const renewal = { requestId: uuid(), expectedGeneration: 1 }
      const renewed = createdBody(yield* post(dana, `/grants/${grantId}/renew`, renewal)).token as string
      assert.deepStrictEqual(outcome(yield* readProposal(token, proposalId)), [401, "AUTH_INVALID"])
      assert.strictEqual((yield* readProposal(renewed, proposalId)).status, 200)
      assert.deepStrictEqual((yield* me(renewed)).proposalIds, [proposalId])
      assert.deepStrictEqual((yield* chainOf(grantId)).kinds, ["GRANT", "LINK_PROPOSAL", "RENEW"])
      const other = yield* grantedTo(dana, proposalId)
      yield* revokeGrant(dana, { grantId })
      assert.deepStrictEqual(outcome(yield* readProposal(renewed, proposalId)), [401, "AUTH_INVALID"])
      assert.strictEqual((yield* readProposal(other.token, proposalId)).status, 200)
      yield* endMembership("OPERATOR", dana)
      assert.deepStrictEqual(outcome(yield* readProposal(other.token, proposalId)), [401, "AUTH_INVALID"])
      const answer = yield* answerOf((yield* readProposal(between.author.token, proposalId)).body, "DECLINE")
      for (const ended of [token, renewed, other.token]) {
        const late = yield* commandProposal(ended, proposalId, "respond", answer)
        assert.deepStrictEqual(outcome(late), [401, "AUTH_INVALID"])
      }
    })
  )

  it.effect("A former recipient's grant can neither read the proposal nor respond to it", () =>
    Effect.gen(function* () {
      const between = yield* makeContactPair
      const { proposalId, view } = yield* publishBetween(between)
      const former = yield* grantedTo(between.dana, proposalId)
      const eve = yield* signInNewPerson("Eve")
      const republished = yield* changeRecipient(between, view, eve)
      assert.strictEqual((yield* readProposal(former.token, proposalId)).status, 403)
      const { proposals } = (yield* send("GET", `${agents}/proposals`, { token: former.token })).body
      assert.deepStrictEqual(proposals, [])
      for (const seen of [view, republished]) {
        const late = yield* commandProposal(former.token, proposalId, "respond", yield* answerOf(seen, "ACCEPT"))
        assert.strictEqual(late.status, 403)
        assert.notInclude(late.text, eve.personId)
      }
    })
  )

  it.effect(
    "The agreement of an accepted proposal is in the scope of the live grants that held it, and of no other",
    () =>
      Effect.gen(function* () {
        const between = yield* makeContactPair
        const { sam, dana, author } = between
        const { proposalId, view } = yield* publishBetween(between)
        const another = yield* publishBetween(between)
        const reader = createdBody(
          yield* post(dana, "/grants", proposalGrantInput(dana, [proposalId], { actions: [] }))
        )
        const revoked = yield* grantedTo(dana, proposalId)
        yield* revokeGrant(dana, revoked)
        const bystander = yield* grantedTo(dana, another.proposalId)
        const member = createdBody(
          yield* post(sam, "/grants", proposalGrantInput(sam, [], { role: "SUPPLIER", actions: [] }))
        )
        const accepted = createdBody(
          yield* personProposal(dana, view, "respond", withoutRevision(yield* answerOf(view, "ACCEPT")))
        )
        const { projectId } = accepted.proposal
        for (const { token } of [reader, author]) {
          assert.strictEqual((yield* readProject(token, projectId)).project.taskId, projectId)
          assert.deepStrictEqual((yield* me(token)).projectIds, [projectId])
        }
        assert.deepStrictEqual((yield* chainOf(reader.grantId)).kinds, ["GRANT", "LINK_PROPOSAL", "LINK_PROJECT"])
        assert.deepStrictEqual((yield* chainOf(revoked.grantId)).kinds, ["GRANT", "LINK_PROPOSAL", "REVOKE"])
        for (const { token } of [bystander, member]) {
          assert.strictEqual((yield* readProject(token, projectId)).error, "FORBIDDEN_AGENT_PROJECT_SCOPE")
        }
      })
  )

  it.effect("A proposal is in the scope of the grant that wrote it, and of no sibling grant", () =>
    Effect.gen(function* () {
      const between = yield* makeContactPair
      const { sam, author } = between
      const { proposalId, view } = yield* draftBetween(between)
      const sibling = createdBody(
        yield* post(sam, "/grants", proposalGrantInput(sam, [], { role: "SUPPLIER", actions: ["WITHDRAW_PROPOSAL"] }))
      )
      assert.deepStrictEqual((yield* me(author.token)).proposalIds, [proposalId])
      const taken = yield* commandProposal(sibling.token, proposalId, "withdraw", versionOf(view))
      assert.deepStrictEqual(outcome(taken), [403, "FORBIDDEN_AGENT_PROJECT_SCOPE"])
      assert.strictEqual((yield* withdrawBetween(between, view)).proposal.state, "WITHDRAWN")
    })
  )
})
