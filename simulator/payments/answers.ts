/** The answers of the simulated provider about one attempt, and their faults. Pure. */
import { Schema } from "effect"
import {
  componentReadback,
  failedComponent,
  failedReadback,
  type ProviderEntity
} from "../../src/ports/payment-readback.ts"
import type { Readback } from "../../src/ports/payments.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { components, type Component } from "../../src/vocabulary/payments.ts"
import { atTime, purchaseWith, type ProviderState, type Purchase } from "./provider.ts"

/** The values of each component, before they are read as facts. */
export type ProviderAnswer = { readonly [C in Component]: ReadonlyArray<ProviderEntity> }

/** Undefined if the provider has no such checkout. */
export const answerAbout = (before: ProviderState, checkoutId: string, now: Instant): ProviderAnswer | undefined => {
  const state = atTime(before, now)
  const purchase = purchaseWith(state, checkoutId)
  return purchase === undefined ? undefined : answerOf(state, purchase)
}

const answerOf = (state: ProviderState, { checkout, payment, refunds, disputes, transfer }: Purchase) => {
  const disputed = payment?.facts.charge?.disputed ?? false
  const destinationPaymentId = transfer?.facts.destinationPaymentId ?? ""
  return {
    CHECKOUT: [checkout],
    PAYMENT: payment === null ? [] : [payment],
    REFUND: refunds,
    DISPUTE: disputes.map(({ entity, facts }) => ({ entity, facts: { ...facts, disputed } })),
    TRANSFER: transfer === null ? [] : [transfer],
    PAYOUT: state.payouts
      .filter(({ destinationPaymentIds }) => destinationPaymentIds.includes(destinationPaymentId))
      .map(({ entity, facts }) => ({ entity, facts: { ...facts, destinationPaymentId } }))
  }
}

/** Faults of an answer to a readback, besides that there is none. */
export const AnswerFault = Schema.Union([
  Schema.Struct({
    fault: Schema.Literals(["component-fails", "unknown-word"]),
    component: Schema.Literals(components)
  }),
  Schema.Struct({
    fault: Schema.Literals(["unsafe-amount", "wrong-amount", "wrong-currency", "wrong-account", "wrong-reference"])
  })
])
export type AnswerFault = typeof AnswerFault.Type

/** The readback of an answer. Without an answer the provider refused the checkout id. */
export const readbackFrom = (answer: ProviderAnswer | undefined, fault?: AnswerFault): Readback => {
  if (answer === undefined) return failedReadback("PROVIDER_REFUSED")
  const values = fault === undefined ? answer : withFault(answer, fault)
  const readback: Readback = {
    CHECKOUT: componentReadback("CHECKOUT", values.CHECKOUT),
    PAYMENT: componentReadback("PAYMENT", values.PAYMENT),
    REFUND: componentReadback("REFUND", values.REFUND),
    DISPUTE: componentReadback("DISPUTE", values.DISPUTE),
    TRANSFER: componentReadback("TRANSFER", values.TRANSFER),
    PAYOUT: componentReadback("PAYOUT", values.PAYOUT)
  }
  return fault?.fault === "component-fails"
    ? { ...readback, [fault.component]: failedComponent("PROVIDER_UNAVAILABLE") }
    : readback
}

const withFault = (answer: ProviderAnswer, fault: AnswerFault): ProviderAnswer => {
  switch (fault.fault) {
    case "component-fails":
      return answer
    case "unknown-word":
      // An entity of every component has a state, but for disputes and transfers, of which this is an unknown member.
      return withFacts(answer, fault.component, () => ({ state: "RESTING" }))
    case "unsafe-amount":
      return withFacts(answer, "PAYMENT", () => ({ amountMinor: 2 ** 53 }))
    case "wrong-amount":
      return withFacts(answer, "PAYMENT", (facts) => ({
        ...withRaisedSums(facts),
        charge: withRaisedSums(facts["charge"])
      }))
    case "wrong-currency":
      return withFacts(answer, "PAYMENT", () => ({ currency: "XTS" }))
    case "wrong-account":
      return withFacts(answer, "PAYMENT", () => ({ recipientAccount: "acct_sim_other" }))
    case "wrong-reference":
      return withFacts(answer, "PAYMENT", () => ({ commerceOrderId: "commerce_of_another" }))
  }
}

interface Values {
  readonly [member: string]: unknown
}

const isValues = (value: unknown): value is Values => typeof value === "object" && value !== null

const withFacts = (
  answer: ProviderAnswer,
  component: Component,
  change: (facts: Values) => Values
): ProviderAnswer => ({
  ...answer,
  [component]: answer[component].map(({ entity, facts }) => ({
    entity,
    facts: isValues(facts) ? { ...facts, ...change(facts) } : facts
  }))
})

/** Every sum that is not zero is one higher: nothing counts as refunded that was not. */
const withRaisedSums = (values: unknown): Values | null =>
  isValues(values)
    ? Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          typeof value === "number" && value > 0 ? value + 1 : value
        ])
      )
    : null
