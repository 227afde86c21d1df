/** Pages of the Result Orders of a person's organizations, as buyer or supplier. */
import { Effect } from "effect"
import { holds } from "../people/membership.ts"
import { readNewestPage, type NewestPageRequest } from "../ports/storage/newest-page.ts"
import { inReplicaView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { traced } from "../vocabulary/traced.ts"
import { readingSide, type Member } from "./financial-side.ts"
import { readListedOrder } from "./listed-order.ts"
import type { OrderState } from "./moves.ts"
import { ResultOrders, type ResultOrderRow } from "./store.ts"

/** A line of the list. */
export type ListedOrder = Effect.Success<ReturnType<typeof listOrderPage>>["items"][number]

/**
 * The orders that a person with these memberships may read, in this state or in any, latest offer first. A page may have
 * fewer orders than its limit; a person without FINANCIAL_READ has none.
 */
export const listOrderPage = traced("commerce.listOrderPage")(function* (
  memberships: ReadonlyArray<Member>,
  state: OrderState | undefined,
  request: NewestPageRequest
) {
  const now = yield* currentTime
  const readers = memberships.filter((one) => holds(one, "FINANCIAL_READ", now))
  return yield* inReplicaView(function* (reader) {
    const page = yield* readNewestPage(
      reader,
      {
        table: ResultOrders,
        ranges: readers.flatMap(({ organizationId }) =>
          (["byBuyer", "bySupplier"] as const).map((index) => ({ index, prefix: [organizationId] }))
        ),
        positionOf: ({ offeredAt, resultOrderId }: ResultOrderRow) => ({ at: offeredAt, id: resultOrderId }),
        ...(state === undefined ? {} : { matching: { own: [{ column: "state", among: [state] }] } })
      },
      request
    )
    const items = yield* readTogether(page.items.map((row) => listedOrder(reader, row, readers, now)))
    return { ...page, items: items.flatMap((one) => one ?? []) }
  })
})

const listedOrder = Effect.fnUntraced(function* (
  reader: Reader,
  row: ResultOrderRow,
  readers: ReadonlyArray<Member>,
  now: Instant
) {
  const found = yield* readListedOrder(reader, row, readers, readingSide, now)
  return found === undefined ? undefined : { ...found.listed, state: row.state }
})
