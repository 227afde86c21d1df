/** What a history reference locks: the project of the result only where the next agreement has the same supplier. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { recordHistoryReference } from "../../src/closure/refer.ts"
import { Storage, type LockPlan, type Transaction } from "../../src/ports/storage.ts"
import { fingerprint } from "../../src/replay/idempotency.ts"
import { beforeTransaction } from "../support/commit-faults.ts"
import { nextAgreement, paidAndPublished, type PaidAndPublished } from "../support/lineage.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { uuid } from "../support/parties.ts"
import { answerOf, commandAsPerson, createAgreementAsPerson, readProjectAsPerson } from "../support/person-commands.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { createdBody } from "../support/workspace.ts"

const record = (by: SignedInPerson, projectId: string, { passport, resultId }: PaidAndPublished) =>
  recordHistoryReference(
    by,
    { owner: by.personId, requestId: uuid(), fingerprint: fingerprint("recordHistoryReference", [], resultId) },
    { projectId, passport, resultId, reason: "Good work." }
  )

/** The lock plan of every transaction of the effect. */
const plansOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const inner = yield* Storage
  const plans: Array<LockPlan> = []
  const observed = Storage.of({
    ...inner,
    transaction: <B, F, S>(plan: LockPlan, body: (transaction: Transaction) => Effect.Effect<B, F, S>) => {
      plans.push(plan)
      return inner.transaction(plan, body)
    }
  })
  const exit = yield* Effect.exit(Effect.provideService(effect, Storage, observed))
  return { exit, text: JSON.stringify(plans) }
})

layer(memoryTestService, { excludeTestServices: true })("the locks of history references", (it) => {
  it.effect("A refused reference of a buyer whose supplier is another one takes no lock of the result's project.", () =>
    Effect.gen(function* () {
      const original = yield* paidAndPublished
      const { buyer, projectId } = yield* nextAgreement({ supplier: yield* signInNewPerson("Otto") })
      const unconfirmed = yield* createAgreementAsPerson(buyer, original.supplier)
      for (const next of [projectId, unconfirmed]) {
        const { exit, text } = yield* plansOf(record(buyer, next, original))
        assert.strictEqual(exit._tag, "Failure")
        assert.include(text, next)
        assert.notInclude(text, original.projectId)
      }
      const same = yield* nextAgreement(original)
      const { exit, text } = yield* plansOf(record(same.buyer, same.projectId, original))
      assert.strictEqual(exit._tag, "Success")
      assert.include(text, original.projectId)
    })
  )

  it.effect("A confirmation between the reads of a reference and its transaction is not seen by it.", () =>
    Effect.gen(function* () {
      const original = yield* paidAndPublished
      const buyer = yield* signInNewPerson("Nora")
      const next = yield* createAgreementAsPerson(buyer, original.supplier)
      const accepted = answerOf(yield* readProjectAsPerson(original.supplier, next), original.supplier)
      const confirm = Effect.map(commandAsPerson(original.supplier, next, "respond", accepted), createdBody)
      const refused = yield* Effect.flip(beforeTransaction(confirm, record(buyer, next, original)))
      assert.deepStrictEqual(refused.facts.issues, [{ path: "id", message: "NEXT_NOT_CONFIRMED" }])
      assert.isFalse((yield* record(buyer, next, original)).replayed)
    })
  )
})
