/** Verifies each appended entry of a payment attempt's journal and each financial event, with no code of the service. */
import { CommerceEntries, CommerceOrders, FinancialEvents, ResultOrders } from "../../../src/commerce/store.ts"
import type { AnyTable } from "../../../src/ports/table.ts"
import type { Json } from "../../vocabulary/json.ts"
import {
  type Moment,
  monitoredProperty,
  type PropertyViolation,
  rowIn,
  type Rows,
  rowsWithPrefix,
  violation
} from "../property.ts"
import { digestOf, type Entry, entriesOf, parsed } from "../support/commerce.ts"
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
  readonly entries: AnyTable
  /** The table whose rows have the position of the journal, if any. */
  readonly heads: ReadonlyArray<AnyTable>
  /** The columns and members of an entry. */
  readonly content: "entry" | "event"
  readonly previous: "previousHash" | "previous"
  readonly dated: "observedAt" | "occurredAt"
  /** What the first entry names as its predecessor. */
  readonly first: (rows: Rows, id: string) => string
  /** Further conditions on the whole journal. */
  readonly problem?: (rows: Rows, id: string, from: number) => string | undefined
}

const textOf = (row: { readonly [column: string]: unknown } | undefined, column: string): string =>
  String(row?.[column] ?? "null")

const journals: ReadonlyArray<Journal> = [
  {
    entries: CommerceEntries,
    heads: [CommerceOrders],
    content: "entry",
    previous: "previousHash",
    dated: "observedAt",
    first: (rows, id) => digestOf(parsed(textOf(rowIn(rows, CommerceOrders, [id]), "binding"))),
    problem: (rows, id, from) => {
      const entries = entriesOf(rows, id)
      return positionProblem(rows, id) ?? repetitionIn(entries, from) ?? unknownIn(entries.slice(from))
    }
  },
  {
    entries: FinancialEvents,
    heads: [],
    content: "event",
    previous: "previous",
    dated: "occurredAt",
    first: (rows, id) => digestOf(parsed(textOf(rowIn(rows, ResultOrders, [id]), "terms")))
  }
]

const journalViolation = (journal: Journal, id: string, { observed, rows }: Moment): PropertyViolation | undefined => {
  const written = writesTo(observed, journal.entries).filter(({ key }) => key[0] === id)
  const changed = written.find(({ change }) => change !== "insert")
  if (changed !== undefined) return violation(`entry ${changed.key[1]} of ${id} was overwritten`)
  const stored = rowsWithPrefix(rows, journal.entries, [id]) as ReadonlyArray<{ readonly [column: string]: unknown }>
  const from = stored.length - written.length
  for (const [index, row] of stored.entries()) {
    if (index < from) continue
    const before = stored[index - 1]
    const wrong = entryProblem(journal, { row, before, index, first: () => journal.first(rows, id) })
    if (wrong !== undefined) return violation(`entry ${index + 1} of ${id} ${wrong}`)
  }
  const wrong = journal.problem?.(rows, id, from)
  return wrong === undefined ? undefined : violation(`${id} ${wrong}`)
}

interface Position {
  readonly row: { readonly [column: string]: unknown }
  readonly before: { readonly [column: string]: unknown } | undefined
  readonly index: number
  readonly first: () => string
}

const entryProblem = (
  { content: column, previous, dated }: Journal,
  { row, before, index, first }: Position
): string | undefined => {
  const { hash, ...content } = parsed<{ readonly [member: string]: Json }>(textOf(row, column))
  const earlier = before === undefined ? undefined : parsed<{ readonly [member: string]: Json }>(textOf(before, column))
  if (row["sequence"] !== index + 1 || content["sequence"] !== index + 1) return "has another number"
  if (hash !== row["hash"] || hash !== digestOf(content)) return "has the digest of other content"
  if (content[previous] !== (earlier === undefined ? first() : earlier["hash"])) return "does not name its predecessor"
  return earlier !== undefined && String(content[dated]) < String(earlier[dated])
    ? "is dated before its predecessor"
    : undefined
}

/** An attempt has the number and the digest of its last entry. */
const positionProblem = (rows: Rows, id: string): string | undefined => {
  const attempt = rowIn(rows, CommerceOrders, [id])
  const stored = rowsWithPrefix(rows, CommerceEntries, [id])
  if (attempt === undefined) return "has entries without an attempt"
  if (attempt.journalCount !== stored.length) return `counts ${attempt.journalCount} entries and has ${stored.length}`
  const head = stored.at(-1)?.hash ?? digestOf(parsed(attempt.binding))
  return attempt.journalHead === head ? undefined : "does not name its last entry"
}

/** Facts have states of closed lists, and sums that are exact. */
const unknownIn = (entries: ReadonlyArray<Entry>): string | undefined => {
  for (const { sequence, component, facts } of entries) {
    const { state } = facts
    if (state !== undefined && states[component]?.includes(String(state)) !== true) {
      return `has the unknown state ${String(state)} in entry ${sequence}`
    }
    const sum = Object.entries(facts).find(([name, value]) => name.endsWith("Minor") && !isSum(value))
    if (sum !== undefined) return `has the inexact sum ${sum[0]} in entry ${sequence}`
  }
  return undefined
}

const isSum = (value: Json | undefined): boolean =>
  value === null || (typeof value === "number" && Number.isSafeInteger(value) && value >= 0)

const states: { readonly [component: string]: ReadonlyArray<string> } = {
  CHECKOUT: ["OPEN", "COMPLETE", "EXPIRED"],
  PAYMENT: ["REQUIRES_ACTION", "PROCESSING", "REQUIRES_CAPTURE", "SUCCEEDED", "CANCELED"],
  REFUND: ["PENDING", "REQUIRES_ACTION", "SUCCEEDED", "FAILED", "CANCELED"],
  PAYOUT: ["PENDING", "IN_TRANSIT", "PAID", "FAILED", "CANCELED"]
}

/** An entry states changed facts: it differs from the latest one of its entity. */
const repetitionIn = (entries: ReadonlyArray<Entry>, from: number): string | undefined => {
  for (const [index, { component, entity, facts }] of entries.entries()) {
    if (index < from) continue
    const latest = entries.slice(0, index).findLast((one) => one.component === component && one.entity === entity)
    if (latest !== undefined && digestOf(latest.facts) === digestOf(facts)) {
      return `repeats the facts of ${component} ${entity} in entry ${index + 1}`
    }
  }
  return undefined
}
