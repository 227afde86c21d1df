/** What the journal of a payment supports: the labels of its latest entries, and the sums of those that have one. */
import type { CommerceRecord, JournalEntry, PaymentLabel } from "./portable-shapes.ts"

export interface Assurance {
  readonly payment: PaymentLabel | null
  /** Of the refunds that are verified. */
  readonly refundedMinor: number
  /** Of the transfers that are verified. */
  readonly reversedMinor: number
  readonly disputed: boolean
}

/** The label of the latest payment; before any payment, that of the latest checkout. */
export const labelOfPayment = ({ journal: { entries }, labels }: CommerceRecord): PaymentLabel | null => {
  const latestOf = (component: JournalEntry["component"]) => entries.findLastIndex((one) => one.component === component)
  const payment = latestOf("PAYMENT")
  return labels[payment < 0 ? latestOf("CHECKOUT") : payment] ?? null
}

export const assuranceOf = (record: CommerceRecord): Assurance => {
  const latest = new Map<string, readonly [JournalEntry, PaymentLabel | null]>()
  for (const [index, entry] of record.journal.entries.entries()) {
    latest.set(`${entry.component} ${entry.entity}`, [entry, record.labels[index] ?? null])
  }
  let [refundedMinor, reversedMinor, disputed] = [0, 0, false]
  for (const [{ component, facts }, label] of latest.values()) {
    if (label === null) continue
    if (component === "REFUND") refundedMinor += facts.amountMinor
    if (component === "TRANSFER") reversedMinor += facts.amountReversedMinor
    if (component === "DISPUTE") disputed = true
  }
  return { payment: labelOfPayment(record), refundedMinor, reversedMinor, disputed }
}
