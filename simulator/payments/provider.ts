/**
 * The simulated payment provider: one pure state machine on virtual time. The acts of people at it are in `acts.ts`, its answers
 * about one attempt in `answers.ts`.
 */
import { Result } from "effect"
import { canonicalText } from "../../src/canonical/jcs.ts"
import type { CheckoutRequest } from "../../src/ports/payments.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import type { Facts } from "../../src/vocabulary/payment-facts.ts"

export const simulatedEnvironment = "TEST"

export interface Account {
  readonly accountId: string
  readonly organizationId: string
  /** True once its owner has completed it: before, it receives no payments. */
  readonly isPayable: boolean
}

/** An entity of the provider with its facts. */
export interface Entity<F> {
  readonly entity: string
  readonly facts: F
}

/** Everything that belongs to one checkout. */
export interface Purchase {
  readonly request: CheckoutRequest
  readonly checkout: Entity<Facts<"CHECKOUT">>
  readonly payment: Entity<Facts<"PAYMENT">> | null
  readonly refunds: ReadonlyArray<Entity<Facts<"REFUND">>>
  readonly disputes: ReadonlyArray<Entity<Omit<Facts<"DISPUTE">, "disputed">>>
  readonly transfer: Entity<Facts<"TRANSFER">> | null
}

/** One payout of an account: it sums payments of several purchases. */
export interface PayoutOfAccount extends Entity<Omit<Facts<"PAYOUT">, "destinationPaymentId">> {
  readonly destinationPaymentIds: ReadonlyArray<string>
}

/** Immutable and plain, so that it is compared, hashed and kept as it is. */
export interface ProviderState {
  /** Ids have numbers up to this one, which the next ids follow. */
  readonly lastNumber: number
  readonly accounts: ReadonlyArray<Account>
  readonly purchases: ReadonlyArray<Purchase>
  readonly payouts: ReadonlyArray<PayoutOfAccount>
}

export const emptyProvider: ProviderState = { lastNumber: 0, accounts: [], purchases: [], payouts: [] }

/** Why the simulated provider refuses a request or an act, in English for logs and reports. */
export interface SimulatedRefusal {
  readonly reason: string
}

type Change<A> = Result.Result<readonly [state: ProviderState, answer: A], SimulatedRefusal>

const refuse = (reason: string) => Result.fail({ reason })

/** The next id of a kind: ids of different kinds share their numbers. */
const numbered = (state: ProviderState, prefix: string, offset = 1): string =>
  `${prefix}_sim_${state.lastNumber + offset}`

/** The account of an organization, which has one. */
export const openAccount = (
  state: ProviderState,
  organizationId: string
): readonly [state: ProviderState, account: Account] => {
  const own = state.accounts.find((account) => account.organizationId === organizationId)
  if (own !== undefined) return [state, own]
  const account = { accountId: numbered(state, "acct"), organizationId, isPayable: false }
  return [{ ...state, lastNumber: state.lastNumber + 1, accounts: [...state.accounts, account] }, account]
}

export const accountNamed = (state: ProviderState, accountId: string): Account | undefined =>
  state.accounts.find((account) => account.accountId === accountId)

/** Opens a checkout, or returns the one of the same request. Another request under the same key is refused. */
export const openCheckout = (before: ProviderState, request: CheckoutRequest, now: Instant): Change<string> => {
  const state = atTime(before, now)
  const own = purchaseOf(state, request.commerceOrderId)
  if (own !== undefined) {
    return canonicalText(own.request) === canonicalText(request)
      ? Result.succeed([state, own.checkout.entity])
      : refuse("the idempotency key was used with other parameters")
  }
  if (accountNamed(state, request.recipientAccount)?.isPayable !== true) return refuse("the account takes no payments")
  if (request.expiresAt <= now) return refuse("the checkout would have expired")
  const entity = numbered(state, "cs")
  const facts: Facts<"CHECKOUT"> = {
    state: "OPEN",
    paymentState: "UNPAID",
    amountMinor: request.amountMinor,
    currency: request.currency,
    commerceOrderId: request.commerceOrderId,
    acceptedSourceDigest: request.acceptedSourceDigest,
    paymentId: null,
    environment: simulatedEnvironment,
    createdAt: now,
    expiresAt: request.expiresAt
  }
  const purchase: Purchase = {
    request,
    checkout: { entity, facts },
    payment: null,
    refunds: [],
    disputes: [],
    transfer: null
  }
  return Result.succeed([
    { ...state, lastNumber: state.lastNumber + 1, purchases: [...state.purchases, purchase] },
    entity
  ])
}

/** The state at a time: a checkout that is open at its expiry has expired. */
export const atTime = (state: ProviderState, now: Instant): ProviderState => {
  const isExpired = ({ checkout: { facts } }: Purchase) => facts.state === "OPEN" && facts.expiresAt <= now
  return state.purchases.some(isExpired)
    ? { ...state, purchases: state.purchases.map((one) => (isExpired(one) ? expired(one) : one)) }
    : state
}

export const expired = (purchase: Purchase): Purchase => ({
  ...purchase,
  checkout: { ...purchase.checkout, facts: { ...purchase.checkout.facts, state: "EXPIRED" } }
})

export const purchaseOf = (state: ProviderState, commerceOrderId: string): Purchase | undefined =>
  state.purchases.find(({ request }) => request.commerceOrderId === commerceOrderId)

export const purchaseWith = (state: ProviderState, checkoutId: string): Purchase | undefined =>
  state.purchases.find(({ checkout }) => checkout.entity === checkoutId)
