/** The transaction of a closure in sentences. Each one says only what the closure proves. */
import type { ClosureReport } from "./closure-report.ts"
import { shortenRuns } from "./escape.ts"

export const describeTransaction = (closure: ClosureReport): ReadonlyArray<string> => {
  const { parties, references, order, agreedAt, deliveredAt, acceptedAt } = closure
  const { agreement, delivery, result } = references
  const price = sumOf(order.amountMinor, order.currency)
  return [
    `Agreed at ${agreedAt}: version ${agreement.version} of ${agreement.id}, between the buyer ${quoted(parties.buyer.name)} and the supplier ${quoted(parties.supplier.name)}.`,
    `Delivered at ${deliveredAt}: ${delivery.id}.`,
    `Accepted at ${acceptedAt} by the buyer, with every criterion met; the record of it is ${result.id}.`,
    `Offered at ${order.offeredAt} for ${price}, and approved by the buyer at ${order.approvedAt}.`,
    paymentOf(closure),
    ...returnsOf(closure),
    ...lineageOf(closure),
    `The closure says nothing of what happened at the provider after ${closure.attempt.lastCapturedAt ?? "the attempt was opened"}.`
  ].map((sentence) => `  ${sentence}`)
}

const paymentOf = ({ order, attempt, assurance }: ClosureReport): string => {
  const attemptOf = `${attempt.commerceOrderId} at ${order.provider}, environment ${order.environment}`
  switch (assurance.payment) {
    case "PROVIDER_VERIFIED_PAYMENT":
      return `Paid, as the issuer states that the provider answered: ${sumOf(order.amountMinor, order.currency)} to the account ${quoted(order.recipientAccount)}, by ${attemptOf}.`
    case "PAYMENT_NOT_CONFIRMED":
      return `Not shown as paid: the checkout of ${attemptOf}, was open or expired when the issuer last asked the provider.`
    case null:
      return `Not shown as paid: no answer of the provider on ${attemptOf}, confirms a payment.`
  }
}

/** An absence is no proof, and so has no sentence but that no such answer is enclosed. */
const returnsOf = ({ order, assurance }: ClosureReport): ReadonlyArray<string> => {
  const { refundedMinor, reversedMinor, disputed } = assurance
  return [
    refundedMinor === 0
      ? "No refund is shown."
      : `Refunded, by the same answers: ${sumOf(refundedMinor, order.currency)}.`,
    reversedMinor === 0
      ? "No reversal of the transfer to the supplier is shown."
      : `Reversed of the transfer to the supplier, by the same answers: ${sumOf(reversedMinor, order.currency)}.`,
    disputed ? "Disputed, by the same answers." : "No dispute is shown."
  ]
}

/** Who chose the supplier again, as far as the lineage proves it. */
const lineageOf = ({ lineage, references }: ClosureReport): ReadonlyArray<string> => {
  if (lineage === null) return []
  const { next, reference, passport } = lineage
  return [
    `Chosen again: ${quoted(next.buyer.name)} and ${quoted(next.supplier.name)}, the same supplier's organization, agreed on version ${next.version} of ${next.projectId}.`,
    `Its buyer stated at ${reference.madeAt} that this rests on ${references.result.id}, published as ${passport.publicationId}, and gave as its reason ${quoted(reference.reason)}.`,
    `The next agreement was in the state ${next.state} at ${next.statedAt}, as the issuer states.`
  ]
}

const sumOf = (minor: number, currency: string): string => `${minor} in the minor unit of ${currency}`

/** In quotation marks, which a name cannot end. */
const quoted = (name: string): string => JSON.stringify(shortenRuns(name))
