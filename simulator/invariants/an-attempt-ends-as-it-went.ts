/** What fails on our own side is no attempt of the receiver's, and an attempt is what became of it (spec 6.3, 6.4). */
import { WebhookAttempts, WebhookSubscriptions } from "../../src/webhooks/store.ts"
import type { Observed } from "../observation.ts"
import type { JsonObject } from "../script/json.ts"
import { broken, invariant, rowIn, type Rows } from "./invariant.ts"
import { rowsWritten } from "./support/commits.ts"

interface Went extends JsonObject {
  /** Hosts by the name of the receiver. */
  readonly hosts: { readonly [receiver: string]: string }
  /** What processes saw of their attempts and have not written down: process, delivery or host, and how it ended. */
  readonly ends: ReadonlyArray<string>
}

export const anAttemptEndsAsItWent = invariant<Went>({
  name: "an attempt ends as it went",
  kind: "always",
  says: "What an attempt came to is what its process met at the receiver or its name, and nothing that failed here.",
  begins: { hosts: {}, ends: [] },
  sees: (went, { observed, rows }) => {
    switch (observed.kind) {
      case "given":
        return given(went, observed)
      case "worker":
        // Whoever is gone writes nothing down any more.
        return observed.did === "CRASHED"
          ? { ...went, ends: went.ends.filter((end) => !end.startsWith(`${observed.actor} `)) }
          : went
      case "lookup": {
        const end = endOfLookup(observed)
        return end === undefined ? went : withEnd(went, observed.actor, observed.host, end)
      }
      case "unconnected": {
        const end = observed.why === "REFUSED" ? "CONNECTION" : "TLS"
        return withEnd(went, observed.actor, went.hosts[observed.receiver] ?? "", end)
      }
      case "reply": {
        const place = `${observed.actor} ${observed.delivery} `
        const others = { ...went, ends: went.ends.filter((end) => !end.startsWith(place)) }
        return withEnd(others, observed.actor, observed.delivery, endOfReply(observed.answer))
      }
      case "commit": {
        let { ends } = went
        for (const { deliveryId, subscriptionId, outcome } of rowsWritten(observed, rows, WebhookAttempts)) {
          // That nothing came is seen of nobody.
          if (outcome === null || outcome === "TIMEOUT") continue
          const places = [deliveryId, hostOf(subscriptionId, rows)]
          const seen = places.map((place) => ends.indexOf(`${observed.actor} ${place} ${outcome}`))
          const found = seen.find((index) => index >= 0)
          if (found === undefined) return broken(`an attempt of ${deliveryId} ended with ${outcome}, which nobody met`)
          ends = ends.toSpliced(found, 1)
        }
        return { ...went, ends }
      }
      default:
        return went
    }
  }
})

const given = (went: Went, { name, is, answer }: Extract<Observed, { readonly kind: "given" }>): Went => {
  if (is !== "receiver" || typeof answer !== "object" || answer === null || !("host" in answer)) return went
  return { ...went, hosts: { ...went.hosts, [name]: String(answer["host"]) } }
}

const withEnd = (went: Went, actor: string, place: string, end: string): Went => ({
  ...went,
  ends: [...went.ends, `${actor} ${place} ${end}`].sort()
})

/** Undefined where the name leads somewhere, or nobody could be asked, which is no attempt. */
const endOfLookup = ({ answers, refused }: Extract<Observed, { readonly kind: "lookup" }>): string | undefined => {
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
  new URL(rowIn(rows, WebhookSubscriptions, [subscriptionId])?.target ?? "https://nobody.example").hostname
