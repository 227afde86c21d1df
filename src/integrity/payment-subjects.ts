/** Result Orders and payment attempts: their chains, and the totals that are stored beside them. */
import { Effect } from "effect"
import { CommerceEntities, CommerceEntries, CommerceOrders, FinancialEvents, ResultOrders } from "../commerce/store.ts"
import { readTogether } from "../ports/storage/run.ts"
import { rangeAll } from "../ports/storage/range-all.ts"
import type { RowOf } from "../ports/table.ts"
import {
  factsProblem,
  type JournalEntry,
  journalForms,
  journalProblem,
  paymentsProblem,
  positionProblem,
  repetitionProblem
} from "./journals.ts"
import { digestOf, parsed } from "./stored-json.ts"
import { subject } from "./subject.ts"

export const orders = subject(
  "orders",
  ResultOrders,
  "the order's rows in financial_events and commerce_orders",
  (reader, { resultOrderId: id, terms }) =>
    Effect.gen(function* () {
      const [events, attempts] = yield* readTogether([
        rangeAll(reader, FinancialEvents, "key", { prefix: [id] }),
        rangeAll(reader, CommerceOrders, "byOrder", { prefix: [id] })
      ])
      const rows = events.map(({ event, ...row }) => ({ ...row, text: event }))
      return () => [
        {
          check: "journals",
          problem: journalProblem(journalForms.order, { id, origin: () => digestOf(parsed(terms)), rows })
        },
        {
          check: "payments",
          problem: named(
            id,
            paymentsProblem(
              attempts,
              events.map(({ event }) => parsed(event))
            )
          )
        }
      ]
    })
)

export const attempts = subject(
  "attempts",
  CommerceOrders,
  "the attempt's rows in commerce_entries and commerce_entities",
  (reader, attempt) =>
    Effect.gen(function* () {
      const { commerceOrderId: id, binding, journalBytes } = attempt
      const [stored, entities] = yield* readTogether([
        rangeAll(reader, CommerceEntries, "key", { prefix: [id] }),
        rangeAll(reader, CommerceEntities, "key", { prefix: [id] })
      ])
      const rows = stored.map(({ entry, ...row }) => ({ ...row, text: entry }))
      return () => {
        const chain = journalProblem(journalForms.attempt, { id, origin: () => digestOf(parsed(binding)), rows })
        const position = named(id, positionProblem(attempt, rows))
        if (chain !== undefined || position !== undefined) {
          return [chain, position].map((problem) => ({ check: "journals", problem }))
        }
        const entries = rows.map(({ text }) => parsed<JournalEntry>(text))
        const bytes = rows.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
        const problems = [
          named(id, repetitionProblem(entries) ?? factsProblem(entries)),
          bytes === journalBytes ? undefined : `${id} counts ${journalBytes} bytes of entries and has ${bytes}`,
          named(id, latestFactsProblem(entities, entries))
        ]
        return problems.map((problem) => ({ check: "journals", problem }))
      }
    })
)

/** The stored latest facts of an entity are those of its last entry. */
const latestFactsProblem = (
  entities: ReadonlyArray<RowOf<typeof CommerceEntities>>,
  entries: ReadonlyArray<JournalEntry>
): string | undefined => {
  const wrong = entities.find(({ component, entity, sequence, facts }) => {
    const last = entries.findLast((entry) => entry.component === component && entry.entity === entity)
    return last?.sequence !== sequence || digestOf(last.facts) !== digestOf(facts)
  })
  return wrong && `has other latest facts of ${wrong.component} ${wrong.entity} than its journal`
}

const named = (of: string, problem: string | undefined): string | undefined => problem && `${of} ${problem}`
