/** Signed notifications of what changed at the server, as events of Stripe. */
import Stripe from "stripe"
import type { ProviderAct } from "../../../simulator/payments/acts.ts"
import type { NotificationRequest } from "../../../simulator/payments/notification.ts"
import { accountNamed, purchaseOf, type Purchase } from "../../../simulator/payments/provider.ts"
import { toMilliseconds, type Instant } from "../../../src/vocabulary/instant.ts"
import { chargeObject } from "./objects/charge.ts"
import { paymentIntentObject } from "./objects/checkout.ts"
import { disputeObject, refundObject } from "./objects/refund.ts"
import { payoutObject, transferObject } from "./objects/transfer.ts"
import { livemode, toSeconds } from "./objects/values.ts"
import { renderAccount, renderSession } from "./routes.ts"
import { apiVersion, type StripeServer } from "./server.ts"

export const webhookSecret = "whsec_f28ab7d1c0e94c5fb5a2c1d3e4f50617"

/** The events after an act, in the order in which they occurred; none for an act that Stripe tells nobody. */
export const eventsAfter = (server: StripeServer, act: ProviderAct, at: Instant): ReadonlyArray<Stripe.Event> => {
  if ("accountId" in act) return accountEvents(server, act.act, act.accountId, at)
  const purchase = purchaseOf(server.provider.state, act.commerceOrderId)!
  return purchaseEvents(server, act.act, purchase, at)
}

/** An event about a checkout in any state. */
export const checkoutEvent = (server: StripeServer, purchase: Purchase, at: Instant): Stripe.Event => {
  const type = purchase.checkout.facts.state === "EXPIRED" ? "checkout.session.expired" : "checkout.session.completed"
  return event(type, renderSession(server, purchase), at)
}

/** The bytes of an event with a header by the package's own function. */
export const signed = (body: Stripe.Event, at: Instant, secret = webhookSecret): NotificationRequest => {
  const payload = JSON.stringify(body, null, 2)
  const timestamp = Math.floor(toMilliseconds(at) / 1000)
  return {
    rawBody: new TextEncoder().encode(payload),
    headers: {
      "content-type": "application/json; charset=utf-8",
      "stripe-signature": webhooks.generateTestHeaderString({ payload, secret, timestamp }),
      "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)"
    }
  }
}

/** Sends events one after another; returns the status of each answer. */
export const send = async (
  url: string,
  events: ReadonlyArray<Stripe.Event>,
  at: Instant,
  secret = webhookSecret
): Promise<ReadonlyArray<number>> => {
  const statuses: Array<number> = []
  for (const one of events) {
    const { rawBody, headers } = signed(one, at, secret)
    const response = await fetch(url, { method: "POST", headers, body: Buffer.from(rawBody) })
    await response.arrayBuffer()
    statuses.push(response.status)
  }
  return statuses
}

const { webhooks } = new Stripe("sk_test_of_nobody")

type ObjectOf<T extends Stripe.Event["type"]> = Extract<Stripe.Event, { readonly type: T }>["data"]["object"]

const event = <T extends Stripe.Event["type"]>(type: T, object: ObjectOf<T>, at: Instant, account?: string) =>
  ({
    id: `evt_${type.replaceAll(".", "_")}_${(object as { readonly id: string }).id}_${toMilliseconds(at)}`,
    object: "event",
    ...(account === undefined ? {} : { account }),
    api_version: apiVersion,
    created: toSeconds(at),
    data: { object },
    livemode,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type
  }) as unknown as Stripe.Event

const accountEvents = (
  server: StripeServer,
  act: Extract<ProviderAct, { readonly accountId: string }>["act"],
  accountId: string,
  at: Instant
): ReadonlyArray<Stripe.Event> => {
  const { provider } = server
  if (act === "onboard") {
    const account = renderAccount(server, accountNamed(provider.state, accountId)!)
    return [event("account.updated", account, at, accountId)]
  }
  const state = act === "payOut" ? "PAID" : "FAILED"
  const payout = provider.state.payouts.findLast(({ facts }) => facts.account === accountId && facts.state === state)!
  const type = act === "payOut" ? "payout.paid" : "payout.failed"
  return [event(type, payoutObject(payout, sumOf(server, payout.destinationPaymentIds)), at, accountId)]
}

const sumOf = ({ provider }: StripeServer, ids: ReadonlyArray<string>): number =>
  provider.state.purchases.reduce(
    (sum, { transfer }) =>
      ids.includes(transfer?.facts.destinationPaymentId ?? "") ? sum + (transfer?.facts.amountMinor ?? 0) : sum,
    0
  )

const purchaseEvents = (
  server: StripeServer,
  act: Extract<ProviderAct, { readonly commerceOrderId: string }>["act"],
  purchase: Purchase,
  at: Instant
): ReadonlyArray<Stripe.Event> => {
  const given = server.records.checkouts.get(purchase.checkout.entity)!
  const { payment, transfer } = purchase
  const facts = payment?.facts.charge ?? null
  const intent = () => paymentIntentObject(payment!, given)
  const charge = () => chargeObject(facts!, purchase, given)
  const dispute = () => disputeObject(purchase.disputes.at(-1)!, payment!.entity)
  const refund = (state: string) => refundObject(purchase.refunds.findLast((one) => one.facts.state === state)!)
  switch (act) {
    case "pay":
      return [
        event("charge.succeeded", charge(), at),
        event("payment_intent.succeeded", intent(), at),
        ...(purchase.checkout.facts.state === "COMPLETE" ? [checkoutEvent(server, purchase, at)] : [])
      ]
    case "decline":
      return [event("charge.failed", charge(), at), event("payment_intent.payment_failed", intent(), at)]
    case "expire":
      return [checkoutEvent(server, purchase, at)]
    case "refund":
      return [event("refund.created", refund("SUCCEEDED"), at), event("charge.refunded", charge(), at)]
    case "failRefund":
      return [event("refund.failed", refund("FAILED"), at)]
    case "dispute":
      return [event("charge.dispute.created", dispute(), at)]
    case "closeDispute":
      return [event("charge.dispute.closed", dispute(), at)]
    case "reverseTransfer":
      return [event("transfer.reversed", transferObject(transfer!), at)]
  }
}
