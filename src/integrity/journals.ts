/** Journals of payment attempts and financial events of Result Orders: hash chains without signatures. */
import { digestOf, parsed, type JsonValues } from "./stored-json.ts"

/** One entry of a payment attempt's journal. */
export interface JournalEntry {
  readonly sequence: number
  readonly previousHash: string
  readonly observedAt: string
  readonly component: string
  readonly entity: string
  readonly facts: JsonValues
  readonly hash: string
}

export interface JournalForm {
  /** The members of an entry that name its predecessor and its time. */
  readonly previous: "previousHash" | "previous"
  readonly dated: "observedAt" | "occurredAt"
}

export const journalForms = {
  attempt: { previous: "previousHash", dated: "observedAt" },
  order: { previous: "previous", dated: "occurredAt" }
} as const satisfies { readonly [kind: string]: JournalForm }

export interface JournalRow {
  readonly sequence: number
  readonly hash: string
  /** The entry with its hash, as canonical text. */
  readonly text: string
}

export interface JournalRows {
  readonly id: string
  /** What the first entry names as its predecessor. */
  readonly origin: () => string
  /** All entries, in order. */
  readonly rows: ReadonlyArray<JournalRow>
}

/** What is wrong with the entries from index `from` on. */
export const journalProblem = (form: JournalForm, { id, origin, rows }: JournalRows, from = 0): string | undefined => {
  for (const [index, row] of rows.entries()) {
    if (index < from) continue
    const wrong = entryProblem(form, row, index, rows[index - 1], origin)
    if (wrong !== undefined) return `entry ${index + 1} of ${id} ${wrong}`
  }
  return undefined
}

const entryProblem = (
  { previous, dated }: JournalForm,
  row: JournalRow,
  index: number,
  before: JournalRow | undefined,
  origin: () => string
): string | undefined => {
  const { hash, ...content } = parsed(row.text)
  const earlier = before === undefined ? undefined : parsed(before.text)
  if (row.sequence !== index + 1 || content["sequence"] !== index + 1) return "has another number"
  if (hash !== row.hash || hash !== digestOf(content)) return "has the digest of other content"
  if (content[previous] !== (earlier === undefined ? origin() : earlier["hash"])) return "does not name its predecessor"
  return earlier !== undefined && String(content[dated]) < String(earlier[dated])
    ? "is dated before its predecessor"
    : undefined
}

interface AttemptRow {
  readonly binding: string
  readonly journalCount: number
  readonly journalHead: string
}

/** An attempt has the number and the digest of its last entry. */
export const positionProblem = (
  attempt: AttemptRow | undefined,
  rows: ReadonlyArray<Pick<JournalRow, "hash">>
): string | undefined => {
  if (attempt === undefined) return "has entries without an attempt"
  if (attempt.journalCount !== rows.length) return `counts ${attempt.journalCount} entries and has ${rows.length}`
  const head = rows.at(-1)?.hash ?? digestOf(parsed(attempt.binding))
  return attempt.journalHead === head ? undefined : "does not name its last entry"
}

/** Facts have states of closed lists, and sums that are exact. */
export const factsProblem = (entries: ReadonlyArray<JournalEntry>): string | undefined => {
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

const isSum = (value: unknown): boolean =>
  value === null || (typeof value === "number" && Number.isSafeInteger(value) && value >= 0)

const states: { readonly [component: string]: ReadonlyArray<string> } = {
  CHECKOUT: ["OPEN", "COMPLETE", "EXPIRED"],
  PAYMENT: ["REQUIRES_ACTION", "PROCESSING", "REQUIRES_CAPTURE", "SUCCEEDED", "CANCELED"],
  REFUND: ["PENDING", "REQUIRES_ACTION", "SUCCEEDED", "FAILED", "CANCELED"],
  PAYOUT: ["PENDING", "IN_TRANSIT", "PAID", "FAILED", "CANCELED"]
}

/** An entry states changed facts: it differs from the latest one of its entity. */
export const repetitionProblem = (entries: ReadonlyArray<JournalEntry>, from = 0): string | undefined => {
  for (const [index, { component, entity, facts }] of entries.entries()) {
    if (index < from) continue
    const latest = entries.slice(0, index).findLast((one) => one.component === component && one.entity === entity)
    if (latest !== undefined && digestOf(latest.facts) === digestOf(facts)) {
      return `repeats the facts of ${component} ${entity} in entry ${index + 1}`
    }
  }
  return undefined
}

/** The attempts of one order and its financial events. A payment may arrive after the release of its attempt. */
export const paymentsProblem = (
  attempts: ReadonlyArray<{ readonly commerceOrderId: string; readonly state: string }>,
  events: ReadonlyArray<{ readonly kind: string; readonly payload: JsonValues }>
): string | undefined => {
  const released = events
    .filter(({ kind }) => kind === "ATTEMPT_RELEASED")
    .map(({ payload }) => payload["commerceOrderId"])
  const isLate = ({ commerceOrderId, state }: (typeof attempts)[number]): boolean =>
    ["PAID", "UNVERIFIED"].includes(state) && released.includes(commerceOrderId)
  const live = attempts.filter((one) => one.state !== "RELEASED" && !isLate(one))
  if (live.length > 1) return `has ${live.length} payment attempts that are not released`
  const paid = events.filter(({ kind }) => kind === "ATTEMPT_PAID")
  return paid.length > 1 ? `was paid by ${paid.length} attempts` : undefined
}
