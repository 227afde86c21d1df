/** Webhook signatures (6.3): HMAC-SHA-256 with the secret's text as key, over timestamp, dot and exact body. Pure. */
import { hmacSha256Hex, isEqualText } from "../canonical/hmac.ts"
import { toMilliseconds, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"

/** `timestamp` is the header's text: Unix seconds. */
export const signatureOf = (secret: string, timestamp: string, body: string): string =>
  `v1=${hmacSha256Hex(secret, `${timestamp}.${body}`)}`

/** What the headers of a request name beside its body; `timestamp` is in Unix seconds. */
export interface WebhookHeaders {
  readonly eventId: string
  readonly deliveryId: string
  readonly timestamp: string
}

/** All headers of a request with this exact body (6.3). */
export const signedHeaders = (secret: string, { eventId, deliveryId, timestamp }: WebhookHeaders, body: string) => ({
  "content-type": "application/json",
  "service-event-id": eventId,
  "service-delivery-id": deliveryId,
  "service-timestamp": timestamp,
  "service-signature": signatureOf(secret, timestamp, body)
})

export interface SignedWebhook {
  readonly rawBody: string
  /** The header values as received. */
  readonly timestamp: string
  readonly signature: string
}

export const isSignedBy = (secret: string, { rawBody, timestamp, signature }: SignedWebhook): boolean =>
  isEqualText(signatureOf(secret, timestamp, rawBody), signature)

/** True for whole Unix seconds within the tolerance, before or after `now`. */
export const isFresh = ({ timestamp }: SignedWebhook, now: Instant): boolean =>
  /^[1-9]\d{0,11}$/.test(timestamp) &&
  Math.abs(toMilliseconds(now) - Number(timestamp) * 1000) <= limits.webhookTimestampTolerance
