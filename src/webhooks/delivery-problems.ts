/** Delivery problems of one subscription, from its newest deliveries. */
import { inView, readTogether } from "../ports/storage/run.ts"
import { limits } from "../vocabulary/limits.ts"
import type { LastAttempt } from "./delivery.ts"
import { readDeliveryWithEvent } from "./history.ts"
import { WebhookDeliveries } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** The last failed or slow attempt, or null; and exhausted deliveries, newest first. */
export const readDeliveryProblems = traced("webhooks.readDeliveryProblems")(function* (subscriptionId: string) {
  return yield* inView(function* (reader) {
    const newest = yield* reader.range(WebhookDeliveries, "byNumber", {
      prefix: [subscriptionId],
      limit: limits.webhookDeliveriesOnPage,
      direction: "descending"
    })
    const exhaustedRows = newest.filter(({ state }) => state === "EXHAUSTED").slice(0, limits.exhaustedShown)
    const exhausted = yield* readTogether(exhaustedRows.map((row) => readDeliveryWithEvent(reader, row)))
    const attempts = newest.flatMap(({ lastAttempt }) =>
      lastAttempt !== null && isProblem(lastAttempt) ? lastAttempt : []
    )
    const last = attempts.reduce<LastAttempt | null>((one, other) => (one && one.at >= other.at ? one : other), null)
    return { last, exhausted }
  })
})

/** The same rule as for `failures`: an attempt cancelled because its authority ended is no failure. */
const isProblem = (attempt: LastAttempt): boolean =>
  attempt.outcome === "ACKNOWLEDGED"
    ? wasSlow(attempt)
    : attempt.outcome !== null && attempt.outcome !== "AUTHORITY_ENDED"

export const wasSlow = ({ durationMs }: Pick<LastAttempt, "durationMs">): boolean =>
  durationMs !== null && durationMs > limits.webhookSlow
