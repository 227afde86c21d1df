/**
 * Notifications of the payment provider. One is only a hint: it makes a readback due, and its content is never captured. It
 * outdates every readback that began before it, whose answer may be older.
 */
import { Effect, Schema } from "effect"
import { Payments, type PaymentNotification, type PaymentProvider } from "../ports/payments.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Reader } from "../ports/storage.ts"
import { earlier, now as currentTime } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { providerId } from "../vocabulary/payments.ts"
import { commerceOrderId as CommerceOrderId } from "../vocabulary/record-schemas.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import { countNotification } from "./metrics.ts"
import { isHeldBy } from "./attempt-update.ts"
import { CommerceEntities, CommerceOrders, type CommerceOrderRow } from "./store.ts"

/** The body as sent, and the headers by their names in lower case. */
export interface NotificationRequest {
  readonly rawBody: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

/** Answers an authentic notification in the same way whatever it is about. */
export const receiveNotification = traced("commerce.receiveNotification")(function* (request: NotificationRequest) {
  const payments = yield* Payments
  if (payments.kind === "NONE") return yield* refuse("PAYMENTS_NOT_CONFIGURED", { detail: noProvider })
  const notification = yield* authenticNotification(payments, request)
  const hint = usableHint(notification)
  const rows = yield* inView((reader) => readAttempts(reader, hint))
  const own = rows.filter((row) => isHeldBy(payments, row))
  for (const row of own) yield* makeDue(row, hint)
  yield* countNotification({ outcome: own.length > 0 ? "DUE" : "UNKNOWN" })
})

const noProvider = "The installation has no payment provider, and takes no notifications; ask its operator."

const authenticNotification = Effect.fnUntraced(function* (
  payments: PaymentProvider,
  { rawBody, headers }: NotificationRequest
) {
  const characters = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  const notification =
    characters > limits.paymentNotificationHeaders
      ? undefined
      : yield* payments
          .authenticate(rawBody, headers, yield* currentTime)
          .pipe(Effect.catchTag("NotificationInvalid", () => Effect.undefined))
  if (notification !== undefined) return notification
  yield* countNotification({ outcome: "INVALID" })
  return yield* refuse("NOTIFICATION_INVALID")
})

/** The members that can name something here: the provider may send any text. */
const usableHint = ({ commerceOrderId, checkoutId, entity }: PaymentNotification): PaymentNotification => ({
  ...(isAttemptId(commerceOrderId) ? { commerceOrderId } : {}),
  ...(isProviderId(checkoutId) ? { checkoutId } : {}),
  ...(isProviderId(entity) ? { entity } : {})
})

const isAttemptId = Schema.is(CommerceOrderId)
const isProviderId = Schema.is(providerId)

/** The attempt that the notification names, or else those of which the entity was read before. */
const readAttempts = Effect.fnUntraced(function* (reader: Reader, { commerceOrderId, entity }: PaymentNotification) {
  const known =
    entity === undefined
      ? []
      : yield* reader.range(CommerceEntities, "byEntity", {
          prefix: [entity],
          limit: limits.paymentNotificationAttempts
        })
  const named = commerceOrderId === undefined ? known.map((one) => one.commerceOrderId) : [commerceOrderId]
  const rows = yield* readTogether([...new Set(named)].map((id) => reader.get(CommerceOrders, [id])))
  return rows.flatMap((row) => row ?? [])
})

const makeDue = Effect.fnUntraced(function* (
  { commerceOrderId, projectId }: CommerceOrderRow,
  { checkoutId }: PaymentNotification
) {
  yield* inTransaction({ locks: [exclusive("project", projectId)] }, function* (transaction) {
    const row = (yield* transaction.get(CommerceOrders, [commerceOrderId]))!
    const now = yield* transaction.now
    const hintedCheckoutId = row.checkoutId === null ? (checkoutId ?? row.hintedCheckoutId) : null
    // Nothing to read: the opening ended without a checkout.
    if (row.state === "RELEASED" && row.checkoutId === null && hintedCheckoutId === null) return
    yield* transaction.update(CommerceOrders, [commerceOrderId], {
      hintedCheckoutId,
      captureRevision: row.captureRevision + 1,
      dueAt: earlier(row.dueAt, now),
      leasedUntil: earlier(row.leasedUntil, now),
      leaseToken: ""
    })
  })
})
