/** The endpoints that the payment adapter calls, over the simulated provider's machine. There are no others. */
import type Stripe from "stripe"
import { Result } from "effect"
import {
  accountNamed,
  atTime,
  openAccount,
  openCheckout,
  type Account,
  type ProviderState,
  type Purchase
} from "../../../simulator/payments/provider.ts"
import { toMilliseconds } from "../../../src/vocabulary/instant.ts"
import { readAccountLinkParameters, readAccountParameters } from "./account-parameters.ts"
import { readCheckoutParameters, type CheckoutParameters } from "./checkout-parameters.ts"
import { expand, type StripeObject } from "./expansion.ts"
import { accountLinkObject, accountObject } from "./objects/account.ts"
import { chargeObject } from "./objects/charge.ts"
import { paymentIntentObject, sessionObject } from "./objects/checkout.ts"
import { disputeObject, refundObject } from "./objects/refund.ts"
import { balanceTransactionObject, payoutObject, reversalObjects, transferObject } from "./objects/transfer.ts"
import { fromSeconds, newestFirst, toSeconds } from "./objects/values.ts"
import { expandParameter, page, pageParameters } from "./pages.ts"
import { integer, object, optional, parameters, text } from "./parameters.ts"
import { invalidRequest, missingResource, StripeRefusal } from "./refusal.ts"
import { route, type Call, type Route } from "./route.ts"

const expandOnly = parameters<{ expand?: Array<string> }>()({ expand: expandParameter })

export const routes: ReadonlyArray<Route> = [
  route("POST", "/v1/accounts", "rak_account_write", readAccountParameters, (given, { provider, records, key, at }) => {
    const [state, account] = openAccount(provider.state, key)
    provider.change(state)
    const record = { parameters: given, created: toSeconds(at) }
    records.accounts.set(account.accountId, record)
    return accountObject(account, given, record.created)
  }),
  route("GET", "/v1/accounts/{id}", "rak_account_read", expandOnly, (_, call) => {
    const account = accountOf(call, call.id)
    return renderAccount(call, account)
  }),
  route("POST", "/v1/account_links", "rak_account_link_write", readAccountLinkParameters, (given, call) => {
    const { accountId } = accountOf(call, given.account)
    return accountLinkObject(accountId, toSeconds(call.at), call.origin)
  }),
  route("POST", "/v1/checkout/sessions", "rak_checkout_session_write", readCheckoutParameters, createCheckout),
  route(
    "GET",
    "/v1/checkout/sessions",
    "rak_checkout_session_read",
    parameters<Stripe.Checkout.SessionListParams>()(pageParameters),
    (given, call) => {
      const sessions = purchases(call).map((purchase) => renderSession(call, purchase))
      return page("/v1/checkout/sessions", newestFirst(sessions), given)
    }
  ),
  route(
    "GET",
    "/v1/checkout/sessions/{id}",
    "rak_checkout_session_read",
    expandOnly,
    ({ expand: paths = [] }, call) => {
      const purchase = purchases(call).find(({ checkout }) => checkout.entity === call.id)
      if (purchase === undefined) throw missingResource("checkout.session", call.id)
      return expand(renderSession(call, purchase), paths, (id) => renderWithin(call, purchase, id))
    }
  ),
  route(
    "GET",
    "/v1/refunds",
    "rak_charge_read",
    parameters<Stripe.RefundListParams>()({ ...pageParameters, payment_intent: text() }),
    (given, call) => page("/v1/refunds", newestFirst(paid(call, given.payment_intent).refunds).map(refundObject), given)
  ),
  route(
    "GET",
    "/v1/disputes",
    "rak_dispute_read",
    parameters<Stripe.DisputeListParams>()({ ...pageParameters, payment_intent: text() }),
    (given, call) => {
      const { disputes } = paid(call, given.payment_intent)
      const objects = newestFirst(disputes).map((dispute) => disputeObject(dispute, given.payment_intent))
      return page("/v1/disputes", objects, given)
    }
  ),
  route("GET", "/v1/transfers/{id}", "rak_transfer_read", expandOnly, (_, call) => transferObject(transferOf(call))),
  route(
    "GET",
    "/v1/transfers/{id}/reversals",
    "rak_transfer_read",
    parameters<Stripe.TransferListReversalsParams>()(pageParameters),
    (given, call) => page(`/v1/transfers/${call.id}/reversals`, reversalObjects(transferOf(call)), given)
  ),
  route(
    "GET",
    "/v1/payouts",
    "rak_payout_read",
    parameters<Stripe.PayoutListParams>()({
      ...pageParameters,
      created: optional(object<Stripe.RangeQueryParam>()({ gte: optional(integer(0)) }))
    }),
    (given, call) => {
      const since = given.created?.gte ?? 0
      const listed = payoutsOf(call).filter(({ facts }) => toSeconds(facts.createdAt) >= since)
      const objects = newestFirst(listed).map((payout) =>
        payoutObject(payout, sumOf(call, payout.destinationPaymentIds))
      )
      return page("/v1/payouts", objects, given)
    }
  ),
  route(
    "GET",
    "/v1/balance_transactions",
    "rak_balance_read",
    parameters<Stripe.BalanceTransactionListParams>()({ ...pageParameters, payout: text(), source: optional(text()) }),
    (given, call) => {
      const payout = payoutsOf(call).find(({ entity }) => entity === given.payout)
      if (payout === undefined) throw missingResource("payout", given.payout, "payout")
      const ids = payout.destinationPaymentIds.filter((id) => given.source === undefined || id === given.source)
      const objects = ids.flatMap((id) => {
        const transfer = transferTo(call, id)
        return transfer === undefined ? [] : [balanceTransactionObject(id, transfer)]
      })
      return page("/v1/balance_transactions", newestFirst(objects), given)
    }
  )
]

function createCheckout(given: CheckoutParameters, call: Call): StripeObject {
  const { provider, records, at } = call
  const { client_reference_id: commerceOrderId, payment_intent_data: data } = given
  const untilExpiry = given.expires_at * 1000 - toMilliseconds(at)
  if (untilExpiry < 30 * 60_000 - 999 || untilExpiry > 24 * 3_600_000) {
    const words = "must be from 30 minutes to 24 hours after Checkout Session creation"
    throw invalidRequest(`The \`expires_at\` timestamp ${words}.`, { param: "expires_at" })
  }
  const { destination } = data.transfer_data
  const acceptedSourceDigest = given.metadata["acceptedSourceDigest"]
  if (acceptedSourceDigest === undefined) {
    throw invalidRequest("This server keeps sessions with a digest.", { param: "metadata[acceptedSourceDigest]" })
  }
  if (accountNamed(provider.state, destination) === undefined) {
    const param = "payment_intent_data[transfer_data][destination]"
    throw invalidRequest(`No such destination: '${destination}'`, { code: "resource_missing", param })
  }
  const [{ price_data: price }] = given.line_items as [CheckoutParameters["line_items"][number]]
  const opened = openCheckout(
    provider.state,
    {
      commerceOrderId,
      acceptedSourceDigest,
      currency: price.currency.toUpperCase(),
      amountMinor: price.unit_amount,
      recipientAccount: destination,
      title: price.product_data.name,
      expiresAt: fromSeconds(given.expires_at),
      returnUrl: given.success_url
    },
    at
  )
  if (Result.isFailure(opened)) throw refusedByMachine(opened.failure.reason)
  const [state, checkoutId] = opened.success
  provider.change(state)
  records.checkouts.set(checkoutId, given)
  return renderSession(
    call,
    state.purchases.find(({ checkout }) => checkout.entity === checkoutId)!
  )
}

const refusedByMachine = (reason: string): StripeRefusal =>
  reason === "the account takes no payments"
    ? invalidRequest(
        "Your destination account needs to have at least one of the following capabilities enabled: transfers",
        { code: "insufficient_capabilities_for_transfer" }
      )
    : invalidRequest(reason)

/** The account, if the platform has access to it. */
const accountOf = ({ provider }: Call, accountId: string): Account => {
  const account = accountNamed(provider.state, accountId)
  if (account !== undefined) return account
  throw noAccess(accountId)
}

export const noAccess = (accountId: string): StripeRefusal =>
  new StripeRefusal(403, {
    type: "invalid_request_error",
    code: "account_invalid",
    doc_url: "https://stripe.com/docs/error-codes/account-invalid",
    message:
      `The provided key does not have access to account '${accountId}' (or that account does not exist). ` +
      "Application access may have been revoked."
  })

/** What a call reads: the platform owns purchases, and a connected account its payouts. */
const stateOf = ({ provider, at }: Call): ProviderState =>
  atTime(provider.condition.readbacks === "STALE" ? provider.earlier : provider.state, at)
const purchases = (call: Call): ReadonlyArray<Purchase> => (call.account === null ? stateOf(call).purchases : [])
const payoutsOf = (call: Call) => stateOf(call).payouts.filter(({ facts }) => facts.account === call.account)

const paid = (call: Call, paymentIntent: string): Purchase => {
  const purchase = purchases(call).find(({ payment }) => payment?.entity === paymentIntent)
  if (purchase !== undefined) return purchase
  throw missingResource("payment_intent", paymentIntent, "payment_intent")
}

const transferOf = (call: Call) => {
  const found = purchases(call).find(({ transfer }) => transfer?.entity === call.id)?.transfer
  if (found === undefined || found === null) throw missingResource("transfer", call.id)
  return found
}

/** The transfer that arrived as this payment. */
const transferTo = (call: Call, destinationPayment: string) =>
  stateOf(call).purchases.find(({ transfer }) => transfer?.facts.destinationPaymentId === destinationPayment)
    ?.transfer ?? undefined

const sumOf = (call: Call, destinationPayments: ReadonlyArray<string>): number =>
  destinationPayments.reduce((sum, id) => sum + (transferTo(call, id)?.facts.amountMinor ?? 0), 0)

export const renderAccount = ({ records }: Pick<Call, "records">, account: Account) => {
  const { parameters: given, created } = records.accounts.get(account.accountId)!
  return accountObject(account, given, created)
}

export const renderSession = ({ records, origin }: Pick<Call, "records" | "origin">, purchase: Purchase) =>
  sessionObject(purchase, records.checkouts.get(purchase.checkout.entity)!, origin)

/** An object of a purchase by its id. */
const renderWithin = ({ records }: Call, purchase: Purchase, id: string): StripeObject => {
  const given = records.checkouts.get(purchase.checkout.entity)!
  const { payment, transfer } = purchase
  if (payment?.entity === id) return paymentIntentObject(payment, given)
  if (payment?.facts.charge?.id === id) return chargeObject(payment.facts.charge, purchase, given)
  if (transfer?.entity === id) return transferObject(transfer)
  throw new Error(`no object ${id} belongs to the checkout`)
}
