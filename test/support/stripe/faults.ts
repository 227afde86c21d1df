/** Faults of the server on command, and those that stand for the conditions of a simulated provider. */
import type { ServerResponse } from "node:http"
import type { ProviderCondition } from "../../../simulator/payments/layer.ts"
import type { Component } from "../../../src/vocabulary/payments.ts"
import type { ReceivedRequest } from "./server.ts"
import type { StripeErrorBody } from "./refusal.ts"

export type Fault =
  /** Refuses the request before it takes effect. */
  | {
      readonly kind: "ERROR"
      readonly status: number
      readonly error: StripeErrorBody
      readonly headers?: Readonly<Record<string, string>>
    }
  /** Resets the connection before or after the request takes effect. */
  | { readonly kind: "RESET"; readonly when: "BEFORE" | "AFTER" }
  /** The request is in progress for so long, or until its client disconnects. */
  | { readonly kind: "DELAY"; readonly milliseconds: number }
  /** Changes the object that is answered. */
  | { readonly kind: "CHANGE"; readonly change: (answer: any) => unknown }
  /** Answers anything at all. */
  | { readonly kind: "SEND"; readonly send: (response: ServerResponse) => void }

export const apiError = (status: number, headers: Readonly<Record<string, string>> = {}): Fault => ({
  kind: "ERROR",
  status,
  error: { type: "api_error", message: "An unknown error occurred." },
  headers
})

export const rateLimited: Fault = {
  kind: "ERROR",
  status: 429,
  error: {
    type: "invalid_request_error",
    code: "rate_limit",
    message: "Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits."
  }
}

/** With it clients make no further attempt, which keeps tests short. */
const unrepeated = { "stripe-should-retry": "false" }

/** The fault of a request while the provider is in a condition. */
export const faultUnder = (condition: ProviderCondition, request: ReceivedRequest): Fault | undefined => {
  if (condition.availability === "DOWN") return apiError(503, unrepeated)
  if (condition.availability === "REFUSING") return refusing
  if (condition.losesOpenings === true && request.method === "POST" && request.path === "/v1/checkout/sessions") {
    return { kind: "RESET", when: "AFTER" }
  }
  const { readbacks } = condition
  if (readbacks === undefined || readbacks === "STALE" || request.method !== "GET") return undefined
  switch (readbacks.fault) {
    case "component-fails":
      return failing(readbacks.component, request)
    case "unknown-word":
      return ofComponent(readbacks.component, request) ? changeOf(unknownWord[readbacks.component]) : undefined
    default:
      return ofComponent("PAYMENT", request) ? changeOf(wrong[readbacks.fault]) : undefined
  }
}

const refusing: Fault = {
  kind: "ERROR",
  status: 403,
  error: { type: "invalid_request_error", message: "This account is closed." }
}

const changeOf = (change: (answer: any) => unknown): Fault => ({ kind: "CHANGE", change })

const paths: { readonly [C in Component]: string } = {
  CHECKOUT: "/v1/checkout/sessions/",
  PAYMENT: "/v1/checkout/sessions/",
  REFUND: "/v1/refunds",
  DISPUTE: "/v1/disputes",
  TRANSFER: "/v1/transfers/",
  PAYOUT: "/v1/payouts"
}

const ofComponent = (component: Component, { path }: ReceivedRequest): boolean => path.startsWith(paths[component])

/** One answer states checkout and payment: of these only the one that fails is spoiled. */
const failing = (component: Component, request: ReceivedRequest): Fault | undefined => {
  if (!ofComponent(component, request)) return undefined
  return component === "CHECKOUT" || component === "PAYMENT"
    ? changeOf(unknownWord[component])
    : apiError(500, unrepeated)
}

const onIntent = (change: (intent: any) => object) => (session: any) =>
  session.payment_intent === null
    ? session
    : { ...session, payment_intent: { ...session.payment_intent, ...change(session.payment_intent) } }

const onEach = (member: string) => (list: any) => ({
  ...list,
  data: list.data.map((one: object) => ({ ...one, [member]: "resting" }))
})

const unknownWord: { readonly [C in Component]: (answer: any) => unknown } = {
  CHECKOUT: (session) => ({ ...session, status: "resting" }),
  PAYMENT: onIntent(() => ({ status: "resting" })),
  REFUND: onEach("status"),
  // Its status and reason are texts, and a transfer has no words: a currency is always three letters.
  DISPUTE: onEach("currency"),
  TRANSFER: (transfer) => ("destination" in transfer ? { ...transfer, currency: "resting" } : transfer),
  PAYOUT: onEach("status")
}

const raised = (values: any) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      name.startsWith("amount") && typeof value === "number" && value > 0 ? value + 1 : value
    ])
  )

const wrong = {
  "unsafe-amount": onIntent(() => ({ amount: 2 ** 53 })),
  "wrong-amount": onIntent((intent) => ({ ...raised(intent), latest_charge: raised(intent.latest_charge) })),
  "wrong-currency": onIntent(() => ({ currency: "xts" })),
  "wrong-account": onIntent(() => ({ transfer_data: { destination: "acct_sim_other" } })),
  "wrong-reference": onIntent(({ metadata }) => ({ metadata: { ...metadata, commerceOrderId: "commerce_of_another" } }))
}
