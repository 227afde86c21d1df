/** The labels of a journal, written again from its entries by the table of docs/portable-records.md. */
import type { PlacedObservation } from "./commerce-status-components.ts"
import type { CommerceBinding, CommerceStatus, JournalEntry, PaymentFacts, PaymentLabel } from "./portable-shapes.ts"

/** One for each entry: the label that the binding and the entries up to it permit, else null. */
export const labelsOf = (
  binding: CommerceBinding,
  entries: ReadonlyArray<JournalEntry>
): ReadonlyArray<PaymentLabel | null> => {
  let chargeId: string | null = null
  const destinations = new Set<string | null>()
  return entries.map((entry): PaymentLabel | null => {
    if (entry.component === "PAYMENT") chargeId = entry.facts.charge?.id ?? null
    if (entry.component === "TRANSFER") destinations.add(entry.facts.destinationPaymentId)
    return labelOf(binding, entry, { chargeId, destinations })
  })
}

/** The label that the payment and the transfers of the status permit for one of its observations. */
export const permittedLabel = (
  { binding, components }: CommerceStatus,
  { component, observation }: PlacedObservation
): PaymentLabel | null => {
  const factsOf = <C extends JournalEntry["component"]>(name: C) =>
    components
      .filter((one) => one.component === name)
      .flatMap(({ observations }) => observations)
      .toSorted((one, other) => one.sequence - other.sequence)
      // The form of a component has checked the facts of its observations.
      .map(({ facts }) => facts as unknown as PaymentFacts<C>)
  return labelOf(binding, { component, facts: observation.facts } as unknown as JournalEntry, {
    chargeId: factsOf("PAYMENT").at(-1)?.charge?.id ?? null,
    destinations: new Set(factsOf("TRANSFER").map(({ destinationPaymentId }) => destinationPaymentId))
  })
}

/** The charge of the payment, and what transfers made at their destination. */
interface Established {
  readonly chargeId: string | null
  readonly destinations: ReadonlySet<string | null>
}

const labelOf = (
  binding: CommerceBinding,
  entry: JournalEntry,
  { chargeId, destinations }: Established
): PaymentLabel | null => {
  switch (entry.component) {
    case "CHECKOUT":
      return entry.facts.state === "COMPLETE" ? null : "PAYMENT_NOT_CONFIRMED"
    case "PAYMENT":
      return isVerifiedPayment(binding, entry.facts) ? "PROVIDER_VERIFIED_PAYMENT" : null
    case "REFUND":
      return isVerifiedRefund(binding, entry.facts, chargeId) ? "PROVIDER_VERIFIED_REFUND" : null
    case "DISPUTE":
      return entry.facts.disputed && entry.facts.chargeId === chargeId ? "DISPUTED" : null
    case "TRANSFER":
      return isVerifiedTransfer(binding, entry.facts, chargeId) ? "PROVIDER_VERIFIED_TRANSFER" : null
    case "PAYOUT":
      return isBoundPayout(binding, entry.facts) && destinations.has(entry.facts.destinationPaymentId)
        ? "PROVIDER_OBSERVED_PAYOUT"
        : null
  }
}

/** The payment has every bound value, and its charge was captured in full. */
const isVerifiedPayment = (bound: CommerceBinding, payment: PaymentFacts<"PAYMENT">): boolean => {
  const { charge } = payment
  return (
    payment.state === "SUCCEEDED" &&
    charge !== null &&
    payment.amountMinor === bound.amountMinor &&
    payment.amountReceivedMinor === bound.amountMinor &&
    charge.amountMinor === bound.amountMinor &&
    charge.amountCapturedMinor === bound.amountMinor &&
    payment.currency === bound.currency &&
    charge.currency === bound.currency &&
    payment.environment === bound.environment &&
    payment.recipientAccount === bound.recipientAccount &&
    payment.commerceOrderId === bound.commerceOrderId &&
    payment.acceptedSourceDigest === bound.acceptedSourceDigest &&
    charge.state === "SUCCEEDED" &&
    charge.paid &&
    charge.captured
  )
}

const isVerifiedRefund = (bound: CommerceBinding, refund: PaymentFacts<"REFUND">, chargeId: string | null): boolean =>
  refund.state === "SUCCEEDED" &&
  refund.currency === bound.currency &&
  isPartOf(bound, refund.amountMinor) &&
  isOfCharge(refund.chargeId, chargeId)

const isVerifiedTransfer = (
  bound: CommerceBinding,
  transfer: PaymentFacts<"TRANSFER">,
  chargeId: string | null
): boolean =>
  transfer.destinationAccount === bound.recipientAccount &&
  transfer.currency === bound.currency &&
  transfer.environment === bound.environment &&
  isPartOf(bound, transfer.amountMinor) &&
  transfer.amountReversedMinor <= transfer.amountMinor &&
  isOfCharge(transfer.chargeId, chargeId)

const isBoundPayout = (bound: CommerceBinding, payout: PaymentFacts<"PAYOUT">): boolean =>
  payout.state === "PAID" && payout.account === bound.recipientAccount && payout.environment === bound.environment

const isPartOf = (bound: CommerceBinding, amount: number): boolean => amount >= 1 && amount <= bound.amountMinor

/** A payment without a charge has none that anything could name. */
const isOfCharge = (named: string | null, chargeId: string | null): boolean => named !== null && named === chargeId
