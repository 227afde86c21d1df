/** Faults of the payment provider: it does not answer, or its answers are not the facts. */
import { isNotification, isSignedByProvider, signedAtOf } from "../../payments/observed-notification.ts"
import type { Fault } from "./catalogue.ts"

/** A call that was answered under this fault. */
const answeredWith =
  (fault: string, call?: string): Fault["occursAt"] =>
  (line) =>
    line["kind"] === "payments" && line["fault"] === fault && (call === undefined || line["call"] === call)

const condition = (input: string): string => `{ as: provider, do: setPaymentProvider, input: ${input} }`

const notification = (input: string): string => `{ as: provider, do: notify, on: …, input: ${input} }`

/** The word of the fault of a readback, and what the provider reports. */
const wrongReadbacks = {
  "wrong-amount": "The provider reports a payment with another amount than the terms.",
  "wrong-currency": "The provider reports a payment in another currency.",
  "wrong-account": "The provider reports a payment to another account.",
  "wrong-reference": "The provider reports the payment of another attempt."
}

export const paymentFaults: ReadonlyArray<Fault> = [
  {
    name: "payments down",
    what: "The payment provider does not answer.",
    written: condition("{ availability: DOWN }"),
    occursAt: answeredWith("DOWN"),
    scenario: "commerce/provider-unavailable"
  },
  {
    name: "payments slow",
    what: "The payment provider answers after ten seconds.",
    written: condition("{ availability: SLOW }"),
    occursAt: answeredWith("SLOW"),
    scenario: "commerce/provider-unavailable"
  },
  {
    name: "payments refusing",
    what: "The payment provider refuses every call.",
    written: condition("{ availability: REFUSING }"),
    occursAt: answeredWith("REFUSING", "readBack"),
    scenario: "commerce/provider-unavailable"
  },
  {
    name: "opening refused",
    what: "The payment provider refuses a checkout.",
    written: condition("{ refusesOpenings: true }"),
    occursAt: answeredWith("REFUSING", "openCheckout"),
    scenario: "commerce/provider-unavailable"
  },
  {
    name: "opening lost",
    what: "A checkout opens, and the answer of the payment provider is lost.",
    written: condition("{ losesOpenings: true }"),
    occursAt: answeredWith("LOST"),
    scenario: "commerce/lost-opening"
  },
  {
    name: "component unread",
    what: "One component of a readback fails, and the others are answered.",
    written: condition("{ readbacks: { fault: component-fails, component: REFUND } }"),
    occursAt: answeredWith("component-fails"),
    scenario: "commerce/unread-components"
  },
  {
    name: "unknown word",
    what: "A component has a word or a member that the service does not know.",
    written: condition("{ readbacks: { fault: unknown-word, component: REFUND } }"),
    occursAt: answeredWith("unknown-word"),
    scenario: "commerce/unread-components"
  },
  {
    name: "unsafe amount",
    what: "An amount of the provider is beyond 2^53 - 1.",
    written: condition("{ readbacks: { fault: unsafe-amount } }"),
    occursAt: answeredWith("unsafe-amount"),
    scenario: "commerce/unread-components"
  },
  {
    name: "stale readback",
    what: "A readback is answered as before the last act at the provider.",
    written: condition("{ readbacks: STALE }"),
    occursAt: answeredWith("STALE"),
    scenario: "commerce/unread-components"
  },
  ...Object.entries(wrongReadbacks).map(([fault, what]): Fault => ({
    name: fault.replace("-", " "),
    what,
    written: condition(`{ readbacks: { fault: ${fault} } }`),
    occursAt: answeredWith(fault),
    scenario: "commerce/unverified-payments"
  })),
  {
    name: "notification forged",
    what: "A client without the secret of the payment provider sends a notification.",
    written: notification("{ forged: OTHER_SECRET }"),
    occursAt: (line) => isNotification(line) && !isSignedByProvider(line),
    scenario: "commerce/forged-notifications"
  },
  {
    name: "notification ahead",
    what: "A notification of the payment provider is dated after its receipt.",
    written: notification("{ clock: +10m }"),
    occursAt: (line) => isNotification(line) && isSignedByProvider(line) && signedAtOf(line) > String(line["at"]),
    scenario: "commerce/forged-notifications"
  }
]
