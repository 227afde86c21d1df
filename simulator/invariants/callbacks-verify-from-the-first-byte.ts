/**
 * Holds every callback against the secret that its owner was shown, with an HMAC of its own (spec 6.3); a receiver that
 * looks at what it gets comes to the same.
 */
import { createHmac, hash } from "node:crypto"
import canonicalize from "canonicalize"
import type { RowOf } from "../../src/ports/table.ts"
import { WebhookAttempts, WebhookDeliveries, WebhookSubscriptions } from "../../src/webhooks/store.ts"
import type { Observed } from "../observation.ts"
import { isObject, type Json, type JsonObject, valueAt } from "../script/json.ts"
import { type Broken, broken, invariant, type Moment, rowIn, rowsUnder } from "./invariant.ts"
import { writesTo } from "./support/commits.ts"
import { sorted } from "./support/sorted.ts"

interface Known extends JsonObject {
  /** What was shown to owners, by subscription and version. */
  readonly secrets: { readonly [subscriptionAndVersion: string]: string }
  /** What each receiver was handed last. */
  readonly taken: { readonly [receiver: string]: string }
  /** The version at the moment at which an attempt was written down, while its delivery is held. */
  readonly signedAs: { readonly [delivery: string]: number }
}

export const callbacksVerifyFromTheFirstByte = invariant<Known>({
  name: "callbacks verify from the first byte",
  kind: "always",
  says: "What is sent was written down, is fresh, and is signed with the secret that its owner was shown.",
  begins: { secrets: {}, taken: {}, signedAs: {} },
  sees: (known, moment) => {
    const { observed } = moment
    switch (observed.kind) {
      case "response":
        return withSecret(known, observed.body)
      case "act":
        return observed.operation === "takeSecret" ? withTaken(known, observed) : known
      case "commit":
        return withVersions(known, moment)
      case "callback":
        return wrongInCallback(known, observed, moment) ?? known
      case "received":
        return observed.made === "FORGED" ? (wronglyForged(known, observed, moment) ?? known) : known
      default:
        return known
    }
  }
})

const withSecret = (known: Known, body: Json | undefined): Known => {
  if (!isObject(body) || typeof body["secret"] !== "string" || !isObject(body["subscription"])) return known
  const { id, secretVersion } = body["subscription"]
  return { ...known, secrets: sorted({ ...known.secrets, [`${id} ${secretVersion}`]: body["secret"] }) }
}

const withTaken = (known: Known, { actor, input }: Extract<Observed, { readonly kind: "act" }>): Known => {
  const secret = valueAt(input, "secret")
  return typeof secret === "string" ? { ...known, taken: sorted({ ...known.taken, [actor]: secret }) } : known
}

/** An attempt is signed where it is written down, under the lock of its subscription. */
const withVersions = (known: Known, { observed, rows }: Moment): Known => {
  const signedAs = { ...known.signedAs }
  for (const { key } of writesTo(observed, WebhookDeliveries)) {
    if (rowIn(rows, WebhookDeliveries, key)?.leaseToken === "") delete signedAs[String(key[0])]
  }
  for (const { key, change } of writesTo(observed, WebhookAttempts)) {
    const attempt = rowIn(rows, WebhookAttempts, key)
    if (change !== "insert" || attempt === undefined || attempt.timestamp === null) continue
    signedAs[attempt.deliveryId] = rowIn(rows, WebhookSubscriptions, [attempt.subscriptionId])?.secretVersion ?? 0
  }
  return { ...known, signedAs: sorted(signedAs) }
}

const wrongInCallback = (
  { secrets, signedAs }: Known,
  { at, headers, body }: Extract<Observed, { readonly kind: "callback" }>,
  { rows }: Moment
): Broken | undefined => {
  const {
    "service-delivery-id": id,
    "service-timestamp": timestamp,
    "service-signature": signature,
    "service-event-id": eventId
  } = isObject(headers) ? headers : {}
  const bytes = canonicalize(body) ?? ""
  const delivery = rowIn(rows, WebhookDeliveries, [String(id)])
  const attempt = rowsUnder(rows, WebhookAttempts, [String(id)]).findLast((one) => isOf(one, bytes, Number(timestamp)))
  if (delivery === undefined || attempt === undefined || attempt.outcome !== null)
    return broken(`${id} was sent and not written down`)
  if (delivery.eventId !== eventId || valueAt(body, "id") !== eventId)
    return broken(`${id} was sent with another event`)
  if (Math.abs(Date.parse(at) / 1000 - Number(timestamp)) > clockOffMost)
    return broken(`${id} was sent with a stale timestamp`)
  const version = signedAs[delivery.deliveryId]
  const secret = secrets[`${delivery.subscriptionId} ${version}`]
  // The answer that would have shown it was lost, or has not come yet.
  if (secret === undefined) return undefined
  const expected = createHmac("sha256", secret).update(`${timestamp}.${bytes}`, "utf8").digest("hex")
  return signature === `v1=${expected}`
    ? undefined
    : broken(`${id} was not signed with secret ${version} of its subscription`)
}

const isOf = ({ envelopeDigest, timestamp }: RowOf<typeof WebhookAttempts>, bytes: string, sentAt: number): boolean =>
  timestamp === sentAt && envelopeDigest === hash("sha256", bytes)

/** Seconds: a process whose clock is off by more than one works no more. */
const clockOffMost = 2

/** While a subscription has had one secret alone, nobody who holds that one can take its callbacks for forged. */
const wronglyForged = (
  { secrets, taken }: Known,
  { receiver, delivery }: Extract<Observed, { readonly kind: "received" }>,
  { rows }: Moment
): Broken | undefined => {
  const id = rowIn(rows, WebhookDeliveries, [delivery])?.subscriptionId
  const subscription = id === undefined ? undefined : rowIn(rows, WebhookSubscriptions, [id])
  const secret = taken[receiver]
  return subscription?.secretVersion === 1 && secret !== undefined && secret === secrets[`${id} 1`]
    ? broken(`${receiver} took ${delivery} for forged, and holds its secret`)
    : undefined
}
