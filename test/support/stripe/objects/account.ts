/** Connected accounts and the links to their onboarding. */
import type Stripe from "stripe"
import type { Account } from "../../../../simulator/payments/provider.ts"
import type { AccountParameters } from "../account-parameters.ts"
import { enclosedList, noAddress } from "./values.ts"

const due = ["business_profile.url", "external_account", "tos_acceptance.date", "tos_acceptance.ip"]

export const accountObject = ({ accountId, isPayable }: Account, parameters: AccountParameters, created: number) =>
  ({
    id: accountId,
    object: "account",
    business_profile: {
      annual_revenue: { amount: null, currency: null, fiscal_year_end: null },
      estimated_worker_count: null,
      mcc: null,
      minority_owned_business_designation: null,
      name: null,
      product_description: null,
      specified_commercial_transactions_act_url: null,
      support_address: noAddress,
      support_email: null,
      support_phone: null,
      support_url: null,
      url: null
    },
    business_type: null,
    capabilities: capabilitiesOf(parameters, isPayable ? "active" : "inactive"),
    charges_enabled: isPayable,
    controller: controllerOf(parameters),
    country: parameters.country ?? "US",
    created,
    default_currency: "usd",
    details_submitted: isPayable,
    email: parameters.email ?? null,
    external_accounts: enclosedList(`/v1/accounts/${accountId}/external_accounts`, []),
    future_requirements: requirements([], null),
    metadata: parameters.metadata ?? {},
    payouts_enabled: isPayable,
    requirements: isPayable ? requirements([], null) : requirements(due, "requirements.past_due"),
    settings,
    tos_acceptance: { date: null, ip: null, user_agent: null },
    type: parameters.type ?? "none"
  }) satisfies Stripe.Account

/** The capabilities that were requested. */
const capabilitiesOf = ({ capabilities = {} }: AccountParameters, status: "active" | "inactive") => ({
  ...(capabilities.card_payments?.requested === true ? { card_payments: status } : {}),
  ...(capabilities.transfers?.requested === true ? { transfers: status } : {})
})

const controllerOf = ({ controller }: AccountParameters) =>
  ({
    type: "application",
    is_controller: true,
    fees: { payer: controller?.fees?.payer ?? "application_express" },
    losses: { payments: controller?.losses?.payments ?? "application" },
    requirement_collection: controller?.requirement_collection ?? "stripe",
    stripe_dashboard: { type: controller?.stripe_dashboard?.type ?? "express" }
  }) satisfies Stripe.Account.Controller

const requirements = (currentlyDue: Array<string>, disabledReason: Stripe.Account.Requirements.DisabledReason | null) =>
  ({
    alternatives: [],
    current_deadline: null,
    currently_due: currentlyDue,
    disabled_reason: disabledReason,
    errors: [],
    eventually_due: currentlyDue,
    past_due: [],
    pending_verification: []
  }) satisfies Stripe.Account.Requirements

const settings = {
  bacs_debit_payments: { display_name: null, service_user_number: null },
  branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
  card_issuing: { tos_acceptance: { date: null, ip: null } },
  card_payments: {
    decline_on: { avs_failure: true, cvc_failure: true },
    statement_descriptor_prefix: null,
    statement_descriptor_prefix_kana: null,
    statement_descriptor_prefix_kanji: null
  },
  dashboard: { display_name: null, timezone: "Etc/UTC" },
  invoices: { default_account_tax_ids: null, hosted_payment_method_save: null },
  payments: {
    statement_descriptor: null,
    statement_descriptor_kana: null,
    statement_descriptor_kanji: null,
    statement_descriptor_prefix_kana: null,
    statement_descriptor_prefix_kanji: null
  },
  payouts: {
    debit_negative_balances: true,
    schedule: { delay_days: 2, interval: "daily" },
    statement_descriptor: null
  },
  sepa_debit_payments: {}
} satisfies Stripe.Account.Settings

export const accountLinkObject = (accountId: string, created: number, origin: string) =>
  ({
    object: "account_link",
    created,
    expires_at: created + 300,
    url: `${origin}/setup/e/${accountId}/${created}`
  }) satisfies Stripe.AccountLink
