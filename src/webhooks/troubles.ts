/** What goes wrong with one subscription, as far as its newest deliveries show. */
import { Effect } from "effect"
import { Storage } from "../ports/storage.ts"
import { limits } from "../vocabulary/limits.ts"
import type { LastAttempt } from "./delivery.ts"
import { withEvent } from "./history.ts"
import { WebhookDeliveries } from "./store.ts"

/** The attempt that failed or was slow last, null where there is none; and what failed for good, the newest first. */
export const troublesOf = Effect.fn("webhooks.troublesOf")(function* (subscriptionId: string) {
  const storage = yield* Storage
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const newest = yield* reader.range(WebhookDeliveries, "byPlace", {
        prefix: [subscriptionId],
        limit: limits.callbacksOnPage,
        direction: "descending"
      })
      const failedForGood = newest.filter(({ state }) => state === "EXHAUSTED").slice(0, limits.exhaustedShown)
      const exhausted = yield* Effect.forEach(failedForGood, (row) => withEvent(reader, row), {
        concurrency: "unbounded"
      })
      const attempts = newest.flatMap(({ lastAttempt }) =>
        lastAttempt !== null && isTrouble(lastAttempt) ? lastAttempt : []
      )
      const last = attempts.reduce<LastAttempt | null>((one, other) => (one && one.at >= other.at ? one : other), null)
      return { last, exhausted }
    })
  )
})

/** As failures are counted: that the right to be told had ended is nobody's failure. */
const isTrouble = (attempt: LastAttempt): boolean =>
  attempt.outcome === "ACKNOWLEDGED"
    ? wasSlow(attempt)
    : attempt.outcome !== null && attempt.outcome !== "AUTHORITY_ENDED"

export const wasSlow = ({ durationMs }: Pick<LastAttempt, "durationMs">): boolean =>
  durationMs !== null && durationMs > limits.callbackSlow
