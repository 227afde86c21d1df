/** The labels that the specification permits for a journal, derived anew: one word an entry, or null. */
import type { Json } from "../../vocabulary/json.ts"
import { isObject } from "../../vocabulary/json.ts"
import type { Binding, Entry, Facts } from "./commerce.ts"

export const expectedLabels = (binding: Binding, entries: ReadonlyArray<Entry>): ReadonlyArray<string | null> =>
  entries.map((entry, index) => expectedLabel(binding, entry, entries.slice(0, index)))

const expectedLabel = (binding: Binding, { component, facts }: Entry, earlier: ReadonlyArray<Entry>): string | null => {
  switch (component) {
    case "CHECKOUT":
      return facts["state"] === "OPEN" || facts["state"] === "EXPIRED" ? "PAYMENT_NOT_CONFIRMED" : null
    case "PAYMENT":
      return isPaidAsBound(binding, facts) ? "PROVIDER_VERIFIED_PAYMENT" : null
    case "REFUND":
      return facts["state"] === "SUCCEEDED" && isPart(binding, facts) && isOfCharge(facts, earlier)
        ? "PROVIDER_VERIFIED_REFUND"
        : null
    case "DISPUTE":
      return facts["disputed"] === true && isOfCharge(facts, earlier) ? "DISPUTED" : null
    case "TRANSFER":
      return isTransferAsBound(binding, facts) && isOfCharge(facts, earlier) ? "PROVIDER_VERIFIED_TRANSFER" : null
    case "PAYOUT":
      return isPayoutAsBound(binding, facts, earlier) ? "PROVIDER_OBSERVED_PAYOUT" : null
    default:
      return null
  }
}

/** True if the provider says that exactly the bound sum was received for exactly this attempt. */
export const isPaidAsBound = (binding: Binding, payment: Facts): boolean => {
  const charge = objectOf(payment["charge"])
  const bound = {
    state: "SUCCEEDED",
    amountMinor: binding.amountMinor,
    amountReceivedMinor: binding.amountMinor,
    currency: binding.currency,
    environment: binding.environment,
    recipientAccount: binding.recipientAccount,
    commerceOrderId: binding.commerceOrderId,
    acceptedSourceDigest: binding.acceptedSourceDigest
  }
  const charged = {
    state: "SUCCEEDED",
    amountMinor: binding.amountMinor,
    amountCapturedMinor: binding.amountMinor,
    currency: binding.currency,
    paid: true,
    captured: true
  }
  return charge !== undefined && has(payment, bound) && has(charge, charged)
}

const isTransferAsBound = (binding: Binding, facts: Facts): boolean =>
  isPart(binding, facts) &&
  facts["destinationAccount"] === binding.recipientAccount &&
  facts["environment"] === binding.environment &&
  Number(facts["amountReversedMinor"]) <= Number(facts["amountMinor"])

const isPayoutAsBound = (binding: Binding, facts: Facts, earlier: ReadonlyArray<Entry>): boolean =>
  facts["state"] === "PAID" &&
  facts["account"] === binding.recipientAccount &&
  facts["environment"] === binding.environment &&
  earlier.some(
    (one) => one.component === "TRANSFER" && one.facts["destinationPaymentId"] === facts["destinationPaymentId"]
  )

/** In the bound currency, from 1 to the bound sum. */
const isPart = ({ currency, amountMinor }: Binding, facts: Facts): boolean => {
  const amount = Number(facts["amountMinor"])
  return facts["currency"] === currency && amount >= 1 && amount <= amountMinor
}

/** The charge of the latest earlier payment. */
const isOfCharge = (facts: Facts, earlier: ReadonlyArray<Entry>): boolean => {
  const payment = earlier.findLast(({ component }) => component === "PAYMENT")
  const charge = objectOf(payment?.facts["charge"])
  return charge !== undefined && facts["chargeId"] === charge["id"]
}

const objectOf = (value: Json | undefined): Facts | undefined =>
  value !== undefined && isObject(value) ? value : undefined

const has = (facts: Facts, expected: { readonly [member: string]: Json }): boolean =>
  Object.entries(expected).every(([member, value]) => facts[member] === value)
