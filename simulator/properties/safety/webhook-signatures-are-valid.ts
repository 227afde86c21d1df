/**
 * Verifies every webhook request against the secret that its owner received, with an independent HMAC (spec 6.3); a
 * receiver that verifies its requests must reach the same result.
 */
import { createHmac, hash } from "node:crypto"
import canonicalize from "canonicalize"
import type { RowOf } from "../../../src/ports/table.ts"
import { WebhookAttempts, WebhookDeliveries, WebhookSubscriptions } from "../../../src/webhooks/store.ts"
import type { TimedObservation } from "../../observation/observation.ts"
import { isObject, type Json, type JsonObject, valueAt } from "../../vocabulary/json.ts"
import {
  type PropertyViolation,
  violation,
  monitoredProperty,
  type Moment,
  rowIn,
  rowsWithPrefix
} from "../property.ts"
import { sorted } from "../support/sorted.ts"

interface SignatureState extends JsonObject {
  /** The secrets that owners received, by subscription and version. */
  readonly secrets: { readonly [subscriptionAndVersion: string]: string }
  /** By receiver: the secret that it got last. */
  readonly receiverSecrets: { readonly [receiver: string]: string }
}

export const webhookSignaturesAreValid = monitoredProperty<SignatureState>({
  name: "webhook signatures are valid",
  kind: "always",
  says: "Each webhook request is recorded, has a fresh timestamp, and is signed with the current secret, which its owner received.",
  judges: { kinds: ["response", "act", "callback", "received"] },
  initial: { secrets: {}, receiverSecrets: {} },
  next: (state, moment) => {
    const { observed } = moment
    switch (observed.kind) {
      case "response":
        return withSecret(state, observed.body)
      case "act":
        return observed.operation === "takeSecret" ? withReceiverSecret(state, observed) : state
      case "callback":
        return requestViolation(state, observed, moment) ?? state
      case "received":
        return observed.made === "FORGED" ? (falseForgery(state, observed, moment) ?? state) : state
      default:
        return state
    }
  }
})

const withSecret = (state: SignatureState, body: Json | undefined): SignatureState => {
  if (!isObject(body) || typeof body["secret"] !== "string" || !isObject(body["subscription"])) return state
  const { id, secretVersion } = body["subscription"]
  return { ...state, secrets: sorted({ ...state.secrets, [`${id} ${secretVersion}`]: body["secret"] }) }
}

const withReceiverSecret = (
  state: SignatureState,
  { actor, input }: Extract<TimedObservation, { readonly kind: "act" }>
): SignatureState => {
  const secret = valueAt(input, "secret")
  return typeof secret === "string"
    ? { ...state, receiverSecrets: sorted({ ...state.receiverSecrets, [actor]: secret }) }
    : state
}

const requestViolation = (
  { secrets }: SignatureState,
  { at, headers, body }: Extract<TimedObservation, { readonly kind: "callback" }>,
  { rows }: Moment
): PropertyViolation | undefined => {
  const {
    "service-delivery-id": id,
    "service-timestamp": timestamp,
    "service-signature": signature,
    "service-event-id": eventId
  } = isObject(headers) ? headers : {}
  const bytes = canonicalize(body) ?? ""
  const delivery = rowIn(rows, WebhookDeliveries, [String(id)])
  const attempt = rowsWithPrefix(rows, WebhookAttempts, [String(id)]).findLast((one) =>
    isRecordOf(one, bytes, Number(timestamp))
  )
  if (delivery === undefined || attempt === undefined || attempt.outcome !== null)
    return violation(`${id} was sent and not recorded`)
  if (delivery.eventId !== eventId || valueAt(body, "id") !== eventId)
    return violation(`${id} was sent with another event`)
  if (Math.abs(Date.parse(at) / 1000 - Number(timestamp)) > clockOffsetMax)
    return violation(`${id} was sent with a stale timestamp`)
  // It is signed under the lock of its subscription, which it keeps until it is sent.
  const version = rowIn(rows, WebhookSubscriptions, [delivery.subscriptionId])?.secretVersion
  const secret = secrets[`${delivery.subscriptionId} ${version}`]
  // The response with the secret was lost or has not arrived.
  if (secret === undefined) return undefined
  const expected = createHmac("sha256", secret).update(`${timestamp}.${bytes}`, "utf8").digest("hex")
  return signature === `v1=${expected}`
    ? undefined
    : violation(`${id} was not signed with secret ${version} of its subscription`)
}

const isRecordOf = (
  { envelopeDigest, timestamp }: RowOf<typeof WebhookAttempts>,
  bytes: string,
  sentAt: number
): boolean => timestamp === sentAt && envelopeDigest === hash("sha256", bytes)

/** Seconds: a process stops working with a clock that is off by more than one. */
const clockOffsetMax = 2

/** While a subscription has had only one secret, a receiver with that secret must not reject its requests as forged. */
const falseForgery = (
  { secrets, receiverSecrets }: SignatureState,
  { receiver, delivery }: Extract<TimedObservation, { readonly kind: "received" }>,
  { rows }: Moment
): PropertyViolation | undefined => {
  const id = rowIn(rows, WebhookDeliveries, [delivery])?.subscriptionId
  const subscription = id === undefined ? undefined : rowIn(rows, WebhookSubscriptions, [id])
  const secret = receiverSecrets[receiver]
  return subscription?.secretVersion === 1 && secret !== undefined && secret === secrets[`${id} 1`]
    ? violation(`${receiver} rejected ${delivery} as forged although it has the secret`)
    : undefined
}
