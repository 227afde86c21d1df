/** A payment in the report: the Commerce Record with the latest observation of each entity, and what its status says. */
import { labelOfPayment } from "./assurance.ts"
import { observationsIn } from "./commerce-status-components.ts"
import type { CheckResult } from "./ledger.ts"
import type { CommerceRecord, CommerceStatus, JournalEntry, PaymentLabel } from "./portable-shapes.ts"
import type { VerifiedJws } from "./verified-objects.ts"

/** Null where neither is proven. A status alone says of its record only what it binds. */
export const describeCommerce = (
  record: CheckResult<VerifiedJws<CommerceRecord>>,
  status: CheckResult<VerifiedJws<CommerceStatus>>,
  checkedAt: CheckResult<string>
) => {
  const described = status.known && checkedAt.known ? describeStatus(status.value, checkedAt.value) : null
  if (record.known) return { ...describeRecord(record.value), status: described }
  return status.known ? { ...describeBoundRecord(status.value.content), status: described } : null
}

const describeRecord = ({ content, signed }: VerifiedJws<CommerceRecord>) => {
  const { journal, labels, path, binding, coverage, priorHistory, firstCapturedAt } = content
  const { attestation, bankReceiptVerified } = content
  const latest = new Map<string, ReturnType<typeof describeEntry>>()
  for (const [index, entry] of journal.entries.entries()) {
    latest.set(`${entry.component} ${entry.entity}`, describeEntry(entry, labels[index] ?? null))
  }
  return {
    recordDigest: signed.digest,
    issuedAt: content.issuedAt,
    path,
    binding,
    coverage,
    priorHistory,
    firstCapturedAt,
    attestation,
    bankReceiptVerified,
    journal: { count: journal.count, head: journal.head },
    payment: labelOfPayment(content),
    observations: [...latest.values()]
  }
}

const describeEntry = (
  { component, entity, sequence, hash, observedAt, facts }: JournalEntry,
  label: PaymentLabel | null
) => ({ component, entity, sequence, hash, observedAt, label, facts })

const describeBoundRecord = ({ record, binding, attestation, bankReceiptVerified }: CommerceStatus) => ({
  recordDigest: record.digest,
  issuedAt: null,
  path: null,
  binding,
  coverage: null,
  priorHistory: null,
  firstCapturedAt: null,
  attestation,
  bankReceiptVerified,
  journal: { count: record.count, head: record.head },
  payment: null,
  observations: []
})

const describeStatus = ({ content, signed }: VerifiedJws<CommerceStatus>, checkedAt: string) => ({
  statusDigest: signed.digest,
  issuedAt: content.issuedAt,
  latest: content.latest,
  historyExtension: content.historyExtension,
  payment: latestPaymentIn(content),
  components: content.components.map(({ component, lastObservedAt, expiresAt, observations }) => ({
    component,
    freshness: expiresAt === null ? "NOT_READ" : expiresAt <= checkedAt ? "STALE" : "FRESH",
    ageMs: lastObservedAt === null ? null : Date.parse(checkedAt) - Date.parse(lastObservedAt),
    lastObservedAt,
    expiresAt,
    observations
  }))
})

/** The label of the latest payment, else of the latest checkout, by the observations of a status. */
export const latestPaymentIn = (status: CommerceStatus): PaymentLabel | null => {
  const observations = observationsIn(status).toSorted(
    (one, other) => one.observation.sequence - other.observation.sequence
  )
  const latestOf = (name: JournalEntry["component"]) => observations.findLast(({ component }) => component === name)
  return (latestOf("PAYMENT") ?? latestOf("CHECKOUT"))?.observation.label ?? null
}

/** True where the status says anything that its record does not show. */
export const isBeyondRecord = (status: CommerceStatus): boolean =>
  status.historyExtension !== null ||
  observationsIn(status).some(({ observation }) => observation.statusObservation !== null)
