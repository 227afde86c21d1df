/**
 * Captures a payment attempt: reads it, asks the provider, and writes what changed. The only writer of journals. A
 * readback is discarded if the attempt changed after it was read. A checkout that a notification named is adopted with its
 * first readback, and only if the readback shows that it is this attempt's.
 */
import { Effect } from "effect"
import { canonicalText, parseCanonical, type CanonicalText } from "../canonical/jcs.ts"
import { Payments } from "../ports/payments.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Reader, type Transaction } from "../ports/storage.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { traced } from "../vocabulary/traced.ts"
import { capture, isOwnCheckout, type Capture, type CapturedAttempt } from "./capture.ts"
import type { JournalEntry } from "./journal.ts"
import { countDiscardedAnswer, countReadback } from "./metrics.ts"
import { isHeldBy, outcomeWithoutReadback, updateAttempt } from "./attempt-update.ts"
import {
  CommerceComponents,
  CommerceEntities,
  CommerceEntries,
  CommerceOrders,
  type CommerceComponentRow,
  type CommerceOrderRow
} from "./store.ts"
import { readComponents, readLatestObservations } from "./stored-order.ts"

/** Undefined if the attempt has no checkout here to read, or another change won. */
export const captureAttempt = traced("commerce.capture")(function* (commerceOrderId: string) {
  const payments = yield* Payments
  const known = yield* inView((reader) => readKnownAttempt(reader, commerceOrderId))
  if (known === undefined || !isHeldBy(payments, known.row)) return undefined
  const { attempt } = known
  const startedAt = yield* currentTime
  const { checkoutId, binding, observations } = attempt
  const readback = yield* payments.readBack({ checkoutId, binding, known: observations })
  const captured = capture(attempt, readback, startedAt)
  const written = yield* inTransaction({ locks: [exclusive("project", known.row.projectId)] }, (transaction) =>
    writeCapture(transaction, known, captured)
  )
  if (written === "DISCARDED") yield* countDiscardedAnswer
  if (written === "NOT_ADOPTED") yield* Effect.logWarning("a checkout was not adopted", { commerceOrderId, checkoutId })
  if (written !== "CAPTURED") return undefined
  yield* countReadback(captured.components)
  yield* logFailures(commerceOrderId, captured)
  return captured
})

/** An attempt before its readback, with the revision that fences it. */
interface KnownAttempt {
  readonly row: CommerceOrderRow
  readonly components: ReadonlyArray<CommerceComponentRow>
  readonly attempt: CapturedAttempt
}

const readKnownAttempt = Effect.fnUntraced(function* (reader: Reader, commerceOrderId: string) {
  const [row, observations, components] = yield* readTogether([
    reader.get(CommerceOrders, [commerceOrderId]),
    readLatestObservations(reader, commerceOrderId),
    readComponents(reader, commerceOrderId)
  ])
  const checkoutId = row?.checkoutId ?? row?.hintedCheckoutId
  if (row === undefined || checkoutId === undefined || checkoutId === null) return undefined
  const observed = components.flatMap(({ component, lastObservedAt }) =>
    lastObservedAt === null ? [] : [[component, lastObservedAt] as const]
  )
  const attempt: CapturedAttempt = {
    state: row.state,
    binding: parseCanonical(row.binding),
    checkoutId,
    expiresAt: row.expiresAt,
    openedAt: row.openedAt,
    journal: { count: row.journalCount, head: row.journalHead },
    observations,
    lastObservedAt: Object.fromEntries(observed)
  }
  return { row, components, attempt } satisfies KnownAttempt
})

/**
 * Nothing is captured if the attempt changed since it was read, or its checkout is not adopted. A named checkout that is not
 * read does not keep the attempt live: it is released in its time, and the checkout can still be adopted afterwards.
 */
const writeCapture = Effect.fnUntraced(function* (transaction: Transaction, known: KnownAttempt, captured: Capture) {
  const { commerceOrderId, captureRevision } = known.row
  const row = yield* transaction.get(CommerceOrders, [commerceOrderId])
  if (row === undefined || row.captureRevision !== captureRevision) return "DISCARDED"
  const adoption = adoptionOf(known, captured)
  if (adoption === "UNREAD" || adoption === "FOREIGN") {
    const changes = adoption === "FOREIGN" ? { hintedCheckoutId: null, failures: 0 } : { failures: row.failures + 1 }
    yield* updateAttempt(transaction, row, changes, outcomeWithoutReadback(row, yield* transaction.now))
    return "NOT_ADOPTED"
  }
  const { entries, journal, outcome, observedAt } = captured
  let journalBytes = row.journalBytes
  for (const entry of entries) {
    const text = canonicalText(entry)
    journalBytes += Buffer.byteLength(text)
    yield* writeEntry(transaction, known, entry, text)
  }
  yield* writeComponents(transaction, known, captured)
  const isFailed = captured.components.some((one) => one.outcome === "FAILED")
  const changes = {
    checkoutId: known.attempt.checkoutId,
    hintedCheckoutId: null,
    journalCount: journal.count,
    journalBytes,
    journalHead: journal.head,
    lastEntryAt: entries.length > 0 ? observedAt : row.lastEntryAt,
    failures: isFailed ? row.failures + 1 : 0
  }
  yield* updateAttempt(transaction, row, changes, outcome)
  return "CAPTURED"
})

/** Whether a checkout that was only named is this attempt's; undefined for one that the service opened. */
const adoptionOf = ({ row, attempt: { binding } }: KnownAttempt, { observations, components: read }: Capture) => {
  if (row.checkoutId !== null) return undefined
  if (read.some(({ component, outcome }) => component === "CHECKOUT" && outcome === "FAILED")) return "UNREAD"
  const isOwn = observations.some(({ component, facts }) => component === "CHECKOUT" && isOwnCheckout(binding, facts))
  return isOwn ? "ADOPTED" : "FOREIGN"
}

const writeEntry = Effect.fnUntraced(function* (
  transaction: Transaction,
  { row: { commerceOrderId, projectId }, attempt }: KnownAttempt,
  entry: JournalEntry,
  text: CanonicalText<JournalEntry>
) {
  const { sequence, hash, component, entity, facts } = entry
  yield* transaction.insert(CommerceEntries, { commerceOrderId, sequence, hash, entry: text })
  const isKnown = attempt.observations.some((one) => one.component === component && one.entity === entity)
  yield* isKnown
    ? transaction.update(CommerceEntities, [commerceOrderId, component, entity], { sequence, facts })
    : transaction.insert(CommerceEntities, { commerceOrderId, component, entity, projectId, sequence, facts })
})

const writeComponents = Effect.fnUntraced(function* (
  transaction: Transaction,
  { row: { commerceOrderId, projectId }, components: known }: KnownAttempt,
  captured: Capture
) {
  for (const { component, lastObservedAt, reason } of captured.components) {
    const before = known.find((one) => one.component === component)
    const observed = { lastObservedAt, failure: reason }
    if (before === undefined) {
      yield* transaction.insert(CommerceComponents, { commerceOrderId, component, projectId, ...observed })
    } else if (before.lastObservedAt !== lastObservedAt || before.failure !== reason) {
      yield* transaction.update(CommerceComponents, [commerceOrderId, component], observed)
    }
  }
})

const logFailures = (commerceOrderId: string, captured: Capture) => {
  const failed = captured.components.flatMap(({ component, reason }) => (reason === null ? [] : { component, reason }))
  return failed.length === 0
    ? Effect.void
    : Effect.logWarning("components of a payment attempt were not read", { commerceOrderId, failed })
}
