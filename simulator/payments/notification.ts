/** The simulated provider's notifications: signed bytes that name an attempt and its checkout, and nothing else. */
import { Result, Schema } from "effect"
import { hmacSha256Hex, isEqualText } from "../../src/canonical/hmac.ts"
import type { PaymentNotification } from "../../src/ports/payments.ts"
import { isInstant, toMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import type { Purchase, SimulatedRefusal } from "./provider.ts"

/** The bytes of a notification and the headers of its request. */
export interface NotificationRequest {
  readonly rawBody: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

export const notificationAbout = ({ request, checkout }: Purchase, at: Instant): NotificationRequest => {
  const { entity } = checkout
  return signedNotification(
    JSON.stringify({ commerceOrderId: request.commerceOrderId, checkoutId: entity, entity }),
    at
  )
}

/** A notification of this body, whatever it is. */
export const signedNotification = (body: string, at: Instant): NotificationRequest => ({
  rawBody: new TextEncoder().encode(body),
  headers: { "simulated-timestamp": at, "simulated-signature": signatureOf(at, body) }
})

/** What an authentic notification is about. */
export const authenticate = (
  { rawBody, headers }: NotificationRequest,
  receivedAt: Instant
): Result.Result<PaymentNotification, SimulatedRefusal> => {
  const body = new TextDecoder().decode(rawBody)
  const at = headers["simulated-timestamp"] ?? ""
  if (!isEqualText(headers["simulated-signature"] ?? "", signatureOf(at, body))) {
    return Result.fail({ reason: "the signature does not match" })
  }
  if (
    !isInstant(at) ||
    Math.abs(toMilliseconds(at) - toMilliseconds(receivedAt)) > limits.paymentNotificationTolerance
  ) {
    return Result.fail({ reason: "the timestamp is too far from the time of receipt" })
  }
  return Result.mapError(decodeBody(body), () => ({ reason: "the body is no notification" }))
}

const Body = Schema.Struct({
  commerceOrderId: Schema.optionalKey(Schema.String),
  checkoutId: Schema.optionalKey(Schema.String),
  entity: Schema.optionalKey(Schema.String)
})
const decodeBody: (body: string) => Result.Result<PaymentNotification, unknown> = Schema.decodeUnknownResult(
  Schema.fromJsonString(Body)
)

const signatureOf = (at: string, body: string): string => hmacSha256Hex(secret, `${at}.${body}`)

const secret = "the secret of simulated notifications"
