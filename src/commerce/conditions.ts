/**
 * What the moves of a Result Order require besides its state, to which the rows of `moves.ts` refer. Pure; each returns its
 * refusal or undefined.
 */
import type { NoPayments, PaymentProvider } from "../ports/payments.ts"
import type { State } from "../projects/project.ts"
import { limits } from "../vocabulary/limits.ts"
import { refusal, type Refusal } from "../vocabulary/refusals.ts"
import { isLiveAttempt, type AttemptState } from "./attempt.ts"
import type { ResultOrder } from "./result-order.ts"

/** The facts of other rows that the conditions judge. */
export interface OrderFacts {
  readonly projectState: State
  /** Every attempt of the order. */
  readonly attempts: ReadonlyArray<{ readonly commerceOrderId: string; readonly state: AttemptState }>
  /** What the provider said about the recipient account; read before the transaction. */
  readonly isRecipientPayable: boolean
  readonly payments: InstalledPayments
}

/** The installation's provider and its environment, if it has one. */
export type InstalledPayments = NoPayments | Pick<PaymentProvider, "kind" | "provider" | "environment">

export type OrderCondition = (order: ResultOrder, facts: OrderFacts) => Refusal | undefined

export const projectIsConfirmed = (_: ResultOrder, { projectState }: OrderFacts) =>
  projectState === "BUYER_CONFIRMED"
    ? undefined
    : refusal("STATE_CONFLICT", {
        detail: `A Result Order is paid only while its project is BUYER_CONFIRMED, and the project is ${projectState}; read the project again.`
      })

/** One live attempt an order, and none beside a payment that arrived after its attempt's release. */
export const noAttemptIsLive = (_: ResultOrder, { attempts }: OrderFacts) => {
  const live = attempts.find(({ state }) => isLiveAttempt(state))
  return live === undefined ? undefined : refusal("PAYMENT_ATTEMPT_OPEN", { detail: liveDetails[live.state] })
}

const liveDetails: { readonly [S in AttemptState]: string } = {
  OPENING: "A checkout of this Result Order is being opened; read the order again and use that checkout.",
  OPEN: "A checkout of this Result Order is open; use that one, or wait until the provider reports that it expired.",
  UNVERIFIED:
    "A payment of this Result Order was made with other values than its terms; ask the supplier to withdraw the order.",
  PAID: "This Result Order was paid after its attempt had been released, and takes no other payment; read the order again.",
  RELEASED: "The payment attempt was released; read the order again."
}

/** A supplier cannot withdraw while the buyer may pay. */
export const openAttemptIsUnverified = ({ openAttemptId }: ResultOrder, { attempts }: OrderFacts) =>
  attempts.every(({ commerceOrderId, state }) => commerceOrderId !== openAttemptId || state === "UNVERIFIED")
    ? undefined
    : refusal("PAYMENT_ATTEMPT_OPEN")

export const attemptsAreLeft = ({ attempts }: ResultOrder) =>
  attempts < limits.paymentAttempts ? undefined : refusal("ATTEMPT_LIMIT")

/** Without a provider the account is unknown: the next condition refuses. */
export const recipientIsPayable = (_: ResultOrder, { isRecipientPayable, payments }: OrderFacts) =>
  isRecipientPayable || payments.kind === "NONE" ? undefined : refusal("RECIPIENT_NOT_PAYABLE")

/** An order names one provider in one environment, and only that one can take its payment. */
export const paymentsAreConfigured = ({ terms }: ResultOrder, { payments }: OrderFacts) => {
  if (payments.kind === "NONE") return refusal("PAYMENTS_NOT_CONFIGURED")
  return payments.provider === terms.provider && payments.environment === terms.environment
    ? undefined
    : refusal("PAYMENTS_NOT_CONFIGURED", {
        detail: `The Result Order names the provider ${terms.provider} in ${terms.environment}, and the installation has another; ask its operator.`
      })
}
