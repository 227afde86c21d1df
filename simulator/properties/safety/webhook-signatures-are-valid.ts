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
import { writesTo } from "../support/commits.ts"
import { sorted } from "../support/sorted.ts"

interface SignatureState extends JsonObject {
  /** The secrets that owners received, by subscription and version. */
  readonly secrets: { readonly [subscriptionAndVersion: string]: string }
  /** By receiver: the secret that it got last. */
  readonly receiverSecrets: { readonly [receiver: string]: string }
  /** The secret version when the attempt was recorded, while its delivery is leased. */
  readonly signedVersions: { readonly [delivery: string]: number }
}

export const webhookSignaturesAreValid = monitoredProperty<SignatureState>({
  name: "webhook signatures are valid",
  kind: "always",
  says: "Each webhook request is recorded, has a fresh timestamp, and is signed with the secret that its owner received.",
  judges: { kinds: ["response", "act", "callback", "received"], commitsTo: [WebhookDeliveries, WebhookAttempts] },
  initial: { secrets: {}, receiverSecrets: {}, signedVersions: {} },
  next: (state, moment) => {
    const { observed } = moment
    switch (observed.kind) {
      case "response":
        return withSecret(state, observed.body)
      case "act":
        return observed.operation === "takeSecret" ? withReceiverSecret(state, observed) : state
      case "commit":
        return withVersions(state, moment)
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

/** An attempt is signed when it is recorded, under the lock of its subscription. */
const withVersions = (state: SignatureState, { observed, rows }: Moment): SignatureState => {
  const signedVersions = { ...state.signedVersions }
  for (const { key } of writesTo(observed, WebhookDeliveries)) {
    if (rowIn(rows, WebhookDeliveries, key)?.leaseToken === "") delete signedVersions[String(key[0])]
  }
  for (const { key, change } of writesTo(observed, WebhookAttempts)) {
    const attempt = rowIn(rows, WebhookAttempts, key)
    if (change !== "insert" || attempt === undefined || attempt.timestamp === null) continue
    signedVersions[attempt.deliveryId] = rowIn(rows, WebhookSubscriptions, [attempt.subscriptionId])?.secretVersion ?? 0
  }
  return { ...state, signedVersions: sorted(signedVersions) }
}

const requestViolation = (
  { secrets, signedVersions }: SignatureState,
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
  const version = signedVersions[delivery.deliveryId]
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
