/**
 * The calls to Stripe, each with its parameters and its idempotency key. No call refunds, transfers,
 * captures or pays out. Each returns Stripe's answer undecoded: `facts.ts` and `layer.ts` read it.
 */
import { Data, Effect, Option, Redacted, Schema } from "effect"
import Stripe from "stripe"
import { ProviderRefused, ProviderUnavailable, type CheckoutRequest, type ReadFailure } from "../../ports/payments.ts"
import { toMilliseconds, type Instant } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"

/** The version of the API whose objects are decoded: a later one has other members and words. */
const apiVersion = "2026-10-28.endive"

export interface StripeAccess {
  readonly secretKey: Redacted.Redacted
  /** `https://api.stripe.com`, or that of a server of the same form. */
  readonly apiOrigin: string
}

export type CallFailure = ProviderUnavailable | ProviderRefused
/** The pages of a list could not all be read. */
export class ListUnread extends Data.TaggedError("ListUnread")<{ readonly reason: ReadFailure }> {}

type Call = Effect.Effect<unknown, CallFailure>
type ListCall = Effect.Effect<ReadonlyArray<unknown>, CallFailure | ListUnread>

export type StripeClient = ReturnType<typeof stripeClient>

export const stripeClient = ({ secretKey, apiOrigin }: StripeAccess, fetchBounded: typeof fetch) => {
  const { protocol, hostname, port } = new URL(apiOrigin)
  const isHttp = protocol === "http:"
  const stripe = new Stripe(Redacted.value(secretKey), {
    apiVersion,
    protocol: isHttp ? "http" : "https",
    host: hostname,
    port: port === "" ? (isHttp ? 80 : 443) : Number(port),
    httpClient: Stripe.createFetchHttpClient(fetchBounded),
    timeout: limits.stripeCall,
    maxNetworkRetries: limits.stripeRetries,
    telemetry: false
  })
  return {
    /** Succeeds with every valid key: each needs this permission. */
    listOneCheckout: (): Call => call(() => stripe.checkout.sessions.list({ limit: 1 })),
    createAccount: (organizationId: string): Call =>
      call(() =>
        stripe.accounts.create(accountParameters(organizationId), { idempotencyKey: `acct:${organizationId}` })
      ),
    readAccount: (accountId: string): Call => call(() => stripe.accounts.retrieve(accountId)),
    createAccountLink: (accountId: string, returnUrl: string): Call =>
      call(() =>
        stripe.accountLinks.create({
          account: accountId,
          type: "account_onboarding",
          refresh_url: returnUrl,
          return_url: returnUrl
        })
      ),
    createCheckout: (request: CheckoutRequest): Call =>
      call(() =>
        stripe.checkout.sessions.create(checkoutParameters(request), {
          idempotencyKey: `cs:${request.commerceOrderId}`
        })
      ),
    /** With its payment and the payment's latest charge. */
    readCheckout: (checkoutId: string): Call =>
      call(() => stripe.checkout.sessions.retrieve(checkoutId, { expand: ["payment_intent.latest_charge"] })),
    listRefunds: (paymentId: string): ListCall =>
      listAll((page) => stripe.refunds.list({ payment_intent: paymentId, ...page })),
    listDisputes: (paymentId: string): ListCall =>
      listAll((page) => stripe.disputes.list({ payment_intent: paymentId, ...page })),
    readTransfer: (transferId: string): Call => call(() => stripe.transfers.retrieve(transferId)),
    listReversals: (transferId: string): ListCall =>
      listAll((page) => stripe.transfers.listReversals(transferId, page)),
    /** The payouts of a recipient's account since its transfer. */
    listPayouts: (account: string, since: Instant): ListCall =>
      listAll((page) =>
        stripe.payouts.list({ created: { gte: secondsOf(since) }, ...page }, { stripeAccount: account })
      ),
    /** The balance transactions of a payout whose source is this payment to the account. */
    listBalanceTransactions: (account: string, payout: string, source: string): ListCall =>
      listAll((page) => stripe.balanceTransactions.list({ payout, source, ...page }, { stripeAccount: account }))
  }
}

/** The platform pays the fees and answers for losses; both capabilities, since transfers alone need Stripe's approval. */
const accountParameters = (organizationId: string): Stripe.AccountCreateParams => ({
  controller: {
    fees: { payer: "application" },
    losses: { payments: "application" },
    stripe_dashboard: { type: "express" }
  },
  capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
  metadata: { organizationId }
})

/** One line at the fixed inclusive total, by card, and everything off that could change the sum or the currency. */
const checkoutParameters = (request: CheckoutRequest): Stripe.Checkout.SessionCreateParams => {
  const { commerceOrderId, acceptedSourceDigest, currency, amountMinor, recipientAccount, title, returnUrl } = request
  const metadata = { commerceOrderId, acceptedSourceDigest }
  return {
    mode: "payment",
    line_items: [
      {
        quantity: 1,
        price_data: { currency: currency.toLowerCase(), unit_amount: amountMinor, product_data: { name: title } }
      }
    ],
    allowed_payment_method_types: ["card"],
    automatic_tax: { enabled: false },
    allow_promotion_codes: false,
    adaptive_pricing: { enabled: false },
    managed_payments: { enabled: false },
    client_reference_id: commerceOrderId,
    expires_at: secondsOf(request.expiresAt),
    success_url: returnUrl,
    cancel_url: returnUrl,
    metadata,
    payment_intent_data: { metadata, transfer_data: { destination: recipientAccount } }
  }
}

/** Stripe counts whole seconds. */
const secondsOf = (instant: Instant): number => Math.floor(toMilliseconds(instant) / 1_000)

const call = (request: () => Promise<object>): Call =>
  Effect.tryPromise({ try: request, catch: callFailure }).pipe(Effect.flatMap(requireSuccess))

/** The package takes any JSON without an `error` for a success, whatever its status. */
const requireSuccess = (answer: object): Call => {
  const { lastResponse } = answer as { readonly lastResponse?: { readonly statusCode?: number } }
  const status = lastResponse?.statusCode
  return status === undefined || status < 300
    ? Effect.succeed(answer)
    : Effect.fail(new ProviderUnavailable({ reason: `${status} without an error of Stripe` }))
}

const Page = Schema.Struct({
  object: Schema.Literal("list"),
  data: Schema.Array(Schema.Unknown),
  has_more: Schema.Boolean
})
const decodePage = Schema.decodeUnknownOption(Page)

interface PageParameters {
  readonly limit: number
  readonly starting_after?: string
}

/** Every page, until there are more entities than a readback may have, or more pages than they would fill. */
const listAll = (request: (page: PageParameters) => Promise<object>): ListCall =>
  Effect.gen(function* () {
    const items: Array<unknown> = []
    let page: PageParameters = { limit: 100 }
    for (let pages = 0; pages < limits.stripePages && items.length <= limits.paymentEntities; pages++) {
      const parameters = page
      const answer = Option.getOrUndefined(decodePage(yield* call(() => request(parameters))))
      if (answer === undefined) return yield* new ListUnread({ reason: "FACTS_UNKNOWN" })
      items.push(...answer.data)
      if (!answer.has_more && items.length <= limits.paymentEntities) return items
      const last = idOf(answer.data.at(-1))
      if (last === undefined) return yield* new ListUnread({ reason: "LIST_INCONSISTENT" })
      page = { limit: 100, starting_after: last }
    }
    return yield* new ListUnread({ reason: "TOO_MANY_ENTITIES" })
  })

const idOf = (item: unknown): string | undefined =>
  typeof item === "object" && item !== null && "id" in item && typeof item.id === "string" ? item.id : undefined

/** Transient errors: the request may be repeated unchanged. */
const transientStatuses = [408, 409, 429]

/** An error of the package as a failure of the port, with codes for the log and never a message, which may hold values. */
export const callFailure = (cause: unknown): CallFailure => {
  const reason = reasonOf(cause)
  const isRefused =
    cause instanceof Stripe.errors.StripeError &&
    !(cause instanceof Stripe.errors.StripeRateLimitError) &&
    cause.statusCode !== undefined &&
    400 <= cause.statusCode &&
    cause.statusCode < 500 &&
    !transientStatuses.includes(cause.statusCode)
  return isRefused
    ? new ProviderRefused({ reason, isKeyRefused: isKeyRefused(cause) })
    : new ProviderUnavailable({ reason })
}

/** An unknown key, or one without a permission. A 403 with a code is about an account that the key has no access to. */
const isKeyRefused = ({ statusCode, code }: Stripe.errors.StripeError): boolean =>
  statusCode === 401 || (statusCode === 403 && code !== "account_invalid")

/** Like `StripeInvalidRequestError 404 resource_missing payment_intent req_1`. */
const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Stripe.errors.StripeError)) return codeOf(cause) ?? "unknown"
  const { type, statusCode, code, param, requestId, detail, exception } = cause as Stripe.errors.StripeError & {
    readonly exception?: unknown
  }
  const parts = [type, statusCode, code, param, requestId, codeOf(detail), codeOf(exception)]
  return parts.filter((part) => /^[\w.[\]-]{1,100}$/.test(String(part ?? ""))).join(" ")
}

const codeOf = (cause: unknown): string | undefined =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined
