/** Records results of sends, each fenced by its lease token. */
import { Effect } from "effect"
import { inTransaction, readTogether } from "../ports/storage/run.ts"
import { exclusive, Storage, type Transaction } from "../ports/storage.ts"
import { addMilliseconds, never, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import type { LeasedSend } from "./claim.ts"
import { afterAttempt, claimableAt, hasAttemptLeft, type NumberedAttempt, type Outcome } from "./delivery.ts"
import { countLateResult } from "./metrics.ts"
import { ConfiguredWebhookTiming } from "../ports/webhook-timing.ts"
import { WebhookAttempts, WebhookDeliveries, WebhookSubscriptions, type DeliveryRow } from "./store.ts"
import { sendsInProgress, nextDueAt } from "./subscription.ts"
import { traced } from "../vocabulary/traced.ts"

/** An attempt, recorded before its end or not. */
export interface AttemptResult {
  readonly kind: "ATTEMPTED"
  /** Its start. */
  readonly at: Instant
  readonly durationMs: number
  readonly outcome: Exclude<Outcome, "AUTHORITY_ENDED">
  readonly statusCode: number | null
  /** The number of the attempt, if it was recorded. */
  readonly recorded: number | undefined
}

export type SendResult =
  | AttemptResult
  /** Nothing was sent, and no attempt is counted; due again after `by` milliseconds. */
  | { readonly kind: "DEFERRED"; readonly by: number }
  | { readonly kind: "AUTHORITY_ENDED"; readonly at: Instant }
  /** The worker stops; the delivery is due immediately for any worker. */
  | { readonly kind: "RELEASED" }

export interface Settlement {
  /** False if the lease was lost: nothing was changed. */
  readonly isSettled: boolean
  readonly isExhausted: boolean
}

/** A send with its result. */
export interface CompletedSend {
  readonly send: LeasedSend
  readonly result: SendResult
  /** The attempt, if it was recorded and nothing was sent: unless the target let it time out, it is removed and not counted. */
  readonly unsent?: NumberedAttempt | undefined
}

/** Settles several sends in one transaction, each fenced separately; the results are in the order of the sends. */
export const settleSends = traced("webhooks.settleSends")(function* (
  ended: ReadonlyArray<CompletedSend>
): Effect.fn.Return<ReadonlyArray<Settlement>, never, Storage> {
  const { backoff } = yield* ConfiguredWebhookTiming
  const bySubscription = [...Map.groupBy(ended, ({ send }) => send.subscriptionId)]
  const locks = bySubscription.map(([subscriptionId]) => exclusive("subscription", subscriptionId))
  const settled = yield* inTransaction({ locks }, function* (transaction) {
    const found = yield* readSettlementRows(transaction, bySubscription)
    const now = yield* transaction.now
    const results = new Map<CompletedSend, Settlement>()
    for (const one of found) yield* settleSubscription(transaction, one, { now, backoff, results })
    return ended.map((one) => results.get(one) ?? { isSettled: false, isExhausted: false })
  })
  yield* Effect.forEach(settled, ({ isSettled }) => (isSettled ? Effect.void : countLateResult), { discard: true })
  return settled
})

/** Reads each subscription with its sent deliveries and the next due ones. */
const readSettlementRows = (
  transaction: Transaction,
  bySubscription: ReadonlyArray<readonly [string, ReadonlyArray<CompletedSend>]>
) =>
  readTogether(
    bySubscription.map(([subscriptionId, ended]) =>
      readTogether({
        ended: Effect.succeed(ended),
        row: transaction.get(WebhookSubscriptions, [subscriptionId]),
        deliveries: readTogether(ended.map(({ send }) => transaction.get(WebhookDeliveries, [send.deliveryId]))),
        upcoming: transaction.range(WebhookDeliveries, "byDue", { prefix: [subscriptionId], limit: upcomingRead })
      })
    )
  )

/** Of the deliveries by due time, those in progress and one more. */
const upcomingRead = limits.webhookAttemptsPerSubscription + 1

interface Batch {
  readonly now: Instant
  readonly backoff: number
  readonly results: Map<CompletedSend, Settlement>
}

const settleSubscription = Effect.fnUntraced(function* (
  transaction: Transaction,
  { ended, row, deliveries, upcoming }: Effect.Success<ReturnType<typeof readSettlementRows>>[number],
  { now, backoff, results }: Batch
) {
  if (row === undefined) return
  let { failures, exhausted } = row
  const dues = new Map<string, Instant>()
  for (const [index, one] of ended.entries()) {
    const { send, result, unsent } = one
    const found = deliveries[index]
    if (found?.leaseToken !== send.token) continue
    const removed = result.kind === "ATTEMPTED" ? undefined : unsent
    const counts = removed === undefined ? {} : countsWithout(found, removed)
    const delivery = { ...found, ...counts }
    const changes = { ...counts, ...changesBy(result, delivery, now, backoff) }
    const isExhausted = changes.state === "EXHAUSTED"
    yield* transaction.update(WebhookDeliveries, [send.deliveryId], { ...changes, leasedUntil: now, leaseToken: "" })
    if (removed !== undefined) {
      yield* transaction.remove(WebhookAttempts, [send.deliveryId, removed.attempt, found.lastAttempt!.at])
    }
    if (result.kind === "ATTEMPTED") yield* recordOutcome(transaction, delivery, send.token, result)
    failures = failuresAfter(failures, result)
    if (isExhausted) exhausted += 1
    dues.set(send.deliveryId, changes.dueAt)
    results.set(one, { isSettled: true, isExhausted })
  }
  if (dues.size === 0) return
  const others = upcoming.filter(({ deliveryId }) => !dues.has(deliveryId))
  const flights = sendsInProgress(row, now).filter(({ deliveryId }) => !dues.has(deliveryId))
  const dueAt = nextDueAt({ ...row, failures }, flights, [...others.map(claimableAt), ...dues.values()], now)
  yield* transaction.update(WebhookSubscriptions, [row.subscriptionId], { failures, exhausted, flights, dueAt })
})

const changesBy = (
  ending: SendResult,
  delivery: DeliveryRow,
  now: Instant,
  backoff: number
): Partial<DeliveryRow> & Pick<DeliveryRow, "state" | "dueAt"> => {
  switch (ending.kind) {
    case "RELEASED":
      // An attempt in progress has been counted; its outcome stays unknown.
      return hasAttemptLeft(delivery) ? { state: "PENDING", dueAt: now } : { state: "EXHAUSTED", dueAt: never }
    case "DEFERRED":
      return { state: "PENDING", dueAt: addMilliseconds(now, ending.by) }
    case "AUTHORITY_ENDED": {
      const lastAttempt = { at: ending.at, outcome: ending.kind, ...noRequest }
      return { state: "CANCELLED", dueAt: never, lastAttempt }
    }
    case "ATTEMPTED": {
      const counts = countsAfter(delivery, ending)
      const { at, outcome, statusCode, durationMs } = ending
      const envelopeDigest = ending.recorded === undefined ? null : (delivery.lastAttempt?.envelopeDigest ?? null)
      return {
        ...counts,
        ...afterAttempt(counts, outcome, now, backoff),
        lastAttempt: { at, outcome, statusCode, durationMs, envelopeDigest }
      }
    }
  }
}

const noRequest = { statusCode: null, durationMs: null, envelopeDigest: null }

/** What the delivery was before its newest attempt, of which nothing was sent. */
const countsWithout = ({ scheduledAttempts, totalAttempts }: DeliveryRow, { previous }: NumberedAttempt) => ({
  scheduledAttempts: scheduledAttempts - 1,
  totalAttempts: totalAttempts - 1,
  lastAttempt: previous
})

/** An attempt that failed before it was recorded is counted now. */
const countsAfter = ({ scheduledAttempts, totalAttempts }: DeliveryRow, { recorded }: AttemptResult) =>
  recorded === undefined
    ? { scheduledAttempts: scheduledAttempts + 1, totalAttempts: totalAttempts + 1 }
    : { scheduledAttempts, totalAttempts }

const failuresAfter = (failures: number, ending: SendResult): number => {
  if (ending.kind !== "ATTEMPTED") return failures
  return ending.outcome === "ACKNOWLEDGED" && ending.durationMs <= limits.webhookSlow ? 0 : failures + 1
}

const recordOutcome = (
  transaction: Transaction,
  { deliveryId, subscriptionId, totalAttempts, lastAttempt }: DeliveryRow,
  token: string,
  { at, outcome, statusCode, durationMs, recorded }: AttemptResult
) =>
  recorded === undefined
    ? transaction.insert(WebhookAttempts, {
        deliveryId,
        attempt: totalAttempts + 1,
        subscriptionId,
        at,
        envelopeDigest: "",
        timestamp: null,
        leaseToken: token,
        outcome,
        statusCode,
        durationMs
      })
    : transaction.update(WebhookAttempts, [deliveryId, recorded, lastAttempt!.at], { outcome, statusCode, durationMs })
