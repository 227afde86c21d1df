import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { compactVerify, importJWK } from "jose"
import { revokeGrant } from "../../src/access/grants.ts"
import { readChain } from "../../src/access/operations.ts"
import { chainHash } from "../../src/canonical/chain.ts"
import { digestOf } from "../../src/canonical/digest.ts"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { createOrganization, createPerson } from "../../src/people/operations.ts"
import { authorities } from "../../src/people/membership.ts"
import { Signer } from "../../src/ports/signer.ts"
import { Storage } from "../../src/ports/storage.ts"
import { addMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"
import {
  sendCommand,
  makeAgent,
  makeParty,
  readProject,
  respondTo,
  startProject,
  uuid,
  type Party
} from "../support/parties.ts"
import { grantAgent, type PersonGrantInput } from "../support/people.ts"
import { freshTestService, send } from "../support/service.ts"
import { at } from "../support/time.ts"

const day = 86_400_000
const noon = "2026-11-21T12:00:00.000Z" as Instant

const grantFor = (party: Party, changes: Partial<PersonGrantInput> = {}): PersonGrantInput => ({
  personId: party.personId,
  organizationId: party.organizationId,
  role: "BUYER",
  agentName: "Agent",
  actions: ["CREATE_PROJECT"],
  projectIds: [],
  subjectRequirements: [],
  ...changes
})

const codeOf = <A, R>(operation: Effect.Effect<A, { readonly code: string }, R>) =>
  Effect.match(operation, { onFailure: ({ code }) => code, onSuccess: () => "DONE" })

const me = (token: string) => send("GET", "/api/agents/v1/me", { token })

/** A person whose membership carries only these authorities. */
const partyWith = Effect.fnUntraced(function* (held: ReadonlyArray<(typeof authorities)[number]>, days = 365) {
  const { organizationId } = yield* createOrganization({ name: "Limited" })
  const { personId } = yield* createPerson({ name: "Lee", issuer: "https://people.test", subject: uuid() })
  const validUntil = addMilliseconds(noon, days * day)
  const { membershipId } = yield* createMembership({ personId, organizationId, authorities: held, validUntil })
  return { name: "Lee", personId, organizationId, membershipId }
}, at(noon))

layer(freshTestService, { excludeTestServices: true })("grants", (it) => {
  it.effect("A grant ends 30 days from now by default, and never after the membership", () =>
    Effect.gen(function* () {
      const party = yield* partyWith(authorities)
      const usual = yield* grantAgent(grantFor(party))
      assert.strictEqual(usual.expiresAt, addMilliseconds(noon, 30 * day))
      const short = yield* partyWith(authorities, 3)
      const bounded = yield* grantAgent(grantFor(short))
      assert.strictEqual(bounded.expiresAt, addMilliseconds(noon, 3 * day))
      const asked = yield* grantAgent(grantFor(short, { expiresAt: addMilliseconds(noon, 10 * day) }))
      assert.strictEqual(asked.expiresAt, addMilliseconds(noon, 3 * day))
    }).pipe(at(noon))
  )

  const expiries: ReadonlyArray<readonly [string, number, string]> = [
    ["An expiry of exactly 30 days is granted", 30 * day, "DONE"],
    ["An expiry of 30 days and a millisecond is refused", 30 * day + 1, "INVALID_REQUEST"],
    ["An expiry now is refused", 0, "INVALID_REQUEST"],
    ["An expiry a millisecond from now is granted", 1, "DONE"]
  ]
  for (const [title, milliseconds, code] of expiries) {
    it.effect(title, () =>
      Effect.gen(function* () {
        const party = yield* partyWith(authorities)
        const expiresAt = addMilliseconds(noon, milliseconds)
        assert.strictEqual(yield* codeOf(grantAgent(grantFor(party, { expiresAt }))), code)
      }).pipe(at(noon))
    )
  }

  it.effect("A grant never includes an action that its authorizer or its side lacks", () =>
    Effect.gen(function* () {
      const delegate = yield* partyWith(["DELEGATE", "DELIVERY_REVIEW"])
      const granted = (changes: Partial<PersonGrantInput>) => codeOf(grantAgent(grantFor(delegate, changes)))
      assert.strictEqual(yield* granted({ actions: [] }), "DONE")
      assert.strictEqual(yield* granted({ actions: ["REVIEW_DELIVERY", "RAISE_CONCERN"] }), "DONE")
      assert.strictEqual(yield* granted({ actions: ["CREATE_PROJECT"] }), "FORBIDDEN")
      assert.strictEqual(yield* granted({ actions: ["REVIEW_DELIVERY", "REVIEW_DELIVERY"] }), "INVALID_REQUEST")
      assert.strictEqual(yield* granted({ agentName: "a".repeat(201) }), "INVALID_REQUEST")
      assert.strictEqual(yield* granted({ actions: ["REVIEW_DELIVERY", "CONFIRM_COMPLETION"] }), "FORBIDDEN")
      assert.strictEqual(yield* granted({ role: "SUPPLIER", actions: ["REVIEW_DELIVERY"] }), "FORBIDDEN")
      const everything = yield* partyWith(authorities)
      const wrongSide = grantFor(everything, { role: "BUYER", actions: ["SUBMIT_MATERIALS"] })
      assert.strictEqual(yield* codeOf(grantAgent(wrongSide)), "FORBIDDEN")
    }).pipe(at(noon))
  )

  it.effect("A grant needs a person who may delegate in an organization of theirs", () =>
    Effect.gen(function* () {
      const clerk = yield* partyWith(["AGREEMENT_CREATE"])
      assert.strictEqual(yield* codeOf(grantAgent(grantFor(clerk))), "FORBIDDEN")
      const dana = yield* partyWith(authorities)
      const elsewhere = grantFor(dana, { organizationId: clerk.organizationId })
      assert.strictEqual(yield* codeOf(grantAgent(elsewhere)), "UNKNOWN_PARTY")
      const unknownPerson = grantFor(dana, { personId: `person_${uuid()}` })
      assert.strictEqual(yield* codeOf(grantAgent(unknownPerson)), "UNKNOWN_PARTY")
      const over = at(addMilliseconds(noon, 365 * day))
      assert.strictEqual(yield* over(codeOf(grantAgent(grantFor(dana)))), "UNKNOWN_PARTY")
    }).pipe(at(noon))
  )

  it.effect("A grant reaches only projects of its own side, each named once", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* startProject()
      const reaching = (party: Party, role: "BUYER" | "SUPPLIER", ...projectIds: ReadonlyArray<string>) =>
        codeOf(grantAgent(grantFor(party, { role, actions: [], projectIds })))
      assert.strictEqual(yield* reaching(buyer, "BUYER", projectId), "DONE")
      assert.strictEqual(yield* reaching(supplier, "SUPPLIER", projectId), "DONE")
      assert.strictEqual(yield* reaching(buyer, "SUPPLIER", projectId), "FORBIDDEN")
      assert.strictEqual(yield* reaching(supplier, "BUYER", projectId), "FORBIDDEN")
      assert.strictEqual(yield* reaching(yield* makeParty("Eve"), "BUYER", projectId), "FORBIDDEN")
      assert.strictEqual(yield* reaching(buyer, "BUYER", `delivery_${uuid()}`), "FORBIDDEN")
      assert.strictEqual(yield* reaching(buyer, "BUYER", projectId, projectId), "INVALID_REQUEST")
    })
  )

  it.effect("/me returns the grant in full and no token", () =>
    Effect.gen(function* () {
      const { buyer, projectId } = yield* startProject()
      const requirement = { id: "people", statement: "A person accepts.", humanDecisions: ["ACCEPT"] as const }
      const made = yield* grantAgent(
        grantFor(buyer, { projectIds: [projectId], subjectRequirements: [requirement], actions: ["REVIEW_DELIVERY"] })
      )
      const { status, body } = yield* me(made.token)
      assert.strictEqual(status, 200)
      const { tenantId, createdAt, ...rest } = body
      assert.match(tenantId, /^tenant_/)
      assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.deepStrictEqual(rest, {
        id: made.grantId,
        agentId: made.agentId,
        delegatedBy: buyer.personId,
        authorizer: { personId: buyer.personId, name: buyer.name },
        organizationId: buyer.organizationId,
        role: "BUYER",
        projectIds: [projectId],
        proposalIds: [],
        actions: ["REVIEW_DELIVERY"],
        subjectRequirements: [requirement],
        expiresAt: made.expiresAt,
        state: "ACTIVE"
      })
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("acknowledged revocations", (it) => {
  it.effect("A revocation is effective once acknowledged, idempotent and permanent", () =>
    Effect.gen(function* () {
      const party = yield* makeParty("Dana")
      const { token, grantId } = yield* makeAgent(party, "BUYER", ["CREATE_PROJECT"])
      assert.strictEqual((yield* me(token)).status, 200)
      const first = yield* revokeGrant("OPERATOR", { grantId })
      assert.deepStrictEqual(yield* revokeGrant("OPERATOR", { grantId }), first)
      const refused = yield* me(token)
      assert.deepStrictEqual([refused.status, refused.body.error], [401, "AUTH_INVALID"])
      const { events } = yield* chainOf(grantId)
      assert.strictEqual(events.length, 2)
      assert.strictEqual(yield* codeOf(revokeGrant("OPERATOR", { grantId: `grant_${uuid()}` })), "UNKNOWN_PARTY")
    })
  )

  it.effect("Ending a membership ends every grant under it", () =>
    Effect.gen(function* () {
      const party = yield* makeParty("Dana")
      const tokens = [yield* makeAgent(party, "BUYER", []), yield* makeAgent(party, "SUPPLIER", [])]
      const ended = yield* endMembership("OPERATOR", party)
      assert.deepStrictEqual(yield* endMembership("OPERATOR", party), ended)
      for (const { token } of tokens) assert.strictEqual((yield* me(token)).status, 401)
      assert.strictEqual(yield* codeOf(makeAgent(party, "BUYER", [])), "UNKNOWN_PARTY")
      const unknown = { membershipId: `membership_${uuid()}` }
      assert.strictEqual(yield* codeOf(endMembership("OPERATOR", unknown)), "UNKNOWN_PARTY")
    })
  )

  it.effect("A credential expires at exactly its expiry", () =>
    Effect.gen(function* () {
      const party = yield* partyWith(authorities)
      const { token, expiresAt } = yield* at(noon)(grantAgent(grantFor(party)))
      assert.strictEqual((yield* at(addMilliseconds(expiresAt, -1))(me(token))).status, 200)
      assert.strictEqual((yield* at(expiresAt)(me(token))).status, 401)
    })
  )
})

const chainOf = (grantId: string, projectId = "") =>
  Effect.flatMap(Storage, (storage) => storage.view((reader) => readChain(reader, grantId, [projectId])))

/** The payloads of a chain, each verified by jose under the issuer's published key. */
const verified = Effect.fnUntraced(function* (events: ReadonlyArray<{ readonly id: string; readonly jws: string }>) {
  const { keys } = yield* Signer
  return yield* Effect.forEach(events, ({ id, jws }) =>
    Effect.promise(async () => {
      const { payload, protectedHeader } = await compactVerify(jws, async ({ kid }) => {
        const key = keys.keys.find((one) => one.kid === kid)
        assert.isTrue(key?.purposes.includes("AUTHORITY"))
        return importJWK(key!.jwk, "EdDSA")
      })
      assert.strictEqual(protectedHeader.typ, "service.authority-event/v1")
      return { id, payload: JSON.parse(Buffer.from(payload).toString("utf8")) }
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("authority chain of a grant", (it) => {
  it.effect("The authority chain is signed, chained and numbered from the grant to its revocation", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { buyer, buyerAgent, projectId } = started
      yield* revokeGrant("OPERATOR", { grantId: buyerAgent.grantId })
      const chain = yield* chainOf(buyerAgent.grantId, projectId)
      const events = yield* verified(chain.events)
      assert.deepStrictEqual(
        events.map(({ payload }) => payload.kind),
        ["GRANT", "LINK_PROJECT", "REVOKE"]
      )
      events.forEach(({ id, payload }, index) => {
        assert.strictEqual(id, chainHash(payload))
        assert.strictEqual(payload.sequence, index + 1)
        assert.strictEqual(payload.previous, index === 0 ? null : events[index - 1]!.id)
        assert.strictEqual(payload.grantId, buyerAgent.grantId)
        assert.strictEqual(payload.issuedAt, payload.occurredAt)
      })
      const [{ payload: first }, { payload: second }] = events as [(typeof events)[number], (typeof events)[number]]
      assert.deepStrictEqual(first.change, {
        agentId: buyerAgent.agentId,
        organizationId: buyer.organizationId,
        subjectId: buyer.personId,
        role: "BUYER",
        actions: ["CREATE_PROJECT", "REVIEW_DELIVERY", "CONFIRM_COMPLETION", "ISSUE_RESULT_RECORD"],
        subjectRequirements: [],
        expiresAt: buyerAgent.expiresAt
      })
      const [{ salt, sequence } = assert.fail("no salt")] = chain.salts
      assert.strictEqual(sequence, 2)
      assert.deepStrictEqual(second.change, { projectDigest: digestOf({ projectId, salt }) })
    })
  )

  it.effect(
    "The authority chain contains no project id, and is exported with the salt of the requested project only",
    () =>
      Effect.gen(function* () {
        const one = yield* startProject()
        const { grantId } = yield* makeAgent(one.buyer, "BUYER", [], [one.projectId])
        const other = yield* chainOf(grantId, `delivery_${uuid()}`)
        assert.deepStrictEqual(other.salts, [])
        const payloads = (yield* verified(other.events)).map(({ payload }) => JSON.stringify(payload))
        for (const payload of payloads) assert.notInclude(payload, one.projectId)
      })
  )

  it.effect("Project events name the authority head of their agent, at creation the head that links the project", () =>
    Effect.gen(function* () {
      const started = yield* startProject()
      const { buyerAgent, supplierAgent, projectId } = started
      const view = yield* readProject(supplierAgent.token, projectId)
      const answered = yield* sendCommand(supplierAgent.token, projectId, "respond", respondTo(view, started))
      const [creation, response] = answered.body.project.events
      const buyers = yield* chainOf(buyerAgent.grantId)
      const suppliers = yield* chainOf(supplierAgent.grantId)
      assert.strictEqual(creation.actor.execution.authorityHead, buyers.events.at(-1)?.id)
      assert.strictEqual(response.actor.execution.authorityHead, suppliers.events.at(-1)?.id)
    })
  )
})
