/** The offer of a Result Order: its guards, in order. Pure; the first refusal or undefined. */
import type { NoPayments, PaymentProvider } from "../ports/payments.ts"
import type { Project } from "../projects/project.ts"
import { limits } from "../vocabulary/limits.ts"
import { refusal } from "../vocabulary/refusals.ts"
import { isLiveOrder, type OrderState } from "./moves.ts"

export interface OfferInput {
  readonly agreementDigest: string
  readonly recordId: string
  readonly currency: string
  readonly amountMinor: number
}

export interface OfferFacts {
  readonly payments: NoPayments | Pick<PaymentProvider, "kind" | "currencies">
  /** The supplier's account at that provider in that environment. */
  readonly recipientAccount: string | null
  /** Every order of the project. */
  readonly orders: ReadonlyArray<{ readonly state: OrderState }>
}

type OfferedProject = Pick<Project, "agreementDigest" | "recordId" | "state">

export const offerGuard = (
  { agreementDigest, recordId, state }: OfferedProject,
  input: OfferInput,
  { payments, recipientAccount, orders }: OfferFacts
) => {
  if (payments.kind === "PROVIDER" && !payments.currencies.includes(input.currency)) {
    const issues = [{ path: "currency", message: `The currency must be one of ${payments.currencies.join(", ")}.` }]
    return refusal("INVALID_REQUEST", { issues })
  }
  if (input.agreementDigest !== agreementDigest) return refusal("AGREEMENT_DIGEST_MISMATCH")
  if (recordId === null || input.recordId !== recordId) return refusal("RESULT_NOT_ISSUED")
  if (state !== "BUYER_CONFIRMED") {
    return refusal("STATE_CONFLICT", { detail: `A project in ${state} does not allow this.` })
  }
  const live = orders.find((order) => isLiveOrder(order.state))
  if (live !== undefined) {
    return refusal("ALREADY_EXISTS", { detail: liveOrderDetail(live.state), nextAction: "REREAD_ORDER" })
  }
  if (payments.kind === "NONE") return refusal("PAYMENTS_NOT_CONFIGURED")
  if (recipientAccount === null) {
    return refusal("RECIPIENT_NOT_PAYABLE", {
      detail:
        "Your organization has no recipient account at the payment provider; open one and complete it there, then offer again.",
      nextAction: "OPEN_RECIPIENT_ACCOUNT"
    })
  }
  return orders.length < limits.resultOrders ? undefined : refusal("RESULT_ORDER_LIMIT")
}

/** Why the result cannot be offered now, whatever its price; undefined if it can. */
export const offerRefusal = (project: OfferedProject, facts: OfferFacts) => {
  const { agreementDigest, recordId } = project
  const [currency = ""] = facts.payments.kind === "NONE" ? [] : facts.payments.currencies
  const input = { agreementDigest, recordId: recordId ?? "", currency, amountMinor: limits.amountMinorLeast }
  return offerGuard(project, input, facts)
}

const liveOrderDetail = (state: OrderState): string => {
  switch (state) {
    case "PAID":
      return "The record is paid: a Result Order for it was paid, and it takes no other one; read that order."
    case "PAYING":
      return "A Result Order for this record is being paid; wait until the provider reports the end of its payment attempt."
    default:
      return "A Result Order for this record exists; withdraw it before a new offer."
  }
}
