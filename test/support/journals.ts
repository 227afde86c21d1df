/** Journals of payment attempts that are longer than a test can capture. */
import { Effect } from "effect"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { appendEntries, journalAfter, type Observation } from "../../src/commerce/journal.ts"
import { CommerceEntities, CommerceEntries, CommerceOrders } from "../../src/commerce/store.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { entriesOf, rowOf } from "./attempts.ts"

/** Extends a captured journal to a length: a dispute whose status changed so often. */
export const growJournal = Effect.fnUntraced(function* (commerceOrderId: string, length: number) {
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
