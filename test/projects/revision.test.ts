/** Revision of terms as a new project: replaced at once, or offered until the supplier accepts. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { authorities } from "../../src/people/membership.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { makeAgent, readProject, uuid } from "../support/parties.ts"
import {
  runToAccepted,
  commandAsPerson,
  createAgreementAsPerson,
  answerOf,
  concernOf,
  dateRevisionOf,
  personCommandBody,
  runToDelivered,
  runToLocked,
  materialsOf,
  readProjectAsPerson,
  termsOf,
  type Pair
} from "../support/person-commands.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { createdBody, outcome } from "../support/workspace.ts"

const signInPair = Effect.gen(function* () {
  return { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") } satisfies Pair
})

const revision = Effect.fnUntraced(function* ({ buyer, supplier }: Pair, projectId: string, changes: object = {}) {
  const terms = yield* termsOf(supplier, { title: "Logo, revised", ...changes })
  return personCommandBody(yield* readProjectAsPerson(buyer, projectId), { reason: "Other dates.", terms })
})

const revise = Effect.fnUntraced(function* (pair: Pair, projectId: string, changes: object = {}) {
  return yield* commandAsPerson(pair.buyer, projectId, "revise", yield* revision(pair, projectId, changes))
})

const reviseToProject = (pair: Pair, projectId: string) =>
  Effect.map(revise(pair, projectId), (answer) => createdBody(answer).project.taskId as string)

const respond = Effect.fnUntraced(function* (supplier: SignedInPerson, projectId: string, action: string) {
  const body = answerOf(yield* readProjectAsPerson(supplier, projectId), supplier, { action })
  return yield* commandAsPerson(supplier, projectId, "respond", body)
})

const stateOf = (by: SignedInPerson, projectId: string) =>
  Effect.map(readProjectAsPerson(by, projectId), ({ project }) => project.state as string)

layer(freshTestService, { excludeTestServices: true })("revision of terms that are not agreed", (it) => {
  it.effect("Terms that are not agreed are replaced at once by a new project, which they name as successor.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const old = yield* createAgreementAsPerson(pair.buyer, pair.supplier)
      const before = yield* readProjectAsPerson(pair.buyer, old)
      const { project } = createdBody(yield* revise(pair, old))
      assert.strictEqual(project.state, "AWAITING_SUPPLIER")
      assert.strictEqual(project.agreement.version, 2)
      const after = yield* readProjectAsPerson(pair.supplier, old)
      assert.strictEqual(after.project.state, "SUPERSEDED")
      assert.deepStrictEqual(after.project.successor, { projectId: project.taskId, digest: project.agreement.digest })
      assert.strictEqual(after.project.events.at(-1).kind, "SUPERSEDE")
      assert.strictEqual(after.project.events.at(-1).previous, before.project.headEventHash)
    })
  )

  it.effect("Grants of a replaced project do not reach its successor.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const old = yield* createAgreementAsPerson(pair.buyer, pair.supplier)
      const { token } = yield* makeAgent(pair.supplier, "SUPPLIER", ["RESPOND_TERMS"], [old])
      const next = yield* reviseToProject(pair, old)
      const read = yield* send("GET", `/api/agents/v1/projects/${next}`, { token })
      assert.deepStrictEqual(outcome(read), [403, "FORBIDDEN_AGENT_PROJECT_SCOPE"])
      assert.strictEqual((yield* readProject(token, old)).project.state, "SUPERSEDED")
    })
  )

  it.effect("Terms that are not agreed can be revised with another supplier.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const old = yield* createAgreementAsPerson(pair.buyer, pair.supplier)
      const other = yield* signInNewPerson("Olga")
      const { project } = createdBody(yield* revise(pair, old, { supplierActorId: other.personId }))
      assert.strictEqual(project.parties.supplier.actorId, other.personId)
    })
  )

  it.effect("A revision by the supplier or on a stale head is refused.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const old = yield* createAgreementAsPerson(pair.buyer, pair.supplier)
      const body = yield* revision(pair, old)
      assert.deepStrictEqual(outcome(yield* commandAsPerson(pair.supplier, old, "revise", body)), [403, "FORBIDDEN"])
      createdBody(yield* respond(pair.supplier, old, "REQUEST_CHANGES"))
      assert.deepStrictEqual(outcome(yield* commandAsPerson(pair.buyer, old, "revise", body)), [
        409,
        "STALE_EVENT_HEAD"
      ])
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("revision of agreed terms", (it) => {
  it.effect.each([
    ["locked", runToLocked],
    ["delivered", runToDelivered],
    ["accepted", runToAccepted]
  ] as const)("Agreed terms that are %s stay in force until the supplier accepts the revision.", ([, reach]) =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const old = yield* reach(pair)
      const state = yield* stateOf(pair.buyer, old)
      const next = yield* reviseToProject(pair, old)
      assert.strictEqual(yield* stateOf(pair.buyer, old), state)
      createdBody(yield* respond(pair.supplier, next, "ACCEPT"))
      assert.strictEqual(yield* stateOf(pair.buyer, old), "SUPERSEDED")
      assert.strictEqual(yield* stateOf(pair.buyer, next), "LOCKED")
    })
  )

  it.effect("A hold lasts until the supplier accepts the revision and ends with the supersession.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const old = yield* runToLocked(pair)
      createdBody(
        yield* commandAsPerson(
          pair.supplier,
          old,
          "date-revision",
          dateRevisionOf(yield* readProjectAsPerson(pair.supplier, old), "DELIVERY")
        )
      )
      const next = yield* reviseToProject(pair, old)
      assert.strictEqual((yield* readProjectAsPerson(pair.buyer, old)).project.hold.purpose, "DELIVERY")
      createdBody(yield* respond(pair.supplier, next, "ACCEPT"))
      assert.isNull((yield* readProjectAsPerson(pair.buyer, old)).project.hold)
    })
  )

  it.effect("An agent with a grant for the revision can accept it and supersede the agreed terms.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const old = yield* runToLocked(pair)
      const next = yield* reviseToProject(pair, old)
      const { token } = yield* makeAgent(pair.supplier, "SUPPLIER", ["RESPOND_TERMS"], [next])
      const view = yield* readProject(token, next)
      const { input } = answerOf(view, pair.supplier)
      const body = { expectedEventHash: view.project.headEventHash, automationRevision: 0, input }
      createdBody(yield* send("POST", `/api/agents/v1/projects/${next}/respond`, { token, body }))
      const { project } = yield* readProjectAsPerson(pair.buyer, old)
      assert.strictEqual(project.state, "SUPERSEDED")
      assert.isNotNull(project.events.at(-1).actor.execution)
    })
  )

  it.effect("A declined revision leaves the agreed terms unchanged, and they can be revised again.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const old = yield* runToLocked(pair)
      const next = yield* reviseToProject(pair, old)
      createdBody(yield* respond(pair.supplier, next, "DECLINE"))
      assert.strictEqual(yield* stateOf(pair.buyer, old), "LOCKED")
      assert.strictEqual(yield* stateOf(pair.buyer, yield* reviseToProject(pair, old)), "AWAITING_SUPPLIER")
    })
  )

  it.effect("Agreed terms have at most one open revision, for the command and for the hints.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const old = yield* runToLocked(pair)
      assert.include((yield* readProjectAsPerson(pair.buyer, old)).availableActions, "REVISE_AGREEMENT")
      yield* reviseToProject(pair, old)
      assert.notInclude((yield* readProjectAsPerson(pair.buyer, old)).availableActions, "REVISE_AGREEMENT")
      assert.deepStrictEqual(outcome(yield* revise(pair, old)), [409, "STATE_CONFLICT"])
    })
  )

  it.effect("Agreed terms are superseded by the accepted revision of their revision.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const old = yield* runToLocked(pair)
      const second = yield* reviseToProject(pair, old)
      createdBody(yield* respond(pair.supplier, second, "REQUEST_CHANGES"))
      const third = yield* reviseToProject(pair, second)
      assert.strictEqual(yield* stateOf(pair.buyer, second), "SUPERSEDED")
      assert.deepStrictEqual(outcome(yield* revise(pair, old)), [409, "STATE_CONFLICT"])
      createdBody(yield* respond(pair.supplier, third, "ACCEPT"))
      assert.strictEqual(yield* stateOf(pair.buyer, old), "SUPERSEDED")
      assert.strictEqual((yield* readProjectAsPerson(pair.buyer, third)).project.agreement.version, 3)
    })
  )

  it.effect("A revision of agreed terms must name their supplier.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const old = yield* runToLocked(pair)
      const other = yield* signInNewPerson("Olga")
      const refused = yield* revise(pair, old, { supplierActorId: other.personId })
      assert.deepStrictEqual(outcome(refused), [409, "UNKNOWN_SUPPLIER"])
    })
  )

  it.effect("An acceptance of a revision by a former representative is refused with 409.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const old = yield* runToLocked(pair)
      const next = yield* reviseToProject(pair, old)
      const mia = yield* signInNewPerson("Mia")
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const { organizationId } = pair.supplier
      yield* createMembership({ personId: mia.personId, organizationId, authorities, validUntil })
      const view = yield* readProjectAsPerson(pair.supplier, old)
      const named = { supplierActorId: mia.personId, reason: "Mia goes on." }
      createdBody(yield* commandAsPerson(pair.supplier, old, "change-representative", personCommandBody(view, named)))
      assert.notInclude(
        (yield* readProjectAsPerson(pair.supplier, next)).decisionActions.map(
          (one: any) => one.allowed && one.decision
        ),
        "ACCEPT"
      )
      assert.deepStrictEqual(outcome(yield* respond(pair.supplier, next, "ACCEPT")), [409, "STATE_CONFLICT"])
      assert.strictEqual(yield* stateOf(mia, old), "LOCKED")
    })
  )

  it.effect("A confirmation withdrawn before the revision is accepted stays withdrawn.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const old = yield* runToAccepted(pair)
      const next = yield* reviseToProject(pair, old)
      createdBody(
        yield* commandAsPerson(pair.buyer, old, "concern", concernOf(yield* readProjectAsPerson(pair.buyer, old)))
      )
      const contested = yield* readProjectAsPerson(pair.buyer, old)
      const upheld = { confirmationId: contested.project.confirmation.id, resolution: "UPHELD", reason: "It is so." }
      createdBody(yield* commandAsPerson(pair.buyer, old, "resolve-concern", personCommandBody(contested, upheld)))
      createdBody(yield* respond(pair.supplier, next, "ACCEPT"))
      assert.strictEqual(yield* stateOf(pair.buyer, old), "CONFIRMATION_WITHDRAWN")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("concurrent revisions", (it) => {
  it.effect("Of four concurrent revisions of agreed terms exactly one is accepted.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const old = yield* runToLocked(pair)
      const bodies = yield* Effect.forEach([1, 2, 3, 4], () => revision(pair, old))
      const answers = yield* Effect.forEach(bodies, (body) => commandAsPerson(pair.buyer, old, "revise", body), {
        concurrency: "unbounded"
      })
      const codes = answers.map(outcome).map(String).toSorted()
      assert.deepStrictEqual(codes, ["201", "409,STATE_CONFLICT", "409,STATE_CONFLICT", "409,STATE_CONFLICT"])
    })
  )

  it.effect("Concurrent retries of one revision request create exactly one project.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const old = yield* createAgreementAsPerson(pair.buyer, pair.supplier)
      const body = yield* revision(pair, old)
      const answers = yield* Effect.forEach([1, 2, 3], () => commandAsPerson(pair.buyer, old, "revise", body), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [201, 201, 201]
      )
      assert.strictEqual(new Set(answers.map((one) => createdBody(one).project.taskId)).size, 1)
      assert.strictEqual(answers.filter((one) => createdBody(one).replayed === true).length, 2)
    })
  )

  it.effect(
    "A submission that races with the acceptance of a revision commits before the supersession or not at all.",
    () =>
      Effect.gen(function* () {
        const pair = yield* signInPair
        for (const _ of [1, 2, 3, 4, 5]) {
          const old = yield* runToLocked(pair)
          const next = yield* reviseToProject(pair, old)
          const submission = materialsOf(yield* readProjectAsPerson(pair.supplier, old))
          const acceptance = answerOf(yield* readProjectAsPerson(pair.supplier, next), pair.supplier)
          const [submitted, agreed] = yield* Effect.all(
            [
              commandAsPerson(pair.supplier, old, "submit", submission),
              commandAsPerson(pair.supplier, next, "respond", acceptance)
            ],
            { concurrency: "unbounded" }
          )
          assert.strictEqual(agreed.status, 200)
          const { project } = yield* readProjectAsPerson(pair.buyer, old)
          assert.strictEqual(project.state, "SUPERSEDED")
          assert.strictEqual(project.events.at(-1).kind, "SUPERSEDE")
          const kinds = project.events.map((one: any) => one.kind)
          assert.strictEqual(kinds.includes("SUBMIT"), submitted.status === 200)
        }
      })
  )

  it.effect("Concurrent acceptances of revisions and pauses of the revised projects do not deadlock.", () =>
    Effect.gen(function* () {
      const pair = yield* signInPair
      const bodies = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () =>
        Effect.gen(function* () {
          const old = yield* runToLocked(pair)
          const next = yield* reviseToProject(pair, old)
          return { old, next, body: answerOf(yield* readProjectAsPerson(pair.supplier, next), pair.supplier) }
        })
      )
      const answers = yield* Effect.forEach(
        bodies.flatMap((one) => [
          commandAsPerson(pair.supplier, one.next, "respond", one.body),
          commandAsPerson(pair.buyer, one.old, "pause", { requestId: uuid(), reason: "Wait." })
        ]),
        (request) => request,
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
    })
  )
})
