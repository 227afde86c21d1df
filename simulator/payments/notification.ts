/** The simulated provider's notifications: signed bytes that name an attempt and its checkout, and nothing else. */
import { Result, Schema } from "effect"
import { hmacSha256Hex, isEqualText } from "../../src/canonical/hmac.ts"
import { isTimely } from "../../src/ports/payment-notification.ts"
import type { PaymentNotification } from "../../src/ports/payments.ts"
import { isInstant, toMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"
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
  headers: { [timestampHeader]: at, [signatureHeader]: signatureOf(at, body) }
})

/** How a client without the secret signs. */
export const forgeries = ["UNSIGNED", "PARTLY_SIGNED", "OTHER_SECRET", "OTHER_BODY"] as const
export type Forgery = (typeof forgeries)[number]

/** The notification as a client without the secret would send it. */
export const forgedNotification = ({ rawBody, headers }: NotificationRequest, how: Forgery): NotificationRequest => {
  const body = new TextDecoder().decode(rawBody)
  const at = headers[timestampHeader] ?? ""
  const signature = headers[signatureHeader] ?? ""
  const forged: { readonly [F in Forgery]: string } = {
    UNSIGNED: "",
    PARTLY_SIGNED: signature.slice(0, 8),
    OTHER_SECRET: hmacSha256Hex("another secret", `${at}.${body}`),
    OTHER_BODY: signatureOf(at as Instant, `${body} `)
  }
  return { rawBody, headers: { ...headers, [signatureHeader]: forged[how] } }
}

export const notificationPath = "/api/payments/notifications"
export const timestampHeader = "simulated-timestamp"
export const signatureHeader = "simulated-signature"

/** What an authentic notification is about. */
export const authenticate = (
  { rawBody, headers }: NotificationRequest,
  receivedAt: Instant
): Result.Result<PaymentNotification, SimulatedRefusal> => {
  const body = new TextDecoder().decode(rawBody)
  const at = headers[timestampHeader] ?? ""
  if (!isEqualText(headers[signatureHeader] ?? "", signatureOf(at, body))) {
    return Result.fail({ reason: "the signature does not match" })
  }
  if (!isInstant(at) || !isTimely(toMilliseconds(at), toMilliseconds(receivedAt))) {
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

const signatureOf = (at: string, body: string): string => hmacSha256Hex(notificationSecret, `${at}.${body}`)

/** Shared by the provider and the service; properties verify with it on their own. */
export const notificationSecret = "the secret of simulated notifications"
