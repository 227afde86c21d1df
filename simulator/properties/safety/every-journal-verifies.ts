/** Verifies each appended entry of a payment attempt's journal and each financial event, with no code of the service. */
import { CommerceEntries, CommerceOrders, FinancialEvents, ResultOrders } from "../../../src/commerce/store.ts"
import {
  factsProblem,
  type JournalForm,
  journalForms,
  journalProblem,
  type JournalRows,
  positionProblem,
  repetitionProblem
} from "../../../src/integrity/journals.ts"
import { digestOf, parsed } from "../../../src/integrity/stored-json.ts"
import type { AnyTable } from "../../../src/ports/table.ts"
import {
  type Moment,
  monitoredProperty,
  type PropertyViolation,
  rowIn,
  type Rows,
  rowsWithPrefix,
  violation
} from "../property.ts"
import { entriesOf } from "../support/commerce.ts"
import { firstKeysOf, writesTo } from "../support/commits.ts"

export const everyJournalVerifies = monitoredProperty<null>({
  name: "every journal verifies",
  kind: "always",
  says: "The journal of a payment attempt and the financial events of a Result Order only grow: each entry has the digest of its content, names its predecessor and is not dated before it, and the attempt counts its entries; the facts of an entry are of their closed form and differ from the latest ones of its entity.",
  judges: { kinds: [], commitsTo: [CommerceEntries, CommerceOrders, FinancialEvents] },
  initial: null,
  next: (_, moment) => {
    if (moment.observed.kind !== "commit") return null
    for (const journal of journals) {
      for (const id of firstKeysOf(moment.observed, journal.entries, ...journal.heads)) {
        const wrong = journalViolation(journal, id, moment)
        if (wrong !== undefined) return wrong
      }
    }
    return null
  }
})

interface Journal {
  readonly form: JournalForm
  readonly entries: AnyTable
  /** The table whose rows have the position of the journal, if any. */
  readonly heads: ReadonlyArray<AnyTable>
  readonly rows: (rows: Rows, id: string) => JournalRows
  /** Further conditions on the whole journal. */
  readonly problem?: (rows: Rows, id: string, from: number) => string | undefined
}

const journals: ReadonlyArray<Journal> = [
  {
    form: journalForms.attempt,
    entries: CommerceEntries,
    heads: [CommerceOrders],
    rows: (rows, id) => ({
      id,
      origin: () => digestOf(parsed(rowIn(rows, CommerceOrders, [id])?.binding ?? "null")),
      rows: rowsWithPrefix(rows, CommerceEntries, [id]).map(({ entry, ...row }) => ({ ...row, text: entry }))
    }),
    problem: (rows, id, from) => {
      const entries = entriesOf(rows, id)
      return (
        positionProblem(rowIn(rows, CommerceOrders, [id]), rowsWithPrefix(rows, CommerceEntries, [id])) ??
        repetitionProblem(entries, from) ??
        factsProblem(entries.slice(from))
      )
    }
  },
  {
    form: journalForms.order,
    entries: FinancialEvents,
    heads: [],
    rows: (rows, id) => ({
      id,
      origin: () => digestOf(parsed(rowIn(rows, ResultOrders, [id])?.terms ?? "null")),
      rows: rowsWithPrefix(rows, FinancialEvents, [id]).map(({ event, ...row }) => ({ ...row, text: event }))
    })
  }
]

const journalViolation = (journal: Journal, id: string, { observed, rows }: Moment): PropertyViolation | undefined => {
  const written = writesTo(observed, journal.entries).filter(({ key }) => key[0] === id)
  const changed = written.find(({ change }) => change !== "insert")
  if (changed !== undefined) return violation(`entry ${changed.key[1]} of ${id} was overwritten`)
  const stored = journal.rows(rows, id)
  const from = stored.rows.length - written.length
  const wrong = journalProblem(journal.form, stored, from)
  if (wrong !== undefined) return violation(wrong)
  const problem = journal.problem?.(rows, id, from)
  return problem === undefined ? undefined : violation(`${id} ${problem}`)
}
