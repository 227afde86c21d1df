/**
 * Stripe's notifications: authentic by the signature of one configured secret, and no more than a hint of what to read back.
 * Pure. The raw bytes are verified, before anything in them is read.
 */
import { Option, Result, Schema } from "effect"
import { isTimely } from "../../ports/payment-notification.ts"
import type { PaymentNotification } from "../../ports/payments.ts"
import { toMilliseconds, type Instant } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { providerId, type PaymentEnvironment } from "../../vocabulary/payments.ts"

export interface NotificationKeys {
  /** Each may have signed: two are in force while one is rotated out. */
  readonly webhookSecrets: ReadonlyArray<string>
  readonly environment: PaymentEnvironment
}

/** The check of Stripe's package, at a time in milliseconds; it throws where the signature is none of this secret. */
export type VerifyHeader = (
  body: string,
  header: string,
  secret: string,
  toleranceSeconds: number,
  receivedAt: number
) => boolean

interface Notification {
  readonly rawBody: Uint8Array
  readonly headers: Readonly<Record<string, string>>
  readonly receivedAt: Instant
}

/** The subject of an authentic notification, or the reason why it is not authentic. */
export const readNotification = (
  { rawBody, headers, receivedAt }: Notification,
  { webhookSecrets, environment }: NotificationKeys,
  verifyHeader: VerifyHeader
): Result.Result<PaymentNotification, string> =>
  Result.gen(function* () {
    if (webhookSecrets.length === 0) return yield* Result.fail("STRIPE_WEBHOOK_SECRETS is not set")
    const header = headers["stripe-signature"] ?? ""
    const timestamp = yield* timestampIn(header)
    const body = yield* textOf(rawBody)
    const isSigned = webhookSecrets.some((secret) => isSignedBy(secret, { header, body, receivedAt }, verifyHeader))
    if (!isSigned) return yield* Result.fail("no configured secret signed it, or it is too old")
    // The package refuses old timestamps, and accepts any future one.
    const receivedSecond = Math.floor(toMilliseconds(receivedAt) / 1_000)
    if (!isTimely(timestamp * 1_000, receivedSecond * 1_000))
      return yield* Result.fail("its timestamp is too far ahead")
    const event = decodeEvent(body)
    if (Option.isNone(event)) return yield* Result.fail("it is no event of Stripe")
    return event.value.livemode === (environment === "LIVE") ? subjectOf(event.value) : {}
  })

const tolerance = limits.paymentNotificationTolerance / 1_000

/**
 * The one timestamp of a header of the documented form, `t=1492774577,v1=5257a8…`, with signatures of other schemes. Any
 * other form is refused here: the package would take the last of several timestamps, and throw on some signatures.
 */
const timestampIn = (header: string): Result.Result<number, string> => {
  const parts = header.length > limits.stripeSignatureHeader ? [] : header.split(",")
  const timestamp = parts.find((part) => part.startsWith("t="))
  const signatures = parts.filter((part) => /^v\d+=[0-9a-f]{64}$/.test(part))
  const isComplete = signatures.length + 1 === parts.length && signatures.length <= limits.stripeSignatures
  return timestamp !== undefined && /^t=\d{1,11}$/.test(timestamp) && isComplete
    ? Result.succeed(Number(timestamp.slice(2)))
    : Result.fail("its signature header is not of the documented form")
}

/** A byte order mark stays, and malformed UTF-8 is refused: other bytes are never the same text. */
const textOf = (rawBody: Uint8Array): Result.Result<string, string> =>
  Result.try({
    try: () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(rawBody),
    catch: () => "its body is not UTF-8"
  })

interface SignedText {
  readonly header: string
  readonly body: string
  readonly receivedAt: Instant
}

const isSignedBy = (secret: string, { header, body, receivedAt }: SignedText, verifyHeader: VerifyHeader): boolean => {
  try {
    return verifyHeader(body, header, secret, tolerance, toMilliseconds(receivedAt))
  } catch {
    return false
  }
}

const reference = Schema.NullOr(Schema.Union([providerId, Schema.Struct({ id: providerId })]))
const Event = Schema.Struct({
  object: Schema.Literal("event"),
  livemode: Schema.Boolean,
  account: Schema.optionalKey(Schema.NullOr(Schema.String)),
  data: Schema.Struct({
    object: Schema.Struct({
      object: Schema.String,
      id: Schema.optionalKey(Schema.Unknown),
      client_reference_id: Schema.optionalKey(Schema.Unknown),
      payment_intent: Schema.optionalKey(Schema.Unknown),
      metadata: Schema.optionalKey(Schema.Unknown)
    })
  })
})
const decodeEvent = Schema.decodeUnknownOption(Schema.fromJsonString(Event))
type Subject = (typeof Event.Type)["data"]["object"]

/**
 * The attempt and the entity of an event. Of the events of connected accounts only those of payouts are used.
 * Refunds, disputes and payouts belong to entities that were read before, by which their attempt is found.
 */
const subjectOf = ({ account, data: { object } }: typeof Event.Type): PaymentNotification => {
  const isConnected = account !== undefined && account !== null
  if (isConnected) return object.object === "payout" ? entityNamed(object.id) : {}
  switch (object.object) {
    case "checkout.session": {
      const { entity } = entityNamed(object.id)
      const checkout = entity === undefined ? {} : { checkoutId: entity, entity }
      return { ...attemptNamed(object.client_reference_id), ...checkout }
    }
    case "payment_intent":
      return { ...attemptNamed(referenceIn(object)), ...entityNamed(object.id) }
    case "charge":
      return { ...attemptNamed(referenceIn(object)), ...entityNamed(object.payment_intent) }
    case "refund":
    case "dispute":
      return entityNamed(object.payment_intent)
    case "transfer":
      return entityNamed(object.id)
    default:
      return {}
  }
}

/** The attempt in the metadata of a payment, which Stripe copies to its charges. */
const referenceIn = ({ metadata }: Subject): unknown => (isObject(metadata) ? metadata["commerceOrderId"] : undefined)

const attemptNamed = (name: unknown): PaymentNotification => (isName(name) ? { commerceOrderId: name } : {})

const entityNamed = (named: unknown): PaymentNotification => {
  const entity = Option.getOrNull(decodeReference(named))
  return entity === null ? {} : { entity: typeof entity === "string" ? entity : entity.id }
}

const decodeReference = Schema.decodeUnknownOption(reference)
const isName = Schema.is(providerId)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null
