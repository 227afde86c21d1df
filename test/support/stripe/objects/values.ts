/** How Stripe writes the values of the simulated provider: seconds, lower-case currencies, its own words. */
import type { Facts } from "../../../../src/vocabulary/payment-facts.ts"
import { fromMilliseconds, toMilliseconds, type Instant } from "../../../../src/vocabulary/instant.ts"

export const toSeconds = (instant: Instant): number => Math.floor(toMilliseconds(instant) / 1000)
export const fromSeconds = (seconds: number): Instant => fromMilliseconds(seconds * 1000)

export const stripeCurrency = (currency: string): string => currency.toLowerCase()

export const sessionStatus = {
  OPEN: "open",
  COMPLETE: "complete",
  EXPIRED: "expired"
} as const satisfies Record<Facts<"CHECKOUT">["state"], string>

export const sessionPaymentStatus = {
  UNPAID: "unpaid",
  PAID: "paid",
  NOT_REQUIRED: "no_payment_required"
} as const satisfies Record<Facts<"CHECKOUT">["paymentState"], string>

export const intentStatus = {
  REQUIRES_ACTION: "requires_payment_method",
  PROCESSING: "processing",
  REQUIRES_CAPTURE: "requires_capture",
  SUCCEEDED: "succeeded",
  CANCELED: "canceled"
} as const satisfies Record<Facts<"PAYMENT">["state"], string>

export const chargeStatus = { PENDING: "pending", SUCCEEDED: "succeeded", FAILED: "failed" } as const

export const refundStatus = {
  PENDING: "pending",
  REQUIRES_ACTION: "requires_action",
  SUCCEEDED: "succeeded",
  FAILED: "failed",
  CANCELED: "canceled"
} as const satisfies Record<Facts<"REFUND">["state"], string>

export const payoutStatus = {
  PENDING: "pending",
  IN_TRANSIT: "in_transit",
  PAID: "paid",
  FAILED: "failed",
  CANCELED: "canceled"
} as const satisfies Record<Facts<"PAYOUT">["state"], string>

/** The simulated provider has no live environment. */
export const livemode = false

export const noAddress = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null }

/** A list that is enclosed in another object: its first ten objects. */
export const enclosedList = <A>(url: string, all: ReadonlyArray<A>) => ({
  object: "list" as const,
  url,
  has_more: all.length > 10,
  data: all.slice(0, 10)
})

/** Lists are answered with their newest object first. */
export const newestFirst = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> => all.toReversed()
