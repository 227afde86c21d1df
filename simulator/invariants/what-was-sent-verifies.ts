/** Whoever asks whether a callback was sent is told so while it is fresh, as often as they ask (spec 6.3). */
import { hash } from "node:crypto"
import canonicalize from "canonicalize"
import { WebhookDeliveries, WebhookSubscriptions } from "../../src/webhooks/store.ts"
import type { Observed } from "../observation.ts"
import { isObject, type JsonObject, valueAt } from "../script/json.ts"
import { broken, invariant, type Moment, rowIn } from "./invariant.ts"
import { bodyOf } from "./support/asker.ts"
import { sorted } from "./support/sorted.ts"

interface Known extends JsonObject {
  /** What was sent, by its signature. */
  readonly sent: { readonly [signature: string]: Sent }
  /** A service that tells another time may take what is fresh for stale, and the reverse. */
  readonly isClockOff: boolean
}

interface Sent extends JsonObject {
  readonly subscription: string
  /** Under which secret of the subscription, at the latest. */
  readonly version: number
  /** Of the timestamp and the exact bytes. */
  readonly digest: string
}

export const whatWasSentVerifies = invariant<Known>({
  name: "what was sent verifies",
  kind: "always",
  says: "What was sent, and nothing else, is verified while it is fresh and its secret stands, however often it is asked.",
  begins: { sent: {}, isClockOff: false },
  sees: (known, moment) => {
    const { observed } = moment
    switch (observed.kind) {
      case "callback":
        return withSent(known, observed, moment)
      case "act":
        return observed.operation === "setClock" && valueAt(observed.input, "process") === "service"
          ? { ...known, isClockOff: !/^[+-]?0/.test(String(valueAt(observed.input, "offset"))) }
          : known
      case "response":
        return wrongInAnswer(known, observed, moment) ?? known
      default:
        return known
    }
  }
})

const withSent = (
  known: Known,
  { headers, body }: Extract<Observed, { readonly kind: "callback" }>,
  { rows }: Moment
): Known => {
  const {
    "service-delivery-id": delivery,
    "service-timestamp": timestamp,
    "service-signature": signature
  } = isObject(headers) ? headers : {}
  const subscription = rowIn(rows, WebhookDeliveries, [String(delivery)])?.subscriptionId ?? ""
  const version = rowIn(rows, WebhookSubscriptions, [subscription])?.secretVersion ?? 0
  const digest = digestOf(String(timestamp), canonicalize(body) ?? "")
  return { ...known, sent: sorted({ ...known.sent, [String(signature)]: { subscription, version, digest } }) }
}

const digestOf = (timestamp: string, bytes: string): string => hash("sha256", `${timestamp}.${bytes}`)

const wrongInAnswer = (
  { sent, isClockOff }: Known,
  { at, status, body }: Extract<Observed, { readonly kind: "response" }>,
  { request, rows }: Moment
) => {
  const [, id] = /webhooks\/([^/]+)\/verify$/.exec(request?.path ?? "") ?? []
  if (request === undefined || id === undefined) return undefined
  const { rawBody, timestamp, signature } = Object(bodyOf(request))
  const found = sent[String(signature)]
  const isSent = found?.subscription === id && found.digest === digestOf(String(timestamp), String(rawBody))
  if (status === 200) return isSent ? undefined : broken(`${id} verified what was never sent for it`)
  const age = Math.abs(Date.parse(at) / 1000 - Number(timestamp))
  const stands = rowIn(rows, WebhookSubscriptions, [id])?.secretVersion === found?.version
  if (!isSent || !stands || isClockOff || age > freshSurely) return undefined
  const error = String(valueAt(body ?? null, "error"))
  return denials.has(error) ? broken(`${id} was asked about what it was sent, and said ${error}`) : undefined
}

/** Seconds: five minutes, and a second by which clocks may differ. */
const freshSurely = 299

const denials: ReadonlySet<string> = new Set([
  "WEBHOOK_TIMESTAMP_STALE",
  "WEBHOOK_SIGNATURE_INVALID",
  "WEBHOOK_EVENT_UNKNOWN"
])
