/** The labels of a journal: the claim that each entry supports, given the binding and the entries up to it. */
import type { Facts } from "../vocabulary/payment-facts.ts"
import type { CommerceBinding } from "../vocabulary/payments.ts"
import type { Observation } from "./journal.ts"

export const labels = [
  "PAYMENT_NOT_CONFIRMED",
  "PROVIDER_VERIFIED_PAYMENT",
  "PROVIDER_VERIFIED_REFUND",
  "DISPUTED",
  "PROVIDER_VERIFIED_TRANSFER",
  "PROVIDER_OBSERVED_PAYOUT"
] as const
export type Label = (typeof labels)[number]

/** One label for each entry; null where it supports no claim. */
export const labelsOf = (
  binding: CommerceBinding,
  entries: ReadonlyArray<Observation>
): ReadonlyArray<Label | null> => {
  let chargeId: string | null = null
  const transferred = new Set<string>()
  return entries.map((entry) => {
    if (entry.component === "PAYMENT") chargeId = entry.facts.charge?.id ?? null
    if (entry.component === "TRANSFER" && entry.facts.destinationPaymentId !== null) {
      transferred.add(entry.facts.destinationPaymentId)
    }
    return labelOf(binding, entry, { chargeId, transferred })
  })
}

/**
 * The labels of the latest facts of every entity, judged by the latest payment and the transfers among them: what a person
 * is shown of a journal of any length.
 */
export const labelsOfLatest = (
  binding: CommerceBinding,
  latest: ReadonlyArray<Observation & { readonly sequence: number }>
): ReadonlyArray<Label | null> => {
  let chargeId: string | null = null
  let paymentAt = 0
  const transferred = new Set<string>()
  for (const one of latest) {
    if (one.component === "PAYMENT" && one.sequence > paymentAt) {
      paymentAt = one.sequence
      chargeId = one.facts.charge?.id ?? null
    }
    if (one.component === "TRANSFER" && one.facts.destinationPaymentId !== null) {
      transferred.add(one.facts.destinationPaymentId)
    }
  }
  return latest.map((one) => labelOf(binding, one, { chargeId, transferred }))
}

/** The facts of earlier entries with which an entry is compared. */
interface PriorFacts {
  /** The charge of the latest payment. */
  readonly chargeId: string | null
  /** The payments that captured transfers made at their destination. */
  readonly transferred: ReadonlySet<string>
}

const labelOf = (binding: CommerceBinding, entry: Observation, established: PriorFacts): Label | null => {
  switch (entry.component) {
    case "CHECKOUT":
      return entry.facts.state === "COMPLETE" ? null : "PAYMENT_NOT_CONFIRMED"
    case "PAYMENT":
      return isVerifiedPayment(binding, entry.facts) ? "PROVIDER_VERIFIED_PAYMENT" : null
    case "REFUND":
      return isVerifiedRefund(binding, entry.facts, established) ? "PROVIDER_VERIFIED_REFUND" : null
    case "DISPUTE":
      return entry.facts.disputed && entry.facts.chargeId === established.chargeId ? "DISPUTED" : null
    case "TRANSFER":
      return isVerifiedTransfer(binding, entry.facts, established) ? "PROVIDER_VERIFIED_TRANSFER" : null
    case "PAYOUT":
      return isObservedPayout(binding, entry.facts, established) ? "PROVIDER_OBSERVED_PAYOUT" : null
  }
}

/** The payment is the bound one in every value, and its charge is captured in full. */
export const isVerifiedPayment = (binding: CommerceBinding, payment: Facts<"PAYMENT">): boolean => {
  const { charge } = payment
  return (
    payment.state === "SUCCEEDED" &&
    charge !== null &&
    [payment.amountMinor, payment.amountReceivedMinor, charge.amountMinor, charge.amountCapturedMinor].every(
      (sum) => sum === binding.amountMinor
    ) &&
    payment.currency === binding.currency &&
    charge.currency === binding.currency &&
    payment.environment === binding.environment &&
    payment.recipientAccount === binding.recipientAccount &&
    payment.commerceOrderId === binding.commerceOrderId &&
    payment.acceptedSourceDigest === binding.acceptedSourceDigest &&
    charge.state === "SUCCEEDED" &&
    charge.paid &&
    charge.captured
  )
}

const isVerifiedRefund = (binding: CommerceBinding, refund: Facts<"REFUND">, { chargeId }: PriorFacts): boolean =>
  refund.state === "SUCCEEDED" &&
  refund.currency === binding.currency &&
  isPartOf(binding, refund.amountMinor) &&
  refund.chargeId !== null &&
  refund.chargeId === chargeId

const isVerifiedTransfer = (binding: CommerceBinding, transfer: Facts<"TRANSFER">, { chargeId }: PriorFacts): boolean =>
  transfer.destinationAccount === binding.recipientAccount &&
  transfer.currency === binding.currency &&
  transfer.environment === binding.environment &&
  isPartOf(binding, transfer.amountMinor) &&
  transfer.amountReversedMinor <= transfer.amountMinor &&
  transfer.chargeId !== null &&
  transfer.chargeId === chargeId

const isObservedPayout = (binding: CommerceBinding, payout: Facts<"PAYOUT">, { transferred }: PriorFacts): boolean =>
  payout.state === "PAID" &&
  payout.account === binding.recipientAccount &&
  payout.environment === binding.environment &&
  transferred.has(payout.destinationPaymentId)

const isPartOf = ({ amountMinor }: CommerceBinding, sum: number): boolean => sum >= 1 && sum <= amountMinor
