/**
 * Reads everything about one attempt: the checkout with its payment first, then what depends on the payment, at once, and
 * last the payouts of the transfer's account.
 */
import { Effect, Result } from "effect"
import { failedComponent, failedReadback } from "../../ports/payment-readback.ts"
import {
  ProviderUnavailable,
  type ComponentReadback,
  type ReadEntity,
  type Readback,
  type ReadbackRequest,
  type ReadFailure
} from "../../ports/payments.ts"
import { limits } from "../../vocabulary/limits.ts"
import type { Component, PaymentEnvironment } from "../../vocabulary/payments.ts"
import { ListUnread, type CallFailure, type StripeClient } from "./client.ts"
import {
  automaticPayouts,
  checkoutReadback,
  disputeReadback,
  isIncluded,
  paymentReadback,
  payoutReadback,
  refundReadback,
  transferReadback,
  type Reading
} from "./facts.ts"

export const readAttempt = Effect.fnUntraced(function* (
  client: StripeClient,
  { checkoutId }: ReadbackRequest,
  environment: PaymentEnvironment
): Effect.fn.Return<Readback> {
  const answer = yield* reading("CHECKOUT", client.readCheckout(checkoutId))
  if (Result.isFailure(answer)) return failedReadback(answer.failure)
  const payment = paymentReadback(answer.success, environment)
  return {
    CHECKOUT: checkoutReadback(answer.success, checkoutId, environment),
    PAYMENT: payment,
    ...(yield* readDependents(client, payment, environment))
  }
})

type Dependents = Omit<Readback, "CHECKOUT" | "PAYMENT">

const readDependents = Effect.fnUntraced(function* (
  client: StripeClient,
  payment: ComponentReadback<"PAYMENT">,
  environment: PaymentEnvironment
): Effect.fn.Return<Dependents> {
  if (payment.outcome === "FAILED") return allAlike(dependencyFailed)
  const [paid] = payment.entities
  if (paid === undefined) return allAlike(nothing)
  const [refunds, disputes, transfer] = yield* Effect.all(
    [
      reading("REFUND", client.listRefunds(paid.entity)),
      reading("DISPUTE", client.listDisputes(paid.entity)),
      readTransfer(client, paid, environment)
    ],
    { concurrency: "unbounded" }
  )
  return {
    REFUND: refundReadback(refunds, paid.entity),
    DISPUTE: disputeReadback(disputes, paid),
    TRANSFER: transfer,
    PAYOUT: yield* readPayouts(client, transfer, environment)
  }
})

const nothing = { outcome: "READ", entities: [] } as const
const dependencyFailed = failedComponent("DEPENDENCY_FAILED")

const allAlike = (alike: typeof nothing | typeof dependencyFailed): Dependents => ({
  REFUND: alike,
  DISPUTE: alike,
  TRANSFER: alike,
  PAYOUT: alike
})

const readTransfer = Effect.fnUntraced(function* (
  client: StripeClient,
  { facts: { charge } }: ReadEntity<"PAYMENT">,
  environment: PaymentEnvironment
): Effect.fn.Return<ComponentReadback<"TRANSFER">> {
  if (charge === null || charge.transferId === null) return nothing
  const calls = Effect.all([client.readTransfer(charge.transferId), client.listReversals(charge.transferId)], {
    concurrency: "unbounded"
  })
  const answers = yield* reading("TRANSFER", calls)
  return Result.isFailure(answers)
    ? failedComponent(answers.failure)
    : transferReadback(answers.success, charge, environment)
})

/** The payouts that include the payment. The amount of a payout is the sum of many payments. */
const readPayouts = Effect.fnUntraced(function* (
  client: StripeClient,
  transfer: ComponentReadback<"TRANSFER">,
  environment: PaymentEnvironment
): Effect.fn.Return<ComponentReadback<"PAYOUT">> {
  if (transfer.outcome === "FAILED") return dependencyFailed
  const facts = transfer.entities[0]?.facts
  if (facts === undefined || facts.destinationPaymentId === null) return nothing
  const { destinationAccount: account, destinationPaymentId: payment, createdAt } = facts
  const including = Effect.gen(function* () {
    const payouts = yield* read(automaticPayouts(yield* client.listPayouts(account, createdAt), environment))
    return yield* Effect.filter(
      payouts,
      ({ id }) =>
        Effect.flatMap(client.listBalanceTransactions(account, id, payment), (list) => read(isIncluded(list, payment))),
      { concurrency: limits.stripePayoutsAtOnce }
    )
  })
  return payoutReadback(yield* reading("PAYOUT", including), { account, payment, environment })
})

const read = <A>(one: Reading<A>): Effect.Effect<A, ListUnread> =>
  Effect.mapError(Effect.fromResult(one), (reason) => new ListUnread({ reason }))

/** The answers to a component's calls, or the failure of the component; the log has the reason in more detail. */
const reading = <A>(
  component: Component,
  calls: Effect.Effect<A, CallFailure | ListUnread>
): Effect.Effect<Reading<A>> =>
  calls.pipe(
    Effect.timeoutOrElse({
      duration: limits.stripeComponent,
      orElse: () => Effect.fail(new ProviderUnavailable({ reason: `more than ${limits.stripeComponent} ms` }))
    }),
    Effect.tapError(({ reason }) => Effect.logWarning("Stripe did not answer a readback", { component, reason })),
    Effect.mapError(failureOf),
    Effect.result
  )

const failureOf = (failure: CallFailure | ListUnread): ReadFailure => {
  switch (failure._tag) {
    case "ProviderUnavailable":
      return "PROVIDER_UNAVAILABLE"
    case "ProviderRefused":
      return "PROVIDER_REFUSED"
    case "ListUnread":
      return failure.reason
  }
}
