/** Revised terms as a new project: replaced at once, or offered until the supplier accepts. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { authorities } from "../../src/people/membership.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { makeAgent, readProject, uuid } from "../support/parties.ts"
import {
  accepted,
  act,
  agreeing,
  answerOf,
  concernOf,
  dateRevisionOf,
  decided,
  delivered,
  locked,
  materialsOf,
  see,
  termsOf,
  type Pair
} from "../support/person-commands.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInAnew, type SignedInPerson } from "../support/sessions.ts"
import { made, outcome } from "../support/workspace.ts"

const people = Effect.gen(function* () {
  return { buyer: yield* signInAnew("Dana"), supplier: yield* signInAnew("Sam") } satisfies Pair
})

const revision = Effect.fnUntraced(function* ({ buyer, supplier }: Pair, projectId: string, changes: object = {}) {
  const terms = yield* termsOf(supplier, { title: "Logo, revised", ...changes })
  return decided(yield* see(buyer, projectId), { reason: "Other dates.", terms })
})

const revise = Effect.fnUntraced(function* (pair: Pair, projectId: string, changes: object = {}) {
  return yield* act(pair.buyer, projectId, "revise", yield* revision(pair, projectId, changes))
})

const revised = (pair: Pair, projectId: string) =>
  Effect.map(revise(pair, projectId), (answer) => made(answer).project.taskId as string)

const answer = Effect.fnUntraced(function* (supplier: SignedInPerson, projectId: string, action: string) {
  const body = answerOf(yield* see(supplier, projectId), supplier, { action })
  return yield* act(supplier, projectId, "respond", body)
})

const stateOf = (by: SignedInPerson, projectId: string) =>
  Effect.map(see(by, projectId), ({ project }) => project.state as string)

layer(freshTestService, { excludeTestServices: true })("terms that nobody agreed on", (it) => {
  it.effect("are replaced at once by a new project, and point to it", () =>
    Effect.gen(function* () {
      const pair = yield* people
      const old = yield* agreeing(pair.buyer, pair.supplier)
      const before = yield* see(pair.buyer, old)
      const { project } = made(yield* revise(pair, old))
      assert.strictEqual(project.state, "AWAITING_SUPPLIER")
      assert.strictEqual(project.agreement.version, 2)
      const after = yield* see(pair.supplier, old)
      assert.strictEqual(after.project.state, "SUPERSEDED")
      assert.deepStrictEqual(after.project.successor, { projectId: project.taskId, digest: project.agreement.digest })
      assert.strictEqual(after.project.events.at(-1).kind, "SUPERSEDE")
      assert.strictEqual(after.project.events.at(-1).previous, before.project.headEventHash)
    })
  )

  it.effect("give old grants nothing on the new project", () =>
    Effect.gen(function* () {
      const pair = yield* people
      const old = yield* agreeing(pair.buyer, pair.supplier)
      const { token } = yield* makeAgent(pair.supplier, "SUPPLIER", ["RESPOND_TERMS"], [old])
      const next = yield* revised(pair, old)
      const read = yield* send("GET", `/api/agents/v1/projects/${next}`, { token })
      assert.deepStrictEqual(outcome(read), [403, "FORBIDDEN_AGENT_PROJECT_SCOPE"])
      assert.strictEqual((yield* readProject(token, old)).project.state, "SUPERSEDED")
    })
  )

  it.effect("can be revised with another supplier", () =>
    Effect.gen(function* () {
      const pair = yield* people
      const old = yield* agreeing(pair.buyer, pair.supplier)
      const other = yield* signInAnew("Olga")
      const { project } = made(yield* revise(pair, old, { supplierActorId: other.personId }))
      assert.strictEqual(project.parties.supplier.actorId, other.personId)
    })
  )

  it.effect("are not revised by the supplier, nor from an older head", () =>
    Effect.gen(function* () {
      const pair = yield* people
      const old = yield* agreeing(pair.buyer, pair.supplier)
      const body = yield* revision(pair, old)
      assert.deepStrictEqual(outcome(yield* act(pair.supplier, old, "revise", body)), [403, "FORBIDDEN"])
      made(yield* answer(pair.supplier, old, "REQUEST_CHANGES"))
      assert.deepStrictEqual(outcome(yield* act(pair.buyer, old, "revise", body)), [409, "STALE_EVENT_HEAD"])
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("agreed terms", (it) => {
  it.effect.each([
    ["locked", locked],
    ["delivered", delivered],
    ["accepted", accepted]
  ] as const)("that are %s hold until the supplier accepts the revision", ([, reach]) =>
    Effect.gen(function* () {
      const pair = yield* people
      const old = yield* reach(pair)
      const state = yield* stateOf(pair.buyer, old)
      const next = yield* revised(pair, old)
      assert.strictEqual(yield* stateOf(pair.buyer, old), state)
      made(yield* answer(pair.supplier, next, "ACCEPT"))
      assert.strictEqual(yield* stateOf(pair.buyer, old), "SUPERSEDED")
      assert.strictEqual(yield* stateOf(pair.buyer, next), "LOCKED")
    })
  )

  it.effect("keep their hold until then, and lose it with the supersession", () =>
    Effect.gen(function* () {
      const pair = yield* people
      const old = yield* locked(pair)
      made(yield* act(pair.supplier, old, "date-revision", dateRevisionOf(yield* see(pair.supplier, old), "DELIVERY")))
      const next = yield* revised(pair, old)
      assert.strictEqual((yield* see(pair.buyer, old)).project.hold.purpose, "DELIVERY")
      made(yield* answer(pair.supplier, next, "ACCEPT"))
      assert.isNull((yield* see(pair.buyer, old)).project.hold)
    })
  )

  it.effect("are superseded by an agent's acceptance too, under a grant of the new project", () =>
    Effect.gen(function* () {
      const pair = yield* people
      const old = yield* locked(pair)
      const next = yield* revised(pair, old)
      const { token } = yield* makeAgent(pair.supplier, "SUPPLIER", ["RESPOND_TERMS"], [next])
      const view = yield* readProject(token, next)
      const { input } = answerOf(view, pair.supplier)
      const body = { expectedEventHash: view.project.headEventHash, automationRevision: 0, input }
      made(yield* send("POST", `/api/agents/v1/projects/${next}/respond`, { token, body }))
      const { project } = yield* see(pair.buyer, old)
      assert.strictEqual(project.state, "SUPERSEDED")
      assert.isNotNull(project.events.at(-1).actor.execution)
    })
  )

  it.effect("stay as they are when the supplier declines, and can be revised again", () =>
    Effect.gen(function* () {
      const pair = yield* people
      const old = yield* locked(pair)
      const next = yield* revised(pair, old)
      made(yield* answer(pair.supplier, next, "DECLINE"))
      assert.strictEqual(yield* stateOf(pair.buyer, old), "LOCKED")
      assert.strictEqual(yield* stateOf(pair.buyer, yield* revised(pair, old)), "AWAITING_SUPPLIER")
    })
  )

  it.effect("have one open revision, which hints say as the command does", () =>
    Effect.gen(function* () {
      const pair = yield* people
      const old = yield* locked(pair)
      assert.include((yield* see(pair.buyer, old)).availableActions, "REVISE_AGREEMENT")
      yield* revised(pair, old)
      assert.notInclude((yield* see(pair.buyer, old)).availableActions, "REVISE_AGREEMENT")
      assert.deepStrictEqual(outcome(yield* revise(pair, old)), [409, "STATE_CONFLICT"])
    })
  )

  it.effect("are superseded by the revision of a revision", () =>
    Effect.gen(function* () {
      const pair = yield* people
      const old = yield* locked(pair)
      const second = yield* revised(pair, old)
      made(yield* answer(pair.supplier, second, "REQUEST_CHANGES"))
      const third = yield* revised(pair, second)
      assert.strictEqual(yield* stateOf(pair.buyer, second), "SUPERSEDED")
      assert.deepStrictEqual(outcome(yield* revise(pair, old)), [409, "STATE_CONFLICT"])
      made(yield* answer(pair.supplier, third, "ACCEPT"))
      assert.strictEqual(yield* stateOf(pair.buyer, old), "SUPERSEDED")
      assert.strictEqual((yield* see(pair.buyer, third)).project.agreement.version, 3)
    })
  )

  it.effect("are not taken from the supplier who agreed on them", () =>
    Effect.gen(function* () {
      const pair = yield* people
      const old = yield* locked(pair)
      const other = yield* signInAnew("Olga")
      const answered = yield* revise(pair, old, { supplierActorId: other.personId })
      assert.deepStrictEqual(outcome(answered), [409, "UNKNOWN_SUPPLIER"])
    })
  )

  it.effect("are not superseded by a former representative", () =>
    Effect.gen(function* () {
      const pair = yield* people
      const old = yield* locked(pair)
      const next = yield* revised(pair, old)
      const mia = yield* signInAnew("Mia")
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const { organizationId } = pair.supplier
      yield* createMembership({ personId: mia.personId, organizationId, authorities, validUntil })
      const view = yield* see(pair.supplier, old)
      const named = { supplierActorId: mia.personId, reason: "Mia goes on." }
      made(yield* act(pair.supplier, old, "change-representative", decided(view, named)))
      assert.notInclude(
        (yield* see(pair.supplier, next)).decisionActions.map((one: any) => one.allowed && one.decision),
        "ACCEPT"
      )
      assert.deepStrictEqual(outcome(yield* answer(pair.supplier, next, "ACCEPT")), [409, "STATE_CONFLICT"])
      assert.strictEqual(yield* stateOf(mia, old), "LOCKED")
    })
  )

  it.effect("that were withdrawn meanwhile stay withdrawn beside the accepted revision", () =>
    Effect.gen(function* () {
      const pair = yield* people
      const old = yield* accepted(pair)
      const next = yield* revised(pair, old)
      made(yield* act(pair.buyer, old, "concern", concernOf(yield* see(pair.buyer, old))))
      const contested = yield* see(pair.buyer, old)
      const upheld = { confirmationId: contested.project.confirmation.id, resolution: "UPHELD", reason: "It is so." }
      made(yield* act(pair.buyer, old, "resolve-concern", decided(contested, upheld)))
      made(yield* answer(pair.supplier, next, "ACCEPT"))
      assert.strictEqual(yield* stateOf(pair.buyer, old), "CONFIRMATION_WITHDRAWN")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("revisions at the same time", (it) => {
  it.effect("make one new project, whoever comes first", () =>
    Effect.gen(function* () {
      const pair = yield* people
      const old = yield* locked(pair)
      const bodies = yield* Effect.forEach([1, 2, 3, 4], () => revision(pair, old))
      const answers = yield* Effect.forEach(bodies, (body) => act(pair.buyer, old, "revise", body), {
        concurrency: "unbounded"
      })
      const codes = answers.map(outcome).map(String).toSorted()
      assert.deepStrictEqual(codes, ["201", "409,STATE_CONFLICT", "409,STATE_CONFLICT", "409,STATE_CONFLICT"])
    })
  )

  it.effect("are made once by one request", () =>
    Effect.gen(function* () {
      const pair = yield* people
      const old = yield* agreeing(pair.buyer, pair.supplier)
      const body = yield* revision(pair, old)
      const answers = yield* Effect.forEach([1, 2, 3], () => act(pair.buyer, old, "revise", body), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [201, 201, 201]
      )
      assert.strictEqual(new Set(answers.map((one) => made(one).project.taskId)).size, 1)
      assert.strictEqual(answers.filter((one) => made(one).replayed === true).length, 2)
    })
  )

  it.effect("and a submission of the old terms: one of the two is first, and nothing comes after the end", () =>
    Effect.gen(function* () {
      const pair = yield* people
      for (const _ of [1, 2, 3, 4, 5]) {
        const old = yield* locked(pair)
        const next = yield* revised(pair, old)
        const submission = materialsOf(yield* see(pair.supplier, old))
        const acceptance = answerOf(yield* see(pair.supplier, next), pair.supplier)
        const [submitted, agreed] = yield* Effect.all(
          [act(pair.supplier, old, "submit", submission), act(pair.supplier, next, "respond", acceptance)],
          { concurrency: "unbounded" }
        )
        assert.strictEqual(agreed.status, 200)
        const { project } = yield* see(pair.buyer, old)
        assert.strictEqual(project.state, "SUPERSEDED")
        assert.strictEqual(project.events.at(-1).kind, "SUPERSEDE")
        const kinds = project.events.map((one: any) => one.kind)
        assert.strictEqual(kinds.includes("SUBMIT"), submitted.status === 200)
      }
    })
  )

  it.effect("wait for each other in one order: both accept, nobody deadlocks", () =>
    Effect.gen(function* () {
      const pair = yield* people
      const bodies = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () =>
        Effect.gen(function* () {
          const old = yield* locked(pair)
          const next = yield* revised(pair, old)
          return { old, next, body: answerOf(yield* see(pair.supplier, next), pair.supplier) }
        })
      )
      const answers = yield* Effect.forEach(
        bodies.flatMap((one) => [
          act(pair.supplier, one.next, "respond", one.body),
          act(pair.buyer, one.old, "pause", { requestId: uuid(), reason: "Wait." })
        ]),
        (request) => request,
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
    })
  )
})
