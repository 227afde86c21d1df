/** Transfers to connected accounts, their reversals, and the payouts of those accounts. */
import type Stripe from "stripe"
import type { Entity, PayoutOfAccount } from "../../../../simulator/payments/provider.ts"
import type { Facts } from "../../../../src/vocabulary/payment-facts.ts"
import { enclosedList, livemode, newestFirst, payoutStatus, stripeCurrency, toSeconds } from "./values.ts"

export const transferObject = ({ entity, facts }: Entity<Facts<"TRANSFER">>) =>
  ({
    id: entity,
    object: "transfer",
    amount: facts.amountMinor,
    amount_reversed: facts.amountReversedMinor,
    balance_transaction: `txn_of_${entity}`,
    created: toSeconds(facts.createdAt),
    currency: stripeCurrency(facts.currency),
    description: null,
    destination: facts.destinationAccount,
    ...(facts.destinationPaymentId === null ? {} : { destination_payment: facts.destinationPaymentId }),
    livemode,
    metadata: {},
    reversals: enclosedList(`/v1/transfers/${entity}/reversals`, reversalObjects({ entity, facts })),
    reversed: facts.amountReversedMinor === facts.amountMinor,
    source_transaction: facts.chargeId,
    source_type: "card",
    transfer_group: null
  }) satisfies Stripe.Transfer

/** The newest first. */
export const reversalObjects = ({ entity, facts }: Entity<Facts<"TRANSFER">>) =>
  newestFirst(facts.reversals).map(
    ({ id, amountMinor, refundId, createdAt }) =>
      ({
        id,
        object: "transfer_reversal",
        amount: amountMinor,
        balance_transaction: `txn_of_${id}`,
        created: toSeconds(createdAt),
        currency: stripeCurrency(facts.currency),
        destination_payment_refund: null,
        metadata: {},
        source_refund: refundId,
        transfer: entity
      }) satisfies Stripe.TransferReversal
  )

export const payoutObject = ({ entity, facts }: PayoutOfAccount, amount: number) =>
  ({
    id: entity,
    object: "payout",
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: toSeconds(facts.arrivalDate),
    automatic: facts.automatic,
    balance_transaction: `txn_of_${entity}`,
    created: toSeconds(facts.createdAt),
    currency: stripeCurrency(facts.currency),
    description: "STRIPE PAYOUT",
    destination: `ba_of_${facts.account}`,
    failure_balance_transaction: facts.state === "FAILED" ? `txn_of_failed_${entity}` : null,
    failure_code: facts.state === "FAILED" ? "account_closed" : null,
    failure_message: facts.state === "FAILED" ? "The bank account has been closed." : null,
    livemode,
    metadata: {},
    method: "standard",
    original_payout: null,
    payout_method: null,
    reconciliation_status: "completed",
    reversed_by: null,
    source_type: "card",
    statement_descriptor: null,
    status: payoutStatus[facts.state],
    trace_id: { status: "supported", value: "0123456789" },
    type: "bank_account"
  }) satisfies Stripe.Payout

/** What a transfer added to the balance of its destination. */
export const balanceTransactionObject = (destinationPayment: string, { facts }: Entity<Facts<"TRANSFER">>) =>
  ({
    id: `txn_of_${destinationPayment}`,
    object: "balance_transaction",
    amount: facts.amountMinor,
    available_on: toSeconds(facts.createdAt),
    balance_type: "payments",
    created: toSeconds(facts.createdAt),
    currency: stripeCurrency(facts.currency),
    description: null,
    exchange_rate: null,
    fee: 0,
    fee_details: [],
    net: facts.amountMinor,
    reporting_category: "charge",
    source: destinationPayment,
    status: "available",
    type: "payment"
  }) satisfies Stripe.BalanceTransaction
