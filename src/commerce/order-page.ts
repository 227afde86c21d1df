/** Pages of the Result Orders of a person's organizations, as buyer or supplier. */
import { Effect } from "effect"
import { parseCanonical } from "../canonical/jcs.ts"
import { holds } from "../people/membership.ts"
import { readNewestPage, type NewestPageRequest } from "../ports/storage/newest-page.ts"
import { inReplicaView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { readProjectRow } from "../projects/project-row.ts"
import { readRecordedSide } from "../projects/side-exclusivity.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { traced } from "../vocabulary/traced.ts"
import { readingSide, type Member } from "./financial-side.ts"
import type { OrderState } from "./moves.ts"
import { ResultOrders, type ResultOrderRow } from "./store.ts"

/** A line of the list: the result, its total, and the other party as the terms name it. */
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

/** A person with a recorded side does not read for the other one. */
const listedOrder = Effect.fnUntraced(function* (
  reader: Reader,
  { resultOrderId, projectId, state, terms, offeredAt }: ResultOrderRow,
  readers: ReadonlyArray<Member>,
  now: Instant
) {
  const [project, recordedSide] = yield* readTogether([
    readProjectRow(reader, projectId),
    readRecordedSide(reader, projectId, readers[0]!.personId)
  ])
  if (project === undefined) return undefined
  const side = readers
    .map((membership) => readingSide(project, membership, now))
    .find((one) => one !== undefined && (recordedSide ?? one) === one)
  if (side === undefined) return undefined
  const { currency, amountMinor, buyer, supplier } = parseCanonical(terms)
  const { title } = parseCanonical(project.agreement).terms
  const otherParty = side === "BUYER" ? supplier.name : buyer.name
  return { resultOrderId, title, state, side, currency, amountMinor, otherParty, offeredAt }
})
