/** The verification endpoint confirms a sent webhook request while it is fresh, on every call (spec 6.3). */
import { hash } from "node:crypto"
import canonicalize from "canonicalize"
import { WebhookDeliveries, WebhookSubscriptions } from "../../../src/webhooks/store.ts"
import type { TimedObservation } from "../../observation/observation.ts"
import { isObject, type JsonObject, valueAt } from "../../vocabulary/json.ts"
import { violation, monitoredProperty, type Moment, rowIn } from "../property.ts"
import { bodyOf } from "../support/caller.ts"
import { sorted } from "../support/sorted.ts"

interface VerificationState extends JsonObject {
  /** Sent requests by signature. */
  readonly sent: { readonly [signature: string]: SentRequest }
  /** A service with a wrong clock may misjudge freshness. */
  readonly isClockOff: boolean
}

interface SentRequest extends JsonObject {
  readonly subscription: string
  /** The newest secret version that may have signed it. */
  readonly version: number
  /** Digest of the timestamp and the exact bytes. */
  readonly digest: string
}

export const sentWebhooksVerify = monitoredProperty<VerificationState>({
  name: "sent webhooks verify",
  kind: "always",
  says: "The service verifies exactly the webhook requests that it sent, on every call while they are fresh and their secret is current.",
  judges: { kinds: ["callback", "act", "response"] },
  initial: { sent: {}, isClockOff: false },
  next: (state, moment) => {
    const { observed } = moment
    switch (observed.kind) {
      case "callback":
        return withSent(state, observed, moment)
      case "act":
        return observed.operation === "setClock" && valueAt(observed.input, "process") === "service"
          ? { ...state, isClockOff: !/^[+-]?0/.test(String(valueAt(observed.input, "offset"))) }
          : state
      case "response":
        return responseViolation(state, observed, moment) ?? state
      default:
        return state
    }
  }
})

const withSent = (
  state: VerificationState,
  { headers, body }: Extract<TimedObservation, { readonly kind: "callback" }>,
  { rows }: Moment
): VerificationState => {
  const {
    "service-delivery-id": delivery,
    "service-timestamp": timestamp,
    "service-signature": signature
  } = isObject(headers) ? headers : {}
  const subscription = rowIn(rows, WebhookDeliveries, [String(delivery)])?.subscriptionId ?? ""
  const version = rowIn(rows, WebhookSubscriptions, [subscription])?.secretVersion ?? 0
  const digest = digestOf(String(timestamp), canonicalize(body) ?? "")
  return { ...state, sent: sorted({ ...state.sent, [String(signature)]: { subscription, version, digest } }) }
}

const digestOf = (timestamp: string, bytes: string): string => hash("sha256", `${timestamp}.${bytes}`)

const responseViolation = (
  { sent, isClockOff }: VerificationState,
  { at, status, body }: Extract<TimedObservation, { readonly kind: "response" }>,
  { request, rows }: Moment
) => {
  const [, id] = /webhooks\/([^/]+)\/verify$/.exec(request?.path ?? "") ?? []
  if (request === undefined || id === undefined) return undefined
  const { rawBody, timestamp, signature } = Object(bodyOf(request))
  const found = sent[String(signature)]
  const isSent = found?.subscription === id && found.digest === digestOf(String(timestamp), String(rawBody))
  if (status === 200) return isSent ? undefined : violation(`${id} verified a request that was never sent for it`)
  const age = Math.abs(Date.parse(at) / 1000 - Number(timestamp))
  const isCurrent = rowIn(rows, WebhookSubscriptions, [id])?.secretVersion === found?.version
  if (!isSent || !isCurrent || isClockOff || age > freshMost) return undefined
  const error = String(valueAt(body ?? null, "error"))
  return denials.has(error) ? violation(`${id} refused to verify a sent request with ${error}`) : undefined
}

/** Seconds: five minutes less one second of clock offset. */
const freshMost = 299

const denials: ReadonlySet<string> = new Set([
  "WEBHOOK_TIMESTAMP_STALE",
  "WEBHOOK_SIGNATURE_INVALID",
  "WEBHOOK_EVENT_UNKNOWN"
])
