/** Side exclusivity: a person who acted or was named for one party never acts for the other. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { authorities } from "../../src/people/membership.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { confirmAgreement, creationInput, makeAgent, readProject, uuid } from "../support/parties.ts"
import {
  commandAsPerson,
  createAgreementAsPerson,
  answerOf,
  personCommandBody,
  decisionOf,
  runToDelivered,
  runToLocked,
  materialsOf,
  readProjectAsPerson,
  signatureBy,
  termsOf,
  type Pair
} from "../support/person-commands.ts"
import { handoffOf } from "../support/requests.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { createdBody, outcome, post } from "../support/workspace.ts"

const signInPair = Effect.gen(function* () {
  return { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") } satisfies Pair
})

const join = Effect.fnUntraced(function* (person: SignedInPerson, { organizationId }: SignedInPerson) {
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  yield* createMembership({ personId: person.personId, organizationId, authorities, validUntil })
  return { ...person, organizationId }
})

const addColleague = (of: SignedInPerson) => Effect.flatMap(signInNewPerson("Lee"), (lee) => join(lee, of))

const pause = (by: SignedInPerson, projectId: string) =>
  post(by, `/projects/${projectId}/pause`, { requestId: uuid(), reason: "Wait." })

const changeRepresentative = (by: SignedInPerson, projectId: string, supplierActorId: string) =>
  Effect.flatMap(readProjectAsPerson(by, projectId), (view) =>
    commandAsPerson(
      by,
      projectId,
      "change-representative",
      personCommandBody(view, { supplierActorId, reason: "Lee goes on." })
    )
  )

const revise = Effect.fnUntraced(function* (by: SignedInPerson, projectId: string, supplier: SignedInPerson) {
  const terms = yield* termsOf(supplier)
  return yield* commandAsPerson(
    by,
    projectId,
    "revise",
    personCommandBody(yield* readProjectAsPerson(by, projectId), { reason: "Other dates.", terms })
  )
})

layer(freshTestService, { excludeTestServices: true })("persons who acted for the buyer", (it) => {
  it.effect("A person cannot accept a representative invitation that they created.", () =>
    Effect.gen(function* () {
      const { buyer, supplier } = yield* signInPair
      const projectId = yield* createAgreementAsPerson(buyer, supplier, { supplierActorId: undefined })
      const lee = yield* addColleague(buyer)
      const invited = createdBody(
        yield* post(lee, `/projects/${projectId}/representative-invitations`, { requestId: uuid() })
      )
      const { organizationId } = yield* signInNewPerson("Ida")
      const own = yield* join(lee, { ...lee, organizationId })
      const acceptance = { requestId: uuid(), code: invited.code, organizationId: own.organizationId }
      assert.deepStrictEqual(outcome(yield* post(lee, "/invitations/accept-representation", acceptance)), [
        409,
        "SAME_PARTY"
      ])
    })
  )

  it.effect.each([
    ["paused the project", (lee: SignedInPerson, projectId: string) => pause(lee, projectId)],
    [
      "revised the project",
      (lee: SignedInPerson, projectId: string, { supplier }: Pair) => revise(lee, projectId, supplier)
    ],
    [
      "given a task",
      (lee: SignedInPerson, projectId: string) =>
        post(lee, `/projects/${projectId}/participation-invitations`, {
          requestId: uuid(),
          title: "Look",
          instructions: "Look at it.",
          dueAt: null
        })
    ]
  ] as const)("A person who has %s for the buyer cannot become its supplier.", ([, actForBuyer]) =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const projectId = yield* runToLocked(pair)
      const lee = yield* addColleague(pair.buyer)
      createdBody(yield* actForBuyer(lee, projectId, pair))
      yield* join(lee, pair.supplier)
      assert.deepStrictEqual(outcome(yield* changeRepresentative(pair.supplier, projectId, lee.personId)), [
        409,
        "SAME_PARTY"
      ])
    })
  )

  it.effect("A person named as the buyer's signer cannot become the supplier.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const principal = yield* addColleague(pair.buyer)
      const signing = { ...signatureBy(pair.buyer, pair.supplier, "NATIVE", yield* now), principal: principal.personId }
      const projectId = yield* runToLocked(pair, { signing })
      yield* join(principal, pair.supplier)
      const named = yield* changeRepresentative(pair.supplier, projectId, principal.personId)
      assert.deepStrictEqual(outcome(named), [409, "SAME_PARTY"])
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("persons of the supplier", (it) => {
  it.effect("A person named as the supplier's signer cannot act for the buyer.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const signer = yield* addColleague(pair.supplier)
      yield* join(signer, pair.buyer)
      const signing = { ...signatureBy(pair.buyer, pair.supplier, "NATIVE", yield* now), counterparty: signer.personId }
      const projectId = yield* runToLocked(pair, { signing })
      const view = yield* readProjectAsPerson(signer, projectId)
      assert.strictEqual(view.role, "SUPPLIER")
      assert.include(view.availableActions, "SIGN_AGREEMENT")
      assert.deepStrictEqual(outcome(yield* revise(signer, projectId, pair.supplier)), [403, "FORBIDDEN"])
      const signature = { method: "NATIVE", digest: view.project.agreement.digest }
      createdBody(yield* commandAsPerson(signer, projectId, "sign", personCommandBody(view, { signature })))
    })
  )

  it.effect("Terms that name a signer from outside the supplier's organization cannot be accepted.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const outsider = yield* signInNewPerson("Eve")
      const signing = {
        ...signatureBy(pair.buyer, pair.supplier, "NATIVE", yield* now),
        counterparty: outsider.personId
      }
      const projectId = yield* createAgreementAsPerson(pair.buyer, pair.supplier, { signing })
      const view = yield* readProjectAsPerson(pair.supplier, projectId)
      const accepting = view.decisionActions.find((one: any) => one.decision === "ACCEPT")
      assert.deepInclude(accepting, { allowed: false, code: "UNKNOWN_SIGNER" })
      const response = yield* commandAsPerson(pair.supplier, projectId, "respond", answerOf(view, pair.supplier))
      assert.deepStrictEqual(outcome(response), [409, "UNKNOWN_SIGNER"])
    })
  )

  it.effect("An agent of a former representative cannot pause the project by a hand-off.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const projectId = yield* runToLocked(pair)
      const { token } = yield* makeAgent(pair.supplier, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
      const lee = yield* addColleague(pair.supplier)
      createdBody(yield* changeRepresentative(pair.supplier, projectId, lee.personId))
      const view = yield* readProject(token, projectId)
      assert.deepStrictEqual([view.availableActions, view.blockedActions], [[], []])
      const asked = yield* send("POST", `/api/agents/v1/projects/${projectId}/handoff`, {
        token,
        body: handoffOf(view)
      })
      assert.deepStrictEqual(outcome(asked), [403, "FORBIDDEN_AGENT_ACTION"])
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("members of both organizations", (it) => {
  it.effect("A member of both organizations is assigned to the buyer until a side is recorded.", () =>
    Effect.gen(function* () {
      for (const _ of [1, 2, 3, 4]) {
        const pair = yield* signInPair
        const projectId = yield* runToDelivered(pair)
        const both = yield* join(yield* addColleague(pair.supplier), pair.buyer)
        const view = yield* readProjectAsPerson(both, projectId)
        assert.strictEqual(view.role, "BUYER")
        createdBody(yield* commandAsPerson(both, projectId, "review", decisionOf(view, "REQUEST_CHANGES")))
      }
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("agents and side exclusivity", (it) => {
  it.effect("An agent cannot accept the revision of a paused project; a person can.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const old = yield* runToLocked(pair)
      const next = createdBody(yield* revise(pair.buyer, old, pair.supplier)).project.taskId
      createdBody(yield* pause(pair.buyer, old))
      const { token } = yield* makeAgent(pair.supplier, "SUPPLIER", ["RESPOND_TERMS"], [next])
      const view = yield* readProject(token, next)
      const accepting = view.decisionActions.find((one: any) => one.decision === "ACCEPT")
      assert.deepInclude(accepting, { allowed: false, code: "AGENT_PAUSED" })
      const { input } = answerOf(view, pair.supplier)
      const body = { expectedEventHash: view.project.headEventHash, automationRevision: 0, input }
      const refused = yield* send("POST", `/api/agents/v1/projects/${next}/respond`, { token, body })
      assert.deepStrictEqual(outcome(refused), [409, "AGENT_PAUSED"])
      const response = answerOf(yield* readProjectAsPerson(pair.supplier, next), pair.supplier)
      createdBody(yield* commandAsPerson(pair.supplier, next, "respond", response))
      assert.strictEqual((yield* readProjectAsPerson(pair.buyer, old)).project.state, "SUPERSEDED")
    })
  )

  it.effect("An agent of another organization of the supplier is offered no actions.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const buying = yield* makeAgent(pair.buyer, "BUYER", ["CREATE_PROJECT"])
      const body = creationInput(pair.supplier, yield* confirmAgreement, yield* now)
      const projectId = createdBody(yield* send("POST", "/api/agents/v1/projects", { token: buying.token, body }))
        .project.taskId
      const { token } = yield* makeAgent(pair.supplier, "SUPPLIER", ["SUBMIT_MATERIALS", "RESPOND_TERMS"], [projectId])
      const { organizationId } = yield* signInNewPerson("Ida")
      yield* join(pair.supplier, { ...pair.supplier, organizationId })
      const response = answerOf(yield* readProjectAsPerson(pair.supplier, projectId), pair.supplier)
      createdBody(yield* commandAsPerson(pair.supplier, projectId, "respond", { ...response, organizationId }))
      const view = yield* readProject(token, projectId)
      assert.deepStrictEqual(view.availableActions, [])
      const { input } = materialsOf(view)
      const sent = { expectedEventHash: view.project.headEventHash, automationRevision: 0, input }
      const refused = yield* send("POST", `/api/agents/v1/projects/${projectId}/submit`, { token, body: sent })
      assert.deepStrictEqual(outcome(refused), [403, "FORBIDDEN_AGENT_ACTION"])
    })
  )
})
