import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { appendEntries, journalAfter, type Observation } from "../../src/commerce/journal.ts"
import { CommerceEntities, CommerceEntries, CommerceOrders } from "../../src/commerce/store.ts"
import { Signer } from "../../src/ports/signer.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { entriesOf, passOver, rowOf } from "../support/attempts.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { exportRecord, paid, payableResult } from "../support/orders.ts"
import { atProvider } from "../support/payments.ts"
import { freshTestService } from "../support/service.ts"
import { outcome } from "../support/workspace.ts"

const stores = [
  ["in memory", memoryTestService],
  ["on Postgres", freshTestService]
] as const

/** Extends a captured journal to a length: a dispute whose status changed so often. */
const growJournal = Effect.fnUntraced(function* (commerceOrderId: string, length: number) {
  const { projectId, journalCount: count, journalHead: head, journalBytes } = yield* rowOf(commerceOrderId)
  const known = yield* entriesOf(commerceOrderId)
  const charge = known.flatMap((entry) => (entry.component === "PAYMENT" ? (entry.facts.charge ?? []) : [])).at(-1)!
  const { amountMinor, currency, createdAt } = charge
  const observations = Array.from({ length: length - count }, (_, index): Observation<"DISPUTE"> => ({
    component: "DISPUTE",
    entity: "dp_of_many_states",
    facts: {
      status: (count + index) % 2 === 0 ? "under_review" : "needs_response",
      amountMinor,
      currency,
      chargeId: charge.id,
      reason: "fraudulent",
      disputed: true,
      createdAt
    }
  }))
  const entries = appendEntries({ count, head }, yield* now, observations)
  const texts = entries.map((entry) => canonicalText(entry))
  const storage = yield* Storage
  yield* storage.transaction({ locks: [exclusive("project", projectId)] }, (transaction) =>
    Effect.gen(function* () {
      for (const [index, { sequence, hash }] of entries.entries()) {
        const entry = texts[index]!
        yield* transaction.insert(CommerceEntries, { commerceOrderId, sequence, hash, entry })
      }
      const { component, entity, facts } = entries.at(-1)!
      const dispute = { commerceOrderId, component, entity, projectId, sequence: length, facts }
      const earlier = yield* transaction.get(CommerceEntities, [commerceOrderId, component, entity])
      yield* earlier === undefined
        ? transaction.insert(CommerceEntities, dispute)
        : transaction.update(CommerceEntities, [commerceOrderId, component, entity], { sequence: length, facts })
      const journal = journalAfter({ count, head }, entries)
      yield* transaction.update(CommerceOrders, [commerceOrderId], {
        journalCount: journal.count,
        journalHead: journal.head,
        journalBytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), journalBytes)
      })
    })
  )
})

describe.each(stores)("long journals %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect(
      "A journal of 1,000 entries is exported and verifies, and one of 1,001 is refused and still captured.",
      () =>
        Effect.gen(function* () {
          const { buyer, commerceOrderId } = yield* paid(yield* payableResult)
          yield* growJournal(commerceOrderId, limits.commerceEntries)
          const exported = yield* exportRecord(buyer, commerceOrderId)
          assert.strictEqual(exported.status, 200, exported.text)
          const { keys } = yield* Signer
          const report = verifyResultFiles({
            artifact: new TextEncoder().encode(exported.text),
            trust: new TextEncoder().encode(JSON.stringify(keys)),
            checkedAt: yield* now
          })
          assert.deepInclude(report, { verdict: "VERIFIED_WITH_LIMITATIONS", exit: 0 })
          assert.strictEqual(report.commerce?.journal.count, limits.commerceEntries)
          yield* growJournal(commerceOrderId, limits.commerceEntries + 1)
          assert.deepStrictEqual(outcome(yield* exportRecord(buyer, commerceOrderId)), [409, "COMMERCE_EXPORT_LIMIT"])
          yield* atProvider({ act: "refund", commerceOrderId, amountMinor: 1 })
          yield* passOver(commerceOrderId)
          assert.isAbove((yield* rowOf(commerceOrderId)).journalCount, limits.commerceEntries + 1)
        })
    )
  })
})
