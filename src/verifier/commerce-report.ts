/** The Commerce Record in the report: the latest observation of each entity, with its label. */
import type { CommerceRecord, JournalEntry, PaymentLabel } from "./portable-shapes.ts"
import type { VerifiedJws } from "./verified-objects.ts"

export const describeCommerce = ({ content, signed }: VerifiedJws<CommerceRecord>) => {
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

/** The label of the latest payment; before any payment, that of the latest checkout. */
export const labelOfPayment = ({ journal: { entries }, labels }: CommerceRecord): PaymentLabel | null => {
  const latestOf = (component: JournalEntry["component"]) => entries.findLastIndex((one) => one.component === component)
  const payment = latestOf("PAYMENT")
  return labels[payment < 0 ? latestOf("CHECKOUT") : payment] ?? null
}
