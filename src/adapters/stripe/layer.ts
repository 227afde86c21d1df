/** The port of payments over Stripe. The package is loaded with this file, which only a configured installation imports. */
import { Effect, Option, Redacted, Schema, type Scope } from "effect"
import Stripe from "stripe"
import {
  NotificationInvalid,
  ProviderRefused,
  ProviderUnavailable,
  type CheckoutRequest,
  type PaymentProvider
} from "../../ports/payments.ts"
import type { PaymentSettings } from "../payment-settings.ts"
import { stripeClient, type CallFailure, type StripeClient } from "./client.ts"
import { boundedFetch, stripeAgent } from "./http.ts"
import { readNotification, type VerifyHeader } from "./notification.ts"
import { Account, AccountLink, OpenedCheckout } from "./objects.ts"
import { readAttempt } from "./readback.ts"

/** The configured provider; its connections are closed with the scope. */
export const stripePayments = (settings: PaymentSettings): Effect.Effect<PaymentProvider, never, Scope.Scope> =>
  Effect.map(connections, (agent) => providerOver(stripeClient(settings, boundedFetch(agent)), settings))

/** Succeeds if Stripe takes the key. */
export const checkKey = (settings: PaymentSettings): Effect.Effect<void, CallFailure> =>
  Effect.scoped(
    Effect.flatMap(connections, (agent) => stripeClient(settings, boundedFetch(agent)).listOneCheckout())
  ).pipe(Effect.asVoid)

const connections = Effect.acquireRelease(Effect.sync(stripeAgent), (agent) => Effect.promise(() => agent.destroy()))

const providerOver = (client: StripeClient, settings: PaymentSettings): PaymentProvider => {
  const { environment, currencies } = settings
  const keys = { environment, webhookSecrets: settings.webhookSecrets.map(Redacted.value) }
  return {
    kind: "PROVIDER",
    provider: "STRIPE",
    environment,
    currencies,
    openRecipientAccount: Effect.fn("stripe.openRecipientAccount")(function* (organizationId, returnUrl) {
      const { id: accountId } = yield* answerOf(client.createAccount(organizationId), decodeAccount)
      return { accountId, onboardingUrl: yield* onboardingUrl(client, accountId, returnUrl) }
    }),
    readRecipientAccount: Effect.fn("stripe.readRecipientAccount")(function* (accountId, returnUrl) {
      const account = yield* answerOf(client.readAccount(accountId), decodeAccount)
      const payable = account.capabilities?.transfers === "active" && account.payouts_enabled
      return { payable, onboardingUrl: payable ? null : yield* onboardingUrl(client, accountId, returnUrl) }
    }),
    openCheckout: Effect.fn("stripe.openCheckout")((request) => openCheckout(client, request, settings)),
    readBack: Effect.fn("stripe.readBack")((request) =>
      Effect.annotateLogs(readAttempt(client, request, environment), {
        commerceOrderId: request.binding.commerceOrderId
      })
    ),
    authenticate: (rawBody, headers, receivedAt) =>
      Effect.mapError(
        Effect.fromResult(readNotification({ rawBody, headers, receivedAt }, keys, verifyHeader)),
        (reason) => new NotificationInvalid({ reason })
      )
  }
}

/** The check of Stripe's package, which compares signatures in constant time. */
export const verifyHeader: VerifyHeader = (body, header, secret, tolerance, receivedAt) =>
  Stripe.webhooks.signature?.verifyHeader(body, header, secret, tolerance, undefined, receivedAt) ?? false

const openCheckout = Effect.fnUntraced(function* (
  client: StripeClient,
  request: CheckoutRequest,
  { environment, currencies }: PaymentSettings
) {
  if (!currencies.includes(request.currency)) {
    return yield* new ProviderRefused({ reason: `${request.currency} is not in PAYMENT_CURRENCIES` })
  }
  const opened = yield* answerOf(client.createCheckout(request), decodeOpenedCheckout)
  const isOwn = opened.client_reference_id === request.commerceOrderId
  if (!isOwn || opened.livemode !== (environment === "LIVE")) {
    return yield* new ProviderUnavailable({ reason: "Stripe answered with another checkout" })
  }
  return { checkoutId: opened.id, url: opened.url }
})

const onboardingUrl = (client: StripeClient, accountId: string, returnUrl: string) =>
  Effect.map(answerOf(client.createAccountLink(accountId, returnUrl), decodeAccountLink), ({ url }) => url)

/** An answer of an unknown form counts as none: the call may have taken effect, and is repeated with its idempotency key. */
const answerOf = <A>(call: Effect.Effect<unknown, CallFailure>, decode: (answer: unknown) => Option.Option<A>) =>
  Effect.flatMap(call, (answer) =>
    Option.match(decode(answer), {
      onNone: () => Effect.fail<CallFailure>(new ProviderUnavailable({ reason: "an answer of an unknown form" })),
      onSome: (known) => Effect.succeed(known)
    })
  )

const decodeAccount = Schema.decodeUnknownOption(Account)
const decodeAccountLink = Schema.decodeUnknownOption(AccountLink)
const decodeOpenedCheckout = Schema.decodeUnknownOption(OpenedCheckout)
