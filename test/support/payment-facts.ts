/** The binding and the facts of one payment attempt that was paid, transferred, refunded in part and paid out, for tests. */
import type { Instant } from "../../src/vocabulary/instant.ts"
import type { ChargeFacts, Facts } from "../../src/vocabulary/payment-facts.ts"
import { components, type CommerceBinding, type Component } from "../../src/vocabulary/payments.ts"
import type { ComponentReadback, ReadEntity, Readback } from "../../src/ports/payments.ts"
import type { Observation } from "../../src/commerce/journal.ts"
import { digestOfCharacter, uuidOf } from "./project-people.ts"

const createdAt = "2026-01-02T09:00:00.000Z" as Instant

/** The source of the vectors of the formats. */
export const source = "eec619be9932510c742f26db42cb7cf11f145f662050ef272fd776e84a06da42"

export const binding: CommerceBinding = {
  commerceOrderId: `commerce_${uuidOf(1)}`,
  resultOrderId: `order_${uuidOf(2)}`,
  acceptedSourceDigest: source,
  provider: "SIMULATED",
  environment: "TEST",
  currency: "EUR",
  amountMinor: 125_000,
  buyerScope: `organization_${uuidOf(3)}`,
  recipientScope: `organization_${uuidOf(4)}`,
  recipientAccount: "acct_sim_1",
  item: { type: "RESULT_RECORD", id: `record_${uuidOf(5)}`, digest: digestOfCharacter("4") }
}

export const checkoutId = "cs_sim_1"
export const paymentId = "pi_sim_1"
const chargeId = "ch_sim_1"
export const destinationPaymentId = "py_sim_1"

export const checkout = (changes: Partial<Facts<"CHECKOUT">> = {}): Facts<"CHECKOUT"> => ({
  state: "OPEN",
  paymentState: "UNPAID",
  amountMinor: binding.amountMinor,
  currency: binding.currency,
  commerceOrderId: binding.commerceOrderId,
  acceptedSourceDigest: source,
  paymentId: null,
  environment: "TEST",
  createdAt,
  expiresAt: "2026-01-02T10:00:00.000Z" as Instant,
  ...changes
})

export const paidCheckout = (): Facts<"CHECKOUT"> => checkout({ state: "COMPLETE", paymentState: "PAID", paymentId })

export const charge = (changes: Partial<ChargeFacts> = {}): ChargeFacts => ({
  id: chargeId,
  state: "SUCCEEDED",
  amountMinor: binding.amountMinor,
  amountCapturedMinor: binding.amountMinor,
  amountRefundedMinor: 0,
  currency: binding.currency,
  paid: true,
  captured: true,
  disputed: false,
  transferId: null,
  createdAt,
  ...changes
})

export const payment = (changes: Partial<Facts<"PAYMENT">> = {}): Facts<"PAYMENT"> => ({
  state: "SUCCEEDED",
  amountMinor: binding.amountMinor,
  amountReceivedMinor: binding.amountMinor,
  currency: binding.currency,
  commerceOrderId: binding.commerceOrderId,
  acceptedSourceDigest: source,
  recipientAccount: binding.recipientAccount,
  environment: "TEST",
  createdAt,
  charge: charge(),
  ...changes
})

export const unpaid = (changes: Partial<Facts<"PAYMENT">> = {}): Facts<"PAYMENT"> =>
  payment({ state: "REQUIRES_ACTION", amountReceivedMinor: 0, charge: null, ...changes })

export const refund = (changes: Partial<Facts<"REFUND">> = {}): Facts<"REFUND"> => ({
  state: "SUCCEEDED",
  amountMinor: 25_000,
  currency: binding.currency,
  paymentId,
  chargeId,
  createdAt,
  ...changes
})

export const dispute = (changes: Partial<Facts<"DISPUTE">> = {}): Facts<"DISPUTE"> => ({
  status: "needs_response",
  disputed: true,
  amountMinor: binding.amountMinor,
  currency: binding.currency,
  chargeId,
  reason: "fraudulent",
  createdAt,
  ...changes
})

export const transfer = (changes: Partial<Facts<"TRANSFER">> = {}): Facts<"TRANSFER"> => ({
  amountMinor: binding.amountMinor,
  amountReversedMinor: 0,
  currency: binding.currency,
  destinationAccount: binding.recipientAccount,
  chargeId,
  destinationPaymentId,
  environment: "TEST",
  createdAt,
  reversals: [],
  ...changes
})

export const reversal = { id: "trr_sim_1", amountMinor: 25_000, refundId: "re_sim_1", createdAt }

export const payout = (changes: Partial<Facts<"PAYOUT">> = {}): Facts<"PAYOUT"> => ({
  state: "PAID",
  account: binding.recipientAccount,
  destinationPaymentId,
  currency: binding.currency,
  automatic: true,
  environment: "TEST",
  arrivalDate: "2026-01-05T00:00:00.000Z" as Instant,
  createdAt,
  ...changes
})

/** An observation of the entity that has this component in these tests. */
export const observed = <C extends Component>(component: C, facts: Facts<C>, entity: string = entities[component]) =>
  ({ component, entity, facts }) as Observation<C>

const entities: { readonly [C in Component]: string } = {
  CHECKOUT: checkoutId,
  PAYMENT: paymentId,
  REFUND: "re_sim_1",
  DISPUTE: "dp_sim_1",
  TRANSFER: "tr_sim_1",
  PAYOUT: "po_sim_1"
}

/** A readback that read every component, and in each the entities of these observations. */
export const readbackOf = (observations: ReadonlyArray<Observation>): Readback => {
  const ofComponent = <C extends Component>(component: C): ComponentReadback<C> => ({
    outcome: "READ",
    entities: observations.flatMap((one) =>
      one.component === component
        ? [{ entity: one.entity, createdAt: one.facts.createdAt, facts: one.facts } as ReadEntity<C>]
        : []
    )
  })
  return Object.fromEntries(components.map((component) => [component, ofComponent(component)])) as unknown as Readback
}
