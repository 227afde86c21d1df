/** Who receives closures and their statuses: a decision table, and authority that ends beside an export. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { exportClosure } from "../../src/closure/export.ts"
import { readClosureStatus } from "../../src/closure/status.ts"
import { CommerceExports } from "../../src/commerce/store.ts"
import { authorities, type Authority } from "../../src/people/membership.ts"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { Storage } from "../../src/ports/storage.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { rowOf } from "../support/attempts.ts"
import { bothStores } from "../support/both-stores.ts"
import { closureOf, requestClosure, requestClosureStatus } from "../support/closures.ts"
import { beforeTransaction, withCommitFault } from "../support/commit-faults.ts"
import { joinOrganization } from "../support/issued-records.ts"
import { paid, payableResult } from "../support/orders.ts"
import { makeAgent } from "../support/parties.ts"
import { commandAsPerson, personCommandBody, readProjectAsPerson } from "../support/person-commands.ts"
import { send } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { createdBody, outcome, post } from "../support/workspace.ts"

const recordAuthorities = new Set<Authority>([
  "AGREEMENT_CREATE",
  "DELIVERY_REVIEW",
  "COMPLETION_CONFIRM",
  "RECORD_ISSUE",
  "PUBLICATION_MANAGE"
])
const financial = new Set<Authority>(["FINANCIAL_READ", "FINANCIAL_MANAGE"])

/** The answers to both requests of this person. */
const outcomesFor = Effect.fnUntraced(function* (by: Pick<SignedInPerson, "token">, resultOrderId: string) {
  return [
    outcome(yield* requestClosure(by, resultOrderId)),
    outcome(yield* requestClosureStatus(by, resultOrderId))
  ] as const
})

const both = (...expected: ReadonlyArray<unknown>) => [expected, expected] as const
const forbidden = both(403, "FORBIDDEN")

/** Replaces the membership of a person, with these authorities instead. */
const carryOnly = Effect.fnUntraced(function* (person: SignedInPerson, carried: ReadonlyArray<Authority>) {
  const { personId, organizationId } = person
  yield* endMembership("OPERATOR", person)
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  return yield* createMembership({ personId, organizationId, authorities: carried, validUntil })
})

const makeRepresentative = Effect.fnUntraced(function* (by: SignedInPerson, projectId: string, next: SignedInPerson) {
  const view = yield* readProjectAsPerson(by, projectId)
  const input = { reason: "Another person continues.", supplierActorId: next.personId }
  createdBody(yield* commandAsPerson(by, projectId, "change-representative", personCommandBody(view, input)))
})

/** The stored exports of an attempt as it is now. */
const currentExport = Effect.fnUntraced(function* (commerceOrderId: string) {
  const storage = yield* Storage
  const { journalCount } = yield* rowOf(commerceOrderId)
  return yield* storage.view((reader) => reader.get(CommerceExports, [commerceOrderId, journalCount]))
})

describe.each(bothStores)("the gates of closures %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect("A member of the buyer needs FINANCIAL_READ and an authority on records, each authority by itself.", () =>
      Effect.gen(function* () {
        const { buyer, order } = yield* paid(yield* payableResult)
        const { resultOrderId } = order
        yield* closureOf(buyer, resultOrderId)
        for (const authority of authorities) {
          const alone = yield* joinOrganization(buyer, "Mia", [authority])
          assert.deepStrictEqual(yield* outcomesFor(alone, resultOrderId), forbidden, authority)
          const reader = yield* joinOrganization(buyer, "Rea", [authority, "FINANCIAL_READ"])
          const expected = recordAuthorities.has(authority) ? both(200) : forbidden
          assert.deepStrictEqual(yield* outcomesFor(reader, resultOrderId), expected, authority)
          const { detail } = (yield* requestClosure(alone, resultOrderId)).body
          if (financial.has(authority)) assert.include(detail, "The delivery material of a result is for")
          else assert.include(detail, "FINANCIAL_READ")
        }
      })
    )

    it.effect("The buyer's person who made the agreement, and the representative, need FINANCIAL_READ alone.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, order } = yield* paid(yield* payableResult)
        yield* closureOf(buyer, order.resultOrderId)
        for (const person of [buyer, supplier]) {
          const membership = yield* carryOnly(person, ["FINANCIAL_READ"])
          assert.deepStrictEqual(yield* outcomesFor(person, order.resultOrderId), both(200))
          yield* carryOnly({ ...person, ...membership }, ["AGREEMENT_CREATE", "PUBLICATION_MANAGE"])
          assert.deepStrictEqual(yield* outcomesFor(person, order.resultOrderId), forbidden)
        }
      })
    )

    it.effect("Of the supplier the representative of this moment alone passes, and no colleague or former one.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, projectId, order } = yield* paid(yield* payableResult)
        const { resultOrderId } = order
        const colleague = yield* joinOrganization(supplier, "Cleo")
        yield* closureOf(buyer, resultOrderId)
        assert.deepStrictEqual(yield* outcomesFor(supplier, resultOrderId), both(200))
        assert.deepStrictEqual(yield* outcomesFor(colleague, resultOrderId), forbidden)
        yield* makeRepresentative(colleague, projectId, colleague)
        assert.deepStrictEqual(yield* outcomesFor(supplier, resultOrderId), forbidden)
        assert.deepStrictEqual(yield* outcomesFor(colleague, resultOrderId), both(200))
      })
    )

    it.effect("Persons of unrelated tenants and former members get 404, before any transaction begins.", () =>
      Effect.gen(function* () {
        const { buyer, order, commerceOrderId } = yield* paid(yield* payableResult)
        const unrelated = yield* signInNewPerson("Una")
        const former = yield* joinOrganization(buyer, "Fay")
        yield* endMembership("OPERATOR", former)
        for (const person of [unrelated, former]) {
          assert.deepStrictEqual(yield* outcomesFor(person, order.resultOrderId), both(404, "NOT_FOUND"))
          const exported = withCommitFault(1, "ROLLED_BACK", exportClosure(person, order.resultOrderId))
          assert.strictEqual((yield* Effect.flip(exported)).code, "NOT_FOUND")
        }
        assert.isUndefined(yield* currentExport(commerceOrderId))
      })
    )

    it.effect("Agents, assistants and persons without a session get 401.", () =>
      Effect.gen(function* () {
        const { buyer, order, projectId } = yield* paid(yield* payableResult)
        const { token } = yield* makeAgent(buyer, "BUYER", [], [projectId])
        const path = `/api/commerce/result-orders/${order.resultOrderId}/closure`
        for (const suffix of ["", "/status"]) {
          for (const sent of [{ token }, {}]) {
            const answer = yield* send("GET", `${path}${suffix}`, sent)
            assert.deepStrictEqual(outcome(answer), [401, "SIGN_IN_REQUIRED"])
          }
        }
        yield* post(buyer, "/session/sign-out")
        assert.deepStrictEqual(yield* outcomesFor(buyer, order.resultOrderId), both(401, "SIGN_IN_REQUIRED"))
      })
    )

    it.effect("A membership that ends between the reads and the transaction exports nothing and stores nothing.", () =>
      Effect.gen(function* () {
        const { buyer, order, commerceOrderId } = yield* paid(yield* payableResult)
        const member = yield* joinOrganization(buyer, "Rea", ["FINANCIAL_READ", "DELIVERY_REVIEW"])
        const end = endMembership("OPERATOR", member)
        const refused = yield* Effect.flip(beforeTransaction(end, exportClosure(member, order.resultOrderId)))
        assert.strictEqual(refused.code, "FORBIDDEN")
        assert.isUndefined(yield* currentExport(commerceOrderId))
      })
    )

    it.effect("An authority on records that ends between the reads and the transaction exports nothing.", () =>
      Effect.gen(function* () {
        const { supplier, projectId, order, commerceOrderId } = yield* paid(yield* payableResult)
        const colleague = yield* joinOrganization(supplier, "Cleo")
        const change = makeRepresentative(colleague, projectId, colleague)
        const refused = yield* Effect.flip(beforeTransaction(change, exportClosure(supplier, order.resultOrderId)))
        assert.strictEqual(refused.code, "FORBIDDEN")
        assert.include(refused.facts.detail, "supplier's named representative")
        assert.isUndefined(yield* currentExport(commerceOrderId))
        yield* exportClosure(colleague, order.resultOrderId)
        const status = yield* Effect.flip(readClosureStatus(supplier, order.resultOrderId, {}))
        assert.strictEqual(status.code, "FORBIDDEN")
      })
    )

    it.effect("A session that ends between the reads and the transaction exports nothing.", () =>
      Effect.gen(function* () {
        const { buyer, order, commerceOrderId } = yield* paid(yield* payableResult)
        const end = post(buyer, "/session/sign-out")
        const refused = yield* Effect.flip(beforeTransaction(end, exportClosure(buyer, order.resultOrderId)))
        assert.strictEqual(refused.code, "SIGN_IN_REQUIRED")
        assert.isUndefined(yield* currentExport(commerceOrderId))
      })
    )
  })
})
