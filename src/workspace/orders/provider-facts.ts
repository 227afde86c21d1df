/** What a payment provider states about one entity, in a sentence. Sums and currencies are the provider's. */
import type { Facts } from "../../vocabulary/payment-facts.ts"
import type { CommerceBinding } from "../../vocabulary/payments.ts"
import type { Observation } from "../../commerce/journal.ts"
import { amountText } from "../../vocabulary/money.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { time } from "../kit/parts.ts"

export const factsText = (observation: Observation): Content => {
  switch (observation.component) {
    case "CHECKOUT":
      return checkoutText(observation.facts)
    case "PAYMENT":
      return paymentText(observation.facts)
    case "REFUND": {
      const { state, amountMinor, currency } = observation.facts
      return `${amountText(amountMinor, currency)}, ${refundStates[state]}.`
    }
    case "DISPUTE": {
      const { status, reason, disputed, amountMinor, currency } = observation.facts
      const flag = disputed ? "The charge is marked as disputed." : "The charge is not marked as disputed."
      return [
        amountText(amountMinor, currency),
        ", state ",
        untrusted(status),
        ", reason ",
        untrusted(reason),
        `. ${flag}`
      ]
    }
    case "TRANSFER": {
      const { amountMinor, amountReversedMinor, currency, destinationAccount } = observation.facts
      const reversed =
        amountReversedMinor === 0 ? "" : `, of which ${amountText(amountReversedMinor, currency)} came back`
      return [`${amountText(amountMinor, currency)}${reversed}, to the account `, untrusted(destinationAccount), "."]
    }
    case "PAYOUT": {
      const { state, account, arrivalDate } = observation.facts
      return [`${payoutStates[state]}, from the account `, untrusted(account), ", to arrive ", time(arrivalDate), "."]
    }
  }
}

const checkoutText = ({ state, paymentState, amountMinor, currency, expiresAt }: Facts<"CHECKOUT">): Content => [
  `${checkoutStates[state]}, ${checkoutPayments[paymentState]}`,
  amountMinor === null || currency === null ? null : `, for ${amountText(amountMinor, currency)}`,
  ".",
  state === "OPEN" ? [" It can be paid until ", time(expiresAt), "."] : null
]

const paymentText = ({ state, amountMinor, amountReceivedMinor, currency, charge }: Facts<"PAYMENT">): Content => [
  `${paymentStates[state]}: ${amountText(amountMinor, currency)}, received ${amountText(amountReceivedMinor, currency)}.`,
  charge === null
    ? null
    : [
        ` The charge ${chargeStates[charge.state]}; captured ${amountText(charge.amountCapturedMinor, charge.currency)}`,
        charge.amountRefundedMinor === 0
          ? null
          : `, refunded ${amountText(charge.amountRefundedMinor, charge.currency)}`,
        charge.disputed ? ", disputed" : null,
        "."
      ]
]

/** Where a payment that succeeded differs from the terms: each with what the provider states. */
export const differencesFrom = (binding: CommerceBinding, payment: Facts<"PAYMENT">): ReadonlyArray<Content> => {
  const { charge } = payment
  const due = amountText(binding.amountMinor, binding.currency)
  const sums: ReadonlyArray<readonly [string, number, string]> = [
    ["The amount", payment.amountMinor, payment.currency],
    ["The received sum", payment.amountReceivedMinor, payment.currency],
    ...(charge === null
      ? []
      : ([
          ["The charged sum", charge.amountMinor, charge.currency],
          ["The captured sum", charge.amountCapturedMinor, charge.currency]
        ] as const))
  ]
  const isCharged = charge !== null && charge.state === "SUCCEEDED" && charge.paid && charge.captured
  return [
    ...sums
      .filter(([, sum, currency]) => sum !== binding.amountMinor || currency !== binding.currency)
      .map(([name, sum, currency]) => `${name} is ${amountText(sum, currency)}, and the terms say ${due}.`),
    ...(payment.recipientAccount === binding.recipientAccount ? [] : [otherAccount(payment.recipientAccount)]),
    ...(payment.environment === binding.environment
      ? []
      : [`The environment is ${payment.environment}, and the terms say ${binding.environment}.`]),
    ...(payment.commerceOrderId === binding.commerceOrderId &&
    payment.acceptedSourceDigest === binding.acceptedSourceDigest
      ? []
      : ["The payment does not refer to this payment attempt."]),
    ...(isCharged ? [] : ["The payment has no charge that succeeded and was captured."])
  ]
}

const otherAccount = (account: string | null): Content =>
  account === null
    ? "The payment names no account that receives it."
    : ["The account that receives it is ", untrusted(account), ", which is not that of the terms."]

const checkoutStates = { OPEN: "Open", COMPLETE: "Complete", EXPIRED: "Expired" }
const checkoutPayments = { UNPAID: "not paid", PAID: "paid", NOT_REQUIRED: "without a payment" }
const paymentStates = {
  REQUIRES_ACTION: "Waits for the payer",
  PROCESSING: "In progress",
  REQUIRES_CAPTURE: "Authorized, not captured",
  SUCCEEDED: "Succeeded",
  CANCELED: "Canceled"
}
const chargeStates = { PENDING: "is in progress", SUCCEEDED: "succeeded", FAILED: "failed" }
const refundStates = {
  PENDING: "in progress",
  REQUIRES_ACTION: "waits for the payer",
  SUCCEEDED: "succeeded",
  FAILED: "failed, so that the money came back",
  CANCELED: "canceled"
}
const payoutStates = {
  PENDING: "Not sent yet",
  IN_TRANSIT: "On its way to the bank",
  PAID: "Paid out",
  FAILED: "Failed",
  CANCELED: "Canceled"
}
