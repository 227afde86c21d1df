/**
 * The payment provider: hosted checkouts for Result Orders, and readbacks of what became of them. There is no call that
 * refunds, transfers or pays out. Without a provider no order is offered or paid.
 */
import { Context, Data, type Effect } from "effect"
import type { Instant } from "../vocabulary/instant.ts"
import type { Facts } from "../vocabulary/payment-facts.ts"
import type { CommerceBinding, Component, PaymentEnvironment, Provider } from "../vocabulary/payments.ts"

/** The provider did not answer, or not in time: the request may have taken effect. `reason` is for the log. */
export class ProviderUnavailable extends Data.TaggedError("ProviderUnavailable")<{ readonly reason: string }> {}

/** The provider refused the request permanently: its repetition is refused too. `reason` is for the log. */
export class ProviderRefused extends Data.TaggedError("ProviderRefused")<{
  readonly reason: string
  /** True where the provider refused the key of the installation, whatever the request. */
  readonly isKeyRefused?: boolean
}> {}

/** The notification is not the provider's, or its timestamp is too far from `receivedAt` in either direction. */
export class NotificationInvalid extends Data.TaggedError("NotificationInvalid")<{ readonly reason: string }> {}

/** The parameters of a checkout. Repeated with equal parameters, a request opens no other checkout. */
export interface CheckoutRequest {
  /** Also the idempotency key. */
  readonly commerceOrderId: string
  readonly acceptedSourceDigest: string
  /** The code of ISO 4217. */
  readonly currency: string
  /** In the currency's minor unit. */
  readonly amountMinor: number
  /** The provider's id of the account that receives the payment. */
  readonly recipientAccount: string
  /** The title of the project, which the payer reads at the checkout. */
  readonly title: string
  readonly expiresAt: Instant
  /** The page of the order. */
  readonly returnUrl: string
}

/** One entity of the provider, as it is now. */
export interface ReadEntity<C extends Component = Component> {
  /** The provider's id. */
  readonly entity: string
  readonly createdAt: Instant
  readonly facts: Facts<C>
}

/** Why a component was not read. Its last known facts stay as they are. */
export const readFailures = [
  /** The provider did not answer. */
  "PROVIDER_UNAVAILABLE",
  "PROVIDER_REFUSED",
  /** An unknown word, a missing or unknown member, or a number that is no amount. */
  "FACTS_UNKNOWN",
  /** A list names an entity twice, or contradicts what the provider states about it elsewhere. */
  "LIST_INCONSISTENT",
  /** An entity that was read before is missing. */
  "ENTITY_ABSENT",
  /** The component contradicts facts that an earlier readback found, such as an end, a payment or a sum. */
  "STEP_BACK",
  "TOO_MANY_ENTITIES",
  /** The component on which this one depends was not read. */
  "DEPENDENCY_FAILED"
] as const
export type ReadFailure = (typeof readFailures)[number]

export type ComponentReadback<C extends Component = Component> =
  | { readonly outcome: "READ"; readonly entities: ReadonlyArray<ReadEntity<C>> }
  | { readonly outcome: "FAILED"; readonly reason: ReadFailure }

export type Readback = { readonly [C in Component]: ComponentReadback<C> }

export interface ReadbackRequest {
  readonly checkoutId: string
  /** The entities that earlier readbacks found: each is read again, whatever a list says. */
  readonly known: ReadonlyArray<{ readonly component: Component; readonly entity: string }>
  readonly binding: CommerceBinding
}

/**
 * What an authentic notification is about: a hint that makes a readback due, and never a fact. Its members are unchecked
 * texts of the provider. Empty where it is about nothing that is read back, such as an object of the other environment.
 */
export interface PaymentNotification {
  /** The attempt, where the object carries the reference that its checkout was given. */
  readonly commerceOrderId?: string
  /** The checkout, where the object is one: adopted, after a readback, by an attempt whose checkout was never learned. */
  readonly checkoutId?: string
  /** An entity of readbacks to which the object belongs: its checkout, payment, refund, dispute, transfer or payout. */
  readonly entity?: string
}

type ProviderFailure = ProviderUnavailable | ProviderRefused

/**
 * A configured provider, in one environment. Every call ends by itself within a bounded time, which its adapter sets, and
 * fails as `ProviderUnavailable` then: a pass of the worker waits for all of its calls, and a claimed attempt is due again
 * once its lease of a minute has ended.
 */
export interface PaymentProvider {
  readonly kind: "PROVIDER"
  readonly provider: Provider
  readonly environment: PaymentEnvironment
  /** The currencies in which orders can be offered. */
  readonly currencies: ReadonlyArray<string>
  /** Opens the account of an organization, or returns the one that it has, with a new address at which people complete it. */
  openRecipientAccount(
    organizationId: string,
    returnUrl: string
  ): Effect.Effect<{ readonly accountId: string; readonly onboardingUrl: string }, ProviderFailure>
  /** Whether the account can receive payments now; `onboardingUrl` is null if nothing is to be completed. */
  readRecipientAccount(
    accountId: string,
    returnUrl: string
  ): Effect.Effect<{ readonly payable: boolean; readonly onboardingUrl: string | null }, ProviderFailure>
  /** Opens the checkout of this attempt, or returns the one that an earlier call with the same parameters opened. */
  openCheckout(
    request: CheckoutRequest
  ): Effect.Effect<{ readonly checkoutId: string; readonly url: string }, ProviderFailure>
  /** Reads everything about one attempt. Components fail one by one; the call never fails. */
  readBack(request: ReadbackRequest): Effect.Effect<Readback>
  /**
   * Checks the signature over these bytes and its timestamp, and nothing of the content. The names of the headers are in
   * lower case; bytes and headers are as sent by an unauthenticated client, within the limits of the service.
   */
  authenticate(
    rawBody: Uint8Array,
    headers: Readonly<Record<string, string>>,
    receivedAt: Instant
  ): Effect.Effect<PaymentNotification, NotificationInvalid>
}

/** No provider is configured. */
export interface NoPayments {
  readonly kind: "NONE"
}

export class Payments extends Context.Service<Payments, PaymentProvider | NoPayments>()("countersign/ports/Payments") {}
