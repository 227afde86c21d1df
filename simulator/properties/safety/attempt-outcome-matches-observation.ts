/** A failure of the service itself is not a failure of the receiver; an outcome is what the process observed (spec 6.3, 6.4). */
import { WebhookAttempts, WebhookSubscriptions } from "../../../src/webhooks/store.ts"
import type { TimedObservation } from "../../observation/observation.ts"
import type { JsonObject } from "../../vocabulary/json.ts"
import { violation, monitoredProperty, rowIn, type Rows } from "../property.ts"
import { rowsWritten } from "../support/commits.ts"

interface ObservedEnds extends JsonObject {
  /** Hosts by receiver name. */
  readonly hosts: { readonly [receiver: string]: string }
  /** Observed and unrecorded ends of attempts: process, delivery or host, and outcome. */
  readonly ends: ReadonlyArray<string>
}

export const attemptOutcomeMatchesObservation = monitoredProperty<ObservedEnds>({
  name: "attempt outcome matches observation",
  kind: "always",
  says: "The recorded outcome of an attempt is the one that its process observed at the receiver or in DNS, never a failure of the service.",
  judges: { kinds: ["given", "worker", "lookup", "unconnected", "reply"], commitsTo: [WebhookAttempts] },
  initial: { hosts: {}, ends: [] },
  next: (state, { observed, rows }) => {
    switch (observed.kind) {
      case "given":
        return withHost(state, observed)
      case "worker":
        // A crashed worker records no outcomes.
        return observed.did === "CRASHED"
          ? { ...state, ends: state.ends.filter((end) => !end.startsWith(`${observed.actor} `)) }
          : state
      case "lookup": {
        const end = endOfLookup(observed)
        return end === undefined ? state : withEnd(state, observed.actor, observed.host, end)
      }
      case "unconnected": {
        const end = observed.why === "REFUSED" ? "CONNECTION" : "TLS"
        return withEnd(state, observed.actor, state.hosts[observed.receiver] ?? "", end)
      }
      case "reply": {
        const place = `${observed.actor} ${observed.delivery} `
        const others = { ...state, ends: state.ends.filter((end) => !end.startsWith(place)) }
        return withEnd(others, observed.actor, observed.delivery, endOfReply(observed.answer))
      }
      case "commit": {
        let { ends } = state
        for (const { deliveryId, subscriptionId, outcome } of rowsWritten(observed, rows, WebhookAttempts)) {
          // A timeout has no observation.
          if (outcome === null || outcome === "TIMEOUT") continue
          const places = [deliveryId, hostOf(subscriptionId, rows)]
          const seen = places.map((place) => ends.indexOf(`${observed.actor} ${place} ${outcome}`))
          const found = seen.find((index) => index >= 0)
          if (found === undefined)
            return violation(`an attempt of ${deliveryId} ended with ${outcome}, which its process did not observe`)
          ends = ends.toSpliced(found, 1)
        }
        return { ...state, ends }
      }
      default:
        return state
    }
  }
})

const withHost = (
  state: ObservedEnds,
  { name, is, answer }: Extract<TimedObservation, { readonly kind: "given" }>
): ObservedEnds => {
  if (is !== "receiver" || typeof answer !== "object" || answer === null || !("host" in answer)) return state
  return { ...state, hosts: { ...state.hosts, [name]: String(answer["host"]) } }
}

const withEnd = (state: ObservedEnds, actor: string, place: string, end: string): ObservedEnds => ({
  ...state,
  ends: [...state.ends, `${actor} ${place} ${end}`].sort()
})

/** Undefined for a successful look-up, and for an unreachable resolver, which is no attempt. */
const endOfLookup = ({
  answers,
  refused
}: Extract<TimedObservation, { readonly kind: "lookup" }>): string | undefined => {
  if (answers === "UNREACHABLE") return undefined
  if (answers === "NXDOMAIN") return "DNS_FAILURE"
  return refused === undefined ? undefined : "DNS_REJECTED"
}

const endOfReply = (answer: number | "RESET" | "LOST"): string => {
  if (typeof answer !== "number") return "CONNECTION"
  if (answer < 300) return "ACKNOWLEDGED"
  return answer < 400 ? "REDIRECT" : "HTTP_STATUS"
}

const hostOf = (subscriptionId: string, rows: Rows): string =>
  new URL(rowIn(rows, WebhookSubscriptions, [subscriptionId])?.target ?? "https://none.example").hostname
