/** Reads payment attempts back as they become due, about every 15 seconds, and repeats lost openings. */
import { Cause, Effect, Layer, Schedule } from "effect"
import { SecureRandom } from "effect/crypto"
import { parseCanonical } from "../canonical/jcs.ts"
import { Payments } from "../ports/payments.ts"
import { inTransaction } from "../ports/storage/run.ts"
import { exclusive, isHealthy, Storage } from "../ports/storage.ts"
import { addMilliseconds, now as currentTime, toMilliseconds } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { traced } from "../vocabulary/traced.ts"
import { captureAttempt } from "./capture-attempt.ts"
import { isOpeningDue } from "./due.ts"
import { countDeferred, recordDueAge } from "./metrics.ts"
import { openCheckout } from "./opening.ts"
import { isHeldBy } from "./attempt-update.ts"
import { CommerceOrders, type CommerceOrderRow } from "./store.ts"

/** One pass; skipped without a provider, and while the store or its clock is unhealthy. */
export const paymentPass = Effect.gen(function* () {
  const payments = yield* Payments
  if (payments.kind === "NONE") return
  const storage = yield* Storage
  if (isHealthy(yield* storage.health)) yield* readBackDue()
}).pipe(Effect.catchCause((cause) => Effect.logError("payment pass failed", cause)))

export const paymentWorker = Layer.effectDiscard(
  paymentPass.pipe(Effect.repeat(Schedule.spaced(limits.paymentInterval)), Effect.forkScoped)
)

/** Processes the due attempts, each leased to one worker. After a full batch it claims again. */
const readBackDue = traced("commerce.readBackDue")(function* () {
  const storage = yield* Storage
  const random = yield* SecureRandom.SecureRandom
  const dueBy = yield* currentTime
  const token = yield* random.uuidV4()
  const batch = Effect.gen(function* () {
    const now = yield* currentTime
    const leaseUntil = addMilliseconds(now, limits.paymentLease)
    const due = yield* storage.claim(CommerceOrders, { dueBy, leaseUntil, token, limit: limits.paymentBatch })
    const [oldest] = due.map(({ dueAt }) => dueAt).toSorted()
    yield* recordDueAge(oldest === undefined ? 0 : Math.max(0, toMilliseconds(now) - toMilliseconds(oldest)))
    yield* Effect.forEach(due, readBackOrLog, { concurrency: limits.paymentConcurrency, discard: true })
    return due.length
  })
  // A claimed attempt is updated, put off or leased past `dueBy`: no further batch claims it.
  yield* Effect.repeat(batch, { while: (claimed) => claimed === limits.paymentBatch })
})

/** A failure is logged; the attempt is due again when its lease expires, and the others are unaffected. */
const readBackOrLog = (row: CommerceOrderRow) =>
  Effect.catchCause(readBack(row), (cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.interrupt
      : Effect.logWarning(
          "a payment attempt was not read back, retried after its lease",
          { commerceOrderId: row.commerceOrderId },
          cause
        )
  )

const readBack = Effect.fnUntraced(function* (row: CommerceOrderRow) {
  if (!isHeldBy(yield* Payments, row)) return yield* deferAttempt(row)
  if (isOpeningDue(row, yield* currentTime)) return yield* openCheckout(row)
  yield* captureAttempt(row.commerceOrderId)
})

/** Puts off an attempt that this installation's provider does not hold, and tells the operator. */
const deferAttempt = Effect.fnUntraced(function* (deferred: CommerceOrderRow) {
  const { commerceOrderId, projectId, leaseToken } = deferred
  yield* inTransaction({ locks: [exclusive("project", projectId)] }, function* (transaction) {
    const row = yield* transaction.get(CommerceOrders, [commerceOrderId])
    const now = yield* transaction.now
    if (row?.leaseToken !== leaseToken) return
    yield* transaction.update(CommerceOrders, [commerceOrderId], {
      dueAt: addMilliseconds(now, limits.paymentDeferral),
      leasedUntil: now,
      leaseToken: ""
    })
  })
  yield* countDeferred
  const { provider, environment } = parseCanonical(deferred.binding)
  yield* Effect.logWarning("a payment attempt of another provider or environment was put off", {
    commerceOrderId,
    provider,
    environment
  })
})
