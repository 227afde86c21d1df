/** What people do at the simulated provider: the buyer at the checkout, the recipient, banks and the provider's staff. */
import { Result, Schema } from "effect"
import type { Instant } from "../../src/vocabulary/instant.ts"
import type { ChargeFacts, Facts } from "../../src/vocabulary/payment-facts.ts"
import {
  accountNamed,
  atTime,
  expired,
  purchaseOf,
  simulatedEnvironment,
  type Entity,
  type PayoutOfAccount,
  type ProviderState,
  type Purchase,
  type SimulatedRefusal
} from "./provider.ts"

const purchaseAct = <const A extends string>(act: A) =>
  Schema.Struct({ act: Schema.Literal(act), commerceOrderId: Schema.String })
const accountAct = <const A extends string>(act: A) =>
  Schema.Struct({ act: Schema.Literal(act), accountId: Schema.String })
/** `amountMinor` in the minor unit of the currency; all that is left if it is absent. */
const sumAct = <const A extends string>(act: A) =>
  Schema.Struct({
    act: Schema.Literal(act),
    commerceOrderId: Schema.String,
    amountMinor: Schema.optionalKey(Schema.Int)
  })

/**
 * An act names its purchase by the attempt's reference, which the provider stores. `failRefund` and `failPayout` are of the
 * last one that succeeded.
 */
export const ProviderAct = Schema.Union([
  accountAct("onboard"),
  purchaseAct("pay"),
  purchaseAct("decline"),
  purchaseAct("expire"),
  sumAct("refund"),
  purchaseAct("failRefund"),
  purchaseAct("dispute"),
  Schema.Struct({
    act: Schema.Literal("closeDispute"),
    commerceOrderId: Schema.String,
    status: Schema.Literals(["won", "lost"])
  }),
  sumAct("reverseTransfer"),
  accountAct("payOut"),
  accountAct("failPayout")
])
export type ProviderAct = typeof ProviderAct.Type

type Outcome = Result.Result<ProviderState, SimulatedRefusal>

/** The state after an act, or why it is impossible. */
export const performAct = (before: ProviderState, act: ProviderAct, now: Instant): Outcome => {
  const state = atTime(before, now)
  if ("accountId" in act) return performOnAccount(state, act, now)
  const purchase = purchaseOf(state, act.commerceOrderId)
  if (purchase === undefined) return impossible(`the provider has no checkout of ${act.commerceOrderId}`)
  const changed = performOnPurchase(purchase, act, now, state.lastNumber)
  if (typeof changed === "string") return impossible(changed)
  const purchases = state.purchases.map((one) => (one === purchase ? changed : one))
  // No act uses more than four numbers.
  return Result.succeed({ ...state, lastNumber: state.lastNumber + 4, purchases })
}

const impossible = (reason: string) => Result.fail({ reason })

type ActOn<Subject extends "accountId" | "commerceOrderId"> = Extract<ProviderAct, { readonly [S in Subject]: string }>

const performOnAccount = (state: ProviderState, { act, accountId }: ActOn<"accountId">, now: Instant): Outcome => {
  if (accountNamed(state, accountId) === undefined) return impossible(`the provider has no account ${accountId}`)
  switch (act) {
    case "onboard": {
      const accounts = state.accounts.map((one) => (one.accountId === accountId ? { ...one, isPayable: true } : one))
      return Result.succeed({ ...state, accounts })
    }
    case "payOut":
      return payOut(state, accountId, now)
    case "failPayout": {
      const last = state.payouts.findLast(({ facts }) => facts.account === accountId && facts.state === "PAID")
      if (last === undefined) return impossible("the account has no paid payout")
      const failed: PayoutOfAccount = { ...last, facts: { ...last.facts, state: "FAILED" } }
      return Result.succeed({ ...state, payouts: state.payouts.map((one) => (one === last ? failed : one)) })
    }
  }
}

/** Pays out what the account received and no payout has included, or only one that failed. */
const payOut = (state: ProviderState, accountId: string, now: Instant): Outcome => {
  const included = new Set(
    state.payouts.flatMap((one) => (one.facts.state === "FAILED" ? [] : one.destinationPaymentIds))
  )
  const due = state.purchases.flatMap(({ transfer }) =>
    transfer !== null && transfer.facts.destinationAccount === accountId ? [transfer.facts] : []
  )
  const next = due.filter(({ destinationPaymentId }) => !included.has(destinationPaymentId ?? ""))
  const [first] = next
  if (first === undefined) return impossible("the account has nothing to pay out")
  const payout: PayoutOfAccount = {
    entity: `po_sim_${state.lastNumber + 1}`,
    facts: {
      state: "PAID",
      account: accountId,
      currency: first.currency,
      automatic: true,
      environment: simulatedEnvironment,
      arrivalDate: now,
      createdAt: now
    },
    destinationPaymentIds: next
      .filter(({ currency }) => currency === first.currency)
      .flatMap(({ destinationPaymentId }) => destinationPaymentId ?? [])
  }
  return Result.succeed({ ...state, lastNumber: state.lastNumber + 1, payouts: [...state.payouts, payout] })
}

/** The purchase after an act, or why it is impossible. */
const performOnPurchase = (
  purchase: Purchase,
  act: ActOn<"commerceOrderId">,
  now: Instant,
  lastNumber: number
): Purchase | string => {
  const id = (prefix: string, offset = 1): string => `${prefix}_sim_${lastNumber + offset}`
  switch (act.act) {
    case "pay":
      return pay(purchase, now, id)
    case "decline":
      return decline(purchase, now, id)
    case "expire":
      return purchase.checkout.facts.state === "OPEN" ? expired(purchase) : "the checkout is not open"
    case "refund":
      return refund(purchase, act.amountMinor, now, id("re"))
    case "failRefund":
      return failRefund(purchase)
    case "dispute":
      return dispute(purchase, now, id("dp"))
    case "closeDispute":
      return closeDispute(purchase, act.status)
    case "reverseTransfer":
      return reverse(purchase, act.amountMinor, now, id("trr"))
  }
}

type NewId = (prefix: string, offset?: number) => string

/** A checkout takes a payment while it is open; a payment that began then can succeed after it expired. */
const acceptsPayment = ({ checkout, payment }: Purchase): boolean =>
  payment === null ? checkout.facts.state === "OPEN" : payment.facts.state === "REQUIRES_ACTION"

const pay = (purchase: Purchase, now: Instant, id: NewId): Purchase | string => {
  if (!acceptsPayment(purchase)) return "the checkout takes no payment"
  const { request, checkout } = purchase
  const transferId = id("tr")
  const payment = paymentOf(purchase, now, id("pi", 2))
  const charge: ChargeFacts = { ...chargeOf(purchase, now, id("ch", 3)), transferId }
  const isExpired = checkout.facts.state === "EXPIRED"
  return {
    ...purchase,
    checkout: {
      ...checkout,
      facts: {
        ...checkout.facts,
        ...(isExpired ? {} : { state: "COMPLETE", paymentState: "PAID" }),
        paymentId: payment.entity
      }
    },
    payment: {
      ...payment,
      facts: { ...payment.facts, state: "SUCCEEDED", amountReceivedMinor: request.amountMinor, charge }
    },
    transfer: {
      entity: transferId,
      facts: {
        amountMinor: request.amountMinor,
        amountReversedMinor: 0,
        currency: request.currency,
        destinationAccount: request.recipientAccount,
        chargeId: charge.id,
        destinationPaymentId: id("py", 4),
        environment: simulatedEnvironment,
        createdAt: now,
        reversals: []
      }
    }
  }
}

const decline = (purchase: Purchase, now: Instant, id: NewId): Purchase | string => {
  if (!acceptsPayment(purchase)) return "the checkout takes no payment"
  const payment = paymentOf(purchase, now, id("pi", 2))
  const charge: ChargeFacts = {
    ...chargeOf(purchase, now, id("ch", 3)),
    state: "FAILED",
    amountCapturedMinor: 0,
    paid: false,
    captured: false
  }
  const { checkout } = purchase
  return {
    ...purchase,
    checkout: { ...checkout, facts: { ...checkout.facts, paymentId: payment.entity } },
    payment: { ...payment, facts: { ...payment.facts, charge } }
  }
}

/** The payment of the checkout, which begins with its first charge. */
const paymentOf = ({ request, payment }: Purchase, now: Instant, entity: string): Entity<Facts<"PAYMENT">> =>
  payment ?? {
    entity,
    facts: {
      state: "REQUIRES_ACTION",
      amountMinor: request.amountMinor,
      amountReceivedMinor: 0,
      currency: request.currency,
      commerceOrderId: request.commerceOrderId,
      acceptedSourceDigest: request.acceptedSourceDigest,
      recipientAccount: request.recipientAccount,
      environment: simulatedEnvironment,
      createdAt: now,
      charge: null
    }
  }

const chargeOf = ({ request }: Purchase, now: Instant, id: string): ChargeFacts => ({
  id,
  state: "SUCCEEDED",
  amountMinor: request.amountMinor,
  amountCapturedMinor: request.amountMinor,
  amountRefundedMinor: 0,
  currency: request.currency,
  paid: true,
  captured: true,
  disputed: false,
  transferId: null,
  createdAt: now
})

/** The purchase with other facts of its charge; the reason if it was not paid. */
const withCharge = (
  purchase: Purchase,
  change: (charge: ChargeFacts, payment: Entity<Facts<"PAYMENT">>) => Partial<ChargeFacts> | string,
  rest: (charge: ChargeFacts, payment: Entity<Facts<"PAYMENT">>) => Partial<Purchase>
): Purchase | string => {
  const { payment } = purchase
  const charge = payment?.facts.charge ?? null
  if (payment === null || charge === null || !charge.paid) return "the checkout is not paid"
  const changed = change(charge, payment)
  if (typeof changed === "string") return changed
  const facts = { ...payment.facts, charge: { ...charge, ...changed } }
  return { ...purchase, payment: { ...payment, facts }, ...rest(charge, payment) }
}

const refund = (purchase: Purchase, part: number | undefined, now: Instant, entity: string) => {
  const left = ({ amountCapturedMinor, amountRefundedMinor }: ChargeFacts) => amountCapturedMinor - amountRefundedMinor
  return withCharge(
    purchase,
    (charge) => {
      const amountMinor = part ?? left(charge)
      if (amountMinor < 1 || amountMinor > left(charge)) return "less is left to refund"
      return { amountRefundedMinor: charge.amountRefundedMinor + amountMinor }
    },
    (charge, payment) => ({
      refunds: [
        ...purchase.refunds,
        {
          entity,
          facts: {
            state: "SUCCEEDED",
            amountMinor: part ?? left(charge),
            currency: charge.currency,
            paymentId: payment.entity,
            chargeId: charge.id,
            createdAt: now
          }
        }
      ]
    })
  )
}

/** The payer's bank returns the last refund: the refunded sum is lowered again. */
const failRefund = (purchase: Purchase) => {
  const last = purchase.refunds.findLast(({ facts }) => facts.state === "SUCCEEDED")
  if (last === undefined) return "no refund succeeded"
  const failed: Entity<Facts<"REFUND">> = { ...last, facts: { ...last.facts, state: "FAILED" } }
  return withCharge(
    purchase,
    ({ amountRefundedMinor }) => ({ amountRefundedMinor: amountRefundedMinor - last.facts.amountMinor }),
    () => ({ refunds: purchase.refunds.map((one) => (one === last ? failed : one)) })
  )
}

const dispute = (purchase: Purchase, now: Instant, entity: string) =>
  withCharge(
    purchase,
    () => (purchase.disputes.length > 0 ? "the charge is disputed" : { disputed: true }),
    ({ id, amountMinor, currency }) => ({
      disputes: [
        {
          entity,
          facts: { status: "needs_response", amountMinor, currency, chargeId: id, reason: "fraudulent", createdAt: now }
        }
      ]
    })
  )

/** The flag of the charge stays, as real providers keep it. */
const closeDispute = (purchase: Purchase, status: "won" | "lost"): Purchase | string =>
  purchase.disputes.some(({ facts }) => facts.status === "needs_response")
    ? { ...purchase, disputes: purchase.disputes.map((one) => ({ ...one, facts: { ...one.facts, status } })) }
    : "no dispute is open"

const reverse = (purchase: Purchase, part: number | undefined, now: Instant, id: string): Purchase | string => {
  const { transfer, refunds } = purchase
  if (transfer === null) return "nothing was transferred"
  const { facts } = transfer
  const left = facts.amountMinor - facts.amountReversedMinor
  const amountMinor = part ?? left
  if (amountMinor < 1 || amountMinor > left) return "less is left to reverse"
  const reversal = { id, amountMinor, refundId: refunds.at(-1)?.entity ?? null, createdAt: now }
  return {
    ...purchase,
    transfer: {
      ...transfer,
      facts: {
        ...facts,
        amountReversedMinor: facts.amountReversedMinor + amountMinor,
        reversals: [...facts.reversals, reversal]
      }
    }
  }
}
