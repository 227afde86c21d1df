/** Why a send may not go on, judged on the rows of one moment. */
import { Effect } from "effect"
import { readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { SubscriptionRow } from "./store.ts"
import { readAuthorityState, readRepresentedSide } from "./subscription-authority.ts"
import { stateOf } from "./subscription.ts"

/**
 * Why nothing is sent. `LOST`: another worker has the lease. `TOO_LATE`: the deadline has passed. `DEFERRED` and
 * `KEY_UNAVAILABLE`: the delivery is postponed. `SUBSCRIPTION_INACTIVE`: it is sent once the subscription is resumed, and never
 * if that has ended. `AUTHORITY_ENDED`: it is cancelled.
 */
export type SendRefusal =
  | "LOST"
  | "TOO_LATE"
  | "DEFERRED"
  | "KEY_UNAVAILABLE"
  | "SUBSCRIPTION_INACTIVE"
  | "AUTHORITY_ENDED"

/** Why no event of this project may be sent for a subscription now, its secret apart; undefined if it may. */
export const refusalOf = Effect.fnUntraced(function* (
  reader: Reader,
  row: SubscriptionRow,
  projectId: string,
  now: Instant
): Effect.fn.Return<SendRefusal | undefined> {
  if (stateOf(row, now) !== "ACTIVE") return "SUBSCRIPTION_INACTIVE"
  const [authorityState, side] = yield* readTogether([
    readAuthorityState(reader, row, now),
    readRepresentedSide(reader, row, projectId, now)
  ])
  if (authorityState === "HELD") return "DEFERRED"
  return authorityState === "ENDED" || side === undefined ? "AUTHORITY_ENDED" : undefined
})
