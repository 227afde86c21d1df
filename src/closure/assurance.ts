/** What a closure states about the payment, derived from the journal that it encloses. Pure. */
import type { CommerceRecord } from "../commerce/commerce-record.ts"
import type { JournalEntry } from "../commerce/journal.ts"
import type { Label } from "../commerce/labels.ts"
import type { Component } from "../vocabulary/payments.ts"

/** The labels of payments and of checkouts. */
export const paymentLabels = [
  "PROVIDER_VERIFIED_PAYMENT",
  "PAYMENT_NOT_CONFIRMED"
] as const satisfies ReadonlyArray<Label>

export interface PaymentAssurance {
  /** The label of the latest payment; of the latest checkout where none was captured. */
  readonly payment: (typeof paymentLabels)[number] | null
  readonly refundedMinor: number
  readonly reversedMinor: number
  readonly disputed: boolean
}

/** Sums and flag are those of the latest entry of each entity, where that entry has a label. */
export const paymentAssurance = ({ journal, labels }: Pick<CommerceRecord, "journal" | "labels">): PaymentAssurance => {
  const entries = journal.entries.map((entry, index) => ({ ...entry, label: labels[index] ?? null }))
  const deciding = latest(entries, "PAYMENT") ?? latest(entries, "CHECKOUT")
  const current = [...new Map(entries.map((entry) => [`${entry.component} ${entry.entity}`, entry])).values()]
  const labelled = current.filter(({ label }) => label !== null)
  return {
    payment: paymentLabels.find((label) => label === deciding?.label) ?? null,
    refundedMinor: sumOf(labelled, (entry) => (entry.component === "REFUND" ? entry.facts.amountMinor : 0)),
    reversedMinor: sumOf(labelled, (entry) => (entry.component === "TRANSFER" ? entry.facts.amountReversedMinor : 0)),
    disputed: labelled.some(({ component }) => component === "DISPUTE")
  }
}

type LabelledEntry = JournalEntry & { readonly label: Label | null }

const latest = (entries: ReadonlyArray<LabelledEntry>, component: Component): LabelledEntry | undefined =>
  entries.findLast((entry) => entry.component === component)

const sumOf = (entries: ReadonlyArray<LabelledEntry>, sum: (entry: LabelledEntry) => number): number =>
  entries.reduce((total, entry) => total + sum(entry), 0)
